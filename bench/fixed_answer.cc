// The whole server with a backend that always gives the same GetItem answer: what is left is the
// cost of our own HTTP.
//   bench_fixed_answer PORT
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http_fixed_answer.h"
#include "bench/measure.h"
#include "prejoin/clock.h"
#include "server/backend.h"
#include "server/dispatch.h"
#include "server/dynamodb_endpoint.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/server.h"

namespace prejoin::bench {
namespace {

class FixedBackend : public server::OperationBackend {
 public:
  std::vector<std::string> OperationNames() const override { return {"GetItem"}; }
  std::optional<std::size_t> OperationOf(std::string_view) const override { return 0; }
  wire::Running RunningOf(std::size_t) const override { return wire::Running::kTriedOnLoop; }
  wire::Answer Handle(std::string_view, const server::HttpRequest&, const RequestBudget&,
                      engine::AccessControl*) override {
    return {.status = 200, .body = std::string(kFixedBody), .ticket = 0};
  }
  bool IsDurable(storage::Ticket) const override { return true; }
  void WhenDurable(storage::Ticket, std::function<void(Status)> done) override { done({}); }
};

void Run(std::uint16_t port) {
  FixedBackend backend;
  server::Log log(STDERR_FILENO, server::LogLevel::kWarning, Clock::System());
  server::Metrics metrics(backend.OperationNames());
  server::DynamoDbEndpoint endpoint(backend, log);
  server::Dispatch dispatch(endpoint, metrics);
  server::ServerOptions options;
  options.port = port;
  const auto running = server::Server::Start(options, dispatch, metrics, log);
  if (!running) {
    Fail(running.error().message);
  }
  pause();  // Until SIGTERM ends the process.
}

}  // namespace
}  // namespace prejoin::bench

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  prejoin::bench::Run(prejoin::bench::PortFrom(argc, argv));
  return 0;
}
