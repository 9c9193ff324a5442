// A server on a port of its own, with a handler made for one test.
#ifndef PREJOIN_TESTS_SERVER_TEST_SERVER_H_
#define PREJOIN_TESTS_SERVER_TEST_SERVER_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "prejoin/clock.h"
#include "server/server.h"

namespace prejoin::server {

class FunctionHandler : public Handler {
 public:
  std::function<Outcome(const HttpRequest&, Exchange&, Completion)> handle =
      [](const HttpRequest& request, Exchange& exchange, Completion) {
        exchange.response.body = request.body;  // Echo.
        return Outcome::kDone;
      };
  std::function<Outcome(const HttpRequest&, Exchange&, Completion)> work =
      [](const HttpRequest& request, Exchange& exchange, Completion) {
        exchange.response.body = request.body;
        return Outcome::kDone;
      };
  std::function<void(Exchange&, const Status&)> resume = [](Exchange&, const Status&) {};

  Outcome Handle(const HttpRequest& request, Exchange& exchange, Completion completion) override {
    return handle(request, exchange, completion);
  }
  Outcome Work(const HttpRequest& request, Exchange& exchange, Completion completion) override {
    return work(request, exchange, completion);
  }
  void Resume(Exchange& exchange, const Status& status) override { resume(exchange, status); }
};

class ServerTest : public ::testing::Test {
 protected:
  // `operations` are those of the handler, in its order: the server counts by their numbers.
  explicit ServerTest(std::vector<std::string> operations = {"GetItem", "PutItem"})
      : metrics(std::move(operations)) {
    options.threads = 1;
  }

  void Start(Handler& with) {
    auto started = Server::Start(options, with, metrics, log);
    ASSERT_TRUE(started) << started.error().message;
    server = *std::move(started);
  }
  void Start() { Start(handler); }
  std::uint16_t port() const { return server->port(); }

  ServerOptions options;
  FunctionHandler handler;
  Metrics metrics;
  Log log{2, LogLevel::kOff, Clock::System()};
  std::unique_ptr<Server> server;
};

}  // namespace prejoin::server

#endif  // PREJOIN_TESTS_SERVER_TEST_SERVER_H_
