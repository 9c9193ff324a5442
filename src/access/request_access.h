// The answers to the engine's questions for one request: its caller's policies, the resource's, and what is known of the request.
#ifndef PREJOIN_ACCESS_REQUEST_ACCESS_H_
#define PREJOIN_ACCESS_REQUEST_ACCESS_H_

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/decide.h"
#include "access/identity.h"
#include "base/mutex.h"
#include "engine/access.h"
#include "engine/engine.h"
#include "prejoin/result.h"

namespace prejoin::access {

// Policies of tables, read once. Thread-safe.
class ResourcePolicies {
 public:
  // Null if the document cannot be read. Lives as long as the caller holds it.
  std::shared_ptr<const Policy> Read(const std::string& document) PJ_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<const Policy>> by_document_ PJ_GUARDED_BY(mutex_);
};

enum class Enforcement {
  kNone,  // Everything is allowed to whoever is known.
  kPolicies,
};

// The condition keys that an action of IAM or STS has besides those of every request: "sts:ExternalId".
using ActionKeys = std::map<std::string, std::vector<std::string>>;

// The context of a request.
struct RequestFacts {
  std::string source_ip;
  bool encrypted = false;
  std::string_view user_agent;  // Belongs to the request and lives as long as it does.
};

// A decision that was made, for the audit log.
struct DecisionNote {
  std::string action;
  std::string resource;
  Verdict verdict = Verdict::kNotAllowed;
  std::string policy;     // The name of the policy that decided; empty: none spoke of it.
  std::string statement;  // Its Sid, if it has one.
};

// Single thread.
class RequestAccess : public engine::AccessControl {
 public:
  // `engine` and `resource_policies` outlive this object. `keeps_decisions`: somebody will ask for them.
  RequestAccess(engine::Engine& engine, ResourcePolicies& resource_policies,
                std::shared_ptr<const Principal> principal, RequestFacts facts,
                Enforcement enforcement, bool keeps_decisions = false);

  void Begin(engine::RequestTerms terms) override;
  Status CheckItems(const engine::ItemAccess& access) override;
  Status CheckResource(std::string_view action, const std::string& arn) override;
  Status CheckPolicyDocument(std::string_view document) override;
  Error Refusal(engine::ItemAction action, const std::string& table, Error error) override;

  // The request has been copied, and this is where the header is now.
  void MoveUserAgent(std::string_view user_agent) { facts_.user_agent = user_agent; }

  // Actions of other services than DynamoDB: "iam:CreateUser".
  Status CheckAction(const std::string& action, const std::string& resource,
                     const ActionKeys& keys = {});
  // The role's trust policy must allow the caller. Then it counts like the resource policy of a table: the caller's own policies decide
  // where it names the account, its boundary and session policy also where it names the caller's role. `action` is
  // sts:AssumeRole, sts:TagSession for a session with tags, or sts:SetSourceIdentity.
  Status CheckAssumeRole(const ReadyIdentity& role, const std::string& action,
                         const ActionKeys& keys);

  const Principal& principal() const { return *principal_; }
  const RequestFacts& facts() const { return facts_; }
  const std::vector<DecisionNote>& decisions() const { return decisions_; }

 private:
  // The values of one condition key. `table` and `items` may be null.
  ConditionValues FindKey(std::string_view name, const engine::Table* table,
                          const engine::ItemAccess* items) const;
  std::optional<std::string> FindCallerKey(std::string_view name) const;
  ConditionValues FindItemKey(std::string_view name, const engine::ItemAccess& items) const;
  std::string_view ActionOf(engine::ItemAction action) const;
  Decision DecideFor(const AccessQuestion& question, const Policy* resource_policy) const;
  // The context of an access decision; each member may be null.
  struct Asked {
    const engine::Table* table = nullptr;
    const Policy* resource_policy = nullptr;
    const engine::ItemAccess* items = nullptr;
    const ActionKeys* keys = nullptr;
  };
  // The decision of the caller's policies and the resource's.
  Status Ask(std::string_view action, std::string_view resource, const Asked& asked);
  Error Denied(const AccessQuestion& request, const Decision& decision,
               const Policy* resource_policy) const;

  engine::Engine& engine_;
  ResourcePolicies& resource_policies_;
  const std::shared_ptr<const Principal> principal_;
  RequestFacts facts_;
  const Enforcement enforcement_;
  const bool keeps_decisions_;
  engine::RequestTerms terms_;
  absl::InlinedVector<std::string, 1> passed_tables_;  // Each once; most requests have one.
  std::vector<DecisionNote> decisions_;
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_REQUEST_ACCESS_H_
