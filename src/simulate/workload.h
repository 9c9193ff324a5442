// The requests that a model's patterns and writes send, ready to be sent again and again.
#ifndef PREJOIN_SIMULATE_WORKLOAD_H_
#define PREJOIN_SIMULATE_WORKLOAD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/database.h"
#include "prejoin/result.h"
#include "simulate/daily_rates.h"
#include "simulate/patience.h"
#include "simulate/scenario.h"

namespace prejoin::simulate {

using RequestInput = std::variant<GetItemInput, BatchGetItemInput, QueryInput, ScanInput,
                                  PutItemInput, DeleteItemInput, TransactWriteItemsInput>;

struct Request {
  RequestInput input;
  std::string key;  // The partition key that a read asks for, for the report.
  bool beside = false;  // Sent together with the request before it.
};

// The state that a write requires before its requests are sent again: an item that is put must be new, and one
// that is deleted must exist. Restored without capacity.
struct Restore {
  std::string table;
  Item item;
  bool present = false;
};

// One execution of a pattern or write: requests, one after the other if they are not beside each other.
struct Execution {
  std::vector<Request> requests;
  std::vector<Restore> before;
  std::vector<Execution> others;  // One of them, or this one, is drawn.
};

// A pattern or write with its load.
struct Call {
  std::string name;
  bool is_write = false;
  double per_second = 0;  // The average of a day.
  double peak_per_second = 0;  // 0: not stated.
  model::DailyRate day;
  model::Skew skew;
  // What a read of the stated rows costs, in units of what one of the generated rows costs.
  double read_factor = 1;
  std::vector<Execution> executions;  // To draw from.
  // Each of them with the first of all rows in place of the first row that it changes: what it puts is new all the same. Empty: the
  // first execution is the one with the hot key.
  std::vector<Execution> hot;
};

struct Workload {
  std::vector<CreateTableInput> tables;
  std::vector<std::pair<std::string, Item>> items;  // The initial items, by table.
  std::vector<Call> calls;
  std::vector<std::string> left_out;  // Patterns and writes that cannot be simulated, and why.
};

struct WorkloadOptions {
  double rows = 20'000;      // About how many to generate.
  double bytes_max = 256e6;  // Fewer rows are generated if they are larger than this together.
  std::uint64_t seed = 1;
  DailyRates days;
  GiveUp give_up;
};

Result<Workload> MakeWorkload(const model::Model& model, const WorkloadOptions& options);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_WORKLOAD_H_
