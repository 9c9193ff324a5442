// Items of the new design from rows of the old one.
#ifndef PREJOIN_MIGRATE_TARGET_H_
#define PREJOIN_MIGRATE_TARGET_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "evolve/sources.h"
#include "migrate/rows.h"
#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::migrate {

// An item as the new design wants it.
struct Target {
  const model::Table* table = nullptr;
  std::string entity;
  Item key;
  Item item;
};
// Keyed by table and key, as text.
using Targets = std::map<std::string, Target>;
std::string TargetName(const model::Table& table, const Item& key);

// Rows of the held entities, each once. Single thread.
class HeldRows {
 public:
  HeldRows(const model::Model& before, const model::Model& after, const evolve::EntitySources& sources);

  bool needed() const { return !entities_.empty(); }
  void Clear();
  void Add(const SourceRow& source);
  std::size_t bytes() const { return bytes_; }
  // Before the first Render after rows were added.
  void Finish();

  // The item and lock items of a row, if the new design has items for it. False: an attribute of the table's key is
  // missing, or a key refuses one, so the row has no place.
  bool Render(const SourceRow& source, Targets& out);

 private:
  const model::Model& after_;
  const std::map<std::string, std::set<std::string>> new_totals_;
  const std::set<std::string> entities_;
  model::Dataset data_;
  std::map<std::string, std::set<std::string>> seen_;
  std::unique_ptr<model::DataIndex> index_;
  std::size_t bytes_ = 0;
};

}  // namespace prejoin::migrate

#endif  // PREJOIN_MIGRATE_TARGET_H_
