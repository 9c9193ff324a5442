// Items as a table of text.
#ifndef PREJOIN_SHELL_RESULT_TABLE_H_
#define PREJOIN_SHELL_RESULT_TABLE_H_

#include <string>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::shell {

struct TableLimits {
  std::size_t columns_max = 30;
  std::size_t width = 0;  // The width of a line; 0: any. Columns that do not fit are named below.
  std::vector<std::string> first = {};  // Columns that are in front, such as the keys.
};

// The names of all attributes: those of `first` that there are, then in the order in which they come.
std::vector<std::string> ColumnNames(const std::vector<Item>& items,
                                     const std::vector<std::string>& first);

// Columns in that order; long values are cut. Empty for no items.
std::string DrawItems(const std::vector<Item>& items, const TableLimits& limits);

// Plain JSON: text in quotes only inside lists and maps.
std::string CellText(const AttributeValue& value);

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_RESULT_TABLE_H_
