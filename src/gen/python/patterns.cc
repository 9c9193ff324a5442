#include "gen/python/python.h"
#include "gen/request_text.h"
#include "gen/row_steps.h"
#include "gen/words.h"

namespace prejoin::gen::python {
namespace {

class PatternWriter : public RowSteps {
 public:
  PatternWriter(const PatternFunction& pattern, Code& code)
      : RowSteps(Python(), pattern, {"wanted", "items"}, code) {}

 private:
  void RowType(const std::string& name, const std::vector<Field>& fields) override {
    Class(name, Members(fields));
  }

  void ResultTypes() override {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      members.push_back(Name(names_[i]) + ": " + SectionType(i));
    }
    Class(pattern_.name + "Result", members);
  }

  std::string Both() const override { return " and "; }

  FieldSource Loose(FieldSource field) const override {
    field.field.values.clear();
    return PatternSteps::Loose(std::move(field));
  }

  void Function(bool exported) override {
    Gap();
    code_.Line("def " + std::string(exported ? "" : "_") + SnakeCase(pattern_.name) + "(" +
               Join(Parameters(), ", ") + ") -> " + ResultType() + ":");
    code_.In();
    if (exported) {
      Comment();
    }
    for (std::size_t i = 0; i < pattern_.reads.size(); ++i) {
      ReadCode(i);
    }
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      SectionRows(i);
    }
    Return();
    code_.Out();
  }

  void PageFunction() override {
    Gap();
    std::vector<std::string> parameters = Parameters();
    if (pattern_.parameters.empty()) {
      parameters.emplace_back("*");
    }
    parameters.emplace_back("limit: int | None = None");
    parameters.emplace_back("cursor: Item | None = None");
    code_.Line("def " + SnakeCase(pattern_.name) + "_page(" + Join(parameters, ", ") +
               ") -> Page[" + RowTypeName(pattern_, 0) + "]:");
    code_.In();
    code_.Line("\"\"\"The same, page by page.\"\"\"");
    code_.Line("items, following = query_page(");
    code_.In();
    code_.Line("db,");
    code_.Line("limit,");
    code_.Line("cursor,");
    QueryMembers(pattern_.reads[0], TableText(pattern_.reads[0].table));
    code_.Out();
    code_.Line(")");
    SectionRows(0);
    code_.Line("rows = " + RowsOf(0));
    code_.Line("return Page(rows, following)");
    code_.Out();
  }

  void Gap() {
    code_.Gap();
    code_.Line();
  }

