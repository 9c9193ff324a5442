#include "engine/table/table.h"

#include <algorithm>

#include "engine/item/key_accesses.h"
#include "engine/stream/stream.h"
#include "engine/vector/loaded_vectors.h"

namespace prejoin::engine {
namespace {

Result<KeyAttributes> Resolve(const KeySchema& schema,
                              const std::vector<AttributeDefinition>& definitions) {
  KeyAttributes keys;
  for (const KeySchemaElement& element : schema) {
    const auto definition = std::ranges::find(definitions, element.attribute_name,
                                              &AttributeDefinition::attribute_name);
    if (definition == definitions.end()) {
      return Error{ErrorCode::kCorruption,
                   "the key attribute " + element.attribute_name + " has no definition"};
    }
    keys.push_back({element.attribute_name, element.key_type, definition->type});
  }
  std::ranges::stable_sort(keys, {}, &expr::KeyAttribute::key_type);
  if (keys.empty() || keys.front().key_type != KeyType::kHash) {
    return Error{ErrorCode::kCorruption, "a key schema has no partition key"};
  }
  return keys;
}

std::vector<std::string> ProjectedNames(const Index& index, const KeyAttributes& table_keys) {
  std::vector<std::string> names;
  for (const auto& key : index.keys) {
    names.push_back(key.name);
  }
  for (const auto& key : table_keys) {
    names.push_back(key.name);
  }
  if (index.description.projection.non_key_attributes) {
    const auto& included = *index.description.projection.non_key_attributes;
    names.insert(names.end(), included.begin(), included.end());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Counted in both modes: the modes differ in what is reported.
void ResolveAccesses(const std::optional<InsightsSetting>& setting, const KeyAttributes& keys,
                     std::shared_ptr<KeyAccesses>& accesses) {
  if (!setting || !setting->enabled) {
    accesses.reset();
  } else if (accesses == nullptr) {
    accesses = std::make_shared<KeyAccesses>(keys);
  }
}

// As far as this region knows.
std::vector<ReplicaDescription> DescribeReplicas(const Table& table) {
  std::vector<ReplicaDescription> replicas;
  for (const ReplicaTarget& target : table.replication->targets) {
    const bool is_there = target.joined && target.filled;
    ReplicaDescription& replica = replicas.emplace_back();
    replica.region_name = target.region;
    replica.status = is_there ? ReplicaStatus::kActive : ReplicaStatus::kCreating;
    for (const Index& index : table.indexes) {
      if (index.global) {
        replica.global_index_names.push_back(index.name());
      }
    }
  }
  return replicas;
}

}  // namespace

bool Index::Projects(std::string_view attribute_name) const {
  return projects_all() || std::ranges::binary_search(projected, attribute_name);
}

const Index* Table::FindIndex(std::string_view index_name) const {
  const auto found = std::ranges::find(indexes, index_name, &Index::name);
  return found == indexes.end() ? nullptr : &*found;
}

const VectorIndex* Table::FindVectorIndex(std::string_view index_name) const {
  const auto found = std::ranges::find(vector_indexes, index_name, &VectorIndex::name);
  return found == vector_indexes.end() ? nullptr : &*found;
}

bool Table::IsKey(std::string_view attribute_name) const {
  return std::ranges::find(keys, attribute_name, &expr::KeyAttribute::name) != keys.end();
}

Status ResolveKeys(Table& table) {
  const auto& definitions = table.description.attribute_definitions;
  PJ_ASSIGN_OR_RETURN(table.keys, Resolve(table.description.key_schema, definitions));
  for (Index& index : table.indexes) {
    PJ_ASSIGN_OR_RETURN(index.keys, Resolve(index.description.key_schema, definitions));
    index.projected = ProjectedNames(index, table.keys);
  }
  for (VectorIndex& index : table.vector_indexes) {
    PJ_RETURN_IF_ERROR(ResolveVectorIndex(definitions, table.keys, index));
    if (index.loaded == nullptr) {  // Read from the catalog.
      index.stats = std::make_shared<Stats>();
      index.loaded = std::make_shared<LoadedVectors>(index.dimensions(), DistanceOf(index),
                                                     LoadedVectors::Stored::kSomething);
    }
  }
  return {};
}

TableStatus StatusOf(const Table& table) {
  const bool enabling = table.stream != nullptr && !table.stream->complete();
  return enabling ? TableStatus::kUpdating : table.description.status;
}

void ResolveInsights(Table& table) {
  ResolveAccesses(table.insights, table.keys, table.accesses);
  for (Index& index : table.indexes) {
    ResolveAccesses(index.insights, index.keys, index.accesses);
  }
}

TableDescription Describe(const Table& table) {
  TableDescription description = table.description;
  description.status = StatusOf(table);
  description.item_count = table.stats->ShownCount();
  description.size_bytes = table.stats->ShownBytes();
  for (const Index& index : table.indexes) {
    auto& list = index.global ? description.global_indexes : description.local_indexes;
    list.push_back(index.description);
    list.back().item_count = index.stats->ShownCount();
    list.back().size_bytes = index.stats->ShownBytes();
    if (index.global && description.status == TableStatus::kCreating) {
      list.back().status = IndexStatus::kCreating;
    }
  }
  for (const VectorIndex& index : table.vector_indexes) {
    description.vector_indexes.push_back(index.description);
    description.vector_indexes.back().item_count = index.stats->ShownCount();
    description.vector_indexes.back().size_bytes = index.stats->ShownBytes();
  }
  if (table.replication) {
    description.replicas = DescribeReplicas(table);
  }
  return description;
}

}  // namespace prejoin::engine
