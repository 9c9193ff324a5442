#include "gen/cpp/cpp.h"
#include "gen/pattern_steps.h"
#include "gen/request_text.h"
#include "gen/words.h"

namespace prejoin::gen::cpp {
namespace {

class PatternWriter : public PatternSteps {
 public:
  PatternWriter(const PatternFunction& pattern, bool exported, Files& files)
      : PatternSteps(Cpp(), pattern, {"rows", "rows"}, files.source),
        header_(exported ? files.header : files.source) {}

 private:
  void RowType(const std::string& name, const std::vector<Field>& fields) override {
    Struct(name, fields, header_);
  }

  void ResultTypes() override {
    header_.Gap();
    header_.Block("struct " + pattern_.name + "Result {", "};", [&] {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        header_.Line(SectionType(i) + " " + Name(names_[i]) + ";");
      }
    });
  }

  void Function(bool exported) override {
    std::vector<Field> parameters;
    for (const model::Parameter& parameter : pattern_.parameters) {
      parameters.push_back({parameter.name, parameter.type, false, {}});
    }
    if (!parameters.empty()) {
      Struct(ArgumentsType(pattern_), parameters, header_);
    }
    const std::string signature =
        "Result<" + ResultType() + "> " + pattern_.name + "(Database& db" +
        (parameters.empty() ? "" : ", const " + ArgumentsType(pattern_) + "& args") + ")";
    if (exported) {
      header_.Gap();
      header_.Prose("// ", Title() + ".");
      header_.Prose("// ", pattern_.summary + ". " + ConsistencyText(pattern_));
      header_.Line(signature + ";");
    }
    code_.Gap();
    code_.Line((exported ? "" : "static ") + signature + " try {");
    code_.In();
    for (std::size_t i = 0; i < pattern_.reads.size(); ++i) {
      ReadCode(i);
    }
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      SectionRows(i);
    }
    Return();
    code_.Out();
    code_.Line(kEndOfTry);
  }

  // No page function: a C++ program has the database at hand, and prejoin/pages.h.
  void PageFunction() override {}

  std::string Both() const override { return " && "; }

  std::string SectionType(std::size_t i) const override {
    const std::string type = RowTypeName(pattern_, i);
    return (pattern_.sections[i].at_most_one ? "std::optional<" : "std::vector<") + type + ">";
  }

  std::string Test(const std::string& field, const std::string& comparison,
                   const std::vector<std::string>& operands) const override {
    std::vector<std::string> values;
    for (const std::string& operand : operands) {
      values.push_back("AttributeValue(" + operand + ")");
    }
    return "Matches(" + field + ", " + comparison + ", {" + Join(values, ", ") + "})";
  }

  void ReadCode(std::size_t i) {
    const Read& read = pattern_.reads[i];
    const std::string head = "const Result<Items> " + ItemsName(i) + " = ";
    std::string tail = "();";
    if (read.shards > 1) {
      code_.Line(head + "InParallel(" + std::to_string(read.shards) +
                 ", [&](int shard) -> Result<Items> {");
      tail = ");";
    } else if (!read.each.empty()) {
      const std::string type = TypeOf({"", read.each[0].type, false, {}});
      code_.Line(head + "ForEach<" + type + ">({" + Join(EachValues(read), ", ") + "}, [&](const " +
                 type + "& each) -> Result<Items> {");
      tail = ");";
    } else {
      code_.Line(head + "[&]() -> Result<Items> {");
    }
    code_.In();
    Request(read);
    code_.Out();
    code_.Line("}" + tail);
    Check(ItemsName(i));
  }

  void Check(const std::string& name) {
    code_.Line("if (!" + name + ".has_value()) return " + name + ".error();");
  }

