// A plan is run as generated code would run it: its requests one after the other, a request once for each value of an IN and for each
// shard, all pages of a Query unless the limit is reached. Every item goes to the sections that want it (Distribute), because one
// request may serve several. A condition on attributes that a row gets only from a follow-up waits for it.
//
// A key that cannot be rendered from the arguments is no error: no such item can exist, so the request is not sent.
#include "model/prove/run_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/limits.h"
#include "model/data/item_render.h"
#include "model/plan/expected_units.h"
#include "model/plan/local_fetch.h"

namespace prejoin::model {
namespace {

constexpr int kPagesMax = 1'000'000;

// The run of sort keys from the least to the greatest that the sections want.
void SetSortTest(const Request& request, const Arguments& arguments, KeyQuery& query) {
  const std::vector<Name> keys = request.view.SortKeys();
  const SortRange& first = request.ranges[0];
  for (std::size_t i = 0; i < first.equal.size(); ++i) {
    if (auto value = first.equal[i].Render(arguments)) {
      query.equal.emplace_back(keys[i].text, *value);
    }
  }
  if (keys.size() <= first.equal.size()) {
    return;
  }
  query.sort_attribute = keys[first.equal.size()].text;
  std::optional<AttributeValue> low;
  std::optional<AttributeValue> high;
  bool open_low = false;
  bool open_high = false;
  for (const SortRange& range : request.ranges) {
    if (range.kind == RangeKind::kAll) {
      return;
    }
    std::optional<AttributeValue> from =
        range.low.empty() ? std::nullopt : range.low.Render(arguments);
    std::optional<AttributeValue> to =
        range.high.empty() ? std::nullopt : range.high.Render(arguments);
    if (range.kind == RangeKind::kEqual) {
      to = from;
    }
    if (range.kind == RangeKind::kBeginsWith && from && from->string() != nullptr) {
      to = AttributeValue(*from->string() + kHighText);
    }
    open_low = open_low || !from;
    open_high = open_high || !to;
    if (from && (!low || CompareValues(&*from, &*low) < 0)) {
      low = from;
    }
    if (to && (!high || CompareValues(&*to, &*high) > 0)) {
      high = to;
    }
  }
  if (request.ranges.size() == 1 && first.kind == RangeKind::kBeginsWith && low) {
    query.test = SortTest::kBeginsWith;
    query.low = *low;
  } else if (!open_low && !open_high && low && high) {
    query.test = CompareValues(&*low, &*high) == 0 ? SortTest::kEqual : SortTest::kBetween;
    query.low = *low;
    query.high = *high;
  } else if (!open_low && low) {
    query.test = SortTest::kAtLeast;
    query.low = *low;
  } else if (!open_high && high) {
    query.test = SortTest::kAtMost;
    query.high = *high;
  }
}

// A refused bound must not read as none, which would widen the range; generated code refuses it too.
std::string WhyRefused(const Request& request, const Arguments& arguments) {
  std::vector<const KeyExpression*> keys;
  for (const KeyExpression& key : request.partition) {
    keys.push_back(&key);
  }
  for (const SortRange& range : request.ranges) {
    for (const KeyExpression& key : range.equal) {
      keys.push_back(&key);
    }
    keys.push_back(&range.low);
    keys.push_back(&range.high);
  }
  for (const KeyExpression* key : keys) {
    if (const std::string why = key->WhyRefused(arguments); !why.empty()) {
      return "the key " + key->ToString() + " cannot be made: " + why;
    }
  }
  return {};
}

class PlanRunner {
 public:
  PlanRunner(const Model& model, const Plan& plan, const Arguments& arguments, Backend& backend)
      : model_(model), plan_(plan), arguments_(arguments), backend_(backend) {}

  Result<PlanRun> Run() {
    run_.sections.resize(plan_.sections.size());
    for (const Request& request : plan_.requests) {
      PJ_RETURN_IF_ERROR(RunRequest(request));
    }
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      PJ_RETURN_IF_ERROR(FinishSection(i));
    }
    return std::move(run_);
  }

 private:
  const Section& SectionAt(std::size_t i) const { return plan_.pattern->sections[i]; }

  Status RunRequest(const Request& request) {
    if (request.in_operands.empty()) {
      return RunShards(request, arguments_);
    }
    std::set<std::string> asked;
    for (const Operand& operand : request.in_operands) {
      const AttributeValue* value = OperandValue(operand, arguments_);
      // The same value twice would give its rows twice.
      if (value == nullptr || !asked.insert(ValueText(*value)).second) {
        continue;
      }
      Arguments arguments = arguments_;
      arguments["in " + request.in_attribute] = *value;
      PJ_RETURN_IF_ERROR(RunShards(request, arguments));
    }
    return {};
  }

