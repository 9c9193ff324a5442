#include "engine/vector/search_condition.h"

#include <algorithm>
#include <variant>

#include "engine/errors.h"
#include "engine/item/keys.h"
#include "engine/vector/vector_entry.h"

namespace prejoin::engine {
namespace {

Error WrongComparator() {
  return ValidationError(
      "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression");
}

// Collects `attribute = :value` of a condition that is nothing but these joined by AND.
class EqualityReader {
 public:
  // The parser limits the depth.
  Status Read(const expr::Condition& condition) {
    if (const auto* both = std::get_if<expr::And>(&condition.node)) {
      PJ_RETURN_IF_ERROR(Read(*both->left));
      return Read(*both->right);
    }
    const auto* comparison = std::get_if<expr::Comparison>(&condition.node);
    if (comparison == nullptr || comparison->comparator != expr::Comparator::kEq) {
      return WrongComparator();
    }
    const auto* path = std::get_if<expr::Path>(&comparison->left);
    const auto* value = std::get_if<expr::Literal>(&comparison->right);
    if (path == nullptr || value == nullptr) {
      path = std::get_if<expr::Path>(&comparison->right);
      value = std::get_if<expr::Literal>(&comparison->left);
    }
    if (path == nullptr || value == nullptr || path->size() != 1) {
      return WrongComparator();
    }
    const std::string& name = std::get<std::string>(path->front().step);
    if (values_.Find(name) != nullptr) {
      return ValidationError(
          "Invalid SearchConditionExpression: The attribute is used in more than one condition: " +
          name);
    }
    values_.Set(name, value->value());
    return {};
  }

  const Item& values() const { return values_; }

 private:
  Item values_;
};

}  // namespace

bool SearchCondition::Accepts(std::string_view filter) const {
  if (filters.empty()) {
    return true;
  }
  if (filter.empty()) {
    return false;
  }
  const ItemView item(filter);
  for (const auto& [name, wanted] : ItemView(filters)) {
    const ValueView value = item.Find(name);
    if (!value || value.bytes() != wanted.bytes()) {
      return false;
    }
  }
  return true;
}

Result<SearchCondition> ReadSearchCondition(const VectorIndex& index,
                                            const expr::Condition* condition) {
  EqualityReader reader;
  if (condition != nullptr) {
    PJ_RETURN_IF_ERROR(reader.Read(*condition));
  }
  const AttributeValue* hash_value = nullptr;
  Item filters;
  for (const auto& [name, value] : reader.values()) {
    const bool is_hash = index.hash && name == index.hash->name;
    const auto filter = std::ranges::find(index.filters, name, &expr::KeyAttribute::name);
    if (!is_hash && filter == index.filters.end()) {
      return ValidationError(
          "SearchConditionExpression must not contain any attributes that is not in SearchSchema. "
          "Invalid attribute: " +
          name);
    }
    if (!HasType(value, is_hash ? index.hash->type : filter->type)) {
      return InvalidParameter("Condition parameter type does not match schema type");
    }
    if (is_hash) {
      hash_value = &value;
    } else {
      filters.Set(name, value);
    }
  }
  if (index.hash && hash_value == nullptr) {
    return ValidationError(
        "SearchConditionExpression must be provided when SearchSchema has a HASH key");
  }
  return SearchCondition{
      .partition = VectorPartition(index, hash_value),
      .hash_value = hash_value != nullptr ? std::optional(*hash_value) : std::nullopt,
      .filters = filters.empty() ? std::string() : EncodeItem(filters)};
}

}  // namespace prejoin::engine
