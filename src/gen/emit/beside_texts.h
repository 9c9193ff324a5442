// The actions on the items that a row has in second layouts.
#ifndef PREJOIN_GEN_EMIT_BESIDE_TEXTS_H_
#define PREJOIN_GEN_EMIT_BESIDE_TEXTS_H_

#include <string>
#include <utility>
#include <vector>

#include "gen/emit/action_texts.h"

namespace prejoin::gen::emit {

// Works on one write. Borrows everything it is given. Single thread.
class BesideTexts : protected ActionTexts {
 protected:
  using ActionTexts::ActionTexts;
  using Place = WriteStepCode::Place;

  struct BesideAction {
    std::string text;
    bool list = false;  // None, one or two actions.
  };

  // The condition that what was read of a layout is unchanged; nothing if nothing was.
  std::string RestOf(const WriteStepCode& step, const EntityCode& layout) const {
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < step.rest.size(); ++i) {
      for (const Field& field : step.rest[i].fields) {
        if (step.rest[i].layout == &layout) {
          expected.push_back(RowPair(field.name, RestValue(i, field.name)));
        }
      }
    }
    return expected.empty() ? "" : Changes(expected);
  }

  // `row`: the row that a put writes.
  BesideAction BesideActionOf(const WriteStepCode& other, const std::string& row) const {
    std::vector<std::string> names;
    for (const KeyValue& key : other.key) {
      names.push_back(key.attribute);
    }
    const bool put = other.kind == Kind::kPut;
    const bool update = other.kind == Kind::kUpdate;
    const Parts parts = {{"entity", in_.program().CodeName(other.entity->name)},
                         {"entity_name", other.row_entity},
                         {"table", other.entity->table},
                         {"row", row},
                         {"guard", other.once ? Quoted(names[0]) : ""},
                         {"expected", ""},
                         {"names", QuotedAll(names)}};
    if (other.place == Place::kKept) {
      return {say("update_second",
                  Also(parts, {{"key", OldKey(other)}, {"changes", ChangesText(other)}})),
              true};
    }
    if (other.place == Place::kMoves) {
      const std::string item = put      ? say("second_item", parts)
                               : update ? NewItem(other)
                                        : say("item_with", {{"pairs", std::vector<std::string>()}});
      return {say("move_second", Also(parts, {{"before", OldKey(other)}, {"item", item}})), true};
    }
    if (put) {
      return {say("put_second", parts)};
    }
    const Parts keyed =
        Also(parts, {{"key", KeyOf(other, other.key)}, {"expected", RestOf(other, *other.entity)}});
    if (!update) {
      return {say("remove", keyed)};
    }
    return {Conditional(other, say("update", Also(keyed, {{"changes", ChangesText(other)}})))};
  }

 private:
  // The key as it was before the step; nothing for a part of it that the row did not have.
  std::string OldKey(const WriteStepCode& other) const {
    std::vector<std::string> pairs;
    for (const KeyValue& key : other.key) {
      if (other.kind == Kind::kPut && other.once) {
        break;
      }
      const When when = other.kind == Kind::kUpdate ? When::kBefore : When::kAfter;
      pairs.push_back(RowPair(key.attribute, TextIfPresent(other, AsRead(other, key.call), when)));
    }
    return Changes(pairs);
  }

  // The item as it is after an update.
  std::string NewItem(const WriteStepCode& other) const {
    std::vector<std::string> pairs;
    for (const StoredKey& key : other.rendered) {
      pairs.push_back(RowPair(key.attribute, RenderedText(other, key)));
    }
    if (!other.entity->type_attribute.empty()) {
      pairs.push_back(RowPair(other.entity->type_attribute,
                              in_.Literal(AttributeValue(other.entity->type_value))));
    }
    for (const Field& field : other.entity->plain) {
      pairs.push_back(RowPair(field.name, ValueAfter(other, field.name)));
    }
    return say("item_with", {{"pairs", pairs}});
  }

  // The value that an update gives, or that was read.
  std::string ValueAfter(const WriteStepCode& other, const std::string& field) const {
    for (const FieldSource& before : other.read_before) {
      if (before.field.name != field || Has(other.set, field) || Has(other.removed, field)) {
        continue;
      }
      return before.source.literals.empty()
                 ? say("before_value", {{"item", before_}, {"attribute", before.source.attribute}})
                 : in_.Source("read", before, before_, /*loose=*/true);
    }
    for (std::size_t i = 0; i < other.rest.size(); ++i) {
      if (ActionTexts::Has(other.rest[i].fields, field)) {
        return RestValue(i, field);
      }
    }
    return NewMember(other, field);
  }

  std::string RestValue(std::size_t number, const std::string& attribute) const {
    return say("before_value", {{"item", rest_[number]}, {"attribute", attribute}});
  }

 protected:
  std::vector<std::string>
      rest_;  // The variables with the rest of the row before the step at hand.
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_BESIDE_TEXTS_H_
