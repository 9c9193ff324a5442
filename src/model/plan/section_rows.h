// The rows of one section of a plan: how many lie under its keys, how many its conditions let through, and how many are left at each
// step after that.
#ifndef PREJOIN_MODEL_PLAN_SECTION_ROWS_H_
#define PREJOIN_MODEL_PLAN_SECTION_ROWS_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "model/plan/access.h"
#include "model/plan/expectation.h"
#include "model/plan/plan.h"
#include "model/plan/skew/skew_cases.h"

namespace prejoin::model {

// Borrows what it is made of.
class SectionRows {
 public:
  SectionRows(Expectations& figures, const std::vector<const Access*>& accesses, const Plan& plan)
      : figures_(figures), model_(figures.model()), accesses_(accesses), plan_(plan) {}

  // The ways in which the rows are uneven, over the keys that requests come to and over values that they ask for.
  std::vector<SkewedKey> Skews() const;
  // All figures from now on are those of this case.
  void SetCase(const SkewCase& one) { case_ = &one; }

  const Section& SectionAt(std::size_t i) const { return plan_.pattern->sections[i]; }
  double RowsUnder(const Reference<Entity>& entity, const std::set<std::string>& bound) const;
  // Rows of section `i` under its keys, before filters.
  double UnderKeys(std::size_t i) const;
  // The rows that a range takes or leaves together, because they have one value of its attribute; 1: each by itself.
  double Together(std::size_t i) const;
  // The rows that section `i` reads at the end of `>` or `<` and discards: a sort key has no open ends.
  double AtBound(std::size_t i) const;
  // True if those come first in the direction of the request.
  bool BoundComesFirst(std::size_t i) const;
  // The values of a list in a key that rows have: more are asked for in vain.
  double ValuesFound(std::size_t i) const;
  // Rows that the conditions let through, without the limit.
  double Matches(std::size_t i) const;
  // Rows of the answer.
  double Answer(std::size_t i) const;
  // Rows of the section when its follow-ups begin.
  double ToFollow(std::size_t i) const;
  // Different items that a follow-up fetches.
  double Targets(std::size_t i, const FollowUp& follow_up) const;
  // The share of the rows under the equalities that one range keeps: by `returns`, or as is assumed of ranges.
  double ShareKept(std::size_t i, const Condition& condition) const;
  // What the section's conditions say of the rows that it reads by its keys.
  KnownRows KnownOf(std::size_t i) const;

 private:
  static const Reference<Entity>& EntityOf(const Section& section) { return section.searched(); }
  double DifferentValues(const Reference<Entity>& entity, const std::string& attribute,
                         std::size_t listed) const;
  double Returned(std::size_t i) const;
  double ShareOfRange(std::size_t i, const Condition& range) const;
  // The condition whose own value the key range includes, and the end where it does; nothing if there is none.
  struct ReadBound {
    const Condition* condition = nullptr;
    bool low = false;
  };
  ReadBound ReadBoundOf(std::size_t i) const;
  double ValueFactor(const Section& section, const Reference<Entity>& entity,
                     const std::set<std::string>& bound) const;
  double EqualShare(const Reference<Entity>& entity, const Condition& condition) const;
  double Limited(std::size_t i, double rows) const;
  double EqualsBehindKeys(std::size_t i, const Condition& condition) const;
  double KeptBeforeFetches(std::size_t i) const;

  Expectations& figures_;
  const Model& model_;
  const std::vector<const Access*>& accesses_;
  const Plan& plan_;
  const SkewCase* case_ = nullptr;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SECTION_ROWS_H_
