// The figures that the file lets us expect: rows of an entity, rows under a key, bytes of an entry, how
// requests spread over keys. Where the file is silent, a figure is assumed, and the assumption is kept
// with the line that would replace it. Planning, costs and findings all ask here, so they agree.
#ifndef PREJOIN_MODEL_PLAN_EXPECTATION_H_
#define PREJOIN_MODEL_PLAN_EXPECTATION_H_

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/plan/expected_units.h"
#include "model/plan/plan.h"
#include "model/schema/join.h"
#include "model/schema/model.h"

namespace prejoin::model {

// A figure that an estimate needed and the file does not state.
struct Assumption {
  std::string id;     // "distinct Order.status"; stable as long as the names are.
  std::string what;   // "`Order.status` has 10 different values"
  std::string place;  // "in `entity Order`"
  std::string line;   // The line that replaces it: "status text distinct 10"
  double value = 0;   // As used; 0.02 for 2%.
  SourceSpan at;
};

// Factors for assumed figures, by id: what an estimate would be if the guess were wrong.
using AssumptionFactors = std::map<std::string, double>;

// What is known of certain rows, such as those that a write changes or that a request finds.
struct KnownRows {
  std::set<std::string> there;   // Optional attributes that they have.
  std::set<std::string> absent;  // Those that they lack.
  std::map<std::string, double> value_bytes;  // By attribute: its size in these rows.
  std::map<std::string, double> inside;       // By entity: how many rows of it are inside their item.

  bool empty() const {
    return there.empty() && absent.empty() && value_bytes.empty() && inside.empty();
  }
};

// The spread of an entity's rows over the values of an attribute that names them.
struct RowSkew {
  Skew skew;
  double most = 0;  // Rows that one value can have; 0: no bound.
};

// One way in which the rows under a key are uneven: over the parents that the key names, or over the values of an
// attribute in it. Two entities under one parent have the same `of`.
struct SkewedKey {
  std::string of;     // "Customer", or "Order.status".
  double values = 1;  // That there are.
  RowSkew by;
  std::vector<double> shares = {};  // The stated share of each value, the largest first; empty: `by` says.
  bool met_evenly = false;  // Requests come to each of the values as often, because what they ask for is even.
};

// Figures of one model, each computed once. Borrows the model, which must not change meanwhile. Single thread.
class Expectations {
 public:
  // `scale`: of a business so many times as large; growth.cc says what that multiplies.
  explicit Expectations(const Model& model, AssumptionFactors factors = {}, double scale = 1)
      : model_(model), factors_(std::move(factors)), scale_(scale) {}

  // As `base`, with one assumed figure times `factor`; what does not rest on it is taken over.
  Expectations(const Expectations& base, const std::string& id, double factor);

  const Model& model() const { return model_; }
  double scale() const { return scale_; }

