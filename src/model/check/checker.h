// The linter inside: what the rules share, and the families of rules. A new rule is a row in the table of
// its family's file and the code that reports it there.
#ifndef PREJOIN_MODEL_CHECK_CHECKER_H_
#define PREJOIN_MODEL_CHECK_CHECKER_H_

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/check/rule.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {

// Single thread. Borrows the model.
struct Checker {
  const Model& model;
  std::vector<Plan> plans;  // One for each pattern.
  EditPlacer placer;
  std::string_view source;
  std::vector<Diagnostic> findings;

  // The rule's own words are where a finding has no suggestion.
  void Report(const Rule& rule, const SourceSpan& at, std::string message,
              Suggestion suggestion = {});
  // A fix of keys, indexes or figures changes the design or its cost, so it is unsafe unless the rule says otherwise.
  void Report(const Rule& rule, const SourceSpan& at, std::string message, const Proposal& proposal,
              Applicability applicability = Applicability::kUnsafe);

  // The model with these edits made; nullopt if they have no place or the file cannot be read then.
  std::optional<Model> After(const std::vector<LineEdit>& edits) const;
};

// Another key, where the key stands in the file; else no proposal.
Proposal OtherKey(const ItemLayout& layout, const StoredAttribute& stored,
                  const StoredAttribute& now);

// The rules of one file, and the function that looks for violations.
struct RuleFamily {
  std::span<const Rule> rules;
  void (*check)(Checker&);
};

extern const RuleFamily kKeyFamily;
extern const RuleFamily kUniqueFamily;
extern const RuleFamily kSpellingFamily;
extern const RuleFamily kIndexFamily;
extern const RuleFamily kProjectionFamily;
extern const RuleFamily kPatternFamily;
extern const RuleFamily kSizeFamily;
extern const RuleFamily kLoadFamily;
extern const RuleFamily kWriteFamily;
extern const RuleFamily kStrategyFamily;
extern const RuleFamily kConsistencyFamily;

// In the order in which they run.
inline constexpr std::array kRuleFamilies = {
    &kKeyFamily,     &kUniqueFamily, &kSpellingFamily, &kIndexFamily,    &kProjectionFamily,
    &kPatternFamily, &kSizeFamily,   &kLoadFamily,     &kWriteFamily,    &kStrategyFamily,
    &kConsistencyFamily,
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_CHECKER_H_
