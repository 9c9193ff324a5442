#include "gen/pattern_steps.h"

#include "gen/request_text.h"
#include "gen/words.h"

namespace prejoin::gen {

PatternSteps::PatternSteps(const Language& language, const PatternFunction& pattern,
                           Wording wording, Code& code)
    : language_(language),
      pattern_(pattern),
      wording_(wording),
      code_(code),
      names_(SectionNames(pattern)) {}

void PatternSteps::Write(bool exported) {
  for (std::size_t i = 0; i < pattern_.sections.size(); ++i) {
    const Section& section = pattern_.sections[i];
    if (section.entity_rows) {
      continue;
    }
    std::vector<Field> fields;
    for (const Output& output : section.outputs) {
      fields.push_back(output.field);
      fields.back().name = MemberName(output.field, section.outputs);
    }
    RowType(RowTypeName(pattern_, i), fields);
  }
  if (pattern_.sections.size() > 1) {
    ResultTypes();
  }
  Function(exported);
  if (exported && pattern_.pages) {
    PageFunction();
  }
}

void PatternSteps::ScanMembers(const Read& read, const std::string& table) {
  RequestMember("TableName", table);
  if (read.consistent) {
    RequestMember("ConsistentRead", language_.literals.yes);
  }
}

void PatternSteps::QueryMembers(const Read& read, const std::string& table) {
  const KeyCondition condition = KeyConditionOf(read);
  RequestMember("TableName", table);
  if (!read.index.empty()) {
    RequestMember("IndexName", Quoted(read.index));
  }
  RequestMember("KeyConditionExpression", Quoted(condition.text));
  std::vector<std::string> names;
  for (const auto& [name, attribute] : condition.names) {
    names.push_back(NamePair(name, attribute));
  }
  RequestObject("ExpressionAttributeNames", names);
  std::vector<std::string> values;
  for (const KeyCondition::Value& value : condition.values) {
    values.push_back(language_.Pair(value.name, ConditionValueText(language_, value)));
  }
  RequestObject("ExpressionAttributeValues", values);
  if (read.descending) {
    RequestMember("ScanIndexForward", language_.literals.no);
  }
  if (read.consistent) {
    RequestMember("ConsistentRead", language_.literals.yes);
  }
  if (read.all_attributes) {
    RequestMember("Select", Quoted("ALL_ATTRIBUTES"));
  }
}

std::string PatternSteps::NamePair(const std::string& name, const std::string& attribute) const {
  return Quoted(name) + ": " + Quoted(attribute);
}

std::vector<std::string> PatternSteps::EnoughTests(const std::vector<Enough>& enough) const {
  std::vector<std::string> tests;
  for (const Enough& one : enough) {
    tests.push_back(CountText(one.entity) + " >= " + std::to_string(one.count));
  }
  return tests;
}

std::string PatternSteps::ResultType() const {
  return pattern_.sections.size() > 1 ? pattern_.name + "Result" : SectionType(0);
}

std::string PatternSteps::Title() const {
  const std::string& title = pattern_.pattern->title;
  return title.empty() ? pattern_.pattern->name.text : CommentText(title);
}

std::string PatternSteps::ItemsName(std::size_t read) const {
  return pattern_.reads.size() == 1 ? "items" : "items" + std::to_string(read + 1);
}

std::string PatternSteps::Variable(std::size_t i) const {
  if (pattern_.sections.size() == 1) {
    return wording_.only_rows;
  }
  const std::string name =
      language_.variable(pattern_.sections[i].entity + " " + wording_.rows_words);
  for (std::size_t other = 0; other < i; ++other) {
    if (pattern_.sections[other].entity == pattern_.sections[i].entity) {
      return name + std::to_string(i + 1);
    }
  }
  return name;
}

std::string PatternSteps::JoinName(std::size_t i, std::size_t j) const {
  const std::string name = language_.variable(Plural(pattern_.sections[i].joins[j].entity));
  return pattern_.sections.size() == 1 ? name : name + std::to_string(i + 1);
}

std::string PatternSteps::RowsFrom(std::size_t i) const {
  const Section& section = pattern_.sections[i];
  return HasSteps(section) ? Variable(i) : ItemsName(section.read);
}

std::vector<std::string> PatternSteps::EachValues(const Read& read) const {
  std::vector<std::string> values;
  for (const Value& value : read.each) {
    values.push_back(ValueText(language_, value));
  }
  return values;
}

bool PatternSteps::HasSteps(const Section& section) {
  return section.classify || section.embedded || section.fetch || !section.filters.empty() ||
         section.via || !section.sort.empty() || section.limit || !section.joins.empty();
}

std::string PatternSteps::Test(const std::string& field, const std::string& comparison,
                               const std::vector<std::string>& operands) const {
  std::string text = "matches(" + field + ", " + comparison;
  for (const std::string& operand : operands) {
    text += ", " + operand;
  }
  return text + ")";
}

std::string PatternSteps::FilterText(const Section& section) const {
  std::vector<std::string> tests;
  for (const Filter& filter : section.filters) {
    std::vector<std::string> operands;
    for (const Value& operand : filter.operands) {
      operands.push_back(ValueText(language_, operand));
    }
    tests.push_back(Test(language_.read(Loose(filter.field), "item"),
                         Quoted(std::string(model::ComparisonName(filter.comparison))), operands));
  }
  return Join(tests, Both());
}

FieldSource PatternSteps::Loose(FieldSource field) const {
  field.field.optional = true;
  return field;
}

}  // namespace prejoin::gen
