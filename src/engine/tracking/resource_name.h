// The table, and the index if it is one, that an ARN names.
#ifndef PREJOIN_ENGINE_TRACKING_RESOURCE_NAME_H_
#define PREJOIN_ENGINE_TRACKING_RESOURCE_NAME_H_

#include <string>
#include <string_view>

namespace prejoin::engine {

struct ResourceName {
  std::string table;
  std::string index;  // Empty: the table.
};

// "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/index/ByStatus"
inline ResourceName ResourceNameOf(std::string_view arn) {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kIndex = "/index/";
  const std::size_t at = arn.find(kTable);
  const std::string_view names = at == std::string_view::npos ? arn : arn.substr(at + kTable.size());
  const std::size_t index_at = names.find(kIndex);
  if (index_at == std::string_view::npos) {
    return {.table = std::string(names), .index = ""};
  }
  return {.table = std::string(names.substr(0, index_at)),
          .index = std::string(names.substr(index_at + kIndex.size()))};
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TRACKING_RESOURCE_NAME_H_
