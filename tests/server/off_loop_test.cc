// Requests that leave the event loop: others are served meanwhile, and their memory is paid for.
#include <atomic>
#include <future>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

class OffLoopTest : public ServerTest {
 protected:
  // "slow" goes to a worker, everything else is answered at once.
  OffLoopTest() {
    handler.handle = [](const HttpRequest& request, Exchange& exchange, Completion) {
      if (request.body.starts_with("slow")) {
        return Outcome::kOffLoop;
      }
      exchange.response.body = request.body;
      return Outcome::kDone;
    };
  }

  void WaitForMetric(const std::string& line) {
    while (metrics.Render().find("\n" + line + "\n") == std::string::npos) {
      std::this_thread::yield();
    }
  }
};

TEST_F(OffLoopTest, AnswersOthersOnTheSameLoopMeanwhile) {
  std::promise<void> others_done;
  handler.work = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    others_done.get_future().wait();
    exchange.response.body = std::string(request.Header("x-who")) + ":" + std::string(request.body);
    return Outcome::kDone;
  };
  Start();
  RawClient slow(port());
  ASSERT_TRUE(slow.Send(Post("slow one", "X-Who: me\r\n") + Post("quick one")));
  RawClient other(port());
  EXPECT_EQ(other.Ask(Post("still here"))->body, "still here");
  others_done.set_value();
  EXPECT_EQ(slow.Read()->body, "me:slow one");
  EXPECT_EQ(slow.Read()->body, "quick one");
}

TEST_F(OffLoopTest, LetsTheWorkFinishBeforeTheServerEnds) {
  std::promise<void> begun;
  std::promise<void> may_end;
  handler.work = [&](const HttpRequest&, Exchange&, Completion) {
    begun.set_value();
    may_end.get_future().wait();
    return Outcome::kDone;
  };
  Start();
  RawClient slow(port());
  ASSERT_TRUE(slow.Send(Post("slow")));
  begun.get_future().wait();
  std::thread ender([&] { server.reset(); });
  may_end.set_value();
  ender.join();
}

TEST_F(OffLoopTest, WorkMayWaitForACompletionToo) {
  handler.work = [](const HttpRequest&, Exchange& exchange, Completion completion) {
    exchange.response.body = "later";
    completion.Finish({});
    return Outcome::kLater;
  };
  Start();
  RawClient client(port());
  EXPECT_EQ(client.Ask(Post("slow"))->body, "later");
  EXPECT_EQ(client.Ask(Post("slow"))->body, "later");
}

