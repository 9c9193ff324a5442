#include "engine/vector/vector_checks.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/errors.h"
#include "engine/item/keys.h"
#include "vector/distance.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kFiltersMax = 18;

bool Defines(const std::vector<AttributeDefinition>& definitions, const std::string& name) {
  return std::ranges::find(definitions, name, &AttributeDefinition::attribute_name) !=
         definitions.end();
}

Status CheckSearchSchema(const VectorIndexSpecification& index,
                         const std::vector<AttributeDefinition>& definitions) {
  std::size_t hash_count = 0;
  std::set<std::string> names;
  for (const SearchSchemaElement& element : index.search_schema) {
    if (!Defines(definitions, element.attribute_name)) {
      return InvalidParameter(
          "One element in SearchSchema is not defined in attribute definitions");
    }
    if (!names.insert(element.attribute_name).second) {
      return InvalidParameter("SearchSchema of index " + index.index_name + " names " +
                              element.attribute_name + " more than once");
    }
    hash_count += element.type == SearchSchemaType::kHash ? 1 : 0;
  }
  if (hash_count > 1) {
    return InvalidParameter("SearchSchema can have at most 1 HASH element");
  }
  if (index.search_schema.size() - hash_count > kFiltersMax) {
    return InvalidParameter("SearchSchema can have at most 18 INLINE_FILTER elements");
  }
  return {};
}

Status CheckProjectionGiven(const VectorIndexSpecification& index) {
  return index.projection && index.projection->type
             ? Status()
             : Status(InvalidParameter("Unknown ProjectionType: null"));
}

Status CheckDefinition(const VectorIndexSpecification& index,
                       const std::vector<AttributeDefinition>& definitions) {
  if (index.dimensions < 1 ||
      index.dimensions > static_cast<std::int64_t>(vector::kDimensionsMax)) {
    return InvalidParameter("Number of dimensions must be between 1 and 4096 inclusive.");
  }
  if (Defines(definitions, index.vector_attribute)) {
    return InvalidParameter("Conflicting attribute definition for '" + index.vector_attribute +
                            "'. An attribute cannot be defined in AttributeDefinitions when used "
                            "as a VectorAttribute.");
  }
  PJ_RETURN_IF_ERROR(CheckSearchSchema(index, definitions));
  return CheckProjectionGiven(index);
}

Error OtherDimensions(const std::string& attribute) {
  return InvalidParameter("Conflicting attribute definition for '" + attribute +
                          "'. All VectorIndexes on the same vector attribute must use the same "
                          "dimensions.");
}

Error NotAVector(const VectorIndex& index, const std::string& text) {
  return ValidationError("One or more parameter values were invalid. " + text +
                         " IndexName: " + index.name());
}

Status CheckVector(const VectorIndex& index, const AttributeValue& value) {
  const AttributeValue::List* list = value.list();
  if (list == nullptr) {
    return NotAVector(index, "Invalid type for parameter " + index.attribute() +
                                 ", Expected: 32-bit floating point number list");
  }
  if (list->size() != index.dimensions()) {
    return NotAVector(index, "Invalid size for parameter " + index.attribute() +
                                 ", Expected: " + std::to_string(index.dimensions()) +
                                 ", Actual: " + std::to_string(list->size()));
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Number* number = (*list)[i].number();
    if (number == nullptr || !ToFloat(*number)) {
      return NotAVector(index, "Invalid type for parameter " + index.attribute() + "[" +
                                   std::to_string(i) +
                                   "], Expected: 32-bit floating point number, Actual: " +
                                   std::string(TypeName((*list)[i].type())) + ".");
    }
  }
  return {};
}

}  // namespace

Status CheckVectorBilling(BillingMode mode) {
  return mode == BillingMode::kPayPerRequest
             ? Status()
             : Status(InvalidParameter(
                   "Vector indexes are only supported for PAY_PER_REQUEST tables"));
}

Status CheckVectorIndexes(const CreateTableInput& input) {
  if (!input.vector_indexes) {
    return {};
  }
  PJ_RETURN_IF_ERROR(CheckVectorBilling(input.billing_mode.value_or(BillingMode::kProvisioned)));
  std::map<std::string, std::int64_t> dimensions;
  for (const VectorIndexSpecification& index : *input.vector_indexes) {
    PJ_RETURN_IF_ERROR(CheckDefinition(index, input.attribute_definitions));
    const auto known = dimensions.emplace(index.vector_attribute, index.dimensions).first;
    if (known->second != index.dimensions) {
      return OtherDimensions(index.vector_attribute);
    }
  }
  if (input.vector_indexes->size() > kVectorIndexesMax) {
    return InvalidParameter("VectorIndex count exceeds the per-table limit of 5");
  }
  return {};
}

Status CheckNewVectorIndex(const VectorIndexSpecification& index, const Table& table,
                           const std::vector<AttributeDefinition>& request_definitions) {
  if (table.FindIndex(index.index_name) != nullptr ||
      table.FindVectorIndex(index.index_name) != nullptr) {
    return ValidationError("Attempting to create an index which already exists");
  }
  PJ_RETURN_IF_ERROR(CheckVectorBilling(table.description.billing_mode));
  PJ_RETURN_IF_ERROR(CheckDefinition(index, request_definitions));
  if (Defines(table.description.attribute_definitions, index.vector_attribute)) {
    return InvalidParameter("Conflicting attribute definition for '" + index.vector_attribute +
                            "'. An attribute cannot be defined in AttributeDefinitions when used "
                            "as a VectorAttribute.");
  }
  for (const VectorIndex& known : table.vector_indexes) {
    if (known.attribute() == index.vector_attribute &&
        known.description.definition.dimensions != index.dimensions) {
      return OtherDimensions(index.vector_attribute);
    }
  }
  if (table.vector_indexes.size() >= kVectorIndexesMax) {
    return LimitExceeded(
        "Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of "
        "5");
  }
  return {};
}

Status CheckVectorAttributes(const Table& table, const Item& item) {
  for (const VectorIndex& index : table.vector_indexes) {
    if (const AttributeValue* value = item.Find(index.attribute())) {
      PJ_RETURN_IF_ERROR(CheckVector(index, *value));
    }
    const AttributeValue* hash_value = index.hash ? item.Find(index.hash->name) : nullptr;
    if (hash_value != nullptr) {
      PJ_RETURN_IF_ERROR(
          CheckIndexKey(index.name(), *index.hash, *hash_value, IndexKeySource::kPut));
    }
  }
  return {};
}

Status CheckUpdatedVectorAttributes(const Table& table, const Item& item, const Item& old_item,
                                    const expr::Update& update) {
  // The value, if the update has changed it.
  const auto changed = [&](const std::string& name) -> const AttributeValue* {
    const AttributeValue* value = item.Find(name);
    const AttributeValue* old_value = old_item.Find(name);
    return value != nullptr && old_value != nullptr && *value == *old_value ? nullptr : value;
  };
  for (const VectorIndex& index : table.vector_indexes) {
    if (const AttributeValue* value = changed(index.attribute())) {
      PJ_RETURN_IF_ERROR(CheckVector(index, *value));
    }
    const AttributeValue* hash_value = index.hash ? changed(index.hash->name) : nullptr;
    if (hash_value != nullptr) {
      PJ_RETURN_IF_ERROR(CheckIndexKey(index.name(), *index.hash, *hash_value,
                                       UpdateSource(&update, index.hash->name)));
    }
  }
  return {};
}

}  // namespace prejoin::engine
