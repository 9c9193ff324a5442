// Access to what a request names: tables, streams, backups. Access to items is checked by the engine, which knows what was planned.
#ifndef PREJOIN_WIRE_ACCESS_CHECK_H_
#define PREJOIN_WIRE_ACCESS_CHECK_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/access.h"
#include "json/reader.h"
#include "prejoin/options.h"
#include "prejoin/result.h"

namespace prejoin::wire {

// The way in which a member names a resource.
enum class Naming {
  kTable,         // A table by name or ARN.
  kTableOrIndex,  // The same; where the request has an IndexName, that index of it.
  kGlobalTable,  // A global table by name, which has the permissions of the table of that name too.
  kGlobalOnly,   // A global table by name.
  kArn,          // Anything by its ARN.
  kFilter,       // Narrows a list of everything, which is what has to be allowed.
};

// A member of a request that carries a resource: "TableName", "TableCreationParameters.TableName".
struct NamedMember {
  std::string_view path;
  Naming naming;
  // The actions that must be allowed on it besides the operation itself.
  std::span<const std::string_view> also = {};
};

// A member of a request that needs an action of its own on the first resource.
struct MemberAction {
  std::string_view member;
  std::string_view action;
};

// The resource of an operation.
enum class About {
  kItems,       // The engine asks.
  kNamed,       // The resources that its members name.
  kNamedOrAll,  // The same, or everything if it names none.
  kAllTables,
  kAll,
};

// The resources of an operation: a column of the dispatch table. tests/wire/service_resources_test.cc compares it with AWS's service model.
struct Resources {
  About about = About::kAll;
  std::span<const NamedMember> members = {};
  std::span<const MemberAction> member_actions = {};
  std::string_view policy_member = "";  // The member that carries a resource policy.
};

struct NamedRequest {
  std::string_view operation;
  const Resources& resources;
  json::Value root;
};

// Before the operation runs. Gives the ARNs that the request may name, for NameScope. Asks nothing for operations on items.
Result<std::vector<std::string>> CheckNamedResources(engine::AccessControl& access,
                                                     const Options& options,
                                                     const NamedRequest& request);

// The error of an operation on items that failed, as its caller may see it.
Error VisibleError(engine::AccessControl& access, const Options& options,
                   const NamedRequest& request, Error error);

engine::RequestTerms TermsOf(const NamedRequest& request);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ACCESS_CHECK_H_
