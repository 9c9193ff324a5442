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
#include "model/data/item_render.h"
#include "model/plan/between_keys.h"
#include "model/plan/expectation.h"
#include "model/plan/local_fetch.h"
#include "model/plan/range_shares.h"
#include "model/plan/section_rows.h"
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
  double together = 1;  // Rows that are read or left together.
};

class Estimator {
 public:
  Estimator(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan)
      : figures_(figures), model_(figures.model()), accesses_(accesses), plan_(plan),
        rows_(figures, accesses, plan) {}

  void Run() {
    ShapeRequests(figures_, accesses_, plan_);
    // The first case is that of the most used keys.
    hottest_ = true;
    std::vector<SkewedKey> skews = rows_.Skews();
    AddSkewsOfOthers(skews);
    for (const SkewCase& one : SkewCasesOf(skews)) {
      case_ = one;
      rows_.SetCase(case_);
      RunCase();
      hottest_ = false;
    }
  }

 private:
  // Items that lie between those of a section are read too, and some partitions have more of them.
  void AddSkewsOfOthers(std::vector<SkewedKey>& skews) const {
    for (const Request& request : plan_.requests) {
      for (const ItemLayout& layout : request.view.table->items) {
        if (request.kind != RequestKind::kQuery ||
            !AppearsIn(model_, layout.entity, request.view) || IsWanted(request, layout)) {
          continue;
        }
        const std::set<std::string> bound = PartitionAttributes(request.view, layout);
        for (SkewedKey key : figures_.SkewsOf(layout.entity, bound)) {
          key.met_evenly = true;
          if (key.shares.empty() && Between(request, layout)) {
            skews.push_back(std::move(key));
          }
        }
      }
    }
  }

  bool IsWanted(const Request& request, const ItemLayout& layout) const {
    return std::ranges::any_of(request.sections, [&](std::size_t i) {
      return accesses_[i]->plan.item_entity == layout.entity;
    });
  }

  // True if a request reads items of the layout at all.
  static bool Between(const Request& request, const ItemLayout& layout) {
    const KeysInPartition keys(
        layout, request, [](const Operand&, Side) { return 0.5; },
        [](const std::string&, const Operand&) { return 0.0; });
    return keys.fits() && keys.ShareRead() > 0;
  }

