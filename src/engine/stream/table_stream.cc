#include "engine/stream/table_stream.h"

#include <memory>

#include "base/check.h"

namespace prejoin::engine {

StreamPtr MakeStream(const Table& table, std::uint32_t space, std::int64_t created_ms) {
  const TableDescription& description = table.description;
  PJ_CHECK(description.stream.has_value());
  return std::make_shared<Stream>(
      StreamInfo{.table_name = description.table_name,
                 .arn = description.arn + "/stream/" + description.stream_label,
                 .label = description.stream_label,
                 .view_type = description.stream->view_type.value_or(StreamViewType::kKeysOnly),
                 .key_schema = description.key_schema,
                 .created_ms = created_ms,
                 .space = space});
}

}  // namespace prejoin::engine
