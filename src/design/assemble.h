// From a choice to the tables, items and indexes of a model.
#ifndef PREJOIN_DESIGN_ASSEMBLE_H_
#define PREJOIN_DESIGN_ASSEMBLE_H_

#include <string>
#include <vector>

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

// What does not depend on the choice.
struct AssembleOptions {
  std::string table_name = "Main";
  // Index keys are attributes as they are, several of them if need be, instead of GSI1PK and GSI1SK.
  bool natural_keys = false;
  bool locks = true;  // A lock item for each unique attribute that is not the key.
  // Sums and counts that the file's own physical half maintains, by entity.
  std::map<std::string, std::vector<model::StoredAttribute>> maintained;
  // Entities that stand at the end of their collection, so that the newest of the others come right behind them.
  std::set<std::string> last;
};

// The tables that the choice asks for. Views that share a partition of the same meaning come into one index, where a
// request can read them together.
std::vector<model::Table> AssembleTables(const model::Model& logical, const DesignChoice& choice,
                                         const AssembleOptions& options);

// The attribute of a holder's items that is the copy of "Other.attribute".
std::string CopyName(const model::Model& logical, const std::string& holder,
                     const std::string& copy);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_ASSEMBLE_H_
