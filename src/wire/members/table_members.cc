#include "wire/members/table_members.h"

#include "base/limits.h"
#include "wire/members/field.h"
#include "wire/names.h"

namespace prejoin::wire {
namespace {

constexpr std::size_t kTableKeyPartsMax = 2;

constexpr Member<AttributeDefinition> kDefinitionMembers[] = {
    TextField<&AttributeDefinition::attribute_name, LengthLimits{1, 255}>("AttributeName",
                                                                          Presence::kRequired),
    EnumField<&AttributeDefinition::type, json::kScalarTypeNames>("AttributeType",
                                                                  Presence::kRequired),
};

constexpr Member<KeySchemaElement> kKeySchemaMembers[] = {
    TextField<&KeySchemaElement::attribute_name, LengthLimits{1, 255}>("AttributeName",
                                                                       Presence::kRequired),
    EnumField<&KeySchemaElement::key_type, json::kKeyTypeNames>("KeyType", Presence::kRequired),
};

Status ReadUnits(InputReader& reader, json::Value value, const Path& path, std::int64_t& out) {
  PJ_RETURN_IF_ERROR(reader.ReadInt64(value, out));
  reader.CheckRange(path, out, 1);
  return {};
}

constexpr Member<ProvisionedThroughput> kProvisionedMembers[] = {
    Field<&ProvisionedThroughput::write_capacity_units, ReadUnits>("WriteCapacityUnits",
                                                                   Presence::kRequired),
    Field<&ProvisionedThroughput::read_capacity_units, ReadUnits>("ReadCapacityUnits",
                                                                  Presence::kRequired),
};

constexpr Member<OnDemandThroughput> kOnDemandMembers[] = {
    Field<&OnDemandThroughput::max_read_request_units>("MaxReadRequestUnits"),
    Field<&OnDemandThroughput::max_write_request_units>("MaxWriteRequestUnits"),
};

constexpr Member<WarmThroughput> kWarmMembers[] = {
    Field<&WarmThroughput::read_units_per_second>("ReadUnitsPerSecond"),
    Field<&WarmThroughput::write_units_per_second>("WriteUnitsPerSecond"),
};

constexpr Member<StreamSpecification> kStreamMembers[] = {
    Field<&StreamSpecification::enabled>("StreamEnabled", Presence::kRequired),
    EnumField<&StreamSpecification::view_type, json::kStreamViewTypeNames>("StreamViewType"),
};

constexpr EnumName<std::string_view> kSseTypeNames[] = {{"AES256", "AES256"}, {"KMS", "KMS"}};

constexpr Member<SseSpecification> kSseMembers[] = {
    Field<&SseSpecification::enabled>("Enabled"),
    EnumField<&SseSpecification::type, kSseTypeNames>("SSEType"),
    TextField<&SseSpecification::kms_key, LengthLimits{1, 2048}>("KMSMasterKeyId"),
};

constexpr Member<Tag> kTagMembers[] = {
    Field<&Tag::key>("Key"),
    Field<&Tag::value>("Value"),
};

constexpr Member<Projection> kProjectionMembers[] = {
    EnumField<&Projection::type, json::kProjectionTypeNames>("ProjectionType"),
    {"NonKeyAttributes",
     [](InputReader& reader, json::Value value, const Path& path, Projection& out) -> Status {
       auto& names = out.non_key_attributes.emplace();
       PJ_RETURN_IF_ERROR(reader.ReadStrings(value, path, names));
       if (names.empty()) {
         reader.CheckLength(path, "[]", 0, {1});
       }
       for (std::size_t i = 0; i < names.size(); ++i) {
         reader.CheckLength(Path::Element(path, i), names[i], names[i].size(), {1, 255});
       }
       return {};
     }},
};

// The structure as a member of another.
template <class T, std::size_t kCount>
Status ReadStructure(InputReader& reader, json::Value value, const Path& path,
                     std::string_view type, const Member<T> (&members)[kCount],
                     std::optional<T>& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, type}));
  return reader.ReadMembers(value, &path, members, out.emplace());
}

// A list of structures.
template <class T, std::size_t kCount>
Status ReadList(InputReader& reader, json::Value value, const Path& path, std::string_view type,
                const Member<T> (&members)[kCount], std::vector<T>& out) {
  out.clear();
  return reader.ReadElements(value, path, [&](json::Value element, const Path& at) -> Status {
    PJ_RETURN_IF_ERROR(json::CheckObject(element, {Shape::Kind::kStructureElement, type}));
    return reader.ReadMembers(element, &at, members, out.emplace_back());
  });
}

Status ReadIndexProjection(InputReader& reader, json::Value value, const Path& path,
                           IndexSpecification& out) {
  return ReadProjection(reader, value, path, out.projection);
}

constexpr Member<IndexSpecification> kIndexNameMember = {
    "IndexName",
    [](InputReader& reader, json::Value value, const Path& path, IndexSpecification& out) {
      return ReadIndexName(reader, value, path, out.index_name);
    },
    Presence::kRequired};

