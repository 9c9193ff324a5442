// The function of a pattern. The order of the steps that make the rows of a section is that of the plan: only items of the section's
// entity, the rows inside them, the whole items that an index only pointed at, what the filter lets through, the rows on the other side of
// an edge, their order, the first of them. A join comes last, because it keeps rows whose other side is absent.
#include "gen/emit/names.h"
#include "gen/emit/package.h"
#include "gen/request_text.h"
#include "gen/words.h"

namespace prejoin::gen::emit {

// One pattern being written. Single thread. Borrows everything it is given.
class PatternCode {
 public:
  PatternCode(Package& package, PatternFunction pattern, bool exported)
      : to_(package),
        say(package.say),
        pattern_(std::move(pattern)),
        exported_(exported),
        names_(SectionNames(pattern_)) {
    if (say.Has("pattern_name")) {
      pattern_.name = say("pattern_name", {{"called", pattern_.name}, {"exported", exported}});
    }
  }

  void Write() {
    const Parts parts = PatternParts();
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      RowType(i);
    }
    if (pattern_.sections.size() > 1) {
      ResultType(parts);
    }
    to_.Emit("pattern", Also(parts, {{"body", Body()}}));
    if (exported_ && pattern_.pages && say.Has("page")) {
      const Read& read = pattern_.reads[0];
      to_.Emit("page", Also(Also(parts, RequestParts(read)),
                            {{"rows", RowsText(0)}, {"steps", SectionRows(0)}}));
    }
  }

 private:
  std::string Type(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    if (section.measured()) {
      return say(section.measure == model::Measure::kCount ? "count_type" : "sum_type");
    }
    return section.entity_rows ? kImportMark + to_.program_.TypeName(section.entity)
                               : RowTypeName(pattern_, i);
  }
  std::string Entity(const std::string& name) const { return to_.program_.CodeName(name); }

  std::string SectionType(std::size_t i) const {
    if (pattern_.sections[i].measured()) {
      return Type(i);
    }
    return say("section_type", {{"type", Type(i)}, {"one", pattern_.sections[i].at_most_one}});
  }

  Parts PatternParts() const {
    const std::string& title = pattern_.pattern->title;
    std::vector<Field> fields;
    for (const model::Parameter& parameter : pattern_.parameters) {
      fields.push_back({parameter.name, parameter.type, false, {}});
    }
    const bool one = pattern_.sections.size() == 1;
    return {{"called", pattern_.name},
            {"exported", exported_},
            {"title", title.empty() ? pattern_.pattern->name.text : CommentText(title)},
            {"titled", !title.empty()},
            {"summary", pattern_.summary},
            {"consistency", ConsistencyText(pattern_)},
            {"parameters", to_.Each("parameter_declared", fields)},
            {"fields", to_.Each("field", fields)},
            {"several", !one},
            {"one", one && pattern_.sections[0].at_most_one},
            {"row_type", Type(0)},
            {"result", one ? SectionType(0) : pattern_.name + "Result"}};
  }

  void RowType(std::size_t i) {
    const Section& section = pattern_.sections[i];
    if (section.entity_rows || section.measured()) {
      return;
    }
    std::vector<Field> fields;
    std::vector<std::string> optional;
    for (const Output& output : section.outputs) {
      fields.push_back(output.field);
      fields.back().name = MemberName(output.field, section.outputs);
      if (output.field.optional) {
        optional.push_back(to_.Styled("name", fields.back().name));
      }
    }
    to_.Emit("row_type", {{"type", Type(i)},
                          {"exported", exported_},
                          {"members", to_.Each("field", fields)},
                          {"optional", optional}});
  }

