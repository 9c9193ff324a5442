// The answers to the engine's questions for one request: its caller's policies, the resource's, and what is known of the request.
#ifndef PREJOIN_ACCESS_REQUEST_ACCESS_H_
#define PREJOIN_ACCESS_REQUEST_ACCESS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
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

// How a request came.
struct RequestFacts {
  std::string source_ip;
  bool encrypted = false;
  std::string user_agent;
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
  // `engine` and `resource_policies` outlive this object.
  RequestAccess(engine::Engine& engine, ResourcePolicies& resource_policies,
                std::shared_ptr<const Principal> principal, RequestFacts facts,
                Enforcement enforcement);

  void Begin(engine::RequestTerms terms) override;
  Status CheckItems(const engine::ItemAccess& access) override;
  Status CheckResource(std::string_view action, const std::string& arn) override;
  Error Refusal(engine::ItemAction action, const std::string& table_name, Error error) override;

  // Actions of other services than DynamoDB: "iam:CreateUser".
  Status CheckAction(const std::string& action, const std::string& resource);
  // The role's trust policy must allow the caller; unless it names the caller itself, the caller's own policies must as well.
  Status CheckAssumeRole(const ReadyIdentity& role);
  // The keys that every request has.
  void AddCallerKeys(ConditionKeys& keys) const;

  const Principal& principal() const { return *principal_; }
  const RequestFacts& facts() const { return facts_; }
  const std::vector<DecisionNote>& decisions() const { return decisions_; }

 private:
  std::string ActionOf(engine::ItemAction action) const;
  void AddItemKeys(const engine::ItemAccess& access, ConditionKeys& keys) const;
  // `fill` adds the keys that only this question has, if any policy looks at keys at all.
  Status Ask(std::string action, std::string resource, const engine::Table* table,
             const Policy* resource_policy, FunctionRef<void(ConditionKeys&)> fill);
  Error Denied(const AccessRequest& request, const Decision& decision,
               const Policy* resource_policy) const;

  engine::Engine& engine_;
  ResourcePolicies& resource_policies_;
  const std::shared_ptr<const Principal> principal_;
  const RequestFacts facts_;
  const Enforcement enforcement_;
  engine::RequestTerms terms_;
  std::set<std::string> passed_tables_;
  std::vector<DecisionNote> decisions_;
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_REQUEST_ACCESS_H_
