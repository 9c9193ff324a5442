#include "model/prove/embedded_backend.h"

#include "base/limits.h"

namespace prejoin::model {
namespace {

double Units(const std::optional<ConsumedCapacity>& consumed) {
  return consumed ? consumed->total.total : 0;
}

}  // namespace

Result<std::unique_ptr<EmbeddedBackend>> EmbeddedBackend::OpenInMemory(IndexLag lag) {
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                      Database::Open({.path = "", .index_lag = lag}));
  return std::make_unique<EmbeddedBackend>(std::move(database));
}

Status EmbeddedBackend::CreateTable(const Model& model, const Table& table) {
  PJ_RETURN_IF_ERROR(database_.CreateTable(MakeCreateTable(model, table)));
  return {};
}

Status EmbeddedBackend::Load(const std::string& table, const std::vector<Item>& items) {
  // One by one, not in batches: two rows with one key must overwrite each other here, so that the
  // proof sees it.
  for (const Item& item : items) {
    PutItemInput input;
    input.table_name = table;
    input.item = item;
    PJ_RETURN_IF_ERROR(database_.PutItem(input));
  }
  return {};
}

Result<ReadAnswer> EmbeddedBackend::Get(const std::string& table, const Item& key,
                                        bool consistent) {
  PJ_ASSIGN_OR_RETURN(const GetItemOutput output,
                      database_.GetItem(MakeGet(table, key, consistent)));
  ReadAnswer answer;
  if (output.item) {
    answer.items.push_back(output.item->Decode());
  }
  answer.read_units = Units(output.consumed_capacity);
  return answer;
}

Result<ReadAnswer> EmbeddedBackend::BatchGet(const std::string& table,
                                             const std::vector<Item>& keys, bool consistent) {
  ReadAnswer answer;
  BatchGetItemInput input = MakeBatchGet(table, keys, consistent);
  while (!input.request_items.empty()) {
    PJ_ASSIGN_OR_RETURN(BatchGetItemOutput output, database_.BatchGetItem(input));
    for (const auto& [name, items] : output.responses) {
      for (const StoredItem& item : items) {
        answer.items.push_back(item.Decode());
      }
    }
    for (const ConsumedCapacity& consumed : output.consumed_capacity) {
      answer.read_units += consumed.total.total;
    }
    input.request_items = std::move(output.unprocessed_keys);
  }
  return answer;
}

Result<ReadAnswer> EmbeddedBackend::Query(const KeyQuery& query) {
  PJ_ASSIGN_OR_RETURN(auto output, query.scan ? database_.Scan(MakeScan(query))
                                              : database_.Query(MakeQuery(query)));
  ReadAnswer answer;
  for (const StoredItem& item : output.items) {
    answer.items.push_back(item.Decode());
  }
  answer.next_key = std::move(output.last_evaluated_key);
  answer.read_units = Units(output.consumed_capacity);
  return answer;
}

namespace {

// Sets the condition of a request, with its names and values beside those that exist.
template <class Input>
void SetCondition(const ItemWrite& write, Input& input) {
  const WriteCondition condition = MakeWriteCondition(write);
  if (condition.text.empty()) {
    return;
  }
  input.condition_expression = condition.text;
  AttributeNames names = input.expression_attribute_names.value_or(AttributeNames());
  names.insert(condition.names.begin(), condition.names.end());
  input.expression_attribute_names = std::move(names);
  if (condition.values.empty()) {
    return;
  }
  AttributeValues values = input.expression_attribute_values.value_or(AttributeValues());
  values.insert(condition.values.begin(), condition.values.end());
  input.expression_attribute_values = std::move(values);
}

Result<WriteAnswer> Answer(const Result<WriteItemOutput>& output) {
  if (!output.has_value() && output.error().code == ErrorCode::kConditionalCheckFailed) {
    return WriteAnswer{true, 0};
  }
  if (!output.has_value()) {
    return output.error();
  }
  return WriteAnswer{false, Units(output->consumed_capacity)};
}

}  // namespace

Result<WriteAnswer> EmbeddedBackend::Write(const ItemWrite& write) {
  if (!write.new_item) {
    DeleteItemInput input;
    input.table_name = write.table;
    input.key = write.key;
    SetCondition(write, input);
    input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    return Answer(database_.DeleteItem(input));
  }
  if (write.partial) {
    const UpdateExpression update = MakeUpdate(write.key, *write.old_item, *write.new_item);
    UpdateItemInput input;
    input.table_name = write.table;
    input.key = write.key;
    input.update_expression = update.text;
    input.expression_attribute_names = update.names;
    if (!update.values.empty()) {
      input.expression_attribute_values = update.values;
    }
    SetCondition(write, input);
    input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    return Answer(database_.UpdateItem(input));
  }
  PutItemInput input;
  input.table_name = write.table;
  input.item = *write.new_item;
  SetCondition(write, input);
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return Answer(database_.PutItem(input));
}

TransactWriteItemsInput MakeTransaction(const std::vector<ItemWrite>& writes) {
  TransactWriteItemsInput input;
  for (const ItemWrite& write : writes) {
    TransactWrite one;
    one.table_name = write.table;
    if (!write.new_item) {
      one.action = TransactAction::kDelete;
      one.item_or_key = write.key;
    } else if (write.partial) {
      const UpdateExpression update = MakeUpdate(write.key, *write.old_item, *write.new_item);
      one.action = TransactAction::kUpdate;
      one.item_or_key = write.key;
      one.update_expression = update.text;
      one.expression_attribute_names = update.names;
      if (!update.values.empty()) {
        one.expression_attribute_values = update.values;
      }
    } else {
      one.action = TransactAction::kPut;
      one.item_or_key = *write.new_item;
    }
    SetCondition(write, one);
    input.items.push_back(std::move(one));
  }
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  return input;
}

Result<WriteAnswer> EmbeddedBackend::WriteTogether(const std::vector<ItemWrite>& writes) {
  const auto output = database_.TransactWriteItems(MakeTransaction(writes));
  if (!output.has_value() && output.error().code == ErrorCode::kTransactionCanceled) {
    return WriteAnswer{true, 0};
  }
  if (!output.has_value()) {
    return output.error();
  }
  WriteAnswer answer;
  for (const ConsumedCapacity& consumed : output->consumed_capacity) {
    answer.write_units += consumed.total.total;
  }
  return answer;
}

}  // namespace prejoin::model
