// The model API: /model/… as JSON over HTTP. docs/model/api.md is its reference.
#ifndef PREJOIN_STUDIO_MODEL_API_H_
#define PREJOIN_STUDIO_MODEL_API_H_

#include <functional>
#include <string>
#include <vector>

#include "base/worker.h"
#include "model/cost/prices.h"
#include "prejoin/database.h"
#include "prejoin/result.h"
#include "server/dispatch.h"
#include "studio/api_request.h"
#include "studio/guard.h"
#include "studio/model_file.h"

namespace prejoin::studio {

// Thread-safe. Outlives the server that its routes are served by: answers are made on threads of
// this object.
class ModelApi {
 public:
  // `database` outlives this object while it serves; `file` may be null. Generated code names
  // `version` as the one that wrote it.
  ModelApi(Database& database, ModelFile* file, std::vector<std::string> host_names,
           model::Prices prices = {}, std::string version = {});

  void AddRoutes(server::Dispatch& dispatch);

 private:
  using Answer = std::function<Result<std::string>(const ApiRequest& request)>;
  using Get = std::function<Result<std::string>(std::string_view path)>;

  // A route for POST whose answer is made by `worker`.
  void AddPost(server::Dispatch& dispatch, std::string path, Worker& worker, Answer answer);
  void AddGet(server::Dispatch& dispatch, std::string path, Get get);
  server::Outcome StartPost(const server::HttpRequest& request, server::Exchange& exchange,
                            server::Completion completion, Worker& worker,
                            const Answer& answer) const;
  // Later routes do not match any more what is below /model/.
  void RefuseTheRest(server::Dispatch& dispatch);

  Result<std::string> ReadFile() const;
  Result<std::string> SaveFile(const ApiRequest& request);

  Database& database_;
  ModelFile* const file_;
  const Guard guard_;
  const model::Prices prices_;
  const std::string version_;
  Worker quick_;
  Worker slow_;  // For proofs, so that a check never waits behind one.
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_MODEL_API_H_
