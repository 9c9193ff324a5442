// The outcome of a proof: for each pattern and write what was run, found and measured.
#ifndef PREJOIN_MODEL_PROVE_PROOF_H_
#define PREJOIN_MODEL_PROVE_PROOF_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/prove/compare_estimates.h"

namespace prejoin::model {

struct PatternProof {
  std::string name;
  std::string title;
  bool right = false;
  std::vector<std::string> problems;  // Missing and surplus rows, wrong order, wrong numbers.
  std::vector<std::string> requests;  // In words.
  bool strong = false;                // Strongly consistent reads.
  int runs = 0;
  std::size_t rows_found =
      0;  // In all runs together; a pattern that never found any is not proved.
  double requests_run = 0;
  std::size_t items_read = 0;
  std::size_t items_thrown_away = 0;
  std::size_t bytes_read = 0;
  double predicted_units = 0;
  double measured_units = 0;
  // True if an answer may lack the last write, because a global index follows later. Nullopt: not
  // tried.
  std::optional<bool> may_miss_last_write;
};

struct WriteProof {
  std::string name;
  std::string title;
  bool right = false;
  std::vector<std::string> problems;
  std::size_t items_written = 0;
  std::string skipped;             // Why it could not be run here; empty if it was.
  bool guarded = false;            // Something that must be refused was tried, and was refused.
  std::vector<std::string> shown;  // Writes that were tried and refused, in words.
  double predicted_units = 0;
  double measured_units = 0;
};

struct ProofReport {
  std::vector<PatternProof> patterns;
  std::vector<WriteProof> writes;
  std::size_t rows = 0;
  std::size_t items = 0;
  std::vector<std::string> generated;        // Rows added because the sample is too thin, in words.
  std::vector<std::string> stored_problems;  // For a proof on stored items: the problems found in them.
  std::vector<std::string> data_problems;  // Rows that the model allows and no table can hold.
  std::string rows_from;    // The sample, or generated and how; empty: the caller's own.
  bool tried_more = false;  // Hostile values, and writes beyond running them once.
  std::size_t hostile_rows = 0;     // Rows with hostile values that the patterns also ran on.
  std::size_t hostile_refused = 0;  // Rows with hostile values that a key refuses.
  std::size_t schedule_pairs = 0;  // Pairs of writes that were interleaved …
  std::size_t schedules = 0;       // … in so many orders of their requests.
  std::size_t schedules_cut = 0;   // Pairs with more orders than were tried.
  std::optional<EstimateComparison> estimates;  // Nullopt: not compared.
  bool all_right = false;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROOF_H_
