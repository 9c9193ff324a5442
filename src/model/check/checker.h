// What the rules share, and one function for each group of rules.
#ifndef PREJOIN_MODEL_CHECK_CHECKER_H_
#define PREJOIN_MODEL_CHECK_CHECKER_H_

#include <string>
#include <vector>

#include "model/check/rule.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Single thread. Borrows the model.
struct Checker {
  const Model& model;
  std::vector<Plan> plans;  // One for each pattern.
  std::vector<Diagnostic> findings;

  void Report(std::string_view rule, const SourceSpan& at, std::string message,
              std::string suggestion = "");
};

void CheckKeys(Checker& checker);
void CheckSpelling(Checker& checker);
void CheckIndexes(Checker& checker);
void CheckPatterns(Checker& checker);
void CheckSizes(Checker& checker);
void CheckHeat(Checker& checker);
void CheckCopies(Checker& checker);
void CheckStrategies(Checker& checker);
void CheckSamples(Checker& checker);
void CheckTenant(Checker& checker);
void CheckConsistency(Checker& checker);

// "12.3", "1,234"
std::string Readable(double number);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_CHECKER_H_
