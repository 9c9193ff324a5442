// Rows: every entity gets the same number, or all it has where those are fewer, so that as many keys are hot or cold as in the
// stated tables. There are fewer rows under each key then, and a read costs less than it will; each pattern says by what factor.
//
// Patterns: each plan runs once for each set of arguments on a database without limits, and the requests it sends
// are recorded. Writes: rows are generated, and a part of each entity's rows is held back to be put later; updates
// alternate between a row as it is and as the write makes it.
#include "simulate/workload.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "model/data/evaluate.h"
#include "model/data/item_render.h"
#include "model/generate/at_rows.h"
#include "model/generate/generate.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/run_plan.h"
#include "model/prove/trial/fresh_row.h"

namespace prejoin::simulate {
namespace {

constexpr std::size_t kArgumentSets = 1'000;
constexpr std::size_t kRowsOfWrite = 2'000;
constexpr std::size_t kItemsReadMax = 400'000;  // While requests of one pattern are recorded.
constexpr std::size_t kTimesMax = 25;

std::string TextOf(const AttributeValue& value) {
  const std::string text = model::ValueText(value);
  return text.substr(text.find(':') + 1);
}

// The row after an update: other values where the step sets or increments something, or the values that it names.
model::Row Updated(const model::Entity& entity, const model::WriteStep& step, model::Row row) {
  for (const model::Name& name : step.set) {
    if (const model::Attribute* attribute = entity.Find(name.text)) {
      row.Set(name.text, model::DifferentValue(*attribute, row.Find(name.text)));
    }
  }
  for (const model::Setting& setting : step.values) {
    if (setting.value.parameter.empty()) {
      row.Set(setting.attribute.text, setting.value.literal);
    }
  }
  for (const model::Name& name : step.remove) {
    row.Remove(name.text);
  }
  return row;
}

// Steps that name a row by the same parameters change the same row, all others different ones.
std::string ParametersOf(const model::WriteStep& step) {
  std::string names;
  for (const model::Condition& condition : step.where) {
    for (const model::Operand& operand : condition.operands) {
      names += operand.parameter + " ";
    }
  }
  return names;
}

// Keeps the requests that pass through.
class RecordingBackend final : public model::Backend {
 public:
  explicit RecordingBackend(model::Backend& inner) : inner_(inner) {}

  std::vector<Request> TakeRequests() { return std::exchange(requests_, {}); }

  Status CreateTable(const model::Model& model, const model::Table& table) override {
    return inner_.CreateTable(model, table);
  }
  Status Load(const std::string& table, const std::vector<Item>& items) override {
    return inner_.Load(table, items);
  }
  Result<model::ReadAnswer> Get(const std::string& table, const Item& key,
                                bool consistent) override {
    requests_.push_back({model::MakeGet(table, key, consistent), TextOf(key.begin()->second)});
    return inner_.Get(table, key, consistent);
  }
  Result<model::ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                     bool consistent) override {
    requests_.push_back({model::MakeBatchGet(table, keys, consistent),
                         keys.empty() ? "" : TextOf(keys.front().begin()->second)});
    return inner_.BatchGet(table, keys, consistent);
  }
  Result<model::ReadAnswer> Query(const model::KeyQuery& query) override {
    if (query.scan) {
      requests_.push_back({model::MakeScan(query), ""});
    } else {
      requests_.push_back({model::MakeQuery(query), TextOf(query.equal.front().second)});
    }
    return inner_.Query(query);
  }
  Result<model::WriteAnswer> Write(const model::ItemWrite& write) override {
    return inner_.Write(write);
  }
  Result<model::WriteAnswer> WriteTogether(const std::vector<model::ItemWrite>& writes) override {
    return inner_.WriteTogether(writes);
  }

 private:
  model::Backend& inner_;
  std::vector<Request> requests_;
};

// Rows that exist, and rows that writes will put, as items.
struct Held {
  std::map<std::string, std::vector<std::pair<std::string, Item>>> to_put;  // By entity.
};

double CountOf(const model::Model& model) {
  double all = 0;
  for (const model::Entity& entity : model.entities) {
    all += entity.count;
  }
  return all;
}

// The model with as many rows as are to be generated.
Result<model::Model> SmallModel(const model::Model& model, const WorkloadOptions& options) {
  constexpr double kRowsMin = 10;
  for (double rows = options.rows;; rows /= 2) {
    model::Model small = model::WithManyKeys(model, rows);
    if (model::ExpectedGeneratedBytes(small, CountOf(small)) <= options.bytes_max) {
      return small;
    }
    if (rows < kRowsMin) {
      return ValidationError("rows of the declared sizes are too large to simulate: even ten of each entity take more than " +
                             std::to_string(std::llround(options.bytes_max / 1e6)) + " MB");
    }
  }
}

class WorkloadMaker {
 public:
  // Borrows the options.
  WorkloadMaker(const model::Model& model, model::Dataset data, const WorkloadOptions& options)
      : model_(model), data_(std::move(data)), index_(data_), days_(options.days), patience_(options.give_up) {}

