#include "engine/vector/vector_index.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace prejoin::engine {
namespace {

std::optional<float> ParseFloat(std::string_view text) {
  float number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // A number too small for a float is zero; one too large is rejected.
  if (error == std::errc::result_out_of_range) {
    const double wide = std::strtod(std::string(text).c_str(), nullptr);
    return std::abs(wide) < 1 ? std::optional(0.0f) : std::nullopt;
  }
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

}  // namespace

Status ResolveVectorIndex(const std::vector<AttributeDefinition>& definitions,
                          const std::vector<expr::KeyAttribute>& table_keys, VectorIndex& index) {
  index.hash.reset();
  index.filters.clear();
  index.projected.clear();
  for (const SearchSchemaElement& element : index.description.definition.search_schema) {
    const auto definition = std::ranges::find(definitions, element.attribute_name,
                                              &AttributeDefinition::attribute_name);
    if (definition == definitions.end()) {
      return Error{ErrorCode::kCorruption,
                   "the search attribute " + element.attribute_name + " has no definition"};
    }
    const expr::KeyAttribute attribute{element.attribute_name, KeyType::kHash, definition->type};
    if (element.type == SearchSchemaType::kHash) {
      index.hash = attribute;
    } else {
      index.filters.push_back(attribute);
    }
    index.projected.push_back(element.attribute_name);
  }
  for (const auto& key : table_keys) {
    index.projected.push_back(key.name);
  }
  const auto& projection = index.description.definition.projection;
  if (projection && projection->non_key_attributes) {
    index.projected.insert(index.projected.end(), projection->non_key_attributes->begin(),
                           projection->non_key_attributes->end());
  }
  std::ranges::sort(index.projected);
  return {};
}

vector::DistanceFunction DistanceOf(const VectorIndex& index) {
  switch (index.description.definition.distance) {
    case VectorDistance::kCosine:
      return vector::DistanceFunction::kCosine;
    case VectorDistance::kEuclidean:
      return vector::DistanceFunction::kEuclidean;
    case VectorDistance::kDotProduct:
      return vector::DistanceFunction::kDotProduct;
  }
  return vector::DistanceFunction::kCosine;
}

std::optional<float> ToFloat(const Number& number) { return ParseFloat(number.ToString()); }

std::optional<std::vector<float>> ReadVector(ValueView value, std::size_t dimensions) {
  if (!value || value.type() != ValueType::kList || value.list().size() != dimensions) {
    return std::nullopt;
  }
  std::vector<float> vector;
  vector.reserve(dimensions);
  for (const ValueView element : value.list()) {
    const auto number =
        element.type() == ValueType::kNumber ? ParseFloat(element.number_text()) : std::nullopt;
    if (!number) {
      return std::nullopt;
    }
    vector.push_back(*number);
  }
  return vector;
}

AttributeValue VectorValue(const std::vector<float>& vector) {
  AttributeValue::List list;
  list.reserve(vector.size());
  for (const float value : vector) {
    std::array<char, 64> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    const auto number =
        Number::Parse({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
    list.emplace_back(number ? *number : Number());
  }
  return list;
}

}  // namespace prejoin::engine
