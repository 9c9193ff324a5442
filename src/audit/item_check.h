// One stored item against the model: whose it is, whether its keys are what its attributes make them, whether its
// attributes are what the entity declares.
#ifndef PREJOIN_AUDIT_ITEM_CHECK_H_
#define PREJOIN_AUDIT_ITEM_CHECK_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.h"
#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::audit {

// A lock item as its key says it: `unique Attribute of Entity is Value`.
struct LockName {
  const model::ItemLayout* layout = nullptr;
  std::string attribute;
  std::string value;
};

struct CheckedItem {
  model::Model::Placement placement;  // No layout: a lock item, or unknown.
  std::optional<LockName> lock;
  Item key;
  model::Row row;  // The entity's attributes, also those that stand only in the keys.
  Item mended;     // The item as it should be, as far as it says so itself.
  std::vector<Finding> findings;
};

// The promise that the writes of a model make about an attribute: `people += 1 if people < 50` keeps it at 50 or less.
struct Promise {
  std::string attribute;
  model::Comparison comparison = model::Comparison::kLessOrEqual;
  Number bound;
  std::string write;
};

// Borrows the model. Single thread.
class ItemChecker {
 public:
  explicit ItemChecker(const model::Model& model);

  CheckedItem Check(const model::Table& table, const Item& item) const;

 private:
  void CheckAttributes(const Item& item, CheckedItem& checked) const;
  void CheckKeys(const Item& item, CheckedItem& checked) const;
  void CheckLabel(const Item& item, CheckedItem& checked) const;
  void CheckPromises(CheckedItem& checked) const;

  const model::Model& model_;
  std::map<std::string, std::vector<Promise>, std::less<>> promises_;  // By entity.
};

// The attributes of the entity as the item has them: under their own names, else from the table's key, else from any
// other key unless they are optional. Nothing else.
model::Row RowOfStored(const model::Model& model, const model::Model::Placement& placement,
                       const Item& item);

// Returns true if an entity has neither items nor a place in lists: then only copies mention its rows.
bool OnlyCopied(const model::Model& model, std::string_view entity);

// The key of an item; nullopt if it lacks a part.
std::optional<Item> KeyOf(const model::Table& table, const Item& item);

// The part of the key's text after "UNIQUE#Entity#attribute#", with what it is about; nullopt for any other item.
std::optional<LockName> LockOf(const model::Table& table, const Item& item);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_ITEM_CHECK_H_
