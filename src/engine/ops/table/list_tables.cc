#include <algorithm>

#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {

Result<ListTablesOutput> ListTables(Engine& engine, RequestContext&, const ListTablesInput& input) {
  constexpr std::size_t kPageMax = 100;
  const std::vector<std::string> names = engine.catalog().Names();
  auto first = names.begin();
  if (input.exclusive_start_table_name) {
    first = std::ranges::upper_bound(names, *input.exclusive_start_table_name);
  }
  const std::size_t limit = input.limit ? static_cast<std::size_t>(*input.limit) : kPageMax;
  const auto last = first + static_cast<std::ptrdiff_t>(
                                std::min(limit, static_cast<std::size_t>(names.end() - first)));
  ListTablesOutput output;
  output.table_names.assign(first, last);
  if (last != names.end()) {
    output.last_evaluated_table_name = output.table_names.back();
  }
  return output;
}

}  // namespace prejoin::engine
