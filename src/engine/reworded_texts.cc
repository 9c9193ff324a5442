#include "engine/reworded_texts.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kScanRegions = "eu-central-1, us-west-1, ap-northeast-2, eu-west-2";
constexpr std::string_view kTransactRegions = "eu-north-1, ap-northeast-2, eu-west-2";

constexpr RewordedText kTexts[] = {
    {Rewording::kScanLimit, "Scan",
     "1 validation error detected: Value '$0' at 'limit' failed to satisfy constraint: Member must "
     "have value greater than or equal to 1",
     "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have "
     "value greater than or equal to 1",
     "2026-09-19", kScanRegions},
    {Rewording::kScanSegment, "Scan",
     "1 validation error detected: Value '$0' at 'segment' failed to satisfy constraint: Member "
     "must have value greater than or equal to 0",
     "1 validation error detected: Value at 'Segment' failed to satisfy constraint: Member must "
     "have value greater than or equal to 0",
     "2026-09-19", kScanRegions},
    {Rewording::kScanSegmentRange, "Scan",
     "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: "
     "$0 is not less than TotalSegments: $1",
     "The Segment parameter is zero-based and must be less than parameter TotalSegments",
     "2026-09-19", kScanRegions},
    {Rewording::kScanStartKey, "Scan",
     "The provided starting key is invalid: The provided key element does not match the schema",
     "The provided starting key is invalid", "2026-09-19", kScanRegions},
    {Rewording::kScanSpecificAttributes, "Scan",
     "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
     "SPECIFIC_ATTRIBUTES",
     "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when "
     "choosing to get SPECIFIC_ATTRIBUTES",
     "2026-09-19", kScanRegions},
    {Rewording::kBatchWriteEmpty, "BatchWriteItem",
     "The requestItems parameter is required for BatchWriteItem",
     "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member "
     "must have length greater than or equal to 1",
     "2026-08-22", "eu-north-1, eu-west-2"},
    {Rewording::kBatchWriteTooMany, "BatchWriteItem",
     "1 validation error detected: Value '$0' at 'requestItems' failed to satisfy constraint: Map "
     "value must satisfy constraint: [Member must have length less than or equal to 25, Member "
     "must have length greater than or equal to 1]",
     "1 validation error detected: Value at 'RequestItems.$1.member' failed to satisfy constraint: "
     "Member must have length less than or equal to 25",
     "2026-08-22", "eu-north-1"},
    {Rewording::kTransactWriteEmpty, "TransactWriteItems",
     "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
     "Member must have length greater than or equal to 1",
     "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member "
     "must have length greater than or equal to 1",
     "2026-10-08", kTransactRegions},
    {Rewording::kTransactGetEmpty, "TransactGetItems",
     "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
     "Member must have length greater than or equal to 1",
     "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member "
     "must have length greater than or equal to 1",
     "2026-10-08", kTransactRegions},
};

}  // namespace

std::span<const RewordedText> RewordedTexts() { return kTexts; }

std::string Reworded(Texts texts, Rewording what, std::initializer_list<std::string_view> parts) {
  const auto* row = std::ranges::find(kTexts, what, &RewordedText::what);
  PJ_CHECK(row != std::end(kTexts));
  std::string_view rest = texts == Texts::kNewest ? row->newer : row->older;
  std::string text;
  for (std::size_t at = rest.find('$'); at != std::string_view::npos; at = rest.find('$')) {
    const auto part = static_cast<std::size_t>(rest[at + 1] - '0');
    PJ_CHECK(part < parts.size());
    text.append(rest.substr(0, at)).append(parts.begin()[part]);
    rest.remove_prefix(at + 2);
  }
  return text.append(rest);
}

}  // namespace prejoin::engine
