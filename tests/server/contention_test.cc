// Requests that want what another request holds. Neither the event loop nor a worker waits for it: others are served meanwhile.
#include <atomic>
#include <future>

#include "engine/engine_of.h"
#include "server/dynamodb_endpoint.h"
#include "server/engine_backend.h"
#include "tests/engine/test_database.h"
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

constexpr std::string_view kTable =
    R"({"TableName":"Hot","BillingMode":"PAY_PER_REQUEST",
        "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

// More than is read on a loop.
const std::string kLarge(100'000, 'x');

std::string Put(const std::string& key, const std::string& text = "") {
  return R"({"TableName":"Hot","Item":{"PK":{"S":")" + key + R"("},"Text":{"S":")" + text + "\"}}}";
}

std::string Get(const std::string& key) {
  return R"({"TableName":"Hot","Key":{"PK":{"S":")" + key + "\"}}}";
}

std::string Transaction(const std::string& key, const std::string& text = "") {
  return R"({"TransactItems":[{"Put":)" + Put(key, text) + "}]}";
}

class ContentionTest : public ServerTest {
 protected:
  ContentionTest() : ServerTest(EngineBackend::OperationNamesOfAll()) {
    options.worker_threads = 2;
    auto proxy = std::make_unique<StoreProxy>(*store_);
    proxy_ = proxy.get();
    proxy->before_commit = [this] {
      if (!holding_.exchange(false)) {
        return;
      }
      held_.set_value();
      released_.get_future().wait();
    };
    database_ = OpenOn(std::move(proxy), Clock::System());
    backend_ = std::make_unique<EngineBackend>(engine::EngineOf(*database_));
    endpoint_ = std::make_unique<DynamoDbEndpoint>(*backend_, log);
    handler.handle = [this](const HttpRequest& request, Exchange& exchange, Completion completion) {
      return endpoint_->Handle(request, exchange, completion);
    };
    handler.work = [this](const HttpRequest& request, Exchange& exchange, Completion completion) {
      return endpoint_->Work(request, exchange, completion);
    };
    Start();
    EXPECT_EQ(Ask("CreateTable", std::string(kTable)), 200);
    EXPECT_EQ(Ask("PutItem", Put("free")), 200);
  }
  ~ContentionTest() override { server.reset(); }

  static std::string Request(const std::string& operation, const std::string& body) {
    return Post(body, SdkHeaders(operation));
  }
  int Ask(const std::string& operation, const std::string& body) {
    const auto answer = RawClient(port()).Ask(Request(operation, body));
    EXPECT_TRUE(answer && answer->status == 200) << (answer ? answer->body : "no answer");
    return answer ? answer->status : 0;
  }
  // A worker is in the middle of writing this key, until Release.
  void Hold(const std::string& key) {
    holding_ = true;
    ASSERT_TRUE(holder_->Send(Request("PutItem", Put(key, kLarge))));
    held_.get_future().wait();
  }
  void Release() { released_.set_value(); }
  void WaitForWaiting(int count) {
    const std::string line = "\nprejoin_durable_waiting " + std::to_string(count) + "\n";
    while (metrics.Render().find(line) == std::string::npos) {
      std::this_thread::yield();
    }
  }

  std::unique_ptr<storage::Store> store_ = storage::NewMemoryStore();
  StoreProxy* proxy_ = nullptr;  // The database's.
  std::unique_ptr<Database> database_;
  std::unique_ptr<EngineBackend> backend_;
  std::unique_ptr<DynamoDbEndpoint> endpoint_;
  std::atomic<bool> holding_ = false;
  std::promise<void> held_;
  std::promise<void> released_;
  std::optional<RawClient> holder_;
};

TEST_F(ContentionTest, ServesOthersWhileManyWantOneKey) {
  holder_.emplace(port());
  Hold("hot");
  std::vector<RawClient> waiting;
  // Some of them are for a loop, some for a worker.
  for (const std::string& request :
       {Request("PutItem", Put("hot", "1")), Request("PutItem", Put("hot", kLarge)),
        Request("TransactWriteItems", Transaction("hot")),
        Request("TransactWriteItems", Transaction("hot", kLarge)),
        Request("ExecuteStatement", R"({"Statement":"UPDATE Hot SET a=1 WHERE PK='hot'"})"),
        Request("TransactGetItems", R"({"TransactItems":[{"Get":)" + Get("hot") + "}]}"),
        Request("BatchWriteItem",
                R"({"RequestItems":{"Hot":[{"PutRequest":{"Item":{"PK":{"S":"hot"}}}}]}})")}) {
    waiting.emplace_back(port());
    ASSERT_TRUE(waiting.back().Send(request));
  }
  WaitForWaiting(1 + static_cast<int>(waiting.size()));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Ask("GetItem", Get("hot")), 200);
    EXPECT_EQ(Ask("PutItem", Put("free" + std::to_string(i))), 200);
    EXPECT_EQ(Ask("PutItem", Put("free" + std::to_string(i), kLarge)), 200);
    EXPECT_EQ(Ask("TransactWriteItems", Transaction("free", kLarge)), 200);
  }
  Release();
  EXPECT_EQ(holder_->Read()->status, 200);
  for (RawClient& one : waiting) {
    EXPECT_EQ(one.Read()->status, 200);
  }
}

}  // namespace
}  // namespace prejoin::server
