// Answers that wait: for a commit to be durable, or for anything else that another thread finishes.
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "base/call_batch.h"
#include "server/dispatch.h"
#include "server/dynamodb_endpoint.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

// A store whose disk does what the test says. PutItem gets the next ticket, everything else the
// ticket 0.
class FakeBackend : public OperationBackend {
 public:
  std::vector<std::string> OperationNames() const override { return {"GetItem", "PutItem"}; }
  std::optional<std::size_t> OperationOf(std::string_view target) const override {
    if (target == "DynamoDB_20120810.GetItem") {
      return 0;
    }
    if (target == "DynamoDB_20120810.PutItem") {
      return 1;
    }
    return std::nullopt;
  }
  wire::Running RunningOf(std::size_t) const override { return wire::Running::kTriedOnLoop; }
  wire::Answer Handle(std::string_view target, const HttpRequest& request, const RequestBudget&,
                      engine::AccessControl*) override {
    const std::lock_guard lock(mutex_);
    const bool write = target == "DynamoDB_20120810.PutItem";
    return {200, std::string(request.body), write ? ++newest_ : 0};
  }
  bool IsDurable(storage::Ticket ticket) const override {
    const std::lock_guard lock(mutex_);
    return ticket <= durable_;
  }
  void WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) override {
    {
      const std::lock_guard lock(mutex_);
      if (ticket > durable_ && !early_) {
        waiting_.emplace_back(ticket, std::move(done));
        changed_.notify_all();
        return;
      }
    }
    done({});
  }

  void SyncWhatWaits() { SyncWhenWaiting(0); }
  // Waits until so many answers wait, then syncs, successfully or not.
  void SyncWhenWaiting(std::size_t count, const Status& status = {}) {
    std::vector<std::pair<storage::Ticket, std::function<void(Status)>>> ready;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return waiting_.size() >= count; });
      if (status) {
        durable_ = newest_;
      }
      ready.swap(waiting_);
    }
    const CallBatch batch;
    for (auto& [ticket, done] : ready) {
      done(status);
    }
  }
  // From now on every commit is durable between IsDurable and WhenDurable.
  void FinishEarly() {
    const std::lock_guard lock(mutex_);
    early_ = true;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  storage::Ticket newest_ = 0;
  storage::Ticket durable_ = 0;
  bool early_ = false;
  std::vector<std::pair<storage::Ticket, std::function<void(Status)>>> waiting_;
};

class LaterTest : public ServerTest {
 protected:
  LaterTest() { Start(dispatch); }
  ~LaterTest() override { server.reset(); }

  static std::string Put(std::string_view body) { return Post(body, SdkHeaders("PutItem")); }
  static std::string Get(std::string_view body) { return Post(body, SdkHeaders("GetItem")); }

  FakeBackend backend;
  DynamoDbEndpoint endpoint{backend, log};
  Dispatch dispatch{endpoint, metrics};
};

TEST_F(LaterTest, HoldsAnAnswerUntilItsCommitIsDurable) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("{}")));
  // The one thread goes on serving others meanwhile.
  RawClient reader(port());
  EXPECT_EQ(reader.Ask(Get("read"))->body, "read");
  EXPECT_NE(metrics.Render().find("prejoin_durable_waiting 1\n"), std::string::npos);
  backend.SyncWhenWaiting(1);
  const auto answer = writer.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "{}");
}

TEST_F(LaterTest, ManyWritersShareOneSync) {
  std::vector<RawClient> writers;
  for (int i = 0; i < 50; ++i) {
    writers.emplace_back(port());
    ASSERT_TRUE(writers.back().Send(Put(std::to_string(i))));
  }
  backend.SyncWhenWaiting(50);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(writers[static_cast<std::size_t>(i)].Read()->body, std::to_string(i));
  }
}

// One sync answers connections of several loops, again and again: no loop may sleep through its mail.
TEST_F(LaterTest, OneSyncAnswersWritersOfAllLoops) {
  server.reset();
  options.threads = 3;
  Start(dispatch);
  std::vector<RawClient> writers;
  for (int i = 0; i < 30; ++i) {
    writers.emplace_back(port());
  }
  for (int round = 0; round < 200; ++round) {
    for (RawClient& writer : writers) {
      ASSERT_TRUE(writer.Send(Put(std::to_string(round))));
    }
    backend.SyncWhenWaiting(writers.size());
    for (RawClient& writer : writers) {
      const auto answer = writer.Read();
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->body, std::to_string(round));
    }
  }
}

// Completions from several threads at once, alone and in batches, while the loops go to sleep and wake up.
TEST_F(LaterTest, AnswersWhateverThreadsComplete) {
  server.reset();
  options.threads = 2;
  Start(dispatch);
  std::atomic<int> left = 8;
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      RawClient writer(port());
      for (int round = 0; round < 300; ++round) {
        const auto answer = writer.Ask(Put(std::to_string(round)));
        EXPECT_TRUE(answer && answer->body == std::to_string(round));
      }
      --left;
    });
  }
  std::vector<std::thread> syncers;
  for (int i = 0; i < 3; ++i) {
    syncers.emplace_back([&] {
      while (left > 0) {
        backend.SyncWhatWaits();
        std::this_thread::yield();
      }
    });
  }
  for (auto* threads : {&clients, &syncers}) {
    for (std::thread& thread : *threads) {
      thread.join();
    }
  }
}