  Status RunShards(const Request& request, const Arguments& arguments) {
    for (int shard = 0; shard < request.shards; ++shard) {
      PJ_RETURN_IF_ERROR(RunOne(request, arguments, request.shards > 1 ? shard : -1));
    }
    return {};
  }

  Status RunOne(const Request& request, const Arguments& arguments, int shard) {
    if (request.kind == RequestKind::kScan) {
      return RunQuery(request, {}, arguments);
    }
    if (const std::string why = WhyRefused(request, arguments); !why.empty()) {
      return ValidationError(why);
    }
    std::vector<std::pair<std::string, AttributeValue>> equal;
    const std::vector<Name> keys = request.view.PartitionKeys();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto value = request.partition[i].Render(arguments, shard);
      if (!value) {
        return {};  // No such key can exist, so nothing is found.
      }
      equal.emplace_back(keys[i].text, *std::move(value));
    }
    if (request.kind == RequestKind::kGetItem) {
      return RunGet(request, equal, arguments);
    }
    return RunQuery(request, equal, arguments);
  }

  Status RunGet(const Request& request,
                const std::vector<std::pair<std::string, AttributeValue>>& equal,
                const Arguments& arguments) {
    Item key;
    for (const auto& [name, value] : equal) {
      key.Set(name, value);
    }
    const std::vector<Name> sort = request.view.SortKeys();
    if (!sort.empty()) {
      auto value = request.ranges[0].low.Render(arguments);
      if (!value) {
        return {};
      }
      key.Set(sort[0].text, *std::move(value));
    }
    PJ_ASSIGN_OR_RETURN(const ReadAnswer answer,
                        backend_.Get(request.view.table->name.text, key, request.consistent));
    Count(answer);
    Distribute(request, answer.items);
    return {};
  }

  Status RunQuery(const Request& request,
                  const std::vector<std::pair<std::string, AttributeValue>>& equal,
                  const Arguments& arguments) {
    KeyQuery query;
    query.table = request.view.table->name.text;
    if (request.view.index != nullptr) {
      query.index = request.view.index->name.text;
    }
    query.equal = equal;
    query.descending = request.descending;
    query.consistent = request.consistent;
    query.all_attributes = FetchesFromTable(plan_, request);
    query.limit = request.limit;
    query.scan = request.kind == RequestKind::kScan;
    if (!query.scan) {
      SetSortTest(request, arguments, query);
    }
    std::map<std::size_t, std::size_t> before;
    for (const std::size_t i : request.sections) {
      before[i] = run_.sections[i].size();
    }
    for (int page = 0; page < kPagesMax; ++page) {
      PJ_ASSIGN_OR_RETURN(ReadAnswer answer, backend_.Query(query));
      const std::size_t bytes_before = run_.bytes_read;
      Count(answer);
      if (query.scan) {
        run_.scan_units += answer.read_units;
        run_.scan_units_by_items +=
            ReadUnits(static_cast<double>(run_.bytes_read - bytes_before), query.consistent);
      }
      Distribute(request, answer.items);
      if (!answer.next_key || (request.limit && Satisfied(request, before))) {
        return {};
      }
      query.start_key = StartKey(request.view, *answer.next_key);
    }
    return {};
  }

  // Only the key attributes of the last item.
  static Item StartKey(const View& view, const Item& item) {
    Item key;
    std::vector<Name> names = view.PartitionKeys();
    for (const Name& name : view.SortKeys()) {
      names.push_back(name);
    }
    names.push_back(view.table->partition);
    if (!view.table->sort.text.empty()) {
      names.push_back(view.table->sort);
    }
    for (const Name& name : names) {
      if (const AttributeValue* value = item.Find(name.text)) {
        key.Set(name.text, *value);
      }
    }
    return key;
  }

  bool Satisfied(const Request& request, const std::map<std::size_t, std::size_t>& before) const {
    return std::all_of(request.sections.begin(), request.sections.end(), [&](std::size_t i) {
      const std::size_t wanted =
          SectionAt(i).limit ? static_cast<std::size_t>(*SectionAt(i).limit) : 1;
      return run_.sections[i].size() - before.at(i) >= wanted;
    });
  }

  void Count(const ReadAnswer& answer) {
    ++run_.requests;
    run_.read_units += answer.read_units;
    run_.items_read += answer.items.size();
    run_.used.emplace_back(answer.items.size(), false);
    for (const Item& item : answer.items) {
      run_.bytes_read += PredictItemBytes(item);
    }
  }

