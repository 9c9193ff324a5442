// The request for a design, and the report that comes back.
#ifndef PREJOIN_DESIGN_DESIGN_REPORT_H_
#define PREJOIN_DESIGN_DESIGN_REPORT_H_

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "design/choice.h"
#include "design/existing/change_path.h"
#include "design/preference.h"
#include "design/priced_space.h"
#include "model/bind/read_model.h"
#include "model/cost/cost.h"

namespace prejoin::design {

// The parts of index keys: GSI1PK and GSI1SK, which entities share; or attributes as they are. Any: whichever wins.
enum class KeyStyle { kAny, kGeneric, kNatural };

struct DesignOptions {
  model::Prices prices;
  Preference prefer = Preference::kCheapest;
  KeyStyle keys = KeyStyle::kAny;
  std::vector<std::string> keep;  // Entities and tables of the file whose items stay as they are.
  // A design is called as cheap as another one within this share of the bill or this money a month; the plainer one wins.
  double tie_share = 0.01;
  double tie_money = 5;
  double heat_max = 0.5;  // The hottest key takes at most this share of a partition at the peak.
  double seconds_max = 60;
  double proof_rows = 300;
  bool prove = true;       // False: only search, without proof and without changes to the existing design.
  bool brief = false;      // Only the preferred design, without reasons.
  bool intervals = false;  // Say how far each assumed figure may be wrong: several searches each.
  CandidateLimits candidates;
  std::function<void(const std::string& what)> progress;
  std::function<bool()> stop;  // True: give the best so far.
};

// One design, with everything that is known about it.
struct FoundDesign {
  std::vector<Preference> best_for;
  std::string note;  // "Payment split", "natural keys"; empty: nothing special.
  DesignChoice choice;
  std::string source;    // The whole file: the unchanged logical half, and the new physical half.
  std::string physical;  // Only the new half.
  model::ReadModelResult read;  // Of `source`.
  model::CostReport cost;
  double money = 0;  // Per month.
  double measured_money =
      0;             // The same with the units that were measured on generated rows; 0: not proved.
  double bound = 0;  // No design of the space costs less …
  bool optimal = false;  // … and this one is known to be the cheapest for its preference.
  double worst_rounds = 0;
  std::size_t indexes = 0;
  std::size_t copies = 0;  // Lists and copied attributes.
  double storage_bytes = 0;
  double hottest = 0;
  std::size_t warnings = 0;  // That `check` has of it.
  std::vector<std::string> why;
  // Constraints that it does not keep: keys without the tenant, a partition that is too hot.
  std::vector<std::string> violations;
  bool proved = false;
  std::size_t proof_rows = 0;
  std::vector<std::string> proof_problems;
};

// Designs whose totals differ by less than this count as equally expensive.
inline double TieOf(const DesignOptions& options, double money) {
  return std::max(options.tie_share * money, options.tie_money);
}

struct DesignReport {
  std::vector<std::string> assumed;  // Figures that the file does not state.
  std::vector<Unserved> unserved;
  std::vector<Unserved> dear;        // Served, but by reading far more than is returned.
  std::vector<FoundDesign> designs;  // The preferred one first; different from each other.
  bool stopped = false;              // Before the search ended by itself.
  double seconds = 0;
  std::size_t facilities = 0;
  std::uint64_t nodes = 0;
  // Why the design that the search liked best failed its proof, and its estimated cost. Empty: it was proved, or no other was either.
  std::vector<std::string> not_proved;
  double not_proved_money = 0;
  double cheapest_money = 0;  // The total of the cheapest design found, which a plainer one may replace.
  // True if the file has a physical half.
  bool had_design = false;
  bool keeps_file =
      false;  // Nothing found is cheaper by more than a tie: designs[0] is the file's.
  double money_before = 0;
  double measured_before = 0;  // As measured_money of a design.
  std::size_t unserved_before = 0;
  ChangePath changes;  // A few changes to it that achieve most of the saving of the best design.
};

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DESIGN_REPORT_H_
