#include "mcp/data_tools.h"

#include <absl/strings/numbers.h>

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "draft/draft.h"
#include "draft/formats/formats.h"
#include "draft/infer/infer.h"
#include "draft/json_fields.h"
#include "json/attribute_value.h"
#include "json/copy.h"
#include "json/reader.h"
#include "json/writer.h"
#include "mcp/read_source.h"
#include "evolve/plan.h"
#include "simulate/report.h"

namespace prejoin::mcp {
namespace {

constexpr std::size_t kStoredItemsMax = 100'000;
constexpr std::size_t kAuditFindingsMax = 10;  // The limit for each kind.
constexpr double kSimulatedRows = 5'000;
constexpr double kSimulatedMinutesMax = 120;
constexpr double kSimulatedCallsMax = 2'000'000;
constexpr double kSimulatedBytesMax = 16e6;
constexpr auto kSimulateTimeMax = std::chrono::seconds(20);
constexpr const char* kNoDatabase =
    "no database: start `prejoin mcp --endpoint http://127.0.0.1:8000`";

struct ScanPage {
  std::vector<Item> items;
  std::string next;  // JSON of the key to continue from; empty: the end.
};

Result<ScanPage> ScanOnce(const CallDatabase& call, const std::string& table, const std::string& from) {
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

// The key of a table, and its name.
Result<draft::DraftTable> TableBehind(const CallDatabase& call, const std::string& name) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("TableName", name);
  }
  PJ_ASSIGN_OR_RETURN(const std::string answer, call("DescribeTable", body));
  const auto document = json::Document::Parse(answer);
  const auto described = document ? document->root().Find("Table") : std::nullopt;
  if (!described) {
    return ValidationError("there is no description of the table " + name);
  }
  draft::DraftTable table = draft::ReadTableKeys(*described).table;
  table.name = name;
  return table;
}

// Items of a text: an array, the answer of a Scan, or one on each line.
Result<std::vector<Item>> ItemsOf(const std::string& text) {
  std::vector<Item> items;
  const auto add = [&](json::Value value) {
    const auto inner = draft::Member(value, "Item");
    items.push_back(draft::ReadLooseItem(inner && inner->type() == json::Type::kObject ? *inner : value));
  };
  if (const auto whole = json::Document::Parse(text)) {
    const auto listed = draft::Member(whole->root(), "Items");
    const json::Value list = listed ? *listed : whole->root();
    if (list.type() == json::Type::kArray) {
      for (const json::Value one : list.elements()) {
        add(one);
      }
    } else {
      add(list);
    }
    return items;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    const auto one = json::Document::Parse(line);
    if (!one || one->root().type() != json::Type::kObject) {
      return ValidationError("`items` is neither JSON nor one item on each line; the first line that is no item: " +
                             std::string(line.substr(0, 80)));
    }
    add(one->root());
  }
  return items;
}

// The names that `key` gives, else those that such keys usually have.
Result<draft::DraftTable> TableOfItems(const std::string& given, const std::vector<Item>& items) {
  draft::DraftTable table;
  table.name = "Table";
  if (const auto document = json::Document::Parse(given.empty() ? "[]" : given)) {
    const std::vector<std::string> names = draft::TextsOf(document->root());
    table.partition = names.empty() ? "" : names[0];
    table.sort = names.size() > 1 ? names[1] : "";
  } else {
    table.partition = given;
  }
  for (const auto& [partition, sort] : {std::pair{"PK", "SK"}, {"pk", "sk"}}) {
    if (table.partition.empty() && items[0].Find(partition) != nullptr) {
      table.partition = partition;
      table.sort = items[0].Find(sort) != nullptr ? sort : "";
    }
  }
  if (table.partition.empty()) {
    return ValidationError("which attributes are the key? Give `key`, such as [\"PK\", \"SK\"]");
  }
  return table;
}

std::string InferredJson(draft::Inference& inference, const std::string& title) {
  draft::Draft draft;
  draft.title = title;
  inference.Finish(draft);
  draft::CompleteInferred(draft);
  std::string out;
  {
    json::ObjectWriter object(out);
    object.Integer("items", inference.count());
    object.Integer("entities", static_cast<std::int64_t>(draft.entities.size()));
    object.Integer("relationships", static_cast<std::int64_t>(draft.relationships.size()));
    object.String("source", draft::PrintDraft(draft));
  }
  return out;
}

Result<double> NumberAbove0(const ToolArguments& arguments, const std::string& name, double otherwise,
                            double most) {
  const std::string& given = arguments.Get(name);
  double number = otherwise;
  if ((!given.empty() && !absl::SimpleAtod(given, &number)) || !(number > 0 && number <= most)) {
    return ValidationError("`" + name + "` is a number above 0, at most " +
                           std::to_string(static_cast<std::int64_t>(most)));
  }
  return number;
}

// Calls `each` with all items of a table.
Status EachItem(const CallDatabase& call, const std::string& table, std::size_t& items,
                const std::string& instead, const std::function<Status(const Item&)>& each) {
  std::string from;
  do {
    PJ_ASSIGN_OR_RETURN(const ScanPage page, ScanOnce(call, table, from));
    for (const Item& item : page.items) {
      PJ_RETURN_IF_ERROR(each(item));
    }
    items += page.items.size();
    from = page.next;
    if (items > kStoredItemsMax) {
      return ValidationError("there are more than 100,000 items; a person can run " + instead);
    }
  } while (!from.empty());
  return {};
}

Result<simulate::Report> SimulatedReport(const model::ReadModelResult& read, const simulate::Scenario& scenario,
                                         const simulate::GiveUp& give_up) {
  PJ_ASSIGN_OR_RETURN(const simulate::Workload workload,
                      simulate::MakeWorkload(read.model, {.rows = kSimulatedRows,
                                                     .bytes_max = kSimulatedBytesMax,
                                                     .seed = scenario.seed,
                                                     .days = simulate::ReadDailyRates(read.tree),
                                                     .give_up = give_up}));
  return simulate::MakeReport("model", workload, scenario, model::Prices{}, give_up);
}

}  // namespace

