// Which patterns lose a row, or give it wrong, because of how its item is stored: each pattern's plan is run on the item
// as it is and on the item as it should be, and the two answers are compared.
#ifndef PREJOIN_AUDIT_LOST_ROWS_H_
#define PREJOIN_AUDIT_LOST_ROWS_H_

#include <string>
#include <vector>

#include "audit/item_check.h"
#include "model/plan/plan.h"
#include "model/prove/predictor.h"
#include "model/schema/model.h"

namespace prejoin::audit {

enum class LossKind { kLost, kSurplus, kWrong };

struct Loss {
  std::string pattern;
  LossKind kind = LossKind::kLost;
};

// Single thread.
class LossFinder {
 public:
  explicit LossFinder(const model::Model& model);

  std::vector<Loss> Compare(const CheckedItem& checked, const Item& stored) const;

  // Patterns that read `attribute` of the entity's items: as a key of the view they query, or as a part of the answer.
  std::vector<std::string> PatternsReading(const std::string& entity,
                                           const std::string& attribute) const;

 private:
  struct Twins;
  void Run(const model::Plan& plan, const model::Dataset& data, Twins& twins,
           std::vector<Loss>& losses) const;

  const model::Model model_;  // Without examples, which refer to the sample.
  std::vector<model::Plan> plans_;
};

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_LOST_ROWS_H_
