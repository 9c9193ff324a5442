#include "tests/reference/random_requests.h"

#include <algorithm>
#include <utility>

namespace prejoin::reference {
namespace {

using namespace std::string_literals;

// Attributes that may become index keys; each table gives them a type.
const std::vector<std::string> kIndexable = {"a", "b", "c"};
const std::vector<std::string> kPlain = {"d", "m", "l", "t", "x"};
const std::vector<std::string> kAll = {"a", "b", "c", "d", "m", "l", "t", "x"};
const std::vector<ScalarType> kTypes = {ScalarType::kString, ScalarType::kNumber,
                                        ScalarType::kBinary};

Number Parsed(const char* text) { return *Number::Parse(text); }

template <class T>
void Shuffle(std::vector<T>& values, std::mt19937_64& engine) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[engine() % i]);
  }
}

}  // namespace

ScalarType TypeOf(const Table& table, const std::string& attribute) {
  const auto& definitions = table.schema().attribute_definitions;
  const auto found =
      std::ranges::find(definitions, attribute, &AttributeDefinition::attribute_name);
  return found == definitions.end() ? ScalarType::kString : found->type;
}

AttributeValue RandomRequests::Scalar(ScalarType type) {
  static const std::vector<std::string> strings = {"a",    "ab",  "abc", "b", "ba",
                                                   "a\0"s, "\1"s, "~",   "é", "é𝄞"};
  static const std::vector<Number> numbers = {-10,
                                              -1,
                                              0,
                                              1,
                                              2,
                                              10,
                                              Parsed("0.5"),
                                              Parsed("1e20"),
                                              Parsed("-0.001"),
                                              Parsed("123456789.125")};
  static const std::vector<std::string> binaries = {"\0"s,   "\0\0"s,     "\1"s,
                                                    "\xff"s, "\xff\xff"s, "a"s};
  switch (type) {
    case ScalarType::kString:
      return Pick(strings);
    case ScalarType::kNumber:
      return Pick(numbers);
    case ScalarType::kBinary:
      return AttributeValue::Binary{Pick(binaries)};
  }
  return {};
}

AttributeValue RandomRequests::AnyScalar() { return Scalar(Pick(kTypes)); }

AttributeValue RandomRequests::Set() {
  if (Percent(50)) {
    std::vector<std::string> members = {"a", "b", "c", "d"};
    Shuffle(members, engine_);
    members.resize(1 + Below(3));
    return AttributeValue::StringSet{std::move(members)};
  }
  std::vector<Number> members = {1, 2, 3, Parsed("-1.5")};
  Shuffle(members, engine_);
  members.resize(1 + Below(3));
  return AttributeValue::NumberSet{std::move(members)};
}

AttributeValue RandomRequests::AnyValue() {
  switch (Below(8)) {
    case 0:
      return Percent(50);
    case 1:
      return AttributeValue();
    case 2:
      return AttributeValue::List{AnyScalar(), AnyScalar()};
    case 3:
      return Item{{"k1", AnyScalar()}};
    case 4:
      return Set();
    case 5:
      return "";
    default:
      return AnyScalar();
  }
}

// A string that moves an item around the boundaries of capacity units.
AttributeValue RandomRequests::Filler() {
  static const std::vector<std::size_t> lengths = {0,    10,   100,  960,  1000,
                                                   1024, 2000, 4000, 4090, 9000};
  return std::string(Pick(lengths) + Below(30), 'x');
}

AttributeValue RandomRequests::KeyValue(const Table& table, const std::string& name) {
  // Few partitions, so that there are collections.
  AttributeValue value = Scalar(TypeOf(table, name));
  for (int tries = 0; name == "pk" && tries < 2; ++tries) {
    AttributeValue other = Scalar(TypeOf(table, name));
    if (Compare(other, value) < 0) {
      value = std::move(other);
    }
  }
  return value;
}

