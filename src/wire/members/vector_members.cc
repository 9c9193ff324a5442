#include "wire/members/vector_members.h"

#include <limits>

#include "json/enum_names.h"
#include "wire/members/field.h"
#include "wire/members/table_members.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

Status ReadAttributeName(InputReader& reader, json::Value value, const Path& path,
                         std::string& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out));
  reader.CheckLength(path, out, out.size(), {1, 65535});
  return {};
}

constexpr Member<std::string> kVectorAttributeMembers[] = {
    {"AttributeName", ReadAttributeName, Presence::kRequired},
};

constexpr Member<SearchSchemaElement> kSearchSchemaMembers[] = {
    Field<&SearchSchemaElement::attribute_name, ReadAttributeName>("AttributeName",
                                                                   Presence::kRequired),
    EnumField<&SearchSchemaElement::type, json::kSearchSchemaTypeNames>("SearchSchemaElementType",
                                                                        Presence::kRequired),
};

constexpr Member<VectorIndexSpecification> kVectorIndexMembers[] = {
    {"IndexName",
     [](InputReader& reader, json::Value value, const Path& path, VectorIndexSpecification& out) {
       return ReadIndexName(reader, value, path, out.index_name);
     },
     Presence::kRequired},
    {"VectorAttribute",
     [](InputReader& reader, json::Value value, const Path& path,
        VectorIndexSpecification& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "VectorAttributeDefinition"}));
       return reader.ReadMembers(value, &path, kVectorAttributeMembers, out.vector_attribute);
     },
     Presence::kRequired},
    {"Dimensions",
     [](InputReader& reader, json::Value value, const Path& path,
        VectorIndexSpecification& out) -> Status {
       PJ_RETURN_IF_ERROR(reader.ReadInt64(value, out.dimensions));
       reader.CheckRange(path, out.dimensions, 1);
       return {};
     },
     Presence::kRequired},
    EnumField<&VectorIndexSpecification::distance, json::kVectorDistanceNames>("DistanceFunction",
                                                                               Presence::kRequired),
    Field<&VectorIndexSpecification::projection, ReadProjection>("Projection", Presence::kRequired),
    {"SearchSchema",
     [](InputReader& reader, json::Value value, const Path& path, VectorIndexSpecification& out) {
       out.search_schema.clear();
       return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
         PJ_RETURN_IF_ERROR(
             json::CheckObject(element, {Shape::Kind::kStructureElement, "SearchSchemaElement"}));
         return reader.ReadMembers(element, &at, kSearchSchemaMembers,
                                   out.search_schema.emplace_back());
       });
     }},
};

constexpr Member<std::string> kVectorIndexDeleteMembers[] = {
    {"IndexName", ReadIndexName<std::string>, Presence::kRequired},
};

constexpr Member<VectorIndexUpdate> kVectorIndexUpdateMembers[] = {
    {"Create",
     [](InputReader& reader, json::Value value, const Path& path,
        VectorIndexUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "CreateVectorIndexAction"}));
       return reader.ReadMembers(value, &path, kVectorIndexMembers, out.create.emplace());
     }},
    {"Delete",
     [](InputReader& reader, json::Value value, const Path& path,
        VectorIndexUpdate& out) -> Status {
       PJ_RETURN_IF_ERROR(
           json::CheckObject(value, {Shape::Kind::kStructure, "DeleteVectorIndexAction"}));
       return reader.ReadMembers(value, &path, kVectorIndexDeleteMembers, out.remove.emplace());
     }},
};

}  // namespace

Status ReadVectorIndexes(InputReader& reader, json::Value value, const Path& path,
                         std::optional<std::vector<VectorIndexSpecification>>& out) {
  auto& indexes = out.emplace();
  return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
    PJ_RETURN_IF_ERROR(json::CheckObject(element, {Shape::Kind::kStructureElement, "VectorIndex"}));
    return reader.ReadMembers(element, &at, kVectorIndexMembers, indexes.emplace_back());
  });
}

Status ReadVectorIndexUpdates(InputReader& reader, json::Value value, const Path& path,
                              std::optional<std::vector<VectorIndexUpdate>>& out) {
  auto& updates = out.emplace();
  const auto read = [&](json::Value element, const Path& at) -> Status {
    PJ_RETURN_IF_ERROR(
        json::CheckObject(element, {Shape::Kind::kStructureElement, "VectorIndexUpdate"}));
    return reader.ReadMembers(element, &at, kVectorIndexUpdateMembers, updates.emplace_back());
  };
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, read));
  for (const VectorIndexUpdate& update : updates) {
    if (update.create.has_value() == update.remove.has_value()) {
      reader.Refuse(Order::kRequest,
                    "One or more parameter values were invalid: Exactly one of Create and Delete "
                    "must be given for each member of VectorIndexUpdates");
    }
  }
  return {};
}

}  // namespace prejoin::wire
