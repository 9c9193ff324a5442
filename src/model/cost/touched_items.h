// The items that a step of a write touches beside its own: locks, sums and counts, and its own under another key.
#ifndef PREJOIN_MODEL_COST_TOUCHED_ITEMS_H_
#define PREJOIN_MODEL_COST_TOUCHED_ITEMS_H_

#include <set>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "model/schema/model.h"

namespace prejoin::model {

std::set<std::string> Texts(const std::vector<Name>& names);
// The attributes that an update sets or removes.
std::set<std::string> Changed(const WriteStep& step);
bool Intersects(const std::set<std::string>& a, const std::set<std::string>& b);

// The update touches what the table's key of this layout is made of.
bool MovesItem(const Model& model, const WriteStep& step, const Model::Placement& placement);

// True if the items of a layout differ after an update: it stores what changes, or has it in a key.
bool IsTouched(const ItemLayout& layout, const std::set<std::string>& changed);

bool TouchesLock(const Model& model, const WriteStep& step);

// The attributes by which rows of `entity` name the row that holds their sums.
std::set<std::string> NamesOfHolder(const Model& model, const Reference<Entity>& entity,
                                    const Reference<Entity>& holder);

// True if an update moves rows from one holder of their sums to another one.
bool MovesToHolder(const Model& model, const WriteStep& step, const Reference<Entity>& holder);

// Calls `visit` for each attribute of an item elsewhere that the step makes wrong, with what it holds.
using DerivedVisitor = FunctionRef<void(const Table&, const ItemLayout&, const StoredAttribute&)>;
void ForEachDerived(const Model& model, const WriteStep& step, DerivedVisitor visit);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_COST_TOUCHED_ITEMS_H_