  Result<Workload> Make() {
    PJ_RETURN_IF_ERROR(model::CheckKeys(model_, data_));
    for (const model::Table& table : model_.tables) {
      workload_.tables.push_back(model::MakeCreateTable(model_, table));
    }
    DivideItems();
    PJ_RETURN_IF_ERROR(RecordPatterns());
    for (const model::Write& write : model_.writes) {
      PJ_RETURN_IF_ERROR(MakeWrite(write));
    }
    if (workload_.calls.empty()) {
      return NothingToSimulate();
    }
    return std::move(workload_);
  }

 private:
  Error NothingToSimulate() const {
    const auto has_rate = [](const auto& call) { return call.rate_per_second > 0; };
    if (std::ranges::none_of(model_.patterns, has_rate) && std::ranges::none_of(model_.writes, has_rate)) {
      return ValidationError(
          "nothing to simulate: no pattern or write with a rate; add `rate 10/s` to the patterns "
          "and writes that clients call");
    }
    if (model_.tables.empty()) {
      return ValidationError("nothing to simulate: the model has no table; `prejoin design` proposes its keys");
    }
    std::string reasons;
    for (const std::string& left_out : workload_.left_out) {
      reasons += (reasons.empty() ? "" : "; ") + left_out;
    }
    return ValidationError("nothing to simulate: " + reasons);
  }

  model::DailyRate DayOf(const model::Name& name) const {
    const auto found = days_.find(static_cast<std::size_t>(name.at.line));
    return found == days_.end() ? model::DailyRate() : found->second;
  }

  bool IsPut(const std::string& layout) const {
    const std::string& rows = model_.RowsOf(layout);
    return std::ranges::any_of(model_.writes, [&](const model::Write& write) {
      return std::ranges::any_of(write.steps, [&](const model::WriteStep& step) {
        return step.kind == model::WriteKind::kPut && step.entity.text == rows;
      });
    });
  }

  // Every other row of an entity that is put waits for its write, up to as many as are needed.
  void DivideItems() {
    for (const model::TableItems& some : model::RenderAll(model_, index_)) {
      std::map<std::string, std::size_t> seen;
      for (std::size_t i = 0; i < some.items.size(); ++i) {
        const std::string& entity = some.entities[i];
        auto& waiting = held_.to_put[entity];
        const bool waits = seen[entity]++ % 2 == 1 && waiting.size() < kRowsOfWrite &&
                           !model::IsLock(entity) && IsPut(entity);
        (waits ? waiting : workload_.items).emplace_back(some.table->name.text, some.items[i]);
      }
    }
  }

  Status RecordPatterns() {
    PJ_ASSIGN_OR_RETURN(const auto embedded, model::EmbeddedBackend::OpenInMemory());
    for (const CreateTableInput& table : workload_.tables) {
      PJ_RETURN_IF_ERROR(embedded->database().CreateTable(table));
    }
    for (const auto& [table, item] : workload_.items) {
      PJ_RETURN_IF_ERROR(patience_.GoOn());
      PJ_RETURN_IF_ERROR(embedded->database().PutItem({.table_name = table, .item = item}));
    }
    RecordingBackend recorder(*embedded);
    for (const model::Plan& plan : model::PlanAll(model_)) {
      const model::Pattern& pattern = *plan.pattern;
      if (pattern.rate_per_second <= 0) {
        continue;
      }
      if (!plan.served) {
        workload_.left_out.push_back(pattern.name.text + ": " + plan.refusal);
        continue;
      }
      PJ_ASSIGN_OR_RETURN(Call call, Record(plan, recorder));
      if (!call.executions.empty()) {
        workload_.calls.push_back(std::move(call));
      }
    }
    return {};
  }

