// A choice is finished by going the way that a file goes: it is printed, read again, planned, priced and run. The
// figures shown are therefore those that `check`, `cost` and `prove` report for the file that `--write` leaves.
#include "design/finish.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "design/copy_search.h"
#include "model/check/check.h"
#include "model/cost/copies.h"
#include "model/generate/generate.h"
#include "model/layout/print_physical.h"
#include "model/plan/planner.h"
#include "model/prove/compare_estimates.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/measured_bill.h"
#include "model/prove/prove.h"
#include "model/schema/strategy_match.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Model;
using model::Plan;

std::string Joined(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return out;
}

// Which patterns read each view, by its label.
std::map<std::string, std::vector<std::string>> ReadersOf(const std::vector<Plan>& plans) {
  std::map<std::string, std::vector<std::string>> readers;
  for (const Plan& plan : plans) {
    for (const model::Request& request : plan.requests) {
      std::vector<std::string>& names = readers[request.view.Label()];
      if (std::ranges::find(names, plan.pattern->name.text) == names.end()) {
        names.push_back(plan.pattern->name.text);
      }
    }
  }
  return readers;
}

// Which patterns read the items of each entity in the table itself.
std::map<std::string, std::vector<std::string>> TableReaders(const std::vector<Plan>& plans) {
  std::map<std::string, std::vector<std::string>> readers;
  for (const Plan& plan : plans) {
    for (const model::SectionPlan& section : plan.sections) {
      if (plan.requests[section.request].view.index != nullptr) {
        continue;
      }
      std::vector<std::string>& names = readers[section.item_entity.text];
      if (std::ranges::find(names, plan.pattern->name.text) == names.end()) {
        names.push_back(plan.pattern->name.text);
      }
    }
  }
  return readers;
}

// The price of an index a month: its writes and its storage.
double IndexMoney(const Model& model, const model::Index& index, const std::string& label,
                  const model::CostReport& cost) {
  double money = 0;
  for (const model::StorageCost& storage : cost.storage) {
    if (storage.view == label) {
      money += storage.money_per_month;
    }
  }
  for (std::size_t i = 0; i < cost.writes.size() && i < model.writes.size(); ++i) {
    const auto units = cost.writes[i].units.find(index.name.text);
    if (units != cost.writes[i].units.end() && cost.writes[i].total_units > 0) {
      money += cost.writes[i].money_per_month * units->second / cost.writes[i].total_units;
    }
  }
  return money;
}

// Copies that a Scan may find are not to be found fault with; the reason is in the file.
void AllowScansForCopies(const FinishInput& input, const Model& model,
                         model::PhysicalComments& comments) {
  std::set<std::string> allowed;
  for (const model::CopyPlan& plan : model::PlanCopies(model)) {
    const std::string original = plan.entity.text + "." + plan.attribute;
    if (!plan.found_by.empty() || plan.upkeep == model::CopyUpkeep::kNever ||
        HowCopiesAreFound(input.logical, plan.holder.text, original) != CopySearch::kByScan ||
        !allowed.insert(plan.holder.text).second) {
      continue;
    }
    comments.item_lines[plan.holder.text].push_back("allow PJ225 because \"" + original +
                                               " changes so seldom that a Scan may find its "
                                               "copies\"");
  }
}

model::PhysicalComments Comments(const FinishInput& input, const Model& model,
                                 const std::vector<Plan>& plans, const model::CostReport& cost) {
  model::PhysicalComments comments;
  const auto readers = ReadersOf(plans);
  for (const auto& [entity, names] : TableReaders(plans)) {
    comments.items[entity] = {"Its key supports " + Joined(names) + "."};
  }
  for (const model::Table& table : model.tables) {
    for (const model::Index& index : table.indexes) {
      const std::string label = table.name.text + "." + index.name.text;
      const auto found = readers.find(label);
      std::string line = found != readers.end() ? "Supports " + Joined(found->second) : "Unused";
      const double money = IndexMoney(model, index, label, cost);
      line += money < 0.005
                  ? ". Its writes cost under $0.01/month."
                  : ". Its writes cost " + model::MoneyText(input.options.prices.currency, money) +
                        " a month.";
      comments.indexes[label] = {line};
    }
  }
  AllowScansForCopies(input, model, comments);
  return comments;
}

