// Printing a table's description.
#ifndef PREJOIN_WIRE_ANSWERS_TABLE_JSON_H_
#define PREJOIN_WIRE_ANSWERS_TABLE_JSON_H_

#include <string>

#include "json/writer.h"
#include "prejoin/table.h"

namespace prejoin::wire {

void AppendTable(const TableDescription& table, std::string& out);
// As DeleteTable still tells it: neither keys nor indexes.
void AppendDeletedTable(const TableDescription& table, std::string& out);

// Parts that other answers show of a table too.
void WriteKeySchema(const KeySchema& schema, json::ObjectWriter& object);
void WriteProjection(const Projection& projection, json::ObjectWriter& object);
void WriteVectorDefinition(const VectorIndexSpecification& definition, json::ObjectWriter& object);
void WriteOnDemand(const std::optional<OnDemandThroughput>& throughput, json::ObjectWriter& object);
void WriteSse(const std::optional<SseSpecification>& sse, const std::string& table_arn,
              json::ObjectWriter& object);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_TABLE_JSON_H_
