#include "studio/load_model.h"

#include "model/data/item_render.h"
#include "model/prove/embedded_backend.h"

namespace prejoin::studio {

Result<std::vector<LoadedTable>> LoadModel(const model::Model& model, Database& database,
                                           const LoadItems& load_items) {
  const model::Dataset data = model::SampleData(model);
  PJ_RETURN_IF_ERROR(model::CheckKeys(model, data));
  model::DataIndex index(data);
  model::EmbeddedBackend backend(database);
  std::vector<LoadedTable> loaded;
  for (const model::TableItems& table : model::RenderAll(model, index)) {
    const std::string& name = table.table->name.text;
    const Status created = backend.CreateTable(model, *table.table);
    if (!created && (created.error().code == ErrorCode::kResourceInUse ||
                     created.error().code == ErrorCode::kTableInUse)) {
      loaded.push_back({name, false, 0});
      continue;
    }
    PJ_RETURN_IF_ERROR(created);
    PJ_RETURN_IF_ERROR(load_items ? load_items(name, table.items)
                                  : backend.Load(name, table.items));
    loaded.push_back({name, true, table.items.size()});
  }
  return loaded;
}

}  // namespace prejoin::studio
