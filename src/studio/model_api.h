// The model API: /model/… as JSON over HTTP. docs/model/api.md is its reference.
#ifndef PREJOIN_STUDIO_MODEL_API_H_
#define PREJOIN_STUDIO_MODEL_API_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/worker.h"
#include "prejoin/result.h"
#include "process/task_runner.h"
#include "server/api_guard.h"
#include "server/dispatch.h"
#include "studio/model_file.h"
#include "studio/model_work.h"

namespace prejoin::studio {

// Thread-safe. Outlives the server that its routes are served by.
class ModelApi {
 public:
  // The work of nearly all POST routes is done by `runner`, which calls DoModelWork in another process and outlives this
  // object; `reads` reads the server's tables for it. `file` may be null.
  ModelApi(process::TaskRunner& runner, process::Call reads, ModelFile* file,
           std::vector<std::string> host_names);

  void AddRoutes(server::Dispatch& dispatch);

 private:
  using Get = std::function<Result<std::string>(std::string_view path)>;

  void AddGet(server::Dispatch& dispatch, std::string path, Get get);
  void AddWork(server::Dispatch& dispatch, const ModelRoute& route);
  server::Outcome StartWork(const server::HttpRequest& request, server::Exchange& exchange,
                            server::Completion completion, const ModelRoute& route) const;
  // Saves the file, on a thread of this object.
  server::Outcome StartSave(const server::HttpRequest& request, server::Exchange& exchange,
                            server::Completion completion);
  // Later routes do not match any more what is below /model/.
  void RefuseTheRest(server::Dispatch& dispatch);

  Result<std::string> ReadFile() const;
  Result<std::string> SaveFile(const std::string& body);

  process::TaskRunner& runner_;
  const process::Call reads_;
  ModelFile* const file_;
  const server::ApiGuard guard_;
  Worker saver_;
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_MODEL_API_H_