Result<std::string> AuditTool(const ToolArguments& arguments, const ToolContext& context) {
  if (!context.call) {
    return ValidationError(kNoDatabase);
  }
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  std::size_t items = 0;
  audit::AuditOptions options;
  options.findings_max = kAuditFindingsMax;
  audit::Auditor auditor(read.model, options);
  for (const model::Table& table : read.model.tables) {
    const auto add = [&](const Item& item) { return Status(auditor.Add(table, item)); };
    PJ_RETURN_IF_ERROR(
        EachItem(context.call, table.name.text, items,
                 "`prejoin audit FILE --endpoint URL`, with --sample for a part of them", add));
  }
  PJ_ASSIGN_OR_RETURN(const audit::AuditReport report, auditor.Finish());
  return audit::AuditJson(report);
}

Result<std::string> InferTool(const ToolArguments& arguments, const ToolContext& context) {
  const std::string& name = arguments.Get("table");
  if (name.empty()) {
    PJ_ASSIGN_OR_RETURN(const std::vector<Item> items, ItemsOf(arguments.Get("items")));
    if (items.empty()) {
      return ValidationError("there are no items in this");
    }
    PJ_ASSIGN_OR_RETURN(draft::DraftTable table, TableOfItems(arguments.Get("key"), items));
    draft::Inference inference(std::move(table), {});
    for (const Item& item : items) {
      inference.Add(item);
    }
    return InferredJson(inference, "Inferred");
  }
  if (!context.call) {
    return ValidationError(kNoDatabase);
  }
  PJ_ASSIGN_OR_RETURN(draft::DraftTable table, TableBehind(context.call, name));
  draft::Inference inference(std::move(table), {});
  std::size_t items = 0;
  const auto add = [&](const Item& item) {
    inference.Add(item);
    return Status();
  };
  PJ_RETURN_IF_ERROR(
      EachItem(context.call, name, items, "`prejoin infer --table " + name + "`", add));
  if (items == 0) {
    return ValidationError(name + " is empty");
  }
  return InferredJson(inference, name);
}

Result<std::string> SimulateTool(const ToolArguments& arguments, const ToolContext& context) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  simulate::Scenario scenario;
  if (const std::string& text = arguments.Get("scenario"); !text.empty()) {
    PJ_ASSIGN_OR_RETURN(scenario, simulate::ParseScenario(text));
  }
  if (!arguments.Get("minutes").empty()) {
    PJ_ASSIGN_OR_RETURN(const double minutes,
                        NumberAbove0(arguments, "minutes", 60, kSimulatedMinutesMax));
    scenario.seconds = minutes * 60;
  }
  PJ_ASSIGN_OR_RETURN(const double rate, NumberAbove0(arguments, "rate", 1, 1e6));
  if (!arguments.Get("rate").empty()) {
    scenario.rate_factor = rate;
  }
  scenario.calls_max = kSimulatedCallsMax;
  const auto end = std::chrono::steady_clock::now() + kSimulateTimeMax;
  bool late = false;
  const simulate::GiveUp give_up = [&] {
    late = std::chrono::steady_clock::now() >= end;
    return late || (context.cancelled && context.cancelled());
  };
  const auto report = SimulatedReport(read, scenario, give_up);
  if (late) {
    return ValidationError("this simulation takes more than 20 seconds; request fewer `minutes` or a lower `rate`");
  }
  if (!report) {
    return report.error();
  }
  return simulate::ReportJson(*report);
}

Result<std::string> MigratePlanTool(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto before, ReadSource(arguments, "before"));
  PJ_ASSIGN_OR_RETURN(const auto after, ReadSource(arguments, "after"));
  evolve::PlanOptions options;
  PJ_ASSIGN_OR_RETURN(options.write_units_per_second,
                      NumberAbove0(arguments, "write_units", 1'000, 1e9));
  PJ_ASSIGN_OR_RETURN(const evolve::MigrationPlan plan,
                      evolve::PlanMigration(before.model, after.model, options));
  return evolve::PlanJson(plan);
}

}  // namespace prejoin::mcp
