// Our own server with a fixed answer behind it: what the HTTP layer alone can do.
// `bench_http_prejoin PORT [THREADS]`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "bench/http_fixed_answer.h"
#include "prejoin/clock.h"
#include "server/handler.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/server.h"

namespace {

class FixedAnswer : public prejoin::server::Handler {
 public:
  prejoin::server::Outcome Handle(const prejoin::server::HttpRequest&,
                                  prejoin::server::Exchange& exchange,
                                  prejoin::server::Completion) override {
    exchange.response.body = prejoin::bench::kFixedBody;
    return prejoin::server::Outcome::kDone;
  }
  prejoin::server::Outcome Work(const prejoin::server::HttpRequest&, prejoin::server::Exchange&,
                                prejoin::server::Completion) override {
    return prejoin::server::Outcome::kDone;
  }
  void Resume(prejoin::server::Exchange&, const prejoin::Status&) override {}
};

}  // namespace

int main(int argc, char** argv) {
  FixedAnswer handler;
  prejoin::server::Metrics metrics({});
  prejoin::server::Log log(STDERR_FILENO, prejoin::server::LogLevel::kInfo,
                           prejoin::Clock::System());
  prejoin::server::ServerOptions options;
  options.port = prejoin::bench::PortFrom(argc, argv);
  options.threads = argc > 2 ? std::atoi(argv[2]) : 1;
  auto server = prejoin::server::Server::Start(options, handler, metrics, log);
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 2;
  }
  pause();
}
