// Asks about the resources that the members of a request name. A request that lacks a member is refused by the operation itself, and so is
// one that has a member twice, so it does not matter which of the two is asked about here.
#include "wire/access_check.h"

#include <optional>
#include <utility>

#include "engine/table/table_build.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

// The text at a dotted path; nullopt if there is none.
std::optional<std::string_view> TextAt(json::Value value, std::string_view path) {
  while (true) {
    const std::size_t dot = path.find('.');
    const auto member = value.Find(path.substr(0, dot));
    if (!member) {
      return std::nullopt;
    }
    value = *member;
    if (dot == std::string_view::npos) {
      break;
    }
    path.remove_prefix(dot + 1);
  }
  return value.type() == json::Type::kString ? std::optional(value.string()) : std::nullopt;
}

std::string TextOf(json::Value root, std::string_view member) {
  return std::string(TextAt(root, member).value_or(""));
}

// An ARN stands for itself: one that is no table of ours is asked about as it is, and refused when it is read.
std::string ArnOf(const Options& options, std::string_view table) {
  return table.starts_with("arn:") ? std::string(table)
                                   : engine::TableArn(options, std::string(table));
}

std::string GlobalTableArn(const Options& options, std::string_view name) {
  return "arn:aws:dynamodb::" + options.account_id + ":global-table/" + std::string(name);
}

// Asks about the resources of one request, and notes them.
class ResourceCheck {
 public:
  ResourceCheck(engine::AccessControl& access, const Options& options, const NamedRequest& request)
      : access_(access), options_(options), request_(request) {}

  Status Ask(const NamedMember& member) {
    const auto text = TextAt(request_.root, member.path);
    if (!text) {
      return {};
    }
    switch (member.naming) {
      case Naming::kFilter:
        asked_.push_back(ArnOf(options_, *text));
        return {};
      case Naming::kTable:
        return Ask(ArnOf(options_, *text), member);
      case Naming::kArn:
        return Ask(std::string(*text), member);
      case Naming::kGlobalOnly:
        return Ask(GlobalTableArn(options_, *text), member);
      case Naming::kGlobalTable:
        PJ_RETURN_IF_ERROR(Ask(GlobalTableArn(options_, *text), member));
        return Ask(ArnOf(options_, *text), member);
      case Naming::kTableOrIndex:
        break;
    }
    std::string arn = ArnOf(options_, *text);
    const auto index = TextAt(request_.root, "IndexName");
    if (!index) {
      return Ask(std::move(arn), member);
    }
    asked_.push_back(arn);
    return Ask(arn.append("/index/").append(*index), member);
  }

  // The resource of an operation that names none.
  Status AskAll(const std::string& all) const {
    return access_.CheckResource(request_.operation, all);
  }

  // The permissions that members of the request need by themselves.
  Status AskMemberActions() const {
    for (const auto& [name, action] : request_.resources.member_actions) {
      const auto member = request_.root.Find(name);
      const bool is_empty = !member || member->is_null() ||
                            (member->type() == json::Type::kArray && member->size() == 0);
      if (!is_empty && !asked_.empty()) {
        PJ_RETURN_IF_ERROR(access_.CheckResource(action, asked_.front()));
      }
    }
    return {};
  }

  Status CheckPolicy() const {
    const std::string_view member = request_.resources.policy_member;
    const auto document =
        member.empty() ? std::optional<std::string_view>() : TextAt(request_.root, member);
    // A text that is no object at all is refused by the operation itself.
    return document && json::IsObject(*document) ? access_.CheckPolicyDocument(*document) : Status();
  }

  std::vector<std::string> Take() && { return std::move(asked_); }

 private:
  Status Ask(std::string arn, const NamedMember& member) {
    PJ_RETURN_IF_ERROR(access_.CheckResource(request_.operation, arn));
    for (const std::string_view action : member.also) {
      PJ_RETURN_IF_ERROR(access_.CheckResource(action, arn));
    }
    asked_.push_back(std::move(arn));
    return {};
  }

