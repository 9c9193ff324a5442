// Items of a model that move: other base keys, index keys that come and go. Private to switch_strategy.h.
#ifndef PREJOIN_MODEL_ADVISE_LAYOUT_EDITOR_H_
#define PREJOIN_MODEL_ADVISE_LAYOUT_EDITOR_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

using NameSet = std::set<std::string>;

// The attributes of a key, without the one that only chooses a shard.
NameSet NamesInKey(const KeyTemplate& key);

// A template that is known to be right; and one with more after it.
KeyTemplate KeyOfText(const std::string& text);
KeyTemplate Extended(const KeyTemplate& key, const std::string& more);

// `{name}`, numbers padded.
std::string PartText(const Attribute& attribute);

// The attributes of `entity` that name a row of `owner`.
NameSet NamesOf(const Entity& entity, const Entity& owner);

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

  ItemLayout* FindLayout(const std::string& entity);
  Table* FindTable(const std::string& entity);
  // Items of any entity can be in it: its keys are text of its own, and there is a sort key.
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
  // In an index where the entity has no keys yet, or in a new one.
  void AddIndexKeys(const Entity& entity, const KeyTemplate& partition, const KeyTemplate& sort);
  void DropKeys(const Entity& entity, const Index& index);
  // Leaves out the copies of `original` on the items of `holder`; refuses where there are none.
  bool DropCopies(const std::string& holder, const std::string& original);
  // An index without keys of its own yet, that projects keys.
  static Index& NewIndex(Table& table);

  // `once` promises one row for each key. Where the item's key holds more than that, a lock item keeps the promise.
  void KeepRowsUnique(const Entity& rows);
  // Index keys that say what the base key says, if nothing gets dearer without them.
  void DropRepeatedKeys(const Entity& rows);
  // Indexes that nothing is in any more, and tables.
  void DropEmpty();

 private:
  std::string WhyNoKey(const Entity& entity, const std::string& name) const;
  std::vector<std::string> WantedOrder(const Entity& entity) const;
  ItemLayout TakeItem(const Entity& entity);
  void KeepOmissions(const Entity& entity, ItemLayout& layout) const;
  std::optional<double> BillWithout(const Model& model) const;

  Model model_;
  std::map<std::string, Reference<Entity>> rebased_;
  std::string why_not_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_ADVISE_LAYOUT_EDITOR_H_
