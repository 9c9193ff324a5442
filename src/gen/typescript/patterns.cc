#include "gen/request_text.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

class PatternWriter {
 public:
  PatternWriter(const Program& program, const PatternFunction& pattern, Code& code)
      : program_(program), pattern_(pattern), code_(code), names_(SectionNames(pattern)) {}

  void Types() {
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      const Section& section = pattern_.sections[i];
      if (section.entity_rows) continue;
      std::vector<Field> fields;
      for (const Output& output : section.outputs) {
        fields.push_back(output.field);
        fields.back().name = MemberName(output.field, section.outputs);
      }
      code_.Gap();
      code_.Block("export interface " + RowTypeName(pattern_, i) + " {", "}",
                  [&] { MemberLines(fields, code_); });
    }
    if (pattern_.sections.size() < 2) return;
    code_.Gap();
    code_.Block("export interface " + pattern_.name + "Result {", "}", [&] {
      for (std::size_t i = 0; i < names_.size(); ++i)
        code_.Line(CamelCase(names_[i]) + ": " + SectionType(i) + ";");
    });
  }

  void Function(bool exported) {
    code_.Gap();
    if (exported) Comment();
    code_.List(
        std::string(exported ? "export " : "") + "async function " + CamelCase(pattern_.name) + "(",
        Parameters(), "): Promise<" + ResultType() + "> {");
    code_.In();
    Reads();
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) SectionRows(i);
    Return();
    code_.Out();
    code_.Line("}");
  }

  void PageFunction() {
    const Section& section = pattern_.sections[0];
    code_.Gap();
    code_.Line("/** The same, page by page. */");
    std::vector<std::string> parameters = Parameters();
    parameters.push_back("page: PageOptions = {}");
    code_.List("export async function " + CamelCase(pattern_.name) + "Page(", parameters,
               "): Promise<Page<" + RowTypeName(pattern_, 0) + ">> {");
    code_.In();
    code_.Line("const { items, cursor } = await queryPage(");
    code_.In();
    code_.Line("db,");
    code_.Line("{");
    code_.In();
    QueryMembers(pattern_.reads[0]);
    code_.Out();
    code_.Line("},");
    code_.Line("page,");
    code_.Out();
    code_.Line(");");
    SectionRows(0);
    code_.Line("return {");
    code_.In();
    code_.Line("rows: " + RowsOf(0) + ",");
    code_.Line("cursor,");
    code_.Out();
    code_.Line("};");
    code_.Out();
    code_.Line("}");
    (void)section;
  }

 private:
  std::vector<std::string> Parameters() const {
    std::vector<std::string> members;
    for (const model::Parameter& parameter : pattern_.parameters)
      members.push_back(CamelCase(parameter.name) + ": " +
                        TypeOf({parameter.name, parameter.type, false, {}}));
    std::vector<std::string> parameters = {"db: Client"};
    if (!members.empty()) parameters.push_back("args: { " + Join(members, "; ") + " }");
    return parameters;
  }

  std::string SectionType(std::size_t i) const {
    const std::string type = RowTypeName(pattern_, i);
    return pattern_.sections[i].at_most_one ? type + " | undefined" : type + "[]";
  }

  std::string ResultType() const {
    return pattern_.sections.size() > 1 ? pattern_.name + "Result" : SectionType(0);
  }

  void Comment() {
    code_.Line("/**");
    const std::string& title = pattern_.pattern->title;
    code_.Prose(" * ", title.empty() ? pattern_.pattern->name.text : title + ".");
    code_.Line(" *");
    code_.Prose(" * ", pattern_.summary + ". " + ConsistencyText(pattern_));
    code_.Line(" */");
  }

  std::string ItemsName(std::size_t read) const {
    return pattern_.reads.size() == 1 ? "items" : "items" + std::to_string(read + 1);
  }

  void Reads() {
    if (pattern_.reads.size() == 1) {
      ReadCode(pattern_.reads[0], "const items = await ", ";");
      return;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pattern_.reads.size(); ++i) names.push_back(ItemsName(i));
    code_.Line("const [" + Join(names, ", ") + "] = await Promise.all([");
    code_.In();
    for (const Read& read : pattern_.reads) ReadCode(read, "", ",");
    code_.Out();
    code_.Line("]);");
  }

  void ReadCode(const Read& read, const std::string& head, const std::string& tail) {
    if (read.shards > 1) {
      code_.Line(head + "inParallel(shards(" + std::to_string(read.shards) + "), (shard) =>");
      code_.In();
      Request(read, "", "");
      code_.Out();
      code_.Line(")" + tail);
      return;
    }
    if (!read.each.empty()) {
      std::vector<std::string> values;
      for (const Value& value : read.each) values.push_back(ValueText(value, {}));
      code_.Line(head + "inParallel([" + Join(values, ", ") + "], (each) =>");
      code_.In();
      Request(read, "", ",");
      code_.Out();
      code_.Line(")" + tail);
      return;
    }
    Request(read, head, tail);
  }

  void Request(const Read& read, const std::string& head, const std::string& tail) {
    const std::vector<Enough> enough = EnoughItems(pattern_, read);
    const std::string function = read.get ? "getItems" : "queryAll";
    if (enough.empty()) {
      code_.Line(head + function + "(db, {");
      code_.In();
      read.get ? GetMembers(read) : QueryMembers(read);
      code_.Out();
      code_.Line("})" + tail);
      return;
    }
    code_.Line(head + function + "(");
    code_.In();
    code_.Line("db,");
    code_.Line("{");
    code_.In();
    QueryMembers(read);
    code_.Line("Limit: " + std::to_string(*read.limit) + ",");
    code_.Out();
    code_.Line("},");
    EnoughCode(enough);
    code_.Out();
    code_.Line(")" + tail);
  }

  void EnoughCode(const std::vector<Enough>& enough) {
    std::vector<std::string> tests;
    for (const Enough& one : enough) {
      const std::string items =
          one.entity.empty() ? "found" : "found.filter(is" + PascalCase(one.entity) + ")";
      tests.push_back(items + ".length >= " + std::to_string(one.count));
    }
    if (tests.size() == 1) {
      code_.Line("(found) => " + tests[0] + ",");
      return;
    }
    code_.Line("(found) =>");
    code_.In();
    code_.Line(Join(tests, " && ") + ",");
    code_.Out();
  }

  void GetMembers(const Read& read) {
    code_.Line("TableName: " + TableText(read.table) + ",");
    std::vector<std::string> parts;
    for (const KeyValue& key : read.equal)
      parts.push_back(PropertyName(key.attribute) + ": " + KeyText(key.call, {}));
    Object("Key", parts);
    if (read.consistent) code_.Line("ConsistentRead: true,");
  }

  void Object(const std::string& name, const std::vector<std::string>& parts) {
    code_.Line(name + ": {");
    code_.In();
    for (const std::string& part : parts) code_.Line(part + ",");
    code_.Out();
    code_.Line("},");
  }

  void QueryMembers(const Read& read) {
    const KeyCondition condition = KeyConditionOf(read);
    code_.Line("TableName: " + TableText(read.table) + ",");
    if (!read.index.empty()) code_.Line("IndexName: " + Quoted(read.index) + ",");
    code_.Line("KeyConditionExpression: " + Quoted(condition.text) + ",");
    std::vector<std::string> names;
    for (const auto& [name, attribute] : condition.names)
      names.push_back(Quoted(name) + ": " + Quoted(attribute));
    Object("ExpressionAttributeNames", names);
    std::vector<std::string> values;
    for (const KeyCondition::Value& value : condition.values)
      values.push_back(Quoted(value.name) + ": " + ConditionValue(value));
    Object("ExpressionAttributeValues", values);
    if (read.descending) code_.Line("ScanIndexForward: false,");
    if (read.consistent) code_.Line("ConsistentRead: true,");
    if (read.all_attributes) code_.Line("Select: \"ALL_ATTRIBUTES\",");
  }

  static std::string ConditionValue(const KeyCondition::Value& value) {
    if (value.call != nullptr) return KeyText(*value.call, {});
    std::vector<std::string> texts;
    for (const KeyCall& call : *value.any_of) texts.push_back(KeyText(call, {}));
    if (texts.size() == 1) return texts[0];
    return (value.greatest ? "greatest(" : "least(") + Join(texts, ", ") + ")";
  }

  // ---- Rows

  std::string Variable(std::size_t i) const {
    if (pattern_.sections.size() == 1) return "rows";
    std::string name = CamelCase(pattern_.sections[i].entity) + "Rows";
    for (std::size_t other = 0; other < i; ++other) {
      if (pattern_.sections[other].entity == pattern_.sections[i].entity)
        return name + std::to_string(i + 1);
    }
    return name;
  }

  static bool HasSteps(const Section& section) {
    return section.classify || section.embedded || section.fetch || !section.filters.empty() ||
           section.via || !section.sort.empty() || section.limit || !section.joins.empty();
  }

  // Leaves the items that the section's rows are made from in its variable.
  void SectionRows(std::size_t i) {
    const Section& section = pattern_.sections[i];
    if (!HasSteps(section)) return;
    const std::string rows = Variable(i);
    std::vector<std::string> steps;
    std::string from = ItemsName(section.read);
    if (section.classify)
      steps.push_back(from + ".filter(is" + PascalCase(section.item_entity) + ")");
    const auto source = [&] { return steps.empty() ? from : rows; };
    if (section.embedded) steps.push_back(Inside(*section.embedded, source()));
    if (section.fetch) steps.push_back(FetchText(*section.fetch, source(), section.read));
    if (!section.filters.empty())
      steps.push_back(source() + ".filter((item) => " + FilterText(section) + ")");
    if (section.via) {
      const Fetch& via = *section.via;
      steps.push_back("present(await batchGet(db, " + TableText(via.table) + ", distinct(" +
                      source() + ".map((item) => (" + KeyObject(via.key, {}) + ")))" +
                      Consistent(section.read) + "))");
    }
    if (!section.sort.empty()) steps.push_back(SortText(section, source()));
    if (section.limit)
      steps.push_back(source() + ".slice(0, " + std::to_string(*section.limit) + ")");
    if (steps.empty()) steps.push_back(from);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const bool first = s == 0;
      code_.Line((first ? (steps.size() > 1 ? "let " : "const ") + rows : rows) + " = " + steps[s] +
                 ";");
    }
    for (std::size_t j = 0; j < section.joins.size(); ++j) {
      const Fetch& join = section.joins[j];
      code_.Line("const " + JoinName(i, j) + " = await batchGet(db, " + TableText(join.table) +
                 ", " + rows + ".map((item) => (" + KeyObject(join.key, {}) + "))" +
                 Consistent(section.read) + ");");
    }
  }

  std::string Consistent(std::size_t read) const {
    return pattern_.reads[read].consistent ? ", true" : "";
  }

  std::string JoinName(std::size_t i, std::size_t j) const {
    const std::string name = CamelCase(Plural(pattern_.sections[i].joins[j].entity));
    return pattern_.sections.size() == 1 ? name : name + std::to_string(i + 1);
  }

  std::string FetchText(const Fetch& fetch, const std::string& from, std::size_t read) const {
    return "present(await batchGet(db, " + TableText(fetch.table) + ", " + from +
           ".map((item) => (" + KeyObject(fetch.key, {}) + "))" + Consistent(read) + "))";
  }

  static std::string Inside(const Embedded& embedded, const std::string& from) {
    std::vector<std::string> shape;
    if (embedded.map) shape.push_back("by: " + Quoted(embedded.by));
    if (!embedded.plain_member.empty()) shape.push_back("member: " + Quoted(embedded.plain_member));
    std::vector<std::string> parent;
    for (const FieldSource& source : embedded.parent)
      parent.push_back(PropertyName(source.field.name) + ": " + ReadText(source, "item"));
    return "rowsInside(" + from + ", " + Quoted(embedded.attribute) + ", " +
           (shape.empty() ? "{}" : "{ " + Join(shape, ", ") + " }") + ", (item) => ({ " +
           Join(parent, ", ") + " }))";
  }

  static std::string FilterText(const Section& section) {
    std::vector<std::string> tests;
    for (const Filter& filter : section.filters) {
      FieldSource field = filter.field;
      field.field.optional = true;
      std::vector<std::string> arguments = {
          ReadText(field, "item"), Quoted(std::string(model::ComparisonName(filter.comparison)))};
      for (const Value& operand : filter.operands) arguments.push_back(ValueText(operand, {}));
      tests.push_back("matches(" + Join(arguments, ", ") + ")");
    }
    return Join(tests, " && ");
  }

  static std::string SortText(const Section& section, const std::string& from) {
    std::vector<std::string> values;
    std::vector<std::string> directions;
    for (const SectionSort& sort : section.sort) {
      FieldSource field = sort.field;
      field.field.optional = true;
      values.push_back(ReadText(field, "item"));
      directions.push_back(sort.descending ? "-1" : "1");
    }
    return "sorted(" + from + ", (item) => [" + Join(values, ", ") + "], [" +
           Join(directions, ", ") + "])";
  }

  std::string RowsOf(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    const std::string from = HasSteps(section) ? Variable(i) : ItemsName(section.read);
    if (section.whole) return from + ".map(" + FromItemFunction(section.entity) + ")";
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      const std::string item =
          output.join < 0 ? "item"
                          : JoinName(i, static_cast<std::size_t>(output.join)) + "[i] ?? {}";
      members.push_back(CamelCase(MemberName(output.field, section.outputs)) + ": " +
                        ReadText({output.field, output.source}, item));
    }
    const bool indexed = !section.joins.empty();
    return from + ".map((" + (indexed ? "item, i" : "item") + ") => ({\n  " +
           Join(members, ",\n  ") + ",\n}))";
  }

  void Return() {
    if (pattern_.sections.size() == 1) {
      code_.Line("return " + RowsOf(0) + (pattern_.sections[0].at_most_one ? "[0];" : ";"));
      return;
    }
    code_.Line("return {");
    code_.In();
    for (std::size_t i = 0; i < names_.size(); ++i)
      code_.Line(CamelCase(names_[i]) + ": " + RowsOf(i) +
                 (pattern_.sections[i].at_most_one ? "[0]," : ","));
    code_.Out();
    code_.Line("};");
  }

  const Program& program_;
  const PatternFunction& pattern_;
  Code& code_;
  const std::vector<std::string> names_;
};

}  // namespace

void PatternCode(const Program& program, const PatternFunction& pattern, bool exported,
                 Code& code) {
  PatternWriter writer(program, pattern, code);
  writer.Types();
  writer.Function(exported);
  if (exported && pattern.pages) writer.PageFunction();
}

std::string PatternsFile(const Program& program) {
  Code code;
  for (const PatternFunction& pattern : program.patterns) PatternCode(program, pattern, true, code);
  return WithImports(program, code.text(), {"entities", "reading"});
}

}  // namespace prejoin::gen::typescript
