// Plans for programs: the same facts as explain.cc puts into words.
#include "json/indented_writer.h"
#include "model/plan/explain.h"
#include "model/plan/local_fetch.h"
#include "model/plan/parameters.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/syntax/fix_json.h"

namespace prejoin::model {
namespace {

void WriteTexts(json::IndentedWriter& json, const char* field,
                const std::vector<std::string>& texts) {
  json.Name(field).BeginArray();
  for (const std::string& text : texts) {
    json.String(text);
  }
  json.EndArray();
}

void WriteParameters(json::IndentedWriter& json, const Model& model, const Pattern& pattern) {
  json.Name("parameters").BeginArray();
  for (const Parameter& parameter : ParametersOf(model, pattern)) {
    json.BeginObject()
        .Field("name", parameter.name)
        .Field("type", AttributeTypeName(parameter.type))
        .Field("attribute", parameter.attribute)
        .EndObject();
  }
  json.EndArray().Name("examples").BeginArray();
  for (const Example& example : pattern.examples) {
    json.BeginObject();
    for (const auto& [name, value] : example.arguments) {
      json.Name(name.text).Value(value);
    }
    json.EndObject();
  }
  json.EndArray();
}

void WriteView(json::IndentedWriter& json, const View& view) {
  json.Field("table", view.table->name.text).Name("index");
  if (view.index != nullptr) {
    json.String(view.index->name.text);
  } else {
    json.Null();
  }
}

void WriteRequest(json::IndentedWriter& json, const Plan& plan, const Request& request) {
  json.BeginObject().Field("operation", OperationName(request.kind));
  WriteView(json, request.view);
  json.Field("consistent", request.consistent)
      .Field("keyCondition", DescribeKeyCondition(request))
      .Field("descending", request.descending)
      .Field("parallel", static_cast<double>(request.shards))
      .Field("forEach", request.in_attribute);
  if (request.limit) {
    json.Field("limit", static_cast<double>(*request.limit));
  }
  std::vector<std::string> entities;
  std::vector<std::string> filters;
  for (const std::size_t i : request.sections) {
    entities.push_back(plan.sections[i].item_entity.text);
    filters.insert(filters.end(), plan.sections[i].filters.begin(), plan.sections[i].filters.end());
  }
  WriteTexts(json, "entities", entities);
  WriteTexts(json, "filter", filters);
  json.EndObject();
}

void WriteFollowUp(json::IndentedWriter& json, const Model& model, const FollowUp& follow_up,
                   bool consistent) {
  json.BeginObject().Field("operation", "BatchGetItem");
  WriteView(json, View{model.FindPlacement(follow_up.entity).table, nullptr});
  json.Field("consistent", consistent);
  WriteTexts(json, "entities", {follow_up.entity.text});
  WriteTexts(json, "because", follow_up.reasons);
  json.EndObject();
}

void WriteSteps(json::IndentedWriter& json, const Model& model, const Plan& plan) {
  json.Name("steps").BeginArray();
  for (const Request& request : plan.requests) {
    WriteRequest(json, plan, request);
  }
  for (const SectionPlan& section : plan.sections) {
    for (const FollowUp& follow_up : section.follow_ups) {
      const Request& request = plan.requests[section.request];
      if (!FetchedByIndex(request, follow_up)) {
        WriteFollowUp(json, model, follow_up, request.consistent);
      }
    }
  }
  json.EndArray();
}

// Why no key serves the pattern, and the smallest change that would.
void WriteRefusal(json::IndentedWriter& json, const Model& model, const EditPlacer& placer,
                  const Plan& plan) {
  const Suggestion change =
      placer.Suggest(ProposeChange(model, *plan.pattern), Applicability::kUnsafe);
  json.Field("why", plan.refusal).Field("proposal", change.text());
  WriteFixes(json, change);
}

void WritePattern(json::IndentedWriter& json, const Model& model, const EditPlacer& placer,
                  const Pattern& pattern) {
  const std::vector<Plan> plans = PlanAlternatives(model, pattern, kPlansCompared);
  const Plan& plan = plans.front();
  json.BeginObject()
      .Field("name", pattern.name.text)
      .Field("title", pattern.title)
      .Field("served", plan.served);
  WriteParameters(json, model, pattern);
  // If the plan does not exist, all of this is empty.
  const PlanEstimate& estimate = plan.estimate;
  json.Field("strong", plan.strong)
      .Field("readUnits", estimate.read_units)
      .Field("requests", estimate.requests)
      .Field("rounds", estimate.rounds)
      .Field("itemsRead", estimate.items_read)
      .Field("itemsReturned", estimate.items_returned)
      .Field("bytesRead", estimate.bytes_read);
  std::vector<std::string> lines;
  for (const Request& request : plan.requests) {
    lines.push_back(DescribeRequest(request));
  }
  WriteTexts(json, "plan", lines);
  WriteSteps(json, model, plan);
  WriteTexts(json, "thrownAway", plan.thrown_away);
  if (plan.served) {
    json.Field("why", ExplainChoice(plan, plans));
  } else {
    WriteRefusal(json, model, placer, plan);
  }
  json.EndObject();
}

}  // namespace

std::string ExplainJson(const ReadModelResult& read) {
  const Model& model = read.model;
  const EditPlacer placer(read.source, read.tree);
  json::IndentedWriter json;
  json.BeginObject().Name("patterns").BeginArray();
  for (const Pattern& pattern : model.patterns) {
    WritePattern(json, model, placer, pattern);
  }
  json.EndArray().Name("keys").BeginArray();
  for (const KeyUse& use : WhyKeysExist(model)) {
    json.BeginObject().Field("table", use.table).Field("attribute", use.attribute);
    WriteTexts(json, "lost", use.lost);
    WriteTexts(json, "depend", use.depend);
    WriteTexts(json, "dearer", use.dearer);
    WriteTexts(json, "unordered", use.unordered);
    WriteTexts(json, "replaced", use.replaced);
    json.EndObject();
  }
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::model
