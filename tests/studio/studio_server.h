// A server with the model API on a database in memory, and with a page of a few made-up files.
#ifndef PREJOIN_TESTS_STUDIO_STUDIO_SERVER_H_
#define PREJOIN_TESTS_STUDIO_STUDIO_SERVER_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/worker.h"
#include "prejoin/clock.h"
#include "prejoin/database.h"
#include "server/dispatch.h"
#include "server/engine_backend.h"
#include "server/server.h"
#include "embedded/embedded_file.h"
#include "studio/model_api.h"
#include "studio/model_file.h"
#include "tests/server/raw_client.h"

namespace prejoin::studio {

// The text of an example model.
std::string Example(const std::string& name);
// A JSON string literal.
std::string Quoted(const std::string& text);

// Does the tasks on a thread of this program. tests/process and tests/integration have them in processes of their own.
class InProcessRunner : public process::TaskRunner {
 public:
  bool Add(process::Task task) override;

 private:
  Worker worker_{{.at_stop = Worker::AtStop::kFinish}};
};

class StudioTest : public ::testing::Test {
 protected:
  StudioTest();
  ~StudioTest() override;

  // The file must stay empty-handed for most tests: then there is none.
  void Start(ModelFile* file = nullptr, std::vector<embedded::EmbeddedFile> page = {});

  server::RawAnswer Ask(const std::string& request);
  server::RawAnswer Get(const std::string& path, const std::string& headers = "");
  // With the content type of JSON.
  server::RawAnswer Post(const std::string& path, const std::string& body,
                         const std::string& headers = "");
  // POST {"source": …, MEMBERS}; `members` begins with a comma or is empty.
  server::RawAnswer PostModel(const std::string& path, const std::string& source,
                              const std::string& members = "");

  std::unique_ptr<Database> database;
  server::Log log{2, server::LogLevel::kOff, Clock::System()};
  std::unique_ptr<server::EngineBackend> backend;
  std::unique_ptr<server::Metrics> metrics;
  std::unique_ptr<server::DynamoDbEndpoint> endpoint;
  std::unique_ptr<server::Dispatch> dispatch;
  std::vector<embedded::EmbeddedFile> page_files;
  InProcessRunner runner;
  std::unique_ptr<ModelApi> api;
  std::unique_ptr<server::Server> running;
};

}  // namespace prejoin::studio

#endif  // PREJOIN_TESTS_STUDIO_STUDIO_SERVER_H_
