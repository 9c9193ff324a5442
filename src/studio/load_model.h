// A model's tables on a database of this program.
#ifndef PREJOIN_STUDIO_LOAD_MODEL_H_
#define PREJOIN_STUDIO_LOAD_MODEL_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/database.h"
#include "prejoin/result.h"

namespace prejoin::studio {

struct LoadedTable {
  std::string name;
  bool created = false;  // Else it was there already and was left alone.
  std::size_t items = 0;
};

// Puts items into a table that was created.
using LoadItems = std::function<Status(const std::string& table, const std::vector<Item>& items)>;

// Creates the tables that are not there yet, each with its part of the sample. Without `load_items`, by PutItem.
Result<std::vector<LoadedTable>> LoadModel(const model::Model& model, Database& database,
                                           const LoadItems& load_items = {});

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_LOAD_MODEL_H_
