#include "model/check/check.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include "json/indented_writer.h"
#include "model/check/all_rules.h"
#include "model/check/bill.h"
#include "model/check/checker.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/fix_json.h"
#include "model/syntax/line_edit.h"

namespace prejoin::model {
namespace {

// Removes allowed findings, and reports allowances that match no finding.
void ApplySuppressions(const Model& model, const EditPlacer& placer,
                       std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> unused;
  for (const Suppression& suppression : model.suppressions) {
    const Rule* rule = FindRule(suppression.rule.text);
    if (rule == nullptr) {
      unused.push_back({"PJ004", Severity::kWarning, suppression.rule.at,
                        "there is no rule `" + suppression.rule.text + "`",
                        "`prejoin check --explain all` lists them"});
      continue;
    }
    const auto allowed = [&](const Diagnostic& finding) {
      return finding.rule == rule->id && finding.at.line >= suppression.first_line &&
             finding.at.line <= suppression.last_line;
    };
    if (std::erase_if(findings, allowed) == 0) {
      const Proposal remove = std::vector<LineEdit>{
          RemoveFrom("", suppression.rule.at, "allow " + suppression.rule.text + " …")};
      unused.push_back({"PJ004", Severity::kWarning, suppression.rule.at,
                        "`allow " + suppression.rule.text + "` suppresses nothing here",
                        placer.Suggest(remove, Applicability::kSafe)});
    }
  }
  findings.insert(findings.end(), unused.begin(), unused.end());
}

// The members of a finding.
void WriteFinding(json::IndentedWriter& json, const Diagnostic& finding) {
  json.Field("line", static_cast<double>(finding.at.line));
  json.Field("column", static_cast<double>(finding.at.column))
      .Field("length", static_cast<double>(finding.at.length));
  json.Field("rule", finding.rule).Field("severity", SeverityName(finding.severity));
  json.Field("message", finding.message).Field("suggestion", finding.suggestion.text());
  WriteFixes(json, finding.suggestion);
}

// The combinations of a pattern's optional conditions are in one place: one finding of a rule
// there is enough.
void MergeVariants(const Model& model, std::vector<Diagnostic>& findings) {
  std::set<std::tuple<std::string, int, int>> seen;
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const bool variant =
        std::any_of(model.patterns.begin(), model.patterns.end(), [&](const Pattern& pattern) {
          return !pattern.variant_of.empty() && finding.at.line >= pattern.name.at.line &&
                 finding.at.line <= pattern.last_line;
        });
    return variant && !seen.emplace(finding.rule, finding.at.line, finding.at.column).second;
  });
}

}  // namespace

namespace {

// Rules whose fix may cost more than what it repairs. Other rules leave such a fix out, or repair an error.
constexpr std::array kDearerFixes =
    std::to_array<std::string_view>({"PJ114", "PJ202", "PJ208", "PJ231"});
constexpr double kWorthSaying = 0.01;  // Share of the monthly cost that is worth a message.

// The monthly growth of the whole model's cost, as far as the file states rates; 0 where it is too small to mention.
double MoreMoney(const Checker& checker, const Proposal& proposal) {
  const bool rates = std::ranges::any_of(checker.model.patterns, [](const Pattern& pattern) {
    return pattern.rate_per_second > 0;
  });
  const auto after = rates && !proposal.edits.empty() ? checker.After(proposal.edits) : std::nullopt;
  if (!after) {
    return 0;
  }
  std::set<std::string> entities;
  for (const Entity& entity : checker.model.entities) {
    entities.insert(entity.name.text);
  }
  const MonthlyBill before = BillOf(checker.model, entities);
  const double more = BillOf(*after, entities).money_per_month - before.money_per_month;
  return before.complete && more > kWorthSaying * before.money_per_month ? more : 0;
}

}  // namespace

void Checker::Report(const Rule& rule, const SourceSpan& at, std::string message,
                     Suggestion suggestion) {
  findings.push_back(
      {std::string(rule.id), rule.severity, at, std::move(message),
       suggestion.empty() ? Suggestion(std::string(rule.suggestion)) : std::move(suggestion)});
}

