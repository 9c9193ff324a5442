#include "mcp/tools.h"

#include <absl/strings/numbers.h>

#include <array>
#include <optional>
#include <vector>

#include "audit/audit.h"
#include "base/utf8.h"
#include "draft/foreign/read_foreign.h"
#include "gen/build_program.h"
#include "gen/target.h"
#include "json/attribute_value.h"
#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/design_tools.h"
#include "mcp/read_source.h"
#include "model/advise/advise.h"
#include "model/chart/chart.h"
#include "model/check/all_rules.h"
#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/generate/generate.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/syntax/formatter.h"
#include "model/syntax/source_size.h"
#include "model/syntax/spelling.h"
#include "wire/only_reads.h"

namespace prejoin::mcp {
namespace {

constexpr double kProveRowsMax = 20'000;
constexpr double kProveBytesMax = 64e6;
constexpr std::size_t kAuditItemsMax = 100'000;
constexpr std::size_t kAuditFindingsMax = 10;  // Of each kind.

// Nullopt: the argument is no number.
std::optional<double> NumberOf(const std::string& given, double otherwise) {
  double number = otherwise;
  if (!given.empty() && !absl::SimpleAtod(given, &number)) {
    return std::nullopt;
  }
  return number;
}

std::string TextObject(std::string_view name, std::string_view text) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String(name, CutUtf8(text, kAnswerBytesMax));
    if (text.size() > kAnswerBytesMax) {
      object.Bool("cut", true);
    }
  }
  return out;
}

Result<std::string> Check(const ToolArguments& arguments, const ToolContext&) {
  const std::string& source = arguments.Get("source");
  const std::string_view fault = model::SourceSizeFault(source);
  if (!fault.empty()) {
    return ValidationError("`source` " + std::string(fault));
  }
  const std::vector<model::Diagnostic> findings = model::CheckModel(model::ReadModel(source));
  std::string out;
  {
    json::ObjectWriter object(out);
    object.Bool("ok", !model::HasErrors(findings));
    json::AppendArray(findings, object.Name("findings"), [&](const model::Diagnostic& finding) {
      json::ObjectWriter entry(out);
      entry.String("rule", finding.rule);
      entry.String("severity", model::SeverityName(finding.severity));
      entry.Integer("line", finding.at.line);
      entry.Integer("column", finding.at.column);
      entry.String("message", finding.message);
      if (!finding.suggestion.empty()) {
        entry.String("suggestion", finding.suggestion.text());
      }
    });
  }
  return out;
}

Result<std::string> Format(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  return TextObject("source", model::FormatTree(read.tree));
}

Result<std::string> Explain(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const std::string& name = arguments.Get("pattern");
  if (name.empty()) {
    return model::ExplainJson(read);
  }
  const model::Pattern* pattern = read.model.FindPattern(name);
  if (pattern != nullptr) {
    return TextObject("explanation", model::ExplainPattern(read.model, *pattern));
  }
  std::vector<std::string> names;
  for (const model::Pattern& one : read.model.patterns) {
    names.push_back(one.name.text);
  }
  return ValidationError("there is no pattern `" + name + "`; " + model::SpellingHint(name, names));
}

Result<std::string> Cost(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const std::string& given = arguments.Get("scale");
  const auto scale = NumberOf(given, 1);
  if (!scale || !(*scale > 0 && *scale <= 1e9)) {
    return ValidationError("`scale` is a number above 0, at most 1000000000");
  }
  model::Expectations figures(read.model, {}, *scale);
  return model::CostJson(model::EstimateCost(figures, model::PlanAll(figures), model::Prices{}));
}

Result<std::string> Prove(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const std::string& given = arguments.Get("rows");
  const auto rows = NumberOf(given, 0);
  if (!rows || !(*rows >= 0 && *rows <= kProveRowsMax)) {
    return ValidationError("`rows` is at most 20000; leave it out to prove on the sample");
  }
  if (*rows > 0 && !(model::ExpectedGeneratedBytes(read.model, *rows) <= kProveBytesMax)) {
    return ValidationError(
        "so many rows of the declared sizes take more than 64 MB; ask for fewer");
  }
  PJ_ASSIGN_OR_RETURN(const auto backend, model::EmbeddedBackend::OpenInMemory());
  PJ_ASSIGN_OR_RETURN(const auto proof,
                      model::ProveAtScale(read.model, {*rows, 1}, *backend, model::ProveOptions{}));
  return model::ProofJson(proof);
}

Result<std::string> Advise(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  return "{\"advice\":" + model::AdviceJson(model::Advise(read.model, model::Prices{})) + "}";
}

Result<std::string> Chart(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const std::string& format = arguments.Get("format");
  const auto as = format == "svg"    ? model::ChartFormat::kSvg
                  : format == "text" ? model::ChartFormat::kText
                                     : model::ChartFormat::kMarkdown;
  return TextObject("chart", model::DrawChart(read.model, as));
}

