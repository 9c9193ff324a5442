// Reading the parameters from before expressions: Expected, AttributeUpdates, KeyConditions and the
// filters.
#ifndef PREJOIN_WIRE_MEMBERS_LEGACY_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_LEGACY_MEMBERS_H_

#include <optional>

#include "prejoin/operations.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

// `order` is that of faults in the conditions' values.
Status ReadLegacyConditions(InputReader& reader, json::Value value, const Path& path, Order order,
                            std::optional<LegacyConditions>& out);
Status ReadExpected(InputReader& reader, json::Value value, const Path& path,
                    std::optional<ExpectedAttributes>& out);
Status ReadAttributeUpdates(InputReader& reader, json::Value value, const Path& path,
                            std::optional<AttributeUpdates>& out);
Status ReadAttributesToGet(InputReader& reader, json::Value value, const Path& path,
                           std::optional<std::vector<std::string>>& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_LEGACY_MEMBERS_H_
