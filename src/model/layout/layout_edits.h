// Changes of tables, indexes and items as edits of the file that declares them.
#ifndef PREJOIN_MODEL_LAYOUT_LAYOUT_EDITS_H_
#define PREJOIN_MODEL_LAYOUT_LAYOUT_EDITS_H_

#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {

// The declarations must be read from the file: one that was made up has no place in it.
LineEdit AddToItem(const ItemLayout& layout, std::vector<std::string> lines);
LineEdit AddToTable(const Table& table, std::vector<std::string> lines);
LineEdit RemoveIndex(const Table& table, const Index& index);
LineEdit ReplaceIndex(const Table& table, const Index& old, const Index& now);
LineEdit RemoveStored(const ItemLayout& layout, const StoredAttribute& stored);
LineEdit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                       const StoredAttribute& now);

// True if the line stands in the file; keys that follow from the names of attributes do not.
bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored);
// Removes the keys of `index` that stand in the item and serve nothing else.
std::vector<LineEdit> RemoveOwnKeys(const Table& table, const ItemLayout& layout,
                                    const Index& index);

// Makes the tables and strategies of `before` those of `after`: only declarations that say something else are written anew, so
// that comments, their order and the layout of everything else stay.
std::vector<LineEdit> ChangedLayout(const Model& before, const Model& after);

// What `after` has that `before` has not: tables, indexes, items, attributes of items, and wider indexes. Each declaration
// has all its lines at once, so that no edit is about the lines of another one.
std::vector<LineEdit> AddedLayout(const Model& before, const Model& after);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_LAYOUT_EDITS_H_
