#include "gen/emit/expressions.h"

#include <algorithm>
#include <array>

#include "gen/code.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::emit {

std::vector<std::string> QuotedAll(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) {
    quoted.push_back(Quoted(text));
  }
  return quoted;
}

namespace {

std::string ShapeName(Shape shape) {
  constexpr std::array kShapes = {"text", "number", "boolean",  "binary",
                                  "list", "map",    "text_set", "number_set"};
  return kShapes[static_cast<std::size_t>(shape)];
}

}  // namespace

std::string Expressions::TypeOf(const Field& field) const {
  const Shape shape = ShapeOf(field.type);
  Parts parts = {{"optional", field.optional},
                 {"list", shape == Shape::kList},
                 {"values", QuotedAll(field.values)},
                 {"nested", field.nested}};
  if (!field.values.empty() && say.Has("enumerated_type")) {
    return say("enumerated_type", parts);
  }
  if (!field.nested.empty() && say.Has("nested_type")) {
    return say("nested_type", parts);
  }
  return say(ShapeName(shape) + "_type", parts);
}

Parts Expressions::FieldParts(const Field& field) const {
  const Shape shape = ShapeOf(field.type);
  Field present = field;
  present.optional = false;
  return {{"attribute", field.name},
          {"type", TypeOf(field)},
          {"present_type", TypeOf(present)},
          {"optional", field.optional},
          {"reader", say.Maybe(ShapeName(shape) + "_reader")},
          {"enumerated", !field.values.empty()},
          {"shard", field.name == kOpenShard},
          {"text", shape == Shape::kText},
          {"number", shape == Shape::kNumber},
          {"boolean", shape == Shape::kBool},
          {"binary", shape == Shape::kBinary},
          {"scalar", shape == Shape::kText || shape == Shape::kNumber || shape == Shape::kBool}};
}

std::vector<std::string> Expressions::Each(std::string_view entry, const std::vector<Field>& fields,
                                           const Parts& more) const {
  std::size_t widest = 0;
  for (const Field& field : fields) {
    widest = std::max(widest, Styled("name", field.name).size());
  }
  std::vector<std::string> texts;
  for (const Field& field : fields) {
    const std::string pad(widest - Styled("name", field.name).size(), ' ');
    texts.push_back(say(entry, Also(Also(FieldParts(field), {{"pad", pad}}), more)));
  }
  return texts;
}

std::string Expressions::Literal(const AttributeValue& value, Place place) const {
  const auto all = [](const auto& values, const auto& text_of) {
    std::vector<std::string> parts;
    for (const auto& one : values) {
      parts.push_back(text_of(one));
    }
    return parts;
  };
  const auto spelled = [&](const std::string& entry, const Parts& parts) {
    const bool bare = place == Place::kBare && say.Has("bare_" + entry);
    return say((bare ? "bare_" : "") + entry, parts);
  };
  const auto literal = [this](const AttributeValue& one) { return Literal(one); };
  if (value.string() != nullptr) {
    return spelled("text_literal", {{"value", Quoted(*value.string())}});
  }
  if (value.number() != nullptr) {
    return spelled("number_literal", {{"value", value.number()->ToString()}});
  }
  if (value.boolean() != nullptr) {
    return spelled(*value.boolean() ? "true_literal" : "false_literal", {});
  }
  if (value.list() != nullptr) {
    return say("list_literal", {{"values", all(*value.list(), literal)}});
  }
  if (value.map() != nullptr) {
    return say("map_literal", {{"pairs", all(*value.map(), [&](const auto& member) {
                                  return Pair(member.first, literal(member.second));
                                })}});
  }
  if (value.string_set() != nullptr) {
    return say("text_set_literal",
               {{"values", all(*value.string_set(), [](const auto& one) { return Quoted(one); })}});
  }
  if (value.number_set() != nullptr) {
    return say("number_set_literal",
               {{"values", all(*value.number_set(), [&](const Number& one) {
                   return say("set_number_literal", {{"value", one.ToString()}});
                 })}});
  }
  if (value.binary() != nullptr) {
    return say("binary_literal", {{"values", all(*value.binary(), [](char c) {
                                     return std::to_string(static_cast<unsigned char>(c));
                                   })}});
  }
  return say("nothing_literal");
}

std::string Expressions::Source(std::string_view entry, const FieldSource& source,
                                const std::string& item, bool loose) const {
  FieldSource used = source;
  used.field.optional = source.field.optional || loose;
  Parts parts = FieldParts(used.field);
  const gen::Source& from = source.source;
  parts = Also(std::move(parts),
               {{"field", source.field.name},
                {"attribute", from.attribute},
                {"item", item},
                {"loose", loose},
                {"literals", QuotedAll(from.literals)},
                {"one_literal", from.literals.size() == 1},
                {"part", std::to_string(from.part)}});
  std::string stored = say(from.literals.empty() ? "stored" : "stored_part", parts);
  if (entry == "stored") {
    return stored;
  }
  parts.insert_or_assign("stored", std::move(stored));
  return say(entry, parts);
}