TEST_F(OffLoopTest, PaysForTheCopyOfARequest) {
  options.memory_bytes_max = 600'000;
  std::promise<void> may_end;
  std::promise<void> begun;
  handler.work = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    if (request.body.size() > 100) {
      begun.set_value();
      may_end.get_future().wait();
    }
    exchange.response.body = "done";
    return Outcome::kDone;
  };
  Start();
  RawClient first(port());
  ASSERT_TRUE(first.Send(Post("slow" + std::string(400'000, 'a'))));
  begun.get_future().wait();
  RawClient second(port());
  second.Send(Post("slow" + std::string(400'000, 'b')));
  EXPECT_EQ(second.Read()->status, 503);
  may_end.set_value();
  EXPECT_EQ(first.Read()->body, "done");
  RawClient third(port());
  EXPECT_EQ(third.Ask(Post("slow"))->body, "done");
}

// 150 sockets that ask and do not read once held 2 GB.
TEST_F(OffLoopTest, AnswersThatNobodyReadsCountInTheMemoryBudget) {
  options.memory_bytes_max = 100'000'000;
  handler.handle = [](const HttpRequest& request, Exchange& exchange, Completion) {
    exchange.response.body.assign(request.body == "big" ? 40'000'000 : 10, 'z');
    return Outcome::kDone;
  };
  Start();
  std::vector<RawClient> silent;
  for (int i = 0; i < 2; ++i) {
    silent.emplace_back(port());
    ASSERT_TRUE(silent.back().Send(Post("big")));
  }
  WaitForMetric("prejoin_requests_total{operation=\"none\",status=\"200\"} 2");
  RawClient third(port());
  EXPECT_EQ(third.Ask(Post("big"))->status, 503);
  RawClient fourth(port());
  EXPECT_EQ(fourth.Ask(Post("small"))->status, 200);
  silent.clear();
  WaitForMetric("prejoin_connections 1");
  RawClient fifth(port());
  EXPECT_EQ(fifth.Ask(Post("big"))->body.size(), 40'000'000u);
}

// Bytes that the client takes now and then do not keep the rest of its answer for minutes.
TEST_F(OffLoopTest, DropsAClientThatReadsTooLittle) {
  options.progress_timeout = std::chrono::milliseconds(200);
  options.progress_bytes = 50'000'000;
  handler.handle = [](const HttpRequest&, Exchange& exchange, Completion) {
    exchange.response.body.assign(60'000'000, 'z');
    return Outcome::kDone;
  };
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(Post("x")));
  std::atomic<bool> ended = false;
  std::thread drip([&] {
    while (!ended && client.Taste(1)) {
      std::this_thread::yield();
    }
  });
  WaitForMetric("prejoin_connections_total 1");
  WaitForMetric("prejoin_connections 0");
  ended = true;
  drip.join();
}

// Whatever goes wrong in a request is its answer, and the end of nothing else.
TEST_F(OffLoopTest, AnswersExceptionsWithInternalServerError) {
  const auto fail = [](std::string_view how) -> Outcome {
    if (how.ends_with("memory")) {
      throw std::bad_alloc();
    }
    if (how.ends_with("number")) {
      return static_cast<Outcome>(std::stod("abc"));
    }
    if (how.ends_with("index")) {
      return static_cast<Outcome>(std::vector<int>().at(1));
    }
    throw 42;
  };
  handler.handle = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    if (request.body.starts_with("slow")) {
      return Outcome::kOffLoop;
    }
    if (request.body.starts_with("fail")) {
      return fail(request.body);
    }
    exchange.response.body = request.body;
    return Outcome::kDone;
  };
  handler.work = [&](const HttpRequest& request, Exchange&, Completion) {
    return fail(request.body);
  };
  Start();
  RawClient client(port());
  for (const std::string where : {"fail ", "slow "}) {
    for (const std::string how : {"memory", "number", "index", "other"}) {
      const auto answer = client.Ask(Post(where + how));
      ASSERT_TRUE(answer) << where << how;
      EXPECT_EQ(answer->status, 500) << where << how;
      EXPECT_NE(answer->body.find("#InternalServerError"), std::string::npos) << answer->body;
    }
  }
  EXPECT_EQ(client.Ask(Post("alive"))->body, "alive");
}

// Requests that wait for the same obstacle take neither the loop nor a worker.
TEST_F(OffLoopTest, LetsThoseWhoWaitWaitElsewhere) {
  options.worker_threads = 1;
  std::promise<void> obstacle_gone;
  const std::shared_future<void> gone = obstacle_gone.get_future().share();
  handler.work = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    if (request.body.ends_with("blocked") && !exchange.obstacle) {
      exchange.obstacle = 7;
      return Outcome::kOffLoop;
    }
    if (exchange.obstacle) {
      gone.wait();
    }
    exchange.response.body = request.body;
    return Outcome::kDone;
  };
  Start();
  std::vector<RawClient> blocked;
  for (int i = 0; i < 5; ++i) {
    blocked.emplace_back(port());
    ASSERT_TRUE(blocked.back().Send(Post("slow and blocked")));
  }
  WaitForMetric("prejoin_durable_waiting 5");
  RawClient free(port());
  EXPECT_EQ(free.Ask(Post("slow"))->body, "slow");
  EXPECT_EQ(free.Ask(Post("quick"))->body, "quick");
  obstacle_gone.set_value();
  for (RawClient& one : blocked) {
    EXPECT_EQ(one.Read()->body, "slow and blocked");
  }
  // The next one on such a connection is a request like any other.
  EXPECT_EQ(blocked.front().Ask(Post("slow"))->body, "slow");
}

}  // namespace
}  // namespace prejoin::server
