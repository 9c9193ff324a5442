#include "wire/json_writer.h"
#include "wire/operations.h"

namespace prejoin::wire {

void PrintDescribeEndpointsOutput(const std::string& address, std::string& out) {
  constexpr int kCachePeriodMinutes = 1440;
  ObjectWriter answer(out);
  answer.Name("Endpoints").push_back('[');
  {
    ObjectWriter endpoint(out);
    endpoint.String("Address", address);
    endpoint.Integer("CachePeriodInMinutes", kCachePeriodMinutes);
  }
  out.push_back(']');
}

}  // namespace prejoin::wire
