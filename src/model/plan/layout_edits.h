// Changes of tables, indexes and items as edits of the file that declares them.
#ifndef PREJOIN_MODEL_PLAN_LAYOUT_EDITS_H_
#define PREJOIN_MODEL_PLAN_LAYOUT_EDITS_H_

#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {

// The declarations must be read from the file: one that was made up has no place in it.
LineEdit AddToItem(const ItemLayout& layout, std::vector<std::string> lines);
LineEdit AddToTable(const Table& table, std::vector<std::string> lines);
LineEdit ReplaceIndex(const Table& table, const Index& old, const Index& now);

// The parts that `after` has and `before` lacks: tables, indexes, items, attributes of items, and wider indexes.
// Each declaration has all its lines at once, so that no edit touches the lines of another one.
std::vector<LineEdit> AddedLayout(const Model& before, const Model& after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_LAYOUT_EDITS_H_