  // Gives each item to the sections that want it.
  void Distribute(const Request& request, const std::vector<Item>& items) {
    for (std::size_t at = 0; at < items.size(); ++at) {
      const Item& item = items[at];
      const std::string entity = EntityOfItem(model_, *request.view.table, item);
      bool used = false;
      for (const std::size_t i : request.sections) {
        const SectionPlan& section = plan_.sections[i];
        if (section.item_entity.text != entity) {
          continue;
        }
        const Model::Placement placement = model_.FindPlacement(entity);
        std::vector<Row> rows;
        if (section.embedded != nullptr) {
          rows = EmbeddedRows(model_, placement, *section.embedded, item);
        } else {
          rows.push_back(RowOfItem(model_, placement, item));
        }
        for (Row& row : rows) {
          if (!HoldsSoFar(i, row)) {
            continue;
          }
          used = true;
          run_.sections[i].push_back(std::move(row));
        }
      }
      if (!used) {
        continue;
      }
      ++run_.items_used;
      run_.used.back()[at] = true;
    }
  }

  // Conditions on attributes that the row does not have yet wait for the follow-up that brings
  // them.
  bool HoldsSoFar(std::size_t i, const Row& row) const {
    for (const Condition& condition : SectionAt(i).conditions) {
      if (row.Find(condition.attribute.text) == nullptr && IsFetched(i, condition.attribute.text)) {
        continue;
      }
      if (!ConditionHolds(condition, row, arguments_)) {
        return false;
      }
    }
    return true;
  }

  bool IsFetched(std::size_t i, const std::string& attribute) const {
    return std::ranges::any_of(plan_.sections[i].follow_ups, [&](const FollowUp& one) {
      return one.kind == FollowUpKind::kFetchItem &&
             std::ranges::find(one.reasons, attribute) != one.reasons.end();
    });
  }

  bool HasFetch(std::size_t i) const {
    const auto& all = plan_.sections[i].follow_ups;
    return std::any_of(all.begin(), all.end(),
                       [](const FollowUp& one) { return one.kind == FollowUpKind::kFetchItem; });
  }

  // Items of `entity` for each row, found by its key; one BatchGetItem for every 100 different
  // keys.
  Result<std::map<std::string, Row>> FetchRows(const FollowUp& follow_up,
                                               const std::vector<Row>& rows, bool consistent) {
    const Model::Placement placement = model_.FindPlacement(follow_up.entity);
    const Entity& entity = model_.At(follow_up.entity);
    std::map<std::string, Item> keys;
    for (const Row& row : rows) {
      Row target;
      for (const JoinColumn& column : follow_up.columns) {
        if (const AttributeValue* value = row.Find(column.from)) {
          target.Set(column.to, *value);
        }
      }
      if (auto key = RenderPrimaryKey(placement, target)) {
        keys.try_emplace(TupleText(target, entity.KeyNames()), *std::move(key));
      }
    }
    std::map<std::string, Row> found;
    std::vector<Item> batch;
    const auto flush = [&]() -> Status {
      if (batch.empty()) {
        return {};
      }
      PJ_ASSIGN_OR_RETURN(const ReadAnswer answer,
                          backend_.BatchGet(placement.table->name.text, batch, consistent));
      Count(answer);
      run_.items_used += answer.items.size();
      run_.used.back().assign(answer.items.size(), true);
      for (const Item& item : answer.items) {
        Row row = RowOfItem(model_, placement, item);
        std::string tuple = TupleText(row, entity.KeyNames());
        found.emplace(std::move(tuple), std::move(row));
      }
      batch.clear();
      return {};
    };
    for (auto& [tuple, key] : keys) {
      batch.push_back(std::move(key));
      if (batch.size() == kBatchGetKeysMax) {
        PJ_RETURN_IF_ERROR(flush());
      }
    }
    PJ_RETURN_IF_ERROR(flush());
    return found;
  }

