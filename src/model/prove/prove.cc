#include "model/prove/prove.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/data/item_render.h"
#include "model/generate/generate.h"
#include "model/plan/local_fetch.h"
#include "model/plan/planner.h"
#include "model/prove/compare_rows.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/predictor.h"
#include "model/prove/prove_writes.h"
#include "model/prove/run_plan.h"
#include "model/prove/trial/rows_that_go.h"
#include "model/prove/trial/try_hostile.h"
#include "model/prove/trial/try_writes.h"
#include "model/prove/trial/workable_rows.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kProblemsMax = 6;
constexpr std::size_t kLoadSlice = 5'000;
constexpr std::size_t kGeneratedArgumentSets = 4;
constexpr double kFilledRows = 24;  // Rows of each entity that the sample lacks.

std::string ArgumentsText(const Arguments& arguments) {
  Row row;
  for (const auto& [name, value] : arguments) {
    row.Set(":" + name, value);
  }
  return RowText(row);
}

class Prover {
 public:
  // `expendable` is null, or the data itself, which may be used up at the end.
  Prover(const Model& model, const Dataset& data, Backend& backend, const ProveOptions& options,
         Dataset* expendable)
      : model_(model),
        data_(data),
        backend_(backend),
        options_(options),
        expendable_(expendable),
        index_(data_) {}

  Result<ProofReport> Run() {
    PJ_RETURN_IF_ERROR(Load());
    bool right = true;
    std::size_t done = 0;
    for (const Pattern& pattern : model_.patterns) {
      Progress("patterns", done++, model_.patterns.size());
      PJ_ASSIGN_OR_RETURN(PatternProof proof, ProvePattern(pattern));
      right = right && proof.right;
      report_.patterns.push_back(std::move(proof));
    }
    report_.rows = data_.size();
    if (options_.writes) {
      Dataset working = expendable_ != nullptr ? std::move(*expendable_) : data_;
      done = 0;
      for (const Write& write : model_.writes) {
        PJ_RETURN_IF_ERROR(GoOn());
        Progress("writes", done++, model_.writes.size());
        PJ_ASSIGN_OR_RETURN(WriteProof proof, ProveWrite(model_, write, working, backend_,
                                                         predictor_, options_.compare_units));
        right = right && proof.right;
        report_.writes.push_back(std::move(proof));
      }
    }
    // A model without patterns and writes has not been proved.
    report_.all_right = right && !(model_.patterns.empty() && model_.writes.empty());
    return std::move(report_);
  }

 private:
  void Progress(const std::string& what, std::size_t done, std::size_t total) const {
    if (options_.progress) {
      options_.progress(what, done, total);
    }
  }

  Status GoOn() const {
    if (!options_.give_up || !options_.give_up()) {
      return {};
    }
    return Error{ErrorCode::kUnavailable, "the proof was given up"};
  }

  Status Load() {
    for (const Table& table : model_.tables) {
      PJ_RETURN_IF_ERROR(predictor_.CreateTable(model_, table));
      if (options_.create_and_load) {
        PJ_RETURN_IF_ERROR(backend_.CreateTable(model_, table));
      }
    }
    if (options_.stored != nullptr) {
      for (const TableItems& table : *options_.stored) {
        PJ_RETURN_IF_ERROR(LoadSome(table));
      }
      return {};
    }
    return EachRendered(model_, index_, kLoadSlice,
                        [this](const TableItems& some) { return LoadSome(some); });
  }

  Status LoadSome(const TableItems& some) {
    PJ_RETURN_IF_ERROR(GoOn());
    const std::string& table = some.table->name.text;
    report_.items += some.items.size();
    Progress("load " + table + ", item", report_.items, std::max(report_.items + 1, data_.size()));
    PJ_RETURN_IF_ERROR(predictor_.Load(table, some.items));
    return options_.create_and_load ? backend_.Load(table, some.items) : Status();
  }

  Result<PatternProof> ProvePattern(const Pattern& pattern) {
    PatternProof proof;
    proof.name = pattern.name.text;
    proof.title = pattern.title;
    const Plan plan = PlanPattern(model_, pattern);
    if (!plan.served) {
      proof.problems.push_back("not supported by any key: " + plan.refusal);
      return proof;
    }
    for (const Request& request : plan.requests) {
      proof.requests.push_back(DescribeRequest(request));
    }
    for (const SectionPlan& section : plan.sections) {
      for (const FollowUp& follow_up : section.follow_ups) {
        if (!FetchedByIndex(plan.requests[section.request], follow_up)) {
          proof.requests.push_back("then BatchGetItem " + follow_up.entity.text);
        }
      }
    }
    const bool strong = plan.strong && pattern.freshness != Freshness::kEventual;
    proof.strong = strong;
    if (pattern.freshness != Freshness::kEventual && !plan.strong) {
      proof.problems.push_back("asks for fresh data, but a global index is eventually consistent");
    }
    for (std::string& fault : TotalsThatLag(model_, pattern)) {
      proof.problems.push_back(std::move(fault));
    }
    const std::vector<Arguments> tries =
        ArgumentsToTry(model_, pattern, data_, options_.argument_sets);
    for (std::size_t i = 0; i < tries.size() && proof.problems.size() < kProblemsMax; ++i) {
      const std::optional<int> rows =
          i < pattern.examples.size() ? pattern.examples[i].rows : std::nullopt;
      PJ_RETURN_IF_ERROR(GoOn());
      PJ_RETURN_IF_ERROR(RunOnce(plan, tries[i], rows, proof));
    }
    if (proof.rows_found == 0 && proof.problems.empty()) {
      proof.problems.emplace_back("not proved: every run was empty, so nothing was compared");
    }
    if (options_.compare_units && std::abs(proof.predicted_units - proof.measured_units) > 1e-6) {
      proof.problems.push_back("predicted " + std::to_string(proof.predicted_units) +
                               " read units, measured " + std::to_string(proof.measured_units));
    }
    proof.right = proof.problems.empty();
    return proof;
  }

