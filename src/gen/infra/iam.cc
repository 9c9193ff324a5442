// A policy for each pattern and each write: the actions it sends, on the tables and indexes it names, for the partition keys it
// can ask for. A part of a key that is the tenant's becomes ${aws:PrincipalTag/tenant}, so that a caller whose role session carries
// that tag reaches its own tenant's items only; other parts match anything.
#include <algorithm>
#include <map>
#include <set>

#include "gen/infra/infra.h"
#include "gen/words.h"
#include "json/indented_writer.h"
#include "model/data/item_render.h"
#include "model/prove/tenants.h"
#include "model/schema/total.h"

namespace prejoin::gen {
namespace {

// The leading keys of each action; "*" is any.
using Actions = std::map<std::string, std::set<std::string>>;

// Keyed by resource: "table/School", "table/School/index/GSI1".
using Grants = std::map<std::string, Actions>;

// A policy reads `*`, `?` and `$` as patterns and variables; "${*}" is the character itself.
std::string EscapedLiteral(const std::string& literal) {
  std::string out;
  for (const char c : literal) {
    out += c == '*' || c == '?' || c == '$' ? std::string("${") + c + "}" : std::string(1, c);
  }
  return out;
}

class GrantCollector {
 public:
  explicit GrantCollector(const Program& program) : program_(program) {}

  void AddPattern(const PatternFunction& pattern) {
    for (const Read& read : pattern.reads) {
      std::string resource = "table/" + read.table;
      if (!read.index.empty()) {
        resource += "/index/" + read.index;
      }
      if (read.scan) {
        Add(resource, "Scan", "*");
        continue;
      }
      const Section& section = pattern.sections[read.sections[0]];
      Add(resource, read.get ? "GetItem" : "Query",
          KeyPattern(section.item_entity, read.equal[0].attribute, read.equal[0].call));
    }
    for (const Section& section : pattern.sections) {
      if (section.fetch) {
        AddFetch(*section.fetch, section.item_entity);
      }
      for (const Beside& one : section.beside) {
        AddFetch(one.fetch, one.fetch.entity);
      }
      if (section.via) {
        AddFetch(*section.via, section.via->entity);
      }
      for (const Fetch& join : section.joins) {
        AddFetch(join, join.entity);
      }
    }
  }

  void AddWrite(const WriteFunction& write) {
    for (const WriteStepCode& step : write.steps) {
      const std::string resource = "table/" + step.entity->table;
      const std::string keys =
          KeyPattern(step.entity->name, step.key[0].attribute, step.key[0].call);
      const bool reads = step.reads_before() || (!step.in.attribute.empty() && !step.in.map);
      if (reads) {
        Add(resource, "GetItem", keys);
      }
      if (step.written) {
        Add(resource, ActionOf(step), keys);
      } else if (reads) {
        Add(resource, "ConditionCheckItem", keys);
      }
      if (step.moves) {
        Add(resource, "PutItem", EntityPattern(*step.entity));
        Add(resource, "DeleteItem", keys);
      }
      AddBeside(step);
      for (const WriteStepCode& child : step.cascade) {
        AddPattern(*child.find);
        Add("table/" + child.entity->table, "DeleteItem", EntityPattern(*child.entity));
        AddBeside(child);
      }
      if (step.kind == WriteStepCode::Kind::kPut) {
        for (const StoredCopy& copy : step.entity->copies) {
          if (copy.given()) {
            continue;
          }
          const std::string original = "table/" + copy.original.table;
          const std::string key = KeyPattern(copy.original.entity, copy.original.key[0].attribute,
                                             copy.original.key[0].call);
          Add(original, "GetItem", key);
          if (copy.upkeep == model::CopyUpkeep::kTransaction) {
            Add(original, "ConditionCheckItem", key);
          }
        }
      }
      for (const StoredCopy& copy : step.recopied) {
        const EntityCode& original = *program_.FindEntity(copy.original.entity);
        Add("table/" + original.table, "GetItem", EntityPattern(original));
        Add("table/" + original.table, "ConditionCheckItem", EntityPattern(original));
      }
      for (const CopyRefresh& refresh : step.refreshes) {
        if (refresh.upkeep == model::CopyUpkeep::kStream) {
          continue;
        }
        AddPattern(*refresh.find);
        const EntityCode& holder = *program_.FindEntity(refresh.holder);
        Add("table/" + holder.table, "UpdateItem", EntityPattern(holder));
      }
    }
  }