  Result<Call> Record(const model::Plan& plan, RecordingBackend& recorder) {
    const model::Pattern& pattern = *plan.pattern;
    Call call{.name = pattern.name.text,
              .is_write = false,
              .per_second = pattern.rate_per_second,
              .peak_per_second = pattern.peak_per_second,
              .day = DayOf(pattern.name),
              .skew = SkewOf(pattern),
              .executions = {}};
    std::size_t items_read = 0;
    double read_units = 0;
    for (const model::Arguments& arguments :
         model::ArgumentsToTry(model_, pattern, data_, kArgumentSets)) {
      PJ_RETURN_IF_ERROR(patience_.GoOn());
      PJ_ASSIGN_OR_RETURN(const model::PlanRun run,
                          model::RunPlan(model_, plan, arguments, recorder));
      call.executions.push_back({recorder.TakeRequests(), {}, {}});
      items_read += run.items_read;
      read_units += run.read_units;
      if (items_read > kItemsReadMax) {
        break;
      }
    }
    if (read_units > 0) {
      call.read_factor = std::max(1.0, plan.estimate.read_units * static_cast<double>(call.executions.size()) / read_units);
    }
    return call;
  }

  // The skew of the first attribute that the pattern compares and that has one.
  model::Skew SkewOf(const model::Pattern& pattern) const {
    for (const model::Section& section : pattern.sections) {
      const model::Entity& entity = model_.At(section.searched());
      for (const model::Condition& condition : section.conditions) {
        const model::Attribute* attribute =
            entity.Find(condition.attribute.text);
        if (attribute != nullptr && attribute->skew.given()) {
          return attribute->skew;
        }
      }
    }
    return {};
  }

  // The rows that an execution puts and changes, by number.
  struct RowNumbers {
    std::size_t of_puts = 0;
    std::size_t of_change = 0;  // Of the first row that is changed; others go by `of_puts`.
  };

  // Nullopt: there are not so many rows.
  std::optional<Execution> MakeExecution(const model::Write& write, RowNumbers numbers) {
    Execution execution;
    std::map<std::string, std::vector<std::string>> named;  // The parameters of each row that is changed, by entity.
    for (const model::WriteStep& step : write.steps) {
      std::vector<std::string>& rows = named[step.entity.text];
      const auto same = std::ranges::find(rows, ParametersOf(step));
      const auto before = static_cast<std::size_t>(same - rows.begin());
      if (step.kind != model::WriteKind::kPut && same == rows.end()) {
        rows.push_back(ParametersOf(step));
      }
      if (!AddStep(step, numbers, before, execution)) {
        return std::nullopt;
      }
    }
    if (execution.requests.empty()) {
      return std::nullopt;
    }
    if (write.together && execution.requests.size() > 1) {
      Combine(execution);
    }
    return execution;
  }

  Status MakeWrite(const model::Write& write) {
    if (write.rate_per_second <= 0) {
      return {};
    }
    Call call{.name = write.name.text,
              .is_write = true,
              .per_second = write.rate_per_second,
              .peak_per_second = write.peak_per_second,
              .day = DayOf(write.name),
              .skew = {},
              .executions = {}};
    const std::size_t count = ExecutionsOf(write);
    const bool varies = write.steps.size() > 1 && std::ranges::any_of(write.steps, [](const model::WriteStep& step) {
      return step.kind != model::WriteKind::kPut;
    });
    for (std::size_t number = 0; number < count; ++number) {
      PJ_RETURN_IF_ERROR(patience_.GoOn());
      auto execution = MakeExecution(write, {number, number});
      auto hot = varies ? MakeExecution(write, {number, 0}) : std::nullopt;
      if (!execution || (varies && !hot)) {
        break;
      }
      call.executions.push_back(*std::move(execution));
      if (hot) {
        call.hot.push_back(*std::move(hot));
      }
    }
    if (call.executions.empty()) {
      workload_.left_out.push_back(write.name.text + ": its rows have no items of their own");
    } else {
      workload_.calls.push_back(std::move(call));
    }
    return {};
  }

  // The rows of an entity that exist from the beginning: every other one, if the others wait.
  std::size_t RowsOf(const model::WriteStep& step) const {
    const std::size_t rows = data_.Of(step.entity.text).size();
    return IsPut(step.entity.text) ? (rows + 1) / 2 : rows;
  }

