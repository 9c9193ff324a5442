// UpdateContributorInsights, DescribeContributorInsights and ListContributorInsights.
#include "json/enum_names.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "wire/members/field.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr std::int64_t kListPageMax = 100;

constexpr EnumName<InsightsAction> kActionNames[] = {
    {"ENABLE", InsightsAction::kEnable},
    {"DISABLE", InsightsAction::kDisable},
};
constexpr EnumName<InsightsMode> kModeNames[] = {
    {"THROTTLED_KEYS", InsightsMode::kThrottledKeys},
    {"ACCESSED_AND_THROTTLED_KEYS", InsightsMode::kAccessedAndThrottledKeys},
};
constexpr EnumName<InsightsStatus> kStatusNames[] = {
    {"ENABLING", InsightsStatus::kEnabling},
    {"ENABLED", InsightsStatus::kEnabled},
    {"DISABLING", InsightsStatus::kDisabling},
    {"DISABLED", InsightsStatus::kDisabled},
};

template <class T>
constexpr Member<T> TableNameMember(Presence presence) {
  return Field<&T::table_name, ReadTableName>("TableName", presence);
}

template <class T>
constexpr Member<T> IndexNameMember() {
  return {"IndexName", [](InputReader& reader, json::Value value, const Path& path, T& out) -> Status {
            PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
            if (text.size() < 3 || text.size() > 255) {
              reader.Refuse(Order::kRequest,
                            "IndexName must be at least 3 characters long and at most 255 characters long");
              return {};
            }
            return ReadIndexName(reader, value, path, out.index_name);
          }};
}

constexpr Member<UpdateContributorInsightsInput> kUpdateInsightsMembers[] = {
    TableNameMember<UpdateContributorInsightsInput>(Presence::kParameter),
    IndexNameMember<UpdateContributorInsightsInput>(),
    EnumField<&UpdateContributorInsightsInput::action, kActionNames>("ContributorInsightsAction",
                                                                     Presence::kRequired),
    EnumField<&UpdateContributorInsightsInput::mode, kModeNames>("ContributorInsightsMode"),
};

constexpr Member<DescribeContributorInsightsInput> kDescribeInsightsMembers[] = {
    TableNameMember<DescribeContributorInsightsInput>(Presence::kParameter),
    IndexNameMember<DescribeContributorInsightsInput>(),
};

constexpr Member<ListContributorInsightsInput> kListInsightsMembers[] = {
    TableNameMember<ListContributorInsightsInput>(Presence::kOptional),
    RangeField<&ListContributorInsightsInput::max_results, 1, kListPageMax>("MaxResults"),
    Field<&ListContributorInsightsInput::next_token>("NextToken"),
};

void WriteSummary(const InsightsDescription& description, json::ObjectWriter& object) {
  object.String("TableName", description.table_name);
  if (description.index_name) {
    object.String("IndexName", *description.index_name);
  }
  object.String("ContributorInsightsStatus", json::NameOf(kStatusNames, description.status));
  if (description.mode) {
    object.String("ContributorInsightsMode", json::NameOf(kModeNames, *description.mode));
  }
}

void WriteCounts(std::string_view name, const std::vector<KeyAccessCount>& counts,
                 json::ObjectWriter& object) {
  std::string& out = object.Name(name);
  json::AppendArray(counts, out, [&](const KeyAccessCount& count) {
    json::ObjectWriter entry(out);
    json::AppendItem(count.key, entry.Name("Key"));
    entry.Integer("Count", static_cast<std::int64_t>(count.count));
    entry.Integer("ErrorMax", static_cast<std::int64_t>(count.error_max));
  });
}

}  // namespace

Result<UpdateContributorInsightsInput> ParseUpdateContributorInsightsInput(
    const RequestBody& request) {
  return ParseInput(request, kUpdateInsightsMembers);
}

void PrintUpdateContributorInsightsOutput(const InsightsDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  WriteSummary(output, answer);
}

Result<DescribeContributorInsightsInput> ParseDescribeContributorInsightsInput(
    const RequestBody& request) {
  return ParseInput(request, kDescribeInsightsMembers);
}

void PrintDescribeContributorInsightsOutput(const InsightsDescription& output, std::string& out) {
  json::ObjectWriter answer(out);
  WriteSummary(output, answer);
  if (output.updated_ms) {
    answer.Time("LastUpdateDateTime", *output.updated_ms);
  }
  if (!output.rules.empty()) {
    json::AppendArray(output.rules, answer.Name("ContributorInsightsRuleList"),
                      [&](const std::string& rule) { json::AppendString(rule, out); });
  }
}

Result<ListContributorInsightsInput> ParseListContributorInsightsInput(const RequestBody& request) {
  return ParseInput(request, kListInsightsMembers);
}

void PrintListContributorInsightsOutput(const ListContributorInsightsOutput& output,
                                        std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.summaries, answer.Name("ContributorInsightsSummaries"),
                    [&](const InsightsDescription& description) {
                      json::ObjectWriter summary(out);
                      WriteSummary(description, summary);
                    });
  if (output.next_token) {
    answer.String("NextToken", *output.next_token);
  }
}

void PrintInsightsReports(const std::vector<InsightsReport>& reports, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(reports, answer.Name("Reports"), [&](const InsightsReport& report) {
    json::ObjectWriter entry(out);
    entry.String("TableName", report.table_name);
    if (report.index_name) {
      entry.String("IndexName", *report.index_name);
    }
    WriteCounts("MostAccessedPartitionKeys", report.partition_keys, entry);
    WriteCounts("MostAccessedKeys", report.keys, entry);
  });
}

}  // namespace prejoin::wire
