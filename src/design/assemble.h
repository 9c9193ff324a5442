// From a choice to the tables, items and indexes of a model.
#ifndef PREJOIN_DESIGN_ASSEMBLE_H_
#define PREJOIN_DESIGN_ASSEMBLE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

// DynamoDB's limits for one table.
inline constexpr std::size_t kGlobalIndexesMax = 20;
inline constexpr std::size_t kLocalIndexesMax = 5;

// The facts that do not depend on the choice.
struct AssembleOptions {
  std::string table_name = "Main";
  std::string partition_name = "PK";
  std::string sort_name = "SK";
  std::string type_attribute;  // Empty: items are not labelled.
  bool type_upper = false;
  // Items that stay as they are, by entity: without keys of indexes.
  std::map<std::string, model::ItemLayout> kept;
  // Their partition keys by PartitionMeaning: others that mean the same are spelled like them.
  std::map<std::string, model::KeyTemplate> kept_keys;
  // Index keys are attributes as they are, several of them if need be, instead of GSI1PK and GSI1SK.
  // Where those would be more indexes than a table may have, the keys are generic all the same.
  bool natural_keys = false;
  // Uses as few indexes as possible: entries may get attributes that no pattern needs.
  bool tight = false;
  bool locks = true;  // A lock item for each unique attribute that is not the key.
  // Sums and counts that the file's own physical half maintains, by entity.
  std::map<std::string, std::vector<model::StoredAttribute>> maintained;
  // Entities that are at the end of their collection, so that the newest of the others come right behind them.
  std::set<std::string> last;
};

// The name, or a longer one if an entity has an attribute of that name.
std::string FreeKeyName(const model::Model& logical, std::string name);

// The tables that the choice asks for. Views that share a partition of the same meaning come into one index, where a
// request can read them together.
std::vector<model::Table> AssembleTables(const model::Model& logical, const DesignChoice& choice,
                                         const AssembleOptions& options);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_ASSEMBLE_H_