  // Returns the row count of an entity; a second layout stands for the entity it holds rows of. The count is
  // declared, or kept for so long at the rate of its puts, or derived from the relationships.
  double Count(const Reference<Entity>& entity);
  // The growth of an entity's rows at this scale: the scale itself, or less where the entity cannot grow so far.
  double Growth(const Reference<Entity>& entity);
  // The same for the result of Rows.
  double GrowthOfRows(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // Rows of `entity` for one value of each of `bound`.
  double Rows(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // The spread of rows of `child` over the rows of `ancestor`: by the relationship between them, or by the topmost
  // on the way. `attributes` of the child name the ancestor; empty: any do.
  RowSkew SkewUnder(const Reference<Entity>& child, const Reference<Entity>& ancestor,
                    const std::set<std::string>& attributes = {}) const;
  // The reason why Rows(entity, bound) averages different numbers; empty where the file states no skew.
  const std::vector<SkewedKey>& SkewsOf(const Reference<Entity>& entity,
                                        const std::set<std::string>& bound);
  // True if the rows under one value of each of `bound` vary by chance, because several attributes choose them, or because not all rows
  // have one.
  bool VariesByChance(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // True if that is because several attributes choose them.
  bool ChosenBySeveral(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // True if all rows that have these attributes are under one key.
  bool OneKey(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // The most rows there can be, by the declared bounds; 0 when no bound is declared.
  double Most(const Reference<Entity>& entity, const std::set<std::string>& bound);
  // The share of rows that have all of these attributes.
  double Presence(const Reference<Entity>& entity, const std::set<std::string>& attributes);
  // The same of rows of which something is known.
  double Presence(const Reference<Entity>& entity, std::set<std::string> attributes,
                  const KnownRows& known);
  // The share of an entity's rows that have an entry in the view: 1 but for sparse indexes and second layouts.
  double PresenceIn(const Reference<Entity>& entity, const View& view);
  // The same of rows that have certain attributes anyway, such as those that Rows() was asked for.
  double PresenceIn(const Reference<Entity>& entity, const View& view,
                    const std::set<std::string>& bound);
  double Distinct(const Reference<Entity>& entity, const std::string& attribute);
  double DaysOf(const Entity& entity, const Attribute& moment);
  // The share of an entity's rows with the attribute for which an equality or `in` holds, by the stated shares where it names values.
  double EqualShare(const Reference<Entity>& entity, const Condition& condition);
  // The factor on Rows of `bound` that arises because equalities on it name values that more or fewer rows have than the average one.
  double ValueFactor(const Reference<Entity>& entity, const std::vector<Condition>& conditions,
                     const std::set<std::string>& bound);
  // The share of rows that a condition other than equality keeps.
  double RangeShare(const Pattern& pattern, const Section& section, const Condition& condition);
  // The share of an entity's requests that goes to the most used value of these attributes together.
  double HottestShare(const Reference<Entity>& entity, const std::set<std::string>& attributes);
  double PeakOf(const Pattern& pattern);
  double PeakOf(const Write& write);
  // Average bytes of the entity's entry in a view: the item, or what an index keeps of it.
  double EntryBytes(const Reference<Entity>& entity, const View& view);
  // The same by the presence of optional attributes, as far as that makes a difference.
  const SizeShares& EntrySizes(const Reference<Entity>& entity, const View& view);
  // The same of rows of which something is known.
  SizeShares EntrySizes(const Reference<Entity>& entity, const View& view,
                        const KnownRows& known);
  // The largest an item can become by the declared sizes and bounds; negative when an embedded list has none.
  double LargestItemBytes(const Reference<Entity>& entity);

  // All that was assumed so far, in the order of need.
  const std::vector<Assumption>& assumptions() const { return assumptions_; }
  // Runs `work` and gives the ids of the assumptions that it needed, remembered figures included.
  std::set<std::string> NeededBy(const std::function<void()>& work);

 private:
  double Remember(const std::string& key, const std::function<double()>& compute);
  // The assumed figure, times its factor if there is one, and at most `most`.
  double Assume(Assumption assumption, double most);
  double PeakOf(const std::string& kind, const Name& name, double rate, double peak);

  double ComputeCount(const Entity& entity);  // Today's.
  double ComputeGrowth(const Entity& entity);
  double ComputeRows(const Entity& entity, const std::set<std::string>& bound);
  double ComputeDistinct(const Entity& entity, const Attribute& attribute);
  double ValuesPointedAt(const Attribute& attribute);
  double ValuesOfCountedKey(const Entity& entity, const Attribute& attribute);
  // For a value that is derived from an attribute: `at day`.
  double DerivedDistinct(const Entity& entity, const Attribute& derived);
  double ComputeEntryBytes(const Entity& entity, const View& view, const KnownRows& known);
  std::vector<SkewedKey> ComputeSkews(const Reference<Entity>& entity,
                                      const std::set<std::string>& bound);
  std::size_t ChoosingAttributes(const Reference<Entity>& entity,
                                 const std::set<std::string>& bound);
  SizeShares SplitSizes(const Entity& entity, double average, const View& view,
                        const KnownRows& known);
  double PutsPerSecond(const Reference<Entity>& entity) const;
  double HottestOf(const Reference<Entity>& entity, const std::set<std::string>& attributes);
  std::set<std::string> SpreadingOf(const Entity& entity, const std::set<std::string>& attributes);
  Skew SkewOf(const Entity& entity, const std::string& name,
              const std::set<std::string>& key) const;
  // Rows of `child` for one row of `ancestor`; nothing when no relationship says so.
  std::optional<double> DeclaredEach(const Reference<Entity>& child, const Reference<Entity>& ancestor,
                                     const std::set<std::string>& attributes, int depth);
  // Rows of an entity under one parent that some bound attributes name.
  struct Share {
    Reference<Entity> parent;
    double rows = 0;
    double most = 0;                   // 0: unbounded.
    std::set<std::string> attributes;  // Attributes of the child that name the parent.
  };
  std::vector<Share> SharesOf(const Entity& entity, const std::set<std::string>& bound);
  double ValueBytes(const Entity& entity, const StoredAttribute& stored, bool largest,
                    const KnownRows& known = {});

  const Model& model_;
  const AssumptionFactors factors_;
  const double scale_;
  std::unique_ptr<Expectations> today_;  // At scale 1, made when it is asked for.
  std::set<std::string> growing_;        // Entities whose growth is being computed.
  struct Known {
    double value = 0;
    std::set<std::string> needs;  // Ids of assumptions.
  };
  std::map<std::string, Known> known_;
  std::map<std::string, SizeShares> known_sizes_;
  std::deque<std::vector<SkewedKey>> known_skews_;
  std::vector<Assumption> assumptions_;
  std::unordered_set<std::string> assumed_;  // Their ids.
  std::vector<std::set<std::string>*> watchers_;
  int depth_ = 0;  // The depth of counts derived from counts; cycles are cut.
};

// For single questions; each starts from nothing.
double EntityCount(const Model& model, const Reference<Entity>& entity);
double ExpectedRows(const Model& model, const Reference<Entity>& entity,
                    const std::set<std::string>& bound);
double MostRows(const Model& model, const Reference<Entity>& entity,
                const std::set<std::string>& bound);
double ExpectedItemBytes(const Model& model, const Reference<Entity>& entity, const View& view);
double LargestItemBytes(const Model& model, const Reference<Entity>& entity);

// True if items of the entity appear in the view at all.
bool AppearsIn(const Model& model, const Reference<Entity>& entity, const View& view);

// Attributes of the item (stored names) that an index keeps.
bool IsProjected(const View& view, const std::string& stored_attribute);

// Attributes of the entity that the keys of a view are made of.
std::set<std::string> KeyAttributes(const Model& model, const Reference<Entity>& entity,
                                    const View& view);
// Attributes that a row must have to be in the view: for an entry of a second layout's item also those that make the item's key.
std::set<std::string> RequiredIn(const Model& model, const Reference<Entity>& entity,
                                 const View& view);

// Returns the number of rows of `child` per row of `parent`, as a relationship between the two states it; null: none does. Where
// two entities relate in two ways (a message's sender and its recipient), `attributes` of the child say in which; empty: in any.
const Cardinality* CardinalityBetween(const Model& model, const Reference<Entity>& child,
                                      const Reference<Entity>& parent,
                                      const std::set<std::string>& attributes = {});

// "Org.id"
std::string OriginText(const Model& model, const Entity& entity, const std::string& attribute);

// The part of the key that tells rows with the same other parts from each other: the deepest level of a hierarchy, else the last one that
// no figure limits, and that references nothing; null: there is none.
const Attribute* CountedKey(const Model& model, const Entity& entity);

// Days over which dates spread where the file does not say.
inline constexpr double kAssumedDays = 365;

// With all its flags, so that another figure can be added to it and nothing is lost.
std::string DeclarationOf(const Attribute& attribute);

// "in `entity Order`"
std::string PlaceOf(const Entity& entity);

// True if all names are bound; false for none.
bool Covers(const std::set<std::string>& bound, const std::vector<std::string>& names);

// True if a derived value tells nothing new: the value that it comes from is bound itself, or more of it.
bool IsImplied(const Entity& entity, const Attribute& derived, const std::set<std::string>& bound);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_EXPECTATION_H_
