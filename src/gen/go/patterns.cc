#include "gen/go/go.h"
#include "gen/request_text.h"
#include "gen/row_steps.h"
#include "gen/words.h"

namespace prejoin::gen::go {
namespace {

class PatternWriter : public RowSteps {
 public:
  PatternWriter(const PatternFunction& pattern, Code& code)
      : RowSteps(Go(), pattern, {"rows", "rows"}, code) {}

 private:
  void RowType(const std::string& name, const std::vector<gen::Field>& fields) override {
    code_.Gap();
    code_.Line("// " + name + " is a row of the answer.");
    Struct(name, fields, code_);
  }

  void ResultTypes() override {
    std::size_t widest = 0;
    for (const std::string& name : names_) {
      widest = std::max(widest, Field(name).size());
    }
    code_.Gap();
    code_.Line("// " + pattern_.name + "Result is the answer of " + pattern_.name + ".");
    code_.Block("type " + pattern_.name + "Result struct {", "}", [&] {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        const std::string name = Field(names_[i]);
        code_.Line(name + std::string(widest + 1 - name.size(), ' ') + SectionType(i));
      }
    });
  }

  std::string Both() const override { return " && "; }

  std::string SectionType(std::size_t i) const override {
    return (pattern_.sections[i].at_most_one ? "*" : "[]") + RowTypeName(pattern_, i);
  }

  std::string Arguments() const {
    return pattern_.parameters.empty() ? "" : ", args " + pattern_.name + "Args";
  }

