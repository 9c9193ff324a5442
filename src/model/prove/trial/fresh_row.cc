#include "model/prove/trial/fresh_row.h"

#include <algorithm>
#include <optional>
#include <set>

#include "model/prove/trial/taken_keys.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr int kFreshTriesMax = 100;

// A number with more digits than DynamoDB adds up stays as it is.
AttributeValue Next(const AttributeValue& value, int step) {
  const Result<Number> sum = value.number() != nullptr ? Number::Add(*value.number(), Number(step))
                                                       : Result<Number>(Number(0));
  return value.number() != nullptr && sum.has_value() ? AttributeValue(*sum) : value;
}

}  // namespace

void MakeUnique(const Attribute& attribute, std::initializer_list<const std::vector<Row>*> taken,
                Row& row) {
  const std::string& name = attribute.name.text;
  const auto used = [&](const AttributeValue& value) {
    return std::ranges::any_of(taken, [&](const std::vector<Row>* rows) {
      return std::ranges::any_of(*rows, [&](const Row& one) {
        const AttributeValue* other = one.Find(name);
        return other != nullptr && *other == value;
      });
    });
  };
  for (int i = 0; row.Find(name) != nullptr && used(*row.Find(name)) && i < kFreshTriesMax; ++i) {
    row.Set(name, DifferentValue(attribute, row.Find(name)));
  }
}

AttributeValue DifferentValue(const Attribute& attribute, const AttributeValue* value) {
  for (const AttributeValue& one : attribute.values) {
    if (value == nullptr || !(one == *value)) {
      return one;
    }
  }
  if (!attribute.members.empty()) {
    const AttributeValue* old_map = value;
    if (value != nullptr && value->list() != nullptr) {
      old_map = value->list()->empty() ? nullptr : &value->list()->front();
    }
    Item map;
    for (const Attribute& member : attribute.members) {
      const AttributeValue* old_value = old_map != nullptr && old_map->map() != nullptr
                                            ? old_map->map()->Find(member.name.text)
                                            : nullptr;
      map.Set(member.name.text, DifferentValue(member, old_value));
    }
    if (attribute.type == AttributeType::kMap) {
      return AttributeValue(std::move(map));
    }
    return AttributeValue(AttributeValue::List{AttributeValue(std::move(map))});
  }
  return AnotherValue(attribute.type, value);
}

namespace {

// The part of a key that a new row has another value of: the last one, and one that points nowhere if there is one.
const Attribute* LastKey(const Entity& entity) {
  const Attribute* last_key = nullptr;
  for (const Attribute& attribute : entity.attributes) {
    const bool better = last_key == nullptr || !attribute.references || last_key->references;
    if (attribute.is_key && better) {
      last_key = &attribute;
    }
  }
  return last_key;
}

// True if what `row` says of the target besides `end` is so: a role belongs to the tenant whose member gets it.
bool Agrees(const Model& model, const Entity& entity, const Row& row, const Attribute& end,
            const Row& target) {
  const std::vector<JoinColumn> columns = JoinColumns(entity, model.At(end.references->entity));
  const bool of_end = std::ranges::find(columns, end.name.text, &JoinColumn::from) != columns.end();
  return !of_end || std::ranges::all_of(columns, [&](const JoinColumn& column) {
    const AttributeValue* one = row.Find(column.from);
    const AttributeValue* other = target.Find(column.to);
    return column.from == end.name.text || one == nullptr || other == nullptr || *one == *other;
  });
}

// A link between two rows that exist and have none yet: the last row with another end, or else an earlier one.
std::optional<Row> FreeLink(const Model& model, const Entity& entity, const Attribute& end, const Dataset& data,
                            const std::vector<Row>& also_taken) {
  constexpr std::size_t kLinksTriedMax = 100;
  const std::vector<Row>& rows = data.Of(entity.name.text);
  const TakenKeys taken(entity, {&rows, &also_taken});
  for (std::size_t i = 0; i < std::min(rows.size(), kLinksTriedMax); ++i) {
    Row linked = rows[rows.size() - 1 - i];
    for (const Row& target : data.Of(end.references->entity.text)) {
      const AttributeValue* value = target.Find(end.references->attribute.text);
      if (value == nullptr || !Agrees(model, entity, linked, end, target)) {
        continue;
      }
      linked.Set(end.name.text, *value);
      if (!taken.Contain(linked)) {
        return linked;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

// A key that points at other rows points at rows that exist, if any pair of them is free.
Row FreshRow(const Model& model, const Entity& entity, const Dataset& data, const std::vector<Row>& also_taken) {
  const std::vector<Row>& rows = data.Of(entity.name.text);
  Row row = rows.empty() ? Row() : rows.back();
  const Attribute* last_key = LastKey(entity);
  if (last_key != nullptr && last_key->references) {
    row = FreeLink(model, entity, *last_key, data, also_taken).value_or(row);
  }
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && !attribute.is_key) {
      MakeUnique(attribute, {&rows, &also_taken}, row);
    }
  }
  if (last_key == nullptr) {
    return row;
  }
  // Only the last part of the key changes, so only rows with the same others count.
  const std::vector<std::string> keys = entity.KeyNames();
  std::vector<std::string> others = keys;
  std::erase(others, last_key->name.text);
  std::set<std::string> taken;
  for (const std::vector<Row>* all : {&rows, &also_taken}) {
    for (const Row& one : *all) {
      if (SameTuple(one, row, others)) {
        taken.insert(TupleText(one, keys));
      }
    }
  }
  for (int i = 0; taken.contains(TupleText(row, keys)) && i < kFreshTriesMax; ++i) {
    row.Set(last_key->name.text, DifferentValue(*last_key, row.Find(last_key->name.text)));
  }
  return row;
}

std::vector<Condition> BindConditions(const std::vector<Condition>& conditions, const Row& row) {
  std::vector<Condition> bound = conditions;
  for (Condition& condition : bound) {
    const AttributeValue* value = row.Find(condition.attribute.text);
    for (Operand& operand : condition.operands) {
      if (operand.parameter.empty()) {
        continue;
      }
      operand.parameter.clear();
      if (value == nullptr) {
        continue;
      }
      operand.literal = *value;
      if (condition.comparison == Comparison::kLess) {
        operand.literal = Next(*value, 1);
      }
      if (condition.comparison == Comparison::kGreater) {
        operand.literal = Next(*value, -1);
      }
      if (condition.comparison == Comparison::kNotEqual) {
        operand.literal =
            value->number() != nullptr ? Next(*value, 1) : AttributeValue("another value");
      }
    }
  }
  return bound;
}

}  // namespace prejoin::model
