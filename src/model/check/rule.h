// A rule of `prejoin check`: what it is called, how bad it is, why it matters, how to fix it.
#ifndef PREJOIN_MODEL_CHECK_RULE_H_
#define PREJOIN_MODEL_CHECK_RULE_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "model/syntax/diagnostic.h"

namespace prejoin::model {

struct Rule {
  std::string_view id;    // PJ101
  std::string_view name;  // unserved-pattern
  Severity severity;
  std::string_view summary;
  std::string_view why;
  std::string_view suggestion;
};

// The rule of a family's table by its id. An id that the table does not have does not compile.
template <std::size_t N>
consteval const Rule& RuleIn(const std::array<Rule, N>& family, std::string_view id) {
  std::size_t i = 0;
  while (family.at(i).id != id) {
    ++i;
  }
  return family.at(i);
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_RULE_H_
