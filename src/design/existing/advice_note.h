// Explains where `design` picks another strategy for a relationship than the rules of `advise`, and why that is no contradiction.
#ifndef PREJOIN_DESIGN_EXISTING_ADVICE_NOTE_H_
#define PREJOIN_DESIGN_EXISTING_ADVICE_NOTE_H_

#include <string>
#include <vector>

#include "design/design_report.h"
#include "model/advise/advise.h"

namespace prejoin::design {

struct AdviceNote {
  std::string relationship;
  std::string picked;  // By the cheapest design; empty: it needs none for this relationship.
  std::string why;
};

// Only for relationships for which a recommended strategy is not in the design.
std::vector<AdviceNote> CompareAdvice(const std::vector<model::Advice>& advice,
                                      const DesignReport& report, const model::Prices& prices);
std::string RenderAdviceNotes(const std::vector<AdviceNote>& notes);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_EXISTING_ADVICE_NOTE_H_
