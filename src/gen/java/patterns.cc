#include "gen/java/java.h"
#include "gen/request_text.h"
#include "gen/row_steps.h"
#include "gen/words.h"

namespace prejoin::gen::java {
namespace {

class PatternWriter : public RowSteps {
 public:
  PatternWriter(const PatternFunction& pattern, bool exported, Code& code)
      : RowSteps(Java(), pattern, {"wanted", "items"}, code),
        visible_(exported ? "public " : "private ") {}

 private:
  void RowType(const std::string& name, const std::vector<Field>& fields) override {
    Record(visible_ + "record ", name, "A row of the answer.", fields, code_);
  }

  void ResultTypes() override {
    std::vector<std::string> members;
    std::string optional;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      members.push_back(SectionType(i) + " " + Name(names_[i]));
      if (pattern_.sections[i].at_most_one) {
        optional += (optional.empty() ? " May be null: " : ", ") + Name(names_[i]);
      }
    }
    code_.Gap();
    Comment(
        {"The answer of " + Method(pattern_.name) + "." + (optional.empty() ? "" : optional + ".")},
        code_);
    code_.Line(visible_ + "record " + ResultType() + "(" + Join(members, ", ") + ") {}");
  }

  std::string Both() const override { return " && "; }

  std::string SectionType(std::size_t i) const override {
    const std::string type = RowTypeName(pattern_, i);
    return pattern_.sections[i].at_most_one ? type : "List<" + type + ">";
  }

  std::string ParameterList() const {
    std::vector<Field> fields;
    for (const model::Parameter& parameter : pattern_.parameters) {
      fields.push_back({parameter.name, parameter.type, false, {}});
    }
    return Parameters(fields);
  }

  void Function(bool exported) override {
    code_.Gap();
    if (exported) {
      const bool one = pattern_.sections.size() == 1 && pattern_.sections[0].at_most_one;
      Comment({Title() + "." + (one ? " Null if there is none." : ""),
               pattern_.summary + ". " + ConsistencyText(pattern_)},
              code_);
    }
    code_.Block(
        visible_ + ResultType() + " " + Method(pattern_.name) + "(" + ParameterList() + ") {", "}",
        [&] {
          for (std::size_t i = 0; i < pattern_.reads.size(); ++i) {
            ReadCode(i);
          }
          for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
            SectionRows(i);
          }
          Return();
        });
  }

  void PageFunction() override {
    const std::string parameters = ParameterList();
    code_.Gap();
    Comment({"The same, page by page: limit and cursor may be null."}, code_);
    code_.Block("public Page<" + RowTypeName(pattern_, 0) + "> " + Method(pattern_.name) + "Page(" +
                    parameters + (parameters.empty() ? "" : ", ") +
                    "Integer limit, Map<String, AttributeValue> cursor) {",
                "}", [&] {
                  QueryMembers(pattern_.reads[0], TableText(pattern_.reads[0].table));
                  Chain("var response = queryPage(db, limit, cursor, query -> query", ");");
                  code_.Line("var items = response.items();");
                  SectionRows(0);
                  code_.Line("return page(" + RowsText(0) + ", response);");
                });
  }

