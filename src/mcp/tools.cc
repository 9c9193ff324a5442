#include "mcp/tools.h"

#include <absl/strings/numbers.h>

#include <array>
#include <optional>
#include <vector>

#include "base/utf8.h"
#include "draft/foreign/read_foreign.h"
#include "gen/build_program.h"
#include "gen/target.h"
#include "json/attribute_value.h"
#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/data_tools.h"
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

Result<std::string> Prove(const ToolArguments& arguments, const ToolContext& context) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  const std::string& given = arguments.Get("rows");
  const auto rows = NumberOf(given, 0);
  if (!rows || !(*rows >= 0 && *rows <= kProveRowsMax)) {
    return ValidationError("`rows` is at most 20000; leave it out to prove on the sample");
  }
  if (*rows > 0 && !(model::ExpectedGeneratedBytes(read.model, *rows) <= kProveBytesMax)) {
    return ValidationError(
        "this many rows of the declared sizes take more than 64 MB; request fewer");
  }
  PJ_ASSIGN_OR_RETURN(const auto backend, model::EmbeddedBackend::OpenInMemory());
  PJ_ASSIGN_OR_RETURN(const auto proof,
                      model::ProveAtScale(read.model, {*rows, 1}, *backend, {.give_up = context.cancelled}));
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
  const auto seconds = NumberOf(arguments.Get("seconds"), 0);
  if (!seconds || !(*seconds >= 0)) {
    return ValidationError("`seconds` is a number above 0");
  }
  PJ_ASSIGN_OR_RETURN(const auto draft,
                      draft::ReadForeign({.text = arguments.Get("text"),
                                          .name = "Imported",
                                          .format = draft::FormatOfName(arguments.Get("from")),
                                          .query_log = arguments.Get("queries"),
                                          .log_seconds = *seconds}));
  const std::string source = draft::PrintDraft(draft);
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("source", CutUtf8(source, kAnswerBytesMax));
    object.Integer("unreadTables", draft.unread_tables);
    if (source.size() > kAnswerBytesMax) {
      object.Bool("cut", true);
    }
  }
  return out;
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
  const auto program = gen::BuildProgram(
      read.model, {"model.prejoin", context.version, model::FormatTree(read.tree)});
  const std::vector<gen::GeneratedFile> files = target->generate(*program);
  const std::string& wanted = arguments.Get("file");
  std::string out;
  {
    json::ObjectWriter object(out);
    json::AppendArray(
        gen::MissingIn(*program, *target), object.Name("notGenerated"),
        [&](const gen::MissingCode& missing) { json::AppendString(missing.Text(), out); });
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

#define PJ_SOURCE                                                                    \
  R"("source":{"type":"string","description":"The text of a .prejoin model file"},)" \
  R"("path":{"type":"string","description":"Instead of source: path of the file"})"

constexpr std::array kTools = std::to_array<Tool>({
    {"check",
     "Findings of the linter for a model: what breaks, where, and how to fix it. Call it after "
     "every change of a model.",
     PJ_SOURCE, "source|path", R"("ok":{"type":"boolean"},"findings":{"type":"array"})", true,
     Check},
    {"format", "The model in its canonical layout.", PJ_SOURCE, "source|path",
     R"("source":{"type":"string"},"cut":{"type":"boolean"})", true, Format},
    {"explain",
     "Shows the requests and key conditions of an access pattern and why this plan was chosen. "
     "Without a pattern: all of them.",
     PJ_SOURCE R"(,"pattern":{"type":"string","description":"Name of one pattern"})", "source|path",
     R"("explanation":{"type":"string"},"patterns":{"type":"array"},"keys":{"type":"array"})", true,
     Explain},
    {"cost",
     "Reports capacity units and cost of each pattern, write and index; hot keys; sizes as data "
     "grows.",
     PJ_SOURCE
     R"(,"scale":{"type":"number","description":"Scale of the workload: multiplies row counts and request rates"})",
     "source|path",
     R"("moneyPerMonth":{"type":"number"},"patterns":{"type":"array"},"writes":{"type":"array"})",
     true, Cost},
    {"prove",
     "Runs every pattern and write in a database in memory and compares with the relational "
     "answer. A design is done when this is right.",
     PJ_SOURCE
     R"(,"rows":{"type":"integer","description":"Generated rows instead of the sample, at most 20000"})",
     "source|path",
     R"("allRight":{"type":"boolean"},"rows":{"type":"integer"},"patterns":{"type":"array"},)"
     R"("writes":{"type":"array"},"tried":{"type":"array"},"notTried":{"type":"array"})",
     true, Prove},
    {"design",
     "The whole physical half for the entities, patterns and writes of a model: keys, indexes, "
     "projections, shards, copies; the cheapest design found, proved by execution, with reasons. "
     "Its `source` is the finished file. The usual way from a logical half to a design.",
     PJ_SOURCE
     R"(,"prefer":{"type":"string","enum":["cheapest","fewest-indexes","fewest-trips","simplest"]},)"
     R"("keys":{"type":"string","enum":["any","generic","natural"]},"seconds":{"type":"number",)"
     R"("description":"Best design found by then; 20 unless given, at most 60"})",
     "source|path",
     R"("proved":{"type":"boolean"},"moneyPerMonth":{"type":"number"},"lowerBound":{"type":"number"},)"
     R"("why":{"type":"array"},"source":{"type":"string"},"designs":{"type":"array"})",
     true, DesignTool},
    {"diff",
     "Two designs side by side: units, trips and money of each pattern and write, what must be "
     "rewritten and when that is paid back.",
     R"("before":{"type":"string","description":"The text of a .prejoin model file"},)"
     R"("after":{"type":"string","description":"The text of another"},)"
     R"("before_path":{"type":"string"},"after_path":{"type":"string"})",
     "before|before_path after|after_path",
     R"("rows":{"type":"array"},"changes":{"type":"array"},"moneyBefore":{"type":"number"},)"
     R"("moneyAfter":{"type":"number"})",
     true, DiffTool},
    {"migrate_plan",
     "Plans a migration of existing data to another design while the application runs: tables to "
     "create, data to copy, double writes, capacity units, cost and time. It plans only; a person "
     "runs `prejoin migrate`.",
     R"("before":{"type":"string","description":"The text of the current .prejoin model"},)"
     R"("after":{"type":"string","description":"The text of the new one"},)"
     R"("before_path":{"type":"string"},"after_path":{"type":"string"},)"
     R"("write_units":{"type":"number","description":"Write capacity units per second of the )"
     R"(backfill; 1000 unless given"})",
     "before|before_path after|after_path",
     R"("tables":{"type":"array"},"money":{"type":"number"})", true, MigratePlanTool},
    {"simulate",
     "Simulates the model's load on tables that throttle as on AWS. Reports throttled requests and "
     "their causes, the effect on clients, and suggestions. Takes at most 20 seconds.",
     PJ_SOURCE
     R"(,"scenario":{"type":"string","description":"Text of a scenario: capacity, load over time, )"
     R"(retries, objectives. Without it: new on-demand tables and the rates of the model"},)"
     R"("minutes":{"type":"number","description":"At most 120"},)"
     R"("rate":{"type":"number","description":"Multiply all rates by this"})",
     "source|path", R"("outcome":{"type":"object"})", true, SimulateTool},
    {"advise", "Which strategy fits each relationship, by which rules, and what each would cost.",
     PJ_SOURCE, "source|path", R"("advice":{"type":"array"})", true, Advise},
    {"chart", "Entity chart, item collections and index views.",
     PJ_SOURCE R"(,"format":{"type":"string","enum":["markdown","text","svg"]})", "source|path",
     R"("chart":{"type":"string"},"cut":{"type":"boolean"})", true, Chart},
    {"import_model",
     "A model from a NoSQL Workbench file, an OneTable, ElectroDB or DynamoDB-Toolbox schema (also "
     "inside of a program), AWS schema.json, table description, CloudFormation, SAM, Terraform, "
     "Prisma or SQL. `queries` turns a log of SQL statements, or rows of pg_stat_statements, into "
     "patterns with rates.",
     R"("text":{"type":"string"},"path":{"type":"string","description":"Instead of text"},)"
     R"("from":{"type":"string","enum":["workbench","table","onetable","electrodb","toolbox",)"
     R"("aws-schema","terraform","prisma","sql"]},)"
     R"("queries":{"type":"string","description":"With SQL: statements that become patterns"},)"
     R"("queries_path":{"type":"string","description":"Instead of queries"},)"
     R"("seconds":{"type":"number","description":"The time that the queries were counted in"})",
     "text|path ?queries|queries_path",
     R"("source":{"type":"string"},"unreadTables":{"type":"integer"},"cut":{"type":"boolean"})",
     true, ImportModel},
    {"infer",
     "A model from stored items: entities, key templates, attributes and relationships, verified "
     "on "
     "all items. Give a table of the endpoint, or items.",
     R"("table":{"type":"string","description":"A table behind the endpoint, up to 100,000 items"},)"
     R"("items":{"type":"string","description":"Instead of a table: items as an array or one on each )"
     R"(line, in DynamoDB's JSON or plain"},"path":{"type":"string","description":"Instead of items"},)"
     R"("key":{"type":"array","items":{"type":"string"},"description":"Of items: names of the )"
     R"(partition and sort key"})",
     "table|items|path",
     R"("source":{"type":"string"},"items":{"type":"integer"},"entities":{"type":"integer"},)"
     R"("relationships":{"type":"integer"})",
     true, InferTool},
    {"generate",
     "Code and infrastructure for a model: the files that would be written, and the text of one of "
     "them if `file` names it.",
     PJ_SOURCE
     R"(,"to":{"type":"string","description":"typescript, python, …; a wrong one is answered with )"
     R"(the list"},"file":{"type":"string"})",
     "source|path to", R"("files":{"type":"array"},"notGenerated":{"type":"array"})", true,
     Generate},
    {"rule", "Explains why a linter rule matters and how to fix its findings.",
     R"("rule":{"type":"string","description":"PJ101"})", "rule",
     R"("explanation":{"type":"string"},"cut":{"type":"boolean"})", true, Rule},
    {"audit",
     "Compares the tables behind the endpoint with the model: wrong and missing keys, rows that "
     "patterns lose, copies that drifted.",
     PJ_SOURCE, "source|path", R"("items":{"type":"integer"})", true, AuditTool},
    {"query",
     "Asks the database: a PartiQL statement, or an operation of the DynamoDB API with its "
     "request. Only reads, unless the server was started with --allow-writes.",
     R"("statement":{"type":"string"},"limit":{"type":"integer"},)"
     R"("operation":{"type":"string","description":"Query, GetItem, ListTables …"},)"
     R"("request":{"type":"object"})",
     "statement|operation", "", false, Query},
});

}  // namespace

std::span<const Tool> AllTools() { return kTools; }

}  // namespace prejoin::mcp
