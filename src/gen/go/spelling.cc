#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "gen/go/go.h"
#include "gen/shape.h"
#include "gen/words.h"

namespace prejoin::gen::go {
namespace {

std::string Quote(const std::string& text) { return Quoted(text); }

// Go writes initialisms in one case: ID, not Id.
bool IsInitialism(const std::string& word) {
  constexpr std::array kWords = {"api", "html", "http", "id",  "ip",  "json", "pk",
                                 "sk",  "sql",  "ttl",  "uri", "url", "uuid"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() ||
         ((word.starts_with("gsi") || word.starts_with("lsi")) && word.size() > 3 &&
          std::isdigit(static_cast<unsigned char>(word[3])) != 0);
}

std::string Exported(std::string_view name) {
  std::string out;
  for (std::string word : Words(name)) {
    const bool all = IsInitialism(word);
    for (std::size_t i = 0; i < word.size() && (all || i == 0); ++i) {
      word[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[i])));
    }
    out += word;
  }
  return out;
}

std::string Unexported(std::string_view name) {
  const std::vector<std::string> words = Words(name);
  return words.empty() ? "" : words[0] + Exported(name).substr(words[0].size());
}

// Functions of the model begin with an entity and are exported, those of the support files are not.
std::string FunctionName(std::string_view words) {
  return std::isupper(static_cast<unsigned char>(words[0])) != 0 ? Exported(words)
                                                                 : Unexported(words);
}

std::string VariableOf(const std::string& name) { return Variable(name); }

std::string Typed(const FieldSource& source, const std::string& item) {
  gen::Field field = source.field;
  field.optional = false;
  return "as[" + TypeOf(field) + "](" + StoredText(source, item) + ")";
}

bool IsPointer(const gen::Field& field) {
  const Shape shape = ShapeOf(field.type);
  return field.optional &&
         (shape == Shape::kText || shape == Shape::kNumber || shape == Shape::kBool);
}

// The width of the key of a line `key: value,`; 0 for other lines.
std::size_t KeyWidth(std::string_view line) {
  const std::size_t start = line.find_first_not_of('\t');
  if (start == std::string_view::npos || start == 0 || !line.ends_with(',')) {
    return 0;
  }
  std::size_t end = start;
  if (line[start] == '"') {
    end = line.find('"', start + 1);
    if (end == std::string_view::npos) {
      return 0;
    }
    ++end;
  } else {
    while (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0) {
      ++end;
    }
  }
  return end > start && line.substr(end).starts_with(": ") ? end - start : 0;
}

// gofmt puts the values of neighbouring lines into one column, unless their keys are too different in length.
bool InOneColumn(std::size_t before, std::size_t width, double log_sum, int count) {
  constexpr std::size_t kSmall = 40;
  constexpr double kRatio = 2.5;
  if (count == 0 || (before <= kSmall && width <= kSmall)) {
    return true;
  }
  const double ratio = static_cast<double>(width) / std::exp(log_sum / count);
  return kRatio * ratio > 1 && ratio < kRatio;
}

std::string WithColumns(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto depth = [&](std::size_t i) { return lines[i].find_first_not_of('\t'); };
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    std::size_t widest = 0;
    double log_sum = 0;
    std::vector<std::size_t> widths;
    for (; end < lines.size() && depth(end) == depth(i); ++end) {
      const std::size_t width = KeyWidth(lines[end]);
      if (width == 0 || (!widths.empty() && !InOneColumn(widths.back(), width, log_sum,
                                                         static_cast<int>(widths.size())))) {
        break;
      }
      widths.push_back(width);
      log_sum += std::log(static_cast<double>(width));
      widest = std::max(widest, width);
    }
    for (std::size_t k = 0; k < widths.size(); ++k) {
      lines[i + k].insert(depth(i) + widths[k] + 1, widest - widths[k], ' ');
    }
    i = std::max(end, i + 1);
  }
  return Join(lines, "\n") + "\n";
}

}  // namespace

const Language& Go() {
  static constexpr Language kGo = {.variable = Variable,
                                   .function = FunctionName,
                                   .name = Field,
                                   .arguments = "args.",
                                   .property = Quote,
                                   .pair = {"", ""},
                                   .pair_middle = ": ",
                                   .object = {"values{", "}.item()"},
                                   .attribute = Indexed,
                                   .read = StoredText,
                                   .item_value = Typed,
                                   .present = "*",
                                   .literals = {.text = {"", ""},
                                                .number = {"Number(\"", "\")"},
                                                .list = {"[]any{", "}"},
                                                .map = {"map[string]any{", "}"},
                                                .empty_map = {"values{", "}"},
                                                .text_set = {"[]string{", "}"},
                                                .number_set = {"[]Number{", "}"},
                                                .set_number = {"\"", "\""},
                                                .binary = {"[]byte{", "}"},
                                                .yes = "true",
                                                .no = "false",
                                                .nothing = "nil"},
                                   .parameter = VariableOf,
                                   .refusable = {"must(", ")"}};
  return kGo;
}

Code NewCode() { return Code("\t", 120, Folding::kEachLine); }

std::string FunctionText(const std::string& signature, const std::string& given) {
  constexpr std::size_t kOneLineMax = 90;
  const std::string body = "return " + given;
  return signature.size() + body.size() <= kOneLineMax ? signature + " { " + body + " }"
                                                       : signature + " {\n\t" + body + "\n}";
}

std::string PackageName(const Program& program) {
  std::string name = program.module;
  std::erase(name, '_');
  return name;
}

std::string Field(const std::string& name) { return Exported(name); }

