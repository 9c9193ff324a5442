#include "engine/table/table_build.h"

#include <algorithm>

#include "engine/vector/loaded_vectors.h"

namespace prejoin::engine {

std::string TableArn(const Options& options, const std::string& table_name) {
  return "arn:aws:dynamodb:" + options.region + ":" + options.account_id + ":table/" + table_name;
}

Index NewIndex(const IndexSpecification& specification, IndexKind kind,
               const std::string& table_arn, std::uint32_t space) {
  Index index;
  index.global = kind == IndexKind::kGlobal;
  index.space = space;
  index.stats = std::make_shared<Stats>();
  IndexDescription& description = index.description;
  description.index_name = specification.index_name;
  description.key_schema = specification.key_schema;
  description.projection = specification.projection.value_or(Projection());
  description.arn = table_arn + "/index/" + specification.index_name;
  description.provisioned_throughput =
      specification.provisioned_throughput.value_or(ProvisionedThroughput());
  description.on_demand_throughput = specification.on_demand_throughput;
  description.warm_throughput = specification.warm_throughput;
  return index;
}

VectorIndex NewVectorIndex(const VectorIndexSpecification& specification,
                           const std::string& table_arn, std::uint32_t space) {
  VectorIndex index;
  index.description.definition = specification;
  index.description.arn = table_arn + "/index/" + specification.index_name;
  index.space = space;
  index.stats = std::make_shared<Stats>();
  index.loaded = std::make_shared<LoadedVectors>(index.dimensions(), DistanceOf(index),
                                                 LoadedVectors::Stored::kNothing);
  return index;
}

void PruneDefinitions(Table& table) {
  std::erase_if(
      table.description.attribute_definitions, [&](const AttributeDefinition& definition) {
        const auto uses = [&](const KeySchema& schema) {
          return std::ranges::find(schema, definition.attribute_name,
                                   &KeySchemaElement::attribute_name) != schema.end();
        };
        return !uses(table.description.key_schema) &&
               std::ranges::none_of(
                   table.indexes,
                   [&](const Index& index) { return uses(index.description.key_schema); }) &&
               std::ranges::none_of(table.vector_indexes, [&](const VectorIndex& index) {
                 const auto& schema = index.description.definition.search_schema;
                 return std::ranges::find(schema, definition.attribute_name,
                                          &SearchSchemaElement::attribute_name) != schema.end();
               });
      });
}

}  // namespace prejoin::engine
