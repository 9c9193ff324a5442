// The database that a history of JSON requests goes to: one of its own, in memory, or gateways of a
// cluster, of which each request meets any.
#ifndef PREJOIN_TESTS_REFERENCE_SIDE_H_
#define PREJOIN_TESTS_REFERENCE_SIDE_H_

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "client/http_endpoint.h"
#include "engine/engine.h"
#include "wire/service.h"

namespace prejoin::reference {

// Single thread.
class Side {
 public:
  // `variable` names gateways, if it is set: "http://127.0.0.1:1234,http://…".
  explicit Side(const char* variable);

  wire::Answer Send(const std::string& operation, const std::string& body);
  // Others come after this history, and its tables would be in their way.
  bool IsShared() const { return engine_ == nullptr; }

 private:
  std::unique_ptr<engine::Engine> engine_;  // Null: the gateways answer.
  std::unique_ptr<wire::Service> service_;
  std::vector<client::HttpEndpoint> gateways_;
  std::mt19937 random_;
};

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_SIDE_H_
