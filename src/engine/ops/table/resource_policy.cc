// PutResourcePolicy, GetResourcePolicy and DeleteResourcePolicy. Policies are kept, not enforced.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/function_ref.h"
#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/catalog.h"
#include "engine/table/resource_arn.h"
#include "engine/table/table_build.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kNoPolicy = "NO_POLICY";

// A table, or one of its streams.
struct PolicyTarget {
  std::string table_name;
  std::string stream_label;  // Empty: the table itself.
};

Error PolicyNotFound(const std::string& what) {
  return Error{ErrorCode::kPolicyNotFound,
               "Resource-based policy not found for the provided ResourceArn: " + what};
}

Result<PolicyTarget> ParseArn(const Engine& engine, const std::string& arn) {
  if (!arn.starts_with("arn:")) {
    return InvalidParameter("ARNs must start with 'arn:': " + arn);
  }
  const auto parsed = ParseResourceArn(arn);
  if (!parsed) {
    return InvalidParameter("Provided Arn is not a DynamoDB resource arn: " + arn);
  }
  if (parsed->region != engine.options().region) {
    return InvalidParameter("Invalid resource Arn: " + arn);
  }
  if (parsed->account != engine.options().account_id) {
    return Error{ErrorCode::kAccessDenied,
                 "This action is only supported by accounts that match the resource owner’s "
                 "account."};
  }
  if (parsed->kind == ResourceKind::kIndex) {
    return InvalidParameter(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
        arn);
  }
  if (parsed->kind != ResourceKind::kTable && parsed->kind != ResourceKind::kStream) {
    return InvalidParameter("Provided Arn is not a DynamoDB resource arn: " + arn);
  }
  return PolicyTarget{std::string(parsed->table), std::string(parsed->id)};
}

Status CheckExists(Engine& engine, const PolicyTarget& target, const std::string& arn,
                   const Table* table) {
  if (table == nullptr) {
    return TableNotFound(target.table_name);
  }
  if (target.stream_label.empty()) {
    return {};
  }
  if (engine.streams().Find(arn) == nullptr) {
    return ResourceNotFound("Requested resource not found: Stream: " + target.stream_label +
                            " not found for Table: " + target.table_name);
  }
  return {};
}

const ResourcePolicy* FindPolicy(const Table& table, const PolicyTarget& target) {
  if (target.stream_label.empty()) {
    return table.resource_policy ? &*table.resource_policy : nullptr;
  }
  const auto found = table.stream_policies.find(target.stream_label);
  return found == table.stream_policies.end() ? nullptr : &found->second;
}

Status CheckRevision(const std::optional<std::string>& expected, const PolicyTarget& target,
                     const ResourcePolicy* current) {
  if (!expected) {
    return {};
  }
  if (*expected == kNoPolicy) {
    if (current != nullptr) {
      return PolicyNotFound("Requested policy update expecting none to be present for table " +
                            target.table_name + ", but a policy exists with revision id " +
                            current->revision_id + ".");
    }
    return {};
  }
  if (current == nullptr) {
    return PolicyNotFound("Requested update for policy with revision id " + *expected +
                          ", but no policy is associated to target table " + target.table_name +
                          ".");
  }
  if (current->revision_id != *expected) {
    return PolicyNotFound("Requested update for policy with revision id " + *expected +
                          ", but the policy associated to target table " + target.table_name +
                          " has revision id " + current->revision_id + ".");
  }
  return {};
}

// Milliseconds, as AWS's are; but never the same twice for one resource.
std::string NextRevision(std::int64_t now_ms, const ResourcePolicy* current) {
  const std::int64_t last =
      current == nullptr ? 0 : std::strtoll(current->revision_id.c_str(), nullptr, 10);
  return std::to_string(std::max(now_ms, last + 1));
}

// Changes the policy of a table or stream: `edit` gets the one there is (null: none) and the place
// of the next one (nullopt: none).
using PolicyEdit =
    FunctionRef<void(const ResourcePolicy* current, std::optional<ResourcePolicy>& next)>;
Status ChangePolicy(Engine& engine, RequestContext& context, const std::string& arn,
                    const std::optional<std::string>& expected_revision_id, PolicyEdit edit) {
  PJ_ASSIGN_OR_RETURN(const PolicyTarget target, ParseArn(engine, arn));
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          target.table_name,
          [&](const Table* table, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            PJ_RETURN_IF_ERROR(CheckExists(engine, target, arn, table));
            const ResourcePolicy* current = FindPolicy(*table, target);
            PJ_RETURN_IF_ERROR(CheckRevision(expected_revision_id, target, current));
            std::optional<ResourcePolicy> policy;
            edit(current, policy);
            auto next = CopyOf(*table);
            if (target.stream_label.empty()) {
              next->resource_policy = std::move(policy);
            } else if (policy) {
              next->stream_policies[target.stream_label] = *std::move(policy);
            } else {
              next->stream_policies.erase(target.stream_label);
            }
            return next;
          }));
  context.Saw(change.ticket);
  return {};
}

}  // namespace

Result<std::string> PutResourcePolicy(Engine& engine, RequestContext& context,
                                      const PutResourcePolicyInput& input) {
  std::string revision;
  PJ_RETURN_IF_ERROR(ChangePolicy(
      engine, context, input.arn, input.expected_revision_id,
      [&](const ResourcePolicy* current, std::optional<ResourcePolicy>& next) {
        next = current != nullptr && current->document == input.policy
                   ? *current
                   : ResourcePolicy{input.policy, NextRevision(engine.clock().NowMs(), current)};
        revision = next->revision_id;
      }));
  return revision;
}

Result<ResourcePolicy> GetResourcePolicy(Engine& engine, RequestContext&, const std::string& arn) {
  PJ_ASSIGN_OR_RETURN(const PolicyTarget target, ParseArn(engine, arn));
  const TablePtr table = engine.catalog().FindOrNull(target.table_name);
  PJ_RETURN_IF_ERROR(CheckExists(engine, target, arn, table.get()));
  const ResourcePolicy* policy = FindPolicy(*table, target);
  if (policy == nullptr) {
    return PolicyNotFound(arn);
  }
  return *policy;
}

Result<std::string> DeleteResourcePolicy(Engine& engine, RequestContext& context,
                                         const DeleteResourcePolicyInput& input) {
  std::string revision;
  PJ_RETURN_IF_ERROR(
      ChangePolicy(engine, context, input.arn, input.expected_revision_id,
                   [&](const ResourcePolicy* current, std::optional<ResourcePolicy>&) {
                     revision = current != nullptr ? current->revision_id : "";
                   }));
  return revision;
}

}  // namespace prejoin::engine
