#include <algorithm>
#include <cctype>
#include <set>

#include "gen/build_program.h"
#include "gen/builder.h"
#include "gen/emit/names.h"
#include "gen/words.h"
#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"

namespace prejoin::gen {
namespace {

std::vector<const model::StoredAttribute*> KeysFirst(const model::Model::Placement& placement) {
  std::vector<const model::StoredAttribute*> stored;
  for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
    const model::StoredAttribute* key =
        name->text.empty() ? nullptr : placement.layout->Find(name->text);
    if (key != nullptr) {
      stored.push_back(key);
    }
  }
  for (const model::StoredAttribute& one : placement.layout->attributes) {
    if (std::find(stored.begin(), stored.end(), &one) == stored.end()) {
      stored.push_back(&one);
    }
  }
  return stored;
}

// The original of a copy, found by the row's references.
StoredCopy CopyOf(Builder& builder, const model::Entity& entity,
                  const model::StoredAttribute& stored) {
  const model::Entity& original = builder.model.At(stored.copy.entity);
  StoredCopy copy;
  copy.attribute = stored.name.text;
  copy.field = builder.FieldOf(original, stored.copy.attribute.text);
  copy.field.name = original.name.text + "." + stored.copy.attribute.text;
  copy.original_attribute = stored.copy.attribute.text;
  copy.upkeep = stored.upkeep;
  copy.original.entity = original.name.text;
  const model::Model::Placement placement = builder.model.FindPlacement(original.name.text);
  if (!placement) {
    return copy;
  }
  copy.original.table = placement.table->name.text;
  const std::vector<model::JoinColumn> columns = model::JoinColumns(entity, original);
  for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
    const model::StoredAttribute* key =
        name->text.empty() ? nullptr : placement.layout->Find(name->text);
    if (key == nullptr) {
      continue;
    }
    copy.original.key.push_back(
        {name->text, builder.Call(original, *key, [&](const std::string& attribute) {
           for (const model::JoinColumn& column : columns) {
             if (column.to == attribute) {
               return RowValue(builder.FieldOf(entity, column.from));
             }
           }
           return Value{};
         })});
  }
  return copy;
}

StoredKey KeyOf(Builder& builder, const model::Entity& entity,
                const model::StoredAttribute& stored) {
  StoredKey key;
  key.attribute = stored.name.text;
  for (const std::string& attribute : stored.key.Attributes()) {
    key.sparse = key.sparse || builder.FieldOf(entity, attribute).optional;
  }
  key.call = builder.Call(entity, stored, [&](const std::string& attribute) {
    return RowValue(builder.FieldOf(entity, attribute));
  });
  return key;
}

void AddLayout(Builder& builder, const model::Entity& entity,
               const model::Model::Placement& placement, EntityCode& code) {
  code.table = placement.table->name.text;
  code.type_attribute = placement.table->type_attribute.text;
  code.type_value = model::TypeValue(*placement.table, code.name);
  std::set<std::string> stored_names;
  for (const model::StoredAttribute* stored : KeysFirst(placement)) {
    const std::string& name = stored->name.text;
    switch (stored->kind) {
      case model::StoredKind::kCopy:
        stored_names.insert(name);
        code.copies.push_back(CopyOf(builder, entity, *stored));
        break;
      case model::StoredKind::kEmbedList:
      case model::StoredKind::kEmbedMap:
        stored_names.insert(name);
        code.rows.push_back({name, stored->kind == model::StoredKind::kEmbedMap});
        break;
      case model::StoredKind::kSum:
      case model::StoredKind::kCount:
        // A total is a number of the row like any other; only its upkeep is special.
        break;
      case model::StoredKind::kTemplate:
        if (stored->key.natural && stored->key.parts[0].attribute == name) {
          break;
        }
        stored_names.insert(name);
        code.keys.push_back(KeyOf(builder, entity, *stored));
        break;
    }
  }
  for (const Field& field : code.fields) {
    if (!placement.layout->Omits(field.name) && !stored_names.contains(field.name)) {
      code.plain.push_back(field);
    }
    code.sources.push_back(builder.SourceIn(entity, field.name, {placement.table, nullptr}));
  }
}

}  // namespace

Value RowValue(const Field& field) {
  Value value;
  value.kind = Value::Kind::kRow;
  value.name = field.name;
  value.type = field.type;
  value.source.field = field;
  return value;
}

std::vector<std::string> LiteralsOf(const model::KeyTemplate& key) {
  std::vector<std::string> literals(1);
  for (const model::TemplatePart& part : key.parts) {
    if (part.is_literal()) {
      literals.back() += part.literal;
    } else {
      literals.emplace_back();
    }
  }
  return literals;
}

