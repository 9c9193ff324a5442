#include "tests/reference/answers.h"

#include <algorithm>

#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin::reference {
namespace {

constexpr auto kCapacity = ReturnConsumedCapacity::kIndexes;

ReturnValuesOnFailure OnFailure(bool all_old) {
  return all_old ? ReturnValuesOnFailure::kAllOld : ReturnValuesOnFailure::kNone;
}

bool ShowsOldItem(const Write& write) { return write.action != TransactAction::kPut; }

// Condition and placeholders, for any input that has them.
template <class Input>
void AddExpressions(const Write& write, Input& input) {
  Placeholders placeholders;
  if constexpr (requires { input.update_expression; }) {
    if (write.update) {
      input.update_expression = Print(*write.update, placeholders);
    }
  }
  if (write.condition) {
    input.condition_expression = Print(*write.condition, placeholders);
  }
  input.expression_attribute_names = placeholders.names();
  input.expression_attribute_values = placeholders.values();
}

template <class Input>
void AddReadExpressions(const Read& read, Placeholders& placeholders, Input& input) {
  if (read.filter) {
    input.filter_expression = Print(*read.filter, placeholders);
  }
  if (read.projection) {
    std::string text;
    for (const std::string& name : *read.projection) {
      text += (text.empty() ? "" : ", ") + placeholders.Name(name);
    }
    input.projection_expression = std::move(text);
  }
  input.expression_attribute_names = placeholders.names();
  input.expression_attribute_values = placeholders.values();
}

std::string Print(const KeyTerm& term, Placeholders& placeholders) {
  const std::string name = placeholders.Name(term.attribute);
  const std::string value = placeholders.Value(term.value);
  if (term.op == "begins_with") {
    return "begins_with(" + name + ", " + value + ")";
  }
  if (term.op == "BETWEEN") {
    return name + " BETWEEN " + value + " AND " + placeholders.Value(term.high);
  }
  return name + " " + term.op + " " + value;
}

std::string PrintTerms(const Read& read, Placeholders& placeholders) {
  std::string text;
  for (const KeyTerm& term : read.terms) {
    text += (text.empty() ? "" : " AND ") + Print(term, placeholders);
  }
  return text;
}

std::string DescribeIndex(const IndexSpecification& index) {
  std::string text = " " + index.index_name + "(";
  for (const KeySchemaElement& element : index.key_schema) {
    text += (element.key_type == KeyType::kHash ? "#" : "") + element.attribute_name + " ";
  }
  switch (*index.projection->type) {
    case ProjectionType::kAll:
      return text + "ALL)";
    case ProjectionType::kKeysOnly:
      return text + "KEYS)";
    case ProjectionType::kInclude:
      break;
  }
  for (const std::string& name : *index.projection->non_key_attributes) {
    text += "+" + name;
  }
  return text + ")";
}

std::string DescribeUnits(const std::string& table, double total, double table_units,
                          const std::map<std::string, double>& local,
                          const std::map<std::string, double>& global) {
  std::string text = table + " " + std::to_string(total) + ": table " + std::to_string(table_units);
  for (const auto& [name, units] : local) {
    text += ", local " + name + " " + std::to_string(units);
  }
  for (const auto& [name, units] : global) {
    text += ", global " + name + " " + std::to_string(units);
  }
  return text;
}

std::map<std::string, double> Totals(const std::map<std::string, CapacityUnits>& indexes) {
  std::map<std::string, double> totals;
  for (const auto& [name, units] : indexes) {
    totals[name] = units.total;
  }
  return totals;
}

}  // namespace

Result<WriteItemOutput> Send(Database& database, const Write& write, ReturnValues wanted,
                             bool all_old_on_failure) {
  const auto fill = [&](auto input) {
    AddExpressions(write, input);
    input.table_name = write.table;
    input.return_values = wanted;
    input.return_values_on_condition_check_failure = OnFailure(all_old_on_failure);
    input.return_consumed_capacity = kCapacity;
    input.return_item_collection_metrics = true;
    return input;
  };
  switch (write.action) {
    case TransactAction::kPut:
      return database.PutItem(fill(PutItemInput{.item = write.item_or_key}));
    case TransactAction::kUpdate:
      return database.UpdateItem(fill(UpdateItemInput{.key = write.item_or_key}));
    default:
      return database.DeleteItem(fill(DeleteItemInput{.key = write.item_or_key}));
  }
}

TransactWrite MakeTransactWrite(const Write& write) {
  TransactWrite input{.action = write.action,
                      .table_name = write.table,
                      .item_or_key = write.item_or_key,
                      .return_values_on_condition_check_failure = OnFailure(ShowsOldItem(write))};
  AddExpressions(write, input);
  return input;
}

QueryInput MakeQuery(const Read& read) {
  Placeholders placeholders;
  QueryInput input{.table_name = read.table,
                   .index_name = read.index,
                   .key_condition_expression = PrintTerms(read, placeholders),
                   .select = read.select,
                   .limit = read.limit,
                   .consistent_read = read.consistent,
                   .scan_index_forward = read.forward,
                   .return_consumed_capacity = kCapacity};
  AddReadExpressions(read, placeholders, input);
  return input;
}

ScanInput MakeScan(const Read& read) {
  Placeholders placeholders;
  ScanInput input{.table_name = read.table,
                  .index_name = read.index,
                  .select = read.select,
                  .limit = read.limit,
                  .consistent_read = read.consistent,
                  .return_consumed_capacity = kCapacity};
  AddReadExpressions(read, placeholders, input);
  return input;
}