void AddStrategies(Model& model) {
  model.strategies.clear();
  for (const model::Relationship& relationship : model.relationships) {
    model::StrategyChoice choice;
    choice.relationship = relationship;
    for (const model::Strategy* strategy : model::StrategiesInUse(model, relationship)) {
      choice.strategies.push_back({std::string(strategy->name), {}});
    }
    if (!choice.strategies.empty()) {
      model.strategies.push_back(std::move(choice));
    }
  }
}

void Measure(FoundDesign& design, const Model& model, const std::vector<Plan>& plans) {
  design.money = design.cost.money_per_month;
  for (const Plan& plan : plans) {
    design.worst_rounds = std::max(design.worst_rounds, plan.estimate.rounds);
  }
  for (const model::Table& table : model.tables) {
    design.indexes += table.indexes.size();
  }
  // From the tables, because the file's own have no choice behind them.
  const auto is_copy = [](const model::StoredAttribute& stored) {
    return stored.kind == model::StoredKind::kCopy || stored.kind == model::StoredKind::kEmbedList ||
           stored.kind == model::StoredKind::kEmbedMap;
  };
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      design.copies += static_cast<std::size_t>(std::ranges::count_if(layout.attributes, is_copy));
    }
  }
  for (const model::StorageCost& storage : design.cost.storage) {
    design.storage_bytes += storage.bytes;
  }
  for (const model::Heat& heat : design.cost.heat) {
    design.hottest = std::max(design.hottest, heat.utilisation);
  }
}

constexpr double kProofBytesMax = 64e6;

Status ProveOnce(const Model& model, double rows, ProofOutcome& outcome) {
  PJ_ASSIGN_OR_RETURN(const auto backend, model::EmbeddedBackend::OpenInMemory());
  while (rows > 10 && model::ExpectedGeneratedBytes(model, rows) > kProofBytesMax) {
    rows /= 2;
  }
  if (!(model::ExpectedGeneratedBytes(model, rows) <= kProofBytesMax)) {
    outcome.problems.push_back(
        "not proved: even a few rows of the declared sizes take more than 64 MB");
    return {};
  }
  model::ProveOptions prove;
  prove.argument_sets = 8;
  // On the same few rows each time: once is enough.
  prove.hostile = rows > 0;
  const auto report = model::ProveAtScale(model, {rows, 1}, *backend, prove);
  if (!report) {
    outcome.problems.push_back(report.error().message);
    return {};
  }
  outcome.rows += report->rows;
  for (const model::PatternProof& pattern : report->patterns) {
    if (pattern.right) {
      outcome.found.insert(pattern.name);
      continue;
    }
    // Rare rows are in the sample, and need not be among a few hundred generated ones.
    if (pattern.rows_found == 0 && pattern.problems.size() == 1 &&
        outcome.found.contains(pattern.name)) {
      continue;
    }
    const std::string problem =
        pattern.problems.empty() ? "no row was found to prove it with" : pattern.problems[0];
    outcome.problems.push_back("pattern " + pattern.name + ": " + problem);
  }
  for (const model::WriteProof& write : report->writes) {
    if (!write.right && write.skipped.empty()) {
      outcome.problems.push_back("write " + write.name + ": " +
                                 (write.problems.empty() ? "not right" : write.problems[0]));
    }
  }
  outcome.problems.insert(outcome.problems.end(), report->data_problems.begin(),
                          report->data_problems.end());
  return {};
}

// The constraints that the search keeps where it can, asked of the design as it stands.
void FindViolations(const DesignOptions& options, const std::vector<model::Diagnostic>& findings,
                    FoundDesign& design) {
  for (const model::Diagnostic& finding : findings) {
    if (finding.rule == "PJ214" || finding.rule == "PJ103" || finding.rule == "PJ104") {
      design.violations.push_back(finding.message);
    }
  }
  for (const model::Heat& heat : design.cost.heat) {
    if (heat.utilisation > options.heat_max + 1e-9) {
      design.violations.push_back(
          "the hottest key of " + heat.view + " takes " + model::PercentText(heat.utilisation) +
          " of a partition at the peak; the limit is " + model::PercentText(options.heat_max));
    }
  }
}

}  // namespace

Result<ProofOutcome> ProveDesign(const Model& model, double rows) {
  ProofOutcome outcome;
  if (!model.samples.empty()) {
    PJ_RETURN_IF_ERROR(ProveOnce(model, 0, outcome));
  }
  PJ_RETURN_IF_ERROR(ProveOnce(model, rows, outcome));
  return outcome;
}

