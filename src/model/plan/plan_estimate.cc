// The expected reads of a plan.
//
// Each request is followed as run_plan.cc sends it. A GetItem reads one item. A Query reads what lies between the least
// and the greatest key that its sections want (between_keys.h), other sections' and strangers' items included, or, with
// a Limit, page by page until every section has its rows. Where the file states skew, that is done for each kind of key
// that requests come to (skew_cases.h), and where bytes vary, units are expected units (expected_units.h).
#include "model/plan/plan_estimate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/limits.h"
#include "model/plan/between_keys.h"
#include "model/plan/expectation.h"
#include "model/plan/local_fetch.h"
#include "model/plan/range_shares.h"
#include "model/plan/shape_requests.h"
#include "model/plan/skew/skew_cases.h"

namespace prejoin::model {
namespace {

constexpr double kRowsLeast = 1e-3;
constexpr double kRounding = 1e-9;

// The items that a Query reads of one layout, in one of its parallel requests.
struct Reading {
  const ItemLayout* layout = nullptr;
  double rows = 0;
  double before = 0;  // The ones on the way to the last section.
  Variation variation = Variation::kEven;
};

class Estimator {
 public:
  Estimator(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan)
      : figures_(figures), model_(figures.model()), accesses_(accesses), plan_(plan) {}

  void Run() {
    std::vector<SkewedKey> skews;
    for (const Access* access : accesses_) {
      for (const SkewedKey& key : figures_.SkewsOf(access->plan.item_entity, access->bound)) {
        skews.push_back(key);
      }
    }
    ShapeRequests(figures_, accesses_, plan_);
    // The first case is that of the most used keys.
    hottest_ = true;
    for (const SkewCase& one : SkewCasesOf(figures_, skews)) {
      case_ = one;
      RunCase();
      hottest_ = false;
    }
  }

 private:
  void RunCase() {
    // The pages of one Query follow each other; shards and values of a list are asked at the same time.
    std::vector<double> pages;
    for (const Request& request : plan_.requests) {
      pages.push_back(EstimateRequest(request));
    }
    double rounds = 1;
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      plan_.estimate.items_returned += case_.weight * ExpectedAnswer(i);
      rounds = std::max(rounds, pages[plan_.sections[i].request] + EstimateFollowUps(i));
    }
    plan_.estimate.rounds += case_.weight * rounds;
  }

  const Section& SectionAt(std::size_t i) const { return plan_.pattern->sections[i]; }

  double RowsUnder(const Reference<Entity>& entity, const std::set<std::string>& bound) const {
    return RowsInCase(figures_, case_, entity, bound);
  }

  // Rows of section `i` under its keys, before filters.
  double ExpectedUnderKeys(std::size_t i) const {
    const Access& access = *accesses_[i];
    if (access.plan.embedded != nullptr) {
      return 1;
    }
    const Section& section = SectionAt(i);
    // Without filters, all that is read is returned.
    if (section.returns && access.plan.filters.empty() && section.via.text.empty()) {
      return Returned(i);
    }
    double rows = RowsUnder(access.plan.item_entity, access.bound) *
                  DifferentValues(access.plan.item_entity, access.request.in_attribute,
                                  std::max<std::size_t>(1, access.request.in_operands.size())) *
                  figures_.ValueFactor(access.plan.item_entity, section.conditions, access.bound);
    // A range on the sort key reads part of the items under the prefix.
    for (const Condition& condition : section.conditions) {
      if (HasRange(access.request.ranges[0]) && IsRange(condition.comparison) &&
          (access.narrowed.contains(condition.attribute.text) ||
           !std::ranges::count(access.plan.filters, condition.attribute.text))) {
        rows *= ShareOfRange(i, condition);
      }
    }
    // A sparse index holds no others.
    for (const std::string& name : access.sparse) {
      if (!access.bound.contains(name)) {
        rows *= figures_.Presence(access.plan.item_entity, {name});
      }
    }
    return std::max({rows, section.returns ? Returned(i) : 0, kRowsLeast});
  }

