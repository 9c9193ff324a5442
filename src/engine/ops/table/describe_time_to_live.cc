#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<TimeToLiveDescription> DescribeTimeToLive(Engine& engine, RequestContext&,
                                                 const std::string& table_name) {
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return TableNotFound(table_name);
  }
  TimeToLiveDescription description;
  if (table->expiry) {
    description.status =
        table->expiry->building ? TimeToLiveStatus::kEnabling : TimeToLiveStatus::kEnabled;
    description.attribute_name = table->expiry->attribute_name;
  }
  return description;
}

}  // namespace prejoin::engine
