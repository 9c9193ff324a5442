// Items against each other: references and the rows they point at, copies and their sources, sums and counts and the rows
// they are made of, unique values and their lock items, rows that are stored twice.
#ifndef PREJOIN_AUDIT_CROSS_CHECK_H_
#define PREJOIN_AUDIT_CROSS_CHECK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "audit/fact_sorter.h"
#include "audit/finding.h"
#include "audit/item_check.h"
#include "audit/references.h"
#include "model/schema/join.h"
#include "model/schema/model.h"

namespace prejoin::audit {

struct CrossCheckOptions {
  std::size_t memory_bytes = 0;
  // False when only a part of the items is added: then nothing is said about what is not among them.
  bool complete = true;
  std::set<std::string> tables;  // The tables whose items are added.
  std::string stored_name;       // For requests, where it is not the model's name.
};

// Borrows the model. Single thread.
class CrossCheck {
 public:
  CrossCheck(const model::Model& model, CrossCheckOptions options);

  // A matched item or lock item.
  Status Add(const CheckedItem& checked, const Item& item);

  // Call once, at the end.
  using ReportFinding = std::function<void(Finding finding)>;
  Status Finish(const ReportFinding& report);

  // Facts that could not be compared, in words.
  const std::vector<std::string>& not_checked() const { return not_checked_; }
  std::uint64_t spilled_bytes() const { return sorter_.spilled_bytes(); }

 private:
  // A row of `to` that rows of an entity point at, with the copies that they keep of it.
  struct Link {
    const model::Entity* to;
    std::vector<model::JoinColumn> columns;
    std::vector<const model::StoredAttribute*> copies;
    bool key_from_copy = false;  // A key template uses one of the copies.
    bool first = true;           // Where there are several references to one entity, copies follow this one.
  };
  // A total that the row of `parent` keeps of rows of an entity.
  struct Share {
    const model::Entity* parent;
    std::vector<model::JoinColumn> columns;
    const model::StoredAttribute* total;
  };
  struct EntityFacts {
    const model::Entity* entity = nullptr;
    model::Model::Placement placement;  // The place of its own items, if it has any.
    std::vector<ListPlace> lists;       // That hold its rows.
    std::vector<Link> links;
    std::vector<Share> shares;
    std::set<std::string> provided;  // Attributes that others keep copies of.
    std::vector<const model::StoredAttribute*> totals;
    std::vector<std::string> unique;
  };
  class Group;

  void Prepare(const model::Entity& entity);
  void PrepareSecond(const model::Entity& layout);
  bool Stored(const model::Entity& entity) const;
  // A row and the item that has it. `item` is null for a row inside a list of `checked`.
  struct PlacedRow {
    const CheckedItem& checked;
    const model::Row& row;
    const Item* item;

    Item Place() const;
  };
  Status AddRow(const EntityFacts& facts, const PlacedRow& placed);
  Status AddSecond(const EntityFacts& facts, const PlacedRow& placed);
  Status AddDefinition(const EntityFacts& facts, const PlacedRow& placed);
  Status AddLinks(const EntityFacts& facts, const PlacedRow& placed);
  Status AddShares(const EntityFacts& facts, const PlacedRow& placed);
  Status AddUnique(const EntityFacts& facts, const PlacedRow& placed);
  Status AddEmbedded(const CheckedItem& checked, const Item& item);

  const model::Model& model_;
  const CrossCheckOptions options_;
  std::map<std::string, EntityFacts, std::less<>> entities_;
  FactSorter sorter_;
  std::vector<std::string> not_checked_;
};

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_CROSS_CHECK_H_
