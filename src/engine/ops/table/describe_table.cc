#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<TableDescription> DescribeTable(Engine& engine, RequestContext&,
                                       const std::string& table_name) {
  if (const TablePtr table = engine.catalog().FindOrNull(table_name)) {
    return Describe(*table);
  }
  return TableNotFound(table_name);
}

}  // namespace prejoin::engine