Projection RandomRequests::NextProjectionType() {
  switch (Below(3)) {
    case 0:
      return {.type = ProjectionType::kAll};
    case 1:
      return {.type = ProjectionType::kKeysOnly};
    default: {
      std::vector<std::string> names = kPlain;
      Shuffle(names, engine_);
      names.resize(1 + Below(3));
      return {.type = ProjectionType::kInclude, .non_key_attributes = std::move(names)};
    }
  }
}

IndexSpecification RandomRequests::NextGlobalIndex(const std::string& name) {
  std::vector<std::string> names = kIndexable;
  names.push_back("pk");
  Shuffle(names, engine_);
  const std::size_t hash = Percent(70) ? 1 : 2;
  const std::size_t range = Below(names.size() - hash + 1);
  IndexSpecification index{.index_name = name, .projection = NextProjectionType()};
  for (std::size_t i = 0; i < hash + range; ++i) {
    index.key_schema.push_back({names[i], i < hash ? KeyType::kHash : KeyType::kRange});
  }
  return index;
}

CreateTableInput RandomRequests::NextTable(const std::string& name) {
  CreateTableInput input{.table_name = name, .billing_mode = BillingMode::kPayPerRequest};
  input.key_schema.push_back({"pk", KeyType::kHash});
  const bool has_range = Percent(75);
  if (has_range) {
    input.key_schema.push_back({"sk", KeyType::kRange});
  }
  std::vector<std::string> used = {"pk"};
  if (has_range) {
    used.push_back("sk");
  }
  const std::size_t global_count = Below(4);
  for (std::size_t i = 0; i < global_count; ++i) {
    if (!input.global_indexes) {
      input.global_indexes.emplace();
    }
    input.global_indexes->push_back(NextGlobalIndex("g" + std::to_string(i)));
  }
  const std::size_t local_count = has_range ? Below(3) : 0;
  for (std::size_t i = 0; i < local_count; ++i) {
    if (!input.local_indexes) {
      input.local_indexes.emplace();
    }
    input.local_indexes->push_back(
        {.index_name = "l" + std::to_string(i),
         .key_schema = {{"pk", KeyType::kHash}, {Pick(kIndexable), KeyType::kRange}},
         .projection = NextProjectionType()});
  }
  for (const auto* indexes : {&input.global_indexes, &input.local_indexes}) {
    for (const IndexSpecification& index : indexes->value_or(std::vector<IndexSpecification>())) {
      for (const KeySchemaElement& element : index.key_schema) {
        used.push_back(element.attribute_name);
      }
    }
  }
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  for (const std::string& attribute : used) {
    input.attribute_definitions.push_back({attribute, Pick(kTypes)});
  }
  return input;
}

Item RandomRequests::NextKey(const Table& table) {
  Item key;
  for (const KeySchemaElement& element : table.schema().key_schema) {
    key.Set(element.attribute_name, KeyValue(table, element.attribute_name));
  }
  return key;
}

Item RandomRequests::NextItem(const Table& table) {
  Item item = NextKey(table);
  for (const std::string& name : kIndexable) {
    if (Percent(75)) {
      item.Set(name, Percent(98) ? Scalar(TypeOf(table, name)) : AnyValue());
    }
  }
  if (Percent(50)) {
    item.Set("d", AnyValue());
  }
  if (Percent(30)) {
    item.Set("m", Item{{"k1", AnyScalar()}, {"k2", AnyScalar()}});
  }
  if (Percent(30)) {
    item.Set("l", AttributeValue::List(Below(4), AnyScalar()));
  }
  if (Percent(30)) {
    item.Set("t", Set());
  }
  if (Percent(40)) {
    item.Set("x", Filler());
  }
  // Small numbers for a clock that begins at 0; see History.
  if (Percent(30)) {
    item.Set("u", Scalar(ScalarType::kNumber));
  }
  return item;
}

Path RandomRequests::AnyPath(const Table& table) {
  if (Percent(10)) {
    return {.attribute = Pick(table.schema().key_schema).attribute_name};
  }
  Path path{.attribute = Pick(kAll)};
  if (path.attribute == "m" && Percent(60)) {
    path.key = Percent(70) ? "k1" : "k3";
  } else if (path.attribute == "l" && Percent(60)) {
    path.index = Below(4);
  }
  return path;
}