Item Only(const Item& item, const std::vector<std::string>& names) {
  Item part;
  for (const std::string& name : names) {
    if (const AttributeValue* value = item.Find(name)) {
      part.Set(name, *value);
    }
  }
  return part;
}

std::vector<Item> ScanAll(Database& database, const std::string& table,
                          const std::optional<std::string>& index) {
  std::vector<Item> items;
  ScanInput input{.table_name = table, .index_name = index};
  do {
    const auto page = Must(database.Scan(input));
    for (const StoredItem& item : page.items) {
      items.push_back(item.Decode());
    }
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  return items;
}

std::pair<std::int64_t, std::int64_t> FiguresOf(const TableDescription& table,
                                                const std::optional<std::string>& index) {
  if (!index) {
    return {table.item_count, table.size_bytes};
  }
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDescription& description : *indexes) {
      if (description.index_name == *index) {
        return {description.item_count, description.size_bytes};
      }
    }
  }
  return {-1, -1};
}

std::string SortedText(const std::vector<Item>& items) {
  std::vector<std::string> lines;
  for (const Item& item : items) {
    lines.push_back(Text(item));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::string Describe(const CreateTableInput& schema) {
  std::string text = schema.key_schema.size() > 1 ? "pk sk" : "pk";
  for (const AttributeDefinition& definition : schema.attribute_definitions) {
    text += " " + definition.attribute_name + ":" + "SNB"[static_cast<int>(definition.type)];
  }
  for (const auto* indexes : {&schema.local_indexes, &schema.global_indexes}) {
    if (*indexes) {
      for (const IndexSpecification& index : **indexes) {
        text += DescribeIndex(index);
      }
    }
  }
  return text;
}

std::string Describe(const Write& write) {
  static const char* const kNames[] = {"Put", "Update", "Delete", "ConditionCheck"};
  Placeholders placeholders;
  std::string text = std::string(kNames[static_cast<int>(write.action)]) + " " + write.table + " " +
                     Text(write.item_or_key);
  if (write.update) {
    text += " " + Print(*write.update, placeholders);
  }
  if (write.condition) {
    text += " IF " + Print(*write.condition, placeholders);
  }
  for (const auto& [name, value] : placeholders.values().value_or(AttributeValues())) {
    text += " " + name + "=" + Text(value);
  }
  return text;
}

std::string Describe(const Read& read) {
  Placeholders placeholders;
  std::string text = (read.terms.empty() ? "Scan " : "Query ") + read.table + " " +
                     read.index.value_or("") + " " + PrintTerms(read, placeholders);
  if (read.filter) {
    text += " FILTER " + Print(*read.filter, placeholders);
  }
  for (const auto& [name, value] : placeholders.values().value_or(AttributeValues())) {
    text += " " + name + "=" + Text(value);
  }
  for (const std::string& name : read.projection.value_or(std::vector<std::string>())) {
    text += " +" + name;
  }
  text += read.forward ? "" : " backward";
  text += read.consistent ? " consistent" : "";
  text += read.limit ? " limit " + std::to_string(*read.limit) : "";
  text += read.select ? " select " + std::to_string(static_cast<int>(*read.select)) : "";
  return text;
}

std::string Describe(const std::string& table, const Units& units) {
  return DescribeUnits(table, units.Total(), units.table, units.local, units.global);
}

std::string Describe(const std::map<std::string, Units>& units) {
  std::string text;
  for (const auto& [table, used] : units) {
    text += Describe(table, used) + "\n";
  }
  return text;
}

std::string Describe(const std::optional<ConsumedCapacity>& capacity) {
  if (!capacity) {
    return "none";
  }
  return DescribeUnits(capacity->table_name, capacity->total.total,
                       capacity->table ? capacity->table->total : -1,
                       Totals(capacity->local_indexes), Totals(capacity->global_indexes));
}

std::string Describe(const std::vector<ConsumedCapacity>& capacities) {
  std::string text;
  for (const ConsumedCapacity& capacity : capacities) {
    text += Describe(std::optional(capacity)) + "\n";
  }
  return text;
}

std::string DescribeReasons(const Error& error) {
  std::string text;
  const auto* detail = dynamic_cast<const CancellationDetail*>(error.detail.get());
  if (detail == nullptr) {
    return "none";
  }
  for (const CancellationReason& reason : detail->reasons) {
    text += reason.code + " " + Text(reason.item) + "\n";
  }
  return text;
}

std::string DescribeReasons(const std::vector<Write>& writes,
                            const std::vector<WriteOutcome>& outcomes) {
  const auto is_bad_put = [&](std::size_t i) {
    return writes[i].action == TransactAction::kPut && outcomes[i].error == ErrorCode::kValidation;
  };
  // Items that can never be are found before anything is read, so nothing else has a reason then.
  bool bad_put = false;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    bad_put = bad_put || is_bad_put(i);
  }
  // And one error of validation is all that is told.
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < writes.size() && !only; ++i) {
    if (bad_put ? is_bad_put(i) : outcomes[i].error == ErrorCode::kValidation) {
      only = i;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto error = only && *only != i ? std::nullopt : outcomes[i].error;
    const bool failed = error == ErrorCode::kConditionalCheckFailed;
    text += (!error   ? "None"
             : failed ? "ConditionalCheckFailed"
                      : "ValidationError") +
            (" " + Text(failed && ShowsOldItem(writes[i]) ? outcomes[i].old_item : std::nullopt)) +
            "\n";
  }
  return text;
}

}  // namespace prejoin::reference