  engine::AccessControl& access_;
  const Options& options_;
  const NamedRequest& request_;
  std::vector<std::string> asked_;
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

// The tags that a request brings, for conditions. A malformed one is refused when it is read.
void ReadTags(json::Value root, engine::RequestTerms& terms) {
  if (const auto tags = root.Find("Tags"); tags && tags->type() == json::Type::kArray) {
    for (const json::Value tag : tags->elements()) {
      const auto key = TextAt(tag, "Key");
      if (key) {
        terms.tags.insert_or_assign(std::string(*key), TextOf(tag, "Value"));
        terms.tag_keys.emplace_back(*key);
      }
    }
  }
  if (const auto keys = root.Find("TagKeys"); keys && keys->type() == json::Type::kArray) {
    for (const json::Value key : keys->elements()) {
      if (key.type() == json::Type::kString) {
        terms.tag_keys.emplace_back(key.string());
      }
    }
  }
}

}  // namespace

engine::RequestTerms TermsOf(const NamedRequest& request) {
  engine::RequestTerms terms{.operation = request.operation,
                             .consumed_capacity = TextOf(request.root, "ReturnConsumedCapacity"),
                             .tags = {},
                             .tag_keys = {}};
  if (request.resources.about == About::kNamed) {
    ReadTags(request.root, terms);
  }
  return terms;
}

Result<std::vector<std::string>> CheckNamedResources(engine::AccessControl& access,
                                                     const Options& options,
                                                     const NamedRequest& request) {
  ResourceCheck check(access, options, request);
  const Resources& resources = request.resources;
  if (resources.about == About::kItems) {
    return std::vector<std::string>();
  }
  bool names_any = false;
  for (const NamedMember& member : resources.members) {
    names_any |= TextAt(request.root, member.path).has_value();
    PJ_RETURN_IF_ERROR(check.Ask(member));
  }
  switch (resources.about) {
    case About::kAllTables:
      PJ_RETURN_IF_ERROR(check.AskAll(engine::TableArn(options, "*")));
      break;
    case About::kNamedOrAll:
      PJ_RETURN_IF_ERROR(names_any ? Status() : check.AskAll("*"));
      break;
    case About::kAll:
      PJ_RETURN_IF_ERROR(check.AskAll("*"));
      break;
    case About::kItems:
    case About::kNamed:
      PJ_RETURN_IF_ERROR(check.AskMemberActions());
      PJ_RETURN_IF_ERROR(check.CheckPolicy());
      break;
  }
  return std::move(check).Take();
}

Error VisibleError(engine::AccessControl& access, const Options& options,
                   const NamedRequest& request, Error error) {
  const auto& [operation, resources, root] = request;
  if (resources.about != About::kItems || root.type() != json::Type::kObject) {
    return error;
  }
  const auto refuse = [&](engine::ItemAction action, std::string_view table,
                          const std::string& tail) {
    if (!table.empty()) {
      error = access.Refusal(action, ArnOf(options, table) + tail, std::move(error));
    }
  };
  for (const auto& [name, value] : root.fields()) {
    if (name == "TableName" && value.type() == json::Type::kString) {
      // A search is always one of an index.
      const bool has_index =
          operation == "SearchVectors" ||
          ((operation == "Query" || operation == "Scan") && TextAt(root, "IndexName").has_value());
      refuse(ActionOfOperation(operation), value.string(),
             has_index ? "/index/" + TextOf(root, "IndexName") : "");
    } else if (name == "RequestItems" && value.type() == json::Type::kObject) {
      for (const auto& [table, requests] : value.fields()) {
        refuse(ActionOfOperation(operation), table, "");
      }
    } else if (name == "TransactItems" && value.type() == json::Type::kArray) {
      for (const json::Value item : value.elements()) {
        if (item.type() != json::Type::kObject) {
          continue;
        }
        for (const auto& [member, inner] : item.fields()) {
          refuse(ActionOfMember(member), TextOf(inner, "TableName"), "");
        }
      }
    }
  }
  return error;
}

}  // namespace prejoin::wire
