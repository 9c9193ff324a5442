// Columns of a report, as wide as what is in them.
#ifndef PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_
#define PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace prejoin::model {

enum class Align { kLeft, kRight };

class TextTable {
 public:
  // The alignment of each column. The last column, if it is on the left, is folded to what is left of the
  // width.
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // A row that is shorter than the table leaves its last columns empty.
  void AddHeading(std::vector<std::string> cells);
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  // Every line begins with `indent` spaces; columns are two spaces apart.
  std::string Render(std::size_t width, std::size_t indent = 0) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_