void Checker::Report(const Rule& rule, const SourceSpan& at, std::string message,
                     const Proposal& proposal, Applicability applicability) {
  const bool dearer = std::ranges::find(kDearerFixes, rule.id) != kDearerFixes.end();
  if (const double more = dearer ? MoreMoney(*this, proposal) : 0; more > 0) {
    message += " (the fix costs " + MoneyText("$", more) + " a month more)";
  }
  Report(rule, at, std::move(message), placer.Suggest(proposal, applicability));
}

std::optional<Model> Checker::After(const std::vector<LineEdit>& edits) const {
  const auto placed = placer.Place(edits);
  const auto text = placed ? ApplyEdits(source, *placed) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  ReadModelResult read = ReadModel(*text);
  return read.ok ? std::optional<Model>(std::move(read.model)) : std::nullopt;
}

std::vector<Diagnostic> CheckModel(const ReadModelResult& read) {
  std::vector<Diagnostic> findings = read.diagnostics;
  if (!read.ok) {
    return findings;
  }
  Checker checker{read.model, PlanAll(read.model), EditPlacer(read.source, read.tree), read.source, {}};
  for (const RuleFamily* family : kRuleFamilies) {
    family->check(checker);
  }
  MergeVariants(read.model, checker.findings);
  findings.insert(findings.end(), checker.findings.begin(), checker.findings.end());
  ApplySuppressions(read.model, checker.placer, findings);
  SortDiagnostics(findings);
  return findings;
}

bool HasErrors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
}

std::string SarifReport(const std::vector<CheckedFile>& files) {
  json::IndentedWriter json;
  json.BeginObject()
      .Field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      .Field("version", "2.1.0");
  json.Name("runs")
      .BeginArray()
      .BeginObject()
      .Name("tool")
      .BeginObject()
      .Name("driver")
      .BeginObject();
  json.Field("name", "prejoin").Name("rules").BeginArray();
  for (const Rule& rule : AllRules()) {
    json.BeginObject().Field("id", rule.id).Field("name", rule.name);
    json.Name("shortDescription").BeginObject().Field("text", rule.summary).EndObject();
    json.Name("fullDescription").BeginObject().Field("text", rule.why).EndObject();
    json.Name("help").BeginObject().Field("text", rule.suggestion).EndObject().EndObject();
  }
  json.EndArray().EndObject().EndObject().Name("results").BeginArray();
  for (const CheckedFile& file : files) {
    for (const Diagnostic& finding : file.diagnostics) {
      json.BeginObject()
          .Field("ruleId", finding.rule)
          .Field("level", SeverityName(finding.severity));
      const std::string text =
          finding.message +
          (finding.suggestion.empty() ? "" : " Suggestion: " + finding.suggestion.text());
      json.Name("message").BeginObject().Field("text", text).EndObject();
      json.Name("locations").BeginArray().BeginObject().Name("physicalLocation").BeginObject();
      json.Name("artifactLocation").BeginObject().Field("uri", file.path).EndObject();
      json.Name("region").BeginObject().Field("startLine",
                                              static_cast<double>(std::max(1, finding.at.line)));
      json.Field("startColumn", static_cast<double>(finding.at.column));
      json.Field("endColumn", static_cast<double>(finding.at.column + finding.at.length))
          .EndObject();
      json.EndObject().EndObject().EndArray();
      if (finding.suggestion.FirstFix() != nullptr) {
        WriteSarifFixes(json, file.path, finding.suggestion);
      }
      json.EndObject();
    }
  }
  return json.EndArray().EndObject().EndArray().EndObject().Finish();
}

std::string CheckJson(const std::vector<CheckedFile>& files) {
  json::IndentedWriter json;
  json.BeginArray();
  for (const CheckedFile& file : files) {
    for (const Diagnostic& finding : file.diagnostics) {
      json.BeginObject().Field("file", file.path);
      WriteFinding(json, finding);
      json.EndObject();
    }
  }
  return json.EndArray().Finish();
}

std::string FindingsJson(const std::vector<Diagnostic>& findings) {
  json::IndentedWriter json;
  json.BeginArray();
  for (const Diagnostic& finding : findings) {
    json.BeginObject();
    WriteFinding(json, finding);
    json.EndObject();
  }
  return json.EndArray().Finish();
}

}  // namespace prejoin::model