  // New rows come until none waits any more; a row is changed once. A write of both changes rows again and again.
  std::size_t ExecutionsOf(const model::Write& write) const {
    std::size_t rows = 0;
    for (const model::WriteStep& step : write.steps) {
      rows = std::max(rows, step.kind == model::WriteKind::kPut ? kRowsOfWrite : RowsOf(step));
    }
    return std::min(rows, kRowsOfWrite);
  }

  // `before`: how many other rows of the entity are changed before this one.
  bool AddStep(const model::WriteStep& step, RowNumbers numbers, std::size_t before, Execution& execution) {
    if (step.kind == model::WriteKind::kPut) {
      return AddPuts(step, numbers.of_puts, execution);
    }
    const auto& rows = data_.Of(step.entity.text);
    const auto layouts = model_.LayoutsOf(step.entity);
    const std::size_t count = rows.empty() ? 0 : RowsOf(step);
    if (count <= before || layouts.empty()) {
      return false;
    }
    const std::size_t first = numbers.of_change % count;
    // The others are any but the first.
    const std::size_t number = before == 0 ? first : (first + 1 + (numbers.of_puts + before - 1) % (count - 1)) % count;
    for (const model::Model::Placement& layout : layouts) {
      AddChange(step, rows[number * (IsPut(step.entity.text) ? 2 : 1)], layout, execution);
    }
    return !execution.requests.empty();
  }

  bool AddPuts(const model::WriteStep& step, std::size_t number, Execution& execution) {
    const std::size_t times =
        std::clamp<std::size_t>(static_cast<std::size_t>(step.times), 1, kTimesMax);
    for (const model::Model::Placement& layout : model_.LayoutsOf(step.entity)) {
      const auto& waiting = held_.to_put[layout.layout->entity.text];
      if (waiting.size() < (number + 1) * times) {
        return false;
      }
      for (std::size_t i = number * times; i < (number + 1) * times; ++i) {
        const auto& [table, item] = waiting[i];
        execution.before.push_back({table, item, false});
        execution.requests.push_back({PutItemInput{.table_name = table, .item = item}, ""});
      }
    }
    return !execution.requests.empty();
  }

  void AddChange(const model::WriteStep& step, const model::Row& row,
                 const model::Model::Placement& layout, Execution& execution) {
    const std::string& table = layout.table->name.text;
    const model::Entity& entity = model_.At(layout.layout->entity);
    const auto key = model::RenderPrimaryKey(layout, row);
    if (!key) {
      return;
    }
    const Item before = model::RenderItem(model_, entity, row, index_);
    execution.before.push_back({table, before, true});
    if (step.kind == model::WriteKind::kDelete) {
      execution.requests.push_back({DeleteItemInput{.table_name = table, .key = *key}, ""});
      return;
    }
    const model::Entity& described = model_.At(step.entity);
    const model::Row updated = Updated(described, step, row);
    const auto new_key = model::RenderPrimaryKey(layout, updated);
    if (new_key && *new_key != *key) {
      execution.requests.push_back({DeleteItemInput{.table_name = table, .key = *key}, ""});
    }
    execution.requests.push_back(
        {PutItemInput{.table_name = table,
                      .item = model::RenderItem(model_, entity, updated, index_)},
         ""});
  }

  // One transaction of all requests; two of them on one item are one action.
  static void Combine(Execution& execution) {
    TransactWriteItemsInput input;
    for (const Request& request : execution.requests) {
      TransactWrite action;
      if (const auto* put = std::get_if<PutItemInput>(&request.input)) {
        action = {.action = TransactAction::kPut,
                  .table_name = put->table_name,
                  .item_or_key = put->item};
      } else {
        const auto& remove = std::get<DeleteItemInput>(request.input);
        action = {.action = TransactAction::kDelete,
                  .table_name = remove.table_name,
                  .item_or_key = remove.key};
      }
      input.items.push_back(std::move(action));
    }
    execution.requests = {{std::move(input), ""}};
  }

  const model::Model& model_;
  const model::Dataset data_;
  model::DataIndex index_;
  const DailyRates& days_;
  Patience patience_;
  Workload workload_;
  Held held_;
};

}  // namespace

Result<Workload> MakeWorkload(const model::Model& model, const WorkloadOptions& options) {
  PJ_ASSIGN_OR_RETURN(const model::Model small, SmallModel(model, options));
  const model::GenerateOptions how{
      .rows = CountOf(small), .even = false, .as_stated = true, .seed = options.seed};
  return WorkloadMaker(model, model::GenerateData(small, how), options).Make();
}

}  // namespace prejoin::simulate
