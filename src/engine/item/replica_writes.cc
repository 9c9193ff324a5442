#include "engine/item/replica_writes.h"

#include <algorithm>
#include <string>

#include "value/encoding.h"

namespace prejoin::engine {
namespace {

// An item from before the table had replicas has no stamp; everything is later.
Result<WriteStamp> StampBefore(std::optional<std::string_view> stored_stamp) {
  return stored_stamp ? DecodeStamp(*stored_stamp) : WriteStamp();
}

}  // namespace

Result<bool> IsLatest(const ItemWrite& write, std::optional<std::string_view> stored_stamp) {
  PJ_ASSIGN_OR_RETURN(const WriteStamp before, StampBefore(stored_stamp));
  return write.replicated->IsAfter(before);
}

Result<bool> ExpiresHere(const Replication& replication,
                         std::optional<std::string_view> stored_stamp) {
  PJ_ASSIGN_OR_RETURN(const WriteStamp stamp, StampBefore(stored_stamp));
  if (stamp.region.empty() || stamp.region == replication.region) {
    return true;
  }
  return replication.Find(stamp.region) == nullptr &&
         std::ranges::all_of(replication.targets, [&](const ReplicaTarget& target) {
           return replication.region < target.region;
         });
}

Status StageForReplicas(const ItemWrite& write, std::optional<std::string_view> stored_stamp,
                        bool had_item, bool has_item, StampClock& clock,
                        storage::Transaction& transaction) {
  const Replication& replication = *write.table->replication;
  const std::string_view tail = std::string_view(write.stored_key).substr(storage::kSpaceBytes);
  if (write.replicated != nullptr) {
    transaction.Put(StampKey(replication, tail), EncodeStamp(*write.replicated));
    return {};
  }
  if (!had_item && !has_item) {
    return {};  // A deletion of nothing is no write.
  }
  PJ_ASSIGN_OR_RETURN(const WriteStamp before, StampBefore(stored_stamp));
  const WriteStamp stamp{.number = clock.Next(before.number),
                         .region = replication.region,
                         .deleted_key = has_item ? std::string() : EncodeItem(write.key)};
  transaction.Put(StampKey(replication, tail), EncodeStamp(stamp));
  for (const ReplicaTarget& target : replication.targets) {
    transaction.Put(NoteKey(replication, target.number, stamp.number, tail), "");
  }
  return {};
}

}  // namespace prejoin::engine
