// The code of an entity: its type, its key functions, and if it has items: their key, the item of a row, the row of an item, and
// whether an item is one.
#include <algorithm>
#include <set>

#include "gen/emit/package.h"
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/tools/tools.h"
#include "gen/words.h"

namespace prejoin::gen::emit {
namespace {

// True if code asks which entity an item of the table is: where items of several stand in it, and behind a scan, which also meets the
// items that keep attributes unique.
bool TellsItemsApart(const Program& program, const TableCode& table) {
  return table.layouts.size() > 1 ||
         std::ranges::any_of(program.patterns, [&](const PatternFunction& pattern) {
           return std::ranges::any_of(pattern.sections, [&](const Section& section) {
             return section.classify && section.table == table.name;
           });
         });
}

// The name, with a number if it is taken already; then it is taken.
std::string FreeName(const std::string& plain, std::set<std::string>& taken) {
  std::string name = plain;
  for (int number = 2; !taken.insert(name).second; ++number) {
    name = plain + std::to_string(number);
  }
  return name;
}

// Which keys of its table and of the table's indexes an attribute is. Keys of several attributes have no place in the style that asks.
struct KeyRoles {
  KeyRoles(const Program& program, const std::string& table) {
    for (const infra::TableSpec& spec : infra::TableSpecs(program)) {
      if (spec.input.table_name != table) {
        continue;
      }
      partition = spec.input.key_schema[0].attribute_name;
      sort = spec.input.key_schema.size() > 1 ? spec.input.key_schema[1].attribute_name : "";
      for (const IndexSpecification& index : spec.Local()) {
        index_sorts[index.key_schema[1].attribute_name].push_back(Quoted(index.index_name));
      }
      for (const IndexSpecification& index : spec.Global()) {
        if (tools::HasSeveralAttributes(index)) {
          continue;
        }
        for (const KeySchemaElement& one : index.key_schema) {
          auto& keys = one.key_type == KeyType::kHash ? index_partitions : index_sorts;
          keys[one.attribute_name].push_back(Quoted(index.index_name));
        }
      }
    }
  }

  using Indexes = std::map<std::string, std::vector<std::string>>;
  static std::vector<std::string> In(const Indexes& indexes, const std::string& attribute) {
    const auto found = indexes.find(attribute);
    return found == indexes.end() ? std::vector<std::string>() : found->second;
  }

