#include "gen/language.h"

#include "gen/code.h"
#include "gen/words.h"

namespace prejoin::gen {

std::string ValueText(const Language& language, const Value& value, const Names& names) {
  switch (value.kind) {
    case Value::Kind::kParameter:
      return language.arguments + language.name(value.name);
    case Value::Kind::kLiteral:
      return language.key_literal != nullptr ? language.key_literal(value.literal)
                                             : language.Literal(value.literal);
    case Value::Kind::kEach:
      return "each";
    case Value::Kind::kShard:
      return "shard";
    case Value::Kind::kItem:
      if (value.source.field.name.empty()) {
        return language.attribute(names.item, value.source.source.attribute);
      }
      return language.item_value(value.source, names.item);
    case Value::Kind::kRow:
      return language.Member(names.row, value.name);
  }
  return {};
}

std::string KeyFunctionName(const Language& language, const KeyFunction& function) {
  // The attribute's words are kept apart from the entity's, also where both are capitals.
  std::string words = function.entity + " " + SnakeCase(function.attribute);
  if (function.open_shard) {
    words += " shard";
  }
  if (function.whole) {
    return language.function(words);
  }
  words += " prefix";
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    if (function.arguments[i].name != "shard") {
      words += (i == 0 ? " by " : " ") + function.arguments[i].name;
    }
  }
  // A prefix may end before or behind the delimiter.
  if (!function.parts.empty() && !function.parts.back().is_literal() &&
      !function.arguments.empty()) {
    words += " start";
  }
  return language.function(words);
}

std::string KeyText(const Language& language, const KeyCall& call, const Names& names) {
  std::string text;
  if (call.function == nullptr) {
    text = ValueText(language, call.arguments[0], names);
  } else {
    std::vector<std::string> arguments;
    for (const Value& argument : call.arguments) {
      arguments.push_back(PresentText(language, argument, ValueText(language, argument, names)));
    }
    text = KeyFunctionName(language, *call.function) + "(" + Join(arguments, ", ") + ")";
    if (call.function->refuses()) {
      text = language.refusable(text);
    }
  }
  return call.after ? language.function("after") + "(" + text + ")" : text;
}

std::string KeyObject(const Language& language, const std::vector<KeyValue>& key,
                      const Names& names) {
  std::vector<std::string> parts;
  for (const KeyValue& one : key) {
    parts.push_back(language.Pair(one.attribute, KeyText(language, one.call, names)));
  }
  return language.Object(parts);
}

std::string ConditionValueText(const Language& language, const KeyCondition::Value& value) {
  if (value.call != nullptr) {
    return KeyText(language, *value.call);
  }
  std::vector<std::string> texts;
  for (const KeyCall& call : *value.any_of) {
    texts.push_back(KeyText(language, call));
  }
  if (texts.size() == 1) {
    return texts[0];
  }
  return language.function(value.greatest ? "greatest" : "least") + "(" + Join(texts, ", ") + ")";
}

std::string RowKey(const Language& language, const EntityCode& entity, const std::string& row) {
  return EntityKey(language, entity,
                   [&](const std::string& name) { return language.Member(row, name); });
}

std::vector<std::string> EachAround(const std::vector<std::string>& texts, const Around& around) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    out.push_back(around(text));
  }
  return out;
}

std::string Indexed(const std::string& item, const std::string& name) {
  return item + "[" + Quoted(name) + "]";
}

std::string QuotedList(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) {
    quoted.push_back(Quoted(text));
  }
  return Join(quoted, ", ");
}

std::string PresentText(const Language& language, const Value& value, const std::string& text) {
  const bool optional = value.kind == Value::Kind::kRow && value.source.field.optional;
  return optional ? language.present + text : text;
}

std::string PartCall(const Language& language, const model::TemplatePart& part, bool open_shard) {
  const std::string name = language.Parameter(part.attribute);
  const auto call = [&](const char* words, bool number) {
    return language.function(words) + "(" + name +
           (number ? ", " + std::to_string(part.argument) : "") + ")";
  };
  switch (part.transform) {
    case model::TemplateTransform::kNone:
      return call("part", false);
    case model::TemplateTransform::kPad:
      return call("padded", true);
    case model::TemplateTransform::kLower:
      return call("lower", false);
    case model::TemplateTransform::kUpper:
      return call("upper", false);
    case model::TemplateTransform::kShard:
      return open_shard ? "shard" : call("shard of", true);
  }
  return {};
}

std::string Language::Object(const std::vector<std::string>& members) const {
  if (!members.empty()) {
    return object(Join(members, between));
  }
  std::string nothing = object("");
  std::erase(nothing, ' ');
  return nothing;
}

std::string Language::Literal(const AttributeValue& value) const {
  const auto all = [](const auto& values, const auto& text_of, const char* separator = ", ") {
    std::vector<std::string> parts;
    for (const auto& one : values) {
      parts.push_back(text_of(one));
    }
    return Join(parts, separator);
  };
  const auto literal = [this](const AttributeValue& one) { return Literal(one); };
  const auto quoted = [](const std::string& one) { return Quoted(one); };
  if (value.string() != nullptr) {
    return literals.text(Quoted(*value.string()));
  }
  if (value.number() != nullptr) {
    return literals.number(value.number()->ToString());
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? literals.yes : literals.no;
  }
  if (value.list() != nullptr) {
    return literals.list(all(*value.list(), literal));
  }
  if (value.map() != nullptr) {
    const std::string members = all(
        *value.map(),
        [&](const auto& member) { return Pair(member.first, literal(member.second)); }, between);
    return members.empty() ? literals.empty_map("") : literals.map(members);
  }
  if (value.string_set() != nullptr) {
    return literals.text_set(all(*value.string_set(), quoted));
  }
  if (value.number_set() != nullptr) {
    return literals.number_set(all(*value.number_set(), [&](const Number& one) {
      return literals.set_number(one.ToString());
    }));
  }
  if (value.binary() != nullptr) {
    return literals.binary(
        all(*value.binary(), [](char c) { return std::to_string(static_cast<unsigned char>(c)); }));
  }
  return literals.nothing;
}

}  // namespace prejoin::gen
