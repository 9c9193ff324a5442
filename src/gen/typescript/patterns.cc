#include "gen/request_text.h"
#include "gen/row_steps.h"
#include "gen/typescript/typescript.h"
#include "gen/words.h"

namespace prejoin::gen::typescript {
namespace {

class PatternWriter : public RowSteps {
 public:
  PatternWriter(const PatternFunction& pattern, Code& code)
      : RowSteps(TypeScript(), pattern, {"rows", "rows"}, code) {}

 private:
  void RowType(const std::string& name, const std::vector<Field>& fields) override {
    code_.Gap();
    code_.Block("export interface " + name + " {", "}", [&] { MemberLines(fields, code_); });
  }

  void ResultTypes() override {
    code_.Gap();
    code_.Block("export interface " + pattern_.name + "Result {", "}", [&] {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        code_.Line(CamelCase(names_[i]) + ": " + SectionType(i) + ";");
      }
    });
  }

  std::string Both() const override { return " && "; }

  void Function(bool exported) override {
    code_.Gap();
    if (exported) {
      Comment();
    }
    code_.List(
        std::string(exported ? "export " : "") + "async function " + CamelCase(pattern_.name) + "(",
        Parameters(), "): Promise<" + ResultType() + "> {");
    code_.In();
    Reads();
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      SectionRows(i);
    }
    Return();
    code_.Out();
    code_.Line("}");
  }

