// Items of a model that move: other base keys, index keys that come and go, a place inside other items.
#ifndef PREJOIN_MODEL_LAYOUT_LAYOUT_EDITOR_H_
#define PREJOIN_MODEL_LAYOUT_LAYOUT_EDITOR_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/layout/table_edits.h"
#include "model/schema/model.h"

namespace prejoin::model {

using NameSet = std::set<std::string>;

// Single thread.
class LayoutEditor {
 public:
  explicit LayoutEditor(const Model& model) : model_(model) {}

  const Model& model() const { return model_; }
  Model& model() { return model_; }
  // Why the last change could not be made.
  const std::string& why_not() const { return why_not_; }
  bool Refuse(std::string why) {
    why_not_ = std::move(why);
    return false;
  }
  // Entities with other base keys than before.
  const std::map<std::string, Reference<Entity>>& rebased() const { return rebased_; }

  ItemLayout* FindLayout(const std::string& entity) { return model::FindLayout(model_, entity); }
  Table* FindTable(const std::string& entity) { return model::FindTable(model_, entity); }
  // Items of any entity can stand in it: its keys are text of its own, and there is a sort key.
  bool TakesOthers(const Table& table, const Entity& entity) const;
  const StoredAttribute* PartitionKey(const std::string& entity);
  const StoredAttribute* SortKey(const std::string& entity);
  NameSet PartitionNames(const std::string& entity);
  // The index under which the entity's items stand by exactly these attributes.
  const Index* IndexBy(const std::string& entity, const NameSet& names);

  // The key of `owner` in the attributes of `entity` that point at it, as the owner's items spell it.
  KeyTemplate OwnerKey(const Entity& entity, const Entity& owner);
  // The rows of one collection: as an index by the same attributes sorts them already, else in the order that is asked for.
  KeyTemplate CollectionSort(const Entity& entity, const NameSet& bound);

  // Gives the items of `entity` these base keys, in the table of `beside` if it accepts them.
  bool Rebase(const Entity& entity, const std::string& beside, const KeyTemplate& partition,
              const KeyTemplate& sort);
  // Items of its own, by its own key, in the table of `beside`, if it has none yet.
  bool Place(const Entity& entity, const std::string& beside);
  // In an index where the entity has no keys yet, or in a new one.
  void AddIndexKeys(const Entity& entity, const KeyTemplate& partition, const KeyTemplate& sort);
  void DropKeys(const Entity& entity, const Index& index);
  // Leaves out the copies of `original` on the items of `holder`; refuses where there are none.
  bool DropCopies(const std::string& holder, const std::string& original);
  // Puts the rows of `entity` into a list in the items of each holder; its own items go. Refuses where a holder has none.
  bool Embed(const Entity& entity, const std::vector<const Entity*>& holders);

  // What LockRowKeys says, for the items of `rows`.
  void KeepRowsUnique(const Entity& rows);
  // Indexes that nothing is in any more, and tables.
  void DropEmpty();

 private:
  ItemLayout TakeItem(const Entity& entity);
  void KeepOmissions(const Entity& entity, ItemLayout& layout) const;

  Model model_;
  std::map<std::string, Reference<Entity>> rebased_;
  std::string why_not_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_LAYOUT_EDITOR_H_