  Status FollowRows(std::size_t i, const FollowUp& follow_up) {
    std::vector<Row>& rows = run_.sections[i];
    const Entity& entity = model_.At(follow_up.entity);
    const bool consistent = plan_.requests[plan_.sections[i].request].consistent;
    PJ_ASSIGN_OR_RETURN(const auto found, FetchRows(follow_up, rows, consistent));
    std::vector<Row> out;
    std::set<std::string> seen;
    for (Row& row : rows) {
      Row target;
      for (const JoinColumn& column : follow_up.columns) {
        if (const AttributeValue* value = row.Find(column.from)) {
          target.Set(column.to, *value);
        }
      }
      const std::string tuple = TupleText(target, entity.KeyNames());
      const auto hit = found.find(tuple);
      if (follow_up.kind == FollowUpKind::kVia) {
        if (hit != found.end() && seen.insert(tuple).second) {
          out.push_back(hit->second);
        }
        continue;
      }
      if (hit != found.end()) {
        for (const auto& [name, value] : hit->second) {
          row.Set(follow_up.kind == FollowUpKind::kJoin
                      ? model_.RowsOf(follow_up.entity).name.text + "." + name
                      : name,
                  value);
        }
      }
      out.push_back(std::move(row));
    }
    rows = std::move(out);
    return {};
  }

  Status FinishSection(std::size_t i) {
    const Section& section = SectionAt(i);
    std::vector<Row>& rows = run_.sections[i];
    if (LimitsBeforeFollowUps(plan_.sections[i], section)) {
      SortAndLimit(i, rows);
    }
    for (const FollowUp& follow_up : plan_.sections[i].follow_ups) {
      if (FetchedByIndex(plan_.requests[plan_.sections[i].request], follow_up)) {
        continue;
      }
      PJ_RETURN_IF_ERROR(FollowRows(i, follow_up));
    }
    if (HasFetch(i)) {
      std::erase_if(rows, [&](const Row& row) {
        return !std::all_of(
            section.conditions.begin(), section.conditions.end(),
            [&](const Condition& condition) { return ConditionHolds(condition, row, arguments_); });
      });
    }
    SortAndLimit(i, rows);
    Shape(section, rows);
    if (section.measure != Measure::kRows) {
      rows = {MeasureRows(section, rows)};
    }
    return {};
  }

  void SortAndLimit(std::size_t i, std::vector<Row>& rows) const {
    const Section& section = SectionAt(i);
    const Request& request = plan_.requests[plan_.sections[i].request];
    const bool merged = request.shards > 1 || !request.in_operands.empty();
    if (plan_.sections[i].client_sort || merged || plan_.sections[i].embedded != nullptr) {
      std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        return CompareByOrder(section, a, b) < 0;
      });
    }
    if (section.limit && rows.size() > static_cast<std::size_t>(*section.limit)) {
      rows.resize(static_cast<std::size_t>(*section.limit));
    }
  }

  // Keeps the requested attributes only, under the names of the relational answer.
  void Shape(const Section& section, std::vector<Row>& rows) const {
    const Entity& entity = model_.At(section.entity);
    const std::vector<Path> paths = SectionPaths(model_, section);
    for (Row& row : rows) {
      Row out;
      for (const Path& path : paths) {
        const std::string name = AnswerName(section, path);
        const AttributeValue* value = row.Find(name);
        if (value == nullptr && name != path.attribute.text) {
          for (const JoinColumn& column :
               JoinColumns(entity, model_.At(path.entity))) {
            if (column.to == path.attribute.text) {
              value = row.Find(column.from);
            }
          }
        }
        if (value != nullptr) {
          out.Set(name, *value);
        }
      }
      row = std::move(out);
    }
  }

  const Model& model_;
  const Plan& plan_;
  const Arguments& arguments_;
  Backend& backend_;
  PlanRun run_;
};

}  // namespace

std::optional<std::string> RefusedKeys(const Plan& plan, const Arguments& arguments,
                                       const std::vector<SectionAnswer>& expected) {
  const bool found = std::ranges::any_of(
      expected, [](const SectionAnswer& answer) { return !answer.rows.empty(); });
  for (const Request& request : plan.requests) {
    std::vector<Arguments> all;
    for (const Operand& operand : request.in_operands) {
      if (const AttributeValue* value = OperandValue(operand, arguments)) {
        all.push_back(arguments);
        all.back()["in " + request.in_attribute] = *value;
      }
    }
    if (request.in_operands.empty()) {
      all.push_back(arguments);
    }
    for (const Arguments& one : all) {
      const std::string why =
          request.kind == RequestKind::kScan ? std::string() : WhyRefused(request, one);
      if (!why.empty()) {
        return found ? why : std::string();
      }
    }
  }
  return std::nullopt;
}

double PredictedUnits(const PlanRun& predicted, const PlanRun& measured) {
  return predicted.read_units - predicted.scan_units + measured.scan_units_by_items;
}

Result<PlanRun> RunPlan(const Model& model, const Plan& plan, const Arguments& arguments,
                        Backend& backend) {
  return PlanRunner(model, plan, arguments, backend).Run();
}

}  // namespace prejoin::model