TEST_F(LaterTest, SaysInternalServerErrorWhenTheCommitIsNotDurable) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("{}")));
  backend.SyncWhenWaiting(1, Error{ErrorCode::kIo, "disk full"});
  const auto answer = writer.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(
      answer->body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"})");
  EXPECT_EQ(writer.Ask(Get("still served"))->body, "still served");
}

TEST_F(LaterTest, SurvivesACompletionBeforeTheHandlerReturns) {
  backend.FinishEarly();
  RawClient writer(port());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(writer.Ask(Put("now"))->body, "now");
  }
}

TEST_F(LaterTest, ServesPipelinedRequestsOneAfterTheOther) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("1") + Get("2") + Put("3")));
  backend.SyncWhenWaiting(1);
  EXPECT_EQ(writer.Read()->body, "1");
  EXPECT_EQ(writer.Read()->body, "2");
  backend.SyncWhenWaiting(1);
  EXPECT_EQ(writer.Read()->body, "3");
}

TEST_F(LaterTest, ReadsWhatArrivesDuringTheWaitAfterwards) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("first")));
  RawClient other(port());
  EXPECT_EQ(other.Ask(Get("x"))->body, "x");  // So the server has seen the first request.
  ASSERT_TRUE(writer.Send(Get("second")));
  EXPECT_EQ(other.Ask(Get("y"))->body, "y");
  backend.SyncWhenWaiting(1);
  EXPECT_EQ(writer.Read()->body, "first");
  EXPECT_EQ(writer.Read()->body, "second");
}

TEST_F(LaterTest, SurvivesAClientThatHangsUpDuringTheWait) {
  {
    RawClient writer(port());
    ASSERT_TRUE(writer.Send(Put("gone")));
    RawClient other(port());
    EXPECT_EQ(other.Ask(Get("x"))->body, "x");
  }
  RawClient other(port());
  EXPECT_EQ(other.Ask(Get("y"))->body, "y");
  backend.SyncWhenWaiting(1);
  EXPECT_EQ(other.Ask(Get("z"))->body, "z");
}

TEST_F(LaterTest, ShutdownWaitsForDurability) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("kept")));
  RawClient other(port());
  EXPECT_EQ(other.Ask(Get("x"))->body, "x");
  auto done =
      std::async(std::launch::async, [&] { return server->Shutdown(std::chrono::seconds(10)); });
  EXPECT_TRUE(other.ReadsEnd());  // The shutdown has begun.
  backend.SyncWhenWaiting(1);
  const auto answer = writer.Read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "kept");
  EXPECT_EQ(answer->headers.at("connection"), "close");
  writer.FinishSending();
  EXPECT_TRUE(done.get());
}

TEST_F(LaterTest, ShutdownSaysWhenSomethingNeverBecomesDurable) {
  RawClient writer(port());
  ASSERT_TRUE(writer.Send(Put("stuck")));
  RawClient other(port());
  EXPECT_EQ(other.Ask(Get("x"))->body, "x");
  EXPECT_FALSE(server->Shutdown(std::chrono::milliseconds(1)));
  backend.SyncWhenWaiting(1);  // Lets the server be destroyed.
}

// A server whose requests all go to one function.
class ServedFunction {
 public:
  explicit ServedFunction(decltype(FunctionHandler::handle) handle) {
    handler_.handle = std::move(handle);
    auto server = Server::Start({}, handler_, metrics_, log_);
    EXPECT_TRUE(server);
    if (server) {
      server_ = *std::move(server);
    }
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  FunctionHandler handler_;
  Metrics metrics_{{}};
  Log log_{2, LogLevel::kOff, Clock::System()};
  std::unique_ptr<Server> server_;
};

// The general form of the wait: another thread fills the response.
TEST(CompletionTest, LetsAnotherThreadFillTheResponse) {
  std::thread worker;
  const ServedFunction server(
      [&worker](const HttpRequest& request, Exchange& exchange, Completion completion) {
        worker = std::thread([body = std::string(request.body), &exchange, completion] {
          exchange.response.body = "made elsewhere from " + body;
          completion.Finish({});
        });
        return Outcome::kLater;
      });
  RawClient client(server.port());
  EXPECT_EQ(client.Ask(Post("this"))->body, "made elsewhere from this");
  worker.join();
}

TEST(CompletionTest, KnowsWhetherTheClientHasGone) {
  std::promise<bool> while_there;
  std::promise<void> left;
  std::thread worker;
  const ServedFunction server([&](const HttpRequest&, Exchange& exchange, Completion completion) {
    worker = std::thread([&, completion] {
      while_there.set_value(ClientHasGone(exchange));
      left.get_future().wait();
      while (!ClientHasGone(exchange)) {
        std::this_thread::yield();
      }
      completion.Finish({});
    });
    return Outcome::kLater;
  });
  {
    RawClient client(server.port());
    ASSERT_TRUE(client.Send(Post("x")));
    EXPECT_FALSE(while_there.get_future().get());
  }
  left.set_value();
  worker.join();
}

}  // namespace
}  // namespace prejoin::server