std::string Variable(std::string_view name) {
  constexpr std::array kTaken = {
      "after",    "any",       "append",    "args",     "as",       "aws",     "bool",
      "break",    "byte",      "c",         "case",     "chan",     "const",   "ctx",
      "cursor",   "default",   "defer",     "delete",   "dynamodb", "each",    "else",
      "err",      "error",     "false",     "filter",   "find",     "first",   "for",
      "func",     "get",       "go",        "goto",     "i",        "if",      "import",
      "int",      "item",      "items",     "keyPart",  "len",      "lower",   "make",
      "map",      "matches",   "new",       "nil",      "package",  "padded",  "page",
      "part",     "present",   "put",       "r",        "range",    "remove",  "result",
      "return",   "row",       "rows",      "select",   "shard",    "shardOf", "shards",
      "sorted",   "string",    "strconv",   "struct",   "switch",   "true",    "type",
      "types",    "unchanged", "update",    "upper",    "value",    "values",  "var",
      "write",    "continue",  "interface", "before",   "context",  "slices",  "fallthrough",
      "moveLock", "merged",    "onlyIf",    "increase", "check",    "must",    "orRefused"};
  const std::string variable = Unexported(name);
  const bool taken =
      variable != "shard" && std::find(kTaken.begin(), kTaken.end(), variable) != kTaken.end();
  return taken ? variable + "Value" : variable;
}

std::string TypeOf(const gen::Field& field) {
  constexpr ShapeWords kTypes = {"string", "Number",         "bool",     "[]byte",
                                 "[]any",  "map[string]any", "[]string", "[]Number"};
  return (IsPointer(field) ? "*" : "") + std::string(kTypes(ShapeOf(field.type)));
}

std::string TypedLiteral(const gen::Field& field, const AttributeValue& value) {
  return IsPointer(field) ? "ptr(" + Go().Literal(value) + ")" : Go().Literal(value);
}

std::string StoredText(const FieldSource& source, const std::string& item) {
  const Source& from = source.source;
  if (from.literals.empty()) {
    return Indexed(item, from.attribute);
  }
  const std::string text = "keyPart(" + item + ", " + Quoted(from.attribute) + ", " +
                           std::to_string(from.part) + ", " + QuotedList(from.literals) + ")";
  const Shape shape = ShapeOf(source.field.type);
  if (shape == Shape::kNumber) {
    return "asNumber(" + text + ")";
  }
  return shape == Shape::kBool ? "asBool(" + text + ")" : text;
}

std::string RowText(const FieldSource& source, const std::string& item) {
  const std::string stored = StoredText(source, item);
  gen::Field field = source.field;
  field.optional = false;
  const std::string type = TypeOf(field);
  if (IsPointer(source.field)) {
    return "find[" + type + "](" + stored + ")";
  }
  if (source.field.optional) {
    return "as[" + type + "](" + stored + ")";
  }
  return "get[" + type + "](r, " + Quoted(source.field.name) + ", " + stored + ")";
}

PatternFunction Named(const PatternFunction& pattern, bool exported) {
  PatternFunction named = pattern;
  named.name = exported ? Exported(pattern.name) : Unexported(pattern.name);
  return named;
}

std::string TableText(const std::string& table) { return "c.Tables." + Field(table); }

std::string ArgumentsType(const WriteFunction& write, const WriteStepCode& step) {
  return Field(write.name) + (write.steps.size() > 1 ? Field(step.parameter) : "") + "Args";
}

void Struct(const std::string& name, const std::vector<gen::Field>& fields, Code& code) {
  std::size_t widest = 0;
  for (const gen::Field& field : fields) {
    widest = std::max(widest, Field(field.name).size());
  }
  code.Block("type " + name + " struct {", "}", [&] {
    for (const gen::Field& field : fields) {
      const std::string member = Field(field.name);
      code.Line(member + std::string(widest + 1 - member.size(), ' ') + TypeOf(field));
    }
  });
}

// The line that Go's tools look for in generated files.
std::string Header(const Program& program) {
  return "// Code generated by prejoin gen " + program.version + " from " + program.file + " (" +
         CommentText(program.title) + "). DO NOT EDIT.\n\npackage " + PackageName(program) + "\n";
}

std::string File(const Program& program, const std::string& body) {
  Code code = NewCode();
  const std::string used = WithoutTexts(body);
  std::vector<std::string> imports;
  for (const std::string_view path :
       {"context", "slices", "strconv", "", "github.com/aws/aws-sdk-go-v2/aws",
        "github.com/aws/aws-sdk-go-v2/service/dynamodb",
        "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"}) {
    const std::string package(path.substr(path.rfind('/') + 1));
    const bool gap = path.empty() && !imports.empty();
    if (gap || (!path.empty() && used.find(package + ".") != std::string::npos)) {
      imports.emplace_back(path);
    }
  }
  if (!imports.empty() && imports.back().empty()) {
    imports.pop_back();
  }
  if (imports.size() == 1) {
    code.Line("import " + Quoted(imports[0]));
  } else if (!imports.empty()) {
    code.Block("import (", ")", [&] {
      for (const std::string& path : imports) {
        code.Line(path.empty() ? "" : Quoted(path));
      }
    });
  }
  std::string rest = body;
  while (rest.starts_with("\n")) {
    rest.erase(0, 1);
  }
  const std::string head = Header(program) + (imports.empty() ? "" : "\n") + code.text();
  return rest.empty() ? head : head + "\n" + WithColumns(rest);
}

}  // namespace prejoin::gen::go
