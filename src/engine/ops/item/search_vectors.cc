#include <algorithm>
#include <utility>

#include "engine/errors.h"
#include "engine/item/item_access.h"
#include "engine/item/request_expressions.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "engine/vector/loaded_vectors.h"
#include "engine/vector/search_condition.h"
#include "engine/vector/vector_entry.h"
#include "expr/evaluate.h"

namespace prejoin::engine {
namespace {

constexpr std::int64_t kTopKMax = 100;
constexpr std::size_t kSearchBytesMax = 16 * 1024 * 1024;
// A row's codes take that much less time than the bytes of an item under a condition.
constexpr std::size_t kCodesPerUnitOfWork = 16;

// The index, if it can be searched by now.
Result<const VectorIndex*> FindSearchable(const Table& table, const std::string& name) {
  const VectorIndex* index = table.FindVectorIndex(name);
  const bool backfilling = index != nullptr && index->description.backfilling.value_or(false);
  if (index == nullptr || (index->description.status != IndexStatus::kActive && !backfilling)) {
    return ValidationError("The table does not have the specified index: " + name);
  }
  if (backfilling) {
    return ValidationError("Cannot search backfilling vector index: " + name);
  }
  return index;
}

Result<std::vector<float>> ReadQuery(const VectorIndex& index,
                                     const std::vector<AttributeValue>& values) {
  std::vector<float> query;
  query.reserve(values.size());
  for (const AttributeValue& value : values) {
    const auto number = value.number() != nullptr ? ToFloat(*value.number()) : std::nullopt;
    if (!number) {
      return ValidationError(
          "Search vector contains invalid values. All values in the search vector must be a 32-bit "
          "floating-point number attribute");
    }
    query.push_back(*number);
  }
  if (values.size() != index.dimensions()) {
    return ValidationError("Input search vector dimension " + std::to_string(values.size()) +
                           " does not match vector index dimension " +
                           std::to_string(index.dimensions()));
  }
  return query;
}

// The entry as an answer shows it: without the vector, unless the projection names it.
StoredItem ShownItem(const VectorIndex& index, const VectorEntry& entry,
                     const std::optional<expr::Projection>& projection) {
  if (!projection) {
    return StoredItem(std::string(entry.record.body));
  }
  Item item = entry.record.item().Decode();
  item.Set(index.attribute(), VectorValue(entry.vector));
  return StoredItem(Project(*projection, ItemView(EncodeItem(item))));
}

struct SearchExpressions {
  std::optional<expr::Condition> condition;
  std::optional<expr::Projection> projection;
};

Result<SearchExpressions> ParseExpressions(const SearchVectorsInput& input) {
  expr::Placeholders placeholders(PointerTo(input.expression_attribute_names),
                                  PointerTo(input.expression_attribute_values));
  PJ_RETURN_IF_ERROR(CheckPlaceholders(
      placeholders, {{"SearchConditionExpression", input.search_condition_expression.has_value()},
                     {"ProjectionExpression", input.projection_expression.has_value(), false}}));
  SearchExpressions expressions;
  if (input.search_condition_expression) {
    PJ_ASSIGN_OR_RETURN(expressions.condition,
                        ParseCondition(expr::ConditionKind::kSearchCondition,
                                       *input.search_condition_expression, placeholders));
  }
  PJ_ASSIGN_OR_RETURN(expressions.projection,
                      ParseReadProjection(input.projection_expression, std::nullopt, placeholders));
  PJ_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return expressions;
}

// The question of a request to an index. Borrows from the table.
struct VectorSearch {
  const VectorIndex& index;
  std::vector<float> query;
  SearchCondition condition;
  std::optional<expr::Projection> projection;
  std::size_t top_k = 0;
};

// Entries are read as they are needed for exact scores.
Result<std::vector<vector::Match>> FindNearest(storage::Store& store, const VectorSearch& search) {
  Status status;
  const auto read = [&](std::string_view key, std::vector<float>& vector) {
    const auto stored = store.Get(key);
    if (!stored) {
      status = stored.error();
      return false;
    }
    auto entry = *stored ? DecodeVectorEntry(**stored, search.index.dimensions()) : std::nullopt;
    if (entry) {
      vector = std::move(entry->vector);
    }
    return entry.has_value();
  };
  auto matches = search.index.loaded->rows().Search(
      search.condition.partition, search.query, search.top_k,
      [&](std::string_view filter) { return search.condition.Accepts(filter); }, read);
  PJ_RETURN_IF_ERROR(status);
  return matches;
}

// Reads the entries again for their attributes. One may have been deleted or changed meanwhile:
// what is shown fits the condition and the score.
Result<SearchVectorsOutput> Show(storage::Store& store, const VectorSearch& search,
                                 const std::vector<vector::Match>& matches, RequestBudget& budget) {
  SearchVectorsOutput output;
  std::size_t bytes = 0;
  for (const vector::Match& match : matches) {
    PJ_ASSIGN_OR_RETURN(const auto stored, store.Get(match.key));
    const auto entry =
        stored ? DecodeVectorEntry(*stored, search.index.dimensions()) : std::nullopt;
    if (!entry || !search.condition.Accepts(FilterBody(search.index, entry->record.item()))) {
      continue;
    }
    bytes += entry->record.size_bytes;
    if (bytes > kSearchBytesMax && !output.results.empty()) {
      break;  // There are no further pages: the answer has the nearest that fit.
    }
    output.results.push_back(
        {ShownItem(search.index, *entry, search.projection),
         vector::Score(DistanceOf(search.index), search.query, entry->vector)});
    if (!budget.ChargeMemory(3 * output.results.back().item.body().size())) {
      return OverBudget();
    }
  }
  std::ranges::stable_sort(output.results, [&](const SearchResult& a, const SearchResult& b) {
    return vector::IsNearer(DistanceOf(search.index), a.score, b.score);
  });
  output.search_bytes = static_cast<std::int64_t>(bytes);
  return output;
}

}  // namespace

Result<SearchVectorsOutput> SearchVectors(Engine& engine, RequestContext& context,
                                          const SearchVectorsInput& input) {
  if (input.top_k < 1 || input.top_k > kTopKMax) {
    return ValidationError(
        "Provided TopK value '" + std::to_string(input.top_k) +
        "' is out of valid range. The value must be between 1 and 100 inclusive");
  }
  PJ_ASSIGN_OR_RETURN(SearchExpressions expressions, ParseExpressions(input));
  PJ_ASSIGN_OR_RETURN(const TablePtr table, engine.catalog().FindToRead(input.table_name));
  PJ_ASSIGN_OR_RETURN(const VectorIndex* index, FindSearchable(*table, input.index_name));
  VectorSearch search{.index = *index,
                      .query = {},
                      .condition = {},
                      .projection = std::move(expressions.projection),
                      .top_k = static_cast<std::size_t>(input.top_k)};
  PJ_ASSIGN_OR_RETURN(search.query, ReadQuery(*index, input.search_vector));
  PJ_ASSIGN_OR_RETURN(search.condition,
                      ReadSearchCondition(*index, PointerTo(expressions.condition)));
  if (context.access != nullptr) {
    PJ_RETURN_IF_ERROR(
        CheckAccess(context, {.table = *table,
                              .index_name = index->name(),
                              .vector_attribute = index->attribute(),
                              .condition = expressions.condition,
                              .projection = search.projection,
                              .hash_value = PointerTo(search.condition.hash_value)}));
  }
  storage::Store& store = engine.store();
  PJ_RETURN_IF_ERROR(index->loaded->Load(store, *index));
  const std::size_t rows = index->loaded->rows().RowsToSearch(search.condition.partition);
  if (!context.budget.ChargeWork(rows * index->dimensions() / kCodesPerUnitOfWork)) {
    return OverBudget();
  }
  PJ_ASSIGN_OR_RETURN(const auto matches, FindNearest(store, search));
  PJ_ASSIGN_OR_RETURN(auto output, Show(store, search, matches, context.budget));
  context.Saw(store.NewestTicket());
  if (input.return_consumed_capacity == ReturnConsumedCapacity::kNone) {
    output.search_bytes.reset();
  }
  return output;
}

}  // namespace prejoin::engine
