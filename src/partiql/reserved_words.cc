// The words that PartiQL reserves: those of SQL-92, and a few of its own.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "expr/characters.h"
#include "partiql/token_reader.h"

namespace prejoin::partiql {
namespace {

// The grammar itself uses these. Both texts are in order, for binary search.
constexpr std::string_view kGrammarText =
    "ALL AND AS ASC BETWEEN BY DELETE DESC EXISTS FALSE FROM IN INSERT INTO IS LIKE MISSING NOT "
    "NULL OR ORDER REMOVE RETURNING SELECT SET TRUE UPDATE VALUE WHERE";

constexpr std::string_view kReservedText =
    "ABSOLUTE ACTION ADD ALL ALLOCATE ALTER AND ANY ARE AS ASC ASSERTION AT AUTHORIZATION AVG "
    "BAG BEGIN BETWEEN BIT BIT_LENGTH BLOB BOOL BOOLEAN BOTH BY CASCADE CASCADED CASE CAST "
    "CATALOG CHAR CHARACTER CHARACTER_LENGTH CHAR_LENGTH CHECK CLOB CLOSE COALESCE COLLATE "
    "COLLATION COLUMN COMMIT CONNECT CONNECTION CONSTRAINT CONSTRAINTS CONTINUE CONVERT "
    "CORRESPONDING COUNT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP "
    "CURRENT_USER CURSOR DATE DATE_ADD DATE_DIFF DEALLOCATE DEC DECIMAL DECLARE DEFAULT "
    "DEFERRABLE DEFERRED DELETE DESC DESCRIBE DESCRIPTOR DIAGNOSTICS DISCONNECT DISTINCT DOMAIN "
    "DOUBLE DROP ELSE END ESCAPE EXCEPT EXCEPTION EXEC EXECUTE EXISTS EXTERNAL EXTRACT FALSE "
    "FETCH FIRST FLOAT FOR FOREIGN FOUND FROM FULL GET GLOBAL GO GOTO GRANT GROUP HAVING "
    "IDENTITY IMMEDIATE IN INDEX INDICATOR INITIALLY INNER INPUT INSENSITIVE INSERT INT INTEGER "
    "INTERSECT INTERVAL INTO IS ISOLATION JOIN KEY LANGUAGE LAST LEADING LEFT LET LEVEL LIKE "
    "LIMIT LIST LOCAL LOWER MATCH MAX MIN MISSING MODULE NAMES NATIONAL NATURAL NCHAR NEXT NO "
    "NOT NULL NULLIF NUMERIC OCTET_LENGTH OF ON ONLY OPEN OPTION OR ORDER OUTER OUTPUT OVERLAPS "
    "PAD PARTIAL PIVOT POSITION PRECISION PREPARE PRESERVE PRIMARY PRIOR PRIVILEGES PROCEDURE "
    "PUBLIC READ REAL REFERENCES RELATIVE REMOVE RESTRICT RETURNING REVOKE RIGHT ROLLBACK ROWS "
    "SCHEMA SCROLL SECTION SELECT SESSION SESSION_USER SET SEXP SIZE SMALLINT SOME SPACE SQL "
    "SQLCODE SQLERROR SQLSTATE STRING STRUCT SUBSTRING SUM SYMBOL SYSTEM_USER TABLE TEMPORARY "
    "THEN TIME TIMESTAMP TO TRAILING TRANSACTION TRANSLATE TRANSLATION TRIM TRUE TUPLE UNION "
    "UNIQUE UNKNOWN UNPIVOT UPDATE UPPER USAGE USER USING VALUE VALUES VARCHAR VARYING VIEW "
    "WHEN WHENEVER WHERE WITH WORK WRITE ZONE";

template <std::size_t kCount>
constexpr std::array<std::string_view, kCount> Split(std::string_view text) {
  std::array<std::string_view, kCount> words;
  for (std::string_view& word : words) {
    word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

constexpr std::size_t CountWords(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

constexpr auto kGrammarWords = Split<CountWords(kGrammarText)>(kGrammarText);
constexpr auto kReservedWords = Split<CountWords(kReservedText)>(kReservedText);
static_assert(std::ranges::is_sorted(kGrammarWords) && std::ranges::is_sorted(kReservedWords));

bool Has(std::span<const std::string_view> words, std::string_view word) {
  constexpr std::size_t kLongestWord =
      std::ranges::max(kReservedWords, {}, &std::string_view::size).size();
  std::array<char, kLongestWord> capitals;
  if (word.size() > capitals.size()) {
    return false;
  }
  std::ranges::transform(word, capitals.begin(), expr::ToUpper);
  return std::ranges::binary_search(words, std::string_view(capitals.data(), word.size()));
}

}  // namespace

bool IsKeyword(std::string_view word) { return Has(kGrammarWords, word); }
bool IsReserved(std::string_view word) { return Has(kReservedWords, word); }

}  // namespace prejoin::partiql