Field Builder::FieldOf(const model::Entity& entity, std::string_view attribute) const {
  const model::Attribute* found = entity.Find(attribute);
  const model::Entity& rows = model.RowsOf(entity);
  if (found == nullptr) {
    return Field{std::string(attribute)};
  }
  Field field = FieldOf(*found, rows.name.text + "." + found->name.text);
  // An attribute that only another layout holds may be absent.
  const model::Model::Placement placement = model.FindPlacement(rows);
  if (placement && placement.layout->Omits(attribute) &&
      !model::CanRead(model, rows, found->name.text, {placement.table, nullptr})) {
    field.optional = true;
  }
  return field;
}

Field Builder::FieldOf(const model::Attribute& attribute, const std::string& path) const {
  Field field;
  field.name = attribute.name.text;
  field.type = attribute.type;
  field.optional = attribute.optional;
  for (const AttributeValue& value : attribute.values) {
    if (value.string() != nullptr) {
      field.values.push_back(*value.string());
    }
  }
  if (const auto nested = nested_names.find(path); nested != nested_names.end()) {
    field.nested = nested->second;
  }
  return field;
}

void Builder::AddNested(const model::Attribute& attribute, const std::string& entity,
                        const std::string& path) {
  if (attribute.members.empty()) {
    return;
  }
  std::string name;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    name += PascalCase(path.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto taken = [&](const std::string& wanted) {
    return emit::IsReserved(wanted) ||
           std::ranges::any_of(
               model.entities,
               [&](const model::Entity& one) { return PascalCase(one.name.text) == wanted; }) ||
           std::ranges::any_of(nested_names,
                               [&](const auto& known) { return known.second == wanted; });
  };
  while (taken(name)) {
    name += "Map";
  }
  nested_names[path] = name;
  NestedType type{name, entity, {}};
  for (const model::Attribute& member : attribute.members) {
    const std::string inner = path + "." + member.name.text;
    AddNested(member, entity, inner);
    type.members.push_back(FieldOf(member, inner));
  }
  program.nested.push_back(std::move(type));
}

std::vector<Field> Builder::Identity(const model::Entity& entity) const {
  std::set<std::string> names;
  for (const std::string& key : entity.KeyNames()) {
    names.insert(key);
  }
  if (const model::Model::Placement placement = model.FindPlacement(entity.name.text)) {
    for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
      const model::StoredAttribute* key =
          name->text.empty() ? nullptr : placement.layout->Find(name->text);
      if (key == nullptr) {
        continue;
      }
      for (const std::string& attribute : key->key.Attributes()) {
        names.insert(attribute);
      }
    }
  }
  std::vector<Field> fields;
  for (const model::Attribute& attribute : entity.attributes) {
    if (names.contains(attribute.name.text)) {
      fields.push_back(FieldOf(entity, attribute.name.text));
    }
  }
  return fields;
}

FieldSource Builder::SourceIn(const model::Entity& entity, std::string_view attribute,
                              const model::View& view) const {
  FieldSource out{FieldOf(entity, attribute), {}};
  out.source.attribute = attribute;
  const model::Model::Placement placement = model.FindPlacement(entity.name.text);
  if (!placement) {
    return out;
  }
  if (!placement.layout->Omits(attribute) && model::IsProjected(view, std::string(attribute))) {
    return out;
  }
  for (const model::StoredAttribute* stored : KeysFirst(placement)) {
    if (stored->kind != model::StoredKind::kTemplate ||
        !model::IsProjected(view, stored->name.text)) {
      continue;
    }
    std::size_t part_index = 0;
    for (const model::TemplatePart& part : stored->key.parts) {
      if (part.is_literal()) {
        continue;
      }
      if (part.attribute == attribute && part.gives_back()) {
        out.source.attribute = stored->name.text;
        if (stored->key.natural) {
          return out;
        }
        out.source.literals = LiteralsOf(stored->key);
        out.source.part = part_index;
        out.source.padded = part.transform == model::TemplateTransform::kPad;
        return out;
      }
      ++part_index;
    }
  }
  return out;
}

