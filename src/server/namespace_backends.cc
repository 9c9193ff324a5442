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
constexpr std::string_view kUnnamedSnapshot = "default";
constexpr std::string_view kNameRule =
    "A namespace has 1 to 64 letters, digits, dots, hyphens and underscores; a snapshot too.";

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

HttpResponse Done() {
  HttpResponse response;
  response.content_type = "application/json";
  response.body = "{}";
  return response;
}

HttpResponse NoSuch(const std::string& kind, const std::string& name) {
  return CoralError(404, "ResourceNotFoundException", "There is no " + kind + " " + name + ".");
}

HttpResponse Failed(const Error& error) {
  return CoralError(503, "ServiceUnavailableException", error.message);
}

wire::Answer Abandoned() {
  wire::Answer answer;
  answer.abandoned = true;
  return answer;
}

}  // namespace

NamespaceBackends::Fork::~Fork() {
  if (own_backend != nullptr) {
    own_backend->Stop();
  }
}

NamespaceBackends::NamespaceBackends(EngineBackend& base, engine::Engine& engine)
    : engine_(engine), base_(base) {
  auto fork = std::make_shared<Fork>();
  fork->engine = &engine;
  fork->backend = &base;
  forks_[""] = std::move(fork);
}

wire::Answer NamespaceBackends::Handle(std::string_view target, const HttpRequest& request,
                                       const RequestBudget& budget, engine::AccessControl* access) {
  const std::string name = NameOf(request);
  if (!name.empty() && !IsName(name)) {
    return Refused(std::string(kNameRule));
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
  std::shared_lock<std::shared_mutex> lock(fork->requests, std::try_to_lock);
  if (!lock.owns_lock()) {
    if (budget.is_trial()) {
      return Abandoned();
    }
    lock.lock();  // For as long as a copy takes.
  }
  return fork->backend->Handle(target, request, budget, access);
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
  PJ_ASSIGN_OR_RETURN(auto store, StoreOf(*Find("")));
  PJ_ASSIGN_OR_RETURN(ForkPtr made, Open(std::move(store)));
  PJ_RETURN_IF_ERROR(Put(name, made));
  return made;
}

// The fork that had the name ends when its last request does.
Status NamespaceBackends::Put(const std::string& name, ForkPtr fork) {
  ForkPtr before;
  const MutexLock lock(mutex_);
  const auto at = forks_.find(name);
  if (at != forks_.end()) {
    before = std::exchange(at->second, std::move(fork));
    return {};
  }
  if (forks_.size() > kNamespacesMax) {
    return Error{ErrorCode::kLimitExceeded,
                 "there are " + std::to_string(kNamespacesMax) + " already"};
  }
  forks_[name] = std::move(fork);
  return {};
}

Result<std::unique_ptr<storage::Store>> NamespaceBackends::StoreOf(Fork& fork) {
  const std::unique_lock<std::shared_mutex> alone(fork.requests);
  return engine::ForkStore(*fork.engine);
}

Result<NamespaceBackends::ForkPtr> NamespaceBackends::Open(
    std::unique_ptr<storage::Store> store) const {
  auto fork = std::make_shared<Fork>();
  PJ_ASSIGN_OR_RETURN(fork->own_engine,
                      engine::Engine::OpenOn(std::move(store), engine_.options(), engine_.clock()));
  fork->own_backend = std::make_unique<EngineBackend>(*fork->own_engine);
  fork->engine = fork->own_engine.get();
  fork->backend = fork->own_backend.get();
  return fork;
}

Status NamespaceBackends::Reset(const std::string& name) {
  (void)Drop(name);
  PJ_RETURN_IF_ERROR(FindOrMake(name));
  return {};
}

bool NamespaceBackends::Drop(const std::string& name) {
  ForkPtr dropped;
  const MutexLock lock(mutex_);
  const auto at = forks_.find(name);
  if (name.empty() || at == forks_.end()) {
    return false;
  }
  dropped = std::move(at->second);
  forks_.erase(at);
  return true;
}

Status NamespaceBackends::Keep(const std::string& space, const std::string& snapshot) {
  PJ_ASSIGN_OR_RETURN(const ForkPtr fork, FindOrMake(space));
  const WaitingScope waiting(true);
  PJ_ASSIGN_OR_RETURN(StorePtr store, StoreOf(*fork));
  const MutexLock lock(mutex_);
  if (snapshots_.size() >= kSnapshotsMax && !snapshots_.contains(snapshot)) {
    return Error{ErrorCode::kLimitExceeded,
                 "there are " + std::to_string(kSnapshotsMax) + " snapshots already"};
  }
  std::swap(snapshots_[snapshot], store);  // An earlier one is freed after the lock is released.
  return {};
}

Result<bool> NamespaceBackends::Restore(const std::string& space, const std::string& snapshot) {
  const WaitingScope waiting(true);
  const MutexLock making(making_);
  StorePtr store;
  {
    const MutexLock lock(mutex_);
    const auto at = snapshots_.find(snapshot);
    if (at == snapshots_.end()) {
      return false;
    }
    store = at->second;
  }
  PJ_ASSIGN_OR_RETURN(ForkPtr made, Open(store->Fork()));
  PJ_RETURN_IF_ERROR(Put(space, std::move(made)));
  return true;
}

bool NamespaceBackends::Forget(const std::string& snapshot) {
  StorePtr forgotten;
  const MutexLock lock(mutex_);
  const auto at = snapshots_.find(snapshot);
  if (at == snapshots_.end()) {
    return false;
  }
  forgotten = std::move(at->second);
  snapshots_.erase(at);
  return true;
}

HttpResponse NamespaceBackends::AnswerNamespace(Method method, const std::string& name) {
  if (method == Method::kDelete) {
    return Drop(name) ? Done() : NoSuch("namespace", name);
  }
  const Status made = Reset(name);
  return made ? Done() : Failed(made.error());
}

HttpResponse NamespaceBackends::AnswerSnapshot(Method method, const std::string& space,
                                               const std::string& name) {
  if (method == Method::kDelete) {
    return Forget(name) ? Done() : NoSuch("snapshot", name);
  }
  const Status kept = Keep(space, name);
  return kept ? Done() : Failed(kept.error());
}

HttpResponse NamespaceBackends::AnswerRestore(const std::string& space, const std::string& name) {
  const auto restored = Restore(space, name);
  if (!restored) {
    return Failed(restored.error());
  }
  return *restored ? Done() : NoSuch("snapshot", name);
}

void NamespaceBackends::AddRoute(
    Dispatch& dispatch, Method method, const std::string& path,
    std::function<HttpResponse(const std::string&, const std::string&)> answer) {
  dispatch.AddRoute({method, path,
                     [this, path, answer = std::move(answer)](
                         const HttpRequest& request, Exchange& exchange, Completion completion) {
                       const std::string name =
                           path.ends_with('/') ? std::string(request.path().substr(path.size()))
                                               : std::string(kUnnamedSnapshot);
                       const std::string space = NameOf(request);
                       if (!IsName(name) || (!space.empty() && !IsName(space))) {
                         exchange.response =
                             CoralError(400, "ValidationException", std::string(kNameRule));
                         return Outcome::kDone;
                       }
                       const bool added =
                           worker_.Add([answer, space, name, &exchange, completion] {
                             exchange.response = answer(space, name);
                             completion.Finish({});
                           });
                       if (!added) {
                         exchange.response = ProtocolError(503);
                       }
                       return added ? Outcome::kLater : Outcome::kDone;
                     }});
}

void NamespaceBackends::AddRoutes(Dispatch& dispatch) {
  for (const Method method : {Method::kPost, Method::kDelete}) {
    AddRoute(dispatch, method, "/namespaces/",
             [this, method](const std::string&, const std::string& name) {
               return AnswerNamespace(method, name);
             });
    for (const char* path : {"/snapshot", "/snapshot/"}) {
      AddRoute(dispatch, method, path,
               [this, method](const std::string& space, const std::string& name) {
                 return AnswerSnapshot(method, space, name);
               });
    }
  }
  for (const char* path : {"/restore", "/restore/"}) {
    AddRoute(dispatch, Method::kPost, path,
             [this](const std::string& space, const std::string& name) {
               return AnswerRestore(space, name);
             });
  }
}

}  // namespace prejoin::server