  Status RunOnce(const Plan& plan, const Arguments& arguments, std::optional<int> rows,
                 PatternProof& proof) {
    const std::vector<SectionAnswer> expected =
        EvaluatePattern(model_, *plan.pattern, arguments, index_);
    if (const auto refused = RefusedKeys(plan, arguments, expected)) {
      if (!refused->empty() || rows.value_or(0) > 0) {
        proof.problems.push_back("with " + ArgumentsText(arguments) + ": " +
                                 (refused->empty() ? "no row has such a key" : *refused));
      }
      return {};
    }
    PJ_ASSIGN_OR_RETURN(const PlanRun predicted, RunPlan(model_, plan, arguments, predictor_));
    PJ_ASSIGN_OR_RETURN(const PlanRun measured, RunPlan(model_, plan, arguments, backend_));
    std::size_t given = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // An empty count is an answer, and proves as little as no rows do.
      given += plan.pattern->sections[i].measure == Measure::kRows ? measured.sections[i].size()
                                                            : expected[i].found;
      for (const std::string& problem :
           CompareRows(plan.pattern->sections[i], expected[i], measured.sections[i])) {
        proof.problems.push_back("with " + ArgumentsText(arguments) + ": " + problem);
      }
    }
    proof.rows_found += given;
    if (rows && options_.sample != nullptr) {
      // An example refers to the sample, even if rows were generated beside it.
      DataIndex sample(*options_.sample);
      given = 0;
      const auto answers = EvaluatePattern(model_, *plan.pattern, arguments, sample);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        given += GivenRows(plan.pattern->sections[i], answers[i]);
      }
    }
    if (rows && given != static_cast<std::size_t>(*rows)) {
      proof.problems.push_back("with " + ArgumentsText(arguments) + ": the example says " +
                               std::to_string(*rows) + " rows, got " + std::to_string(given));
    }
    ++proof.runs;
    proof.requests_run += measured.requests;
    proof.items_read += measured.items_read;
    proof.items_thrown_away +=
        measured.items_read - std::min(measured.items_read, measured.items_used);
    proof.bytes_read += measured.bytes_read;
    proof.predicted_units += PredictedUnits(predicted, measured);
    proof.measured_units += measured.read_units;
    return {};
  }

  const Model& model_;
  const Dataset& data_;
  Backend& backend_;
  const ProveOptions& options_;
  Dataset* const expendable_;
  DataIndex index_;
  Predictor predictor_;
  ProofReport report_;
};

// Entities that a pattern or write uses but that have no sample rows, and those of patterns that find nothing.
std::set<std::string> ThinEntities(const Model& model, const Dataset& sample) {
  std::set<std::string> thin;
  const auto need = [&](const Name& entity) {
    if (!entity.text.empty() && sample.Of(entity.text).empty()) {
      thin.insert(entity.text);
    }
  };
  DataIndex index(sample);
  for (const Pattern& pattern : model.patterns) {
    bool found = false;
    for (const Section& section : pattern.sections) {
      need(section.entity);
      need(section.via);
    }
    for (const Arguments& arguments :
         ArgumentsToTry(model, pattern, sample, kGeneratedArgumentSets)) {
      for (const SectionAnswer& answer : EvaluatePattern(model, pattern, arguments, index)) {
        found = found || (answer.visible > 0 && answer.found > 0);
      }
    }
    for (const Section& section : pattern.sections) {
      if (!found) {
        thin.insert(section.searched().text);
      }
    }
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      need(step.entity);
      need(step.for_each);
    }
  }
  return thin;
}

