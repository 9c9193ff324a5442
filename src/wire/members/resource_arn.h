// The resource of the tagging operations.
#ifndef PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_
#define PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_

#include "wire/members/input_reader.h"

namespace prejoin::wire {

template <class T>
constexpr Member<T> ResourceArnMember() {
  return {"ResourceArn",
          [](InputReader& reader, json::Value value, const Path& path, T& out) -> Status {
            PJ_RETURN_IF_ERROR(reader.ReadString(value, out.arn));
            reader.CheckLength(path, out.arn, out.arn.size(), {1, 1283});
            return {};
          },
          Presence::kRequired};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_