  void Request(const Read& read) {
    if (read.get) {
      code_.Line("GetItemInput input;");
      code_.Line("input.table_name = " + Quoted(read.table) + ";");
      code_.Line("input.key = " + KeyObject(language_, read.equal) + ";");
      if (read.consistent) {
        code_.Line("input.consistent_read = true;");
      }
      code_.Line("return GetItems(db, input);");
      return;
    }
    if (read.scan) {
      code_.Line("ScanInput input;");
      code_.Line("input.table_name = " + Quoted(read.table) + ";");
      if (read.consistent) {
        code_.Line("input.consistent_read = true;");
      }
      code_.Line("return ScanAll(db, std::move(input));");
      return;
    }
    const KeyCondition condition = KeyConditionOf(read);
    code_.Line("QueryInput input;");
    code_.Line("input.table_name = " + Quoted(read.table) + ";");
    if (!read.index.empty()) {
      code_.Line("input.index_name = " + Quoted(read.index) + ";");
    }
    code_.Line("input.key_condition_expression = " + Quoted(condition.text) + ";");
    std::vector<std::string> names;
    for (const auto& [name, attribute] : condition.names) {
      names.push_back("{" + Quoted(name) + ", " + Quoted(attribute) + "}");
    }
    code_.Line("input.expression_attribute_names = AttributeNames{" + Join(names, ", ") + "};");
    code_.Line("input.expression_attribute_values = AttributeValues{");
    code_.In();
    code_.In();
    for (const KeyCondition::Value& value : condition.values) {
      code_.Line("{" + Quoted(value.name) + ", " + ConditionValueText(language_, value) + "},");
    }
    code_.Out();
    code_.Out();
    code_.Line("};");
    if (read.descending) {
      code_.Line("input.scan_index_forward = false;");
    }
    if (read.consistent) {
      code_.Line("input.consistent_read = true;");
    }
    if (read.all_attributes) {
      code_.Line("input.select = Select::kAllAttributes;");
    }
    const std::vector<Enough> enough = EnoughItems(pattern_, read);
    if (enough.empty()) {
      code_.Line("return QueryAll(db, std::move(input));");
      return;
    }
    code_.Line("input.limit = " + std::to_string(*read.limit) + ";");
    std::vector<std::string> tests;
    for (const Enough& one : enough) {
      tests.push_back((one.entity.empty()
                           ? "std::ssize(found)"
                           : "std::ranges::count_if(found, Is" + PascalCase(one.entity) + ")") +
                      " >= " + std::to_string(one.count));
    }
    code_.Line("return QueryAll(db, std::move(input), [](const Items& found) { return " +
               Join(tests, " && ") + "; });");
  }

  // ---- Rows

  void SectionRows(std::size_t i) {
    const Section& section = pattern_.sections[i];
    const std::string rows = Variable(i);
    code_.Line("Items " + rows + " = *" + ItemsName(section.read) + ";");
    if (section.classify) {
      code_.Line("std::erase_if(" + rows + ", [](const Item& item) { return !Is" +
                 PascalCase(section.item_entity) + "(item); });");
    }
    if (section.embedded) {
      Inside(*section.embedded, rows);
    }
    if (section.fetch) {
      FetchCode(*section.fetch, rows, section, false);
    }
    if (!section.filters.empty()) {
      code_.Line("std::erase_if(" + rows + ", [&](const Item& item) { return !(" +
                 FilterText(section) + "); });");
    }
    if (section.via) {
      FetchCode(*section.via, rows, section, true);
    }
    if (!section.sort.empty()) {
      SortCode(section, rows);
    }
    if (section.limit) {
      const std::string limit = std::to_string(*section.limit);
      code_.Line("if (" + rows + ".size() > " + limit + ") " + rows + ".resize(" + limit + ");");
    }
    for (std::size_t j = 0; j < section.joins.size(); ++j) {
      const std::string keys = JoinName(i, j) + "_keys";
      Keys(section.joins[j], rows, keys);
      code_.Line("const Result<Items> " + JoinName(i, j) + " = BatchGet(db, " +
                 Quoted(section.joins[j].table) + ", " + keys + Consistent(section) + ");");
      Check(JoinName(i, j));
    }
  }

  std::string Consistent(const Section& section) const {
    return pattern_.reads[section.read].consistent ? ", /*consistent=*/true" : "";
  }

  void Keys(const Fetch& fetch, const std::string& rows, const std::string& keys) {
    code_.Line("Items " + keys + ";");
    code_.Line("for (const Item& item : " + rows + ") " + keys + ".push_back(" +
               KeyObject(language_, fetch.key) + ");");
  }

