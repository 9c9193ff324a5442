// Policies once more, as plainly as they can be written: for comparison with src/access, of which this uses nothing.
#ifndef PREJOIN_TESTS_ACCESS_PLAIN_EVALUATOR_H_
#define PREJOIN_TESTS_ACCESS_PLAIN_EVALUATOR_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace prejoin::access {

struct PlainCondition {
  std::string set;        // "", "ForAllValues:" or "ForAnyValue:"
  std::string tested_by;  // "StringLike"
  bool if_exists = false;
  std::string key;
  std::vector<std::string> values;
};

struct PlainStatement {
  bool allow = true;
  bool not_action = false;
  std::vector<std::string> actions;
  bool not_resource = false;
  std::vector<std::string> resources;
  bool not_principal = false;
  std::vector<std::string> principals;  // Empty: an identity policy.
  std::vector<PlainCondition> conditions;
};

using PlainPolicy = std::vector<PlainStatement>;

struct PlainRequest {
  std::string action;
  std::string resource;
  std::string caller;
  std::string role;
  std::string account;
  std::map<std::string, std::vector<std::string>> keys;
  bool has_boundary = false;
};

struct PlainPolicies {
  std::vector<PlainPolicy> identity;
  std::optional<PlainPolicy> boundary;
  std::optional<PlainPolicy> session;
  std::optional<PlainPolicy> resource;
};

// The document as a person would write it.
std::string PrintPolicy(const PlainPolicy& policy);

bool PlainAllows(const PlainPolicies& policies, const PlainRequest& request);

}  // namespace prejoin::access

#endif  // PREJOIN_TESTS_ACCESS_PLAIN_EVALUATOR_H_
