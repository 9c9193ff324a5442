// From a choice to a design that can be shown: text, read again, priced and proved.
#ifndef PREJOIN_DESIGN_FINISH_H_
#define PREJOIN_DESIGN_FINISH_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "design/assemble.h"
#include "design/design_report.h"
#include "model/prove/measured_bill.h"
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
// The same for tables that come from elsewhere than the choice.
Result<FoundDesign> FinishTables(const FinishInput& input, std::vector<model::Table> tables);

// The same for the tables that the file has, with its text as it is.
Result<FoundDesign> FinishFile(const FinishInput& input);

// Every pattern and write, run on the file's sample and on generated rows.
struct ProofOutcome {
  std::size_t rows = 0;
  std::vector<std::string> problems;  // Empty: proved.
  std::set<std::string>
      found;  // Patterns that were right and found rows, on the sample or on generated rows.
};
Result<ProofOutcome> ProveDesign(const model::Model& model, double rows);

// Computes the bill from the units that the model's requests take on generated rows.
Result<model::MeasuredBill> MeasureDesign(const model::Model& model, const model::CostReport& cost);

// One per second for each pattern and write whose rate is not stated.
void AssumeRates(model::Model& model);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_FINISH_H_
