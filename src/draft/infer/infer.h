// A model from the items of a table: entities, key templates, attributes, relationships.
//
// The first items say which characters divide the keys and whether an attribute tells the kind of
// each item. Then every item is counted into the shape of its keys (shape_tree.h). At the end shapes
// become entities: a part of a key that is always equal to an attribute is that attribute, a part
// that is equal to another part is the same, and any other gets a name from the literal before
// it. Relationships follow from values: a part whose values are among the key values of another
// entity references it. Memory does not grow with the number of items.
#ifndef PREJOIN_DRAFT_INFER_INFER_H_
#define PREJOIN_DRAFT_INFER_INFER_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draft/draft.h"
#include "draft/infer/found_entity.h"
#include "draft/infer/shape_tree.h"
#include "prejoin/item.h"

namespace prejoin::draft {

struct InferSettings {
  std::size_t samples_max = 40;       // Items of each entity that are kept as samples.
  bool labels_name_entities = false;  // The labels given to Add are the entities' names.
  bool counts = true;                 // Write how many there are.
  KeyHints hints;                     // Names for the parts of keys, by label.
};

// Single thread.
class Inference {
 public:
  // `table` has the name, the keys and the indexes.
  Inference(DraftTable table, InferSettings settings);

  void Add(const Item& item, std::string_view label = "");

  // Requires before Finish: the items that were added are a part of so many, so counts are scaled to them.
  void SetTotal(std::int64_t items) { total_ = items; }

  // Adds what was found to the draft. Call once.
  void Finish(Draft& draft);

  std::int64_t count() const { return count_; }

 private:
  void Begin();
  std::vector<const Shape*> ShapesToKeep(const std::vector<Shape>& shapes);
  void AddGiven(const std::string& label, const std::map<std::string, std::string>& hints,
                ShapeTree::Settings& settings) const;
  std::string LabelOf(const Item& item, std::string_view given) const;
  void AddNamed(const Item& item, std::string_view label);
  // The item with names that can be in a model file; which were changed is noted.
  Item Renamed(const Item& item);

  DraftTable table_;
  const InferSettings settings_;
  std::int64_t count_ = 0;
  std::int64_t total_ = 0;  // 0: those that were added.
  std::string type_attribute_;
  std::map<std::string, std::string> renamed_;       // Attributes of the items → names here.
  std::vector<std::pair<Item, std::string>> first_;  // Until there is a tree.
  std::unique_ptr<ShapeTree> tree_;
};

// Makes a model file of a draft that Finish has added to: sample rows, patterns by the keys, what an existing table is allowed.
void CompleteInferred(Draft& draft);

// An attribute that nearly all items have, called like one that tells the kind, with few values;
// empty if there is none.
std::string FindTypeAttribute(const std::vector<std::pair<Item, std::string>>& items,
                              const std::vector<std::string>& key_names);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_INFER_H_
