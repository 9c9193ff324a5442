// The keys get one attribute more, and nothing else changes. A global index gets it beside its other partition keys. A table
// has only one partition key, so the attribute takes its place and holds its value too: "CUSTOMER#7#3" instead of "CUSTOMER#7".
#include "simulate/change_keys.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "base/limits.h"
#include "model/data/dataset.h"

namespace prejoin::simulate {
namespace {

constexpr const char* kAddedBegin = "_shard";
constexpr std::size_t kExecutionsMax = 400'000;  // Of a call; a second change multiplies those of the first.
// model::MakeQuery names the partition key and its value so.
constexpr const char* kPartitionName = "#k0";
constexpr const char* kPartitionValue = ":v0";

std::string KeyText(const AttributeValue& value) {
  const std::string text = model::ValueText(value);
  return text.substr(text.find(':') + 1);
}

std::string AttributeOf(const KeySchema& schema, KeyType type) {
  const auto found = std::ranges::find(schema, type, &KeySchemaElement::key_type);
  return found == schema.end() ? "" : found->attribute_name;
}

const IndexSpecification* Find(const std::optional<std::vector<IndexSpecification>>& indexes,
                               const std::string& name) {
  if (!indexes) {
    return nullptr;
  }
  const auto found = std::ranges::find(*indexes, name, &IndexSpecification::index_name);
  return found == indexes->end() ? nullptr : &*found;
}

// "_shard", or "_shard2" for keys that were changed before.
std::string AddedName(const CreateTableInput& table) {
  std::string name = kAddedBegin;
  for (int number = 2; std::ranges::any_of(table.attribute_definitions, [&](const AttributeDefinition& definition) {
         return definition.attribute_name == name;
       });
       ++number) {
    name = kAddedBegin + std::to_string(number);
  }
  return name;
}

bool IsKeyOf(const IndexSpecification& index, const std::string& attribute) {
  return std::ranges::find(index.key_schema, attribute, &KeySchemaElement::attribute_name) !=
         index.key_schema.end();
}

// The keys of one table after the change. A number is a shard's, a part's or a copy's.
class ChangedKeys {
 public:
  // Borrows both.
  ChangedKeys(const KeyChange& change, const CreateTableInput& table)
      : change_(change),
        table_(table),
        added_(AddedName(table)),
        partition_(AttributeOf(table.key_schema, KeyType::kHash)),
        sort_(AttributeOf(table.key_schema, KeyType::kRange)) {}

  std::optional<CreateTableInput> Table() const {
    CreateTableInput changed = table_;
    const bool is_changed = change_.kind == KeyChange::Kind::kIndexCopies ? CopyIndex(changed)
                            : of_index()                                  ? ChangeIndex(changed)
                                                                          : ChangeTable(changed);
    return is_changed ? std::optional(std::move(changed)) : std::nullopt;
  }

  bool IsOf(const std::string& table) const { return table == table_.table_name; }
  bool IsHot(const Item& item) const {
    const AttributeValue* value = item.Find(partition_);
    return value != nullptr && std::ranges::count(change_.keys, KeyText(*value)) > 0;
  }
  // True if the query goes by the table's partition key.
  bool GoesByTable(const QueryInput& query) const {
    return IsOf(query.table_name) &&
           (!query.index_name || Find(table_.local_indexes, *query.index_name) != nullptr);
  }
  bool AsksIndex(const QueryInput& query) const {
    return IsOf(query.table_name) && query.index_name == change_.resource.index;
  }
  bool AsksShards(const QueryInput& query) const {
    return change_.kind == KeyChange::Kind::kShards &&
           (of_index() ? AsksIndex(query) : GoesByTable(query));
  }
  bool AsksHot(const QueryInput& query) const {
    return GoesByTable(query) &&
           std::ranges::count(change_.keys,
                              KeyText(query.expression_attribute_values->at(kPartitionValue))) > 0;
  }

