// The candidates of a model with their prices, as an integer program. Every figure in it comes from the planner and the cost model that
// `cost` and `check` use, asked about models that hold just the entities in question.
#ifndef PREJOIN_DESIGN_PRICED_SPACE_H_
#define PREJOIN_DESIGN_PRICED_SPACE_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "design/assemble.h"
#include "design/candidates.h"
#include "design/integer_program.h"
#include "model/cost/prices.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::design {

// Everything besides money that counts, in money per month. Small weights only break ties.
struct Weights {
  double money = 1;
  double index = 1e-4;    // For each view of an entity in an index.
  double extra = 1e-4;    // For each list or copy.
  double request = 1e-5;  // For each request of a pattern beyond the first …
  double round = 2e-5;    // … and each round.
  double untidy = 1e-3;   // For a sort by the application or a filter.
};

// A layout of an entity, or one of its views under that layout.
struct PricedFacility {
  std::string entity;
  Layout layout;
  bool is_view = false;
  IndexView view;
  double money = 0;
  int group = -1;
};

struct PricedAlternative {
  std::uint32_t covers = 0;
  std::vector<int> needs;
  double money = 0;
  double rounds = 0;
  double requests = 0;
  double untidy = 0;
};

struct PricedBlock {
  std::string pattern;  // Empty: that an entity is stored at all.
  int clients = 0;
  std::vector<std::size_t> sections;  // The pattern's sections, one for each client.
  std::vector<PricedAlternative> alternatives;
};

// A section that no candidate serves.
struct Unserved {
  std::string pattern;
  std::string why;
  std::string instead;
};

// The cost of a choice when all of it stands together: the sizes of items follow from all keys that they carry.
struct TrueCost {
  bool served = true;
  double money = 0;
  double upkeep = 0;  // The part of the money that writes and storage take.
  double rounds = 0;
  double requests = 0;
  double untidy = 0;
  double views = 0;
  double extras = 0;

  double Weighed(const Weights& weights) const;
};

struct PricedSpace {
  std::vector<PricedFacility> facilities;
  int groups = 0;
  std::vector<PricedBlock> blocks;
  std::vector<Unserved> unserved;
  bool complete = true;  // False when pricing was stopped: nothing can be chosen then.
  std::function<TrueCost(const DesignChoice&, const std::vector<const PricedBlock*>&)> evaluate;

  IntegerProgram ToProgram(const Weights& weights) const;
  DesignChoice ChoiceOf(const std::vector<bool>& open) const;
};

struct PricingOptions {
  AssembleOptions assemble;
  model::Prices prices;
  std::set<std::string> left_out;  // Entities that are not to be stored.
  double heat_max = 0.5;           // Share of a partition's limit at peak load.
  std::function<void(std::size_t done, std::size_t total)> progress;
  std::function<bool()> stop;
};

// Some sections of a pattern as a pattern of their own.
model::Pattern PartOf(const model::Pattern& pattern, const std::vector<std::size_t>& sections);

// Sorts by the application, and conditions that no key serves.
double Untidiness(const model::SectionPlan& section);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_PRICED_SPACE_H_
