#include "model/plan/plan_estimate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/limits.h"
#include "model/plan/expectation.h"
#include "model/plan/local_fetch.h"

namespace prejoin::model {
namespace {

// Could an item with this key template be in the partition? Literals must agree, and stand at the
// same places.
bool FitsPartition(const KeyTemplate& key, const KeyExpression& expression) {
  if (key.natural || expression.natural) {
    return key.natural == expression.natural;
  }
  if (key.parts.size() != expression.parts.size()) {
    return false;
  }
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    const TemplatePart& bound = expression.parts[i].part;
    if (key.parts[i].is_literal() != bound.is_literal() || key.parts[i].literal != bound.literal) {
      return false;
    }
  }
  return true;
}

// The template with the operands of `like` where they stand at the same place; cut at the first
// other attribute.
KeyExpression AlignTo(const KeyTemplate& key, const KeyExpression& like, bool& cut) {
  KeyExpression out;
  cut = false;
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    if (key.parts[i].is_literal()) {
      out.AddLiteral(key.parts[i].literal);
    } else if (i < like.parts.size() && !like.parts[i].part.is_literal()) {
      out.parts.push_back({key.parts[i], like.parts[i].operand});
    } else {
      cut = true;
      return out;
    }
  }
  return out;
}

struct Bounds {
  bool all = false;
  KeyExpression low;
  KeyExpression high;
};

Bounds BoundsOf(const SortRange& range) {
  if (range.kind == RangeKind::kAll) {
    return {true, {}, {}};
  }
  Bounds bounds{false, range.low, range.kind == RangeKind::kBetween ? range.high : range.low};
  if (range.kind == RangeKind::kBeginsWith) {
    bounds.high.AddLiteral(kHighText);
  }
  return bounds;
}

// Whether items with this sort key template can stand inside what the request reads.
bool CanBeInRange(const KeyTemplate& key, const std::vector<SortRange>& ranges) {
  if (key.natural) {
    return true;
  }
  bool above_a_low = false;
  bool below_a_high = false;
  for (const SortRange& range : ranges) {
    const Bounds bounds = BoundsOf(range);
    if (bounds.all || bounds.low.natural) {
      return true;
    }
    bool cut = false;
    const KeyExpression low = AlignTo(key, bounds.low, cut);
    KeyExpression high = low;
    if (cut) {
      high.AddLiteral(kHighText);
    }
    if (CompareExpressions(high, bounds.low).value_or(1) >= 0) {
      above_a_low = true;
    }
    if (bounds.high.empty() || CompareExpressions(low, bounds.high).value_or(-1) <= 0) {
      below_a_high = true;
    }
  }
  return above_a_low && below_a_high;
}

constexpr double kRounding = 1e-9;

class Estimator {
 public:
  Estimator(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan)
      : figures_(figures), model_(figures.model()), accesses_(accesses), plan_(plan) {}

