#include "studio/model_api.h"

#include <memory>
#include <utility>

#include "json/writer.h"
#include "process/task_failure.h"
#include "server/peer_address.h"
#include "studio/describe_model.h"
#include "studio/examples.h"
#include "studio/http_names.h"
#include "studio/refusal.h"
#include "studio/write_code.h"

namespace prejoin::studio {
namespace {

constexpr std::size_t kSavesWaitingMax = 64;
// A source of 1 MB, every fourth character of it escaped.
constexpr std::size_t kBodyBytesMax = std::size_t{4} << 20;

void Answer(Result<std::string> answer, HttpResponse& response) {
  if (answer) {
    AnswerJson(200, *std::move(answer), response);
  } else {
    AnswerError(answer.error(), response);
  }
}

Status CheckSize(const HttpRequest& request) {
  if (request.body.size() > kBodyBytesMax) {
    return Refuse(413, "the request is larger than 4 MB");
  }
  return {};
}

}  // namespace

ModelApi::ModelApi(process::TaskRunner& runner, process::Call reads, ModelFile* file,
                   std::vector<std::string> host_names)
    : runner_(runner),
      reads_(std::move(reads)),
      file_(file),
      guard_(std::move(host_names)),
      saver_({.at_stop = Worker::AtStop::kFinish, .waiting_max = kSavesWaitingMax}) {}

void ModelApi::AddRoutes(server::Dispatch& dispatch) {
  AddGet(dispatch, "/model/examples", [](std::string_view) { return ExamplesJson(); });
  AddGet(dispatch, "/model/examples/", [](std::string_view path) {
    return ExampleJson(path.substr(std::string_view("/model/examples/").size()));
  });
  AddGet(dispatch, "/model/source", [this](std::string_view) { return ReadFile(); });
  AddGet(dispatch, "/model/targets", [](std::string_view) { return TargetsJson(); });
  dispatch.AddRoute({Method::kPost, "/model/source",
                     [this](const HttpRequest& request, Exchange& exchange, Completion completion) {
                       return StartSave(request, exchange, completion);
                     }});
  for (const ModelRoute& route : ModelRoutes()) {
    AddWork(dispatch, route);
  }
  RefuseTheRest(dispatch);
}

void ModelApi::AddWork(server::Dispatch& dispatch, const ModelRoute& route) {
  dispatch.AddRoute(
      {Method::kPost, std::string(route.path),
       [this, &route](const HttpRequest& request, Exchange& exchange, Completion completion) {
         return StartWork(request, exchange, completion, route);
       }});
}

void ModelApi::AddGet(server::Dispatch& dispatch, std::string path, Get get) {
  dispatch.AddRoute(
      {Method::kGet, std::move(path),
       [this, get = std::move(get)](const HttpRequest& request, Exchange& exchange, Completion) {
         if (const Status allowed = CheckOrigin(guard_, request); !allowed) {
           AnswerError(allowed.error(), exchange.response);
         } else {
           studio::Answer(get(request.path()), exchange.response);
         }
         return Outcome::kDone;
       }});
}

Outcome ModelApi::StartWork(const HttpRequest& request, Exchange& exchange, Completion completion,
                            const ModelRoute& route) const {
  Status allowed = CheckOrigin(guard_, request);
  if (allowed) {
    allowed = CheckSize(request);
  }
  if (!allowed) {
    AnswerError(allowed.error(), exchange.response);
    return Outcome::kDone;
  }
  process::Task task;
  task.route = route.path;
  task.body = request.body;
  task.lane = route.lane;
  task.limits = route.limits;
  task.client = server::PeerAddress(exchange.socket);
  task.call = reads_;
  // The exchange stays where it is until the completion is called.
  task.gone = [&exchange] { return server::ClientHasGone(exchange); };
  task.done = [&exchange, completion, limits = route.limits](process::Ending ending,
                                                             process::Answer answer) {
    FillOrFail(exchange.response, [&] {
      if (ending == process::Ending::kAnswered) {
        return AnswerJson(answer.status, std::move(answer.body), exchange.response);
      }
      const process::TaskFailure failure = process::FailureOf(ending, limits);
      AnswerError(Refuse(failure.status, failure.message), exchange.response);
    });
    completion.Finish({});
  };
  if (runner_.Add(std::move(task))) {
    return Outcome::kLater;
  }
  AnswerError(Refuse(503, std::string(process::kTooManyWait)), exchange.response);
  return Outcome::kDone;
}

Outcome ModelApi::StartSave(const HttpRequest& request, Exchange& exchange, Completion completion) {
  Status allowed = CheckOrigin(guard_, request);
  if (allowed) {
    allowed = CheckSize(request);
  }
  if (!allowed) {
    AnswerError(allowed.error(), exchange.response);
    return Outcome::kDone;
  }
  const auto save = [this, body = std::string(request.body), &exchange, completion] {
    FillOrFail(exchange.response, [&] { studio::Answer(SaveFile(body), exchange.response); });
    completion.Finish({});
  };
  if (saver_.Add(save)) {
    return Outcome::kLater;
  }
  AnswerError(Refuse(503, "too many requests wait already; try again"), exchange.response);
  return Outcome::kDone;
}

void ModelApi::RefuseTheRest(server::Dispatch& dispatch) {
  const auto unknown = [](const HttpRequest& request, Exchange& exchange, Completion) {
    const bool read_or_call = request.method == Method::kGet || request.method == Method::kHead ||
                              request.method == Method::kPost;
    AnswerError(read_or_call ? Refuse(404, "there is no such route; docs/model/api.md lists them")
                             : Refuse(405, "the model API knows GET and POST only"),
                exchange.response);
    return Outcome::kDone;
  };
  // All methods, because what no route takes goes to the DynamoDB API, which answers pages of any
  // origin.
  for (const Method method : {Method::kGet, Method::kPost, Method::kPut, Method::kDelete,
                              Method::kOptions, Method::kOther}) {
    dispatch.AddRoute({method, "/model/", unknown});
  }
}

Result<std::string> ModelApi::ReadFile() const {
  std::string answer;
  if (file_ == nullptr) {
    return std::string(R"({"file":null,"source":"","version":"","writable":false})");
  }
  PJ_ASSIGN_OR_RETURN(const ModelFile::Contents contents, file_->Read());
  {
    json::ObjectWriter object(answer);
    object.String("file", file_->name());
    object.String("source", contents.source);
    object.String("version", contents.version);
    object.Bool("writable", contents.writable);
  }
  return answer;
}

Result<std::string> ModelApi::SaveFile(const std::string& body) {
  if (file_ == nullptr) {
    return Refuse(403, "there is no file to save to; start with `prejoin serve --model FILE`");
  }
  const auto document = json::Document::Parse(body);
  if (!document) {
    return Refuse(400, "the body of the request is not valid JSON");
  }
  PJ_ASSIGN_OR_RETURN(const ApiRequest request, ApiRequest::Of(document->root()));
  PJ_ASSIGN_OR_RETURN(const std::string source, request.Source());
  PJ_ASSIGN_OR_RETURN(const std::string version, request.Text("version"));
  PJ_ASSIGN_OR_RETURN(const std::string saved, file_->Save(source, version));
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("file", file_->name());
    object.String("version", saved);
  }
  return answer;
}

}  // namespace prejoin::studio