  void FetchCode(const Fetch& fetch, const std::string& rows, const Section& section,
                 bool distinct) {
    code_.Block("{", "}", [&] {
      Keys(fetch, rows, "keys");
      code_.Line("Result<Items> fetched = BatchGet(db, " + Quoted(fetch.table) + ", " +
                 (distinct ? "Distinct(keys)" : "keys") + Consistent(section) + ");");
      Check("fetched");
      code_.Line(rows + " = Present(*std::move(fetched));");
    });
  }

  void Inside(const Embedded& embedded, const std::string& rows) {
    code_.Line(rows + " = RowsInside(" + rows + ", " + Quoted(embedded.attribute) + ", " +
               Quoted(embedded.by) + ", " + Quoted(embedded.plain_member) +
               ", [](const Item& item) {");
    code_.In();
    code_.Line("Item parent;");
    for (const FieldSource& source : embedded.parent) {
      code_.Line("Set(parent, " + Quoted(source.field.name) + ", " + ReadText(source, "item") +
                 ");");
    }
    code_.Line("return parent;");
    code_.Out();
    code_.Line("});");
  }

  void SortCode(const Section& section, const std::string& rows) {
    std::vector<std::string> values;
    std::vector<std::string> directions;
    for (const SectionSort& sort : section.sort) {
      values.push_back(ReadText(sort.field, "item"));
      directions.push_back(sort.descending ? "-1" : "1");
    }
    code_.Line("SortRows(");
    code_.In();
    code_.In();
    code_.Line(rows + ",");
    code_.Line("[](const Item& item) {");
    code_.Line("  return std::vector<std::optional<AttributeValue>>{" + Join(values, ", ") + "};");
    code_.Line("},");
    code_.Line("{" + Join(directions, ", ") + "});");
    code_.Out();
    code_.Out();
  }

  void RowsCode(std::size_t i, const std::string& name) {
    const Section& section = pattern_.sections[i];
    const std::string type = RowTypeName(pattern_, i);
    const std::string from = Variable(i);
    if (section.whole) {
      code_.Line("auto " + name + " = ReadRows<" + type + ">(" + from +
                 ", [](const Item& item, std::size_t, Reader& reader) { return To" +
                 PascalCase(section.entity) + "(item, reader); });");
    } else {
      code_.Line("auto " + name + " = ReadRows<" + type + ">(" + from +
                 ", [&](const Item& item, std::size_t i, Reader& reader) {");
      code_.In();
      code_.Line(type + " row;");
      if (section.joins.empty()) {
        code_.Line("static_cast<void>(i);");
      }
      for (const Output& output : section.outputs) {
        const std::string item =
            output.join < 0 ? "item"
                            : "(*" + JoinName(i, static_cast<std::size_t>(output.join)) + ")[i]";
        code_.Line("reader.Read(" + Quoted(output.field.name) + ", " +
                   ReadText({output.field, output.source}, item) + ", row." +
                   Name(MemberName(output.field, section.outputs)) + ");");
      }
      code_.Line("return row;");
      code_.Out();
      code_.Line("});");
    }
    Check(name);
  }

  std::string Taken(std::size_t i, const std::string& name) const {
    return pattern_.sections[i].at_most_one ? "First(*std::move(" + name + "))"
                                            : "*std::move(" + name + ")";
  }

  void Return() {
    if (pattern_.sections.size() == 1) {
      RowsCode(0, "answer");
      code_.Line("return " + Taken(0, "answer") + ";");
      return;
    }
    code_.Line(pattern_.name + "Result result;");
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string name = "answer" + std::to_string(i + 1);
      RowsCode(i, name);
      code_.Line("result." + Name(names_[i]) + " = " + Taken(i, name) + ";");
    }
    code_.Line("return result;");
  }

  Code& header_;
};

}  // namespace

void PatternCode(const PatternFunction& pattern, bool exported, Files& files) {
  PatternWriter(pattern, exported, files).Write(exported);
}

}  // namespace prejoin::gen::cpp