const KeyFunction* Builder::Function(const model::Reference<model::Entity>& entity,
                                     const model::StoredAttribute& stored, std::size_t parts,
                                     bool open_shard) {
  KeyFunction made;
  made.entity = entity.text;
  made.attribute = stored.name.text;
  made.parts.assign(stored.key.parts.begin(),
                    stored.key.parts.begin() + static_cast<std::ptrdiff_t>(parts));
  made.whole = parts == stored.key.parts.size();
  const bool has_shard =
      std::any_of(made.parts.begin(), made.parts.end(), [](const model::TemplatePart& part) {
        return part.transform == model::TemplateTransform::kShard;
      });
  made.open_shard = open_shard && has_shard;
  for (const KeyFunction& known : program.key_functions) {
    if (known.entity == entity.text && known.attribute == made.attribute &&
        known.parts.size() == parts && known.open_shard == made.open_shard) {
      return &known;
    }
  }
  std::set<std::string> seen;
  for (model::TemplatePart& part : made.parts) {
    if (made.open_shard && IsLoneShard(part)) {
      part = model::TemplatePart();
      part.literal = "0";
    }
    if (part.is_literal()) {
      continue;
    }
    if (made.open_shard && part.transform == model::TemplateTransform::kShard) {
      made.arguments.push_back({kOpenShard, AttributeType::kNumber, false, {}});
    } else if (seen.insert(part.attribute).second) {
      Field field = FieldOf(model.At(entity), part.attribute);
      field.optional = false;
      field.values.clear();
      made.arguments.push_back(std::move(field));
    }
  }
  program.key_functions.push_back(std::move(made));
  return &program.key_functions.back();
}

void Builder::AddEntities() {
  for (const model::Entity& entity : model.entities) {
    for (const model::Attribute& attribute : entity.attributes) {
      AddNested(attribute, entity.name.text, entity.name.text + "." + attribute.name.text);
    }
  }
  const auto make = [&](const model::Entity& entity) {
    EntityCode code;
    code.entity = &entity;
    code.name = entity.name.text;
    code.code_name = entity.name.text;
    for (const model::Attribute& attribute : entity.attributes) {
      code.fields.push_back(FieldOf(entity, attribute.name.text));
    }
    code.identity = Identity(entity);
    if (const model::Model::Placement placement = model.FindPlacement(code.name)) {
      AddLayout(*this, entity, placement, code);
    }
    return code;
  };
  for (const model::Entity& entity : model.entities) {
    program.entities.push_back(make(entity));
  }
  for (const model::Entity& layout : model.second_layouts) {
    program.second_layouts.push_back(make(layout));
  }
}

void Builder::AddTables() {
  for (const model::Table& table : model.tables) {
    TableCode code;
    code.table = &table;
    code.name = table.name.text;
    code.key.push_back(table.partition.text);
    if (!table.sort.text.empty()) {
      code.key.push_back(table.sort.text);
    }
    code.type_attribute = table.type_attribute.text;
    std::vector<std::pair<std::size_t, LayoutTest>> tests;
    for (const model::ItemLayout& layout : table.items) {
      LayoutTest test{layout.entity.text, model::TypeValue(table, layout.entity.text), {}};
      std::size_t length = 0;
      for (const std::string& name : code.key) {
        const model::StoredAttribute* stored = layout.Find(name);
        if (stored == nullptr) {
          continue;
        }
        test.keys.push_back(
            {name, stored->key.natural ? std::vector<std::string>() : LiteralsOf(stored->key)});
        for (const model::TemplatePart& part : stored->key.parts) {
          length += part.literal.size();
        }
      }
      tests.emplace_back(length, std::move(test));
    }
    // The longest literal text wins: PROJECT#{p}#TASK#{t} before PROJECT#{p}.
    std::stable_sort(tests.begin(), tests.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [length, test] : tests) {
      code.layouts.push_back(std::move(test));
    }
    program.tables.push_back(std::move(code));
  }
}

namespace {

// Modules and packages cannot begin with a digit.
std::string ModuleName(const std::string& title) {
  const auto first = std::ranges::find_if(
      title, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
  const bool digit = first != title.end() && *first <= '9';
  return SnakeCase(digit ? "model " + title : title);
}

}  // namespace

std::unique_ptr<const Program> BuildProgram(const model::Model& model,
                                            const ProgramOptions& options) {
  auto program = std::make_unique<Program>();
  program->model = &model;
  program->title = model.title.empty() ? "Model" : model.title;
  program->file = options.file;
  program->version = options.version;
  program->source = options.source;
  program->module = ModuleName(program->title);
  Builder builder{model, *program};
  builder.AddEntities();
  builder.AddTables();
  for (const model::Pattern& pattern : model.patterns) {
    PatternFunction function;
    std::string refusal;
    if (builder.BuildPattern(pattern, function, refusal)) {
      program->patterns.push_back(std::move(function));
    } else {
      program->refused.push_back({MissingCode::Kind::kPattern, pattern.name.text, refusal});
    }
  }
  builder.AddWrites();
  emit::DecideNames(*program);
  return program;
}

}  // namespace prejoin::gen
