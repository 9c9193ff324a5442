// From items as the old design stores them to rows of the new logical half.
#ifndef PREJOIN_MIGRATE_ROWS_H_
#define PREJOIN_MIGRATE_ROWS_H_

#include <optional>
#include <string>
#include <vector>

#include "evolve/sources.h"
#include "model/data/dataset.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::migrate {

struct SourceRow {
  model::Reference<model::Entity> entity;  // The entity in the new model.
  model::Row row;
  Item extras;  // Attributes of the item that no design knows; they go along.
};

// Borrows both models. Thread-compatible.
class RowReader {
 public:
  RowReader(const model::Model& before, const model::Model& after, evolve::EntitySources sources);

  // The rows that an item of the old table holds: its own, those in its lists and maps, those that only its copies tell
  // of. None for a lock item; nullopt for an item that fits no entity.
  std::optional<std::vector<SourceRow>> RowsOf(const model::Table& table, const Item& item) const;

 private:
  void Emit(const std::string& old_entity, const model::Row& row, const Item& extras,
            std::vector<SourceRow>& out) const;
  void EmitCopied(const model::Model::Placement& placement, const model::Row& row, const Item& item,
                  std::vector<SourceRow>& out) const;
  const model::ItemLayout* LayoutOf(const model::Table& table, const Item& item) const;

  const model::Model& before_;
  const model::Model& after_;
  const evolve::EntitySources sources_;
};

}  // namespace prejoin::migrate

#endif  // PREJOIN_MIGRATE_ROWS_H_
