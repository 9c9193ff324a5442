#include "json/writer.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

void PrintDescribeLimitsOutput(const AccountLimits& output, std::string& out) {
  json::ObjectWriter answer(out);
  answer.Integer("AccountMaxReadCapacityUnits", output.account_max_read_capacity_units);
  answer.Integer("AccountMaxWriteCapacityUnits", output.account_max_write_capacity_units);
  answer.Integer("TableMaxReadCapacityUnits", output.table_max_read_capacity_units);
  answer.Integer("TableMaxWriteCapacityUnits", output.table_max_write_capacity_units);
}

}  // namespace prejoin::wire
