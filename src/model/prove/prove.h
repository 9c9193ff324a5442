// Proof by execution: every plan is run on a database and compared, row by row, with the relational
// answer; every predicted unit is compared with the measured one; writes are run and read back.
#ifndef PREJOIN_MODEL_PROVE_PROVE_H_
#define PREJOIN_MODEL_PROVE_PROVE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/plan/plan.h"
#include "model/prove/backend.h"
#include "model/prove/proof.h"

namespace prejoin::model {

struct ProveOptions {
  std::size_t argument_sets = 24;  // Taken from the data for each pattern, besides the examples.
  bool writes = true;
  bool hostile = true;  // Also tries hostile values, and writes on rows of their own.
  bool create_and_load = true;
  const Dataset* sample = nullptr;  // The rows that examples name; null: the data itself.
  // Loaded instead of the items that the rows make; `data` is what they hold.
  const std::vector<TableItems>* stored = nullptr;
  bool estimates =
      false;  // Also compares estimates with measurements; a difference fails the proof.
  bool compare_units = true;  // Endpoints that do not report capacity cannot be compared.
  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress;
  // Asked between two runs; true ends the proof with kUnavailable.
  std::function<bool()> give_up;
};

Result<ProofReport> Prove(const Model& model, const Dataset& data, Backend& backend,
                          const ProveOptions& options);

// Rows: 0 is the sample of the model.
struct ProofScale {
  double rows = 0;
  std::uint64_t seed = 1;
};
// On the sample, or on about that many generated rows. Where the sample has no rows that a pattern or write could work
// on, some are generated beside it, and the report says so. With generated rows the examples are left out, which are
// about the sample, and fewer arguments are tried.
Result<ProofReport> ProveAtScale(const Model& model, const ProofScale& scale, Backend& backend,
                                 ProveOptions options);

// Runs the patterns once more on a database whose global indexes have not seen any write yet, and notes in the report
// which answers lack rows there.
Status TryIndexLag(const Model& model, const ProofScale& scale, ProofReport& report);

// For a terminal.
std::string RenderProof(const ProofReport& report, bool verbose);
std::string ProofJson(const ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROVE_H_