Result<std::string> ImportModel(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto draft,
                      draft::ReadForeign({.text = arguments.Get("text"),
                                          .name = "Imported",
                                          .format = draft::FormatOfName(arguments.Get("from")),
                                          .query_log = arguments.Get("queries")}));
  return TextObject("source", draft::PrintDraft(draft));
}

Result<std::string> Generate(const ToolArguments& arguments, const ToolContext& context) {
  const gen::Target* target = gen::FindTarget(arguments.Get("to"));
  if (target == nullptr) {
    std::string names;
    for (const gen::Target& one : gen::AllTargets()) {
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    return ValidationError("`to` is one of " + names);
  }
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const auto program = gen::BuildProgram(read.model, {"model.prejoin", context.version});
  const std::vector<gen::GeneratedFile> files = target->generate(*program);
  const std::string& wanted = arguments.Get("file");
  std::string out;
  {
    json::ObjectWriter object(out);
    json::AppendArray(program->not_generated, object.Name("notGenerated"),
                      [&](const std::string& reason) { json::AppendString(reason, out); });
    json::AppendArray(files, object.Name("files"), [&](const gen::GeneratedFile& file) {
      json::ObjectWriter entry(out);
      entry.String("path", file.path);
      entry.Integer("bytes", static_cast<std::int64_t>(file.text.size()));
      if (file.path == wanted) {
        entry.String("text", file.text);
      }
    });
  }
  return out;
}

Result<std::string> Rule(const ToolArguments& arguments, const ToolContext&) {
  const model::Rule* rule = model::FindRule(arguments.Get("rule"));
  if (rule == nullptr) {
    return ValidationError("there is no such rule; the resource prejoin://rules lists them");
  }
  return TextObject("explanation", model::ExplainRule(*rule));
}

std::string StatementRequest(const std::string& statement, std::optional<std::int64_t> limit) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("Statement", statement);
    object.String("ReturnConsumedCapacity", "TOTAL");
    if (limit) {
      object.Integer("Limit", *limit);
    }
  }
  return body;
}

Result<std::string> Query(const ToolArguments& arguments, const ToolContext& context) {
  if (!context.call) {
    return ValidationError("no database: start `prejoin mcp --endpoint http://127.0.0.1:8000`");
  }
  const std::string& statement = arguments.Get("statement");
  std::string operation = arguments.Get("operation");
  std::string body = arguments.Get("request");
  if (!statement.empty()) {
    operation = "ExecuteStatement";
    std::optional<std::int64_t> limit;
    if (const std::string& given = arguments.Get("limit"); !given.empty()) {
      if (!absl::SimpleAtoi(given, &limit.emplace())) {
        return ValidationError("`limit` is a whole number");
      }
    }
    body = StatementRequest(statement, limit);
  }
  if (operation.empty()) {
    return ValidationError("give `statement` (PartiQL), or `operation` and `request`");
  }
  if (!context.allow_writes && !wire::OnlyReads(operation, body)) {
    return ValidationError("`" + operation +
                           "` could change data, and this server only reads; a person can start it "
                           "with --allow-writes");
  }
  PJ_ASSIGN_OR_RETURN(const std::string answer,
                      context.call(operation, body.empty() ? "{}" : body));
  if (answer.size() > kAnswerBytesMax) {
    return ValidationError(
        "the answer is larger than 100 KB; ask with a `limit`, a narrower condition or fewer "
        "attributes");
  }
  return answer;
}

struct ScanPage {
  std::vector<Item> items;
  std::string next;  // JSON of the key to go on from; empty: the end.
};

Result<ScanPage> ScanOnce(const Caller& call, const std::string& table, const std::string& from) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", table);
    if (!from.empty()) {
      object.Name("ExclusiveStartKey") += from;
    }
  }
  PJ_ASSIGN_OR_RETURN(const std::string answer, call("Scan", body));
  const auto document = json::Document::Parse(answer);
  const auto items = document ? document->root().Find("Items") : std::nullopt;
  if (!items || items->type() != json::Type::kArray) {
    return ValidationError("the answer to a Scan of " + table + " has no items");
  }
  ScanPage page;
  for (const json::Value value : items->elements()) {
    PJ_ASSIGN_OR_RETURN(Item item, json::ReadItem(value));
    page.items.push_back(std::move(item));
  }
  const auto next = document->root().Find("LastEvaluatedKey");
  if (next && !next->is_null()) {
    json::AppendCopy(*next, page.next);
  }
  return page;
}

Result<std::string> Audit(const ToolArguments& arguments, const ToolContext& context) {
  if (!context.call) {
    return ValidationError("no database: start `prejoin mcp --endpoint http://127.0.0.1:8000`");
  }
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  std::size_t items = 0;
  audit::AuditOptions options;
  options.findings_max = kAuditFindingsMax;
  audit::Auditor auditor(read.model, options);
  for (const model::Table& table : read.model.tables) {
    std::string from;
    do {
      PJ_ASSIGN_OR_RETURN(const ScanPage page, ScanOnce(context.call, table.name.text, from));
      for (const Item& item : page.items) {
        PJ_RETURN_IF_ERROR(auditor.Add(table, item));
      }
      items += page.items.size();
      from = page.next;
      if (items > kAuditItemsMax) {
        return ValidationError(
            "there are more than 100,000 items; a person can run `prejoin audit "
            "FILE --endpoint URL`, with --sample for a part of them");
      }
    } while (!from.empty());
  }
  PJ_ASSIGN_OR_RETURN(const audit::AuditReport report, auditor.Finish());
  return audit::AuditJson(report);
}

