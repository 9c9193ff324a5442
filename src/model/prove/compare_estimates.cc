#include "model/prove/compare_estimates.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <set>

#include "base/limits.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/generate/at_rows.h"
#include "model/generate/generate.h"
#include "model/generate/stated_arguments.h"
#include "model/plan/planner.h"
#include "model/prove/collection_counts.h"
#include "model/prove/compare_writes.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/predictor.h"
#include "model/prove/run_plan.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kRunsOfPattern = 64;
constexpr std::size_t kItemsReadMax = 400'000;  // The limit for one pattern, in all its runs.
constexpr std::size_t kLoadedAtOnce = 5'000;
constexpr std::size_t kRunsOfWrite = 48;
constexpr std::size_t kRunsOfCascade = 128;  // What one of ten rows has must be met.
constexpr double kRowsForWrites = 800;
constexpr std::size_t kFewestCompared = 3;  // Fewer are too few for a comparison.
// Beyond it the sampling error is far below the tolerance, and a proof of a million rows would generate and load all of them twice.
constexpr double kRowsForReads = 100'000;
// The least by which two requests differ.
constexpr double kWriteStep = 1;
constexpr double kReadStep = 0.5;

// Two standard errors of the mean of values whose neighbours are alike, and more where they are few: only `different` of them tell
// something new. Where they are all the same, one in a few may still be `step` more or less.
double SamplingError(const std::vector<double>& values, std::size_t different, double step) {
  constexpr double kOneInThree = 3;
  const double telling = std::max(1.0, static_cast<double>(different));
  if (std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end()) {
    return step * std::min(1.0, kOneInThree / telling);
  }
  double squares = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    squares += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
  }
  const auto count = static_cast<double>(values.size());
  const double few = 1 + kOneInThree / std::max(1.0, telling - 1);
  return 2 * few * std::sqrt(squares / 2 / (count - 1) / std::min(count, telling));
}

std::string TextOf(const Arguments& arguments) {
  std::string text;
  for (const auto& [name, value] : arguments) {
    text += name + "=" + ValueText(value) + "\x01";
  }
  return text;
}

// The keys of all requests of a plan.
std::string KeysText(const Plan& plan, const Arguments& arguments) {
  std::string text;
  const auto add = [&](const KeyExpression& key) {
    const std::optional<AttributeValue> value = key.Render(arguments);
    text += (value ? ValueText(*value) : "") + "\x01";
  };
  for (const Request& request : plan.requests) {
    std::ranges::for_each(request.partition, add);
    for (const SortRange& range : request.ranges) {
      std::ranges::for_each(range.equal, add);
      add(range.low);
      add(range.high);
    }
    for (const Operand& operand : request.in_operands) {
      const AttributeValue* value = OperandValue(operand, arguments);
      text += (value != nullptr ? ValueText(*value) : "") + "\x01";
    }
  }
  return text;
}

double AverageUnits(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         std::max(1.0, static_cast<double>(values.size()));
}

void Judge(ComparedFigure& figure) {
  const double allowed = kEstimateTolerance * figure.measured + figure.sampling_error + 1e-6;
  const bool right = std::abs(figure.predicted - figure.measured) <= 1e-6 * (1 + figure.measured);
  if (!figure.contradiction.empty()) {
    figure.agrees = right;
    return;
  }
  figure.agrees = right && std::abs(figure.estimated - figure.measured) <= allowed;
}

// `returns` that the counts exclude: an answer has at most the rows under its key, and without a range or a filter it has those.
std::string ContradictionOf(Expectations& figures, const Pattern& pattern) {
  constexpr double kTimesOff = 1.5;
  for (const Section& section : pattern.sections) {
    if (!section.returns || !section.via.text.empty()) {
      continue;
    }
    std::set<std::string> bound;
    bool plain = true;
    double values = 1;
    for (const Condition& condition : section.conditions) {
      const bool listed = condition.comparison == Comparison::kIn;
      const bool equal = condition.comparison == Comparison::kEqual;
      plain = plain && equal;
      values *= listed ? static_cast<double>(condition.operands.size()) : 1;
      if (equal || listed) {
        bound.insert(condition.attribute.text);
      }
    }
    const double rows = values * figures.Rows(section.entity, bound);
    if (rows * kTimesOff < *section.returns || (plain && rows > kTimesOff * *section.returns)) {
      return "the file states " + FigureText(*section.returns) + " rows; its counts give " +
             (plain ? "" : "at most ") + FigureText(rows);
    }
  }
  return "";
}

class Comparer {
 public:
  // `estimated` is the model that the estimates are of: `model` itself, but in tests.
  Comparer(const Model& declared, const Model& model, const Model& estimated, const Dataset& data,
           EmbeddedBackend& backend, std::uint64_t seed)
      : declared_(declared),
        model_(model),
        estimated_(estimated),
        figures_(model),
        estimates_(estimated),
        backend_(backend),
        seed_(seed),
        index_(data) {}

