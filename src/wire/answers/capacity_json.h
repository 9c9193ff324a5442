// Printing what an operation cost: ConsumedCapacity and ItemCollectionMetrics.
#ifndef PREJOIN_WIRE_ANSWERS_CAPACITY_JSON_H_
#define PREJOIN_WIRE_ANSWERS_CAPACITY_JSON_H_

#include <map>
#include <string>
#include <vector>

#include "json/writer.h"
#include "prejoin/operations.h"

namespace prejoin::wire {

// Transactions tell read units from write units; other operations give only the sum.
enum class UnitDetail { kSum, kReadAndWrite };

void AppendCapacity(const ConsumedCapacity& capacity, UnitDetail detail, std::string& out);

// Members of an answer; nothing if there is nothing to tell.
void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, json::ObjectWriter& answer);
void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, UnitDetail detail,
                     json::ObjectWriter& answer);
void WriteCollectionMetrics(const std::optional<ItemCollectionMetrics>& metrics,
                            json::ObjectWriter& answer);
void WriteCollectionMetrics(
    const std::map<std::string, std::vector<ItemCollectionMetrics>>& metrics,
    json::ObjectWriter& answer);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_CAPACITY_JSON_H_
