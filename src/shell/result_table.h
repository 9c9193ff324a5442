// Items as a table of text.
#ifndef PREJOIN_SHELL_RESULT_TABLE_H_
#define PREJOIN_SHELL_RESULT_TABLE_H_

#include <string>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::shell {

// Columns in the order in which names first come; long values are cut. Empty for no items.
std::string DrawItems(const std::vector<Item>& items, std::size_t columns_max);

// Plain JSON: text in quotes only inside lists and maps.
std::string CellText(const AttributeValue& value);

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_RESULT_TABLE_H_
