#include <limits>

#include "base/limits.h"
#include "wire/answers/page_json.h"
#include "wire/members/item_members.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

Status ReadAtLeast(InputReader& reader, json::Value value, const Path& path, std::int64_t min,
                   engine::Rewording what, std::optional<std::int32_t>& out,
                   std::int64_t max = std::numeric_limits<std::int32_t>::max()) {
  PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out));
  if (*out >= min || !reader.RefuseInNewerTexts(what)) {
    reader.CheckRange(path, *out, min, max);
  }
  return {};
}

constexpr Member<ScanInput> kScanMembers[] = {
    SelectMember<ScanInput>(),
    IndexNameMember<ScanInput>(),
    {"TotalSegments",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out.total_segments));
       reader.CheckRange(path, *out.total_segments, 1, kScanSegmentsMax);
       return Status();
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
       return ReadAtLeast(reader, value, path, 0, engine::Rewording::kScanSegment, out.segment,
                          kScanSegmentsMax - 1);
     }},
    {"Limit",
     [](InputReader& reader, json::Value value, const Path& path, ScanInput& out) {
       return ReadAtLeast(reader, value, path, 1, engine::Rewording::kScanLimit, out.limit);
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
