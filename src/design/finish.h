// From a choice to a design that can be shown: text, read again, priced and proved.
#ifndef PREJOIN_DESIGN_FINISH_H_
#define PREJOIN_DESIGN_FINISH_H_

#include <string>
#include <string_view>
#include <vector>

#include "design/assemble.h"
#include "design/design_report.h"
#include "prejoin/result.h"

namespace prejoin::design {

struct FinishInput {
  std::string_view source;
  const model::ReadModelResult& read;
  const model::Model& logical;  // With assumed rates, without tables.
  const DesignChoice& choice;
  const AssembleOptions& assemble;
  const DesignOptions& options;
};

Result<FoundDesign> Finish(const FinishInput& input);

// One per second for each pattern and write whose rate is not stated; says which.
std::vector<std::string> AssumeRates(model::Model& model);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_FINISH_H_
