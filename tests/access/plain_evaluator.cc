#include "tests/access/plain_evaluator.h"

#include <cstdlib>
#include <functional>

namespace prejoin::access {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// `\1` stands for a character that a variable brought, which is never a wildcard.
bool Glob(const std::string& pattern, std::size_t p, const std::string& text, std::size_t t) {
  if (p == pattern.size()) {
    return t == text.size();
  }
  if (pattern[p] == '*') {
    return Glob(pattern, p + 1, text, t) || (t < text.size() && Glob(pattern, p, text, t + 1));
  }
  if (t == text.size()) {
    return false;
  }
  if (pattern[p] == '\1') {
    return pattern[p + 1] == text[t] && Glob(pattern, p + 2, text, t + 1);
  }
  return (pattern[p] == '?' || pattern[p] == text[t]) && Glob(pattern, p + 1, text, t + 1);
}

bool Fill(std::string pattern, const PlainRequest& request, std::string& out) {
  out.clear();
  while (true) {
    const auto start = pattern.find("${");
    if (start == std::string::npos) {
      out += pattern;
      return true;
    }
    const auto end = pattern.find('}', start);
    const std::string name = Lower(pattern.substr(start + 2, end - start - 2));
    out += pattern.substr(0, start);
    pattern = pattern.substr(end + 1);
    const auto found = request.keys.find(name);
    if (found == request.keys.end() || found->second.size() != 1) {
      return false;
    }
    for (const char c : found->second[0]) {
      out += '\1';
      out += c;
    }
  }
}

std::string WithoutMarks(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\1') {
      out += c;
    }
  }
  return out;
}

bool FitsOne(const std::string& tested_by, const std::string& value, const std::string& wanted) {
  if (tested_by.find("Like") != std::string::npos) {
    return Glob(wanted, 0, value, 0);
  }
  const std::string plain = WithoutMarks(wanted);
  if (tested_by.find("IgnoreCase") != std::string::npos || tested_by == "Bool") {
    return Lower(value) == Lower(plain);
  }
  if (tested_by.starts_with("String")) {
    return value == plain;
  }
  const double left = std::atof(value.c_str());
  const double right = std::atof(plain.c_str());
  if (tested_by == "NumericLessThan") {
    return left < right;
  }
  if (tested_by == "NumericGreaterThanEquals") {
    return left >= right;
  }
  return left == right;
}

bool Holds(const PlainCondition& condition, const PlainRequest& request, bool allow) {
  const auto found = request.keys.find(Lower(condition.key));
  const bool there = found != request.keys.end() && !found->second.empty();
  if (condition.tested_by == "Null") {
    for (const std::string& value : condition.values) {
      if ((value == "true") != there) {
        return true;
      }
    }
    return false;
  }
  const bool negated = condition.tested_by.find("Not") != std::string::npos;
  if (!there) {
    if (condition.set == "ForAllValues:") {
      return true;
    }
    if (condition.set == "ForAnyValue:") {
      return condition.if_exists;
    }
    return condition.if_exists || negated;
  }
  int good = 0;
  for (const std::string& value : found->second) {
    bool fits = false;
    bool unknown = false;
    for (const std::string& wanted : condition.values) {
      std::string filled;
      if (!Fill(wanted, request, filled)) {
        unknown = true;
      } else if (FitsOne(condition.tested_by, value, filled)) {
        fits = true;
      }
    }
    if (negated && unknown && !fits) {
      good += allow ? 0 : 1;
    } else {
      good += fits != negated ? 1 : 0;
    }
  }
  const bool all = condition.set == "ForAllValues:" || (condition.set.empty() && allow);
  return all ? good == static_cast<int>(found->second.size()) : good > 0;
}

bool AnyMatches(const std::vector<std::string>& patterns, const std::string& text,
                const PlainRequest& request, bool lower) {
  for (const std::string& pattern : patterns) {
    std::string filled;
    if (Fill(pattern, request, filled) &&
        Glob(lower ? Lower(filled) : filled, 0, lower ? Lower(text) : text, 0)) {
      return true;
    }
  }
  return false;
}

bool AnyUnfilled(const std::vector<std::string>& patterns, const PlainRequest& request) {
  for (const std::string& pattern : patterns) {
    std::string filled;
    if (!Fill(pattern, request, filled)) {
      return true;
    }
  }
  return false;
}

