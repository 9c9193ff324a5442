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

namespace prejoin::model {

struct PatternProof {
  std::string name;
  std::string title;
  bool right = false;
  std::vector<std::string> problems;  // Missing and surplus rows, wrong order, wrong numbers.
  std::vector<std::string> requests;  // In words.
  std::string consistency;
  int runs = 0;
  std::size_t rows_found =
      0;  // In all runs together; a pattern that never found any is not proved.
  double requests_run = 0;
  std::size_t items_read = 0;
  std::size_t items_thrown_away = 0;
  std::size_t bytes_read = 0;
  double predicted_units = 0;
  double measured_units = 0;
};

struct WriteProof {
  std::string name;
  std::string title;
  bool right = false;
  std::vector<std::string> problems;
  std::size_t items_written = 0;
  std::string skipped;             // Why it could not be run here; empty if it was.
  bool guarded = false;            // Something that must be refused was tried, and was refused.
  std::vector<std::string> shown;  // What was tried and refused, in words.
  double predicted_units = 0;
  double measured_units = 0;
};

struct ProofReport {
  std::vector<PatternProof> patterns;
  std::vector<WriteProof> writes;
  std::size_t rows = 0;
  std::size_t items = 0;
  std::vector<std::string> generated;  // What was added because the sample is too thin, in words.
  std::vector<std::string> stored_problems;  // Of a proof on stored items: what is wrong with them.
  bool all_right = false;
};

struct ProveOptions {
  std::size_t argument_sets = 24;  // Taken from the data for each pattern, besides the examples.
  bool writes = true;
  bool create_and_load = true;
  const Dataset* sample = nullptr;  // What examples speak of; null: the data itself.
  // Loaded instead of the items that the rows make; `data` is what they hold.
  const std::vector<TableItems>* stored = nullptr;
  bool compare_units = true;        // Endpoints that do not report capacity cannot be compared.
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

// For a terminal.
std::string RenderProof(const ProofReport& report, bool verbose);
std::string ProofJson(const ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROVE_H_
