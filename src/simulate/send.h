// One request on the database, and what became of it.
#ifndef PREJOIN_SIMULATE_SEND_H_
#define PREJOIN_SIMULATE_SEND_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "prejoin/database.h"
#include "simulate/outcome.h"
#include "simulate/workload.h"

namespace prejoin::simulate {

struct Throttle {
  ThrottleKind kind;
  std::size_t member = 0;  // Of a transaction.
};

struct Sent {
  std::vector<Throttle> throttles;  // Empty: not throttled.
  bool retries = true;              // True if an SDK sends a throttled request again.
  std::string error;                // Another error.
  std::optional<Request> rest;      // The rest of a batch that was answered in part.
};

Sent Send(Database& database, const Request& request);

// "GetItem"
std::string_view OperationOf(const Request& request);
// The tables that it names.
std::vector<std::string> TablesOf(const Request& request);

// Milliseconds until the answer: log-normal, fitted to published figures.
double LatencyMs(const Request& request, bool throttled, RandomSource& random);

// The partition key, of the table or index, that a request was throttled for. `member`: of a transaction.
std::string KeyOf(const Request& request, const std::string& arn, std::size_t member,
                  const std::vector<CreateTableInput>& tables);
// How many of its members go to the table or index; 1 if it has none.
std::size_t MembersOf(const Request& request, const std::string& arn, const std::vector<CreateTableInput>& tables);
// The whole key of the item that it writes. Empty: it reads.
std::string ItemOf(const Request& request, const std::string& arn, std::size_t member,
                   const std::vector<CreateTableInput>& tables);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_SEND_H_