enum class Who { kNobody, kDelegated, kWide, kInPerson };

Who Principal(const PlainStatement& statement, const PlainRequest& request) {
  if (statement.principals.empty()) {
    return Who::kWide;
  }
  bool everybody = false;
  bool in_person = false;
  bool role = false;
  bool account = false;
  for (const std::string& name : statement.principals) {
    everybody = everybody || name == "*";
    in_person = in_person || name == request.caller;
    role = role || (name == request.role && !name.empty());
    account = account || name == request.account;
  }
  if (statement.not_principal && statement.allow) {
    return everybody || in_person || role || account ? Who::kNobody : Who::kWide;
  }
  if (statement.not_principal) {
    const bool all = in_person && account && (role || request.role.empty());
    return (everybody || all) && !request.has_boundary ? Who::kNobody : Who::kWide;
  }
  return everybody || in_person ? Who::kInPerson
         : role                 ? Who::kWide
         : account              ? Who::kDelegated
                                : Who::kNobody;
}

bool Speaks(const PlainStatement& statement, const PlainRequest& request) {
  if (Principal(statement, request) == Who::kNobody ||
      AnyMatches(statement.actions, request.action, request, true) == statement.not_action) {
    return false;
  }
  const bool resource = AnyMatches(statement.resources, request.resource, request, false);
  if (statement.not_resource && !resource && AnyUnfilled(statement.resources, request)) {
    if (statement.allow) {
      return false;
    }
  } else if (resource == statement.not_resource) {
    return false;
  }
  for (const PlainCondition& condition : statement.conditions) {
    if (Lower(condition.key) == "aws:unheard" ? statement.allow
                                              : !Holds(condition, request, statement.allow)) {
      return false;
    }
  }
  return true;
}

bool Says(const PlainPolicy& policy, bool allow, const PlainRequest& request,
          Who at_least = Who::kDelegated) {
  for (const PlainStatement& statement : policy) {
    if (statement.allow == allow && Speaks(statement, request) &&
        Principal(statement, request) >= at_least) {
      return true;
    }
  }
  return false;
}

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

std::string List(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    out += (out.size() > 1 ? "," : "") + Quoted(text);
  }
  return out + "]";
}

}  // namespace

std::string PrintPolicy(const PlainPolicy& policy) {
  std::string out = R"({"Version":"2012-10-17","Statement":[)";
  bool first = true;
  for (const PlainStatement& statement : policy) {
    out += first ? "{" : ",{";
    first = false;
    out += R"("Effect":)" + Quoted(statement.allow ? "Allow" : "Deny");
    out += (statement.not_action ? R"(,"NotAction":)" : R"(,"Action":)") + List(statement.actions);
    out += (statement.not_resource ? R"(,"NotResource":)" : R"(,"Resource":)") +
           List(statement.resources);
    if (!statement.principals.empty()) {
      out += (statement.not_principal ? R"(,"NotPrincipal":{"AWS":)" : R"(,"Principal":{"AWS":)") +
             List(statement.principals) + "}";
    }
    out += R"(,"Condition":{)";
    bool first_condition = true;
    for (const PlainCondition& condition : statement.conditions) {
      out += first_condition ? "" : ",";
      first_condition = false;
      out += Quoted(condition.set + condition.tested_by + (condition.if_exists ? "IfExists" : "")) +
             ":{" + Quoted(condition.key) + ":" + List(condition.values) + "}";
    }
    out += "}}";
  }
  return out + "]}";
}

bool PlainAllows(const PlainPolicies& policies, const PlainRequest& request) {
  std::vector<PlainPolicy> all = policies.identity;
  for (const auto* one : {&policies.boundary, &policies.session, &policies.resource}) {
    if (*one) {
      all.push_back(**one);
    }
  }
  for (const PlainPolicy& policy : all) {
    if (Says(policy, false, request)) {
      return false;
    }
  }
  if (policies.resource && Says(*policies.resource, true, request, Who::kInPerson)) {
    return true;
  }
  bool allowed = policies.resource && Says(*policies.resource, true, request, Who::kWide);
  for (const PlainPolicy& policy : policies.identity) {
    allowed = allowed || Says(policy, true, request);
  }
  return allowed && (!policies.boundary || Says(*policies.boundary, true, request)) &&
         (!policies.session || Says(*policies.session, true, request));
}

}  // namespace prejoin::access