  void ResultType(const Parts& parts) {
    std::size_t widest = 0;
    for (const std::string& name : names_) {
      widest = std::max(widest, to_.Styled("name", name).size());
    }
    std::vector<std::string> members;
    std::vector<std::string> optional;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string pad(widest - to_.Styled("name", names_[i]).size(), ' ');
      members.push_back(
          say("result_member", {{"section", names_[i]}, {"type", SectionType(i)}, {"pad", pad}}));
      if (pattern_.sections[i].at_most_one) {
        optional.push_back(to_.Styled("name", names_[i]));
      }
    }
    to_.Emit("result_type", Also(parts, {{"members", members}, {"optional", optional}}));
  }

  // ---- Reads

  std::string ItemsName(std::size_t read) const {
    const std::string name = pattern_.reads[read].counts ? "counted" : "items";
    return pattern_.reads.size() == 1 ? name : name + std::to_string(read + 1);
  }

  // What a function whose answer is a number gives beside an error.
  Parts Zero() const {
    const bool alone = pattern_.sections.size() == 1 && pattern_.sections[0].measured();
    return {{"zero", alone ? say.Maybe("zero_value", {{"counts", IsCount(0)}}) : ""}};
  }

  bool IsCount(std::size_t i) const {
    return pattern_.sections[i].measure == model::Measure::kCount;
  }

  // The key condition as a test of each attribute, for languages that build it so.
  std::vector<std::string> KeyTests(const Read& read, const KeyCondition& condition) const {
    std::vector<std::string> tests;
    if (!say.Has("key_test") || read.get) {
      return tests;
    }
    std::size_t at = 0;
    for (const KeyValue& key : read.equal) {
      tests.push_back(say("key_test", {{"attribute", key.attribute},
                                       {"value", to_.ConditionValue(condition.values[at++])},
                                       {"equal", true}}));
    }
    if (read.test != SortTest::kNone) {
      const bool between = read.test == SortTest::kBetween;
      tests.push_back(say(
          "key_test",
          {{"attribute", read.sort_attribute},
           {"value", to_.ConditionValue(condition.values[at])},
           {"high", between ? to_.ConditionValue(condition.values[at + 1]) : ""},
           {"equal", read.test == SortTest::kEqual},
           {"begins_with", read.test == SortTest::kBeginsWith},
           {"between", between},
           {"at_least", read.test == SortTest::kAtLeast},
           {"at_most", read.test == SortTest::kAtMost}}));
    }
    return tests;
  }

  Parts RequestParts(const Read& read) const {
    const KeyCondition condition = KeyConditionOf(read);
    std::vector<std::string> names;
    for (const auto& [name, attribute] : condition.names) {
      names.push_back(say("name_pair", {{"placeholder", name}, {"attribute", attribute}}));
    }
    std::vector<std::string> values;
    for (const KeyCondition::Value& value : condition.values) {
      values.push_back(to_.Pair(value.name, to_.ConditionValue(value)));
    }
    std::vector<std::string> tests;
    for (const Enough& one : EnoughItems(pattern_, read)) {
      const std::string entity = one.entity.empty() ? "" : Entity(one.entity);
      tests.push_back(say("enough", {{"entity", entity}, {"count", std::to_string(one.count)}}));
    }
    std::vector<std::string> key;
    if (read.get) {
      for (const KeyValue& one : read.equal) {
        key.push_back(to_.Pair(one.attribute, to_.Key(one.call)));
      }
    }
    return {{"table", read.table},
            {"index", read.index},
            {"condition", Quoted(condition.text)},
            {"key_tests", KeyTests(read, condition)},
            {"names", names},
            {"values", values},
            {"pairs", values},
            {"key", key},
            {"key_object", read.get ? to_.Object(key) : ""},
            {"descending", read.descending},
            {"consistent", read.consistent},
            {"all_attributes", read.all_attributes},
            {"counts", read.counts},
            {"tests", tests},
            {"one_test", tests.size() == 1},
            {"limit", tests.empty() ? "" : std::to_string(*read.limit)}};
  }

  // The read as an expression.
  std::string Request(const Read& read) const {
    const Parts parts = Also(RequestParts(read), {{"exported", exported_}});
    std::string request = say(read.get ? "get" : read.scan ? "scan" : "query", parts);
    if (read.sharded()) {
      request = say("sharded", {{"count", std::to_string(read.shards)}, {"request", request}});
      if (read.each.empty()) {
        return request;
      }
      request = say("shards_of_each", {{"request", request}});
    }
    if (!read.each.empty()) {
      std::vector<std::string> values;
      for (const gen::Value& value : read.each) {
        values.push_back(to_.Value(value));
      }
      const Field field{"", read.each[0].type, false, {}};
      return say("each", Also(to_.FieldParts(field), {{"values", values}, {"request", request}}));
    }
    return say.Has("single") ? say("single", {{"request", request}, {"counts", read.counts}})
                             : request;
  }

  std::string Reads() const {
    std::vector<std::string> names;
    std::vector<std::string> requests;
    for (std::size_t i = 0; i < pattern_.reads.size(); ++i) {
      names.push_back(ItemsName(i));
      requests.push_back(Request(pattern_.reads[i]));
    }
    if (names.size() > 1 && say.Has("reads")) {
      return say("reads", {{"names", names}, {"requests", requests}});
    }
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
      lines.push_back(say("read_request", Also(Zero(), {{"items", names[i]},
                                                        {"request", requests[i]},
                                                        {"counts", pattern_.reads[i].counts}})));
    }
    return Join(lines, "\n");
  }

  // ---- Rows

  std::string Variable(std::size_t i) const {
    if (pattern_.sections.size() == 1) {
      return say("only_rows");
    }
    return to_.Styled("variable", SectionItemsWords(say, to_.program_, pattern_, i));
  }

  std::string JoinName(std::size_t i, std::size_t j) const {
    return to_.Styled("variable", JoinWords(to_.program_, pattern_, i, j));
  }

  // The rows of a section are not simply the items of its read.
  bool HasSteps(const Section& section) const {
    if (pattern_.reads[section.read].counts) {
      return false;
    }
    return say.Has("rows_start") || section.classify || section.embedded || section.fetch ||
           !section.beside.empty() || !section.filters.empty() || section.via || !section.sort.empty() || section.limit ||
           !section.joins.empty();
  }

  std::string FilterText(const Section& section) const {
    std::vector<std::string> tests;
    for (const Filter& filter : section.filters) {
      std::vector<std::string> operands;
      for (const gen::Value& operand : filter.operands) {
        operands.push_back(to_.Value(operand));
      }
      tests.push_back(
          say("filter_test", {{"value", to_.Source("read", filter.field, "item", /*loose=*/true)},
                              {"first", filter.first > 0 ? std::to_string(filter.first) : ""},
                              {"comparison", std::string(model::ComparisonName(filter.comparison))},
                              {"operands", operands}}));
    }
    return say("all_of", {{"tests", tests}});
  }

  Parts FetchParts(const Fetch& fetch, const Section& section) const {
    return {{"table", fetch.table},
            {"key", to_.KeyObject(fetch.key)},
            {"consistent", pattern_.reads[section.read].consistent}};
  }

  std::string Inside(const Embedded& embedded, Parts parts) const {
    std::vector<std::string> parent;
    for (const FieldSource& source : embedded.parent) {
      parent.push_back(say("parent_member", {{"attribute", source.field.name},
                                             {"value", to_.Source("read", source, "item")}}));
    }
    return say("inside", Also(std::move(parts), {{"attribute", embedded.attribute},
                                                 {"map", embedded.map},
                                                 {"by", Quoted(embedded.by)},
                                                 {"member", Quoted(embedded.plain_member)},
                                                 {"plain", !embedded.plain_member.empty()},
                                                 {"parent", parent}}));
  }

  std::string Sort(const Section& section, Parts parts) const {
    std::vector<std::string> keys;
    std::vector<std::string> values;
    std::vector<std::string> directions;
    for (const SectionSort& sort : section.sort) {
      values.push_back(to_.Source("read", sort.field, "item", /*loose=*/true));
      directions.push_back(sort.descending ? "-1" : "1");
      keys.push_back(
          say.Maybe("sort_key", {{"value", values.back()}, {"descending", sort.descending}}));
    }
    return say("sort", Also(std::move(parts),
                            {{"keys", keys}, {"values", values}, {"directions", directions}}));
  }

  // An expression or statement for each step.
  struct Step {
    std::string text;
    bool fetched = false;  // Some of its items may be absent.
  };

  std::vector<Step> StepsOf(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    std::vector<Step> steps;
    const bool started = say.Has("rows_start");
    const auto from = [&](const Parts& more = {}) {
      return Also({{"from", steps.empty() && !started ? ItemsName(section.read) : Variable(i)},
                   {"rows", Variable(i)}},
                  more);
    };
    const auto add_beside = [&](bool first) {
      for (const Beside& one : section.beside) {
        if (one.first == first) {
          const Parts parts = Also(FetchParts(one.fetch, section), {{"needed", one.needed}});
          steps.push_back({say("beside", from(parts)), true});
        }
      }
    };
    if (section.classify) {
      steps.push_back({say("of_entity", from({{"entity", Entity(section.item_entity)}}))});
    }
    if (section.embedded) {
      steps.push_back({Inside(*section.embedded, from())});
    }
    if (section.fetch) {
      steps.push_back({say("fetch", from(FetchParts(*section.fetch, section))), true});
    }
    add_beside(/*first=*/true);
    if (!section.filters.empty()) {
      steps.push_back({say("filter", from({{"test", FilterText(section)}}))});
    }
    if (section.via) {
      steps.push_back(
          {say("fetch", from(Also(FetchParts(*section.via, section), {{"distinct", true}}))),
           true});
    }
    if (!section.sort.empty()) {
      steps.push_back({Sort(section, from())});
    }
    if (section.limit) {
      steps.push_back({say("at_most", from({{"count", std::to_string(*section.limit)}}))});
    }
    add_beside(/*first=*/false);
    if (steps.empty() && !started) {
      steps.push_back({ItemsName(section.read)});
    }
    return steps;
  }

  // The statements that make the rows of a section, and those of its joins.
  std::string SectionRows(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    if (!HasSteps(section)) {
      return "";
    }
    const std::string rows = Variable(i);
    std::vector<std::string> lines;
    if (say.Has("rows_start")) {
      lines.push_back(say("rows_start", {{"rows", rows}, {"items", ItemsName(section.read)}}));
    }
    const std::vector<Step> steps = StepsOf(i);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      lines.push_back(say("step", Also(Zero(), {{"rows", rows},
                                                {"value", steps[k].text},
                                                {"fetched", steps[k].fetched},
                                                {"first", k == 0},
                                                {"only", steps.size() == 1}})));
    }
    for (std::size_t j = 0; j < section.joins.size(); ++j) {
      const Parts parts = Also({{"join", JoinName(i, j)}, {"from", rows}, {"rows", rows}},
                               FetchParts(section.joins[j], section));
      lines.push_back(say("join", parts));
    }
    return Join(lines, "\n");
  }

  Parts RowsParts(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    std::vector<std::string> members;
    for (const Output& output : section.outputs) {
      const bool joined = output.join >= 0;
      const std::string item =
          joined ? say("join_item", {{"join", JoinName(i, static_cast<std::size_t>(output.join))}})
                 : "item";
      if (!section.whole) {
        members.push_back(
            say("row_member",
                {{"attribute", MemberName(output.field, section.outputs)},
                 {"field", output.field.name},
                 {"value", to_.Source("row_value", {output.field, output.source}, item)}}));
      }
    }
    return {{"from", HasSteps(section) ? Variable(i) : ItemsName(section.read)},
            {"section", names_[i]},
            {"section_rows", SectionRowsWords(pattern_, i)},
            {"type", Type(i)},
            {"entity", Entity(section.entity)},
            {"number", std::to_string(i + 1)},
            {"members", members},
            {"joined", !section.joins.empty()},
            {"whole", section.whole},
            {"one", section.at_most_one},
            {"several", pattern_.sections.size() > 1}};
  }

  std::string RowsText(std::size_t i) const { return say("rows", RowsParts(i)); }

  // The number that a count or a sum answers.
  std::string Measured(std::size_t i) const {
    const Section& section = pattern_.sections[i];
    const std::string from = HasSteps(section) ? Variable(i) : ItemsName(section.read);
    if (pattern_.reads[section.read].counts) {
      return say("counted_items", {{"from", from}});
    }
    if (IsCount(i)) {
      return say("count_rows", {{"from", from}});
    }
    const Output& amount = section.outputs[0];
    return say("sum_rows",
               {{"from", from},
                {"value", to_.Source("read", {amount.field, amount.source}, "item", /*loose=*/true)}});
  }

  std::string Return() const {
    if (pattern_.sections.size() == 1 && pattern_.sections[0].measured()) {
      return say("return_measured", {{"value", Measured(0)}});
    }
    if (pattern_.sections.size() == 1) {
      return say("return_rows", Also(RowsParts(0), {{"rows", RowsText(0)}}));
    }
    std::vector<std::string> statements;
    std::vector<std::string> members;
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      if (pattern_.sections[i].measured()) {
        const Parts measured = {{"section", names_[i]}, {"value", Measured(i)}};
        if (say.Has("measured_statement")) {
          statements.push_back(say("measured_statement", measured));
        }
        members.push_back(say.Maybe("measured_member", measured));
        continue;
      }
      const Parts parts = Also(RowsParts(i), {{"rows", RowsText(i)}});
      statements.push_back(say.Maybe("section_statement", parts));
      members.push_back(say.Maybe("section_member", parts));
    }
    return say(
        "return_sections",
        {{"result", pattern_.name + "Result"}, {"statements", statements}, {"members", members}});
  }

  std::string Body() const {
    std::vector<std::string> lines = {Reads()};
    for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
      if (std::string rows = SectionRows(i); !rows.empty()) {
        lines.push_back(std::move(rows));
      }
    }
    lines.push_back(Return());
    return Join(lines, "\n");
  }

  Package& to_;
  const Spelling& say;
  PatternFunction pattern_;
  const bool exported_;
  const std::vector<std::string> names_;  // The names of the sections.
};

void Package::Pattern(const PatternFunction& pattern, bool exported) {
  PatternCode(*this, pattern, exported).Write();
}

}  // namespace prejoin::gen::emit
