#include <algorithm>

#include "engine/ops/operations.h"
#include "engine/physics/physics.h"
#include "engine/stream/stream_errors.h"
#include "engine/stream/stream_record.h"
#include "engine/table/lasting_states.h"

namespace prejoin::engine {
namespace {

ShardDescription Describe(const Shard& shard) {
  ShardDescription description{.shard_id = ShardId(shard.start),
                               .parent_shard_id = std::nullopt,
                               .starting_sequence_number = SequenceText(shard.start),
                               .ending_sequence_number = std::nullopt};
  if (shard.parent) {
    description.parent_shard_id = ShardId(*shard.parent);
  }
  if (shard.end) {
    description.ending_sequence_number = SequenceText(*shard.end - 1);
  }
  return description;
}

}  // namespace

Result<StreamDescription> DescribeStream(Engine& engine, RequestContext& context,
                                         const DescribeStreamInput& input) {
  constexpr std::size_t kPageMax = 100;
  if (engine.physics() != nullptr) {
    PJ_RETURN_IF_ERROR(engine.physics()->streams().TakeDescribe(engine.clock().NowMs()));
  }
  PJ_ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, input.stream_arn));
  const StreamInfo& info = stream->info();
  StreamDescription output{.summary = {info.arn, info.table_name, info.label},
                           .enabled = !stream->closed(),
                           .enabling =
                               Lasts(engine, info.created_ms, &StateOptions::enabling_stream),
                           .view_type = info.view_type,
                           .created_ms = info.created_ms,
                           .key_schema = info.key_schema,
                           .shards = {},
                           .last_evaluated_shard_id = std::nullopt};
  const std::size_t limit = input.limit ? static_cast<std::size_t>(*input.limit) : kPageMax;
  for (const Shard& shard : stream->Shards(engine.clock().NowMs())) {
    ShardDescription description = Describe(shard);
    if ((input.children_of && description.parent_shard_id != input.children_of) ||
        (input.exclusive_start_shard_id &&
         description.shard_id <= *input.exclusive_start_shard_id)) {
      continue;
    }
    if (output.shards.size() == limit) {
      output.last_evaluated_shard_id = output.shards.back().shard_id;
      break;
    }
    output.shards.push_back(std::move(description));
  }
  context.Saw(engine.store().NewestTicket(
      std::string_view(ShardKey(info.space, 0)).substr(0, storage::kRouteBytes)));
  return output;
}

}  // namespace prejoin::engine
