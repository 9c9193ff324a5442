// The parts that a language spells for itself: names, values, how a member is reached. The texts that are put together from these in the same
// way in every language are below, once.
#ifndef PREJOIN_GEN_LANGUAGE_H_
#define PREJOIN_GEN_LANGUAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "gen/code.h"
#include "gen/program.h"
#include "gen/request_text.h"

namespace prejoin::gen {

// `row` is the expression that members are taken from, `item` that of the item at hand.
struct Names {
  std::string row = "row";
  std::string item = "item";
};

// The text before and behind something.
struct Around {
  const char* before;
  const char* behind;

  std::string operator()(const std::string& text) const { return before + text + behind; }
};

// How values of DynamoDB's types are written.
struct LiteralStyle {
  Around text;
  Around number;
  Around list;
  Around map;
  Around empty_map;
  Around text_set;
  Around number_set;
  Around set_number;  // One of those in a set.
  Around binary;      // Around the numbers of its bytes.
  const char* yes;
  const char* no;
  const char* nothing;
};

// Plain data, one constant for each language.
struct Language {
  std::string (*variable)(std::string_view words);  // "student items" is studentItems …
  std::string (*function)(std::string_view words);
  std::string (*name)(
      const std::string& name);  // Of an attribute, as a variable or member; never a keyword.
  const char* arguments;         // In front of a parameter of the function at hand: "args."
  std::string (*property)(const std::string& name);  // Where an object is made.
  Around pair;                                       // Around such a member and its value …
  const char* pair_middle;                           // … and between them.
  Around object;
  std::string (*attribute)(const std::string& item, const std::string& name);  // It must be there.
  std::string (*read)(const FieldSource& source, const std::string& item);
  std::string (*item_value)(const FieldSource& source, const std::string& item);  // For a key.
  const char* present;  // In front of an optional member that is known to be there.
  LiteralStyle literals;
  // Where a key function takes a value; null: as everywhere.
  std::string (*key_literal)(const AttributeValue& value) = nullptr;
  // Of an attribute as a parameter; null: as a member.
  std::string (*parameter)(const std::string& name) = nullptr;
  const char* accessor = "";  // Behind a member that is read.
  // Around a call that may refuse a value, where its result is used at once.
  Around refusable = {"", ""};
  const char* between = ", ";  // Members where an object is made.

  std::string Parameter(const std::string& member) const {
    return parameter != nullptr ? parameter(member) : name(member);
  }
  std::string Member(const std::string& row, const std::string& member) const {
    return row.empty() ? Parameter(member) : row + "." + name(member) + accessor;
  }
  std::string Pair(const std::string& member, const std::string& value) const {
    return pair(property(member) + pair_middle + value);
  }
  std::string Object(const std::vector<std::string>& members) const;
  std::string Literal(const AttributeValue& value) const;
};

std::string ValueText(const Language& language, const Value& value, const Names& names = {});
// The text of a value that is known to be there although it may be absent.
std::string PresentText(const Language& language, const Value& value, const std::string& text);
// The function of a key from its words: "student gsi1pk prefix by org".
std::string KeyFunctionName(const Language& language, const KeyFunction& function);
// A part of a key function, without what the language puts around it: padded(year, 4).
std::string PartCall(const Language& language, const model::TemplatePart& part, bool open_shard);
std::string KeyText(const Language& language, const KeyCall& call, const Names& names = {});
// `{ PK: …, SK: … }`
std::string KeyObject(const Language& language, const std::vector<KeyValue>& key,
                      const Names& names = {});
// A value of a key condition: one key, or the least or greatest of several.
std::string ConditionValueText(const Language& language, const KeyCondition::Value& value);
// student_key(row.id): the key of an item from what finds it; `member` gives the text of a field.
template <class Member>
std::string EntityKey(const Language& language, const EntityCode& entity, const Member& member) {
  std::vector<std::string> arguments;
  for (const Field& field : entity.identity) {
    arguments.push_back((field.optional ? language.present : "") + member(field.name));
  }
  return language.refusable(language.function(entity.name + " key") + "(" + Join(arguments, ", ") +
                            ")");
}
// The same, of the members of a row.
std::string RowKey(const Language& language, const EntityCode& entity, const std::string& row);
// Each text with the same around it.
std::vector<std::string> EachAround(const std::vector<std::string>& texts, const Around& around);
// item["PK"]
std::string Indexed(const std::string& item, const std::string& name);
// "STU#", ""
std::string QuotedList(const std::vector<std::string>& texts);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_LANGUAGE_H_
