#include "model/prove/backend.h"

#include <algorithm>
#include <set>

#include "model/data/evaluate.h"

namespace prejoin::model {
namespace {

// The scalar type of a key attribute: that of a natural key's attribute, else text.
ScalarType KeyScalar(const Model& model, const Table& table, const std::string& key) {
  for (const ItemLayout& layout : table.items) {
    const StoredAttribute* stored = layout.Find(key);
    if (stored == nullptr || !stored->key.natural) {
      continue;
    }
    const Entity& entity = model.At(layout.entity);
    const Attribute* attribute =
        entity.Find(stored->key.parts[0].attribute);
    if (attribute == nullptr) {
      continue;
    }
    const ValueType type = TraitsOf(attribute->type).stored;
    if (type == ValueType::kNumber) {
      return ScalarType::kNumber;
    }
    if (type == ValueType::kBinary) {
      return ScalarType::kBinary;
    }
  }
  return ScalarType::kString;
}

KeySchema SchemaOf(const std::vector<Name>& partition, const std::vector<Name>& sort) {
  KeySchema schema;
  for (const Name& name : partition) {
    schema.push_back({name.text, KeyType::kHash});
  }
  for (const Name& name : sort) {
    schema.push_back({name.text, KeyType::kRange});
  }
  return schema;
}

Projection ProjectionOf(const Index& index) {
  Projection projection;
  switch (index.projection) {
    case ProjectionKind::kAll:
      projection.type = ProjectionType::kAll;
      break;
    case ProjectionKind::kKeys:
      projection.type = ProjectionType::kKeysOnly;
      break;
    case ProjectionKind::kInclude:
      projection.type = ProjectionType::kInclude;
      projection.non_key_attributes.emplace();
      for (const Name& name : index.include) {
        projection.non_key_attributes->push_back(name.text);
      }
      break;
  }
  return projection;
}

}  // namespace

CreateTableInput MakeCreateTable(const Model& model, const Table& table) {
  CreateTableInput input;
  input.table_name = table.name.text;
  input.billing_mode = BillingMode::kPayPerRequest;
  std::set<std::string> keys = {table.partition.text};
  std::vector<Name> sort;
  if (!table.sort.text.empty()) {
    sort.push_back(table.sort);
    keys.insert(table.sort.text);
  }
  input.key_schema = SchemaOf({table.partition}, sort);
  for (const Index& index : table.indexes) {
    IndexSpecification specification;
    specification.index_name = index.name.text;
    specification.key_schema = SchemaOf(index.partition, index.sort);
    specification.projection = ProjectionOf(index);
    for (const KeySchemaElement& element : specification.key_schema) {
      keys.insert(element.attribute_name);
    }
    auto& list = index.local ? input.local_indexes : input.global_indexes;
    if (!list) {
      list.emplace();
    }
    list->push_back(std::move(specification));
  }
  for (const std::string& key : keys) {
    input.attribute_definitions.push_back({key, KeyScalar(model, table, key)});
  }
  return input;
}

GetItemInput MakeGet(const std::string& table, const Item& key, bool consistent) {
  GetItemInput input;
  input.table_name = table;
  input.key = key;
  input.consistent_read = consistent;
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return input;
}

BatchGetItemInput MakeBatchGet(const std::string& table, const std::vector<Item>& keys,
                               bool consistent) {
  BatchGetItemInput input;
  input.request_items[table].keys = keys;
  input.request_items[table].consistent_read = consistent;
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return input;
}

QueryInput MakeQuery(const KeyQuery& query) {
  QueryInput input;
  input.table_name = query.table;
  if (!query.index.empty()) {
    input.index_name = query.index;
  }
  if (query.all_attributes) {
    input.select = Select::kAllAttributes;
  }
  AttributeNames names;
  AttributeValues values;
  std::string condition;
  int next = 0;
  const auto name = [&](const std::string& attribute) {
    const std::string placeholder = "#k" + std::to_string(next++);
    names[placeholder] = attribute;
    return placeholder;
  };
  const auto value = [&](const AttributeValue& operand) {
    const std::string placeholder = ":v" + std::to_string(values.size());
    values[placeholder] = operand;
    return placeholder;
  };
  for (const auto& [attribute, operand] : query.equal) {
    if (!condition.empty()) {
      condition += " AND ";
    }
    condition += name(attribute) + " = " + value(operand);
  }
  if (query.test != SortTest::kNone) {
    const std::string sort = name(query.sort_attribute);
    condition += " AND ";
    switch (query.test) {
      case SortTest::kNone:
        break;
      case SortTest::kEqual:
        condition += sort + " = " + value(query.low);
        break;
      case SortTest::kBeginsWith:
        condition += "begins_with(" + sort + ", " + value(query.low) + ")";
        break;
      case SortTest::kBetween: {
        const std::string low = value(query.low);
        condition += sort + " BETWEEN " + low + " AND " + value(query.high);
        break;
      }
      case SortTest::kAtLeast:
        condition += sort + " >= " + value(query.low);
        break;
      case SortTest::kAtMost:
        condition += sort + " <= " + value(query.high);
        break;
    }
  }
  input.key_condition_expression = std::move(condition);
  input.expression_attribute_names = std::move(names);
  input.expression_attribute_values = std::move(values);
  input.scan_index_forward = !query.descending;
  if (query.consistent) {
    input.consistent_read = true;
  }
  input.limit = query.limit;
  input.exclusive_start_key = query.start_key;
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return input;
}

ScanInput MakeScan(const KeyQuery& query) {
  ScanInput input;
  input.table_name = query.table;
  input.exclusive_start_key = query.start_key;
  if (query.consistent) {
    input.consistent_read = true;
  }
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return input;
}

WriteCondition MakeWriteCondition(const ItemWrite& write) {
  WriteCondition out;
  const auto add = [&](const std::string& text) {
    out.text += (out.text.empty() ? "" : " AND ") + text;
  };
  if (write.once) {
    out.names["#k"] = write.key.begin()->first;
    add("attribute_not_exists(#k)");
  }
  for (std::size_t i = 0; i < write.guard.size(); ++i) {
    const Condition& condition = write.guard[i];
    const std::string name = "#g" + std::to_string(i);
    out.names[name] = condition.attribute.text;
    std::vector<std::string> values;
    for (const Operand& operand : condition.operands) {
      values.push_back(":g" + std::to_string(i) + "v" + std::to_string(values.size()));
      out.values[values.back()] = operand.literal;
    }
    add(ConditionText(condition.comparison, name, values));
  }
  return out;
}

bool MayWrite(const ItemWrite& write, const Item* stored) {
  if (write.once && stored != nullptr) {
    return false;
  }
  static const Item kNothing;
  const Item& item = stored != nullptr ? *stored : kNothing;
  return std::ranges::all_of(
      write.guard, [&](const Condition& condition) { return ConditionHolds(condition, item, {}); });
}

UpdateExpression MakeUpdate(const Item& key, const Item& old_item, const Item& new_item) {
  UpdateExpression update;
  std::string set;
  std::string remove;
  int next = 0;
  for (const auto& [name, value] : new_item) {
    const AttributeValue* old_value = old_item.Find(name);
    if (key.Find(name) != nullptr || (old_value != nullptr && *old_value == value)) {
      continue;
    }
    const std::string number = std::to_string(next++);
    update.names["#a" + number] = name;
    update.values[":a" + number] = value;
    set += (set.empty() ? "SET " : ", ") + ("#a" + number) + " = :a" + number;
  }
  for (const auto& [name, value] : old_item) {
    if (key.Find(name) != nullptr || new_item.Find(name) != nullptr) {
      continue;
    }
    const std::string number = std::to_string(next++);
    update.names["#a" + number] = name;
    remove += (remove.empty() ? "REMOVE " : ", ") + ("#a" + number);
  }
  update.text = set + (set.empty() || remove.empty() ? "" : " ") + remove;
  return update;
}

}  // namespace prejoin::model
