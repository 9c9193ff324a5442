#include "engine/table/table_checks.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/table/tag_checks.h"
#include "engine/vector/vector_checks.h"

namespace prejoin::engine {
namespace {

using Definitions = std::vector<AttributeDefinition>;

bool IsDefined(const Definitions& definitions, const std::string& name) {
  return std::ranges::find(definitions, name, &AttributeDefinition::attribute_name) !=
         definitions.end();
}

template <class Names>
std::string Bracketed(const Names& names) {
  std::string text = "[";
  for (const std::string& name : names) {
    text += (text.size() > 1 ? ", " : "") + name;
  }
  return text + "]";
}

std::vector<std::string> NamesOf(const Definitions& definitions) {
  std::vector<std::string> names;
  for (const auto& definition : definitions) {
    names.push_back(definition.attribute_name);
  }
  return names;
}

std::vector<std::string> NamesOf(const KeySchema& schema) {
  std::vector<std::string> names;
  for (const auto& element : schema) {
    names.push_back(element.attribute_name);
  }
  return names;
}

// One HASH, then at most one RANGE: tables and local indexes.
Status CheckSimpleKeySchema(const KeySchema& schema) {
  if (schema.empty() || schema[0].key_type != KeyType::kHash) {
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (schema.size() < 2) {
    return {};
  }
  if (schema[1].key_type != KeyType::kRange) {
    return ValidationError(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  if (schema[0].attribute_name == schema[1].attribute_name) {
    return ValidationError(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  return {};
}

// One to four HASH, then up to four RANGE: global indexes.
Status CheckGlobalKeySchema(const KeySchema& schema) {
  if (schema.empty() || schema[0].key_type != KeyType::kHash) {
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (!std::ranges::is_sorted(schema, {}, &KeySchemaElement::key_type)) {
    return InvalidParameter(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  const auto hash_count = static_cast<std::size_t>(
      std::ranges::count(schema, KeyType::kHash, &KeySchemaElement::key_type));
  if (hash_count > kIndexKeyPartsMax) {
    return InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  }
  if (schema.size() - hash_count > kIndexKeyPartsMax) {
    return InvalidParameter(
        "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  }
  std::set<std::string> names;
  for (const auto& element : schema) {
    if (!names.insert(element.attribute_name).second) {
      return schema.size() == 2
                 ? ValidationError(
                       "Both the Hash Key and the Range Key element in the KeySchema have the same "
                       "name")
                 : ValidationError(
                       "The KeySchema contains multiple key attributes with the same name");
    }
  }
  return {};
}

Status CheckKeysDefined(const KeySchema& schema, const Definitions& definitions) {
  for (const auto& element : schema) {
    if (!IsDefined(definitions, element.attribute_name)) {
      return InvalidParameter(
          "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
          Bracketed(NamesOf(schema)) +
          ", AttributeDefinitions: " + Bracketed(NamesOf(definitions)));
    }
  }
  return {};
}

Status CheckProjection(const std::optional<Projection>& projection) {
  if (!projection || !projection->type) {
    return InvalidParameter("Unknown ProjectionType: null");
  }
  const bool has_names = projection->non_key_attributes.has_value();
  std::set<std::string> names;
  for (const std::string& name :
       projection->non_key_attributes.value_or(std::vector<std::string>())) {
    if (!names.insert(name).second) {
      return InvalidParameter("Duplicate element in NonKeyAttributes: " + name);
    }
  }
  switch (*projection->type) {
    case ProjectionType::kAll:
      return has_names ? Status(InvalidParameter(
                             "ProjectionType is ALL, but NonKeyAttributes is specified"))
                       : Status();
    case ProjectionType::kKeysOnly:
      return has_names ? Status(InvalidParameter(
                             "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"))
                       : Status();
    case ProjectionType::kInclude:
      return has_names ? Status()
                       : Status(InvalidParameter(
                             "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  }
  return {};
}

Status CheckLocalIndex(const IndexSpecification& index, const CreateTableInput& input) {
  PJ_RETURN_IF_ERROR(CheckKeysDefined(index.key_schema, input.attribute_definitions));
  PJ_RETURN_IF_ERROR(CheckSimpleKeySchema(index.key_schema));
  if (index.key_schema.size() < 2) {
    return InvalidParameter("Index KeySchema does not have a range key for index: " +
                            index.index_name);
  }
  if (index.key_schema[0].attribute_name != input.key_schema[0].attribute_name) {
    return InvalidParameter(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.index_name + ". index hash key: " + index.key_schema[0].attribute_name +
        ", table hash key: " + input.key_schema[0].attribute_name);
  }
  return CheckProjection(index.projection);
}

Status CheckGlobalIndex(const IndexSpecification& index, const Definitions& definitions) {
  PJ_RETURN_IF_ERROR(CheckKeysDefined(index.key_schema, definitions));
  PJ_RETURN_IF_ERROR(CheckGlobalKeySchema(index.key_schema));
  return CheckProjection(index.projection);
}

Status CheckIndexNames(const CreateTableInput& input) {
  std::set<std::string> names;
  for (const auto* indexes : {&input.local_indexes, &input.global_indexes}) {
    if (!*indexes) {
      continue;
    }
    for (const auto& index : **indexes) {
      if (!names.insert(index.index_name).second) {
        return InvalidParameter("Duplicate index name: " + index.index_name);
      }
    }
  }
  for (const auto& index : input.vector_indexes.value_or(std::vector<VectorIndexSpecification>())) {
    if (!names.insert(index.index_name).second) {
      return InvalidParameter("Duplicate index name: " + index.index_name);
    }
  }
  return {};
}

Status CheckLocalIndexes(const CreateTableInput& input) {
  if (!input.local_indexes) {
    return {};
  }
  if (input.local_indexes->empty()) {
    return InvalidParameter("List of LocalSecondaryIndexes is empty");
  }
  if (input.key_schema.size() < 2) {
    return InvalidParameter(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  for (const auto& index : *input.local_indexes) {
    PJ_RETURN_IF_ERROR(CheckLocalIndex(index, input));
  }
  if (input.local_indexes->size() > kLocalIndexesMax) {
    return InvalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  }
  return {};
}

Status CheckGlobalIndexes(const CreateTableInput& input) {
  if (!input.global_indexes) {
    return {};
  }
  if (input.global_indexes->empty()) {
    return InvalidParameter("List of GlobalSecondaryIndexes is empty");
  }
  for (const auto& index : *input.global_indexes) {
    PJ_RETURN_IF_ERROR(CheckGlobalIndex(index, input.attribute_definitions));
    PJ_RETURN_IF_ERROR(CheckThroughput(input.billing_mode.value_or(BillingMode::kProvisioned),
                                       index.provisioned_throughput, "index: " + index.index_name));
  }
  if (input.global_indexes->size() > kGlobalIndexesMax) {
    return InvalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  return {};
}

// INCLUDE attributes of all indexes together have a limit of their own.
Status CheckProjectedCount(const CreateTableInput& input) {
  std::size_t count = 0;
  for (const auto* indexes : {&input.local_indexes, &input.global_indexes}) {
    if (!*indexes) {
      continue;
    }
    for (const auto& index : **indexes) {
      if (index.projection && index.projection->non_key_attributes) {
        count += index.projection->non_key_attributes->size();
      }
    }
  }
  if (count > kProjectedAttributesMax) {
    return InvalidParameter(
        "Number of NonKeyAttributes exceeds the limit of 100 over all secondary indexes");
  }
  return {};
}

Status CheckAllDefinitionsUsed(const CreateTableInput& input) {
  std::set<std::string> used;
  const auto use = [&](const KeySchema& schema) {
    for (const auto& element : schema) {
      used.insert(element.attribute_name);
    }
  };
  use(input.key_schema);
  for (const auto* indexes : {&input.local_indexes, &input.global_indexes}) {
    if (*indexes) {
      std::ranges::for_each(**indexes, [&](const auto& index) { use(index.key_schema); });
    }
  }
  for (const auto& index : input.vector_indexes.value_or(std::vector<VectorIndexSpecification>())) {
    for (const SearchSchemaElement& element : index.search_schema) {
      used.insert(element.attribute_name);
    }
  }
  if (used.size() == input.attribute_definitions.size()) {
    return {};
  }
  if (!input.local_indexes && !input.global_indexes) {
    return InvalidParameter(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return InvalidParameter("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                          Bracketed(NamesOf(input.attribute_definitions)) +
                          ", keys used: " + Bracketed(used));
}

Status CheckDefinitions(const Definitions& definitions) {
  std::set<std::string> names;
  for (const auto& definition : definitions) {
    if (!names.insert(definition.attribute_name).second) {
      return ValidationError("Attribute Name is duplicated: " + definition.attribute_name);
    }
  }
  return {};
}

Status CheckNewStream(const std::optional<StreamSpecification>& stream) {
  if (!stream || stream->enabled == stream->view_type.has_value()) {
    return {};
  }
  return stream->enabled
             ? InvalidParameter(
                   "Table is being created with a stream enabled, UpdateViewType is required")
             : InvalidParameter(
                   "Table is being created with a stream disabled, UpdateViewType should not be "
                   "specified");
}

}  // namespace

Status CheckThroughput(BillingMode mode, const std::optional<ProvisionedThroughput>& throughput,
                       const std::string& what) {
  if (mode == BillingMode::kPayPerRequest && throughput && what != "table") {
    return InvalidParameter("ProvisionedThroughput should not be specified for " + what +
                            " when BillingMode is PAY_PER_REQUEST");
  }
  if (mode == BillingMode::kPayPerRequest && throughput) {
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (mode == BillingMode::kProvisioned && !throughput) {
    return what == "table" ? InvalidParameter(
                                 "ReadCapacityUnits and WriteCapacityUnits must both be specified "
                                 "when BillingMode is PROVISIONED")
                           : InvalidParameter("ProvisionedThroughput is not specified for " + what);
  }
  return {};
}

Status CheckThroughputBounds(const std::optional<ProvisionedThroughput>& throughput) {
  constexpr std::int64_t kUnitsMax = 1'000'000'000'000;
  if (!throughput) {
    return {};
  }
  const auto check = [](std::int64_t units, const char* name) -> Status {
    return units <= kUnitsMax ? Status()
                              : Status(ValidationError("Given value " + std::to_string(units) +
                                                       " for " + name + " is out of bounds"));
  };
  PJ_RETURN_IF_ERROR(check(throughput->read_capacity_units, "ReadCapacityUnits"));
  return check(throughput->write_capacity_units, "WriteCapacityUnits");
}

Status CheckIndexUpdates(const std::vector<GlobalIndexUpdate>& updates) {
  std::set<std::string> names;
  for (const GlobalIndexUpdate& update : updates) {
    if (!update.update && !update.create && !update.remove) {
      return InvalidParameter(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (int{update.update.has_value()} + int{update.create.has_value()} +
            int{update.remove.has_value()} >
        1) {
      return InvalidParameter(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object");
    }
    const std::string& name = update.update   ? update.update->index_name
                              : update.create ? update.create->index_name
                                              : *update.remove;
    if (!names.insert(name).second) {
      return InvalidParameter(
          "Only one global secondary index update per index is allowed simultaneously. Index: " +
          name);
    }
  }
  return {};
}

bool IsEmpty(const OnDemandThroughput& throughput) {
  return !throughput.max_read_request_units && !throughput.max_write_request_units;
}

Status CheckOnDemand(BillingMode mode, const std::optional<OnDemandThroughput>& throughput,
                     OnDemandUse use) {
  if (!throughput) {
    return {};
  }
  const bool is_new = use == OnDemandUse::kCreate;
  const auto members = {std::pair("MaxReadRequestUnits", throughput->max_read_request_units),
                        std::pair("MaxWriteRequestUnits", throughput->max_write_request_units)};
  for (const auto& [name, units] : members) {
    if (units && mode == BillingMode::kProvisioned) {
      return InvalidParameter(
          std::string(name) + " for OnDemandThroughput cannot be specified when " +
          (is_new ? "table BillingMode is PROVISIONED." : "the table BillingMode is PROVISIONED"));
    }
  }
  for (const auto& [name, units] : members) {
    if (units.value_or(1) < 1 && (is_new || *units != kNoOnDemandLimit)) {
      return InvalidParameter("Requested " + std::string(name) +
                              " for OnDemandThroughput for table is outside of valid range");
    }
  }
  return {};
}

Status CheckCreateTable(const CreateTableInput& input) {
  PJ_RETURN_IF_ERROR(CheckThroughputBounds(input.provisioned_throughput));
  PJ_RETURN_IF_ERROR(CheckThroughput(input.billing_mode.value_or(BillingMode::kProvisioned),
                                     input.provisioned_throughput, "table"));
  PJ_RETURN_IF_ERROR(CheckOnDemand(input.billing_mode.value_or(BillingMode::kProvisioned),
                                   input.on_demand_throughput, OnDemandUse::kCreate));
  if (input.key_schema.size() > input.attribute_definitions.size() ||
      !CheckKeysDefined(input.key_schema, input.attribute_definitions)) {
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  }
  PJ_RETURN_IF_ERROR(CheckDefinitions(input.attribute_definitions));
  PJ_RETURN_IF_ERROR(CheckSimpleKeySchema(input.key_schema));
  PJ_RETURN_IF_ERROR(CheckLocalIndexes(input));
  PJ_RETURN_IF_ERROR(CheckGlobalIndexes(input));
  PJ_RETURN_IF_ERROR(CheckVectorIndexes(input));
  PJ_RETURN_IF_ERROR(CheckIndexNames(input));
  PJ_RETURN_IF_ERROR(CheckAllDefinitionsUsed(input));
  PJ_RETURN_IF_ERROR(CheckNewStream(input.stream));
  PJ_RETURN_IF_ERROR(CheckTags(input.tags));
  PJ_RETURN_IF_ERROR(CheckTagCount(input.tags.size()));
  return CheckProjectedCount(input);
}

Status CheckNewGlobalIndex(const IndexSpecification& index, const Table& table,
                           const Definitions& definitions) {
  if (table.FindIndex(index.index_name) != nullptr ||
      table.FindVectorIndex(index.index_name) != nullptr) {
    return ValidationError("Attempting to create an index which already exists");
  }
  PJ_RETURN_IF_ERROR(CheckGlobalIndex(index, definitions));
  const auto global_count =
      static_cast<std::size_t>(std::ranges::count(table.indexes, true, &Index::global));
  if (global_count >= kGlobalIndexesMax) {
    return LimitExceeded(
        "Subscriber limit exceeded: Number of global secondary indexes exceeds the per-table limit "
        "of 20");
  }
  return {};
}

}  // namespace prejoin::engine