  std::string partition;
  std::string sort;
  Indexes index_partitions;
  Indexes index_sorts;
};

}  // namespace

Parts Package::EntityParts(const EntityCode& entity) const {
  return {{"entity", program_.CodeName(entity.name)},
          {"entity_name", entity.name},
          {"key_words", program_.CodeName(entity.name) + " key"},
          {"type", program_.TypeName(entity.name)}};
}

void Package::Entity(const EntityCode& entity) {
  if (say.Has("entity_start")) {
    Emit("entity_start", {{"entity_name", entity.name}});
  }
  for (const NestedType& nested : program_.nested) {
    if (nested.entity == entity.name && say.Has("nested")) {
      Nested(nested);
    }
  }
  const Parts parts = EntityParts(entity);
  std::vector<std::string> optional;
  for (const Field& field : entity.fields) {
    if (field.optional) {
      optional.push_back(Styled("name", field.name));
    }
  }
  Emit("entity_type",
       Also(parts, {{"members", Each("field", entity.fields)}, {"optional", optional}}));
  for (const KeyFunction& function : program_.key_functions) {
    if (function.entity == entity.name) {
      KeyMaker(entity, function);
    }
  }
  if (entity.table.empty()) {
    return;
  }
  const TableCode& table = *program_.FindTable(entity.table);
  const std::vector<std::string> pairs = KeyPairs(entity, table);
  std::vector<std::string> identity;
  for (const Field& field : entity.identity) {
    identity.push_back(field.name);
  }
  // True for attributes that only tell rows apart and that the key lacks: the design stores another one of them.
  const auto unused = [&](const Field& field) {
    return std::ranges::find(table.key, field.name) == table.key.end() &&
           std::ranges::none_of(entity.keys, [&](const StoredKey& key) {
             return std::ranges::find(table.key, key.attribute) != table.key.end() &&
                    std::ranges::find(key.call.arguments, field.name, &gen::Value::name) !=
                        key.call.arguments.end();
           });
  };
  std::vector<std::string> parameters;
  for (const Field& field : entity.identity) {
    parameters.push_back(Each("key_parameter", {field}, {{"unused", unused(field)}})[0]);
  }
  Emit("key_object", Also(parts, {{"parameters", parameters},
                                  {"identity", identity},
                                  {"unused", std::ranges::all_of(entity.identity, unused)},
                                  {"key", Object(pairs)}}));
  std::vector<std::string> copies;
  std::vector<std::string> copy_names;
  for (const StoredCopy& copy : entity.copies) {
    copies.push_back(say("copy_parameter", {{"attribute", copy.attribute}}));
    copy_names.push_back(say("copy_value", {{"attribute", copy.attribute}, {"row", "copies"}}));
  }
  Emit("item", Also(Also(parts, StoredParts(entity)), {{"copies", copies},
                                                       {"copy_names", copy_names},
                                                       {"members", ItemMembers(entity)}}));
  std::vector<std::string> members;
  for (const FieldSource& source : entity.sources) {
    members.push_back(say("row_member", {{"attribute", source.field.name},
                                         {"field", source.field.name},
                                         {"value", Source("row_value", source, "item")}}));
  }
  Emit("from_item", Also(parts, {{"members", members}}));
  if (TellsItemsApart(program_, table)) {
    Emit("is_entity",
         Also(parts, {{"table", table.code_name}, {"type_attribute", table.type_attribute}}));
  }
}

// Members keep the names that they have in the item.
void Package::Nested(const NestedType& nested) {
  std::vector<Field> required;
  std::vector<Field> optional;
  for (const Field& field : nested.members) {
    (field.optional ? optional : required).push_back(field);
  }
  const std::set<std::string> taken = WordsIn(say.Maybe("name_taken"));
  const bool plain = std::ranges::all_of(nested.members, [&](const Field& field) {
    return IsIdentifier(field.name) && !field.name.starts_with("__") && !taken.contains(field.name);
  });
  std::vector<std::string> quoted;
  for (const Field& field : nested.members) {
    // A type with quotes stands in the other ones.
    const std::string type = TypeOf(field);
    const bool apostrophes = type.find('"') != std::string::npos && type.find_first_of("'\\") == std::string::npos;
    if (say.Has("quoted_nested_field")) {
      quoted.push_back(Each("quoted_nested_field", {field}, {{"apostrophes", apostrophes}})[0]);
    }
  }
  Emit("nested", {{"type", nested.name},
                  {"plain", plain},
                  {"members", Each("nested_field", nested.members)},
                  {"quoted_members", quoted},
                  {"required", Each("nested_field", required)},
                  {"optional", Each("nested_field", optional)}});
}

// The items of a row in a second layout.
void Package::SecondLayout(const EntityCode& layout) {
  const Parts parts = EntityParts(layout);
  for (const KeyFunction& function : program_.key_functions) {
    if (function.entity == layout.name) {
      KeyMaker(layout, function);
    }
  }
  Emit("layout_item", Also(parts, {{"members", ItemMembers(layout)}}));
  const TableCode& table = *program_.FindTable(layout.table);
  if (TellsItemsApart(program_, table)) {
    Emit("is_entity",
         Also(parts, {{"table", table.code_name}, {"type_attribute", table.type_attribute}}));
  }
}

void Package::KeyMaker(const EntityCode& entity, const KeyFunction& function) {
  std::vector<std::string> parts;
  std::string last;
  std::vector<std::string> calls;  // What is not simply a parameter.
  bool plain = true;
  std::string literal;
  for (const model::TemplatePart& part : function.parts) {
    plain = plain && part.is_literal();
    literal += part.literal;
    const std::string call = part.is_literal() ? "" : PartCall(part, function.open_shard);
    last = call;
    const bool simple = IsIdentifier(call);
    parts.push_back(part.is_literal() ? say("key_text", {{"value", part.literal}})
                                      : say("key_value", {{"value", call},
                                                          {"shard", call == "shard"},
                                                          {"simple", simple}}));
    if (!part.is_literal() && !simple) {
      calls.push_back(call);
    }
  }
  Emit("key_function",
       Also(EntityParts(entity), {{"called", Function(function.words)},
                                  {"attribute", function.attribute},
                                  {"whole", function.whole},
                                  {"refuses", function.refuses()},
                                  {"parameters", Each("key_parameter", function.arguments)},
                                  {"checks", KeyChecks(function)},
                                  {"parts", parts},
                                  {"calls", calls},
                                  {"lone", function.parts.size() == 1 ? last : ""},
                                  {"literal", literal},
                                  {"plain", plain}}));
}

// A check for each part that a caller's value is in, with the text after it and the rules of model/schema/key_refusals.h.
std::vector<std::string> Package::KeyChecks(const KeyFunction& function) const {
  std::vector<std::string> checks;
  for (const model::TemplatePart& part : function.parts) {
    const bool shard = part.transform == model::TemplateTransform::kShard;
    if (part.is_literal() || (shard && function.open_shard)) {
      continue;
    }
    model::TemplatePart checked = part;
    // The number of a shard is always sound; the value that it is made from must not be empty.
    if (shard) {
      checked.transform = model::TemplateTransform::kNone;
    }
    std::vector<std::string> rules;
    for (const std::string& rule : part.rules) {
      if (rule != "*" + part.next) {
        rules.push_back(Quoted(rule));
      }
    }
    const bool next = !part.next.empty() || !rules.empty();
    std::string check = say("key_check", {{"attribute", part.attribute},
                                          {"value", PartCall(checked, /*open_shard=*/false)},
                                          {"next", next ? Quoted(part.next) : ""},
                                          {"rules", rules}});
    if (std::ranges::find(checks, check) == checks.end()) {
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

std::vector<std::string> Package::KeyPairs(const EntityCode& entity, const TableCode& table) const {
  // The owner of the values: nothing, if they are parameters.
  const std::string row = say.Maybe("key_row");
  std::vector<std::string> pairs;
  for (const std::string& name : table.key) {
    std::string text = Member(row, name);
    for (const StoredKey& key : entity.keys) {
      if (key.attribute != name) {
        continue;
      }
      KeyCall call = key.call;
      // A caller that asks for a key has all of it.
      for (gen::Value& argument : call.arguments) {
        argument.source.field.optional = false;
      }
      text = Key(call, {row, "item"});
    }
    pairs.push_back(Pair(name, text));
  }
  return pairs;
}

std::vector<std::string> Package::ItemMembers(const EntityCode& entity) const {
  std::vector<std::string> members;
  const Scope own{say.Has("own_row") ? say("own_row") : "row", "item"};
  const auto member = [&](const std::string& attribute, const std::string& value) {
    members.push_back(say("item_member", {{"attribute", attribute}, {"value", value}}));
  };
  for (const StoredKey& key : entity.keys) {
    std::vector<Field> needed;
    std::set<std::string> seen;
    for (const gen::Value& argument : key.call.arguments) {
      if (argument.source.field.optional && seen.insert(argument.name).second) {
        needed.push_back(argument.source.field);
      }
    }
    if (needed.empty() || key.call.function == nullptr) {
      member(key.attribute, Key(key.call, own));
    } else {
      members.push_back(say("sparse_member", {{"attribute", key.attribute},
                                              {"tests", Each("sparse_test", needed)},
                                              {"value", Key(key.call, own)}}));
    }
  }
  if (!entity.type_attribute.empty()) {
    member(entity.type_attribute, Quoted(entity.type_value));
  }
  for (const Field& field : entity.plain) {
    member(field.name, Member(own.row, field.name));
  }
  for (const StoredCopy& copy : entity.copies) {
    member(copy.attribute, say("copy_value", {{"attribute", copy.attribute}, {"row", "copies"}}));
  }
  for (const StoredRows& rows : entity.rows) {
    member(rows.attribute,
           say(rows.map ? "map_literal" : "list_literal",
               {{"pairs", std::vector<std::string>()}, {"values", std::vector<std::string>()}}));
  }
  return members;
}

std::vector<Package::StoredAttribute> Package::StoredAttributes(const EntityCode& entity) const {
  std::vector<StoredAttribute> all;
  for (const StoredKey& key : entity.keys) {
    const bool natural = key.call.function == nullptr;
    Field field = natural ? key.call.arguments[0].source.field : Field();
    std::vector<Field> needed;
    for (const gen::Value& argument : key.call.arguments) {
      if (argument.source.field.optional && !natural) {
        needed.push_back(argument.source.field);
      }
    }
    field.name = key.attribute;
    field.optional = field.optional || !needed.empty();
    std::string value = Key(key.call);
    if (!needed.empty()) {
      value = say("stored_sparse", {{"tests", Each("sparse_test", needed)}, {"value", value}});
    }
    all.push_back({field, value});
  }
  if (!entity.type_attribute.empty()) {
    all.push_back({{entity.type_attribute, AttributeType::kText, false, {}}, Quoted(entity.type_value)});
  }
  for (const Field& field : entity.plain) {
    all.push_back({field, Member("row", field.name)});
  }
  for (const StoredCopy& copy : entity.copies) {
    Field field = copy.field;
    field.name = copy.attribute;
    field.optional = true;
    const std::string given = say("copy_value", {{"attribute", copy.attribute}, {"row", "copies"}});
    all.push_back({field, say("stored_copy", Also(FieldParts(field), {{"value", given}}))});
  }
  for (const StoredRows& rows : entity.rows) {
    all.push_back({{rows.attribute, rows.map ? AttributeType::kMap : AttributeType::kList, true, {}},
                   say(rows.map ? "map_literal" : "list_literal",
                       {{"pairs", std::vector<std::string>()}, {"values", std::vector<std::string>()}})});
  }
  return all;
}

Parts Package::StoredParts(const EntityCode& entity) const {
  if (!say.Has("stored_field")) {
    return {};
  }
  const std::vector<StoredAttribute> all = StoredAttributes(entity);
  std::set<std::string> taken;
  std::vector<std::string> names;
  std::size_t name_width = 0;
  std::size_t type_width = 0;
  for (const StoredAttribute& one : all) {
    std::string name = FreeName(Styled("stored", one.field.name), taken);
    name_width = std::max(name_width, name.size());
    type_width = std::max(type_width, TypeOf(one.field).size());
    names.push_back(std::move(name));
  }
  std::vector<std::string> fields;
  std::vector<std::string> members;
  std::vector<std::string> accessors;
  std::set<std::string> own_names;
  const KeyRoles roles(program_, entity.table);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Field& field = all[i].field;
    const Shape shape = ShapeOf(field.type);
    const std::size_t type_size = TypeOf(field).size();
    const Parts parts =
        Also(FieldParts(field), {{"member", names[i]},
                                 {"value", all[i].value},
                                 {"own", FreeName(Styled("name", names[i]), own_names)},
                                 {"is", shape == Shape::kBool && !field.optional},
                                 {"partition", roles.partition == field.name},
                                 {"sort", roles.sort == field.name},
                                 {"index_partitions", roles.In(roles.index_partitions, field.name)},
                                 {"index_sorts", roles.In(roles.index_sorts, field.name)},
                                 {"text_set", shape == Shape::kTextSet},
                                 {"number_set", shape == Shape::kNumberSet},
                                 {"pad", std::string(name_width - names[i].size(), ' ')},
                                 {"type_pad", std::string(type_width - type_size, ' ')}});
    fields.push_back(say("stored_field", parts));
    members.push_back(say("stored_member", parts));
    if (say.Has("stored_accessors")) {
      accessors.push_back(say("stored_accessors", parts));
    }
  }
  return {
      {"stored_fields", fields}, {"stored_members", members}, {"stored_accessors", accessors}};
}

void Package::Layouts(const TableCode& table) {
  std::vector<std::string> layouts;
  for (const LayoutTest& layout : table.layouts) {
    std::vector<std::string> keys;
    for (const LayoutTest::Key& key : layout.keys) {
      keys.push_back(say("layout_key", {{"attribute", key.attribute},
                                        {"literals", QuotedAll(key.literals)},
                                        {"one_literal", key.literals.size() == 1}}));
    }
    layouts.push_back(say("layout", {{"entity_name", layout.entity},
                                     {"type_value", Quoted(layout.type_value)},
                                     {"keys", keys}}));
  }
  Emit("layouts", {{"table", table.code_name}, {"layouts", layouts}});
}

std::vector<std::string> Package::TableSpecs() const {
  const auto schema = [this](const KeySchema& elements) {
    std::vector<std::string> texts;
    for (const KeySchemaElement& one : elements) {
      texts.push_back(say("schema_element", {{"attribute", one.attribute_name},
                                             {"hash", one.key_type == KeyType::kHash}}));
    }
    return texts;
  };
  const auto index = [&](const IndexSpecification& one, const char* kind) {
    const Projection projection = one.projection.value_or(Projection());
    const ProjectionType type = projection.type.value_or(ProjectionType::kAll);
    return say("index_spec",
               {{"index", one.index_name},
                {"kind", kind},
                {"schema", schema(one.key_schema)},
                {"all", type == ProjectionType::kAll},
                {"keys_only", type == ProjectionType::kKeysOnly},
                {"include", type == ProjectionType::kInclude},
                {"projected",
                 QuotedAll(projection.non_key_attributes.value_or(std::vector<std::string>()))}});
  };
  std::vector<std::string> specs;
  for (const infra::TableSpec& spec : infra::TableSpecs(program_)) {
    std::vector<std::string> definitions;
    for (const AttributeDefinition& one : spec.input.attribute_definitions) {
      definitions.push_back(say("definition", {{"attribute", one.attribute_name},
                                               {"text", one.type == ScalarType::kString},
                                               {"number", one.type == ScalarType::kNumber},
                                               {"binary", one.type == ScalarType::kBinary}}));
    }
    std::vector<std::string> indexes;
    for (const IndexSpecification& one : spec.Local()) {
      indexes.push_back(index(one, "local"));
    }
    for (const IndexSpecification& one : spec.Global()) {
      indexes.push_back(index(one, "global"));
    }
    specs.push_back(say("table_spec", {{"table", spec.input.table_name},
                                       {"schema", schema(spec.input.key_schema)},
                                       {"definitions", definitions},
                                       {"indexes", indexes}}));
  }
  return specs;
}

void Package::Tables() {
  // Some languages give the tables' names to the client.
  if (!say.Has("table")) {
    return;
  }
  std::vector<Field> tables;
  std::vector<std::string> names;
  for (const TableCode& table : program_.tables) {
    tables.push_back({table.name, AttributeType::kText, false, {}});
    names.push_back(table.name);
  }
  Emit("tables", {{"tables", Each("table", tables)},
                  {"specs", say.Has("table_spec") ? TableSpecs() : std::vector<std::string>()},
                  {"fields", Each("field", tables)},
                  {"names", QuotedAll(names)}});
}

void Package::Entities() {
  section_ = "entities";
  Tables();
  const auto layouts = [&] {
    for (const TableCode& table : program_.tables) {
      if (TellsItemsApart(program_, table)) {
        Layouts(table);
      }
    }
  };
  const bool last = say.Has("layouts_last");
  if (!last) {
    layouts();
  }
  for (const EntityCode& entity : program_.entities) {
    Entity(entity);
    for (const EntityCode& layout : program_.second_layouts) {
      if (layout.entity->rows_of.text == entity.name) {
        SecondLayout(layout);
      }
    }
  }
  if (last) {
    layouts();
  }
}

}  // namespace prejoin::gen::emit
