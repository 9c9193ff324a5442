#include <algorithm>
#include <array>

#include "gen/java/java.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::java {
namespace {

std::string Quote(const std::string& text) { return Quoted(text); }

std::string FromItem(const std::string& item, const std::string& name) {
  return item + ".get(" + Quoted(name) + ")";
}

// The text of a comment must not end it, nor be taken for HTML.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "&#64;";
    } else if (c == '/' && out.ends_with('*')) {
      out += "&#47;";
    } else {
      out += c;
    }
  }
  return out;
}

// The functions that read values.
constexpr ShapeWords kReaders = {"text", "number", "bool",  "bytes",
                                 "list", "map",    "texts", "numbers"};

}  // namespace

const Language& Java() {
  static constexpr Language kJava = {
      .variable = CamelCase,
      .function = CamelCase,
      .name = Name,
      .arguments = "",
      .property = Quote,
      .pair = {".with(", ")"},
      .pair_middle = ", ",
      .object = {"values()", ".item()"},
      .attribute = FromItem,
      .read = StoredText,
      .item_value = TypedText,
      .present = "",
      .literals = {.text = {"", ""},
                   .number = {"new BigDecimal(\"", "\")"},
                   .list = {"List.of(", ")"},
                   .map = {"values()", ".all()"},
                   .empty_map = {"Map.of(", ")"},
                   .text_set = {"Set.of(", ")"},
                   .number_set = {"Set.of(", ")"},
                   .set_number = {"new BigDecimal(\"", "\")"},
                   .binary = {"SdkBytes.fromByteArray(new byte[] {", "})"},
                   .yes = "true",
                   .no = "false",
                   .nothing = "null"},
      .accessor = "()",
      .between = ""};
  return kJava;
}

Code NewCode() { return Code("  ", 100, Folding::kHanging); }

std::string PackageName(const Program& program) {
  std::string name = program.module;
  std::erase(name, '_');
  return name;
}

std::string Name(const std::string& name) {
  constexpr std::array kTaken = {
      "abstract",  "assert",     "before",    "boolean",  "break",    "byte",         "case",
      "catch",     "char",       "class",     "const",    "continue", "cursor",       "db",
      "default",   "do",         "double",    "each",     "else",     "enum",         "extends",
      "final",     "finally",    "float",     "for",      "found",    "goto",         "hashCode",
      "if",        "implements", "import",    "int",      "item",     "items",        "getClass",
      "limit",     "long",       "native",    "new",      "notify",   "package",      "private",
      "protected", "public",     "return",    "response", "row",      "rows",         "short",
      "static",    "strictfp",   "super",     "switch",   "tables",   "this",         "throw",
      "throws",    "toString",   "transient", "try",      "true",     "false",        "null",
      "void",      "volatile",   "wait",      "while",    "clone",    "finalize",     "instanceof",
      "wanted",    "interface",  "query",     "get",      "i",        "synchronized", "notifyAll"};
  const std::string camel = CamelCase(name);
  const bool taken = std::find(kTaken.begin(), kTaken.end(), camel) != kTaken.end();
  return taken ? camel + "Value" : camel;
}

// A method hides a function of the same name that is imported, so those names are taken.
std::string Method(const std::string& name) {
  constexpr std::array kImported = {
      "after",        "asBool",   "asNumber",   "ascending", "atMost",      "batchGet",
      "bool",         "bytes",    "compact",    "count",     "descending",  "distinct",
      "entityOf",     "filter",   "first",      "getItem",   "getItems",    "greatest",
      "inParallel",   "keyPart",  "keysOf",     "least",     "list",        "lower",
      "map",          "matches",  "number",     "numbers",   "padded",      "page",
      "part",         "path",     "plain",      "present",   "put",         "queryAll",
      "queryPage",    "remove",   "required",   "retrying",  "rewriteList", "rowsInside",
      "rowsOf",       "shardOf",  "shards",     "sorted",    "stored",      "text",
      "texts",        "together", "unchanged",  "update",    "upper",       "values",
      "whenPresent",  "write",    "actionsFor", "withRow",   "withoutRow",  "withChanges",
      "writeIfThere", "moveLock", "onlyIf",     "increase",  "checkPart",   "scanAll"};
  const std::string camel = Name(name);
  const bool taken = std::find(kImported.begin(), kImported.end(), camel) != kImported.end();
  return taken ? camel + "Call" : camel;
}

std::string TypeOf(const Field& field) {
  constexpr ShapeWords kTypes = {"String",      "BigDecimal",     "boolean",
                                 "SdkBytes",    "List<Object>",   "Map<String, Object>",
                                 "Set<String>", "Set<BigDecimal>"};
  const Shape shape = ShapeOf(field.type);
  return shape == Shape::kBool && field.optional ? "Boolean" : kTypes(shape);
}