  Result<EstimateComparison> RunReads() {
    PJ_RETURN_IF_ERROR(Load());
    comparison_.rows = index_.data().size();
    Expectations declared(declared_);
    for (std::size_t i = 0; i < model_.patterns.size(); ++i) {
      const Plan plan = PlanPattern(figures_, model_.patterns[i]);
      if (!plan.served) {
        continue;
      }
      PJ_ASSIGN_OR_RETURN(ComparedFigure figure, ComparePattern(plan));
      if (&estimated_ != &model_) {
        figure.estimated = PlanPattern(estimates_, estimated_.patterns[i]).estimate.read_units;
      }
      figure.declared = PlanPattern(declared, declared_.patterns[i]).estimate.read_units;
      figure.contradiction = ContradictionOf(declared, declared_.patterns[i]);
      Keep(std::move(figure), comparison_.patterns);
    }
    CompareViews();
    for (ComparedFigure& size : collections_.Sizes(estimates_)) {
      Keep(std::move(size), comparison_.collections);
    }
    for (ComparedFigure& share : collections_.Hottest(estimates_)) {
      Keep(std::move(share), comparison_.hottest);
    }
    return std::move(comparison_);
  }

  // `data` is what was loaded; it is changed meanwhile.
  Result<EstimateComparison> RunWrites(Dataset& data) {
    PJ_RETURN_IF_ERROR(Load());
    Expectations declared(declared_);
    for (std::size_t i = 0; i < model_.writes.size(); ++i) {
      const Write& write = model_.writes[i];
      const bool cascade = std::ranges::any_of(
          write.steps, [](const WriteStep& step) { return !step.cascade.empty(); });
      PJ_ASSIGN_OR_RETURN(const MeasuredWrite units,
                          MeasureWrite(model_, write, data, predictor_, backend_,
                                       cascade ? kRunsOfCascade : kRunsOfWrite));
      if (units.measured.empty()) {
        continue;
      }
      ComparedFigure figure;
      figure.name = write.name.text;
      figure.estimated = EstimateWrite(estimates_, estimated_.writes[i]).total_units;
      figure.declared = EstimateWrite(declared, declared_.writes[i]).total_units;
      figure.predicted = AverageUnits(units.predicted);
      figure.measured = AverageUnits(units.measured);
      figure.runs = static_cast<int>(units.measured.size());
      // One or two rows say what they cost, and not what rows cost on average.
      figure.sampling_error = units.different < kFewestCompared
                                  ? std::max(figure.measured, figure.estimated)
                                  : SamplingError(units.measured, units.different, kWriteStep);
      Keep(std::move(figure), comparison_.writes);
    }
    return std::move(comparison_);
  }

 private:
  void Keep(ComparedFigure figure, std::vector<ComparedFigure>& figures) {
    Judge(figure);
    comparison_.all_agree = comparison_.all_agree && figure.agrees;
    figures.push_back(std::move(figure));
  }

  Status Load() {
    for (const Table& table : model_.tables) {
      PJ_RETURN_IF_ERROR(predictor_.CreateTable(model_, table));
      PJ_RETURN_IF_ERROR(backend_.CreateTable(model_, table));
    }
    return EachRendered(model_, index_, kLoadedAtOnce, [this](const TableItems& some) -> Status {
      collections_.Count(some);
      PJ_RETURN_IF_ERROR(predictor_.Load(some.table->name.text, some.items));
      return backend_.Load(some.table->name.text, some.items);
    });
  }

  Result<ComparedFigure> ComparePattern(const Plan& plan) {
    ComparedFigure figure;
    figure.name = plan.pattern->name.text;
    figure.estimated = plan.estimate.read_units;
    figure.items_estimated = plan.estimate.items_read;
    std::size_t runs = kRunsOfPattern;
    while (runs > 4 && static_cast<double>(runs) * plan.estimate.items_read > kItemsReadMax) {
      runs /= 2;
    }
    std::vector<double> units;
    std::set<std::string> asked;
    std::set<std::string> read;  // Different keys: parameters that only filter tell nothing new.
    for (const Arguments& arguments :
         StatedArguments(figures_, *plan.pattern, index_, runs, seed_)) {
      PJ_ASSIGN_OR_RETURN(const PlanRun predicted, RunPlan(model_, plan, arguments, predictor_));
      PJ_ASSIGN_OR_RETURN(const PlanRun measured, RunPlan(model_, plan, arguments, backend_));
      figure.predicted += PredictedUnits(predicted, measured);
      figure.measured += measured.read_units;
      figure.items_measured += static_cast<double>(measured.items_read);
      units.push_back(measured.read_units);
      asked.insert(TextOf(arguments));
      read.insert(KeysText(plan, arguments));
    }
    const double count = std::max(1.0, static_cast<double>(units.size()));
    figure.predicted /= count;
    figure.measured /= count;
    figure.items_measured /= count;
    figure.runs = static_cast<int>(units.size());
    figure.sampling_error = asked.size() > 1 ? SamplingError(units, read.size(), kReadStep) : 0;
    figure.sampling_error += WholeRowsError(*plan.pattern, figure.items_measured);
    figure.sampling_error += AtStepError(plan.estimate);
    return figure;
  }

