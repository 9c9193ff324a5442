// Which member of a request names the resource that its operation is about. A member that stands twice in the text is checked both times,
// whichever of the two the operation then takes. A request without the member is refused by the operation itself.
#include "wire/access_check.h"

#include <string>
#include <utility>

namespace prejoin::wire {
namespace {

// Asks about resources for one operation.
class ResourceCheck {
 public:
  ResourceCheck(engine::AccessControl& access, const engine::Engine& engine,
                std::string_view operation)
      : access_(access), options_(engine.options()), operation_(operation) {}

  std::string TableArn(std::string_view name) const {
    return name.starts_with("arn:") ? std::string(name)
                                    : "arn:aws:dynamodb:" + options_.region + ":" +
                                          options_.account_id + ":table/" + std::string(name);
  }
  std::string GlobalTableArn(std::string_view name) const {
    return "arn:aws:dynamodb::" + options_.account_id + ":global-table/" + std::string(name);
  }
  Status Ask(const std::string& arn) const { return access_.CheckResource(operation_, arn); }

  // All members of that name.
  Status AskTables(json::Value object, std::string_view member) const {
    return ForEachText(object, member, [&](std::string_view name) { return Ask(TableArn(name)); });
  }
  template <class Visit>
  static Status ForEachText(json::Value object, std::string_view member, Visit visit) {
    if (object.type() != json::Type::kObject) {
      return {};
    }
    for (const auto& [name, value] : object.fields()) {
      if (name == member && value.type() == json::Type::kString) {
        PJ_RETURN_IF_ERROR(visit(value.string()));
      }
    }
    return {};
  }

 private:
  engine::AccessControl& access_;
  const Options& options_;
  const std::string_view operation_;
};

engine::ItemAction ActionOfMember(std::string_view member) {
  return member == "Put"      ? engine::ItemAction::kPut
         : member == "Update" ? engine::ItemAction::kUpdate
         : member == "Delete" ? engine::ItemAction::kDelete
         : member == "Get"    ? engine::ItemAction::kGet
                              : engine::ItemAction::kCheck;
}

engine::ItemAction ActionOfOperation(std::string_view operation) {
  return operation == "PutItem"         ? engine::ItemAction::kPut
         : operation == "UpdateItem"    ? engine::ItemAction::kUpdate
         : operation == "DeleteItem"    ? engine::ItemAction::kDelete
         : operation == "Query"         ? engine::ItemAction::kQuery
         : operation == "Scan"          ? engine::ItemAction::kScan
         : operation == "SearchVectors" ? engine::ItemAction::kSearch
                                        : engine::ItemAction::kGet;
}

std::string TextOf(json::Value root, std::string_view member) {
  const auto value = root.Find(member);
  return value && value->type() == json::Type::kString ? std::string(value->string()) : "";
}

}  // namespace

engine::RequestTerms TermsOf(std::string_view operation, json::Value root) {
  return {.operation = operation,
          .return_values = TextOf(root, "ReturnValues"),
          .consumed_capacity = TextOf(root, "ReturnConsumedCapacity")};
}

Status CheckNamedResources(engine::AccessControl& access, const engine::Engine& engine,
                           const NamedRequest& request) {
  const auto& [operation, named, root] = request;
  if (named.naming == Naming::kItems) {
    return {};
  }
  const ResourceCheck check(access, engine, operation);
  switch (named.naming) {
    case Naming::kItems:
      return {};
    case Naming::kAll:
      return check.Ask("*");
    case Naming::kAllTables:
      return check.Ask(check.TableArn("*"));
    case Naming::kTable:
      PJ_RETURN_IF_ERROR(check.AskTables(root, named.member));
      break;
    case Naming::kArn:
      PJ_RETURN_IF_ERROR(ResourceCheck::ForEachText(
          root, named.member, [&](std::string_view arn) { return check.Ask(std::string(arn)); }));
      break;
    case Naming::kGlobal:
      return ResourceCheck::ForEachText(root, named.member, [&](std::string_view name) {
        return check.Ask(check.GlobalTableArn(name));
      });
    case Naming::kNewTable:
      if (root.type() == json::Type::kObject) {
        for (const auto& [name, value] : root.fields()) {
          if (name == named.member) {
            PJ_RETURN_IF_ERROR(check.AskTables(value, "TableName"));
          }
        }
      }
      return {};
  }
  return named.second_member.empty() ? Status() : check.AskTables(root, named.second_member);
}

Error VisibleError(engine::AccessControl& access, const NamedRequest& request, Error error) {
  const auto& [operation, named, root] = request;
  if (named.naming != Naming::kItems || root.type() != json::Type::kObject) {
    return error;
  }
  for (const auto& [name, value] : root.fields()) {
    if (name == "TableName" && value.type() == json::Type::kString) {
      // A search is always one of an index.
      const std::string index =
          operation == "SearchVectors" ? "/index/" + TextOf(root, "IndexName") : "";
      error = access.Refusal(ActionOfOperation(operation), std::string(value.string()) + index,
                             std::move(error));
    } else if (name == "RequestItems" && value.type() == json::Type::kObject) {
      for (const auto& [table, requests] : value.fields()) {
        error = access.Refusal(ActionOfOperation(operation), std::string(table), std::move(error));
      }
    } else if (name == "TransactItems" && value.type() == json::Type::kArray) {
      for (const json::Value item : value.elements()) {
        if (item.type() != json::Type::kObject) {
          continue;
        }
        for (const auto& [member, inner] : item.fields()) {
          error =
              access.Refusal(ActionOfMember(member), TextOf(inner, "TableName"), std::move(error));
        }
      }
    }
  }
  return error;
}

}  // namespace prejoin::wire
