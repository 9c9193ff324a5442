#include "draft/interview/unknown_counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace prejoin::draft {
namespace {

constexpr double kAssumed = 1000;

// Each row of `parent` has `average` rows of `child`.
struct Ratio {
  std::string parent;
  std::string child;
  double average = 1;
};

std::vector<Ratio> RatiosOf(const Draft& draft) {
  std::vector<Ratio> ratios;
  const auto add = [&](const std::string& parent, const std::string& child, double average) {
    // In a hierarchy of one entity the average counts only those that lead somebody.
    if (parent != child && average > 0) {
      ratios.push_back({parent, child, average});
    }
  };
  for (const DraftRelationship& one : draft.relationships) {
    if (one.kind == "many-to-many") {
      add(one.from, one.through, one.average);
      add(one.to, one.through, one.back_average);
    } else {
      add(one.from, one.to, one.kind == "one-to-one" ? 1 : one.average);
    }
  }
  return ratios;
}

class Filler {
 public:
  Filler(const std::set<std::string>& unknown, const Draft& draft) : ratios_(RatiosOf(draft)) {
    for (const DraftEntity& one : draft.entities) {
      // A link that the interview made has no count of its own: it follows from the averages.
      if (!unknown.contains(one.name) && one.count > 0) {
        rows_[one.name] = one.count;
      }
    }
    Follow(rows_);
    for (const DraftEntity& one : draft.entities) {
      if (!rows_.contains(one.name)) {
        rows_.merge(Assumed(one.name));
      }
    }
  }

  double RowsOf(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? kAssumed : std::max(1.0, std::round(found->second));
  }

 private:
  using Rows = std::map<std::string, double>;

  // Fills the counts that follow from those that are there by the averages: from parents to children first.
  void Follow(Rows& rows) const {
    while (std::ranges::any_of(ratios_, [&](const Ratio& one) { return Down(one, rows); }) ||
           std::ranges::any_of(ratios_, [&](const Ratio& one) { return Up(one, rows); })) {
    }
  }

  static bool Down(const Ratio& one, Rows& rows) {
    const auto parent = rows.find(one.parent);
    return parent != rows.end() && rows.emplace(one.child, parent->second * one.average).second;
  }

  static bool Up(const Ratio& one, Rows& rows) {
    const auto child = rows.find(one.child);
    return child != rows.end() && rows.emplace(one.parent, child->second / one.average).second;
  }

  // Everything that is related to an entity: the fewest rows are those assumed.
  Rows Assumed(const std::string& name) const {
    Rows rows = {{name, 1}};
    Follow(rows);
    const double fewest =
        std::ranges::min_element(rows, {}, [](const auto& one) { return one.second; })->second;
    for (auto& [entity, count] : rows) {
      count *= kAssumed / fewest;
    }
    return rows;
  }

  const std::vector<Ratio> ratios_;
  Rows rows_;
};

}  // namespace

void FillUnknownCounts(const std::set<std::string>& unknown, Draft& draft) {
  const Filler filler(unknown, draft);
  for (DraftEntity& one : draft.entities) {
    if (unknown.contains(one.name)) {
      one.count = filler.RowsOf(one.name);
    }
  }
}

}  // namespace prejoin::draft
