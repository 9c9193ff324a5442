// One search: a logical half, one style of keys, all preferences. Private to design.h.
#ifndef PREJOIN_DESIGN_DESIGNER_H_
#define PREJOIN_DESIGN_DESIGNER_H_

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "design/design_report.h"
#include "design/priced_space.h"
#include "design/integer_program.h"

namespace prejoin::design {

// The space that is searched. Borrows everything.
struct DesignTask {
  std::string_view source;
  const model::ReadModelResult& read;  // Of `source`.
  AssembleOptions assemble;
  std::set<std::string> left_out;
  std::string
      note;  // The speciality of this space; empty for the file as it is, with generic keys.
  std::chrono::steady_clock::time_point start;
  bool tenant = true;  // Keys begin with the tenant where they can.
};

// Single thread.
class Designer {
 public:
  Designer(DesignTask task, const DesignOptions& options);

  // Prices the candidates and finds the cheapest design.
  Status Prepare();
  double money() const { return cheapest_money_; }
  // The total of the cheapest design found; money() is that of the plainest one that costs the same.
  double found_money() const { return found_money_; }
  double bound() const { return bound_; }
  bool stopped() const { return stopped_; }
  const PricedSpace& space() const { return space_; }
  const DesignTask& task() const { return task_; }
  // After Prepare.
  DesignChoice CheapestChoice() const { return space_.ChoiceOf(cheapest_.open); }
  // The cost of a choice, be it one of this search or of another; infinite if it does not serve every pattern.
  double MoneyOf(const DesignChoice& choice) const;
  std::uint64_t nodes() const { return nodes_; }

  // The design for a preference, proved; nothing when it is one of `known`, which then gets the preference too.
  Result<std::optional<FoundDesign>> Find(Preference preference, std::vector<FoundDesign>& known);

  // The purpose of each key and index, the cost of the next best, and when it stops to pay.
  std::vector<std::string> Why(const FoundDesign& design);

 private:
  bool Stop();
  Solution SolveFor(const Weights& weights, std::uint64_t nodes_max,
                    const std::vector<bool>& closed = {});
  TrueCost Evaluate(const Solution& solution) const;
  TrueCost EvaluateChoice(const DesignChoice& choice) const;
  bool PacksTighter(const DesignChoice& choice) const;
  void Tidy();
  std::string WhyLayout(const std::string& entity, const EntityChoice& choice);
  std::string WhyView(const std::string& entity, const IndexView& view);

  const DesignTask task_;
  const DesignOptions& options_;
  model::Model logical_;
  PricedSpace space_;
  Solution cheapest_;
  TrueCost cheapest_cost_;
  double cheapest_money_ = 0;
  double found_money_ = 0;
  double bound_ = 0;  // No design of the space costs less.
  bool stopped_ = false;
  std::uint64_t nodes_ = 0;
};

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DESIGNER_H_
