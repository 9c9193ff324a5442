#include <array>
#include <charconv>

#include "json/item_json.h"
#include "json/writer.h"
#include "wire/members/item_members.h"
#include "wire/members/item_values.h"
#include "wire/names.h"
#include "wire/ops/operations.h"

namespace prejoin::wire {
namespace {

constexpr Member<SearchVectorsInput> kSearchVectorsMembers[] = {
    ReturnConsumedCapacityMember<SearchVectorsInput>(),
    TableNameMember<SearchVectorsInput>(),
    {"IndexName",
     [](InputReader& reader, json::Value value, const Path& path, SearchVectorsInput& out) {
       return ReadIndexName(reader, value, path, out.index_name);
     },
     Presence::kRequired},
    {"SearchVector",
     [](InputReader& reader, json::Value value, const Path& path, SearchVectorsInput& out) {
       return ReadAttributeValues(reader, value, path, Order::kRequest, out.search_vector);
     },
     Presence::kRequired},
    {"TopK",
     [](InputReader& reader, json::Value value, const Path& path,
        SearchVectorsInput& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt64(value, out.top_k));
       reader.CheckRange(path, out.top_k, 1);
       return {};
     },
     Presence::kRequired},
    {"SearchConditionExpression",
     [](InputReader& reader, json::Value value, const Path&, SearchVectorsInput& out) {
       return reader.ReadString(value, out.search_condition_expression);
     }},
    ProjectionExpressionMember<SearchVectorsInput>(),
    ExpressionNamesMember<SearchVectorsInput>(),
    ExpressionValuesMember<SearchVectorsInput>(),
};

// The shortest text that reads back as the same 32-bit number.
void AppendScore(float score, std::string& out) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score);
  out.append(text.data(), end.ptr);
}

}  // namespace

Result<SearchVectorsInput> ParseSearchVectorsInput(const RequestBody& request) {
  return ParseInput(request, kSearchVectorsMembers);
}

void PrintSearchVectorsOutput(const SearchVectorsOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  json::AppendArray(output.results, answer.Name("SearchResults"), [&](const SearchResult& result) {
    json::ObjectWriter entry(out);
    json::AppendItem(result.item, entry.Name("Item"));
    AppendScore(result.score, entry.Name("Score"));
  });
  if (output.search_bytes) {
    json::ObjectWriter capacity(answer.Name("ConsumedCapacity"));
    capacity.Integer("VectorSearchRequestBytes", *output.search_bytes);
  }
}

}  // namespace prejoin::wire