std::string Expressions::Value(const gen::Value& value, const Scope& names) const {
  switch (value.kind) {
    case gen::Value::Kind::kParameter:
      return say("argument", {{"attribute", value.name}});
    case gen::Value::Kind::kLiteral:
      return Literal(value.literal, Place::kBare);
    case gen::Value::Kind::kEach:
      return "each";
    case gen::Value::Kind::kShard:
      return "shard";
    case gen::Value::Kind::kItem:
      if (value.source.field.name.empty()) {
        return say("attribute",
                   {{"item", names.item}, {"attribute", value.source.source.attribute}});
      }
      return Source("item_value", value.source, names.item);
    case gen::Value::Kind::kRow:
      return Member(names.row, value.name);
  }
  return {};
}

std::string Expressions::Member(const std::string& row, const std::string& attribute) const {
  return say(row.empty() ? "parameter" : "member", {{"row", row}, {"attribute", attribute}});
}

std::string Expressions::Present(const gen::Value& value, const std::string& text) const {
  const bool optional = value.kind == Value::Kind::kRow && value.source.field.optional;
  return optional ? say("present", {{"value", text}, {"attribute", value.name}}) : text;
}

std::string Expressions::Pair(const std::string& attribute, const std::string& value) const {
  return say("pair", {{"attribute", attribute}, {"value", value}});
}

std::string Expressions::Object(const std::vector<std::string>& pairs) const {
  return say("object", {{"pairs", pairs}});
}

std::string Expressions::KeyOf(const KeyCall& call, std::vector<std::string> arguments) const {
  if (call.function == nullptr) {
    return arguments[0];
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i] = Present(call.arguments[i], arguments[i]);
  }
  return say("key_call", {{"called", Function(call.function->words)},
                          {"arguments", arguments},
                          {"refuses", call.function->refuses()}});
}

std::string Expressions::Key(const KeyCall& call, const Scope& names) const {
  std::vector<std::string> arguments;
  for (const gen::Value& argument : call.arguments) {
    arguments.push_back(Value(argument, names));
  }
  const std::string text = KeyOf(call, std::move(arguments));
  return call.after ? say("after", {{"key", text}}) : text;
}

std::string Expressions::KeyObject(const std::vector<KeyValue>& key, const Scope& names) const {
  std::vector<std::string> pairs;
  for (const KeyValue& one : key) {
    pairs.push_back(Pair(one.attribute, Key(one.call, names)));
  }
  return Object(pairs);
}

std::string Expressions::ConditionValue(const KeyCondition::Value& value) const {
  if (value.call != nullptr) {
    return Key(*value.call);
  }
  std::vector<std::string> texts;
  for (const KeyCall& call : *value.any_of) {
    texts.push_back(Key(call));
  }
  return texts.size() == 1 ? texts[0]
                           : say(value.greatest ? "greatest" : "least", {{"keys", texts}});
}

std::string Expressions::EntityKey(const EntityCode& entity,
                                   const std::vector<std::string>& members,
                                   const std::string& row) const {
  std::vector<std::string> arguments = members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (entity.identity[i].optional) {
      arguments[i] =
          say("present", {{"value", members[i]}, {"attribute", entity.identity[i].name}});
    }
  }
  return say("entity_key", {{"entity", program_.CodeName(entity.name)},
                            {"key_words", program_.CodeName(entity.name) + " key"},
                            {"arguments", arguments},
                            {"row", row}});
}

std::string Expressions::RowKey(const EntityCode& entity, const std::string& row) const {
  std::vector<std::string> members;
  for (const Field& field : entity.identity) {
    members.push_back(Member(row, field.name));
  }
  return EntityKey(entity, members, row);
}

std::string Expressions::PartCall(const model::TemplatePart& part, bool open_shard) const {
  const Parts parts = {
      {"value", say("parameter", {{"attribute", part.attribute}})},
      {"number", std::to_string(part.derivation.given() ? part.derivation.first : part.argument)}};
  switch (part.transform) {
    case model::TemplateTransform::kNone:
      return say("part", parts);
    case model::TemplateTransform::kPad:
      return say("padded", parts);
    case model::TemplateTransform::kLower:
      return say("lower", parts);
    case model::TemplateTransform::kUpper:
      return say("upper", parts);
    case model::TemplateTransform::kShard:
      return open_shard ? "shard" : say("shard_of", parts);
    case model::TemplateTransform::kFirst:
      return say("beginning", parts);
    case model::TemplateTransform::kDescending:
      return say("counted_down", parts);
  }
  return {};
}

}  // namespace prejoin::gen::emit
