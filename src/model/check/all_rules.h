// The rules of all families together, for whoever lists, explains or suppresses them.
#ifndef PREJOIN_MODEL_CHECK_ALL_RULES_H_
#define PREJOIN_MODEL_CHECK_ALL_RULES_H_

#include <span>
#include <string>
#include <string_view>

#include "model/check/rule.h"

namespace prejoin::model {

// By id.
std::span<const Rule> AllRules();
// By id or name; null if there is none.
const Rule* FindRule(std::string_view id_or_name);
// For `check --explain`.
std::string ExplainRule(const Rule& rule);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_ALL_RULES_H_
