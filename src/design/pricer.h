// Prices one space: private to pricing.h. entities.cc and patterns.cc have its two halves.
#ifndef PREJOIN_DESIGN_PRICER_H_
#define PREJOIN_DESIGN_PRICER_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "design/candidates.h"
#include "design/priced_space.h"

namespace prejoin::design {

// Single thread.
class Pricer {
 public:
  Pricer(const model::Model& logical, const Candidates& candidates, const PricingOptions& options);

  PricedSpace Run();

  // The real cost of the choice: its upkeep and these blocks, planned on all of it.
  TrueCost Evaluate(const DesignChoice& choice, const std::vector<const PricedBlock*>& blocks);

 private:
  // Asked before each thing that takes time.
  bool Stopped();

  // Entities whose items hold sums over another one's rows must be there when that one is priced.
  void FindCompanions();

  EntityChoice PlainChoice(const std::string& entity) const;

  DesignChoice With(const std::string& entity, const EntityChoice& choice) const;

  void Use(const DesignChoice& choice);

  // The cost of writes and storage under the choice.
  double Upkeep(const DesignChoice& choice);

  bool TooLarge(const std::string& entity, const DesignChoice& choice);

  // ---- Entities ----

  void AddEntity(const std::string& entity, const EntityCandidates& own);

  void AddViews(const std::string& entity, const EntityCandidates& own, int layout_number,
                double base);

  // The base key serves whatever the view would.
  static bool IsPrefix(const KeyShape& shape, const KeyShape& key);

  bool IsReadWithOthers(const std::string& entity) const;

  // The attributes that patterns would have to fetch from the table if the index kept only keys: none of it, what each needs, and
  // what several need together.
  std::set<std::set<std::string>> Payloads(const std::string& entity, const Layout& layout,
                                           const KeyShape& shape, bool local);

  // The attributes that a section would fetch after the only index; false when the index does not serve it.
  bool NeedsThrough(const model::Section& section, const std::string& entity,
                    std::set<std::string>& need) const;

  // Copies serve through an index only if it projects them.
  void NeedCopies(const model::Section& section, const std::string& entity,
                  std::set<std::string>& need) const;

  // The scratch model, with what the section joins to stored somewhere: accesses refuse what cannot be fetched.
  const model::Model& WithTargets(const model::Section& section) const;

  // Sets the shards of the layout's key, or of the view's, so that its hottest partition stays below the limit.
  void Cool(const std::string& entity, EntityChoice& choice, IndexView* view);

  // The part of the row's key that spreads best: its own, which is not in the partition.
  std::string ShardAttribute(const std::string& entity, const KeyShape& key) const;

  // An entity that may be without items must be in somebody's list.
  void AddStored(const std::string& entity, const EntityCandidates& own);

  const PricedFacility& At(int number) const;

  static bool HasList(const Layout& layout, const std::string& entity);

  bool IsTurnedRound(const std::string& entity, const Layout& layout) const;

  static std::vector<int> Sorted(std::vector<int> numbers);

  // ---- Patterns ----

  // A way to have the rows of an entity: its layout, and a view under it or -1.
  struct Way {
    int layout = -1;
    int view = -1;
  };

  std::vector<Way> WaysOf(const std::string& entity) const;

  void Choose(const Way& way, DesignChoice& choice) const;

  static void AddNeeds(const Way& way, std::vector<int>& needs);

  // Plans the part on the choice. False when it is not served as it asks to be.
  bool Price(const model::Pattern& part, const DesignChoice& choice, PricedAlternative& out,
             std::size_t* requests = nullptr);

  void AddPattern(const model::Pattern& pattern);

  std::vector<PricedAlternative> Singles(const model::Pattern& part);

  // The layout without items, with each layout of another entity that keeps these rows in a list.
  std::vector<std::pair<int, int>> ListWays(const std::string& entity) const;

  // Sections that one request answers.
  void AddJoint(const model::Pattern& pattern, PricedBlock& block);

  void AddShared(const model::Pattern& pattern, const std::vector<std::string>& group,
                 const std::map<std::string, std::vector<Way>>& by_entity, PricedBlock& block);

  void TryJoint(const model::Pattern& pattern, const std::set<std::string>& entities,
                const DesignChoice& choice, std::vector<int> needs, PricedBlock& block);

  // Drops alternatives that another one beats with fewer needs.
  static void Prune(PricedBlock& block);

  Unserved WhyNot(const model::Pattern& pattern, const model::Section& section) const;

  const Candidates candidates_;
  const PricingOptions options_;
  model::Model scratch_;
  mutable model::Model target_scratch_;
  PricedSpace space_;
  bool pricing_ = true;
  std::map<std::string, std::set<std::string>> companions_;
  std::map<std::string, std::vector<int>> of_entity_;  // Layouts.
  std::map<int, std::vector<int>> views_of_;
};

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_PRICER_H_
