// What SQL says of tables and a model does not, with the lines of the file where it stands.
#ifndef PREJOIN_DRAFT_SQL_LEFT_OUT_H_
#define PREJOIN_DRAFT_SQL_LEFT_OUT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draft/draft.h"
#include "json/reader.h"

namespace prejoin::draft {

// Line numbers begin with 1.
struct LeftOut {
  std::vector<std::size_t> defaults;
  std::vector<std::size_t> generated;
  std::vector<std::size_t> rows;

  // Adds what the definition of a column says. `line` is where the column stands.
  void ReadColumn(json::Value column, std::size_t line);
  // Adds a note for each kind that was found.
  void Tell(Notes& notes) const;
};

// The lines of statements, asked for in their order. Borrows the text. Single thread.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  // The line of the statement's first word.
  std::size_t LineOf(std::string_view statement);

 private:
  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// How many lines below the first word of a CREATE TABLE a column stands; 0 if there is no such column.
std::size_t LineOfColumn(std::string_view statement, const std::string& column);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_LEFT_OUT_H_