  void Class(const std::string& name, const std::vector<std::string>& members) {
    Gap();
    code_.Line("@dataclass(frozen=True, kw_only=True)");
    code_.Block("class " + name + ":", "", [&] {
      for (const std::string& member : members) {
        code_.Line(member);
      }
    });
  }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters = {"db: Client"};
    if (!pattern_.parameters.empty()) {
      parameters.emplace_back("*");
    }
    for (const model::Parameter& parameter : pattern_.parameters) {
      parameters.push_back(Name(parameter.name) + ": " +
                           TypeOf({parameter.name, parameter.type, false, {}}));
    }
    return parameters;
  }

  std::string SectionType(std::size_t i) const override {
    const std::string type = RowTypeName(pattern_, i);
    return pattern_.sections[i].at_most_one ? type + " | None" : "list[" + type + "]";
  }

  void Comment() {
    code_.Line("\"\"\"" + Title() + ".");
    code_.Line();
    code_.Prose("", pattern_.summary + ". " + ConsistencyText(pattern_));
    code_.Line("\"\"\"");
  }

  void ReadCode(std::size_t i) {
    const Read& read = pattern_.reads[i];
    const std::string head = ItemsName(i) + " = ";
    if (read.shards > 1) {
      code_.Line(head + "in_parallel(");
      code_.In();
      code_.Line("range(" + std::to_string(read.shards) + "),");
      Request(read, "lambda shard: ", ",");
      code_.Out();
      code_.Line(")");
      return;
    }
    if (!read.each.empty()) {
      code_.Line(head + "in_parallel(");
      code_.In();
      code_.Line("[" + Join(EachValues(read), ", ") + "],");
      Request(read, "lambda each: ", ",");
      code_.Out();
      code_.Line(")");
      return;
    }
    Request(read, head, "");
  }

  void Request(const Read& read, const std::string& head, const std::string& tail) {
    code_.Line(head + (read.get ? "get_items(" : read.scan ? "scan_all(" : "query_all("));
    code_.In();
    code_.Line("db,");
    if (read.scan) {
      ScanMembers(read, TableText(read.table));
    } else if (read.get) {
      code_.Line("TableName=" + TableText(read.table) + ",");
      code_.Line("Key=" + KeyObject(language_, read.equal) + ",");
      if (read.consistent) {
        code_.Line("ConsistentRead=True,");
      }
    } else {
      const std::vector<Enough> enough = EnoughItems(pattern_, read);
      if (!enough.empty()) {
        EnoughCode(enough);
      }
      QueryMembers(read, TableText(read.table));
      if (!enough.empty()) {
        code_.Line("Limit=" + std::to_string(*read.limit) + ",");
      }
    }
    code_.Out();
    code_.Line(")" + tail);
  }

  std::string CountText(const std::string& entity) const override {
    return entity.empty() ? "len(found)" : "sum(map(is_" + SnakeCase(entity) + ", found))";
  }

  void EnoughCode(const std::vector<Enough>& enough) {
    const std::vector<std::string> tests = EnoughTests(enough);
    code_.Line("lambda found: " +
               (tests.size() == 1 ? tests[0] : "all((" + Join(tests, ", ") + "))") + ",");
  }

  void RequestMember(const std::string& name, const std::string& value) override {
    code_.Line(name + "=" + value + ",");
  }

  void RequestObject(const std::string& name, const std::vector<std::string>& members) override {
    // Names are short.
    if (name == "ExpressionAttributeNames") {
      RequestMember(name, language_.Object(members));
      return;
    }
    code_.Block(name + "={", "},", [&] {
      for (const std::string& member : members) {
        code_.Line(member + ",");
      }
    });
  }

  // ---- Rows

  void StepsCode(const std::string& rows, const std::vector<Step>& steps) override {
    for (const Step& step : steps) {
      code_.Line(rows + " = " + (step.fetched ? "present(" + step.text + ")" : step.text));
    }
  }

  void JoinCode(const std::string& name, const std::string& fetched) override {
    code_.Line(name + " = " + fetched);
  }

  std::string OfEntity(const std::string& from, const std::string& entity) const override {
    return Filtered(from, "is_" + SnakeCase(entity) + "(item)");
  }

  std::string Filtered(const std::string& from, const std::string& condition) const override {
    return "[item for item in " + from + " if " + condition + "]";
  }

  std::string AtMost(const std::string& from, const std::string& count) const override {
    return from + "[:" + count + "]";
  }

  std::string KeysText(const Fetch& fetch, const std::string& from) const override {
    return "[" + KeyObject(language_, fetch.key) + " for item in " + from + "]";
  }

  std::string BatchText(const Fetch& fetch, const std::string& keys,
                        std::size_t read) const override {
    return "batch_get(db, " + TableText(fetch.table) + ", " + keys +
           (pattern_.reads[read].consistent ? ", consistent=True" : "") + ")";
  }

  std::string Inside(const Embedded& embedded, const std::string& from) const override {
    std::vector<std::string> parent;
    for (const FieldSource& source : embedded.parent) {
      parent.push_back(Quoted(source.field.name) + ": " + ReadText(source, "item"));
    }
    std::string text = "rows_inside(" + from + ", " + Quoted(embedded.attribute) +
                       ", lambda item: {" + Join(parent, ", ") + "}";
    if (embedded.map) {
      text += ", by=" + Quoted(embedded.by);
    }
    if (!embedded.plain_member.empty()) {
      text += ", member=" + Quoted(embedded.plain_member);
    }
    return text + ")";
  }

  std::string SortText(const Section& section, const std::string& from) const override {
    std::vector<std::string> keys;
    for (const SectionSort& sort : section.sort) {
      keys.push_back("(lambda item: " + ReadText(Loose(sort.field), "item") + ", " +
                     (sort.descending ? "True" : "False") + ")");
    }
    return "sort_rows(" + from + ", " + Join(keys, ", ") + ")";
  }

  std::string RowsOf(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    const std::string from = RowsFrom(i);
    if (section.whole) {
      return "[to_" + SnakeCase(section.entity) + "(item) for item in " + from + "]";
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      const std::string item =
          output.join < 0 ? "item"
                          : "(" + JoinName(i, static_cast<std::size_t>(output.join)) + "[i] or {})";
      members.push_back(Name(MemberName(output.field, section.outputs)) + "=" +
                        ReadText({output.field, output.source}, item));
    }
    const std::string loop =
        section.joins.empty() ? "item in " + from : "i, item in enumerate(" + from + ")";
    return "[\n    " + RowTypeName(pattern_, i) + "(\n        " + Join(members, ",\n        ") +
           ",\n    )\n    for " + loop + "\n]";
  }

  void Return() {
    if (pattern_.sections.size() == 1) {
      if (!pattern_.sections[0].at_most_one) {
        code_.Line("return " + RowsOf(0));
      } else {
        code_.Line("rows = " + RowsOf(0));
        code_.Line("return rows[0] if rows else None");
      }
      return;
    }
    std::vector<std::string> members;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string rows = SnakeCase(names_[i]) + "_rows";
      code_.Line(rows + " = " + RowsOf(i));
      members.push_back(Name(names_[i]) + "=" + rows +
                        (pattern_.sections[i].at_most_one ? "[0] if " + rows + " else None" : ""));
    }
    code_.Line("return " + pattern_.name + "Result(");
    code_.In();
    for (const std::string& member : members) {
      code_.Line(member + ",");
    }
    code_.Out();
    code_.Line(")");
  }
};

}  // namespace

void PatternCode(const PatternFunction& pattern, bool exported, Code& code) {
  PatternWriter(pattern, code).Write(exported);
}

std::string PatternsFile(const Program& program) {
  Code code = NewCode();
  for (const PatternFunction& pattern : program.patterns) {
    PatternCode(pattern, true, code);
  }
  return WithImports(program, code.text(), {"entities", "reading"});
}

}  // namespace prejoin::gen::python
