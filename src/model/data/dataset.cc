#include "model/data/dataset.h"

#include <algorithm>
#include <unordered_map>

#include "model/schema/join.h"

namespace prejoin::model {

const std::vector<Row>& Dataset::Of(std::string_view entity) const {
  static const std::vector<Row> kNone;
  const auto found = rows.find(entity);
  return found == rows.end() ? kNone : found->second;
}

std::size_t Dataset::size() const {
  std::size_t total = 0;
  for (const auto& [entity, all] : rows) {
    total += all.size();
  }
  return total;
}

void DeriveValues(const Entity& entity, Row& row) {
  for (const Attribute& derived : entity.derived) {
    const AttributeValue* value = row.Find(derived.derived_from);
    if (value != nullptr && value->string() != nullptr) {
      row.Set(derived.name.text, AttributeValue(BeginningOf(*value->string(), derived.derivation)));
    } else {
      row.Remove(derived.name.text);
    }
  }
}

Dataset SampleData(const Model& model) {
  Dataset data;
  for (const Sample& sample : model.samples) {
    std::vector<Row>& rows = data.rows[sample.entity.text];
    for (const SampleRow& sample_row : sample.rows) {
      Row row;
      for (std::size_t i = 0; i < sample.columns.size(); ++i) {
        if (sample_row.values[i]) {
          row.Set(sample.columns[i].text, *sample_row.values[i]);
        }
      }
      DeriveValues(model.At(sample.entity), row);
      rows.push_back(std::move(row));
    }
  }
  DeriveAggregates(model, data);
  return data;
}

void DeriveAggregates(const Model& model, Dataset& data) {
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind != StoredKind::kSum && stored.kind != StoredKind::kCount) {
          continue;
        }
        const Entity& parent = model.At(layout.entity);
        const Entity& child = model.At(stored.copy.entity);
        std::vector<std::string> from;
        std::vector<std::string> to;
        for (const JoinColumn& column : JoinColumns(child, parent)) {
          from.push_back(column.from);
          to.push_back(column.to);
        }
        std::unordered_map<std::string, Number> totals;
        for (const Row& row : data.Of(child.name.text)) {
          const AttributeValue* value = row.Find(stored.copy.attribute.text);
          const Number* number = value != nullptr ? value->number() : nullptr;
          const bool sum = stored.kind == StoredKind::kSum;
          if (sum && number == nullptr) {
            continue;
          }
          Number& total = totals.try_emplace(TupleText(row, from), Number(0)).first->second;
          if (const auto added = Number::Add(total, sum ? *number : Number(1))) {
            total = *added;
          }
        }
        const auto rows = data.rows.find(parent.name.text);
        if (rows == data.rows.end()) {
          continue;
        }
        for (Row& row : rows->second) {
          const auto total = totals.find(TupleText(row, to));
          row.Set(stored.name.text,
                  AttributeValue(total != totals.end() ? total->second : Number(0)));
        }
      }
    }
  }
}

int CompareValues(const AttributeValue* a, const AttributeValue* b) {
  if (a == nullptr || b == nullptr) {
    return (a != nullptr ? 1 : 0) - (b != nullptr ? 1 : 0);
  }
  if (a->number() != nullptr && b->number() != nullptr) {
    const auto order = *a->number() <=> *b->number();
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
  }
  // Keys are text, and proofs compare millions of them.
  if (a->string() != nullptr && b->string() != nullptr) {
    const int order = a->string()->compare(*b->string());
    return order < 0 ? -1 : (order > 0 ? 1 : 0);
  }
  const std::string x = ValueText(*a);
  const std::string y = ValueText(*b);
  const int order = x.compare(y);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

std::string ValueText(const AttributeValue& value) {
  std::string out(TypeName(value.type()));
  out += ':';
  switch (value.type()) {
    case ValueType::kString:
      return out + *value.string();
    case ValueType::kNumber:
      return out + value.number()->ToString();
    case ValueType::kBinary:
      return out + *value.binary();
    case ValueType::kBool:
      return out + (*value.boolean() ? "true" : "false");
    case ValueType::kNull:
      return out;
    case ValueType::kList:
      for (const AttributeValue& member : *value.list()) {
        out += ValueText(member) + "\x01";
      }
      return out;
    case ValueType::kMap:
      for (const auto& [name, member] : *value.map()) {
        out += name + "\x02" + ValueText(member) + "\x01";
      }
      return out;
    default:
      break;
  }
  std::vector<std::string> members;
  if (const auto* texts = value.string_set()) {
    members = *texts;
  }
  if (const auto* bytes = value.binary_set()) {
    members = *bytes;
  }
  if (const auto* numbers = value.number_set()) {
    for (const Number& number : *numbers) {
      members.push_back(number.ToString());
    }
  }
  std::sort(members.begin(), members.end());
  for (const std::string& member : members) {
    out += member + "\x01";
  }
  return out;
}

std::string TupleText(const Row& row, const std::vector<std::string>& attributes) {
  std::string out;
  for (const std::string& attribute : attributes) {
    const AttributeValue* value = row.Find(attribute);
    if (value == nullptr) {
      return {};
    }
    out += ValueText(*value);
    out += '\x03';
  }
  return out;
}

const std::vector<const Row*>& DataIndex::Find(const std::string& entity,
                                               const std::vector<std::string>& attributes,
                                               const std::string& tuple) {
  static const std::vector<const Row*> kNone;
  std::string name = entity;
  for (const std::string& attribute : attributes) {
    name += "\x03" + attribute;
  }
  std::unique_ptr<ByTuple>& index = indexes_[name];
  if (!index) {
    index = std::make_unique<ByTuple>();
    for (const Row& row : data_.Of(entity)) {
      if (std::string text = TupleText(row, attributes); !text.empty()) {
        (*index)[std::move(text)].push_back(&row);
      }
    }
  }
  const auto found = index->find(tuple);
  return found == index->end() ? kNone : found->second;
}

}  // namespace prejoin::model