  // Returns the number of values that `in` lists.
  double DifferentValues(const Reference<Entity>& entity, const std::string& attribute,
                         std::size_t listed) const {
    const auto values = static_cast<double>(listed);
    return listed < 2 ? values : std::min(values, figures_.Distinct(entity, attribute));
  }

  static bool HasRange(const SortRange& range) {
    return range.kind == RangeKind::kBetween || range.kind == RangeKind::kBeginsWith;
  }

  // `returns ~20` is said of today's data: an answer grows as the rows do that it is taken from.
  double Returned(std::size_t i) const {
    const Section& section = SectionAt(i);
    return *section.returns * figures_.GrowthOfRows(EntityOf(section), EqualNames(section));
  }

  static const Reference<Entity>& EntityOf(const Section& section) { return section.searched(); }

  static std::set<std::string> EqualNames(const Section& section) {
    std::set<std::string> bound;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison == Comparison::kEqual) {
        bound.insert(condition.attribute.text);
      }
    }
    return bound;
  }

  // The share of the rows under the equalities that one range keeps: by `returns`, or as is assumed of ranges.
  double ShareKept(std::size_t i, const Condition& condition) const {
    const Section& section = SectionAt(i);
    if (!section.returns) {
      return figures_.RangeShare(*plan_.pattern, section, condition);
    }
    const auto ranges = static_cast<double>(std::ranges::count_if(
        section.conditions, [](const Condition& one) { return IsRange(one.comparison); }));
    const double all = figures_.Rows(EntityOf(section), EqualNames(section));
    return std::pow(std::min(1.0, Returned(i) / std::max(all, kRowsLeast)),
                    1 / std::max(1.0, ranges));
  }

  // The share of the rows under the keys that a range reads. `at day = :day and at >= :since` with the day as a filter
  // begins in the day and reads all later days too.
  double ShareOfRange(std::size_t i, const Condition& range) const {
    const double kept = ShareKept(i, range);
    const bool one_sided =
        range.comparison != Comparison::kBetween && range.comparison != Comparison::kBeginsWith;
    const double parts =
        PartsOfRange(figures_, SectionAt(i), accesses_[i]->plan.filters, range.attribute.text);
    return kept / parts + (one_sided ? (1 - 1 / parts) / 2 : 0);
  }

  // Rows that the conditions let through, without the limit.
  double ExpectedMatches(std::size_t i) const {
    const Section& section = SectionAt(i);
    if (section.returns) {
      return Returned(i);
    }
    std::set<std::string> bound;
    double factor = 1;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison == Comparison::kEqual) {
        bound.insert(condition.attribute.text);
      } else if (condition.comparison == Comparison::kIn) {
        bound.insert(condition.attribute.text);
        factor *=
            DifferentValues(EntityOf(section), condition.attribute.text, condition.operands.size());
      } else {
        factor *= figures_.RangeShare(*plan_.pattern, section, condition);
      }
    }
    factor *= figures_.ValueFactor(EntityOf(section), section.conditions, bound);
    return std::max(kRowsLeast, factor * RowsUnder(EntityOf(section), bound));
  }

  double ExpectedAnswer(std::size_t i) const {
    const Section& section = SectionAt(i);
    double rows = ExpectedMatches(i);
    if (section.limit) {
      rows = std::min(rows, static_cast<double>(*section.limit));
    }
    // Never more than was read; rows inside a list come with one item.
    return accesses_[i]->plan.embedded != nullptr
               ? std::min(rows, 1.0)
               : std::min(rows, Limited(i, ExpectedUnderKeys(i)));
  }

  void Count(double requests, double items, double bytes, double units) {
    plan_.estimate.requests += case_.weight * requests;
    plan_.estimate.items_read += case_.weight * items;
    plan_.estimate.bytes_read += case_.weight * bytes;
    plan_.estimate.read_units += case_.weight * units;
    plan_.estimate.hottest_units += hottest_ ? units : 0;
  }

  // Gives the pages that each of its parallel requests takes.
  double EstimateRequest(const Request& request) {
    if (request.kind == RequestKind::kScan) {
      return EstimateScan(request);
    }
    const double fan_out =
        static_cast<double>(request.shards) *
        static_cast<double>(std::max<std::size_t>(1, request.in_operands.size()));
    const std::vector<Reading> readings = request.kind == RequestKind::kGetItem
                                              ? ReadingsOfGet(request, fan_out)
                                              : ReadingsOfQuery(request, fan_out);
    if (request.limit) {
      return EstimatePages(request, readings, fan_out);
    }
    RequestBytes read;
    for (const Reading& reading : readings) {
      read.Add(reading.rows, reading.variation,
               figures_.EntrySizes(reading.layout->entity, request.view));
    }
    const double pages = read.Pages();
    Count(fan_out * pages, fan_out * read.items(), fan_out * read.bytes(),
          fan_out * read.Units(request.consistent));
    return pages;
  }

  std::vector<Reading> ReadingsOfGet(const Request& request, double fan_out) const {
    const std::size_t i = request.sections[0];
    const Reference<Entity>& entity = accesses_[i]->plan.item_entity;
    return {
        {model_.FindPlacement(entity).layout, ExpectedUnderKeys(i) / fan_out, 0, Variation::kEven}};
  }

  std::vector<Reading> ReadingsOfQuery(const Request& request, double fan_out) {
    std::vector<Reading> readings;
    const std::optional<std::size_t> last = LastReached(request);
    for (const ItemLayout& layout : request.view.table->items) {
      const Reference<Entity>& entity = layout.entity;
      if (!AppearsIn(model_, entity, request.view)) {
        continue;
      }
      const std::set<std::string> bound = PartitionAttributes(request.view, layout);
      const KeysInPartition keys(
          layout, request,
          [&](const Operand& operand, Side side) {
            return ShareBesideOperand(request, operand, side);
          },
          [&](const std::string& attribute, const Operand& operand) {
            return ShareWithOperand(figures_, *plan_.pattern, request, {entity, bound}, attribute, operand);
          });
      if (!keys.fits()) {
        continue;
      }
      const double all =
          RowsUnder(entity, bound) * figures_.PresenceIn(entity, request.view) / request.shards;
      Reading reading{&layout, all * keys.ShareRead(), 0, VariationOf(request, entity, bound)};
      reading.before = last ? all * keys.ShareBefore(RangeAt(request, *last)) : 0;
      AddWanted(request, fan_out, reading);
      if (reading.rows > 0) {
        readings.push_back(reading);
      }
    }
    return readings;
  }

  // The items of a layout that the sections need: at least all that are read where one section reads its range alone.
  void AddWanted(const Request& request, double fan_out, Reading& reading) {
    double wanted = 0;
    bool any = false;
    for (const std::size_t i : request.sections) {
      if (!(accesses_[i]->plan.item_entity == reading.layout->entity)) {
        continue;
      }
      any = true;
      wanted += ExpectedUnderKeys(i) / fan_out;
      if (request.sections.size() == 1) {
        reading.variation = VariationOf(request, reading.layout->entity, accesses_[i]->bound);
      }
    }
    if (!any) {
      NoteThrownAway(reading);
      return;
    }
    reading.rows = request.sections.size() == 1 ? wanted : std::max(reading.rows, wanted);
  }

  void NoteThrownAway(const Reading& reading) {
    const std::string& entity = reading.layout->entity.text;
    if (reading.rows > 0 && !std::ranges::count(plan_.thrown_away, entity)) {
      plan_.thrown_away.push_back(entity);
    }
  }

  Variation VariationOf(const Request& request, const Reference<Entity>& entity,
                        const std::set<std::string>& bound) const {
    const bool chance = request.shards > 1 || figures_.VariesByChance(entity, bound);
    return chance ? Variation::kByChance : Variation::kEven;
  }

  // Half of all rows are on either side of any one of them; on one side of a range's bound is what the range keeps.
  double ShareBesideOperand(const Request& request, const Operand& operand, Side side) const {
    const auto same = [&](const Operand& one) {
      return one.parameter == operand.parameter &&
             (!one.parameter.empty() || one.literal == operand.literal);
    };
    for (const std::size_t i : request.sections) {
      for (const Condition& condition : SectionAt(i).conditions) {
        const auto found = std::ranges::find_if(condition.operands, same);
        if (found == condition.operands.end() || !IsRange(condition.comparison)) {
          continue;
        }
        const double kept = ShareKept(i, condition);
        const bool up = side == Side::kAtOrAbove;
        switch (condition.comparison) {
          case Comparison::kGreater:
          case Comparison::kGreaterOrEqual:
            return up ? kept : 1 - kept;
          case Comparison::kLess:
          case Comparison::kLessOrEqual:
            return up ? 1 - kept : kept;
          case Comparison::kBeginsWith:
            return (1 + kept) / 2;
          default: {
            const bool low = found == condition.operands.begin();
            return low == up ? (1 + kept) / 2 : (1 - kept) / 2;
          }
        }
      }
    }
    return 0.5;
  }

  // With a Limit the request is sent again until every section has its rows, or nothing is left.
  double EstimatePages(const Request& request, const std::vector<Reading>& readings,
                       double fan_out) {
    const auto limit = static_cast<double>(*request.limit);
    double all = 0;
    for (const Reading& reading : readings) {
      all += reading.rows;
    }
    const Need need = NeedOf(request, readings);
    double pages = 1;
    double items = all;
    if (need.items < all - kRounding) {
      // Items are whole: half an item is no page more.
      pages =
          ExpectedSteps(need.deviation > 0 ? need.items - 0.5 : need.items, need.deviation, limit);
      items = std::min(all, pages * limit);
    } else if (all >= limit) {
      pages = need.satisfied ? std::ceil(all / limit - kRounding) : std::floor(all / limit) + 1;
    }
    double way = 0;  // The items on the way, by layout.
    for (const Reading& reading : readings) {
      way += WayOf(reading, need);
    }
    RequestBytes page;
    for (const Reading& reading : readings) {
      const double part = way > 0 ? items / pages * WayOf(reading, need) / way : 0;
      page.Add(part, all < limit ? reading.variation : Variation::kEven,
               figures_.EntrySizes(reading.layout->entity, request.view));
    }
    Count(fan_out * pages, fan_out * items, fan_out * pages * page.bytes(),
          fan_out * pages * page.Units(request.consistent));
    return pages;
  }

  // Finds how far a limited Query must read.
  struct Need {
    double items = 0;
    double deviation = 0;
    bool satisfied = true;  // The rows that are wanted exist.
    const ItemLayout* last =
        nullptr;  // The layout of the last of several sections; null: one section.
    double last_rows = 0;
  };

  static double WayOf(const Reading& reading, const Need& need) {
    if (need.last == nullptr) {
      return reading.rows;
    }
    return reading.before + (reading.layout == need.last ? need.last_rows : 0);
  }

  Need NeedOf(const Request& request, const std::vector<Reading>& readings) const {
    Need need;
    const std::optional<std::size_t> at = LastReached(request);
    const std::size_t i = request.sections[at.value_or(0)];
    const Access& access = *accesses_[i];
    const double rows = ExpectedUnderKeys(i);
    const double wanted = access.exact ? 1 : static_cast<double>(SectionAt(i).limit.value_or(1));
    const double kept =
        access.plan.filters.empty()
            ? 1
            : std::clamp(ExpectedMatches(i) / std::max(rows, kRowsLeast), 1e-6, 1.0);
    need.satisfied = rows * kept >= wanted - kRounding;
    need.items = std::min(rows, wanted / kept);
    need.deviation = kept < 1 ? std::sqrt(wanted * (1 - kept)) / kept : 0;
    double own = 0;
    double strange = 0;
    for (const Reading& reading : readings) {
      const bool is_own = reading.layout->entity == access.plan.item_entity;
      (is_own ? own : strange) += at ? 0 : reading.rows;
      need.last = at && is_own ? reading.layout : need.last;
    }
    need.last_rows = need.items;
    if (!at) {
      // Strangers are met by chance.
      if (own > 0 && strange > 0) {
        const double share = own / (own + strange);
        need.items /= share;
        need.deviation =
            std::sqrt(need.deviation * need.deviation + wanted * (1 - share) / (share * share));
      }
      return need;
    }
    for (const Reading& reading : readings) {
      need.items += reading.before;
      // One key among its like can be anywhere.
      constexpr double kUniformDeviation = 0.29;
      if (access.exact && reading.layout == need.last) {
        need.deviation = std::max(need.deviation, 2 * kUniformDeviation * reading.before);
      }
    }
    return need;
  }

  // For several sections that one limited Query reads: which of them comes last in its direction. Page by page it
  // continues until each has its rows.
  std::optional<std::size_t> LastReached(const Request& request) const {
    if (!request.limit || request.sections.size() < 2) {
      return std::nullopt;
    }
    std::size_t last = 0;
    for (std::size_t at = 0; at < request.sections.size(); ++at) {
      const int order =
          CompareExpressions(LowOf(RangeAt(request, at)), LowOf(RangeAt(request, last)))
              .value_or(0);
      if (request.descending ? order < 0 : order > 0) {
        last = at;
      }
    }
    return last;
  }

  // The range that a section of the request wants, also where the request has none because all of the partition is read.
  const SortRange& RangeAt(const Request& request, std::size_t at) const {
    return accesses_[request.sections[at]]->request.ranges[0];
  }

  // The whole table, page by page.
  double EstimateScan(const Request& request) {
    RequestBytes read;
    for (const ItemLayout& layout : request.view.table->items) {
      const Reference<Entity>& entity = layout.entity;
      const double count = figures_.Count(entity) * figures_.PresenceIn(entity, request.view);
      read.Add(count, Variation::kEven, figures_.EntrySizes(entity, request.view));
      if (!(entity == accesses_[request.sections[0]]->plan.item_entity)) {
        NoteThrownAway({&layout, count, 0, Variation::kEven});
      }
    }
    const double pages = read.Pages();
    Count(pages, read.items(), read.bytes(), read.Units(request.consistent));
    return pages;
  }

  // A limit stops the reading; with a filter, when enough rows have passed it, page by page.
  double Limited(std::size_t i, double rows) const {
    const Section& section = SectionAt(i);
    if (!section.limit || !section.via.text.empty() || accesses_[i]->plan.client_sort) {
      return rows;
    }
    const double limit = static_cast<double>(*section.limit);
    if (accesses_[i]->plan.filters.empty()) {
      return std::min(rows, limit);
    }
    const double kept = std::min(1.0, ExpectedMatches(i) / std::max(rows, 1e-3));
    return std::min(rows, limit * std::ceil(1 / std::max(kept, 1e-6)));
  }

  // Rows of a section when its follow-ups begin.
  double RowsToFollow(std::size_t i) const {
    const Request& request = plan_.requests[plan_.sections[i].request];
    return request.limit || LimitsBeforeFollowUps(plan_.sections[i], SectionAt(i))
               ? ExpectedAnswer(i)
               : std::min(ExpectedMatches(i), accesses_[i]->plan.embedded != nullptr
                                                  ? ExpectedMatches(i)
                                                  : ExpectedUnderKeys(i));
  }

  // The share of the rows under the keys that have the value: what a key has of it, such as its beginning, is settled already.
  double EqualsBehindKeys(std::size_t i, const Condition& condition) const {
    const Reference<Entity>& entity = EntityOf(SectionAt(i));
    const std::string& name = condition.attribute.text;
    double settled = 1;
    for (const std::string& bound : accesses_[i]->bound) {
      const Attribute* attribute = model_.At(entity).Find(bound);
      if (attribute != nullptr && attribute->derived_from == name) {
        settled = std::max(settled, figures_.Distinct(entity, bound));
      }
    }
    const double share = figures_.Presence(entity, {name}) * figures_.EqualShare(entity, condition);
    return std::min(1.0, share * settled);
  }

  // The share of the rows kept by the filters that need no follow-up.
  double KeptBefore(std::size_t i, const FollowUp& follow_up) const {
    const Section& section = SectionAt(i);
    double kept = 1;
    for (const Condition& condition : section.conditions) {
      const std::string& name = condition.attribute.text;
      if (!std::ranges::count(accesses_[i]->plan.filters, name) ||
          std::ranges::count(follow_up.reasons, name)) {
        continue;
      }
      const bool equal =
          condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn;
      kept *= equal ? EqualsBehindKeys(i, condition) : ShareKept(i, condition);
    }
    return kept;
  }

  // Different rows that the section's rows point at: each is fetched once.
  double ExpectedTargets(std::size_t i, const FollowUp& follow_up) const {
    const Reference<Entity>& entity = EntityOf(SectionAt(i));
    // A fetch comes before the filters that need it.
    if (follow_up.kind == FollowUpKind::kFetchItem) {
      return accesses_[i]->plan.filters.empty()
                 ? RowsToFollow(i)
                 : KeptBefore(i, follow_up) * Limited(i, ExpectedUnderKeys(i));
    }
    std::set<std::string> pointing;
    for (const JoinColumn& column : follow_up.columns) {
      pointing.insert(column.from);
    }
    const double rows = RowsToFollow(i) * figures_.Presence(entity, pointing);
    std::set<std::string> known = EqualNames(SectionAt(i));
    if (std::ranges::includes(known, pointing)) {
      return std::min(rows, 1.0);
    }
    // Links of one end have different other ends.
    known.insert(pointing.begin(), pointing.end());
    const Entity& owner = model_.At(entity);
    if (!owner.KeyNames().empty() &&
        std::ranges::all_of(owner.KeyNames(),
                            [&](const std::string& key) { return known.contains(key); })) {
      return rows;
    }
    double targets = 0;
    for (const RankGroup& group :
         RankShares(figures_.Count(follow_up.entity),
                    figures_.SkewUnder(entity, model_.RowsOf(follow_up.entity), pointing).skew)) {
      targets += group.ranks * (1 - std::pow(1 - std::min(1.0, group.share), rows));
    }
    return std::min(rows, targets);
  }

  // Gives the rounds they take.
  double EstimateFollowUps(std::size_t i) {
    const Request& request = plan_.requests[plan_.sections[i].request];
    double rounds = 0;
    for (const FollowUp& follow_up : plan_.sections[i].follow_ups) {
      const double rows = ExpectedTargets(i, follow_up);
      const View base{model_.FindPlacement(follow_up.entity).table, nullptr};
      const SizeShares& sizes = figures_.EntrySizes(follow_up.entity, base);
      const bool by_index = FetchedByIndex(request, follow_up);
      rounds += by_index ? 0 : 1;
      const double requests =
          by_index ? 0 : std::ceil(std::max(1.0, rows) / static_cast<double>(kBatchGetKeysMax));
      // Each item is rounded by itself.
      Count(requests, rows, rows * AverageOf(sizes),
            rows * ItemReadUnits(sizes, request.consistent));
    }
    return rounds;
  }

  Expectations& figures_;
  const Model& model_;
  const std::vector<const Access*>& accesses_;
  Plan& plan_;
  SkewCase case_;
  bool hottest_ = false;
};

}  // namespace

void EstimatePlan(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan) {
  Estimator(figures, accesses, plan).Run();
}

}  // namespace prejoin::model
