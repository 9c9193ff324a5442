#include "studio/run_pattern.h"

#include <algorithm>
#include <memory>

#include "client/endpoint.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/plan/parameters.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/endpoint_backend.h"
#include "model/prove/run_plan.h"
#include "model/syntax/spelling.h"
#include "studio/load_model.h"
#include "studio/plain_value.h"
#include "studio/refusal.h"
#include "studio/trace_backend.h"

namespace prejoin::studio {
namespace {

Result<const model::Pattern*> FindPattern(const model::Model& model, const std::string& name) {
  if (const model::Pattern* pattern = model.FindPattern(name)) {
    return pattern;
  }
  std::vector<std::string> names;
  for (const model::Pattern& pattern : model.patterns) {
    names.push_back(pattern.name.text);
  }
  return Refuse(404, "there is no pattern `" + name + "`; " + model::SpellingHint(name, names));
}

Result<model::Arguments> ReadArguments(const ApiRequest& request, const model::Model& model,
                                       const model::Pattern& pattern) {
  model::Arguments arguments;
  const std::vector<model::Parameter> parameters = model::ParametersOf(model, pattern);
  const auto given = request.Find("parameters");
  if (given && given->type() != json::Type::kObject) {
    return Refuse(400, "`parameters` must be an object");
  }
  if (given) {
    for (const auto& field : given->fields()) {
      const auto known =
          std::find_if(parameters.begin(), parameters.end(),
                       [&](const model::Parameter& one) { return one.name == field.name; });
      if (known == parameters.end()) {
        return Refuse(400, "the pattern has no parameter `" + std::string(field.name) + "`");
      }
      PJ_ASSIGN_OR_RETURN(arguments[known->name],
                          ReadPlainValue(field.value, known->type, field.name));
    }
  }
  for (const model::Parameter& parameter : parameters) {
    if (!arguments.contains(parameter.name)) {
      return Refuse(400, "the pattern needs the parameter `" + parameter.name + "`");
    }
  }
  return arguments;
}

// The table's key and, for an index, the index's.
Item KeysOf(const model::Model& model, const TracedRequest& request, const Item& item) {
  std::vector<std::string> names;
  for (const model::Table& table : model.tables) {
    if (table.name.text != request.table) {
      continue;
    }
    names = {table.partition.text, table.sort.text};
    if (const model::Index* index = table.FindIndex(request.index)) {
      for (const model::Name& name : index->partition) {
        names.push_back(name.text);
      }
      for (const model::Name& name : index->sort) {
        names.push_back(name.text);
      }
    }
  }
  Item keys;
  for (const std::string& name : names) {
    if (const AttributeValue* value = item.Find(name)) {
      keys.Set(name, *value);
    }
  }
  return keys;
}

// `used` says for each item whether it is part of the answer.
void AppendPage(const model::Model& model, const TracedRequest& request,
                const std::vector<bool>& used, std::string& out) {
  json::ObjectWriter page(out);
  page.Name("request").append(request.json);
  std::string returned;
  std::string read;
  std::int64_t count = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < request.items.size(); ++i) {
    std::string keys;
    json::AppendItem(KeysOf(model, request, request.items[i]), keys);
    bytes += model::PredictItemBytes(request.items[i]);
    if (used[i]) {
      returned += (returned.empty() ? "" : ",") + keys;
      ++count;
    }
    read += (read.empty() ? "" : ",") + keys;
  }
  page.Name("returned").append("[" + returned + "]");
  page.Name("read").append("[" + read + "]");
  page.Integer("count", count);
  page.Integer("scannedCount", static_cast<std::int64_t>(request.items.size()));
  page.Integer("bytes", static_cast<std::int64_t>(bytes));
  page.Double("readUnits", request.read_units);
}

// Requests that continue where the one before ended are pages of one step.
void AppendSteps(const model::Model& model, const std::vector<TracedRequest>& requests,
                 const model::PlanRun& run, std::string& out) {
  out += '[';
  for (std::size_t first = 0; first < requests.size();) {
    std::size_t last = first + 1;
    while (last < requests.size() && requests[last].next_page) {
      ++last;
    }
    const TracedRequest& request = requests[first];
    if (first > 0) {
      out += ',';
    }
    json::ObjectWriter step(out);
    step.String("operation", request.operation);
    step.String("table", request.table);
    if (request.index.empty()) {
      step.Name("index").append("null");
    } else {
      step.String("index", request.index);
    }
    step.Bool("consistent", request.consistent);
    step.Name("request").append(request.json);
    std::string& pages = step.Name("pages");
    pages += '[';
    for (std::size_t i = first; i < last; ++i) {
      if (i > first) {
        pages += ',';
      }
      AppendPage(model, requests[i], run.used[i], pages);
    }
    pages += ']';
    first = last;
  }
  out += ']';
}

void AppendRows(const model::Pattern& pattern, const model::PlanRun& run,
                json::ObjectWriter& answer) {
  std::string rows;
  for (const auto& section : run.sections) {
    for (const model::Row& row : section) {
      if (!rows.empty()) {
        rows += ',';
      }
      json::AppendItem(row, rows);
    }
  }
  answer.Name("rows").append("[" + rows + "]");
  std::string& sections = answer.Name("sections");
  sections += '[';
  for (std::size_t i = 0; i < run.sections.size(); ++i) {
    if (i > 0) {
      sections += ',';
    }
    json::ObjectWriter section(sections);
    section.String("entity", pattern.sections[i].entity.text);
    section.Integer("rows", static_cast<std::int64_t>(run.sections[i].size()));
  }
  sections += ']';
}

Result<std::string> RunOn(const ApiRequest& request, const model::ReadModelResult& read,
                          model::Backend& tables, const model::Prices& prices) {
  PJ_ASSIGN_OR_RETURN(const std::string name, request.Text("pattern"));
  PJ_ASSIGN_OR_RETURN(const model::Pattern* pattern, FindPattern(read.model, name));
  PJ_ASSIGN_OR_RETURN(const model::Arguments arguments,
                      ReadArguments(request, read.model, *pattern));
  const model::Plan plan = model::PlanPattern(read.model, *pattern);
  if (!plan.served) {
    return Refuse(400, "not supported by any key: " + plan.refusal, "NotServed");
  }
  TraceBackend backend(tables);
  PJ_ASSIGN_OR_RETURN(const model::PlanRun run,
                      model::RunPlan(read.model, plan, arguments, backend));
  const auto& requests = backend.requests();
  const bool strong = std::all_of(requests.begin(), requests.end(),
                                  [](const TracedRequest& one) { return one.consistent; });
  std::string answer;
  {
    json::ObjectWriter object(answer);
    AppendSteps(read.model, requests, run, object.Name("steps"));
    AppendRows(*pattern, run, object);
    object.Integer("requests", run.requests);
    object.Integer("itemsRead", static_cast<std::int64_t>(run.items_read));
    object.Integer("itemsThrownAway", static_cast<std::int64_t>(run.items_read - run.items_used));
    object.Integer("bytesRead", static_cast<std::int64_t>(run.bytes_read));
    object.Double("readUnits", run.read_units);
    object.String("consistency", strong ? "strong" : "eventual");
    object.Double("price", run.read_units * prices.read_million / 1e6);
    object.String("currency", prices.currency);
  }
  return answer;
}

// An error of the database keeps its message; what the caller can do about it is the route's to say.
model::EndpointBackend::Call ResultOf(const process::Call& call) {
  return [&call](const std::string& operation, const std::string& body) -> Result<std::string> {
    process::Answer answer = call(operation, body);
    if (answer.status == 200) {
      return std::move(answer.body);
    }
    if (answer.status >= 500) {
      return Error{ErrorCode::kUnavailable, "the database does not answer: " + answer.body};
    }
    return client::ErrorOf(operation, {.status = answer.status, .body = std::move(answer.body)});
  };
}

}  // namespace

Result<std::string> RunPattern(const ApiRequest& request, const process::Call& call,
                               const model::Prices& prices) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const bool on_sample, request.Flag("sample"));
  if (!on_sample) {
    model::EndpointBackend tables(ResultOf(call));
    return RunOn(request, read, tables, prices);
  }
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<Database> own, Database::Open({.path = ""}));
  PJ_RETURN_IF_ERROR(LoadModel(read.model, *own));
  model::EmbeddedBackend tables(*own);
  return RunOn(request, read, tables, prices);
}

}  // namespace prejoin::studio