  // An item, or a key of an index, with the added attribute.
  Item PlaceItem(Item item, int number) const {
    if (change_.kind == KeyChange::Kind::kIndexCopies) {
      return item;
    }
    if (of_index()) {
      item.Set(added_, ShardOf(item));
    } else {
      item.Set(added_, Numbered(*item.Find(partition_), NumberOf(item, number)));
    }
    return item;
  }
  Item PlaceKey(const Item& key, int number) const {
    if (of_index()) {
      return key;
    }
    Item placed = PlaceItem(key, number);
    placed.Remove(partition_);
    return placed;
  }
  void Place(QueryInput& query, int number) const {
    if (AsksShards(query) && of_index()) {
      *query.key_condition_expression += " AND #shard = :shard";
      query.expression_attribute_names->emplace("#shard", added_);
      query.expression_attribute_values->emplace(":shard", number);
    } else if (GoesByTable(query) && !of_index()) {
      AttributeValue& value = query.expression_attribute_values->at(kPartitionValue);
      const bool numbered = change_.kind == KeyChange::Kind::kShards || AsksHot(query);
      value = Numbered(value, numbered ? number : 0);
      query.expression_attribute_names->at(kPartitionName) = added_;
    } else if (change_.kind == KeyChange::Kind::kIndexCopies && AsksIndex(query)) {
      query.index_name = IndexName(number);
    }
    if (query.exclusive_start_key) {
      PlaceStart(query, number);
    }
  }

 private:
  bool of_index() const { return !change_.resource.index.empty(); }

  bool ChangeTable(CreateTableInput& table) const {
    table.key_schema.front().attribute_name = added_;
    bool is_used = false;
    if (table.local_indexes) {
      for (IndexSpecification& index : *table.local_indexes) {
        index.key_schema.front().attribute_name = added_;
        is_used = is_used || IsKeyOf(index, partition_);
      }
    }
    if (table.global_indexes) {
      is_used = is_used || std::ranges::any_of(*table.global_indexes, [&](const auto& index) {
                  return IsKeyOf(index, partition_);
                });
    }
    if (!is_used) {
      std::erase_if(table.attribute_definitions, [&](const AttributeDefinition& definition) {
        return definition.attribute_name == partition_;
      });
    }
    table.attribute_definitions.push_back({added_, ScalarType::kString});
    return true;
  }

  bool ChangeIndex(CreateTableInput& table) const {
    if (!table.global_indexes) {
      return false;
    }
    const auto index = std::ranges::find(*table.global_indexes, change_.resource.index,
                                         &IndexSpecification::index_name);
    if (index == table.global_indexes->end()) {
      return false;
    }
    const auto sort =
        std::ranges::find(index->key_schema, KeyType::kRange, &KeySchemaElement::key_type);
    if (static_cast<std::size_t>(sort - index->key_schema.begin()) >= kIndexKeyPartsMax) {
      return false;
    }
    index->key_schema.insert(sort, {added_, KeyType::kHash});
    table.attribute_definitions.push_back({added_, ScalarType::kNumber});
    return true;
  }

  // The index itself, or one of its copies.
  std::string IndexName(int number) const {
    return change_.resource.index + (number == 0 ? "" : "." + std::to_string(number));
  }

  bool CopyIndex(CreateTableInput& table) const {
    const IndexSpecification* index = Find(table.global_indexes, change_.resource.index);
    if (index == nullptr || table.global_indexes->size() + static_cast<std::size_t>(change_.count) - 1 > kGlobalIndexesMax) {
      return false;
    }
    for (int number = 1; number < change_.count; ++number) {
      IndexSpecification copy = *Find(table.global_indexes, change_.resource.index);
      copy.index_name = IndexName(number);
      table.global_indexes->push_back(std::move(copy));
    }
    return true;
  }

  int ShardOf(const Item& item) const {
    std::string text = of_index() ? KeyText(*item.Find(partition_)) + "\n" : "";
    if (!sort_.empty()) {
      text += KeyText(*item.Find(sort_));
    }
    unsigned number = 0;
    for (const char byte : Fingerprint(text).substr(0, sizeof number)) {
      number = number << 8 | static_cast<unsigned char>(byte);
    }
    return static_cast<int>(number % static_cast<unsigned>(change_.count));
  }
  int NumberOf(const Item& item, int number) const {
    return change_.kind == KeyChange::Kind::kShards ? ShardOf(item) : IsHot(item) ? number : 0;
  }
  static std::string Numbered(const AttributeValue& partition, int number) {
    return KeyText(partition) + "#" + std::to_string(number);
  }

