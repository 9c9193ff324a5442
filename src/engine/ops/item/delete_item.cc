#include <utility>

#include "engine/item/single_write.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<DeleteItemOutput> DeleteItem(Engine& engine, RequestContext& context,
                                    const DeleteItemInput& input) {
  PJ_ASSIGN_OR_RETURN(ItemWrite write, ParseSingleWrite(input));
  PJ_ASSIGN_OR_RETURN(TablePtr table, engine.catalog().Find(input.table_name));
  PJ_RETURN_IF_ERROR(PlanDelete(std::move(table), input.key, write));
  return RunSingleWrite(engine, context, write, input);
}

}  // namespace prejoin::engine
