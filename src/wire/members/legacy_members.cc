#include "wire/members/legacy_members.h"

#include "base/limits.h"
#include "json/enum_names.h"
#include "value/size.h"
#include "wire/members/field.h"
#include "wire/members/item_values.h"

namespace prejoin::wire {
namespace {

struct ConditionRead {
  LegacyCondition condition;
  Order order;
};

constexpr Member<ConditionRead> kConditionMembers[] = {
    {"AttributeValueList",
     [](InputReader& reader, json::Value value, const Path& path, ConditionRead& out) {
       return ReadAttributeValues(reader, value, path, out.order, out.condition.values);
     }},
    {"ComparisonOperator",
     [](InputReader& reader, json::Value value, const Path& path, ConditionRead& out) {
       return reader.ReadEnum(value, path, json::kLegacyOperatorNames, out.condition.comparison);
     },
     Presence::kRequired},
};

Status ReadOneValue(InputReader& reader, json::Value value, std::optional<AttributeValue>& out) {
  json::ValueFault fault;
  PJ_RETURN_IF_ERROR(json::ReadAttributeValue(value, Shape::Kind::kStructure, reader.form().values,
                                              out.emplace(), fault));
  if (!fault.empty()) {
    reader.Refuse(Order::kFilter, std::move(fault.text));
  }
  return {};
}

constexpr Member<ExpectedAttribute> kExpectedMembers[] = {
    {"AttributeValueList",
     [](InputReader& reader, json::Value value, const Path& path, ExpectedAttribute& out) {
       return ReadAttributeValues(reader, value, path, Order::kFilter, out.values.emplace());
     }},
    EnumField<&ExpectedAttribute::comparison, json::kLegacyOperatorNames>("ComparisonOperator"),
    Field<&ExpectedAttribute::exists>("Exists"),
    {"Value", [](InputReader& reader, json::Value value, const Path&,
                 ExpectedAttribute& out) { return ReadOneValue(reader, value, out.value); }},
};

constexpr Member<AttributeUpdate> kAttributeUpdateMembers[] = {
    EnumField<&AttributeUpdate::action, json::kLegacyActionNames>("Action"),
    {"Value", [](InputReader& reader, json::Value value, const Path&,
                 AttributeUpdate& out) { return ReadOneValue(reader, value, out.value); }},
};

void RefuseBadName(InputReader& reader, std::string_view name) {
  if (name.empty()) {
    reader.Refuse(Order::kItem, "Empty attribute name");
  } else if (name.size() > kItemAttributeNameBytesMax) {
    reader.Refuse(Order::kItem,
                  "One or more parameter values were invalid: Attribute name is too large, must be "
                  "less than 65536 bytes");
  }
}

// A map of structures, each read by `read(value, path, out)`. A null entry counts as an empty
// structure.
template <class Map, class Read>
Status ReadStructures(InputReader& reader, json::Value value, const Path& path,
                      std::string_view type, Map& out, Read read) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kMap, type}));
  return reader.ReadEntries(value, path, [&](std::string_view name, json::Value member) -> Status {
    typename Map::mapped_type& entry = out[std::string(name)];
    if (member.is_null()) {
      return {};
    }
    PJ_RETURN_IF_ERROR(json::CheckObject(member, {Shape::Kind::kStructureElement, type}));
    return read(member, Path::Entry(path, name), entry);
  });
}

}  // namespace

Status ReadLegacyConditions(InputReader& reader, json::Value value, const Path& path, Order order,
                            std::optional<LegacyConditions>& out) {
  return ReadStructures(
      reader, value, path, "Condition", out.emplace(),
      [&](json::Value member, const Path& entry, LegacyCondition& condition) -> Status {
        ConditionRead read{{}, order};
        PJ_RETURN_IF_ERROR(reader.ReadMembers(member, &entry, kConditionMembers, read));
        condition = std::move(read.condition);
        return {};
      });
}

Status ReadExpected(InputReader& reader, json::Value value, const Path& path,
                    std::optional<ExpectedAttributes>& out) {
  return ReadStructures(reader, value, path, "ExpectedAttributeValue", out.emplace(),
                        [&](json::Value member, const Path& entry, ExpectedAttribute& expected) {
                          return reader.ReadMembers(member, &entry, kExpectedMembers, expected);
                        });
}

Status ReadAttributeUpdates(InputReader& reader, json::Value value, const Path& path,
                            std::optional<AttributeUpdates>& out) {
  // Values that no item can hold are not read to their end.
  std::size_t bytes = 0;
  return ReadStructures(
      reader, value, path, "AttributeValueUpdate", out.emplace(),
      [&](json::Value member, const Path& entry, AttributeUpdate& update) -> Status {
        RefuseBadName(reader, entry.name());
        PJ_RETURN_IF_ERROR(reader.ReadMembers(member, &entry, kAttributeUpdateMembers, update));
        if (update.value && update.action.value_or(LegacyAction::kPut) == LegacyAction::kPut) {
          bytes += entry.name().size() + ValueSizeBytes(*update.value);
        }
        return bytes > kItemBytesMax
                   ? Status(ValidationError(
                         "Item size to update has exceeded the maximum allowed size"))
                   : Status();
      });
}

Status ReadAttributesToGet(InputReader& reader, json::Value value, const Path& path,
                           std::optional<std::vector<std::string>>& out) {
  PJ_RETURN_IF_ERROR(reader.ReadStrings(value, path, out.emplace()));
  for (const std::string& name : *out) {
    RefuseBadName(reader, name);
  }
  if (out->empty() || out->size() > 255) {
    reader.CheckLength(path, PrintEcho(value), out->size(), {1, 255});
  }
  return {};
}

}  // namespace prejoin::wire
