#include "gen/words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace prejoin::gen {
namespace {

bool IsLetterOrDigit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool IsLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// Whether a new word begins at `i`: orderId, HTTPServer, order2Go.
bool BeginsWord(std::string_view name, std::size_t i) {
  if (i == 0 || !IsUpper(name[i])) {
    return false;
  }
  if (IsLower(name[i - 1])) {
    return true;
  }
  const bool lower_follows = i + 1 < name.size() && IsLower(name[i + 1]);
  return lower_follows && IsLetterOrDigit(name[i - 1]);
}

// A character outside ASCII, by its number: "é" is u00e9. Languages differ in which of these a name may have, and in which are capitals.
std::string NumberOf(std::string_view name, std::size_t& i) {
  const auto byte = [&](std::size_t at) {
    return at < name.size() ? static_cast<unsigned char>(name[at]) : 0u;
  };
  const unsigned lead = byte(i);
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  unsigned code = more == 0 ? lead : lead & (0x3fu >> more);
  for (std::size_t k = 0; k < more && (byte(i + 1) & 0xc0u) == 0x80u; ++k) {
    code = code << 6 | (byte(++i) & 0x3fu);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = code > 0xffff ? 20 : 12; shift >= 0; shift -= 4) {
    out += kDigits[code >> shift & 0xfu];
  }
  return "u" + out;
}

std::string Capitalised(std::string word) {
  if (!word.empty()) {
    word[0] = Upper(word[0]);
  }
  return word;
}

std::string Joined(std::string_view name, std::string_view between) {
  std::string out;
  for (const std::string& word : Words(name)) {
    if (!out.empty()) {
      out += between;
    }
    out += word;
  }
  return out;
}

}  // namespace

std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) {
      words.push_back(std::move(word));
    }
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0x80) != 0) {
      word += NumberOf(name, i);
      continue;
    }
    if (!IsLetterOrDigit(name[i])) {
      end();
      continue;
    }
    if (BeginsWord(name, i)) {
      end();
    }
    word += Lower(name[i]);
  }
  end();
  // "_" and "_1" are names too, and every language must be able to say them.
  if (words.empty() && !name.empty()) {
    words.push_back("underscore");
  }
  if (!words.empty() && words[0][0] <= '9') {
    words[0].insert(0, "n");
  }
  return words;
}

std::string PascalCase(std::string_view name) {
  std::string out;
  for (const std::string& word : Words(name)) {
    out += Capitalised(word);
  }
  return out;
}

std::string CamelCase(std::string_view name) {
  std::string out = PascalCase(name);
  if (!out.empty()) {
    out[0] = Lower(out[0]);
  }
  return out;
}

std::string SnakeCase(std::string_view name) { return Joined(name, "_"); }

std::string UpperSnakeCase(std::string_view name) {
  std::string out = SnakeCase(name);
  for (char& c : out) {
    c = Upper(c);
  }
  return out;
}

