// The request for a design, and the report that comes back.
#ifndef PREJOIN_DESIGN_DESIGN_REPORT_H_
#define PREJOIN_DESIGN_DESIGN_REPORT_H_

#include <functional>
#include <string>
#include <vector>

#include "design/choice.h"
#include "design/existing/change_path.h"
#include "design/preference.h"
#include "design/priced_space.h"
#include "model/cost/cost.h"
#include "model/schema/read_model.h"

namespace prejoin::design {

// The parts of index keys: GSI1PK and GSI1SK, which entities share; or attributes as they are. Any: whichever wins.
enum class KeyStyle { kAny, kGeneric, kNatural };

struct DesignOptions {
  model::Prices prices;
  Preference prefer = Preference::kCheapest;
  KeyStyle keys = KeyStyle::kAny;
  std::vector<std::string> keep;  // Entities and tables of the file whose items stay as they are.
  double seconds_max = 60;
  double proof_rows = 300;
  bool prove = true;       // False: only search, without proof and changes of what exists.
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
  std::string source;    // The whole file: the logical half as it was, and the new physical half.
  std::string physical;  // Only the new half.
  model::ReadModelResult read;  // Of `source`.
  model::CostReport cost;
  double money = 0;      // Per month.
  double bound = 0;      // No design of the space costs less …
  bool optimal = false;  // … and this one is known to be the cheapest for its preference.
  double worst_rounds = 0;
  std::size_t indexes = 0;
  std::size_t copies = 0;  // Lists and copied attributes.
  double storage_bytes = 0;
  double hottest = 0;
  std::size_t warnings = 0;  // That `check` has of it.
  std::vector<std::string> why;
  bool proved = false;
  std::size_t proof_rows = 0;
  std::vector<std::string> proof_problems;
};

struct DesignReport {
  std::vector<std::string> assumed;  // Figures that the file does not state.
  std::vector<Unserved> unserved;
  std::vector<Unserved> dear;        // Served, but by reading far more than is returned.
  std::vector<FoundDesign> designs;  // The preferred one first; different from each other.
  bool stopped = false;              // Before the search ended by itself.
  double seconds = 0;
  std::size_t facilities = 0;
  std::uint64_t nodes = 0;
  // Of the physical half that the file has.
  bool had_design = false;
  double money_before = 0;
  std::size_t unserved_before = 0;
  ChangePath changes;  // Few changes of it that get most of what the best design saves.
};

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DESIGN_REPORT_H_
