#include "wire/members/statement_members.h"

#include "json/attribute_value.h"
#include "partiql/limits.h"
#include "wire/members/field.h"
#include "wire/members/item_members.h"
#include "wire/members/item_values.h"
#include "wire/members/parameter_fault.h"

namespace prejoin::wire {
namespace {

constexpr Member<PartiqlStatement> kStatementMembers[] = {
    Field<&PartiqlStatement::statement, ReadStatementText>("Statement", Presence::kRequired),
    {"Parameters",
     [](InputReader& reader, json::Value value, const Path& path, PartiqlStatement& out) -> Status {
       json::ValueFault fault;
       PJ_RETURN_IF_ERROR(ReadParameters(reader, value, path, out.parameters, fault));
       if (!fault.empty()) {
         out.refusal = ValidationError(std::move(fault.text));
       }
       return {};
     }},
    ConsistentReadMember<PartiqlStatement>(),
    ReturnValuesOnFailureMember<PartiqlStatement>(),
};

Status ReadStatement(InputReader& reader, json::Value value, const Path& path,
                     PartiqlStatement& out) {
  PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructureElement, "Statement"}));
  return reader.ReadMembers(value, &path, kStatementMembers, out);
}

}  // namespace

Status ReadStatements(InputReader& reader, json::Value value, const Path& path, std::size_t max,
                      std::vector<PartiqlStatement>& out) {
  out.clear();
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, [&](json::Value element, const Path& at) {
    return ReadStatement(reader, element, at, out.emplace_back());
  }));
  if (out.empty() || out.size() > max) {
    reader.CheckLength(path, PrintEcho(value), out.size(), {1, max});
  }
  return {};
}

Status ReadStatementText(InputReader& reader, json::Value value, const Path& path,
                         std::string& out) {
  PJ_RETURN_IF_ERROR(reader.ReadString(value, out));
  reader.CheckLength(path, out, out.size(), {1, partiql::kStatementBytesMax});
  return {};
}

Status ReadParameters(InputReader& reader, json::Value value, const Path& path,
                      std::optional<std::vector<AttributeValue>>& out, json::ValueFault& fault) {
  out.emplace();
  PJ_RETURN_IF_ERROR(reader.ReadElements(value, path, [&](json::Value element, const Path&) {
    if (fault.empty()) {
      fault.text = FindParameterFault(element);
    }
    return json::ReadAttributeValue(element, Shape::Kind::kStructureElement, reader.form().values,
                                    out->emplace_back(), fault);
  }));
  if (out->empty()) {
    reader.CheckLength(path, "[]", 0, {1});
  }
  return {};
}

}  // namespace prejoin::wire
