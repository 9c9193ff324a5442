#include "wire/cloudwatch/cloudwatch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "prejoin/result.h"
#include "wire/cloudwatch/insight_report.h"
#include "wire/cloudwatch/node.h"
#include "wire/cloudwatch/series.h"
#include "wire/cloudwatch/window.h"

namespace prejoin::wire {
namespace {

using engine::MetricValues;

constexpr std::string_view kXmlNamespace = "http://monitoring.amazonaws.com/doc/2010-08-01/";
constexpr std::string_view kRequestId = "00000000-0000-4000-8000-000000000000";
constexpr std::size_t kMetricsOfPage = 500;
constexpr std::size_t kQueriesMax = 500;
constexpr std::size_t kDatapointsMax = 100'800;
constexpr std::size_t kStatisticsPointsMax = 1'440;
constexpr std::size_t kActionBytesShown = 64;
constexpr std::string_view kAccessDenied = "AccessDenied";

Error Wrong(const std::string& message) { return ValidationError(message); }

struct Statistic {
  std::string_view name;
  double (*of)(const MetricValues& values);
};

constexpr Statistic kStatistics[] = {
    {"SampleCount", [](const MetricValues& values) { return static_cast<double>(values.count); }},
    {"Average",
     [](const MetricValues& values) { return values.sum / static_cast<double>(values.count); }},
    {"Sum", [](const MetricValues& values) { return values.sum; }},
    {"Minimum", [](const MetricValues& values) { return values.min; }},
    {"Maximum", [](const MetricValues& values) { return values.max; }},
};

Result<const Statistic*> StatisticOf(std::string_view name) {
  const auto* found = std::ranges::find(kStatistics, name, &Statistic::name);
  if (found == std::end(kStatistics)) {
    return Wrong("The statistic " + std::string(name) +
                 " is not kept here: use SampleCount, Average, Sum, Minimum or Maximum.");
  }
  return found;
}

// Values by the beginning of their period, in seconds.
std::map<std::int64_t, MetricValues> InPeriods(const Series& series, const Window& window) {
  std::map<std::int64_t, MetricValues> periods;
  for (const auto& [begin_ms, values] : series.minutes) {
    const std::int64_t begin_s = begin_ms / 1'000;
    if (begin_s >= window.from_s && begin_s < window.to_s) {
      periods[begin_s / window.period_s * window.period_s].Add(values);
    }
  }
  return periods;
}

Dimensions DimensionsIn(const Node& metric) {
  Dimensions dimensions;
  for (const Node& one : metric.ListOf("Dimensions")) {
    dimensions.emplace_back(one.TextOf("Name"), one.TextOf("Value"));
  }
  std::ranges::sort(dimensions);
  return dimensions;
}

// Null if nothing was counted.
const Series* FindSeries(const std::vector<Series>& all, const Node& metric) {
  const Dimensions dimensions = DimensionsIn(metric);
  const auto found = std::ranges::find_if(all, [&](const Series& series) {
    return series.metric == metric.TextOf("MetricName") && series.dimensions == dimensions;
  });
  return metric.TextOf("Namespace") == kDynamoDbNamespace && found != all.end() ? &*found : nullptr;
}

Node PrintDimensions(const Dimensions& dimensions) {
  Node list = Node::List();
  for (const auto& [name, value] : dimensions) {
    list.list.push_back(
        Node::Map().Set("Name", Node::Text(name)).Set("Value", Node::Text(value)));
  }
  return list;
}

bool MatchesFilter(const Series& series, const Node& request) {
  const std::string_view metric = request.TextOf("MetricName");
  const std::string_view name_space = request.TextOf("Namespace");
  if ((!metric.empty() && metric != series.metric) ||
      (!name_space.empty() && name_space != kDynamoDbNamespace)) {
    return false;
  }
  return std::ranges::all_of(request.ListOf("Dimensions"), [&](const Node& filter) {
    const std::string_view value = filter.TextOf("Value");
    return std::ranges::any_of(series.dimensions, [&](const auto& dimension) {
      return dimension.first == filter.TextOf("Name") &&
             (value.empty() || dimension.second == value);
    });
  });
}

// The token is the position of the next metric.
Result<Node> ListMetrics(engine::Engine& engine, const Node& request) {
  std::vector<Series> all = GatherSeries(engine);
  std::erase_if(all, [&](const Series& series) { return !MatchesFilter(series, request); });
  const auto start = request.NumberOf("NextToken");
  if (request.Find("NextToken") != nullptr &&
      (!start || !(*start >= 0) || *start > static_cast<double>(all.size()))) {
    return Wrong("Invalid nextToken");
  }
  const auto first = static_cast<std::size_t>(start.value_or(0));
  const std::size_t end = std::min(all.size(), first + kMetricsOfPage);
  Node metrics = Node::List();
  for (std::size_t i = first; i < end; ++i) {
    metrics.list.push_back(Node::Map()
                               .Set("Namespace", Node::Text(kDynamoDbNamespace))
                               .Set("MetricName", Node::Text(all[i].metric))
                               .Set("Dimensions", PrintDimensions(all[i].dimensions)));
  }
  Node answer = Node::Map();
  answer.Set("Metrics", std::move(metrics));
  if (end < all.size()) {
    answer.Set("NextToken", Node::Text(std::to_string(end)));
  }
  return answer;
}

Result<Node> AnswerQuery(const std::vector<Series>& all, const Node& request, const Node& query) {
  const Node* stat = query.Find("MetricStat");
  const Node* metric = stat != nullptr ? stat->Find("Metric") : nullptr;
  if (metric == nullptr) {
    return Wrong("The query " + std::string(query.TextOf("Id")) +
                 " has no MetricStat. Metric math is not supported here.");
  }
  PJ_ASSIGN_OR_RETURN(const Window window, WindowOf(request, stat->NumberOf("Period")));
  PJ_ASSIGN_OR_RETURN(const Statistic* statistic, StatisticOf(stat->TextOf("Stat")));
  Node times = Node::List();
  Node values = Node::List();
  if (const Series* series = FindSeries(all, *metric)) {
    for (const auto& [begin_s, period] : InPeriods(*series, window)) {
      times.list.push_back(Node::Time(static_cast<double>(begin_s)));
      values.list.push_back(Node::Number(statistic->of(period)));
    }
  }
  if (request.TextOf("ScanBy") != "TimestampAscending") {
    std::ranges::reverse(times.list);
    std::ranges::reverse(values.list);
  }
  const double wanted = request.NumberOf("MaxDatapoints").value_or(kDatapointsMax);
  const std::size_t most =
      wanted >= 1 && wanted < kDatapointsMax ? static_cast<std::size_t>(wanted) : kDatapointsMax;
  times.list.resize(std::min(times.list.size(), most));
  values.list.resize(std::min(values.list.size(), most));
  const std::string_view label = query.TextOf("Label");
  return Node::Map()
      .Set("Id", Node::Text(query.TextOf("Id")))
      .Set("Label", Node::Text(label.empty() ? metric->TextOf("MetricName") : label))
      .Set("Timestamps", std::move(times))
      .Set("Values", std::move(values))
      .Set("StatusCode", Node::Text("Complete"));
}

Result<Node> GetMetricData(engine::Engine& engine, const Node& request) {
  const std::vector<Node>& queries = request.ListOf("MetricDataQueries");
  if (queries.empty() || queries.size() > kQueriesMax) {
    return Wrong("The parameter MetricDataQueries must have from 1 to 500 members.");
  }
  const std::vector<Series> all = GatherSeries(engine);
  Node results = Node::List();
  for (const Node& query : queries) {
    PJ_ASSIGN_OR_RETURN(Node result, AnswerQuery(all, request, query));
    if (query.TextOf("ReturnData") != "false" && query.NumberOf("ReturnData").value_or(1) != 0) {
      results.list.push_back(std::move(result));
    }
  }
  Node answer = Node::Map();
  answer.Set("MetricDataResults", std::move(results)).Set("Messages", Node::List());
  return answer;
}

Result<Node> GetMetricStatistics(engine::Engine& engine, const Node& request) {
  PJ_ASSIGN_OR_RETURN(const Window window, WindowOf(request, request.NumberOf("Period")));
  std::vector<const Statistic*> wanted;
  for (const Node& name : request.ListOf("Statistics")) {
    PJ_ASSIGN_OR_RETURN(const Statistic* statistic, StatisticOf(name.text));
    wanted.push_back(statistic);
  }
  if (wanted.empty()) {
    return Wrong("The parameter Statistics is required.");
  }
  const std::vector<Series> all = GatherSeries(engine);
  Node points = Node::List();
  if (const Series* series = FindSeries(all, request)) {
    const auto periods = InPeriods(*series, window);
    if (periods.size() > kStatisticsPointsMax) {
      return Wrong("You have requested more than 1440 datapoints.");
    }
    for (const auto& [begin_s, values] : periods) {
      Node point = Node::Map();
      point.Set("Timestamp", Node::Time(static_cast<double>(begin_s)));
      for (const Statistic* statistic : wanted) {
        point.Set(statistic->name, Node::Number(statistic->of(values)));
      }
      point.Set("Unit", Node::Text(series->unit));
      points.list.push_back(std::move(point));
    }
  }
  return Node::Map()
      .Set("Label", Node::Text(request.TextOf("MetricName")))
      .Set("Datapoints", std::move(points));
}

struct CloudWatchOperation {
  std::string_view name;
  Result<Node> (*run)(engine::Engine& engine, const Node& request);
};

constexpr CloudWatchOperation kCloudWatchOperations[] = {
    {"ListMetrics", ListMetrics},
    {"GetMetricData", GetMetricData},
    {"GetMetricStatistics", GetMetricStatistics},
    {"GetInsightRuleReport", GetInsightRuleReport},
};

std::optional<Node> ReadRequest(CloudWatchProtocol protocol, std::string_view body) {
  switch (protocol) {
    case CloudWatchProtocol::kQuery:
      return ReadForm(body);
    case CloudWatchProtocol::kJson:
      return ReadJson(body);
    case CloudWatchProtocol::kCbor:
      break;
  }
  return ReadCbor(body);
}

void PrintAnswer(CloudWatchProtocol protocol, std::string_view operation, const Node& answer,
                 std::string& out) {
  if (protocol == CloudWatchProtocol::kJson) {
    PrintJson(answer, out);
  } else if (protocol == CloudWatchProtocol::kCbor) {
    PrintCbor(answer, out);
  } else {
    const std::string name(operation);
    out = "<" + name + "Response xmlns=\"" + std::string(kXmlNamespace) + "\"><" + name + "Result>";
    PrintXml(answer, out);
    out += "</" + name + "Result><ResponseMetadata><RequestId>" + std::string(kRequestId) +
           "</RequestId></ResponseMetadata></" + name + "Response>";
  }
}

CloudWatchAnswer RefuseMetrics(CloudWatchProtocol protocol, std::string_view code,
                         const std::string& message) {
  CloudWatchAnswer answer{.status = code == kAccessDenied ? 403 : 400, .error = code};
  if (protocol == CloudWatchProtocol::kQuery) {
    answer.body = "<ErrorResponse xmlns=\"" + std::string(kXmlNamespace) + "\">";
    PrintXml(Node::Map()
                 .Set("Error", Node::Map()
                                   .Set("Type", Node::Text("Sender"))
                                   .Set("Code", Node::Text(code))
                                   .Set("Message", Node::Text(message)))
                 .Set("RequestId", Node::Text(kRequestId)),
             answer.body);
    answer.body += "</ErrorResponse>";
    return answer;
  }
  Node error = Node::Map();
  error.Set("__type", Node::Text("com.amazonaws.cloudwatch#" + std::string(code) + "Exception"))
      .Set("message", Node::Text(message));
  PrintAnswer(protocol, "", error, answer.body);
  return answer;
}

}  // namespace

bool IsCloudWatchForm(std::string_view body) {
  return body.size() <= kCloudWatchBytesMax &&
         body.find("Version=" + std::string(kCloudWatchVersion)) != std::string_view::npos;
}

CloudWatchAnswer AnswerCloudWatch(engine::Engine& engine, CloudWatchProtocol protocol,
                                  std::string_view operation, std::string_view body,
                                  const AllowAction& allow) {
  std::optional<Node> request;
  if (body.size() <= kCloudWatchBytesMax) {
    request = ReadRequest(protocol, body);
  }
  if (!request) {
    return RefuseMetrics(protocol, "InvalidParameterValue",
                         "The request cannot be read, or is too large.");
  }
  const std::string name(protocol == CloudWatchProtocol::kQuery ? request->TextOf("Action")
                                                                : operation);
  const auto* known = std::ranges::find(kCloudWatchOperations, name, &CloudWatchOperation::name);
  const bool is_known = known != std::end(kCloudWatchOperations);
  if (allow) {
    const Status allowed = allow(is_known ? "cloudwatch:" + name : "cloudwatch:Unknown");
    if (!allowed) {
      return RefuseMetrics(protocol, kAccessDenied, allowed.error().message);
    }
  }
  if (!is_known) {
    return RefuseMetrics(protocol, "InvalidAction",
                         "The action " + name.substr(0, kActionBytesShown) +
                             " is not served here: use ListMetrics, GetMetricData, "
                             "GetMetricStatistics or GetInsightRuleReport.");
  }
  const auto result = known->run(engine, *request);
  if (!result) {
    return RefuseMetrics(protocol, "InvalidParameterValue", result.error().message);
  }
  CloudWatchAnswer answer;
  PrintAnswer(protocol, name, *result, answer.body);
  return answer;
}

}  // namespace prejoin::wire
