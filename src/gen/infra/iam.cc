// A policy for each pattern and each write: the actions it sends, on the tables and indexes it names, for the partition keys it
// can ask for. A part of a key that is the tenant's becomes ${aws:PrincipalTag/tenant}, so that a caller whose role session carries
// that tag reaches its own tenant's items only; other parts match anything.
#include <algorithm>
#include <map>
#include <set>

#include "gen/infra/infra.h"
#include "gen/words.h"
#include "json/indented_writer.h"
#include "model/prove/tenants.h"

namespace prejoin::gen {
namespace {

struct Grant {
  std::set<std::string> actions;
  std::set<std::string> leading_keys;  // "*" alone: any.
};

// By resource: "table/School", "table/School/index/GSI1".
using Grants = std::map<std::string, Grant>;

// A policy reads `*`, `?` and `$` as patterns and variables; "${*}" is the character itself.
std::string EscapedLiteral(const std::string& literal) {
  std::string out;
  for (const char c : literal)
    out += c == '*' || c == '?' || c == '$' ? std::string("${") + c + "}" : std::string(1, c);
  return out;
}

class GrantCollector {
 public:
  explicit GrantCollector(const Program& program) : program_(program) {}

  void AddPattern(const PatternFunction& pattern) {
    for (const Read& read : pattern.reads) {
      std::string resource = "table/" + read.table;
      if (!read.index.empty()) resource += "/index/" + read.index;
      const Section& section = pattern.sections[read.sections[0]];
      Add(resource, read.get ? "GetItem" : "Query",
          KeyPattern(section.item_entity, read.equal[0].attribute, read.equal[0].call));
    }
    for (const Section& section : pattern.sections) {
      if (section.fetch) AddFetch(*section.fetch, section.item_entity);
      if (section.via) AddFetch(*section.via, section.via->entity);
      for (const Fetch& join : section.joins) AddFetch(join, join.entity);
    }
  }

  void AddWrite(const WriteFunction& write) {
    for (const WriteStepCode& step : write.steps) {
      const std::string resource = "table/" + step.entity->table;
      const std::string keys =
          KeyPattern(step.entity->name, step.key[0].attribute, step.key[0].call);
      const bool reads = !step.read_before.empty() || (!step.in.attribute.empty() && !step.in.map);
      if (reads) Add(resource, "GetItem", keys);
      Add(resource, ActionOf(step), keys);
      if (step.kind == WriteStepCode::Kind::kPut) {
        for (const StoredCopy& copy : step.entity->copies) {
          if (copy.given()) continue;
          const std::string original = "table/" + copy.original.table;
          const std::string key = KeyPattern(copy.original.entity, copy.original.key[0].attribute,
                                             copy.original.key[0].call);
          Add(original, "GetItem", key);
          if (copy.upkeep == model::CopyUpkeep::kTransaction)
            Add(original, "ConditionCheckItem", key);
        }
      }
      for (const CopyRefresh& refresh : step.refreshes) {
        if (refresh.upkeep == model::CopyUpkeep::kStream) continue;
        AddPattern(*refresh.find);
        const EntityCode& holder = *program_.FindEntity(refresh.holder);
        Add("table/" + holder.table, "UpdateItem", EntityPattern(holder));
      }
    }
  }

  const Grants& grants() const { return grants_; }

 private:
  static std::string ActionOf(const WriteStepCode& step) {
    switch (step.kind) {
      case WriteStepCode::Kind::kPut:
        return "PutItem";
      case WriteStepCode::Kind::kDelete:
        return "DeleteItem";
      default:
        return "UpdateItem";
    }
  }

  void Add(const std::string& resource, const std::string& action, const std::string& keys) {
    Grant& grant = grants_[resource];
    grant.actions.insert("dynamodb:" + action);
    grant.leading_keys.insert(keys);
  }

  void AddFetch(const Fetch& fetch, const std::string& entity) {
    const EntityCode* code = program_.FindEntity(entity);
    Add("table/" + fetch.table, "BatchGetItem", code != nullptr ? EntityPattern(*code) : "*");
  }

  // Whether an attribute says whose row it is, directly or by what it references.
  bool IsTenant(const std::string& entity, const std::string& attribute) const {
    const std::optional<model::Tenant>& tenant = program_.model->tenant;
    if (!tenant) return false;
    std::string at_entity = entity;
    std::string at = attribute;
    for (int hops = 0; hops < 8; ++hops) {
      if (at_entity == tenant->path.entity.text && at == tenant->path.attribute.text) return true;
      const model::Entity* found = program_.model->FindEntity(at_entity);
      const model::Attribute* field = found != nullptr ? found->Find(at) : nullptr;
      if (field == nullptr || !field->references) return false;
      at_entity = field->references->entity.text;
      at = field->references->attribute.text;
    }
    return false;
  }

  std::string PartPattern(const std::string& entity, const std::string& attribute) const {
    if (!IsTenant(entity, attribute)) return "*";
    return model::kTenantVariable;
  }

  std::string KeyPattern(const std::string& entity, const std::string& key,
                         const KeyCall& call) const {
    if (call.function == nullptr) return PartPattern(entity, key);
    std::string out;
    for (const model::TemplatePart& part : call.function->parts) {
      const std::string text = part.is_literal() ? EscapedLiteral(part.literal)
                               : part.transform == model::TemplateTransform::kShard
                                   ? "*"
                                   : PartPattern(entity, part.attribute);
      if (text != "*" || !out.ends_with('*')) out += text;
    }
    return out;
  }

  std::string EntityPattern(const EntityCode& entity) const {
    const std::string& partition = program_.FindTable(entity.table)->key[0];
    for (const StoredKey& key : entity.keys) {
      if (key.attribute == partition) return KeyPattern(entity.name, partition, key.call);
    }
    return PartPattern(entity.name, partition);
  }

  const Program& program_;
  Grants grants_;
};

std::string PolicyJson(const Grants& grants) {
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("Version", "2012-10-17");
  json.Name("Statement").BeginArray();
  for (const auto& [resource, grant] : grants) {
    json.BeginObject();
    json.Field("Effect", "Allow");
    json.Name("Action").BeginArray();
    for (const std::string& action : grant.actions) json.String(action);
    json.EndArray();
    json.Field("Resource", "arn:aws:dynamodb:*:*:" + resource);
    if (!grant.leading_keys.contains("*")) {
      json.Name("Condition").BeginObject().Name("ForAllValues:StringLike").BeginObject();
      json.Name("dynamodb:LeadingKeys").BeginArray();
      for (const std::string& key : grant.leading_keys) json.String(key);
      json.EndArray().EndObject();
      // ForAllValues holds for a request without keys too, such as a Scan: this does not.
      json.Name("Null").BeginObject();
      json.Field("dynamodb:LeadingKeys", "false");
      json.EndObject().EndObject();
    }
    json.EndObject();
  }
  json.EndArray().EndObject();
  return json.Finish();
}

}  // namespace

std::vector<GeneratedFile> GenerateIam(const Program& program) {
  std::vector<GeneratedFile> files;
  for (const PatternFunction& pattern : program.patterns) {
    GrantCollector collector(program);
    collector.AddPattern(pattern);
    files.push_back({"read_" + SnakeCase(pattern.name) + ".json", PolicyJson(collector.grants())});
  }
  for (const WriteFunction& write : program.writes) {
    if (!write.refusal.empty()) continue;
    GrantCollector collector(program);
    collector.AddWrite(write);
    files.push_back({"write_" + SnakeCase(write.name) + ".json", PolicyJson(collector.grants())});
  }
  return files;
}

}  // namespace prejoin::gen
