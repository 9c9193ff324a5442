// The expressions of generated code in one language: values, keys, types, as its table spells them.
#ifndef PREJOIN_GEN_EMIT_EXPRESSIONS_H_
#define PREJOIN_GEN_EMIT_EXPRESSIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "gen/emit/spelling.h"
#include "gen/program.h"
#include "gen/request_text.h"

namespace prejoin::gen::emit {

// `row` is the expression that members are taken from, or nothing: they are parameters; `item` is that of the item at hand.
struct Scope {
  std::string row = "row";
  std::string item = "item";
};

// Borrows the program. Thread-compatible.
class Expressions {
 public:
  Expressions(Spelling spelling, const Program& program)
      : say(std::move(spelling)), program_(program) {}

  // Where a literal stands: as a stored value, or as the language's own.
  enum class Place { kStored, kBare };

  std::string Styled(std::string_view style, const std::string& text) const {
    return say.Styled(style, text);
  }
  // The language's type for a field; with `optional`, for one that may be absent.
  std::string TypeOf(const Field& field) const;
  // The parts that say what a field is: attribute, type, optional, and its shape.
  Parts FieldParts(const Field& field) const;
  // An entry for each field; `pad` fills the names to one width.
  std::vector<std::string> Each(std::string_view entry, const std::vector<Field>& fields,
                                const Parts& more = {}) const;
  std::string Literal(const AttributeValue& value, Place place = Place::kStored) const;
  // An attribute of an item by one of the entries stored, read, item_value, row_value. `loose`: it may be absent, and hold any text.
  std::string Source(std::string_view entry, const FieldSource& source, const std::string& item,
                     bool loose = false) const;
  std::string Value(const gen::Value& value, const Scope& names = {}) const;
  std::string Member(const std::string& row, const std::string& attribute) const;
  // The text of a value that is known to be there although it may be absent.
  std::string Present(const gen::Value& value, const std::string& text) const;
  std::string Pair(const std::string& attribute, const std::string& value) const;
  std::string Object(const std::vector<std::string>& pairs) const;
  // A key from the texts of its arguments.
  std::string KeyOf(const KeyCall& call, std::vector<std::string> arguments) const;
  std::string Key(const KeyCall& call, const Scope& names = {}) const;
  std::string KeyObject(const std::vector<KeyValue>& key, const Scope& names = {}) const;
  // A value of a key condition: one key, or the least or greatest of several.
  std::string ConditionValue(const KeyCondition::Value& value) const;
  // The call that makes the key of an entity's item; `members` are the texts of its identity.
  std::string EntityKey(const EntityCode& entity, const std::vector<std::string>& members,
                        const std::string& row) const;
  // The same, of the members of a row.
  std::string RowKey(const EntityCode& entity, const std::string& row) const;
  // A part of a key function: padded(year, 4).
  std::string PartCall(const model::TemplatePart& part, bool open_shard) const;
  std::string Function(std::string_view words) const {
    return say.Styled("function", std::string(words));
  }

  const Program& program() const { return program_; }

  const Spelling say;

 protected:
  const Program& program_;
};

std::vector<std::string> QuotedAll(const std::vector<std::string>& texts);

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_EXPRESSIONS_H_