  void RunCase() {
    // The pages of one Query follow each other; shards and values of a list are asked at the same time.
    std::vector<double> pages;
    for (const Request& request : plan_.requests) {
      pages.push_back(EstimateRequest(request));
    }
    double rounds = 1;
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      plan_.estimate.items_returned += case_.weight * rows_.Answer(i);
      rounds = std::max(rounds, pages[plan_.sections[i].request] + EstimateFollowUps(i));
    }
    plan_.estimate.rounds += case_.weight * rounds;
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
    const double asked = static_cast<double>(std::max<std::size_t>(1, request.in_operands.size()));
    const double found = request.sections.size() == 1 ? rows_.ValuesFound(request.sections[0]) : asked;
    const double fan_out = static_cast<double>(request.shards) * found;
    // Requests for values that no row has find nothing.
    const double in_vain = static_cast<double>(request.shards) * (asked - found);
    Count(in_vain, 0, 0, in_vain * ReadUnits(0, request.consistent));
    const std::vector<Reading> readings = request.kind == RequestKind::kGetItem
                                              ? ReadingsOfGet(request, fan_out)
                                              : ReadingsOfQuery(request, fan_out);
    if (request.limit) {
      return EstimatePages(request, readings, fan_out);
    }
    RequestBytes read;
    for (const Reading& reading : readings) {
      read.Add(reading.rows, reading.variation, SizesOf(request, reading), reading.together);
    }
    const double pages = read.Pages();
    Count(fan_out * pages, fan_out * read.items(), fan_out * read.bytes(),
          fan_out * read.Units(request.consistent));
    return pages;
  }

  // The sizes of what is read: the values by which one section finds its rows are known.
  SizeShares SizesOf(const Request& request, const Reading& reading) const {
    const Reference<Entity>& entity = reading.layout->entity;
    const std::size_t i = request.sections[0];
    const bool alone = request.sections.size() == 1 && accesses_[i]->plan.item_entity == entity;
    const KnownRows known = alone ? rows_.KnownOf(i) : KnownRows();
    return known.empty() ? figures_.EntrySizes(entity, request.view)
                         : figures_.EntrySizes(entity, request.view, known);
  }

  std::vector<Reading> ReadingsOfGet(const Request& request, double fan_out) const {
    const std::size_t i = request.sections[0];
    const Reference<Entity>& entity = accesses_[i]->plan.item_entity;
    return {
        {model_.FindPlacement(entity).layout, rows_.UnderKeys(i) / fan_out, 0, Variation::kEven}};
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
          rows_.RowsUnder(entity, bound) *
          figures_.PresenceIn(entity, request.view, bound) / request.shards;
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
      wanted += rows_.UnderKeys(i) / fan_out;
      if (request.sections.size() == 1) {
        reading.variation = VariationOf(request, reading.layout->entity, accesses_[i]->bound);
        reading.together = rows_.Together(i);
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
    const bool chance = request.shards > 1 || figures_.VariesByChance(entity, bound) ||
                        (!figures_.OneKey(entity, bound) &&
                         figures_.PresenceIn(entity, request.view, bound) < 1);
    return chance ? Variation::kByChance : Variation::kEven;
  }

  // Half of all rows are on either side of any one of them; on one side of a range's bound is what the range keeps.
  double ShareBesideOperand(const Request& request, const Operand& operand, Side side) const {
    const auto same = [&](const Operand& one) {
      return one.parameter == operand.parameter &&
             (!one.parameter.empty() || one.literal == operand.literal);
    };
    for (const std::size_t i : request.sections) {
      for (const Condition& condition : rows_.SectionAt(i).conditions) {
        const auto found = std::ranges::find_if(condition.operands, same);
        if (found == condition.operands.end() || !IsRange(condition.comparison)) {
          continue;
        }
        const double kept = rows_.ShareKept(i, condition);
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
  double EstimatePages(const Request& request, std::vector<Reading> readings, double fan_out) {
    DropBehind(request, fan_out, readings);
    const auto limit = static_cast<double>(*request.limit);
    double all = 0;
    for (const Reading& reading : readings) {
      all += reading.rows;
    }
    const Need need = NeedOf(request, readings, fan_out);
    double pages = 1;
    double items = all;
    if (need.items < all - kRounding) {
      // Items are whole: half an item is no page more.
      pages =
          ExpectedSteps(need.deviation > 0 ? need.items - 0.5 : need.items, need.deviation, limit);
      items = std::min(all, pages * limit);
    } else if (all >= limit) {
      const double enough = std::max(1.0, std::ceil(all / limit - kRounding));
      const double to_the_end = std::floor(all / limit) + 1;
      pages = need.chance * enough + (1 - need.chance) * to_the_end;
    }
    double way = 0;  // The items on the way, by layout.
    for (const Reading& reading : readings) {
      way += WayOf(reading, need);
    }
    RequestBytes page;
    for (const Reading& reading : readings) {
      const double part = way > 0 ? items / pages * WayOf(reading, need) / way : 0;
      page.Add(part, all < limit ? reading.variation : Variation::kEven,
               SizesOf(request, reading));
    }
    Count(fan_out * pages, fan_out * items, fan_out * pages * page.bytes(),
          fan_out * pages * page.Units(request.consistent));
    return pages;
  }

  // Finds how far a limited Query must read.
  struct Need {
    double items = 0;
    double deviation = 0;
    bool satisfied = true;  // The rows that are wanted exist …
    double chance = 1;      // … in so many of the requests.
    const ItemLayout* last =
        nullptr;  // The layout of the last of several sections; null: one section.
    double last_rows = 0;
  };

  // The order of a reading's items and those of the request's one section: negative if they come before, positive if after; nothing if
  // they lie among them, or if there are several sections.
  std::optional<int> OrderBesideOwn(const Request& request, const Reading& reading) const {
    const Access& access = *accesses_[request.sections[0]];
    if (request.sections.size() > 1 || reading.layout->entity == access.plan.item_entity) {
      return std::nullopt;
    }
    const std::optional<int> order =
        OrderOfLayouts(model_, *reading.layout,
                       *model_.FindPlacement(access.plan.item_entity).layout, request.view);
    return order && request.descending ? std::optional(-*order) : order;
  }

  // What lies behind the rows of a section is not read where these are enough.
  void DropBehind(const Request& request, double fan_out, std::vector<Reading>& readings) const {
    if (NeedOf(request, readings, fan_out).satisfied) {
      std::erase_if(readings, [&](const Reading& one) {
        return OrderBesideOwn(request, one).value_or(0) > 0;
      });
    }
  }

  static double WayOf(const Reading& reading, const Need& need) {
    if (need.last == nullptr) {
      return reading.rows;
    }
    return reading.before + (reading.layout == need.last ? need.last_rows : 0);
  }

  // Of one of the parallel requests: each continues until it has as many rows as the section wants.
  Need NeedOf(const Request& request, const std::vector<Reading>& readings, double fan_out) const {
    Need need;
    const std::optional<std::size_t> at = LastReached(request);
    const std::size_t i = request.sections[at.value_or(0)];
    const Access& access = *accesses_[i];
    const double rows = rows_.UnderKeys(i) / fan_out;
    const double wanted =
        access.exact ? 1 : static_cast<double>(rows_.SectionAt(i).limit.value_or(1));
    const double kept =
        access.plan.filters.empty()
            ? 1
            : std::clamp(rows_.Matches(i) / fan_out / std::max(rows, kRowsLeast), 1e-6, 1.0);
    const double at_bound = rows_.AtBound(i) / fan_out;
    const double matching = std::max(0.0, rows - at_bound) * kept;
    need.satisfied = matching >= wanted - kRounding;
    // Of one row that is wanted, a part is the share of the requests that find it.
    need.chance = need.satisfied ? 1 : wanted > 1 ? 0 : matching;
    need.items = std::min(rows, wanted / kept + (rows_.BoundComesFirst(i) ? at_bound : 0));
    need.deviation = kept < 1 ? std::sqrt(wanted * (1 - kept)) / kept : 0;
    double own = 0;
    double strange = 0;
    double first = 0;  // Strangers before all rows of the section.
    for (const Reading& reading : readings) {
      const bool is_own = reading.layout->entity == access.plan.item_entity;
      const int order = OrderBesideOwn(request, reading).value_or(0);
      first += order < 0 ? reading.rows : 0;
      (is_own ? own : strange) += at || order != 0 ? 0 : reading.rows;
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
      need.items += first;
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
      const LockItems locks = request.view.index == nullptr
                                  ? LockItemsOf(figures_, *request.view.table, layout)
                                  : LockItems();
      read.Add(locks.count, Variation::kEven,
               {{1, locks.bytes / std::max(1.0, locks.count), 0}});
      if (!(entity == accesses_[request.sections[0]]->plan.item_entity)) {
        NoteThrownAway({&layout, count, 0, Variation::kEven});
      }
    }
    const double pages = read.Pages();
    Count(pages, read.items(), read.bytes(), read.Units(request.consistent));
    return pages;
  }

  // Gives the rounds they take.
  double EstimateFollowUps(std::size_t i) {
    const Request& request = plan_.requests[plan_.sections[i].request];
    double rounds = 0;
    for (const FollowUp& follow_up : plan_.sections[i].follow_ups) {
      const double rows = rows_.Targets(i, follow_up);
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
  SectionRows rows_;
  SkewCase case_;
  bool hottest_ = false;
};

}  // namespace

LockItems LockItemsOf(Expectations& figures, const Table& table, const ItemLayout& layout) {
  LockItems locks;
  const Entity& entity = figures.model().At(layout.entity);
  for (const Name& lock : layout.locks) {
    const Attribute* attribute = entity.Find(lock.text);
    if (attribute == nullptr) {
      continue;
    }
    const double value =
        static_cast<double>(LockPrefix(entity.name.text, lock.text).size()) + AverageValueBytes(*attribute);
    const double keys = table.sort.text.empty() ? 1 : 2;
    const double count = figures.Count(entity) * figures.Presence(entity, {lock.text});
    const auto names = static_cast<double>(table.partition.text.size() + table.sort.text.size());
    locks.count += count;
    locks.bytes += count * (names + keys * value);
  }
  return locks;
}

void EstimatePlan(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan) {
  Estimator(figures, accesses, plan).Run();
}

}  // namespace prejoin::model
