#include "json/writer.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {

void PrintDescribeEndpointsOutput(const std::string& address, std::string& out) {
  constexpr int kCachePeriodMinutes = 1440;
  json::ObjectWriter answer(out);
  answer.Name("Endpoints").push_back('[');
  {
    json::ObjectWriter endpoint(out);
    endpoint.String("Address", address);
    endpoint.Integer("CachePeriodInMinutes", kCachePeriodMinutes);
  }
  out.push_back(']');
}

}  // namespace prejoin::wire