  void PageFunction() override {
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
    QueryMembers(pattern_.reads[0], TableText(pattern_.reads[0].table));
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
  }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> members;
    for (const model::Parameter& parameter : pattern_.parameters) {
      members.push_back(CamelCase(parameter.name) + ": " +
                        TypeOf({parameter.name, parameter.type, false, {}}));
    }
    std::vector<std::string> parameters = {"db: Client"};
    if (!members.empty()) {
      parameters.push_back("args: { " + Join(members, "; ") + " }");
    }
    return parameters;
  }

  std::string SectionType(std::size_t i) const override {
    const std::string type = RowTypeName(pattern_, i);
    return pattern_.sections[i].at_most_one ? type + " | undefined" : type + "[]";
  }

  void Comment() {
    code_.Line("/**");
    code_.Prose(" * ", Title() + (pattern_.pattern->title.empty() ? "" : "."));
    code_.Line(" *");
    code_.Prose(" * ", pattern_.summary + ". " + ConsistencyText(pattern_));
    code_.Line(" */");
  }

  void Reads() {
    if (pattern_.reads.size() == 1) {
      ReadCode(pattern_.reads[0], "const items = await ", ";");
      return;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < pattern_.reads.size(); ++i) {
      names.push_back(ItemsName(i));
    }
    code_.Line("const [" + Join(names, ", ") + "] = await Promise.all([");
    code_.In();
    for (const Read& read : pattern_.reads) {
      ReadCode(read, "", ",");
    }
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
      code_.Line(head + "inParallel([" + Join(EachValues(read), ", ") + "], (each) =>");
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
    if (read.scan) {
      code_.Line(head + "scanAll(db, {");
      code_.In();
      ScanMembers(read, TableText(read.table));
      code_.Out();
      code_.Line("})" + tail);
      return;
    }
    const std::string function = read.get ? "getItems" : "queryAll";
    if (enough.empty()) {
      code_.Line(head + function + "(db, {");
      code_.In();
      read.get ? GetMembers(read) : QueryMembers(read, TableText(read.table));
      code_.Out();
      code_.Line("})" + tail);
      return;
    }
    code_.Line(head + function + "(");
    code_.In();
    code_.Line("db,");
    code_.Line("{");
    code_.In();
    QueryMembers(read, TableText(read.table));
    code_.Line("Limit: " + std::to_string(*read.limit) + ",");
    code_.Out();
    code_.Line("},");
    EnoughCode(enough);
    code_.Out();
    code_.Line(")" + tail);
  }

  std::string CountText(const std::string& entity) const override {
    return (entity.empty() ? "found" : "found.filter(is" + PascalCase(entity) + ")") + ".length";
  }

  void EnoughCode(const std::vector<Enough>& enough) {
    const std::vector<std::string> tests = EnoughTests(enough);
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
    for (const KeyValue& key : read.equal) {
      parts.push_back(language_.Pair(key.attribute, KeyText(language_, key.call)));
    }
    RequestObject("Key", parts);
    if (read.consistent) {
      code_.Line("ConsistentRead: true,");
    }
  }

  void RequestMember(const std::string& name, const std::string& value) override {
    code_.Line(name + ": " + value + ",");
  }

  void RequestObject(const std::string& name, const std::vector<std::string>& members) override {
    code_.Line(name + ": {");
    code_.In();
    for (const std::string& member : members) {
      code_.Line(member + ",");
    }
    code_.Out();
    code_.Line("},");
  }

  // ---- Rows

  // Leaves the items that the section's rows are made from in its variable.
  void StepsCode(const std::string& rows, const std::vector<Step>& steps) override {
    std::string variable = steps.size() > 1 ? "let " : "const ";
    for (const Step& step : steps) {
      code_.Line(variable + rows + " = " +
                 (step.fetched ? "present(" + step.text + ")" : step.text) + ";");
      variable.clear();
    }
  }

  void JoinCode(const std::string& name, const std::string& fetched) override {
    code_.Line("const " + name + " = " + fetched + ";");
  }

  std::string OfEntity(const std::string& from, const std::string& entity) const override {
    return from + ".filter(is" + PascalCase(entity) + ")";
  }

  std::string Filtered(const std::string& from, const std::string& condition) const override {
    return from + ".filter((item) => " + condition + ")";
  }

  std::string AtMost(const std::string& from, const std::string& count) const override {
    return from + ".slice(0, " + count + ")";
  }

  std::string KeysText(const Fetch& fetch, const std::string& from) const override {
    return from + ".map((item) => (" + KeyObject(language_, fetch.key) + "))";
  }

  std::string BatchText(const Fetch& fetch, const std::string& keys,
                        std::size_t read) const override {
    return "await batchGet(db, " + TableText(fetch.table) + ", " + keys +
           (pattern_.reads[read].consistent ? ", true" : "") + ")";
  }

  std::string Inside(const Embedded& embedded, const std::string& from) const override {
    std::vector<std::string> shape;
    if (embedded.map) {
      shape.push_back("by: " + Quoted(embedded.by));
    }
    if (!embedded.plain_member.empty()) {
      shape.push_back("member: " + Quoted(embedded.plain_member));
    }
    std::vector<std::string> parent;
    for (const FieldSource& source : embedded.parent) {
      parent.push_back(PropertyName(source.field.name) + ": " + ReadText(source, "item"));
    }
    return "rowsInside(" + from + ", " + Quoted(embedded.attribute) + ", " +
           (shape.empty() ? "{}" : "{ " + Join(shape, ", ") + " }") + ", (item) => ({ " +
           Join(parent, ", ") + " }))";
  }

  std::string SortText(const Section& section, const std::string& from) const override {
    std::vector<std::string> values;
    std::vector<std::string> directions;
    for (const SectionSort& sort : section.sort) {
      values.push_back(ReadText(Loose(sort.field), "item"));
      directions.push_back(sort.descending ? "-1" : "1");
    }
    return "sorted(" + from + ", (item) => [" + Join(values, ", ") + "], [" +
           Join(directions, ", ") + "])";
  }

  std::string RowsOf(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    const std::string from = RowsFrom(i);
    if (section.whole) {
      return from + ".map(" + FromItemFunction(section.entity) + ")";
    }
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
    for (std::size_t i = 0; i < names_.size(); ++i) {
      code_.Line(CamelCase(names_[i]) + ": " + RowsOf(i) +
                 (pattern_.sections[i].at_most_one ? "[0]," : ","));
    }
    code_.Out();
    code_.Line("};");
  }
};

}  // namespace

void PatternCode(const PatternFunction& pattern, bool exported, Code& code) {
  PatternWriter(pattern, code).Write(exported);
}

std::string PatternsFile(const Program& program) {
  Code code;
  for (const PatternFunction& pattern : program.patterns) {
    PatternCode(pattern, true, code);
  }
  return WithImports(program, code.text(), {"entities", "reading"});
}

}  // namespace prejoin::gen::typescript
