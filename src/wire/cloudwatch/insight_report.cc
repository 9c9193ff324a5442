// Each minute keeps its highest keys. A report adds up the minutes that it asks about: exact for keys that are among the
// highest of every minute.
#include "wire/cloudwatch/insight_report.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/item/key_accesses.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "value/base64.h"
#include "wire/cloudwatch/window.h"

namespace prejoin::wire {
namespace {

constexpr double kContributorsDefault = 10;
constexpr double kContributorsMax = 100;
constexpr std::string_view kRulePrefix = "DynamoDBContributorInsights-";

// The counters of a rule, and the rule's kind. Null: there is no such rule.
struct Counters {
  std::string kind;
  std::shared_ptr<engine::KeyAccesses> accesses;
};

Counters FindRule(engine::Engine& engine, std::string_view name) {
  engine::RequestContext context = engine::BeginRequest(engine);
  for (const engine::TablePtr& table : engine.catalog().All()) {
    const auto matches = [&](const std::optional<std::string>& index) {
      const auto described = engine::DescribeContributorInsights(
          engine, context, {.table_name = table->name(), .index_name = index});
      return described && std::ranges::find(described->rules, name) != described->rules.end();
    };
    const std::string kind(name.substr(std::min(name.size(), kRulePrefix.size()), 3));
    if (table->accesses != nullptr && matches(std::nullopt)) {
      return {kind, table->accesses};
    }
    for (const engine::Index& index : table->indexes) {
      if (index.accesses != nullptr && matches(index.name())) {
        return {kind, index.accesses};
      }
    }
  }
  return {};
}

std::string TextOf(const AttributeValue& value) {
  if (const Number* number = value.number()) {
    return number->ToString();
  }
  if (value.string() != nullptr) {
    return *value.string();
  }
  std::string text;
  AppendBase64(*value.binary(), text);
  return text;
}

// A key's values as text, in the order of the key's attributes.
Node KeysOf(const Item& key, const engine::KeyAccesses& accesses) {
  Node keys = Node::List();
  for (const auto& part : accesses.keys()) {
    if (const AttributeValue* value = key.Find(part.name)) {
      keys.list.push_back(Node::Text(TextOf(*value)));
    }
  }
  return keys;
}

// What one key has in each period, by its beginning in seconds.
struct Contributor {
  std::string key;
  double value = 0;
  std::map<std::int64_t, double> periods;
};

// All keys in one period.
struct PeriodTotal {
  double unique = 0;
  double most = 0;
  double sum = 0;
  double times = 0;
};

struct Contributions {
  std::vector<Contributor> contributors;  // Highest first; keys of equal values in bytewise order.
  std::map<std::int64_t, PeriodTotal> periods;
  double total = 0;
};

Contributions Gather(const engine::KeyAccesses::Rule& rule, const Window& window) {
  Contributions gathered;
  std::map<std::string, Contributor> by_key;
  for (const auto& [begin_ms, minute] : rule.minutes) {
    const std::int64_t period = begin_ms / 1'000 / window.period_s * window.period_s;
    PeriodTotal& total = gathered.periods[period];
    total.unique = std::max(total.unique, static_cast<double>(minute.key_count));
    total.sum += static_cast<double>(minute.sum) * rule.unit;
    total.times += static_cast<double>(minute.times);
    gathered.total += static_cast<double>(minute.sum) * rule.unit;
    for (const engine::TopKeys::Counted& counted : minute.keys) {
      const double value = static_cast<double>(counted.count) * rule.unit;
      Contributor& contributor = by_key[counted.key];
      contributor.value += value;
      total.most = std::max(total.most, contributor.periods[period] += value);
    }
  }
  for (auto& [key, contributor] : by_key) {
    contributor.key = key;
    gathered.contributors.push_back(std::move(contributor));
  }
  std::ranges::stable_sort(gathered.contributors, std::ranges::greater(), &Contributor::value);
  return gathered;
}

Node PrintContributor(const Contributor& contributor, const engine::KeyAccesses& accesses) {
  Node points = Node::List();
  for (const auto& [begin_s, value] : contributor.periods) {
    points.list.push_back(Node::Map()
                              .Set("Timestamp", Node::Time(static_cast<double>(begin_s)))
                              .Set("ApproximateValue", Node::Number(value)));
  }
  return Node::Map()
      .Set("Keys", KeysOf(ItemView(contributor.key).Decode(), accesses))
      .Set("ApproximateAggregateValue", Node::Number(contributor.value))
      .Set("Datapoints", std::move(points));
}

struct InsightMetric {
  std::string_view name;
  double (*of)(const PeriodTotal& total);
};

constexpr InsightMetric kInsightMetrics[] = {
    {"UniqueContributors", [](const PeriodTotal& total) { return total.unique; }},
    {"MaxContributorValue", [](const PeriodTotal& total) { return total.most; }},
    {"SampleCount", [](const PeriodTotal& total) { return total.times; }},
    {"Sum", [](const PeriodTotal& total) { return total.sum; }},
    {"Average", [](const PeriodTotal& total) { return total.sum / total.times; }},
};

// The metrics that the request names, for each period.
Result<Node> PrintMetrics(const Node& request, const Contributions& gathered) {
  std::vector<const InsightMetric*> wanted;
  for (const Node& name : request.ListOf("Metrics")) {
    const auto* metric = std::ranges::find(kInsightMetrics, name.text, &InsightMetric::name);
    if (metric == std::end(kInsightMetrics)) {
      return ValidationError("The metric " + name.text +
                             " is not kept here: use UniqueContributors, MaxContributorValue, "
                             "SampleCount, Sum or Average.");
    }
    wanted.push_back(metric);
  }
  Node points = Node::List();
  if (wanted.empty()) {
    return points;
  }
  for (const auto& [begin_s, total] : gathered.periods) {
    Node point = Node::Map();
    point.Set("Timestamp", Node::Time(static_cast<double>(begin_s)));
    for (const InsightMetric* metric : wanted) {
      point.Set(metric->name, Node::Number(metric->of(total)));
    }
    points.list.push_back(std::move(point));
  }
  return points;
}

Node PrintLabels(const std::string& kind, const engine::KeyAccesses& accesses) {
  Node labels = Node::List();
  for (const auto& part : accesses.keys()) {
    if (kind.starts_with("SK") || part.key_type == KeyType::kHash) {
      labels.list.push_back(Node::Text(part.name));
    }
  }
  return labels;
}

}  // namespace

Result<Node> GetInsightRuleReport(engine::Engine& engine, const Node& request) {
  const std::string name(request.TextOf("RuleName"));
  const Counters found = FindRule(engine, name);
  if (found.accesses == nullptr) {
    return ValidationError("There is no rule " + name +
                           ": DescribeContributorInsights lists those of a table.");
  }
  PJ_ASSIGN_OR_RETURN(const Window window, WindowOf(request, request.NumberOf("Period")));
  const double most = request.NumberOf("MaxContributorCount").value_or(kContributorsDefault);
  if (!(most >= 1) || most > kContributorsMax) {
    return ValidationError("The parameter MaxContributorCount must be from 1 to 100.");
  }
  const Contributions gathered = Gather(
      found.accesses->RuleOf(found.kind, window.from_s * 1'000, window.to_s * 1'000), window);
  PJ_ASSIGN_OR_RETURN(Node metrics, PrintMetrics(request, gathered));
  Node contributors = Node::List();
  for (const Contributor& contributor : gathered.contributors) {
    if (static_cast<double>(contributors.list.size()) + 1 > most) {
      break;
    }
    contributors.list.push_back(PrintContributor(contributor, *found.accesses));
  }
  return Node::Map()
      .Set("KeyLabels", PrintLabels(found.kind, *found.accesses))
      .Set("AggregationStatistic", Node::Text("Sum"))
      .Set("AggregateValue", Node::Number(gathered.total))
      .Set("ApproximateUniqueCount",
           Node::Number(static_cast<double>(gathered.contributors.size())))
      .Set("Contributors", std::move(contributors))
      .Set("MetricDatapoints", std::move(metrics));
}

}  // namespace prejoin::wire
