// Columns of a report, as wide as what is in them. Where that is wider than the page, names give way and figures stay in their columns:
//
//   entity, partition key             x1     x10  maximum
//   ByDoctorIdStartsAt                                          a row of one cell spans the table
//     Visit "VISIT#{id}"           184 B   184 B
//     Prescription "PATIENT#{patientId}"                        a first cell that is too long has a line of its own
//                                  444 B   444 B  500 items,
//                                                 54 KB         the last column is folded,
//     Doctor "CLINIC#{id}"          81 B    81 B
//         ClinicNetwork.ByDoctorIdStartsAt                      or goes below its row if a word of it is too long
#ifndef PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_
#define PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace prejoin::model {

enum class Align { kLeft, kRight };

class TextTable {
 public:
  // The alignment of each column. Of the names that give way, the last column is one if it is aligned left.
  explicit TextTable(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // A row that is shorter than the table leaves its last columns empty.
  void AddHeading(std::vector<std::string> cells);
  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }

  // Every line begins with `indent` spaces; columns are two spaces apart.
  std::string Render(std::size_t width, std::size_t indent = 0) const;

 private:
  std::vector<std::size_t> Widths(std::size_t width, std::size_t indent) const;

  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_TEXT_TABLE_H_
