#include "engine/ops/operations.h"
#include "engine/stream/stream_errors.h"
#include "engine/table/space.h"

namespace prejoin::engine {

Result<ListStreamsOutput> ListStreams(Engine& engine, RequestContext& context,
                                      const ListStreamsInput& input) {
  constexpr std::size_t kPageMax = 100;
  const std::size_t limit = input.limit ? static_cast<std::size_t>(*input.limit) : kPageMax;
  const auto& start = input.exclusive_start_stream_arn;
  if (start && !IsStreamArn(*start)) {
    return ValidationError("Invalid StreamArn");
  }
  ListStreamsOutput output;
  for (const StreamPtr& stream : engine.streams().All()) {
    const StreamInfo& info = stream->info();
    if ((input.table_name && *input.table_name != info.table_name) ||
        (start && info.arn <= *start)) {
      continue;
    }
    if (output.streams.size() == limit) {
      output.last_evaluated_stream_arn = output.streams.back().arn;
      break;
    }
    output.streams.push_back({info.arn, info.table_name, info.label});
  }
  // That a stream is there, or gone, is a change of a table.
  context.Saw(engine.store().NewestTicket(CatalogKey("").substr(0, storage::kRouteBytes)));
  return output;
}

}  // namespace prejoin::engine