std::string StoredText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  if (from.literals.empty()) {
    return FromItem(item, from.attribute);
  }
  const std::string text = "keyPart(" + item + ", " + Quoted(from.attribute) + ", " +
                           std::to_string(from.part) + ", " + QuotedList(from.literals) + ")";
  const Shape shape = ShapeOf(source.field.type);
  if (shape == Shape::kNumber) {
    return "asNumber(" + text + ")";
  }
  return shape == Shape::kBool ? "asBool(" + text + ")" : text;
}

std::string TypedText(const FieldSource& source, const std::string& item) {
  return std::string(kReaders(ShapeOf(source.field.type))) + "(" + StoredText(source, item) + ")";
}

std::string RowText(const FieldSource& source, const std::string& item) {
  const std::string text = TypedText(source, item);
  return source.field.optional ? text : "required(" + Quoted(source.field.name) + ", " + text + ")";
}

std::string TableText(const std::string& table) { return "tables." + Name(table) + "()"; }

std::string Parameters(const std::vector<Field>& fields) {
  std::vector<std::string> parameters;
  for (const Field& field : fields) {
    parameters.push_back(TypeOf(field) + " " + Name(field.name));
  }
  return Join(parameters, ", ");
}

void Comment(const std::vector<std::string>& paragraphs, Code& code) {
  const std::string one = "/** " + Escaped(paragraphs[0]) + " */";
  if (paragraphs.size() == 1 && one.size() <= 96) {
    code.Line(one);
    return;
  }
  code.Line("/**");
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    if (i > 0) {
      code.Line(" *");
    }
    code.Prose(" * ", (i > 0 ? "<p>" : "") + Escaped(paragraphs[i]));
  }
  code.Line(" */");
}

void Record(const std::string& head, const std::string& name, const std::string& about,
            const std::vector<Field>& fields, Code& code) {
  std::vector<std::string> optional;
  for (const Field& field : fields) {
    if (field.optional) {
      optional.push_back(Name(field.name));
    }
  }
  code.Gap();
  Comment({about + (optional.empty() ? "" : " May be null: " + Join(optional, ", ") + ".")}, code);
  code.Line(head + name + "(" + Parameters(fields) + ") {}");
}

std::string File(const Program& program, const std::string& body,
                 const std::vector<const char*>& statics) {
  const std::string used = WithoutTexts(body);
  const std::string package = PackageName(program);
  Code code = NewCode();
  code.Line("// " + HeaderText(program));
  code.Gap();
  code.Line("package " + package + ";");
  code.Gap();
  for (const char* name : statics) {
    code.Line("import static " + package + "." + name + ".*;");
  }
  code.Gap();
  for (const std::string_view name :
       {"java.math.BigDecimal", "java.util.List", "java.util.Map", "java.util.Set",
        "software.amazon.awssdk.core.SdkBytes",
        "software.amazon.awssdk.services.dynamodb.DynamoDbClient",
        "software.amazon.awssdk.services.dynamodb.model.AttributeValue",
        "software.amazon.awssdk.services.dynamodb.model.Select"}) {
    if (Mentions(used, name.substr(name.rfind('.') + 1), {.assigned = 0, .spread = false})) {
      code.Line("import " + std::string(name) + ";");
    }
  }
  code.Gap();
  std::string rest = body;
  while (rest.starts_with("\n")) {
    rest.erase(0, 1);
  }
  return code.text() + rest;
}

std::string DatabaseClass(const Program& program, const std::string& name, const std::string& about,
                          const std::string& body, const std::vector<const char*>& statics) {
  Code code = NewCode();
  Comment({about}, code);
  code.Line("public final class " + name + " {");
  code.In();
  code.Line("private final DynamoDbClient db;");
  code.Line("private final TableNames tables;");
  code.Gap();
  Comment({"On the tables as the model names them."}, code);
  code.Block("public " + name + "(DynamoDbClient db) {", "}",
             [&] { code.Line("this(db, TableNames.ofModel());"); });
  code.Gap();
  code.Block("public " + name + "(DynamoDbClient db, TableNames tables) {", "}", [&] {
    code.Line("this.db = db;");
    code.Line("this.tables = tables;");
  });
  code.Out();
  std::string rest = body;
  while (rest.starts_with("\n")) {
    rest.erase(0, 1);
  }
  return File(program, code.text() + (rest.empty() ? "" : "\n") + rest + "}\n", statics);
}

}  // namespace prejoin::gen::java
