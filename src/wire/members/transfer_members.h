// Members that imports and exports share.
#ifndef PREJOIN_WIRE_MEMBERS_TRANSFER_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_TRANSFER_MEMBERS_H_

#include <optional>
#include <string>

#include "prejoin/result.h"
#include "transfer/export_description.h"
#include "wire/members/field.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

inline constexpr json::EnumName<transfer::TransferStatus> kTransferStatusNames[] = {
    {"IN_PROGRESS", transfer::TransferStatus::kInProgress},
    {"COMPLETED", transfer::TransferStatus::kCompleted},
    {"FAILED", transfer::TransferStatus::kFailed},
};

// Name of an S3 bucket, owner, key prefix, and a client's token.
Status ReadBucketName(InputReader& reader, json::Value value, const Path& path, std::string& out);
Status ReadBucketOwner(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out);
Status ReadClientToken(InputReader& reader, json::Value value, const Path& path,
                       std::optional<std::string>& out);

template <class T>
constexpr Member<T> TransferTableArnMember(Presence presence) {
  return ArnField<&T::table_arn, LengthLimits{1, 1024}>("TableArn", presence);
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_TRANSFER_MEMBERS_H_