  // Locks, totals and second layouts of a step.
  void AddBeside(const WriteStepCode& step) {
    const std::string resource = "table/" + step.entity->table;
    for (const WriteStepCode& other : step.beside) {
      const std::string table = "table/" + other.entity->table;
      const std::string keys = EntityPattern(*other.entity);
      if (other.place != WriteStepCode::Place::kMoves) {
        Add(table, ActionOf(other), keys);
        continue;
      }
      if (other.kind != WriteStepCode::Kind::kDelete) {
        Add(table, "PutItem", keys);
      }
      if (!other.once) {
        Add(table, "DeleteItem", keys);
      }
    }
    for (const WriteStepCode::Rest& rest : step.rest) {
      Add("table/" + rest.layout->table, "GetItem", EntityPattern(*rest.layout));
      Add("table/" + rest.layout->table, "ConditionCheckItem", EntityPattern(*rest.layout));
    }
    for (const LockCode& lock : step.locks) {
      const std::string locks =
          KeyPattern(step.entity->name, lock.value.attribute, lock.value.call);
      if (lock.taken) {
        Add(resource, "PutItem", locks);
      }
      if (lock.given_up) {
        Add(resource, "DeleteItem", locks);
      }
    }
    for (const TotalCode& total : step.totals) {
      const EntityCode& parent = *program_.FindEntity(total.entity);
      Add("table/" + parent.table, "UpdateItem", EntityPattern(parent));
    }
  }

  // A write without a function, by what the model says of it: whoever writes the function needs the right to run it.
  void AddModelWrite(const model::Write& write) {
    for (const model::WriteStep& step : write.steps) {
      const std::string& entity = step.entity.text;
      for (const model::Model::Placement& placement : program_.model->LayoutsOf(entity)) {
        AddStep(step, placement);
      }
      if (!step.for_each.text.empty()) {
        AddReads(step.for_each.text);
      }
      for (const model::Name& child : step.cascade) {
        AddReads(child.text);
        AddItems(child.text, "DeleteItem");
      }
      AddHolders(step);
    }
  }

  const Grants& grants() const { return grants_; }

 private:
  void AddStep(const model::WriteStep& step, const model::Model::Placement& placement) {
    const std::string table = "table/" + placement.table->name.text;
    const std::string keys = PartitionPattern(placement);
    const bool update = step.kind == model::WriteKind::kUpdate;
    const bool remove = step.kind == model::WriteKind::kDelete;
    Add(table, update ? "UpdateItem" : remove ? "DeleteItem" : "PutItem", keys);
    // A change of the table's key is a delete and a put; locks and keys of indexes are made from the row that exists.
    if (update || remove) {
      Add(table, "GetItem", keys);
    }
    if (update && ChangesKey(step, placement)) {
      Add(table, "PutItem", keys);
      Add(table, "DeleteItem", keys);
    }
    for (const model::Name& lock : placement.layout->locks) {
      const std::string locks =
          EscapedLiteral(model::LockPrefix(step.entity.text, lock.text)) + "*";
      const bool moves = update && (Has(step.set, lock) || Has(step.remove, lock));
      if (moves || step.kind == model::WriteKind::kPut) {
        Add(table, "PutItem", locks);
      }
      if (moves || remove) {
        Add(table, "DeleteItem", locks);
      }
    }
  }

  // Items elsewhere that hold rows of the entity, or sums and copies of them that the write itself keeps right.
  void AddHolders(const model::WriteStep& step) {
    for (const model::Table& table : program_.model->tables) {
      for (const model::ItemLayout& layout : table.items) {
        for (const model::StoredAttribute& stored : layout.attributes) {
          const bool rows = stored.embedded == step.entity;
          const bool kept =
              stored.copy.entity == step.entity && stored.upkeep == model::CopyUpkeep::kTransaction;
          if (!rows && !kept) {
            continue;
          }
          Add("table/" + table.name.text, "UpdateItem", PartitionPattern({&table, &layout}));
          if (kept && !model::IsTotal(stored)) {
            AddReads(layout.entity.text);
          }
          if (rows) {
            Add("table/" + table.name.text, "GetItem", PartitionPattern({&table, &layout}));
          }
        }
      }
    }
  }

  void AddItems(const std::string& entity, const std::string& action) {
    for (const model::Model::Placement& placement : program_.model->LayoutsOf(entity)) {
      Add("table/" + placement.table->name.text, action, PartitionPattern(placement));
    }
  }

  // Rows that are looked for by any key they have.
  void AddReads(const std::string& entity) {
    AddItems(entity, "Query");
    const model::Model::Placement placement = program_.model->FindPlacement(entity);
    if (!placement) {
      return;
    }
    for (const model::Index& index : placement.table->indexes) {
      const model::StoredAttribute* key = placement.layout->Find(index.partition[0].text);
      if (key != nullptr) {
        Add("table/" + placement.table->name.text + "/index/" + index.name.text, "Query",
            TemplatePattern(entity, key->key));
      }
    }
  }

  static bool Has(const std::vector<model::Name>& names, const model::Name& name) {
    return std::ranges::find(names, name) != names.end();
  }

  static bool ChangesKey(const model::WriteStep& step, const model::Model::Placement& placement) {
    for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
      if (name->text.empty()) {
        continue;
      }
      for (const std::string& attribute : placement.layout->Find(name->text)->key.Attributes()) {
        if (Has(step.set, {attribute, {}})) {
          return true;
        }
      }
    }
    return false;
  }