  // A later page begins after an item of the shard that is asked.
  void PlaceStart(QueryInput& query, int number) const {
    Item& start = *query.exclusive_start_key;
    if (!IsOf(query.table_name)) {
      return;
    }
    if (of_index()) {
      if (AsksShards(query)) {
        start.Set(added_, number);
      }
      return;
    }
    const IndexSpecification* index =
        query.index_name ? Find(table_.global_indexes, *query.index_name) : nullptr;
    const AttributeValue partition = *start.Find(partition_);
    start.Set(added_, index == nullptr ? query.expression_attribute_values->at(kPartitionValue)
                                       : AttributeValue(Numbered(partition, NumberOf(start, 0))));
    if (index == nullptr || !IsKeyOf(*index, partition_)) {
      start.Remove(partition_);
    }
  }

  const KeyChange& change_;
  const CreateTableInput& table_;
  const std::string added_;
  const std::string partition_;
  const std::string sort_;
};

// True if a request reads or writes the key that is divided or copied.
struct Touches {
  const ChangedKeys& keys;

  bool operator()(const GetItemInput& input) const {
    return keys.IsOf(input.table_name) && keys.IsHot(input.key);
  }
  bool operator()(const BatchGetItemInput& input) const {
    return std::ranges::any_of(input.request_items, [&](const auto& entry) {
      return keys.IsOf(entry.first) &&
             std::ranges::any_of(entry.second.keys,
                                 [&](const Item& key) { return keys.IsHot(key); });
    });
  }
  bool operator()(const QueryInput& input) const { return keys.AsksHot(input); }
  bool operator()(const ScanInput&) const { return false; }
  bool operator()(const PutItemInput& input) const {
    return keys.IsOf(input.table_name) && keys.IsHot(input.item);
  }
  bool operator()(const DeleteItemInput& input) const {
    return keys.IsOf(input.table_name) && keys.IsHot(input.key);
  }
  bool operator()(const TransactWriteItemsInput& input) const {
    return std::ranges::any_of(input.items, [&](const TransactWrite& write) {
      return keys.IsOf(write.table_name) && keys.IsHot(write.item_or_key);
    });
  }
};

// Gives a request the keys of a number.
struct Placer {
  const ChangedKeys& keys;
  int number = 0;

  void operator()(GetItemInput& input) const { PlaceKey(input.table_name, input.key); }
  void operator()(BatchGetItemInput& input) const {
    for (auto& [table, request] : input.request_items) {
      for (Item& key : request.keys) {
        PlaceKey(table, key);
      }
    }
  }
  void operator()(QueryInput& input) const { keys.Place(input, number); }
  void operator()(ScanInput& input) const {
    if (input.exclusive_start_key) {
      PlaceKey(input.table_name, *input.exclusive_start_key);
    }
  }
  void operator()(PutItemInput& input) const { PlaceItem(input.table_name, input.item); }
  void operator()(DeleteItemInput& input) const { PlaceKey(input.table_name, input.key); }
  void operator()(TransactWriteItemsInput& input) const {
    for (TransactWrite& write : input.items) {
      if (write.action == TransactAction::kPut) {
        PlaceItem(write.table_name, write.item_or_key);
      } else {
        PlaceKey(write.table_name, write.item_or_key);
      }
    }
  }

 private:
  void PlaceItem(const std::string& table, Item& item) const {
    if (keys.IsOf(table)) {
      item = keys.PlaceItem(std::move(item), number);
    }
  }
  void PlaceKey(const std::string& table, Item& key) const {
    if (keys.IsOf(table)) {
      key = keys.PlaceKey(key, number);
    }
  }
};

class WorkloadChanger {
 public:
  WorkloadChanger(const KeyChange& change, const CreateTableInput& table)
      : change_(change), keys_(change, table) {}

  std::optional<Workload> Change(const Workload& workload) const {
    auto table = keys_.Table();
    if (!table) {
      return std::nullopt;
    }
    Workload changed{.tables = workload.tables, .items = {}, .calls = {}, .left_out = workload.left_out};
    *std::ranges::find(changed.tables, table->table_name, &CreateTableInput::table_name) =
        *std::move(table);
    for (const auto& [name, item] : workload.items) {
      for (int number = 0; number < CopiesOf(name, item); ++number) {
        changed.items.emplace_back(name, Placed(name, item, number));
      }
    }
    for (const Call& call : workload.calls) {
      if (ExecutionsOf(call) > kExecutionsMax) {
        return std::nullopt;
      }
      Call next = call;
      for (std::vector<Execution>* executions : {&next.executions, &next.hot}) {
        for (Execution& execution : *executions) {
          execution = Changed(execution, call.is_write);
        }
      }
      changed.calls.push_back(std::move(next));
    }
    return changed;
  }

