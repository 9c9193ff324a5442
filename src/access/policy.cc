#include "access/policy.h"

#include <absl/strings/match.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "access/condition_keys.h"
#include "json/reader.h"

namespace prejoin::access {
namespace {

Error Malformed(std::string message) {
  return Error{ErrorCode::kValidation, std::move(message),
               std::make_shared<const MalformedPolicy>()};
}

Error SyntaxError(const std::string& reason) {
  return Malformed("Syntax errors in policy. " + reason);
}

// A string, or a list of strings; numbers and booleans as conditions may have them.
Status ReadTexts(json::Value value, const std::string& where, std::vector<std::string>& out) {
  const auto add = [&](json::Value one) -> Status {
    switch (one.type()) {
      case json::Type::kString:
        out.emplace_back(one.string());
        return {};
      case json::Type::kBool:
        out.emplace_back(one.boolean() ? "true" : "false");
        return {};
      case json::Type::kInteger:
      case json::Type::kDecimal:
        out.push_back(one.number_text());
        return {};
      default:
        return SyntaxError(where + " holds something other than strings.");
    }
  };
  if (value.type() != json::Type::kArray) {
    return add(value);
  }
  for (const json::Value one : value.elements()) {
    PJ_RETURN_IF_ERROR(add(one));
  }
  return {};
}

// "arn:aws:iam::123456789012:root" and "123456789012" say the same; both are kept as the account.
std::string PrincipalName(std::string name) {
  constexpr std::string_view kBefore = "arn:aws:iam::";
  constexpr std::string_view kAfter = ":root";
  if (name.starts_with(kBefore) && name.ends_with(kAfter)) {
    return name.substr(kBefore.size(), name.size() - kBefore.size() - kAfter.size());
  }
  return name;
}

Status ReadPrincipals(json::Value value, bool excluded, Statement& statement) {
  NameList& list = statement.principals.emplace();
  list.excluded = excluded;
  if (value.type() == json::Type::kString) {
    if (value.string() != "*") {
      return SyntaxError("Principal is \"*\" or an object such as {\"AWS\": \"arn:…\"}.");
    }
    list.names = {"*"};
    return {};
  }
  if (value.type() != json::Type::kObject) {
    return SyntaxError("Principal is \"*\" or an object such as {\"AWS\": \"arn:…\"}.");
  }
  for (const auto& [kind, names] : value.fields()) {
    std::vector<std::string> texts;
    PJ_RETURN_IF_ERROR(ReadTexts(names, "Principal." + std::string(kind), texts));
    for (std::string& text : texts) {
      // Services and federated users are never the caller of a local server, but they stay in the list of a NotPrincipal.
      list.names.push_back(kind == "AWS" ? PrincipalName(std::move(text))
                                         : std::string(kind) + ":" + text);
    }
  }
  return {};
}

Status ReadOperator(std::string_view name, ConditionClause& clause) {
  std::string rest(name);
  if (absl::StartsWithIgnoreCase(rest, "ForAllValues:")) {
    clause.quantifier = Quantifier::kForAllValues;
  } else if (absl::StartsWithIgnoreCase(rest, "ForAnyValue:")) {
    clause.quantifier = Quantifier::kForAnyValue;
  }
  if (clause.quantifier != Quantifier::kNone) {
    rest.erase(0, rest.find(':') + 1);
  }
  if (absl::EndsWithIgnoreCase(rest, "IfExists")) {
    clause.if_exists = true;
    rest.resize(rest.size() - std::string_view("IfExists").size());
  }
  clause.tested_by = FindConditionOperator(rest);
  return clause.tested_by != nullptr
             ? Status()
             : SyntaxError("There is no condition operator " + std::string(name) + ".");
}

Status ReadConditions(json::Value value, Statement& statement) {
  if (value.type() != json::Type::kObject) {
    return SyntaxError("Condition is an object of operators.");
  }
  for (const auto& [name, keys] : value.fields()) {
    ConditionClause clause{.has_variables = statement.has_variables};
    PJ_RETURN_IF_ERROR(ReadOperator(name, clause));
    if (keys.type() != json::Type::kObject) {
      return SyntaxError("Condition." + std::string(name) + " is an object of condition keys.");
    }
    for (const auto& [key, values] : keys.fields()) {
      ConditionClause& added = statement.conditions.emplace_back(clause);
      added.key = key;
      PJ_RETURN_IF_ERROR(ReadTexts(values, "Condition." + std::string(key), added.values));
      added.is_known = IsDocumentedKey(key) &&
                       (!statement.has_variables || HaveOnly(added.values, IsDocumentedKey));
      added.Prepare();
    }
  }
  return {};
}

Status ReadEffect(json::Value value, Statement& statement) {
  const std::string_view text = value.type() == json::Type::kString ? value.string() : "";
  if (text != "Allow" && text != "Deny") {
    return SyntaxError("Effect is \"Allow\" or \"Deny\".");
  }
  statement.effect = text == "Allow" ? Effect::kAllow : Effect::kDeny;
  return {};
}

Status ReadElement(std::string_view name, json::Value value, Statement& statement) {
  if (name == "Sid") {
    std::vector<std::string> texts;
    PJ_RETURN_IF_ERROR(ReadTexts(value, "Sid", texts));
    statement.id = texts.empty() ? "" : std::move(texts.front());
    return {};
  }
  if (name == "Effect") {
    return ReadEffect(value, statement);
  }
  if (name == "Action" || name == "NotAction") {
    statement.actions.excluded = name == "NotAction";
    return ReadTexts(value, std::string(name), statement.actions.names);
  }
  if (name == "Resource" || name == "NotResource") {
    statement.resources.excluded = name == "NotResource";
    return ReadTexts(value, std::string(name), statement.resources.names);
  }
  if (name == "Principal" || name == "NotPrincipal") {
    return ReadPrincipals(value, name == "NotPrincipal", statement);
  }
  if (name == "Condition") {
    return ReadConditions(value, statement);
  }
  return SyntaxError("A statement has no element " + std::string(name) + ".");
}

// The members of an object, each once: of two that contradict each other the reader of the document may have seen the other one.
Status CheckNamedOnce(json::Value object) {
  std::set<std::string_view> names;
  for (const auto& [name, value] : object.fields()) {
    if (!names.insert(name).second) {
      return SyntaxError("The element " + std::string(name) + " occurs more than once.");
    }
  }
  return {};
}

Status CheckElements(json::Value value, const Statement& statement, PolicyKind kind) {
  for (const char* element : {"Action", "Resource", "Principal"}) {
    const std::string name = element;
    if (value.Find(name) && value.Find("Not" + name)) {
      return SyntaxError("A statement has both " + name + " and Not" + name + ".");
    }
  }
  if (!value.Find("Effect")) {
    return SyntaxError("A statement has no Effect.");
  }
  if (statement.actions.names.empty()) {
    return Malformed("Policy statement must contain actions.");
  }
  if (kind == PolicyKind::kIdentity) {
    if (statement.principals) {
      return Malformed("Policy document should not specify a principal.");
    }
    if (statement.resources.names.empty()) {
      return Malformed("Policy statement must contain resources.");
    }
  } else if (!statement.principals) {
    return Malformed("Missing required field Principal");
  }
  return {};
}

Result<Statement> ReadStatement(json::Value value, PolicyKind kind, bool has_variables) {
  if (value.type() != json::Type::kObject) {
    return SyntaxError("Statement is an object or a list of objects.");
  }
  PJ_RETURN_IF_ERROR(CheckNamedOnce(value));
  Statement statement;
  statement.has_variables = has_variables;
  for (const auto& [name, element] : value.fields()) {
    PJ_RETURN_IF_ERROR(ReadElement(name, element, statement));
  }
  PJ_RETURN_IF_ERROR(CheckElements(value, statement, kind));
  statement.has_unknown_resources =
      has_variables && !HaveOnly(statement.resources.names, IsDocumentedKey);
  if (statement.resources.names.empty()) {
    statement.resources.names = {"*"};  // The resource that the policy belongs to.
  }
  return statement;
}

}  // namespace

Result<Policy> Policy::Parse(std::string_view document, PolicyKind kind, std::string name) {
  // A policy of a table is read while the request that asks for it is.
  const auto parsed = json::Document::ParseAside(document);
  if (!parsed || parsed->root().type() != json::Type::kObject) {
    return SyntaxError("The document is not a JSON object.");
  }
  PJ_RETURN_IF_ERROR(CheckNamedOnce(parsed->root()));
  Policy policy{.name = std::move(name)};
  std::optional<json::Value> statements;
  bool has_variables = false;  // Version is 2008-10-17 where nothing is said.
  for (const auto& [element, value] : parsed->root().fields()) {
    if (element == "Version") {
      const std::string_view version = value.type() == json::Type::kString ? value.string() : "";
      if (version != "2012-10-17" && version != "2008-10-17") {
        return SyntaxError("Version is 2012-10-17 or 2008-10-17.");
      }
      has_variables = version == "2012-10-17";
    } else if (element == "Statement") {
      statements = value;
    } else if (element != "Id") {
      return SyntaxError("A document has no element " + std::string(element) + ".");
    }
  }
  if (!statements) {
    return SyntaxError("The document has no Statement.");
  }
  const auto add = [&](json::Value value) -> Status {
    PJ_ASSIGN_OR_RETURN(Statement statement, ReadStatement(value, kind, has_variables));
    policy.statements.push_back(std::move(statement));
    return {};
  };
  if (statements->type() == json::Type::kArray) {
    for (const json::Value value : statements->elements()) {
      PJ_RETURN_IF_ERROR(add(value));
    }
  } else {
    PJ_RETURN_IF_ERROR(add(*statements));
  }
  return policy;
}

Policy Policy::DenyAll(std::string name) {
  Policy policy{.name = std::move(name)};
  policy.statements.push_back({.id = "Unreadable",
                               .effect = Effect::kDeny,
                               .actions = {.names = {"*"}},
                               .resources = {.names = {"*"}},
                               .principals = std::nullopt,
                               .conditions = {}});
  return policy;
}

}  // namespace prejoin::access
