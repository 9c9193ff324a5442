#include "server/namespace_backends.h"

#include <algorithm>
#include <utility>

#include "auth/credential_scope.h"
#include "base/patience.h"
#include "engine/fork.h"
#include "server/http/protocol_error.h"

namespace prejoin::server {
namespace {

constexpr std::size_t kNameBytesMax = 64;
constexpr std::string_view kRoute = "/namespaces/";

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= kNameBytesMax && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

// Empty: the base.
std::string NameOf(const HttpRequest& request) {
  if (const std::string_view header = request.Header(NamespaceBackends::kHeader); !header.empty()) {
    return std::string(header);
  }
  const auto scope =
      auth::ScopeOf({"POST", request.path(), request.query(), request.fields, request.body});
  if (!scope || !scope->access_key_id.starts_with(NamespaceBackends::kKeyPrefix)) {
    return {};
  }
  return std::string(scope->access_key_id.substr(NamespaceBackends::kKeyPrefix.size()));
}

wire::Answer Refused(const std::string& reason) {
  wire::Answer answer;
  answer.status = 400;
  answer.body = R"({"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":")" +
                reason + "\"}";
  return answer;
}

wire::Answer Abandoned() {
  wire::Answer answer;
  answer.abandoned = true;
  return answer;
}

}  // namespace

NamespaceBackends::Fork::~Fork() {
  if (backend != nullptr) {
    backend->Stop();
  }
}

NamespaceBackends::NamespaceBackends(EngineBackend& base, engine::Engine& engine)
    : base_(base), engine_(engine) {}

wire::Answer NamespaceBackends::Handle(std::string_view target, const HttpRequest& request,
                                       const RequestBudget& budget, engine::AccessControl* access) {
  const std::string name = NameOf(request);
  if (name.empty()) {
    return HandleInBase(target, request, budget, access);
  }
  if (!IsName(name)) {
    return Refused("A namespace has 1 to 64 letters, digits, dots, hyphens and underscores.");
  }
  ForkPtr fork = Find(name);
  if (fork == nullptr) {
    if (budget.is_trial()) {
      return Abandoned();
    }
    auto made = FindOrMake(name);
    if (!made) {
      return Refused("The namespace cannot be made: " + made.error().message + ".");
    }
    fork = *std::move(made);
  }
  return fork->backend->Handle(target, request, budget, access);
}

wire::Answer NamespaceBackends::HandleInBase(std::string_view target, const HttpRequest& request,
                                             const RequestBudget& budget,
                                             engine::AccessControl* access) {
  std::shared_lock<std::shared_mutex> lock(base_requests_, std::try_to_lock);
  if (!lock.owns_lock()) {
    if (budget.is_trial()) {
      return Abandoned();
    }
    lock.lock();  // For as long as a fork takes.
  }
  return base_.Handle(target, request, budget, access);
}

NamespaceBackends::ForkPtr NamespaceBackends::Find(const std::string& name) const {
  const MutexLock lock(mutex_);
  const auto at = forks_.find(name);
  return at == forks_.end() ? nullptr : at->second;
}

Result<NamespaceBackends::ForkPtr> NamespaceBackends::FindOrMake(const std::string& name) {
  const WaitingScope waiting(true);
  const MutexLock making(making_);
  if (ForkPtr known = Find(name)) {
    return known;
  }
  PJ_ASSIGN_OR_RETURN(ForkPtr made, Make());
  const MutexLock lock(mutex_);
  if (forks_.size() >= kNamespacesMax) {
    return Error{ErrorCode::kLimitExceeded,
                 "there are " + std::to_string(kNamespacesMax) + " already"};
  }
  forks_[name] = made;
  return made;
}

Result<NamespaceBackends::ForkPtr> NamespaceBackends::Make() {
  std::unique_ptr<storage::Store> store;
  {
    const std::unique_lock<std::shared_mutex> alone(base_requests_);
    PJ_ASSIGN_OR_RETURN(store, engine::ForkStore(engine_));
  }
  auto fork = std::make_shared<Fork>();
  PJ_ASSIGN_OR_RETURN(fork->engine,
                      engine::Engine::OpenOn(std::move(store), engine_.options(), engine_.clock()));
  fork->backend = std::make_unique<EngineBackend>(*fork->engine);
  return fork;
}

// The old fork ends when its last request does.
Status NamespaceBackends::Reset(const std::string& name) {
  (void)Drop(name);
  PJ_RETURN_IF_ERROR(FindOrMake(name));
  return {};
}

bool NamespaceBackends::Drop(const std::string& name) {
  ForkPtr dropped;
  const MutexLock lock(mutex_);
  const auto at = forks_.find(name);
  if (at == forks_.end()) {
    return false;
  }
  dropped = std::move(at->second);
  forks_.erase(at);
  return true;
}

void NamespaceBackends::Answer(Method method, const std::string& name, HttpResponse& response) {
  const Status done = method == Method::kPost ? Reset(name) : Status();
  const bool found = method == Method::kPost || Drop(name);
  response.content_type = "application/json";
  response.status = !done ? 503 : found ? 200 : 404;
  response.body =
      done ? "{}" : CoralError(503, "ServiceUnavailableException", done.error().message).body;
}

void NamespaceBackends::AddRoutes(Dispatch& dispatch) {
  for (const Method method : {Method::kPost, Method::kDelete}) {
    dispatch.AddRoute(
        {method, std::string(kRoute),
         [this, method](const HttpRequest& request, Exchange& exchange, Completion completion) {
           const std::string name(request.path().substr(kRoute.size()));
           if (!IsName(name)) {
             exchange.response = CoralError(400, "ValidationException",
                                            "A namespace has 1 to 64 letters, digits, "
                                            "dots, hyphens and underscores.");
             return Outcome::kDone;
           }
           const bool added = worker_.Add([this, method, name, &exchange, completion] {
             Answer(method, name, exchange.response);
             completion.Finish({});
           });
           if (!added) {
             exchange.response = ProtocolError(503);
           }
           return added ? Outcome::kLater : Outcome::kDone;
         }});
  }
}

}  // namespace prejoin::server
