// Reading the vector indexes that CreateTable and UpdateTable describe.
#ifndef PREJOIN_WIRE_MEMBERS_VECTOR_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_VECTOR_MEMBERS_H_

#include <optional>
#include <vector>

#include "prejoin/operations.h"
#include "prejoin/table.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

Status ReadVectorIndexes(InputReader& reader, json::Value value, const Path& path,
                         std::optional<std::vector<VectorIndexSpecification>>& out);
Status ReadVectorIndexUpdates(InputReader& reader, json::Value value, const Path& path,
                              std::optional<std::vector<VectorIndexUpdate>>& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_VECTOR_MEMBERS_H_