  // `head`, the calls of the request in lines of their own, `tail`.
  void Chain(const std::string& head, const std::string& tail) {
    code_.Line(head);
    code_.In();
    code_.In();
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      code_.Line(calls_[i] + (i + 1 < calls_.size() ? "" : tail));
    }
    code_.Out();
    code_.Out();
    calls_.clear();
  }

  void ReadCode(std::size_t i) {
    const Read& read = pattern_.reads[i];
    std::string head = "var " + ItemsName(i) + " = ";
    std::string tail = ");";
    if (read.shards > 1) {
      head += "inParallel(shards(" + std::to_string(read.shards) + "), shard -> ";
      tail = "));";
    } else if (!read.each.empty()) {
      head += "inParallel(List.of(" + Join(EachValues(read), ", ") + "), each -> ";
      tail = "));";
    }
    if (read.get) {
      RequestMember("TableName", TableText(read.table));
      calls_.push_back(".key(" + KeyObject(language_, read.equal) + ")");
      if (read.consistent) {
        RequestMember("ConsistentRead", "true");
      }
      Chain(head + "getItems(db, get -> get", tail);
      return;
    }
    if (read.scan) {
      ScanMembers(read, TableText(read.table));
      Chain(head + "scanAll(db, scan -> scan", tail);
      return;
    }
    const std::vector<Enough> enough = EnoughItems(pattern_, read);
    QueryMembers(read, TableText(read.table));
    if (!enough.empty()) {
      RequestMember("Limit", std::to_string(*read.limit));
    }
    const std::string test =
        enough.empty() ? "" : "found -> " + Join(EnoughTests(enough), " && ") + ", ";
    Chain(head + "queryAll(db, " + test + "query -> query", tail);
  }

  std::string CountText(const std::string& entity) const override {
    return entity.empty() ? "found.size()"
                          : "count(found, EntityItems::is" + PascalCase(entity) + ")";
  }

  std::string NamePair(const std::string& name, const std::string& attribute) const override {
    return Quoted(name) + ", " + Quoted(attribute);
  }

  void RequestMember(const std::string& name, const std::string& value) override {
    calls_.push_back("." + CamelCase(name) + "(" +
                     (name == "Select" ? "Select.ALL_ATTRIBUTES" : value) + ")");
  }

  void RequestObject(const std::string& name, const std::vector<std::string>& members) override {
    constexpr std::size_t kOneLineMax = 60;
    const std::string one = name == "ExpressionAttributeNames"
                                ? "Map.of(" + Join(members, ", ") + ")"
                                : language_.Object(members);
    RequestMember(name, one.starts_with("Map") || one.size() <= kOneLineMax
                            ? one
                            : "values()\n    " + Join(members, "\n    ") + "\n    .item()");
  }

  // ---- Rows

  void StepsCode(const std::string& rows, const std::vector<Step>& steps) override {
    const char* variable = "var ";
    for (const Step& step : steps) {
      code_.Line(variable + rows + " = " +
                 (step.fetched ? "present(" + step.text + ")" : step.text) + ";");
      variable = "";
    }
  }

  void JoinCode(const std::string& name, const std::string& fetched) override {
    code_.Line("var " + Name(name) + " = " + fetched + ";");
  }

  std::string OfEntity(const std::string& from, const std::string& entity) const override {
    return "filter(" + from + ", EntityItems::is" + PascalCase(entity) + ")";
  }

  std::string Filtered(const std::string& from, const std::string& condition) const override {
    return "filter(" + from + ", item -> " + condition + ")";
  }

  std::string AtMost(const std::string& from, const std::string& count) const override {
    return "atMost(" + from + ", " + count + ")";
  }

  std::string JoinVariable(std::size_t i, std::size_t j) const { return Name(JoinName(i, j)); }

  std::string KeysText(const Fetch& fetch, const std::string& from) const override {
    return "keysOf(" + from + ", item -> " + KeyObject(language_, fetch.key) + ")";
  }

  std::string BatchText(const Fetch& fetch, const std::string& keys,
                        std::size_t read) const override {
    return "batchGet(db, " + TableText(fetch.table) + ", " + keys + ", " +
           (pattern_.reads[read].consistent ? "true" : "false") + ")";
  }

  std::string Inside(const Embedded& embedded, const std::string& from) const override {
    std::string parent = "values()";
    for (const FieldSource& source : embedded.parent) {
      parent += language_.Pair(source.field.name, StoredText(source, "item"));
    }
    return "rowsInside(" + from + ", " +
           QuotedList({embedded.attribute, embedded.by, embedded.plain_member}) + ", item -> " +
           parent + ")";
  }

  std::string SortText(const Section& section, const std::string& from) const override {
    std::string text = "sorted(" + from;
    for (const SectionSort& sort : section.sort) {
      text += std::string(", ") + (sort.descending ? "descending" : "ascending") + "(item -> " +
              StoredText(sort.field, "item") + ")";
    }
    return text + ")";
  }

  std::string RowsText(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    const std::string head = "rowsOf(" + RowsFrom(i) + ", ";
    if (section.whole) {
      return head + "EntityItems::to" + PascalCase(section.entity) + ")";
    }
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      const std::string item =
          output.join < 0 ? "item"
                          : JoinVariable(i, static_cast<std::size_t>(output.join)) + ".get(i)";
      members.push_back(RowText({output.field, output.source}, item));
    }
    return head + (section.joins.empty() ? "item -> " : "(item, i) -> ") + "new " +
           RowTypeName(pattern_, i) + "(" + Join(members, ", ") + "))";
  }

  void Return() {
    std::vector<std::string> sections;
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      sections.push_back(pattern_.sections[i].at_most_one ? "first(" + RowsText(i) + ")"
                                                          : RowsText(i));
    }
    code_.Line("return " +
               (sections.size() == 1 ? sections[0]
                                     : "new " + ResultType() + "(" + Join(sections, ", ") + ")") +
               ";");
  }

  const std::string visible_;
  std::vector<std::string> calls_;  // Of the request at hand.
};

}  // namespace

void PatternCode(const PatternFunction& pattern, bool exported, Code& code) {
  PatternWriter(pattern, exported, code).Write(exported);
}

}  // namespace prejoin::gen::java