// The sample, with rows generated for the entities that it is too thin in.
Dataset FillSample(const Model& model, const Dataset& sample, std::vector<std::string>& generated) {
  const std::set<std::string> thin = ThinEntities(model, sample);
  if (thin.empty()) {
    return sample;
  }
  GenerateOptions options;
  options.rows = kFilledRows * static_cast<double>(model.entities.size());
  options.even = true;
  options.start = sample;
  for (const std::string& entity : thin) {
    options.start.rows.erase(entity);
  }
  Dataset data = GenerateData(model, options);
  AddWorkableRows(model, thin, data);
  for (const Entity& thin_entity : model.entities) {
    const std::string& entity = thin_entity.name.text;
    if (!thin.contains(entity)) {
      continue;
    }
    std::vector<Row>& rows = data.rows[entity];
    const std::size_t made = rows.size();
    const std::vector<std::string> keys = thin_entity.KeyNames();
    std::set<std::string> taken;
    for (const Row& row : rows) {
      taken.insert(TupleText(row, keys));
    }
    for (const Row& row : sample.Of(entity)) {
      if (taken.insert(TupleText(row, keys)).second) {
        rows.push_back(row);
      }
    }
    generated.push_back(std::to_string(made) + " rows of " + entity);
  }
  DeriveAggregates(model, data);
  return data;
}

// Runs the trials that use a few rows only, however many the proof has.
Status TryMore(const Model& model, const Dataset& data, const ProveOptions& options,
               ProofReport& report) {
  if (!options.hostile) {
    return {};
  }
  report.tried_more = true;
  std::vector<Plan> plans;
  for (const Pattern& pattern : model.patterns) {
    plans.push_back(PlanPattern(model, pattern));
  }
  PJ_RETURN_IF_ERROR(TryHostile(model, plans, data, options.give_up, report));
  return options.writes ? TryWrites(model, plans, data, options.give_up, report) : Status();
}

}  // namespace

Result<ProofReport> Prove(const Model& model, const Dataset& data, Backend& backend,
                          const ProveOptions& options) {
  return Prover(model, data, backend, options, nullptr).Run();
}

namespace {

Result<ProofReport> ProveRows(const Model& model, const ProofScale& scale, Backend& backend,
                              ProveOptions options) {
  if (scale.rows <= 0) {
    const Dataset sample = SampleData(model);
    std::vector<std::string> generated;
    const Dataset data = FillSample(model, sample, generated);
    options.sample = &sample;
    PJ_ASSIGN_OR_RETURN(ProofReport report, Prove(model, data, backend, options));
    report.rows_from = std::to_string(sample.size()) + " of the sample, " +
                       std::to_string(data.size() - std::min(data.size(), sample.size())) +
                       " generated, spread evenly";
    report.generated = std::move(generated);
    PJ_RETURN_IF_ERROR(TryMore(model, data, options, report));
    return report;
  }
  GenerateOptions generate;
  generate.rows = scale.rows;
  generate.seed = scale.seed;
  generate.progress = [&](const std::string& entity, std::size_t rows) {
    if (options.progress) {
      options.progress("generated " + entity + ",", rows, static_cast<std::size_t>(scale.rows));
    }
  };
  options.argument_sets = kGeneratedArgumentSets;
  Model proved = model;
  for (Pattern& pattern : proved.patterns) {
    pattern.examples.clear();
  }
  Dataset data = GenerateData(model, generate);
  std::set<std::string> everything;
  for (const Entity& entity : model.entities) {
    everything.insert(entity.name.text);
  }
  AddWorkableRows(model, everything, data);
  PJ_ASSIGN_OR_RETURN(ProofReport report, Prover(proved, data, backend, options, &data).Run());
  report.rows_from = std::to_string(report.rows) +
                     " generated from the counts, averages and skew in the model, seed " +
                     std::to_string(scale.seed);
  std::vector<std::string> generated;
  PJ_RETURN_IF_ERROR(
      TryMore(model, FillSample(model, SampleData(model), generated), options, report));
  return report;
}

}  // namespace

Result<ProofReport> ProveAtScale(const Model& model, const ProofScale& scale, Backend& backend,
                                 ProveOptions options) {
  if (ProofReport refused; !(refused.data_problems = MixedKeyTypes(model)).empty()) {
    return refused;
  }
  const bool estimates = options.estimates;
  PJ_ASSIGN_OR_RETURN(ProofReport report, ProveRows(model, scale, backend, std::move(options)));
  if (estimates) {
    CompareOptions compare;
    compare.rows = scale.rows > 0 ? scale.rows : compare.rows;
    compare.seed = scale.seed;
    PJ_ASSIGN_OR_RETURN(report.estimates, CompareEstimates(model, compare));
    report.all_right = report.all_right && report.estimates->all_agree;
  }
  return report;
}

Status TryIndexLag(const Model& model, const ProofScale& scale, ProofReport& report) {
  constexpr unsigned kLongerThanAnyProof = 3'600'000;
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddedBackend> backend,
                      EmbeddedBackend::OpenInMemory({kLongerThanAnyProof, kLongerThanAnyProof}));
  ProveOptions options;
  options.writes = false;
  options.hostile = false;
  options.compare_units = false;
  PJ_ASSIGN_OR_RETURN(const ProofReport behind, ProveAtScale(model, scale, *backend, options));
  for (std::size_t i = 0; i < report.patterns.size(); ++i) {
    report.patterns[i].may_miss_last_write = !behind.patterns[i].right;
  }
  return {};
}

}  // namespace prejoin::model