  std::string PartitionPattern(const model::Model::Placement& placement) const {
    const model::StoredAttribute* key = placement.layout->Find(placement.table->partition.text);
    return key != nullptr ? TemplatePattern(placement.layout->entity.text, key->key) : "*";
  }

  std::string TemplatePattern(const std::string& layout, const model::KeyTemplate& key) const {
    return PartsPattern(program_.model->RowsOf(layout), key.parts);
  }

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
    grants_[resource]["dynamodb:" + action].insert(keys);
  }

  void AddFetch(const Fetch& fetch, const std::string& entity) {
    const EntityCode* code = program_.FindLayout(entity);
    Add("table/" + fetch.table, "BatchGetItem", code != nullptr ? EntityPattern(*code) : "*");
  }

  // True if an attribute names the owner of its row, directly or through a reference.
  bool IsTenant(const std::string& entity, const std::string& attribute) const {
    const std::optional<model::Tenant>& tenant = program_.model->tenant;
    if (!tenant) {
      return false;
    }
    const EntityCode* code = program_.FindLayout(entity);
    const model::Entity* at_entity =
        code != nullptr ? &program_.model->RowsOf(*code->entity) : nullptr;
    std::string at = attribute;
    for (int hops = 0; at_entity != nullptr && hops < 8; ++hops) {
      if (at_entity->name == tenant->path.entity && at == tenant->path.attribute.text) {
        return true;
      }
      const model::Attribute* field = at_entity->Find(at);
      if (field == nullptr || !field->references) {
        return false;
      }
      at_entity = &program_.model->At(field->references->entity);
      at = field->references->attribute.text;
    }
    return false;
  }

  std::string PartPattern(const std::string& entity, const std::string& attribute) const {
    if (!IsTenant(entity, attribute)) {
      return "*";
    }
    return model::kTenantVariable;
  }

  std::string KeyPattern(const std::string& entity, const std::string& key,
                         const KeyCall& call) const {
    if (call.function == nullptr) {
      return PartPattern(entity, key);
    }
    return PartsPattern(entity, call.function->parts);
  }

  std::string PartsPattern(const std::string& entity,
                           const std::vector<model::TemplatePart>& parts) const {
    std::string out;
    for (const model::TemplatePart& part : parts) {
      const std::string text = part.is_literal() ? EscapedLiteral(part.literal)
                               : part.transform == model::TemplateTransform::kShard ||
                                       part.transform == model::TemplateTransform::kFirst ||
                                       part.transform == model::TemplateTransform::kDescending
                                   ? "*"
                                   : PartPattern(entity, part.attribute);
      if (text != "*" || !out.ends_with('*')) {
        out += text;
      }
    }
    return out;
  }

  std::string EntityPattern(const EntityCode& entity) const {
    const std::string& partition = program_.FindTable(entity.table)->key[0];
    for (const StoredKey& key : entity.keys) {
      if (key.attribute == partition) {
        return KeyPattern(entity.name, partition, key.call);
      }
    }
    return PartPattern(entity.name, partition);
  }

  const Program& program_;
  Grants grants_;
};

void AddStatement(const std::string& resource, const std::vector<std::string>& actions,
                  const std::set<std::string>& leading_keys, json::IndentedWriter& json) {
  json.BeginObject();
  json.Field("Effect", "Allow");
  json.Name("Action").BeginArray();
  for (const std::string& action : actions) {
    json.String(action);
  }
  json.EndArray();
  json.Field("Resource", "arn:aws:dynamodb:*:*:" + resource);
  if (!leading_keys.contains("*")) {
    json.Name("Condition").BeginObject().Name("ForAllValues:StringLike").BeginObject();
    json.Name("dynamodb:LeadingKeys").BeginArray();
    for (const std::string& key : leading_keys) {
      json.String(key);
    }
    json.EndArray().EndObject();
    // ForAllValues holds for a request without keys too, such as a Scan: this does not.
    json.Name("Null").BeginObject();
    json.Field("dynamodb:LeadingKeys", "false");
    json.EndObject().EndObject();
  }
  json.EndObject();
}

// One statement for the actions that have the same keys: what may put a lock item may not put the row. All keys of one action are in
// one statement, because a batch names several in one request.
std::string PolicyJson(const Grants& grants) {
  json::IndentedWriter json;
  json.BeginObject();
  json.Field("Version", "2012-10-17");
  json.Name("Statement").BeginArray();
  for (const auto& [resource, actions] : grants) {
    std::map<std::set<std::string>, std::vector<std::string>> by_keys;
    for (const auto& [action, leading_keys] : actions) {
      by_keys[leading_keys].push_back(action);
    }
    for (const auto& [leading_keys, together] : by_keys) {
      AddStatement(resource, together, leading_keys, json);
    }
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
    GrantCollector collector(program);
    if (write.refusal.empty()) {
      collector.AddWrite(write);
    } else {
      collector.AddModelWrite(*write.write);
    }
    files.push_back({"write_" + SnakeCase(write.name) + ".json", PolicyJson(collector.grants())});
  }
  return files;
}

}  // namespace prejoin::gen
