// Printing a table's description.
#ifndef PREJOIN_WIRE_TABLE_JSON_H_
#define PREJOIN_WIRE_TABLE_JSON_H_

#include <string>

#include "prejoin/table.h"
#include "wire/json_writer.h"

namespace prejoin::wire {

void AppendTable(const TableDescription& table, std::string& out);

// Parts that other answers show of a table too.
void WriteKeySchema(const KeySchema& schema, ObjectWriter& object);
void WriteProjection(const Projection& projection, ObjectWriter& object);
void WriteOnDemand(const std::optional<OnDemandThroughput>& throughput, ObjectWriter& object);
void WriteSse(const std::optional<SseSpecification>& sse, ObjectWriter& object);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_TABLE_JSON_H_