constexpr Member<IndexSpecification> kLocalIndexMembers[] = {
    kIndexNameMember,
    {"KeySchema",
     [](InputReader& reader, json::Value value, const Path& path, IndexSpecification& out) {
       return ReadKeySchema(reader, value, path, kTableKeyPartsMax, out.key_schema);
     },
     Presence::kRequired},
    {"Projection", ReadIndexProjection, Presence::kRequired},
};

constexpr Member<IndexSpecification> kGlobalIndexMembers[] = {
    kIndexNameMember,
    {"KeySchema",
     [](InputReader& reader, json::Value value, const Path& path, IndexSpecification& out) {
       return ReadKeySchema(reader, value, path, 2 * kIndexKeyPartsMax, out.key_schema);
     },
     Presence::kRequired},
    {"Projection", ReadIndexProjection, Presence::kRequired},
    ProvisionedThroughputMember<IndexSpecification>(),
    OnDemandThroughputMember<IndexSpecification>(),
    WarmThroughputMember<IndexSpecification>(),
};

std::string PrintKeySchema(const KeySchema& schema) {
  std::string text = "[";
  const char* separator = "";
  for (const KeySchemaElement& element : schema) {
    text.append(std::exchange(separator, ", "))
        .append("KeySchemaElement(attributeName=")
        .append(element.attribute_name)
        .append(", keyType=")
        .append(json::NameOf(json::kKeyTypeNames, element.key_type))
        .append(")");
  }
  return text.append("]");
}

}  // namespace

Status ReadProjection(InputReader& reader, json::Value value, const Path& path,
                      std::optional<Projection>& out) {
  return ReadStructure(reader, value, path, "Projection", kProjectionMembers, out);
}

Status ReadAttributeDefinitions(InputReader& reader, json::Value value, const Path& path,
                                std::vector<AttributeDefinition>& out) {
  return ReadList(reader, value, path, "AttributeDefinition", kDefinitionMembers, out);
}

Status ReadKeySchema(InputReader& reader, json::Value value, const Path& path,
                     std::size_t parts_max, KeySchema& out) {
  PJ_RETURN_IF_ERROR(ReadList(reader, value, path, "KeySchemaElement", kKeySchemaMembers, out));
  if (out.empty() || out.size() > parts_max) {
    reader.CheckLength(path, PrintKeySchema(out), out.size(), {1, parts_max});
  }
  return {};
}

Status ReadProvisionedThroughput(InputReader& reader, json::Value value, const Path& path,
                                 std::optional<ProvisionedThroughput>& out) {
  return ReadStructure(reader, value, path, "ProvisionedThroughput", kProvisionedMembers, out);
}

Status ReadOnDemandThroughput(InputReader& reader, json::Value value, const Path& path,
                              std::optional<OnDemandThroughput>& out) {
  return ReadStructure(reader, value, path, "OnDemandThroughput", kOnDemandMembers, out);
}

Status ReadWarmThroughput(InputReader& reader, json::Value value, const Path& path,
                          std::optional<WarmThroughput>& out) {
  return ReadStructure(reader, value, path, "WarmThroughput", kWarmMembers, out);
}

Status ReadStreamSpecification(InputReader& reader, json::Value value, const Path& path,
                               std::optional<StreamSpecification>& out) {
  return ReadStructure(reader, value, path, "StreamSpecification", kStreamMembers, out);
}

Status ReadSseSpecification(InputReader& reader, json::Value value, const Path& path,
                            std::optional<SseSpecification>& out) {
  return ReadStructure(reader, value, path, "SSESpecification", kSseMembers, out);
}

Status ReadTags(InputReader& reader, json::Value value, const Path& path, std::vector<Tag>& out) {
  PJ_RETURN_IF_ERROR(ReadList(reader, value, path, "Tag", kTagMembers, out));
  for (const json::Value tag : value.elements()) {
    for (const char* name : {"Key", "Value"}) {
      const auto text = tag.Find(name);
      if (tag.type() == json::Type::kObject && (!text || text->is_null())) {
        const std::string member(name);
        reader.Refuse(Order::kRequest, "The Tag " + member + " provided is invalid, " + member + ": null");
        break;
      }
    }
  }
  return {};
}

Status ReadLocalIndexes(InputReader& reader, json::Value value, const Path& path,
                        std::optional<std::vector<IndexSpecification>>& out) {
  return ReadList(reader, value, path, "LocalSecondaryIndex", kLocalIndexMembers, out.emplace());
}

Status ReadGlobalIndexes(InputReader& reader, json::Value value, const Path& path,
                         std::optional<std::vector<IndexSpecification>>& out) {
  return ReadList(reader, value, path, "GlobalSecondaryIndex", kGlobalIndexMembers, out.emplace());
}

Status ReadGlobalIndex(InputReader& reader, json::Value value, const Path& path,
                       IndexSpecification& out) {
  return reader.ReadMembers(value, &path, kGlobalIndexMembers, out);
}

}  // namespace prejoin::wire