Result<model::MeasuredBill> MeasureDesign(const Model& model, const model::CostReport& cost) {
  // Enough for averages that mean something; the designs of one report share a minute.
  double rows = 2'000;
  while (rows > 100 && model::ExpectedGeneratedBytes(model, rows) > kProofBytesMax) {
    rows /= 2;
  }
  if (!(model::ExpectedGeneratedBytes(model, rows) <= kProofBytesMax)) {
    return model::MeasuredBill{cost.money_per_month, ""};
  }
  PJ_ASSIGN_OR_RETURN(const model::EstimateComparison comparison,
                      model::CompareEstimates(model, {.rows = rows}));
  return model::MeasureBill(cost, comparison);
}

void AssumeRates(Model& model) {
  for (model::Pattern& pattern : model.patterns) {
    if (pattern.rate_per_second <= 0) {
      pattern.rate_per_second = 1;
    }
  }
  for (model::Write& write : model.writes) {
    if (write.rate_per_second <= 0) {
      write.rate_per_second = 1;
    }
  }
}

namespace {

// Everything that is known of a design once its text is read.
Status PriceAndProve(const DesignOptions& options, FoundDesign& design) {
  Model priced = design.read.model;
  AssumeRates(priced);
  model::Expectations figures(priced);
  const std::vector<Plan> plans = model::PlanAll(figures);
  design.cost = model::EstimateCost(figures, plans, options.prices);
  Measure(design, priced, plans);
  const std::vector<model::Diagnostic> findings = model::CheckModel(design.read);
  FindViolations(options, findings, design);
  for (const model::Diagnostic& finding : findings) {
    design.warnings += finding.severity != model::Severity::kNote ? 1 : 0;
  }
  if (!options.prove) {
    return {};
  }
  PJ_ASSIGN_OR_RETURN(ProofOutcome proof, ProveDesign(design.read.model, options.proof_rows));
  design.proof_rows = proof.rows;
  design.proof_problems = std::move(proof.problems);
  PJ_ASSIGN_OR_RETURN(const model::MeasuredBill bill,
                      MeasureDesign(design.read.model, design.cost));
  design.measured_money = bill.money;
  if (std::abs(bill.money - design.money) > model::kEstimateTolerance * bill.money) {
    design.proof_problems.push_back(
        "its requests cost " + model::MoneyText(options.prices.currency, bill.money) +
        "/month as measured, and " + model::MoneyText(options.prices.currency, design.money) +
        " as estimated: " + bill.largest_difference);
  }
  design.proved = design.proof_problems.empty();
  return {};
}

}  // namespace

Result<FoundDesign> Finish(const FinishInput& input) {
  return FinishTables(input, AssembleTables(input.logical, input.choice, input.assemble));
}

Result<FoundDesign> FinishTables(const FinishInput& input, std::vector<model::Table> tables) {
  FoundDesign design;
  design.choice = input.choice;
  Model model = input.logical;
  model.tables = std::move(tables);
  AddStrategies(model);
  model::PhysicalComments comments;
  {
    model::Expectations figures(model);
    const std::vector<Plan> plans = model::PlanAll(figures);
    comments =
        Comments(input, model, plans, model::EstimateCost(figures, plans, input.options.prices));
  }
  design.physical = model::PrintPhysical(model, comments);
  design.source = model::WithPhysical(input.read.tree, design.physical);
  design.read = model::ReadModel(design.source);
  if (!design.read.ok) {
    std::string message = "the design that was found cannot be read again:\n";
    for (const model::Diagnostic& diagnostic : design.read.diagnostics) {
      message += model::RenderDiagnostic("design", design.source, diagnostic);
    }
    return ValidationError(std::move(message));
  }
  PJ_RETURN_IF_ERROR(PriceAndProve(input.options, design));
  return design;
}

Result<FoundDesign> FinishFile(const FinishInput& input) {
  FoundDesign design;
  design.source = input.source;
  design.physical = model::PrintPhysical(input.read.model, {});
  design.read = model::ReadModel(design.source);
  PJ_RETURN_IF_ERROR(PriceAndProve(input.options, design));
  return design;
}

}  // namespace prejoin::design