#define PJ_SOURCE R"("source":{"type":"string","description":"The text of a .prejoin model file"})"

constexpr std::array kTools = std::to_array<Tool>({
    {"check",
     "Findings of the linter for a model: what breaks, where, and how to fix it. Call it after "
     "every change of a model.",
     R"({"type":"object","properties":{)" PJ_SOURCE R"(},"required":["source"]})", true, Check},
    {"format", "The model in its canonical layout.",
     R"({"type":"object","properties":{)" PJ_SOURCE R"(},"required":["source"]})", true, Format},
    {"explain",
     "Shows the requests and key conditions of an access pattern and why this plan was chosen. "
     "Without a pattern: all of them.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"pattern":{"type":"string","description":"Name of one pattern"}},"required":["source"]})",
     true, Explain},
    {"cost", "Units and money for each pattern, write and index; hot keys; sizes as data grows.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"scale":{"type":"number","description":"Of a business so many times as large: rows of every entity, and rates"}},)"
     R"("required":["source"]})",
     true, Cost},
    {"prove",
     "Runs every pattern and write in a database in memory and compares with the relational "
     "answer. A design is done when this is right.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"rows":{"type":"integer","description":"Generated rows instead of the sample, at most )"
     R"(20000"}},"required":["source"]})",
     true, Prove},
    {"design",
     "The whole physical half for the entities, patterns and writes of a model: keys, indexes, "
     "projections, shards, copies; the cheapest there is, proved by execution, with reasons. Its "
     "`source` is the finished file. The usual way from a logical half to a design.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"prefer":{"type":"string","enum":["cheapest","fewest-indexes","fewest-trips",)"
     R"("simplest"]},"keys":{"type":"string","enum":["any","generic","natural"]},"seconds":)"
     R"({"type":"number","description":"Best design found by then; 20 unless given, at most )"
     R"(60"}},"required":["source"]})",
     true, DesignTool},
    {"diff",
     "Two designs side by side: units, trips and money of each pattern and write, what must be "
     "rewritten and when that is paid back.",
     R"({"type":"object","properties":{"before":{"type":"string","description":"The text of a )"
     R"(.prejoin model file"},"after":{"type":"string","description":"The text of another"}},)"
     R"("required":["before","after"]})",
     true, DiffTool},
    {"advise", "Which strategy fits each relationship, by which rules, and what each would cost.",
     R"({"type":"object","properties":{)" PJ_SOURCE R"(},"required":["source"]})", true, Advise},
    {"chart", "Entity chart, item collections and index views.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"format":{"type":"string","enum":["markdown","text","svg"]}},"required":["source"]})",
     true, Chart},
    {"import_model",
     "A model from a NoSQL Workbench file, OneTable, ElectroDB or DynamoDB-Toolbox schema, AWS "
     "schema.json, table description, CloudFormation (YAML, JSON) or SQL.",
     R"({"type":"object","properties":{"text":{"type":"string"},"from":{"type":"string","enum":)"
     R"(["workbench","table","onetable","electrodb","toolbox","aws-schema","sql"]},"queries":)"
     R"({"type":"string","description":"With SQL: statements that become patterns"}},)"
     R"("required":["text"]})",
     true, ImportModel},
    {"generate",
     "Code and infrastructure for a model: the files that would be written, and the text of one of "
     "them if `file` names it.",
     R"({"type":"object","properties":{)" PJ_SOURCE
     R"(,"to":{"type":"string","description":"typescript, python, …; a wrong one is answered with )"
     R"(the list"},"file":{"type":"string"}},"required":["source","to"]})",
     true, Generate},
    {"rule", "Why a rule of the linter matters and how to fix what it finds.",
     R"({"type":"object","properties":{"rule":{"type":"string","description":"PJ101"}},)"
     R"("required":["rule"]})",
     true, Rule},
    {"audit",
     "What the tables behind the endpoint hold against the model: wrong and missing keys, rows "
     "that "
     "patterns lose, copies that drifted.",
     R"({"type":"object","properties":{)" PJ_SOURCE R"(},"required":["source"]})", true, Audit},
    {"query",
     "Asks the database: a PartiQL statement, or an operation of the DynamoDB API with its "
     "request. Only reads, unless the server was started with --allow-writes.",
     R"({"type":"object","properties":{"statement":{"type":"string"},"limit":{"type":"integer"},)"
     R"("operation":{"type":"string","description":"Query, GetItem, ListTables …"},)"
     R"("request":{"type":"object"}}})",
     false, Query},
});

}  // namespace

std::span<const Tool> AllTools() { return kTools; }

}  // namespace prejoin::mcp