  // An answer of nearly 4 KB is one step or two by a percent of its bytes, and the average of some hundred rows is no nearer than that.
  static double AtStepError(const PlanEstimate& estimate) {
    constexpr double kNear = 0.03;
    const double steps = estimate.bytes_read / std::max(1.0, estimate.requests) /
                         static_cast<double>(kReadUnitBytes);
    return std::abs(steps - std::max(1.0, std::round(steps))) <= kNear * steps ? kReadStep / 2 : 0;
  }

  // Rows are whole: of a dozen, 70% are eight or nine, and one more may fill another step.
  double WholeRowsError(const Pattern& pattern, double items) const {
    constexpr double kMoreThanItsParents = 2;
    constexpr double kDozen = 12;
    double rows = 1;
    for (const Section& section : pattern.sections) {
      rows = std::max(rows, static_cast<double>(index_.data().Of(section.searched().text).size()));
    }
    return items > kMoreThanItsParents ? kReadStep * std::min(1.0, kDozen / rows) : 0;
  }

  void CompareViews() {
    for (const Table& table : estimated_.tables) {
      for (const auto& [name, size] : predictor_.Sizes(table.name.text)) {
        const Index* index = name.empty() ? nullptr : table.FindIndex(name);
        const View view{&table, index};
        const StorageCost storage = PriceStorage(estimates_, view, Prices());
        ComparedFigure entries;
        entries.name = view.Label();
        entries.estimated = storage.items;
        entries.measured = static_cast<double>(size.entries);
        entries.predicted = entries.measured;
        ComparedFigure bytes = entries;
        constexpr double kOverhead = 100;
        bytes.estimated = storage.items > 0 ? storage.bytes / storage.items - kOverhead : 0;
        bytes.measured = size.entries > 0
                             ? static_cast<double>(size.bytes) / static_cast<double>(size.entries)
                             : bytes.estimated;
        bytes.predicted = bytes.measured;
        entries.sampling_error = static_cast<double>(kFewestCompared);
        Keep(std::move(entries), comparison_.entries);
        if (size.entries >= kFewestCompared) {
          Keep(std::move(bytes), comparison_.entry_bytes);
        }
      }
    }
  }

  const Model& declared_;
  const Model& model_;
  const Model& estimated_;
  Expectations figures_;
  Expectations estimates_;
  EmbeddedBackend& backend_;
  const std::uint64_t seed_;
  DataIndex index_;
  Predictor predictor_;
  CollectionCounts collections_;
  EstimateComparison comparison_;
};

// Rows for exactly what the model states.
Dataset StatedData(const Model& model, std::uint64_t seed) {
  Expectations figures(model);
  GenerateOptions generate;
  generate.rows = 0;
  for (const Entity& entity : model.entities) {
    generate.rows += figures.Count(entity);
  }
  generate.as_stated = true;
  generate.seed = seed;
  return GenerateData(model, generate);
}

}  // namespace

Result<EstimateComparison> CompareEstimates(const Model& model, const CompareOptions& options) {
  const double rows = std::min(options.rows, kRowsForReads);
  const Model small = AtRows(model, rows);
  const Model mistaken = options.mistaken != nullptr ? AtRows(*options.mistaken, rows) : Model();
  const Dataset data = StatedData(small, options.seed);
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddedBackend> backend,
                      EmbeddedBackend::OpenInMemory());
  Comparer reads(model, small, options.mistaken != nullptr ? mistaken : small, data, *backend,
                 options.seed);
  PJ_ASSIGN_OR_RETURN(EstimateComparison comparison, reads.RunReads());
  // A write touches few items whatever the size of the table.
  const double rows_for_writes = std::min(options.rows, kRowsForWrites);
  const Model smaller = AtRows(model, rows_for_writes);
  const Model mistaken_writes =
      options.mistaken != nullptr ? AtRows(*options.mistaken, rows_for_writes) : Model();
  const Dataset loaded = StatedData(smaller, options.seed);
  Dataset changing = loaded;
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddedBackend> written,
                      EmbeddedBackend::OpenInMemory());
  Comparer writes(model, smaller, options.mistaken != nullptr ? mistaken_writes : smaller, loaded,
                  *written, options.seed);
  PJ_ASSIGN_OR_RETURN(EstimateComparison of_writes, writes.RunWrites(changing));
  comparison.writes = std::move(of_writes.writes);
  comparison.all_agree = comparison.all_agree && of_writes.all_agree;
  return comparison;
}

}  // namespace prejoin::model
