#include <limits>

#include "base/limits.h"
#include "wire/answers/page_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

Status ReadInRange(InputReader& reader, json::Value value, const Path& path, std::int64_t min,
                   std::int64_t max, std::optional<std::int32_t>& out) {
  PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out));
  reader.CheckRange(path, *out, min, max);
  return {};
}

constexpr Member<ScanInput> kScanMembers[] = {
    SelectMember<ScanInput>(),
    IndexNameMember<ScanInput>(),
    {"TotalSegments",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) {
       return ReadInRange(reader, value, path, 1, kScanSegmentsMax, out.total_segments);
     }},
    ReturnConsumedCapacityMember<ScanInput>(),
    TableNameMember<ScanInput>(),
    ConditionalOperatorMember<ScanInput>(),
    {"ScanFilter",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) {
       return ReadLegacyConditions(reader, value, path, Order::kFilter, out.scan_filter);
     }},
    {"Segment",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) {
       return ReadInRange(reader, value, path, 0, kScanSegmentsMax - 1, out.segment);
     }},
    {"Limit",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) {
       return ReadInRange(reader, value, path, 1, std::numeric_limits<std::int32_t>::max(),
                          out.limit);
     }},
    AttributesToGetMember<ScanInput>(),
    StartKeyMember<ScanInput>(),
    ConsistentReadMember<ScanInput>(),
    FilterExpressionMember<ScanInput>(),
    ProjectionExpressionMember<ScanInput>(),
    ExpressionValuesMember<ScanInput>(),
    ExpressionNamesMember<ScanInput>(),
};

}  // namespace

Result<ScanInput> ParseScanInput(const RequestBody& request) {
  return ParseInput(request, kScanMembers, kScanForm);
}

void PrintScanOutput(const ScanOutput& output, std::string& out) { AppendPage(output, out); }

}  // namespace prejoin::wire
