#include <algorithm>
#include <array>

#include "gen/cpp/cpp.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::cpp {
namespace {

std::string QuotedText(const std::string& name) { return Quoted(name); }

std::string StoredValue(const std::string& item, const std::string& name) {
  return "*ValueOf(" + item + ", " + Quoted(name) + ")";
}

std::string TypedValue(const FieldSource& source, const std::string& item) {
  return "As<" + TypeOf(source.field) + ">(" + ReadText(source, item) + ")";
}

// Without AttributeValue around it: what a key function takes.
std::string BareLiteral(const AttributeValue& value) {
  return value.string() != nullptr ? Quoted(*value.string())
                                   : MemberLiteral({"", AttributeType::kNumber, false, {}}, value);
}

}  // namespace

const Language& Cpp() {
  static constexpr Language kCpp = {
      .variable = SnakeCase,
      .function = PascalCase,
      .name = Name,
      .arguments = "args.",
      .property = QuotedText,
      .pair = {"{", "}"},
      .pair_middle = ", ",
      .object = {"Item{", "}"},
      .attribute = StoredValue,
      .read = ReadText,
      .item_value = TypedValue,
      .present = "*",
      .literals = {.text = {"AttributeValue(", ")"},
                   .number = {"AttributeValue(*Number::Parse(\"", "\"))"},
                   .list = {"AttributeValue(AttributeValue::List{", "})"},
                   .map = {"AttributeValue(Item{", "})"},
                   .empty_map = {"AttributeValue(Item()", ")"},
                   .text_set = {"AttributeValue(AttributeValue::StringSet{{", "}})"},
                   .number_set = {"AttributeValue(AttributeValue::NumberSet{{", "}})"},
                   .set_number = {"*Number::Parse(\"", "\")"},
                   .binary = {"BytesOf({", "})"},
                   .yes = "AttributeValue(true)",
                   .no = "AttributeValue(false)",
                   .nothing = "AttributeValue()"},
      .key_literal = BareLiteral};
  return kCpp;
}

Code NewCode() { return Code("  ", kWidth, Folding::kNone); }

std::string Name(const std::string& name) {
  constexpr std::array kKeywords = {
      "and",       "auto",     "bool",    "break",  "case",     "catch",   "char",     "class",
      "const",     "db",       "default", "delete", "do",       "double",  "else",     "enum",
      "export",    "extern",   "false",   "float",  "for",      "goto",    "if",       "inline",
      "int",       "item",     "items",   "long",   "new",      "not",     "or",       "private",
      "public",    "register", "return",  "short",  "signed",   "sizeof",  "static",   "struct",
      "switch",    "this",     "throw",   "true",   "try",      "typedef", "typename", "union",
      "using",     "virtual",  "void",    "while",  "requires", "concept", "operator", "template",
      "namespace", "friend",   "unsigned"};
  const std::string snake = SnakeCase(name);
  const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), snake) != kKeywords.end();
  return keyword ? snake + "_" : snake;
}

std::string TypeOf(const Field& field) {
  switch (ShapeOf(field.type)) {
    case Shape::kText:
      return "std::string";
    case Shape::kNumber:
      return "prejoin::Number";
    case Shape::kBool:
      return "bool";
    default:
      return "prejoin::AttributeValue";
  }
}

std::string MemberType(const Field& field) {
  return field.optional ? "std::optional<" + TypeOf(field) + ">" : TypeOf(field);
}

std::string MemberLiteral(const Field& field, const AttributeValue& value) {
  if (ShapeOf(field.type) == Shape::kText && value.string() != nullptr) {
    return Quoted(*value.string());
  }
  if (value.number() != nullptr) {
    return "*Number::Parse(" + Quoted(value.number()->ToString()) + ")";
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? "true" : "false";
  }
  return Cpp().Literal(value);
}

std::string TextsOf(const std::vector<std::string>& texts) { return "{" + QuotedList(texts) + "}"; }

std::string ReadText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  if (from.literals.empty()) {
    return "ValueOf(" + item + ", " + Quoted(from.attribute) + ")";
  }
  const std::string text = "KeyValue(" + item + ", " + Quoted(from.attribute) + ", " +
                           TextsOf(from.literals) + ", " + std::to_string(from.part) + ")";
  if (ShapeOf(source.field.type) == Shape::kNumber) {
    return "AsNumber(" + text + ")";
  }
  if (ShapeOf(source.field.type) == Shape::kBool) {
    return "AsBool(" + text + ")";
  }
  return text;
}

std::string ArgumentsType(const PatternFunction& pattern) { return pattern.name + "Args"; }

void Struct(const std::string& name, const std::vector<Field>& fields, Code& code) {
  code.Gap();
  code.Line("struct " + name + " {");
  code.In();
  for (const Field& field : fields) {
    const bool scalar = ShapeOf(field.type) == Shape::kBool && !field.optional;
    code.Line(MemberType(field) + " " + Name(field.name) + (scalar ? " = false;" : ";"));
  }
  code.Out();
  code.Line("};");
}

}  // namespace prejoin::gen::cpp