  void Function(bool exported) override {
    std::vector<gen::Field> parameters;
    for (const model::Parameter& parameter : pattern_.parameters) {
      parameters.push_back({parameter.name, parameter.type, false, {}});
    }
    const std::string& name = pattern_.name;
    if (!parameters.empty()) {
      const std::string type = name + "Args";
      code_.Gap();
      code_.Line("// " + type + " are the parameters of " + name + ".");
      Struct(type, parameters, code_);
    }
    code_.Gap();
    if (exported) {
      code_.Prose("// ", name + " reads: " + Title() + ".");
      code_.Line("//");
      code_.Prose("// ", pattern_.summary + ". " + ConsistencyText(pattern_));
    }
    const std::string type = pattern_.sections.size() > 1 ? "*" + ResultType() : ResultType();
    code_.Block("func (c *Client) " + name + "(ctx context.Context" + Arguments() + ") (_ " + type +
                    ", err error) {",
                "}", [&] {
                  code_.Line("defer refused(&err)");
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
    const std::string type = "Page[" + RowTypeName(pattern_, 0) + "]";
    const std::string& name = pattern_.name;
    code_.Gap();
    code_.Line("// " + name + "Page is " + name + ", page by page.");
    code_.Block("func (c *Client) " + name + "Page(ctx context.Context" + Arguments() +
                    ", page PageOptions) (_ *" + type + ", err error) {",
                "}", [&] {
                  code_.Line("defer refused(&err)");
                  code_.Block("items, cursor, err := queryPage(ctx, c.DB, &dynamodb.QueryInput{",
                              "}, page)", [&] {
                                QueryMembers(pattern_.reads[0], TableText(pattern_.reads[0].table));
                              });
                  Check();
                  SectionRows(0);
                  RowsCode(0, "found, err := ", "");
                  Check();
                  code_.Line("return &" + type + "{Rows: found, Cursor: cursor}, nil");
                });
  }

  void Check() {
    code_.Block("if err != nil {", "}", [&] { code_.Line("return nil, err"); });
  }

  void ReadCode(std::size_t i) {
    const Read& read = pattern_.reads[i];
    std::string head = ItemsName(i) + ", err := ";
    const bool several = read.shards > 1 || !read.each.empty();
    if (several) {
      const std::string type = read.shards > 1 ? "int" : TypeOf({"", read.each[0].type, false, {}});
      code_.Line(head + "inParallel(" +
                 (read.shards > 1 ? "shards(" + std::to_string(read.shards) + ")"
                                  : "[]" + type + "{" + Join(EachValues(read), ", ") + "}") +
                 ", func(" + (read.shards > 1 ? "shard " : "each ") + type + ") ([]Item, error) {");
      code_.In();
      head = "return ";
    }
    Request(read, head);
    if (several) {
      code_.Out();
      code_.Line("})");
    }
    Check();
  }

  void Request(const Read& read, const std::string& head) {
    if (read.get) {
      code_.Block(head + "getItems(ctx, c.DB, &dynamodb.GetItemInput{", "})", [&] {
        RequestMember("TableName", TableText(read.table));
        code_.Line("Key: " + KeyObject(language_, read.equal) + ",");
        if (read.consistent) {
          RequestMember("ConsistentRead", "true");
        }
      });
      return;
    }
    if (read.scan) {
      code_.Block(head + "scanAll(ctx, c.DB, &dynamodb.ScanInput{", "})",
                  [&] { ScanMembers(read, TableText(read.table)); });
      return;
    }
    const std::vector<Enough> enough = EnoughItems(pattern_, read);
    const std::string test =
        enough.empty() ? "nil"
                       : FunctionText("func(found []Item) bool", Join(EnoughTests(enough), " && "));
    code_.Block(head + "queryAll(ctx, c.DB, &dynamodb.QueryInput{", "}, " + test + ")", [&] {
      QueryMembers(read, TableText(read.table));
      if (!enough.empty()) {
        RequestMember("Limit", std::to_string(*read.limit));
      }
    });
  }

  std::string CountText(const std::string& entity) const override {
    return entity.empty() ? "len(found)" : "count(found, is" + PascalCase(entity) + ")";
  }

  void RequestMember(const std::string& name, const std::string& value) override {
    std::string text = "aws.String(" + value + ")";
    if (name == "Select") {
      text = "types.SelectAllAttributes";
    }
    if (name == "Limit") {
      text = "aws.Int32(" + value + ")";
    }
    if (name == "ScanIndexForward" || name == "ConsistentRead") {
      text = "aws.Bool(" + value + ")";
    }
    code_.Line(name + ": " + text + ",");
  }

  void RequestObject(const std::string& name, const std::vector<std::string>& members) override {
    if (name == "ExpressionAttributeNames") {
      code_.Line(name + ": map[string]string{" + Join(members, ", ") + "},");
      return;
    }
    code_.Block(name + ": values{", "}.item(),", [&] {
      for (const std::string& member : members) {
        code_.Line(member + ",");
      }
    });
  }

  // ---- Rows

  void StepsCode(const std::string& rows, const std::vector<Step>& steps) override {
    const char* assign = " := ";
    for (const Step& step : steps) {
      code_.Line(rows + (step.fetched ? ", err" : "") + assign + step.text);
      assign = " = ";
      if (!step.fetched) {
        continue;
      }
      Check();
      code_.Line(rows + " = present(" + rows + ")");
    }
  }

  void JoinCode(const std::string& name, const std::string& fetched) override {
    code_.Line(name + ", err := " + fetched);
    Check();
  }

  std::string OfEntity(const std::string& from, const std::string& entity) const override {
    return "filter(" + from + ", is" + PascalCase(entity) + ")";
  }

  std::string Filtered(const std::string& from, const std::string& condition) const override {
    return "filter(" + from + ", " + FunctionText("func(item Item) bool", condition) + ")";
  }

  std::string AtMost(const std::string& from, const std::string& count) const override {
    return "atMost(" + from + ", " + count + ")";
  }

  std::string KeysText(const Fetch& fetch, const std::string& from) const override {
    return "keysOf(" + from + ", " +
           FunctionText("func(item Item) Item", KeyObject(language_, fetch.key)) + ")";
  }

  std::string BatchText(const Fetch& fetch, const std::string& keys,
                        std::size_t read) const override {
    return "batchGet(ctx, c.DB, " + TableText(fetch.table) + ", " + keys + ", " +
           (pattern_.reads[read].consistent ? "true" : "false") + ")";
  }

  std::string Inside(const Embedded& embedded, const std::string& from) const override {
    std::vector<std::string> parent;
    for (const FieldSource& source : embedded.parent) {
      parent.push_back(language_.Pair(source.field.name, StoredText(source, "item")));
    }
    return "rowsInside(" + from + ", " +
           QuotedList({embedded.attribute, embedded.by, embedded.plain_member}) + ", " +
           FunctionText("func(item Item) values", "values{" + Join(parent, ", ") + "}") + ")";
  }

  std::string SortText(const Section& section, const std::string& from) const override {
    std::string text = "sorted(" + from;
    for (const SectionSort& sort : section.sort) {
      text += ", sortKey{" +
              FunctionText("func(item Item) types.AttributeValue", StoredText(sort.field, "item")) +
              ", " + (sort.descending ? "true" : "false") + "}";
    }
    return text + ")";
  }

  // `head` + what makes the rows of a section + `tail`.
  void RowsCode(std::size_t i, const std::string& head, const std::string& tail) {
    const Section& section = pattern_.sections[i];
    const std::string type = RowTypeName(pattern_, i);
    if (section.whole) {
      code_.Line(head + "rowsOf(" + RowsFrom(i) + ", to" + PascalCase(section.entity) + ")" + tail);
      return;
    }
    code_.Line(head + "rowsOf(" + RowsFrom(i) + ", func(r *reader, " +
               (section.joins.empty() ? "_" : "i") + " int, item Item) " + type + " {");
    code_.In();
    code_.Block("return " + type + "{", "}", [&] {
      for (const Output& output : section.outputs) {
        const std::string item =
            output.join < 0 ? "item" : JoinName(i, static_cast<std::size_t>(output.join)) + "[i]";
        code_.Line(Field(MemberName(output.field, section.outputs)) + ": " +
                   RowText({output.field, output.source}, item) + ",");
      }
    });
    code_.Out();
    code_.Line("})" + tail);
  }

  void Return() {
    const auto rows = [&](std::size_t i, const std::string& head) {
      const bool one = pattern_.sections[i].at_most_one;
      RowsCode(i, head + (one ? "first(" : ""), one ? ")" : "");
    };
    if (pattern_.sections.size() == 1) {
      rows(0, "return ");
      return;
    }
    code_.Line("var result " + pattern_.name + "Result");
    for (std::size_t i = 0; i < names_.size(); ++i) {
      rows(i, "result." + Field(names_[i]) + ", err = ");
      Check();
    }
    code_.Line("return &result, nil");
  }
};

}  // namespace

void PatternCode(const PatternFunction& pattern, bool exported, Code& code) {
  const PatternFunction named = Named(pattern, exported);
  PatternWriter(named, code).Write(exported);
}

}  // namespace prejoin::gen::go
