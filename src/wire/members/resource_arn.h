// The resource of the tagging operations.
#ifndef PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_
#define PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_

#include "wire/members/field.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

template <class T>
constexpr Member<T> ResourceArnMember() {
  return ArnField<&T::arn, LengthLimits{1, 1283}>("ResourceArn", Presence::kRequired);
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_RESOURCE_ARN_H_
