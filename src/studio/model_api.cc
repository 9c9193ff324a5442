#include "studio/model_api.h"

#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "json/writer.h"
#include "studio/describe_model.h"
#include "studio/draft_model.h"
#include "studio/examples.h"
#include "studio/http_names.h"
#include "studio/make_items.h"
#include "studio/refusal.h"
#include "studio/run_pattern.h"
#include "studio/write_code.h"

namespace prejoin::studio {
namespace {

constexpr std::size_t kQuickWaitingMax = 64;
constexpr std::size_t kSlowWaitingMax = 4;
// A source of 1 MB, every fourth character of it escaped.
constexpr std::size_t kBodyBytesMax = std::size_t{4} << 20;

constexpr std::chrono::milliseconds kGoneInterval{20};

// A request that was taken is answered.
Worker::Options Finishing(std::size_t waiting_max) {
  return {.at_stop = Worker::AtStop::kFinish, .waiting_max = waiting_max};
}

void Answer(Result<std::string> answer, HttpResponse& response) {
  if (answer) {
    AnswerJson(200, *std::move(answer), response);
  } else {
    AnswerError(answer.error(), response);
  }
}

// Asks the system now and then only: the work asks between any two of its steps.
std::function<bool()> GoneOf(const Exchange& exchange) {
  using Clock = std::chrono::steady_clock;
  return [&exchange, next = Clock::time_point(), gone = false]() mutable {
    if (const auto now = Clock::now(); !gone && now >= next) {
      gone = server::ClientHasGone(exchange);
      next = now + kGoneInterval;
    }
    return gone;
  };
}

Result<std::string> AnswerBody(
    const std::string& body, std::function<bool()> gone,
    const std::function<Result<std::string>(const ApiRequest& request)>& answer) {
  if (gone()) return Refuse(503, "nobody waits for the answer");
  const auto document = json::Document::Parse(body);
  if (!document) return Refuse(400, "the body of the request is not valid JSON");
  PJ_ASSIGN_OR_RETURN(const ApiRequest request, ApiRequest::Of(document->root(), std::move(gone)));
  return answer(request);
}

}  // namespace

ModelApi::ModelApi(Database& database, ModelFile* file, std::vector<std::string> host_names,
                   model::Prices prices, std::string version)
    : database_(database),
      file_(file),
      guard_(std::move(host_names)),
      prices_(std::move(prices)),
      version_(std::move(version)),
      quick_(Finishing(kQuickWaitingMax)),
      slow_(Finishing(kSlowWaitingMax)) {}

void ModelApi::AddRoutes(server::Dispatch& dispatch) {
  AddGet(dispatch, "/model/examples", [](std::string_view) { return ExamplesJson(); });
  AddGet(dispatch, "/model/examples/", [](std::string_view path) {
    return ExampleJson(path.substr(std::string_view("/model/examples/").size()));
  });
  AddGet(dispatch, "/model/source", [this](std::string_view) { return ReadFile(); });
  AddPost(dispatch, "/model/source", quick_,
          [this](const ApiRequest& request) { return SaveFile(request); });
  AddPost(dispatch, "/model/check", quick_, CheckSource);
  AddPost(dispatch, "/model/format", quick_, FormatSource);
  AddPost(dispatch, "/model/plan", quick_, PlanSource);
  AddPost(dispatch, "/model/cost", quick_,
          [this](const ApiRequest& request) { return CostSource(request, prices_); });
  AddPost(dispatch, "/model/advise", quick_,
          [this](const ApiRequest& request) { return AdviseSource(request, prices_); });
  AddPost(dispatch, "/model/switch", quick_, SwitchSource);
  AddPost(dispatch, "/model/tables", quick_, MakeTables);
  AddPost(dispatch, "/model/item", quick_, MakeOneItem);
  AddPost(dispatch, "/model/run", quick_,
          [this](const ApiRequest& request) { return RunPattern(request, database_, prices_); });
  AddGet(dispatch, "/model/targets", [](std::string_view) { return TargetsJson(); });
  AddPost(dispatch, "/model/gen", quick_,
          [this](const ApiRequest& request) { return GenerateCode(request, version_); });
  AddPost(dispatch, "/model/infer", quick_, InferModel);
  AddPost(dispatch, "/model/design", slow_,
          [this](const ApiRequest& request) { return DesignSource(request, prices_); });
  AddPost(dispatch, "/model/prove", slow_, ProveSource);
  RefuseTheRest(dispatch);
}

void ModelApi::AddPost(server::Dispatch& dispatch, std::string path, Worker& worker,
                       ModelApi::Answer answer) {
  dispatch.AddRoute({Method::kPost, std::move(path),
                     [this, &worker, answer = std::move(answer)](
                         const HttpRequest& request, Exchange& exchange, Completion completion) {
                       return StartPost(request, exchange, completion, worker, answer);
                     }});
}

void ModelApi::AddGet(server::Dispatch& dispatch, std::string path, Get get) {
  dispatch.AddRoute(
      {Method::kGet, std::move(path),
       [this, get = std::move(get)](const HttpRequest& request, Exchange& exchange, Completion) {
         if (const Status allowed = guard_.Check(request); !allowed) {
           AnswerError(allowed.error(), exchange.response);
         } else {
           studio::Answer(get(request.path()), exchange.response);
         }
         return Outcome::kDone;
       }});
}

Outcome ModelApi::StartPost(const HttpRequest& request, Exchange& exchange, Completion completion,
                            Worker& worker, const ModelApi::Answer& answer) const {
  Status allowed = guard_.Check(request);
  if (allowed && request.body.size() > kBodyBytesMax)
    allowed = Refuse(413, "the request is larger than 4 MB");
  if (!allowed) {
    AnswerError(allowed.error(), exchange.response);
    return Outcome::kDone;
  }
  // The exchange stays where it is until the completion is called; the request does not.
  const auto task = [body = std::string(request.body), answer, &exchange, completion] {
    try {
      studio::Answer(AnswerBody(body, GoneOf(exchange), answer), exchange.response);
    } catch (const std::bad_alloc&) {
      exchange.response = HttpResponse();
      AnswerError(Refuse(503, "this request needs more memory than there is"), exchange.response);
    }
    completion.Finish({});
  };
  if (worker.Add(task)) return Outcome::kLater;
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

Result<std::string> ModelApi::SaveFile(const ApiRequest& request) {
  if (file_ == nullptr)
    return Refuse(403, "there is no file to save to; start with `prejoin serve --model FILE`");
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