Condition RandomRequests::NextCondition(const Table& table, int depth) {
  using Kind = Condition::Kind;
  static const std::vector<std::string> orders = {"<", "<=", ">", ">="};
  static const std::vector<std::string> types = {"S", "N", "B",  "BOOL", "NULL",
                                                 "L", "M", "SS", "NS"};
  Condition condition{.path = AnyPath(table)};
  const std::size_t choice = Below(depth > 0 ? 14 : 11);
  switch (choice) {
    case 0:
      condition.kind = Kind::kExists;
      break;
    case 1:
      condition.kind = Kind::kNotExists;
      break;
    case 2:
      condition.kind = Kind::kType;
      condition.values = {Pick(types)};
      break;
    case 3:
      condition.kind = Kind::kBeginsWith;
      condition.values = {Scalar(Percent(70) ? ScalarType::kString : ScalarType::kBinary)};
      break;
    case 4:
      condition.kind = Kind::kContains;
      condition.values = {AnyScalar()};
      break;
    case 5:
      condition.kind = Kind::kSize;
      condition.comparator = Pick(orders);
      condition.values = {static_cast<std::int64_t>(Below(5))};
      break;
    case 6: {
      const ScalarType type = Pick(kTypes);
      condition.kind = Kind::kBetween;
      condition.values = {Scalar(type), Scalar(type)};
      if (Compare(condition.values[0], condition.values[1]) > 0) {
        std::swap(condition.values[0], condition.values[1]);
      }
      break;
    }
    case 7:
      condition.kind = Kind::kIn;
      condition.values = {AnyScalar(), AnyValue()};
      break;
    case 8:
      condition.kind = Kind::kCompare;
      condition.comparator = Percent(50) ? "=" : "<>";
      condition.values = {AnyValue()};
      break;
    case 9:
    case 10:
      condition.kind = Kind::kCompare;
      condition.comparator = Pick(orders);
      condition.values = {AnyScalar()};
      break;
    default:
      condition.kind = choice == 11 ? Kind::kAnd : choice == 12 ? Kind::kOr : Kind::kNot;
      condition.children.push_back(NextCondition(table, depth - 1));
      if (choice != 13) {
        condition.children.push_back(NextCondition(table, depth - 1));
      }
  }
  return condition;
}

Action RandomRequests::NextAction(const Table& table, const std::string& attribute) {
  using Kind = Action::Kind;
  Action action{.target = {.attribute = attribute}, .source = AnyPath(table)};
  if (Percent(15)) {
    action.kind = Kind::kRemove;
    return action;
  }
  if (attribute == "m" && Percent(60)) {
    action.target.key = Percent(50) ? "k1" : "k3";
    action.kind = Percent(30) ? Kind::kRemove : Kind::kSet;
    action.value = AnyScalar();
  } else if (attribute == "l" && Percent(70)) {
    action.kind = Pick(std::vector{Kind::kAppend, Kind::kSet, Kind::kRemove});
    action.source = {.attribute = "l"};
    action.value = AttributeValue::List{AnyScalar()};
    if (action.kind != Kind::kAppend) {
      action.target.index = Below(4);
    }
  } else if (attribute == "t") {
    action.kind = Percent(60) ? Kind::kAdd : Kind::kDelete;
    action.value = Set();
  } else if (attribute == "x") {
    action.value = Filler();
  } else if (attribute == "d" || Percent(15)) {
    action.kind = Pick(std::vector{Kind::kSet, Kind::kCopy, Kind::kSum, Kind::kDifference,
                                   Kind::kSetIfNotExists, Kind::kAdd});
    const bool number =
        action.kind == Kind::kSum || action.kind == Kind::kDifference || action.kind == Kind::kAdd;
    action.value = number ? Scalar(ScalarType::kNumber) : AnyValue();
  } else {
    action.value = Scalar(TypeOf(table, attribute));
  }
  return action;
}