 private:
  using Kind = KeyChange::Kind;

  bool Copies(const std::string& table, const Item& item) const {
    return change_.kind == Kind::kCopies && keys_.IsOf(table) && keys_.IsHot(item);
  }
  int CopiesOf(const std::string& table, const Item& item) const {
    return Copies(table, item) ? change_.count : 1;
  }
  Item Placed(const std::string& table, const Item& item, int number) const {
    return keys_.IsOf(table) ? keys_.PlaceItem(item, number) : item;
  }

  std::size_t ExecutionsOf(const Call& call) const {
    std::size_t count = 0;
    for (const std::vector<Execution>* executions : {&call.executions, &call.hot}) {
      for (const Execution& execution : *executions) {
        count += CountOfAll(execution, call.is_write);
      }
    }
    return count;
  }
  std::size_t CountOfAll(const Execution& execution, bool is_write) const {
    auto count = static_cast<std::size_t>(CountOf(execution, is_write));
    for (const Execution& other : execution.others) {
      count += static_cast<std::size_t>(CountOf(other, is_write));
    }
    return count;
  }

  // True if the request is one of those that have a number.
  bool IsNumbered(const Request& request) const {
    const auto* query = std::get_if<QueryInput>(&request.input);
    switch (change_.kind) {
      case Kind::kShards:
        return query != nullptr && keys_.AsksShards(*query);
      case Kind::kIndexCopies:
        return query != nullptr && keys_.AsksIndex(*query);
      case Kind::kParts:
      case Kind::kCopies:
        break;
    }
    return std::visit(Touches{keys_}, request.input);
  }
  // Every number is asked, or written; otherwise one that is drawn.
  bool TakesAll(bool is_write) const {
    switch (change_.kind) {
      case Kind::kShards:
        return true;
      case Kind::kParts:
        return !is_write;
      case Kind::kCopies:
        return is_write;
      case Kind::kIndexCopies:
        break;
    }
    return false;
  }
  // The number of requests that this one becomes.
  int FanOf(const Request& request, bool is_write) const {
    return TakesAll(is_write) && IsNumbered(request) ? change_.count : 1;
  }

  // An execution that was changed before is one of several already.
  Execution Changed(const Execution& execution, bool is_write) const {
    std::vector<Execution> variants;
    AddVariants(execution, is_write, variants);
    for (const Execution& other : execution.others) {
      AddVariants(other, is_write, variants);
    }
    Execution first = std::move(variants.front());
    variants.erase(variants.begin());
    first.others = std::move(variants);
    return first;
  }

  void AddVariants(const Execution& execution, bool is_write, std::vector<Execution>& variants) const {
    const int count = CountOf(execution, is_write);
    for (int number = 0; number < count; ++number) {
      variants.push_back(Numbered(execution, is_write, number));
    }
  }
  int CountOf(const Execution& execution, bool is_write) const {
    const bool chooses =
        !TakesAll(is_write) && std::ranges::any_of(execution.requests, [&](const Request& request) {
          return IsNumbered(request);
        });
    return chooses ? change_.count : 1;
  }

  Execution Numbered(const Execution& execution, bool is_write, int number) const {
    Execution changed;
    for (const Request& request : execution.requests) {
      const int fan = FanOf(request, is_write);
      for (int i = 0; i < fan; ++i) {
        Request& next = changed.requests.emplace_back(request);
        next.beside = request.beside || i > 0;
        std::visit(Placer{keys_, fan > 1 ? i : number}, next.input);
      }
    }
    for (const Restore& restore : execution.before) {
      const int copies = CopiesOf(restore.table, restore.item);
      for (int i = 0; i < copies; ++i) {
        Restore& next = changed.before.emplace_back(restore);
        next.item = Placed(restore.table, restore.item, copies > 1 ? i : number);
      }
    }
    return changed;
  }

  const KeyChange& change_;
  const ChangedKeys keys_;
};

}  // namespace

std::optional<Workload> WithKeys(const Workload& workload, const KeyChange& change) {
  const auto table =
      std::ranges::find(workload.tables, change.resource.table, &CreateTableInput::table_name);
  return table == workload.tables.end() ? std::nullopt
                                        : WorkloadChanger(change, *table).Change(workload);
}

}  // namespace prejoin::simulate
