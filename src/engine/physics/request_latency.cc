#include "engine/physics/request_latency.h"

#include <algorithm>
#include <iterator>

namespace prejoin::engine {
namespace {

struct Latency {
  std::string_view operation;
  double median_ms;
  double sigma;
};

constexpr Latency kLatencies[] = {
    {"GetItem", 5.1, 0.325},
    {"PutItem", 7.6, 0.325},
    {"UpdateItem", 7.6, 0.325},
    {"DeleteItem", 7.6, 0.325},
    {"BatchWriteItem", 10.2, 0.43},
    {"BatchGetItem", 8.1, 0.43},
    {"TransactWriteItems", 25.3, 0.557},
    {"TransactGetItems", 12.5, 0.557},
    {"ExecuteTransaction", 25.3, 0.557},
};
constexpr Latency kPage = {"", 6.5, 0.4};
constexpr Latency kThrottled = {"", 3, 0.325};

}  // namespace

double DrawLatencyMs(std::string_view operation, bool throttled, RandomSource& random) {
  const auto* known = std::ranges::find(kLatencies, operation, &Latency::operation);
  const Latency& latency = throttled                       ? kThrottled
                           : known == std::end(kLatencies) ? kPage
                                                           : *known;
  return random.LogNormal(latency.median_ms, latency.sigma);
}

}  // namespace prejoin::engine