namespace {

// Go writes initialisms in one case: ID, not Id.
bool IsInitialism(const std::string& word) {
  constexpr std::array kWords = {"api", "html", "http", "id",  "ip",  "json", "pk",
                                 "sk",  "sql",  "ttl",  "uri", "url", "uuid"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() ||
         ((word.starts_with("gsi") || word.starts_with("lsi")) && word.size() > 3 &&
          word[3] >= '0' && word[3] <= '9');
}

}  // namespace

std::string ExportedCase(std::string_view name) {
  std::string out;
  for (std::string word : Words(name)) {
    const bool all = IsInitialism(word);
    for (std::size_t i = 0; i < word.size() && (all || i == 0); ++i) {
      word[i] = Upper(word[i]);
    }
    out += word;
  }
  return out;
}

std::string UnexportedCase(std::string_view name) {
  const std::vector<std::string> words = Words(name);
  return words.empty() ? "" : words[0] + ExportedCase(name).substr(words[0].size());
}

std::string Plural(std::string_view name) {
  std::string out(name);
  const auto ends = [&](std::string_view tail) { return out.ends_with(tail); };
  if (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh")) {
    return out + "es";
  }
  const bool after_consonant = out.size() > 1 && std::string_view("aeiou").find(
                                                     out[out.size() - 2]) == std::string_view::npos;
  if (ends("y") && after_consonant) {
    return out.substr(0, out.size() - 1) + "ies";
  }
  return out + "s";
}

std::string EntityTypeName(std::string_view entity) {
  constexpr std::string_view kTaken =
      " Action AlreadyExists Any Boolean Client ConditionNotMet Conflict Context "
      "InvalidKeyPart InvalidKeyPartError Database Date Decimal Double Error Integer Item "
      "Keys Layout List Literal Long Map NotFound Number Object Optional Page PageOptions "
      "Path Patterns Promise Record Result Row Set Status String TableNames Test TypedDict "
      "Value Writes ";
  std::string name = PascalCase(entity);
  return kTaken.find(" " + name + " ") != std::string_view::npos ? name + "Row" : name;
}

std::string FunctionWord(std::string_view words) {
  constexpr std::string_view kTaken =
      " "
      "Abstract ActionsFor After Alignas Alignof And Any As AsBool AsBytes AsNumber "
      "Ascending Asm Assert Async AtMost Attribute Auto Await BatchGet Because Bool "
      "Boolean Break Byte Bytes BytesOf Case Catch Chan ChangeRow Char Check CheckPart Class "
      "Compact "
      "Compare Concept Const Consteval Constexpr Constinit Contains Continue Count Db "
      "Debugger Decltype Def Default Defer Del Delete Descending Dict Distinct Do Double "
      "Elif Else EntityOf Enum Eval Except Explicit Export Extends Extern Fallthrough "
      "False Filter Final Finally Find First Float For ForEach ForRows Friend From Func "
      "Function Get GetItem GetItems Global Go Goto Greatest HasForm IdOf If IgnoringMissing "
      "Implements Import In InParallel Increase Inline Instanceof Int Interface Is Item ItemOf "
      "InvalidKeyPart Items Iter KeyOf KeyPart KeyValue KeysOf Lambda Least Len Let List Long "
      "Lower Map "
      "Match Matches Max Maybe Merged Min ModelOf MoveLock Must Mutable Namespace Native New Next "
      "Noexcept None Nonlocal Normal Not NotFound Null Nullptr Number Numbers Object "
      "OnlyIf Operator Optional Or OrRefused Package Padded Page Part Pass Path Plain PlainText "
      "Pointed "
      "Present Print Private Protected Public Put PutRow QueryAll QueryPage Raise Range "
      "ReadKey ReadRows Record RefusalFor RefusalOf Refused Register Remove RemoveRow "
      "Required Requires Retrying Return RewriteList Rows RowsInside RowsOf SameRow ScanAll Select "
      "Set ShardOf Shards Short Signed Sizeof SortRows SortValue Sorted Static Stored "
      "StoredAll StoredSet Str Struct Sum Super Switch Synchronized Template Text Texts "
      "This Throw Throws Together Transient True Try Type Typedef Typeid Typename Typeof "
      "Unchanged Undefined Union Unsigned Update Upper Using Value ValueOf Values Var "
      "Virtual Void Volatile Wanted WhenPresent While With WithChanges WithRow WithoutRow "
      "Write WriteIfThere WriteOne Xor Yield ";
  std::string name = PascalCase(words);
  return kTaken.find(" " + name + " ") != std::string_view::npos ? "Do" + name : name;
}

std::string CommentText(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view three = text.substr(i, 3);
    if (three == "\u2028" || three == "\u2029") {  // Line ends of JavaScript.
      out += ' ';
      i += 2;
    } else if (three == "\"\"\"") {  // The end of a docstring.
      out += "'''";
      i += 2;
    } else if (three.starts_with("*/")) {
      out += "* /";
      ++i;
    } else if (c == '\\') {  // Java reads \u000a everywhere; a line of C++ that ends so goes on.
      out += '/';
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

std::string Quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
    }
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string QuotedList(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? "" : ", ") + Quoted(text);
  }
  return out;
}

bool IsIdentifier(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, [](char c) {
    return (static_cast<unsigned char>(c) & 0x80) == 0 && (IsLetterOrDigit(c) || c == '_');
  });
}

std::string PropertyName(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : Quoted(name);
}

}  // namespace prejoin::gen