Update RandomRequests::NextUpdate(const Table& table) {
  std::vector<std::string> targets = kAll;
  Shuffle(targets, engine_);
  Update update;
  const std::size_t count = 1 + Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    update.push_back(NextAction(table, targets[i]));
  }
  return update;
}

Write RandomRequests::NextWrite(const Table& table) {
  Write write{.table = table.name()};
  const std::size_t choice = Below(10);
  if (choice < 4) {
    write.action = TransactAction::kPut;
    write.item_or_key = NextItem(table);
  } else if (choice < 8) {
    write.action = TransactAction::kUpdate;
    write.item_or_key = NextKey(table);
    if (Percent(95)) {
      write.update = NextUpdate(table);
    }
  } else {
    write.action = TransactAction::kDelete;
    write.item_or_key = NextKey(table);
  }
  if (Percent(30)) {
    write.condition = NextCondition(table);
  }
  return write;
}

std::vector<std::string> RandomRequests::NextProjection() {
  std::vector<std::string> names = kAll;
  names.push_back("pk");
  Shuffle(names, engine_);
  names.resize(1 + Below(4));
  return names;
}

void RandomRequests::AddReadOptions(const Table& table, Read& read) {
  if (Percent(30)) {
    read.filter = NextCondition(table);
  }
  if (Percent(20)) {
    read.projection = NextProjection();
  } else if (Percent(30)) {
    read.select = Percent(50) ? Select::kCount : Select::kAllAttributes;
  } else if (read.index && Percent(20)) {
    read.select = Select::kAllProjectedAttributes;
  }
  if (Percent(40)) {
    read.limit = static_cast<int>(1 + Below(5));
  }
  read.consistent = Percent(30);
}

void RandomRequests::AddRangeTerms(const Table& table, const KeySchema& keys, const Item* example,
                                   Read& read) {
  static const std::vector<std::string> operators = {"=",  "<",       "<=",         ">",
                                                     ">=", "BETWEEN", "begins_with"};
  std::vector<std::string> names;
  for (const KeySchemaElement& element : keys) {
    if (element.key_type == KeyType::kRange) {
      names.push_back(element.attribute_name);
    }
  }
  const std::size_t count = Below(names.size() + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const ScalarType type = TypeOf(table, names[i]);
    const auto value = [&] {
      return example && Percent(60) ? *example->Find(names[i]) : Scalar(type);
    };
    KeyTerm term{.attribute = names[i], .op = "=", .value = value()};
    if (i + 1 == count) {
      term.op = Pick(operators);
    }
    if (term.op == "begins_with" && type == ScalarType::kNumber) {
      term.op = ">=";
    }
    if (term.op == "BETWEEN") {
      term.high = value();
      if (Compare(term.value, term.high) > 0) {
        std::swap(term.value, term.high);
      }
    }
    read.terms.push_back(std::move(term));
  }
}

Read RandomRequests::NextQuery(const Table& table) {
  Read read{.table = table.name()};
  const auto indexes = table.Indexes();
  if (!indexes.empty() && Percent(65)) {
    read.index = Pick(indexes)->index_name;
  }
  const KeySchema& keys =
      read.index ? table.FindIndex(*read.index)->key_schema : table.schema().key_schema;
  const std::vector<Entry> entries = table.Entries(read.index);
  const Item* example = entries.empty() || Percent(15) ? nullptr : &Pick(entries).entry;
  for (const KeySchemaElement& element : keys) {
    const std::string& name = element.attribute_name;
    if (element.key_type == KeyType::kHash) {
      read.terms.push_back({.attribute = name,
                            .op = "=",
                            .value = example ? *example->Find(name) : Scalar(TypeOf(table, name))});
    }
  }
  AddRangeTerms(table, keys, example, read);
  read.forward = Percent(50);
  AddReadOptions(table, read);
  return read;
}

Read RandomRequests::NextScan(const Table& table) {
  Read read{.table = table.name()};
  const auto indexes = table.Indexes();
  if (!indexes.empty() && Percent(50)) {
    read.index = Pick(indexes)->index_name;
  }
  AddReadOptions(table, read);
  return read;
}

}  // namespace prejoin::reference
