#include "tests/studio/studio_server.h"

#include "engine/engine_of.h"
#include "json/writer.h"
#include "studio/model_work.h"
#include "studio/page.h"
#include "studio/table_reads.h"

namespace prejoin::studio {

std::string Example(const std::string& name) {
  const embedded::EmbeddedFile* file = FindFile(embedded::ExampleFiles(), name + ".prejoin");
  EXPECT_NE(file, nullptr) << name;
  return file == nullptr ? std::string() : Decompress(*file);
}

std::string Quoted(const std::string& text) {
  std::string out;
  json::AppendString(text, out);
  return out;
}

bool InProcessRunner::Add(process::Task task) {
  return worker_.Add([task] {
    const model::Prices prices;
    const std::string version;
    task.done(process::Ending::kAnswered,
              DoModelWork(task.route, task.body, {prices, version, task.call}));
  });
}

StudioTest::StudioTest() {
  auto opened = Database::Open({.path = ""});
  EXPECT_TRUE(opened);
  database = *std::move(opened);
  backend = std::make_unique<server::EngineBackend>(engine::EngineOf(*database));
  metrics = std::make_unique<server::Metrics>(backend->OperationNames());
  endpoint = std::make_unique<server::DynamoDbEndpoint>(*backend, log);
  dispatch = std::make_unique<server::Dispatch>(*endpoint, *metrics);
}

StudioTest::~StudioTest() { running.reset(); }

void StudioTest::Start(ModelFile* file, std::vector<embedded::EmbeddedFile> page) {
  page_files = std::move(page);
  AddPage(*dispatch, page_files);
  api = std::make_unique<ModelApi>(runner, ReadsOf(*backend), file,
                                   std::vector<std::string>{"studio.test"});
  api->AddRoutes(*dispatch);
  server::ServerOptions options;
  options.threads = 1;
  auto started = server::Server::Start(options, *dispatch, *metrics, log);
  ASSERT_TRUE(started) << started.error().message;
  running = *std::move(started);
}

server::RawAnswer StudioTest::Ask(const std::string& request) {
  server::RawClient client(running->port());
  const auto answer = client.Ask(request);
  EXPECT_TRUE(answer) << request.substr(0, 200);
  return answer.value_or(server::RawAnswer());
}

server::RawAnswer StudioTest::Get(const std::string& path, const std::string& headers) {
  return Ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
}

server::RawAnswer StudioTest::Post(const std::string& path, const std::string& body,
                                   const std::string& headers) {
  return Ask("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
             headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

server::RawAnswer StudioTest::PostModel(const std::string& path, const std::string& source,
                                        const std::string& members) {
  return Post(path, "{\"source\":" + Quoted(source) + members + "}");
}

}  // namespace prejoin::studio