  void Run() {
    // The pages of one Query follow each other; shards and values of a list are asked at the same time.
    std::vector<double> pages;
    for (Request& request : plan_.requests) {
      pages.push_back(EstimateRequest(request));
    }
    double rounds = 1;
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      plan_.estimate.items_returned += ExpectedAnswer(i);
      rounds = std::max(rounds, pages[plan_.sections[i].request] + EstimateFollowUps(i));
    }
    plan_.estimate.rounds = rounds;
  }

 private:
  const Section& SectionAt(std::size_t i) const { return plan_.pattern->sections[i]; }

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
    double rows = figures_.Rows(access.plan.item_entity, access.bound) *
                  static_cast<double>(std::max<std::size_t>(1, access.request.in_operands.size())) *
                  figures_.ValueFactor(access.plan.item_entity, section.conditions, access.bound);
    const SortRange& range = access.request.ranges[0];
    // A range on the sort key reads part of what is under the prefix.
    for (const Condition& condition : section.conditions) {
      if (range.kind == RangeKind::kBetween && IsRange(condition.comparison) &&
          (access.narrowed.contains(condition.attribute.text) ||
           !std::ranges::count(access.plan.filters, condition.attribute.text))) {
        rows *= figures_.RangeShare(*plan_.pattern, section, condition);
      }
    }
    // A sparse index holds no others.
    for (const std::string& name : access.sparse) {
      if (!access.bound.contains(name)) {
        rows *= figures_.Presence(access.plan.item_entity, {name});
      }
    }
    return std::max({rows, section.returns ? Returned(i) : 0, 1e-3});
  }

  // `returns ~20` is said of today's data: an answer grows as the rows do that it is taken from.
  double Returned(std::size_t i) const {
    const Section& section = SectionAt(i);
    std::set<std::string> bound;
    for (const Condition& condition : section.conditions) {
      if (condition.comparison == Comparison::kEqual) {
        bound.insert(condition.attribute.text);
      }
    }
    return *section.returns *
           figures_.GrowthOfRows(section.via.text.empty() ? section.entity.text : section.via.text,
                                 bound);
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
        factor *= static_cast<double>(condition.operands.size());
      } else {
        factor *= figures_.RangeShare(*plan_.pattern, section, condition);
      }
    }
    const std::string& entity = section.via.text.empty() ? section.entity.text : section.via.text;
    factor *= figures_.ValueFactor(entity, section.conditions, bound);
    return std::max(1e-3, factor * figures_.Rows(entity, bound));
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

  // Gives the pages that each of its parallel requests takes.
  double EstimateRequest(Request& request) {
    if (request.kind == RequestKind::kScan) {
      return EstimateScan(request);
    }
    DropNeedlessRanges(request);
    SetLimit(request);
    double items = 0;
    double bytes = 0;
    const auto add = [&](const std::string& entity, double rows) {
      items += rows;
      bytes += rows * figures_.EntryBytes(entity, request.view);
    };
    std::set<std::string> wanted;
    const std::optional<std::size_t> last = LastReached(request);
    for (const std::size_t i : request.sections) {
      // A GetItem gives one item, whatever is taken from it.
      const bool first = wanted.insert(accesses_[i]->plan.item_entity).second;
      if (request.kind == RequestKind::kGetItem && !first) {
        continue;
      }
      // Whatever stands before the last section is read on the way to it, limit or not.
      const double rows = ExpectedUnderKeys(i);
      add(accesses_[i]->plan.item_entity, !last || *last == i ? Limited(i, rows) : rows);
    }
    if (request.kind == RequestKind::kQuery) {
      for (const ItemLayout& layout : request.view.table->items) {
        if (!wanted.contains(layout.entity.text)) {
          AddForeign(request, layout, add);
        }
      }
    }
    const double fan_out =
        static_cast<double>(request.shards) *
        static_cast<double>(std::max<std::size_t>(1, request.in_operands.size()));
    double pages = std::max(1.0, std::ceil(bytes / fan_out / kPageBytesMax));
    if (last && request.limit) {
      pages = std::max(pages, std::ceil(items / fan_out / *request.limit - kRounding));
    }
    plan_.estimate.requests += fan_out * pages;
    plan_.estimate.items_read += items;
    plan_.estimate.bytes_read += bytes;
    plan_.estimate.read_units += fan_out * ReadUnits(bytes / fan_out, request.consistent);
    return pages;
  }

  // Of several sections that one limited Query reads: the one that comes last in its direction. Page by page it goes on
  // until each has its rows.
  std::optional<std::size_t> LastReached(const Request& request) const {
    if (!request.limit || request.sections.size() < 2) {
      return std::nullopt;
    }
    std::size_t last = request.sections[0];
    for (const std::size_t i : request.sections) {
      const int order = CompareExpressions(LowOf(i), LowOf(last)).value_or(0);
      if (request.descending ? order < 0 : order > 0) {
        last = i;
      }
    }
    return last;
  }

  KeyExpression LowOf(std::size_t i) const { return accesses_[i]->request.ranges[0].low; }

  // The whole table, page by page.
  double EstimateScan(const Request& request) {
    double items = 0;
    double bytes = 0;
    for (const ItemLayout& layout : request.view.table->items) {
      const double count = figures_.Count(layout.entity.text);
      items += count;
      bytes += count * figures_.EntryBytes(layout.entity.text, request.view);
      if (layout.entity.text != accesses_[request.sections[0]]->plan.item_entity) {
        plan_.thrown_away.push_back(layout.entity.text);
      }
    }
    const double pages = std::max(1.0, std::ceil(bytes / kPageBytesMax));
    plan_.estimate.requests += pages;
    plan_.estimate.items_read += items;
    plan_.estimate.bytes_read += bytes;
    plan_.estimate.read_units += ReadUnits(bytes, request.consistent);
    return pages;
  }

  template <class Add>
  void AddForeign(const Request& request, const ItemLayout& layout, const Add& add) {
    if (!CanHold(request, layout)) {
      return;
    }
    std::set<std::string> bound;
    for (const Name& key : request.view.PartitionKeys()) {
      for (const std::string& name : layout.Find(key.text)->key.Labels()) {
        bound.insert(name);
      }
    }
    const std::vector<Name> sort = request.view.SortKeys();
    if (sort.size() == 1) {
      const KeyTemplate& key = layout.Find(sort[0].text)->key;
      if (!CanBeInRange(key, request.ranges)) {
        return;
      }
    }
    plan_.thrown_away.push_back(layout.entity.text);
    double rows = figures_.Rows(layout.entity.text, bound) *
                  figures_.PresenceIn(layout.entity.text, request.view);
    if (request.limit && !LastReached(request)) {
      rows = std::min(rows, static_cast<double>(*request.limit));
    }
    add(layout.entity.text, rows);
  }

  // Whether a section wants all of its entity that a partition holds.
  bool WantsAllOfItsEntity(std::size_t i) const {
    if (accesses_[i]->exact) {
      return true;
    }
    const SortRange& range = accesses_[i]->request.ranges[0];
    if (range.kind == RangeKind::kAll) {
      return true;
    }
    return range.kind == RangeKind::kBeginsWith && range.equal.empty() &&
           std::all_of(range.low.parts.begin(), range.low.parts.end(),
                       [](const BoundPart& bound) { return bound.part.is_literal(); });
  }

  bool CanHold(const Request& request, const ItemLayout& layout) const {
    if (!AppearsIn(model_, layout.entity.text, request.view)) {
      return false;
    }
    const std::vector<Name> partition = request.view.PartitionKeys();
    for (std::size_t i = 0; i < partition.size(); ++i) {
      if (!FitsPartition(layout.Find(partition[i].text)->key, request.partition[i])) {
        return false;
      }
    }
    return true;
  }

  // When the sections together want everything that the partition can hold, the Query needs no sort
  // condition.
  void DropNeedlessRanges(Request& request) const {
    if (request.kind != RequestKind::kQuery || request.sections.size() < 2) {
      return;
    }
    std::set<std::string> wanted;
    for (const std::size_t i : request.sections) {
      if (!WantsAllOfItsEntity(i)) {
        return;
      }
      // One row of an entity is all of it only when the partition has no more.
      if (accesses_[i]->exact &&
          figures_.Rows(accesses_[i]->plan.item_entity, accesses_[i]->partition_bound) > 1) {
        return;
      }
      wanted.insert(accesses_[i]->plan.item_entity);
    }
    for (const ItemLayout& layout : request.view.table->items) {
      if (!wanted.contains(layout.entity.text) && CanHold(request, layout)) {
        return;
      }
    }
    for (SortRange& range : request.ranges) {
      range = SortRange{};
    }
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

  // A Limit is set when every section of the request stops early: it has a limit that its keys
  // serve, or one row.
  void SetLimit(Request& request) const {
    if (request.kind != RequestKind::kQuery) {
      return;
    }
    int total = 0;
    bool limited = false;
    for (const std::size_t i : request.sections) {
      const Section& section = SectionAt(i);
      if (section.limit && section.via.text.empty() && !plan_.sections[i].client_sort) {
        total += *section.limit;
        limited = true;
      } else if (accesses_[i]->exact) {
        total += 1;
      } else {
        return;
      }
    }
    if (limited) {
      request.limit = total;
    }
  }

  // Different rows that the section's rows point at: each is fetched once.
  double ExpectedTargets(std::size_t i, const FollowUp& follow_up) const {
    // A fetch comes before the filters that need it.
    const double rows =
        follow_up.kind == FollowUpKind::kFetchItem && !accesses_[i]->plan.filters.empty()
            ? Limited(i, ExpectedUnderKeys(i))
            : ExpectedAnswer(i);
    const std::vector<Condition>& conditions = SectionAt(i).conditions;
    const bool one = std::all_of(
        follow_up.columns.begin(), follow_up.columns.end(), [&](const JoinColumn& column) {
          return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
            return condition.comparison == Comparison::kEqual &&
                   condition.attribute.text == column.from;
          });
        });
    if (one) {
      return std::min(rows, 1.0);
    }
    return std::min(rows, figures_.Count(follow_up.entity));
  }

  // Gives the rounds they take.
  double EstimateFollowUps(std::size_t i) {
    const Request& request = plan_.requests[plan_.sections[i].request];
    double rounds = 0;
    for (const FollowUp& follow_up : plan_.sections[i].follow_ups) {
      const double rows = ExpectedTargets(i, follow_up);
      const View base{model_.FindPlacement(follow_up.entity).table, nullptr};
      const double bytes = figures_.EntryBytes(follow_up.entity, base);
      if (!FetchedByIndex(request, follow_up)) {
        ++rounds;
        plan_.estimate.requests +=
            std::ceil(std::max(1.0, rows) / static_cast<double>(kBatchGetKeysMax));
      }
      plan_.estimate.items_read += rows;
      plan_.estimate.bytes_read += rows * bytes;
      // Each item is rounded by itself.
      plan_.estimate.read_units += rows * ReadUnits(bytes, request.consistent);
    }
    return rounds;
  }

  Expectations& figures_;
  const Model& model_;
  const std::vector<const Access*>& accesses_;
  Plan& plan_;
};

}  // namespace

double ReadUnits(double bytes, bool consistent) {
  // An empty answer costs the minimum.
  const double units = std::max(1.0, std::ceil(bytes / static_cast<double>(kReadUnitBytes)));
  return consistent ? units : units / 2;
}

void EstimatePlan(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan) {
  Estimator(figures, accesses, plan).Run();
}

}  // namespace prejoin::model
