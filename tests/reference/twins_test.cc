// Statements and the requests of the API that mean the same, each on a database of its own: what they
// answer, byte for byte, and the units they cost must agree all along a random history.
//
// The twin of an INSERT is a PutItem on the condition that there is no such item; of an UPDATE, an
// UpdateItem on the condition that there is one; of a DELETE, a DeleteItem that is content with none.
// A SELECT by the whole key is a GetItem, others are a Query or a Scan, page by page. Batches and
// transactions are made of these.
//
// PREJOIN_TEST_TWINS says how many histories are run. PREJOIN_TEST_STATEMENTS_AT and
// PREJOIN_TEST_REQUESTS_AT name the gateways of two clusters, which then get them (side.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "client/request_json.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "tests/reference/raw_answers.h"
#include "tests/reference/side.h"
#include "tests/reference/statements.h"
#include "tests/rig/seed.h"
#include "wire/service.h"

namespace prejoin::reference {
namespace {

constexpr int kSteps = 60;

struct Returning {
  std::string clause;
  std::string values;
};
const std::vector<Returning> kReturnings = {{"", "NONE"},
                                            {" RETURNING ALL OLD *", "ALL_OLD"},
                                            {" RETURNING ALL NEW *", "ALL_NEW"},
                                            {" RETURNING MODIFIED OLD *", "UPDATED_OLD"},
                                            {" RETURNING MODIFIED NEW *", "UPDATED_NEW"}};

// ---- Requests

template <class Fill>
std::string Request(const Fill& fill) {
  std::string body;
  {
    json::ObjectWriter object(body);
    fill(object);
  }
  return body;
}

void AppendStatement(const PartiqlStatement& statement, json::ObjectWriter& object) {
  object.String("Statement", statement.statement);
  if (statement.parameters) {
    std::string& out = object.Name("Parameters");
    json::AppendArray(*statement.parameters, out,
                      [&](const AttributeValue& value) { json::AppendValue(value, out); });
  }
}

// The table, the item or key, and the expressions of the write's twin.
void AppendTwin(const Write& write, json::ObjectWriter& object) {
  const bool is_put = write.action == TransactAction::kPut;
  object.String("TableName", write.table);
  json::AppendItem(write.item_or_key, object.Name(is_put ? "Item" : "Key"));
  Placeholders placeholders;
  if (write.update) {
    object.String("UpdateExpression", Print(*write.update, placeholders));
  }
  if (const auto condition = ConditionOfTwin(write)) {
    object.String("ConditionExpression", Print(*condition, placeholders));
  }
  client::AppendExpressionNames(placeholders.names(), object);
  client::AppendExpressionValues(placeholders.values(), object);
}

void AskForCapacity(json::ObjectWriter& object) {
  object.String("ReturnConsumedCapacity", "INDEXES");
}

// ---- The history

class Twins {
 public:
  explicit Twins(std::uint64_t seed) : random_(seed) {
    for (const char* name : {"One", "Two"}) {
      CreateTableInput input = random_.NextTable(name);
      // The engine takes any name; requests are held to three characters.
      for (auto* indexes : {&input.global_indexes, &input.local_indexes}) {
        for (std::size_t i = 0; *indexes && i < (*indexes)->size(); ++i) {
          (**indexes)[i].index_name.insert(0, "By");
        }
      }
      const std::string body = client::CreateTableJson(input);
      EXPECT_EQ(statements_.Send("CreateTable", body).status, 200) << body;
      EXPECT_EQ(requests_.Send("CreateTable", body).status, 200) << body;
      tables_.emplace_back(input);
    }
  }

  ~Twins() {
    for (Side* side : {&statements_, &requests_}) {
      for (const Table& table : tables_) {
        if (!side->IsShared()) {
          continue;
        }
        const std::string body = "{\"TableName\":\"" + table.name() + "\"}";
        EXPECT_EQ(side->Send("DeleteTable", body).status, 200) << body;
      }
    }
  }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;

  void Step() {
    const std::size_t choice = random_.Below(100);
    if (choice < 40) {
      WriteOne();
    } else if (choice < 52) {
      GetOne();
    } else if (choice < 76) {
      ReadPages();
    } else if (choice < 82) {
      WriteBatch();
    } else if (choice < 86) {
      GetMany("BatchExecuteStatement");
    } else if (choice < 96) {
      WriteTransaction();
    } else {
      GetMany("ExecuteTransaction");
    }
  }

  void CompareTables() {
    for (const Table& table : tables_) {
      const std::string body = "{\"TableName\":\"" + table.name() + "\",\"ConsistentRead\":true}";
      EXPECT_EQ(statements_.Send("Scan", body).body, requests_.Send("Scan", body).body);
    }
  }

  const std::string& last() const { return last_; }
  // How many steps of each kind were answered by both with something else than an error.
  const std::map<std::string, int>& answered() const { return answered_; }

 private:
  Table& AnyTable() { return tables_[random_.Below(tables_.size())]; }
  Table& TableOf(const std::string& name) {
    return *std::ranges::find(tables_, name, &Table::name);
  }

  // Puts what both sides agreed on into the tables that the requests are made for.
  void Commit(const Write& write, const WriteOutcome& outcome) {
    if (write.action == TransactAction::kConditionCheck || outcome.error) {
      return;
    }
    if (outcome.new_item) {
      TableOf(write.table).Put(*outcome.new_item);
    } else {
      TableOf(write.table).Remove(write.item_or_key);
    }
  }

  wire::Answer SendStatement(const std::string& operation, const std::string& body) {
    last_ = operation + " " + body;
    return statements_.Send(operation, body);
  }
  wire::Answer SendTwin(const std::string& operation, const std::string& body) {
    last_ += "\n" + operation + " " + body;
    return requests_.Send(operation, body);
  }

  void WriteOne() {
    Write write = random_.NextWrite(AnyTable());
    Returning returning = kReturnings[0];
    if (write.action == TransactAction::kPut) {
      write.condition.reset();
    } else if (write.action == TransactAction::kUpdate) {
      returning = random_.Pick(kReturnings);
    } else if (random_.Percent(50)) {
      returning = kReturnings[1];
    }
    const auto statement =
        StatementPrinter(random_).Print(TableOf(write.table), write, returning.clause);
    if (!statement) {
      return;
    }
    const WriteOutcome outcome = PlanStatement(TableOf(write.table), write);
    const auto ask = [&](json::ObjectWriter& object, bool shows_old) {
      AskForCapacity(object);
      if (shows_old) {
        object.String("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
      }
    };
    const bool shows_old = random_.Percent(50) && write.action != TransactAction::kPut;
    const wire::Answer one =
        SendStatement("ExecuteStatement", Request([&](json::ObjectWriter& object) {
                        AppendStatement(*statement, object);
                        ask(object, shows_old);
                      }));
    const wire::Answer other =
        SendTwin(OperationOf(write.action) + "Item", Request([&](json::ObjectWriter& object) {
                   AppendTwin(write, object);
                   object.String("ReturnValues", returning.values);
                   ask(object, shows_old);
                 }));
    const std::string error = ErrorOf(one);
    ASSERT_EQ(error == "DuplicateItemException" ? "ConditionalCheckFailedException" : error,
              ErrorOf(other))
        << one.body << "\n"
        << other.body;
    EXPECT_EQ(Member(one.body, "Item"), Member(other.body, "Item"));
    if (error.empty()) {
      EXPECT_EQ(Member(one.body, "Items"), "[" + Member(other.body, "Attributes") + "]");
      EXPECT_EQ(Member(one.body, "ConsumedCapacity"), Member(other.body, "ConsumedCapacity"));
      ++answered_["write"];
      Commit(write, outcome);
    }
  }

  // SELECT by the key, with the columns of a projection.
  PartiqlStatement SelectByKey(const Item& key, const Read& read) {
    Read by_key = read;
    for (const auto& [name, value] : key) {
      by_key.terms.push_back({.attribute = name, .op = "=", .value = value});
    }
    return StatementPrinter(random_).Print(TableOf(read.table), by_key);
  }

  // The key and the projection of a read of one item.
  static void AppendGet(const Item& key, const Read& read, json::ObjectWriter& object) {
    object.String("TableName", read.table);
    json::AppendItem(key, object.Name("Key"));
    AppendProjection(read, object);
  }
  static void AppendProjection(const Read& read, json::ObjectWriter& object) {
    if (!read.projection) {
      return;
    }
    Placeholders placeholders;
    std::string text;
    for (const std::string& name : *read.projection) {
      text += (text.empty() ? "" : ", ") + placeholders.Name(name);
    }
    object.String("ProjectionExpression", text);
    client::AppendExpressionNames(placeholders.names(), object);
  }

  Read OneItemOf(const Table& table) {
    Read read{.table = table.name()};
    read.consistent = random_.Percent(50);
    if (random_.Percent(40)) {
      read.projection = random_.NextProjection();
    }
    return read;
  }

  void GetOne() {
    const Table& table = AnyTable();
    const Item key = random_.NextKey(table);
    const Read read = OneItemOf(table);
    const auto ask = [&](json::ObjectWriter& object) {
      AskForCapacity(object);
      object.Bool("ConsistentRead", read.consistent);
    };
    const wire::Answer one =
        SendStatement("ExecuteStatement", Request([&](json::ObjectWriter& object) {
                        AppendStatement(SelectByKey(key, read), object);
                        ask(object);
                      }));
    const wire::Answer other = SendTwin("GetItem", Request([&](json::ObjectWriter& object) {
                                          AppendGet(key, read, object);
                                          ask(object);
                                        }));
    ASSERT_EQ(ErrorOf(one), ErrorOf(other)) << one.body << "\n" << other.body;
    EXPECT_EQ(Member(one.body, "Items"), "[" + Member(other.body, "Item") + "]");
    EXPECT_EQ(Member(one.body, "ConsumedCapacity"), Member(other.body, "ConsumedCapacity"));
    answered_["get"] += Member(other.body, "Item").empty() ? 0 : 1;
  }

  std::string PageRequest(const Read& read, const std::string& start_key) {
    return Request([&](json::ObjectWriter& object) {
      Placeholders placeholders;
      object.String("TableName", read.table);
      if (read.index) {
        object.String("IndexName", *read.index);
      }
      std::string keys;
      for (const KeyTerm& term : read.terms) {
        const std::string name = placeholders.Name(term.attribute);
        const std::string value = placeholders.Value(term.value);
        keys += keys.empty() ? "" : " AND ";
        keys += term.op == "begins_with" ? "begins_with(" + name + ", " + value + ")"
                                         : name + " " + term.op + " " + value;
        keys += term.op == "BETWEEN" ? " AND " + placeholders.Value(term.high) : "";
      }
      if (!keys.empty()) {
        object.String("KeyConditionExpression", keys);
        object.Bool("ScanIndexForward", read.forward);
      }
      if (read.filter) {
        object.String("FilterExpression", Print(*read.filter, placeholders));
      }
      if (read.projection) {
        std::string text;
        for (const std::string& name : *read.projection) {
          text += (text.empty() ? "" : ", ") + placeholders.Name(name);
        }
        object.String("ProjectionExpression", text);
      }
      client::AppendExpressionNames(placeholders.names(), object);
      client::AppendExpressionValues(placeholders.values(), object);
      if (!start_key.empty()) {
        object.Name("ExclusiveStartKey") += start_key;
      }
      AskForPage(read, object);
    });
  }

  static void AskForPage(const Read& read, json::ObjectWriter& object) {
    AskForCapacity(object);
    object.Bool("ConsistentRead", read.consistent);
    if (read.limit) {
      object.Integer("Limit", *read.limit);
    }
  }

  void ReadPages() {
    const Table& table = AnyTable();
    Read read = random_.Percent(70) ? random_.NextQuery(table) : random_.NextScan(table);
    if (!FitToStatement(table, read)) {
      return;
    }
    const PartiqlStatement statement = StatementPrinter(random_).Print(table, read);
    std::string token;
    std::string start_key;
    for (int page = 0; page < 100; ++page) {
      const wire::Answer one =
          SendStatement("ExecuteStatement", Request([&](json::ObjectWriter& object) {
                          AppendStatement(statement, object);
                          AskForPage(read, object);
                          if (!token.empty()) {
                            object.Name("NextToken") += token;
                          }
                        }));
      const wire::Answer other =
          SendTwin(read.terms.empty() ? "Scan" : "Query", PageRequest(read, start_key));
      ASSERT_EQ(ErrorOf(one), ErrorOf(other)) << one.body << "\n" << other.body;
      if (one.status != 200) {
        return;
      }
      ++answered_[read.terms.empty() ? "scan" : "query"];
      EXPECT_EQ(Member(one.body, "Items"), Member(other.body, "Items"));
      EXPECT_EQ(Member(one.body, "ConsumedCapacity"), Member(other.body, "ConsumedCapacity"));
      start_key = Member(other.body, "LastEvaluatedKey");
      token = Member(one.body, "NextToken");
      ASSERT_EQ(Member(one.body, "LastEvaluatedKey"), start_key);
      ASSERT_EQ(token.empty(), start_key.empty());
      if (token.empty()) {
        return;
      }
    }
  }

  // Writes of different items that PartiQL can say.
  void NextWrites(bool transaction, std::vector<Write>& writes,
                  std::vector<PartiqlStatement>& statements) {
    std::set<std::string> seen;
    for (std::size_t left = 1 + random_.Below(5); left > 0; --left) {
      Write write = random_.NextWrite(AnyTable());
      if (write.action == TransactAction::kPut) {
        write.condition.reset();
      } else if (transaction && write.action == TransactAction::kDelete && write.condition &&
                 random_.Percent(40)) {
        write.action = TransactAction::kConditionCheck;
      }
      std::string identity = write.table;
      json::AppendItem(TableOf(write.table).KeyOf(write.item_or_key), identity);
      const auto statement = StatementPrinter(random_).Print(TableOf(write.table), write, "");
      if (statement && seen.insert(identity).second) {
        writes.push_back(write);
        statements.push_back(*statement);
      }
    }
  }

  std::string StatementsRequest(const std::string& member,
                                const std::vector<PartiqlStatement>& statements,
                                std::optional<bool> consistent) {
    return Request([&](json::ObjectWriter& object) {
      std::string& out = object.Name(member);
      json::AppendArray(statements, out, [&](const PartiqlStatement& statement) {
        json::ObjectWriter one(out);
        AppendStatement(statement, one);
        if (consistent) {
          one.Bool("ConsistentRead", *consistent);
        }
      });
      AskForCapacity(object);
    });
  }

  // Its statements are writes of their own, so their twins are single requests. A write that fails is
  // charged for the larger of the items, in the total of a table of which another one succeeds.
  void WriteBatch() {
    std::vector<Write> writes;
    std::vector<PartiqlStatement> statements;
    NextWrites(false, writes, statements);
    if (writes.empty()) {
      return;
    }
    const wire::Answer one = SendStatement(
        "BatchExecuteStatement", StatementsRequest("Statements", statements, std::nullopt));
    ASSERT_EQ(one.status, 200) << one.body;
    const std::vector<std::string> responses = PartsOf(Member(one.body, "Responses"));
    ASSERT_EQ(responses.size(), writes.size()) << one.body;
    std::map<std::string, double> units;
    std::map<std::string, double> failed;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const Item* stored = TableOf(writes[i].table).Find(writes[i].item_or_key);
      const WriteOutcome outcome = PlanStatement(TableOf(writes[i].table), writes[i]);
      const wire::Answer other =
          SendTwin(OperationOf(writes[i].action) + "Item", Request([&](json::ObjectWriter& object) {
                     AppendTwin(writes[i], object);
                     AskForCapacity(object);
                   }));
      const std::string error = Member(responses[i], "Error");
      const std::string code = error.empty() ? "" : Member(error, "Code");
      static const std::map<std::string, std::string> kNames = {
          {"", ""},
          {"\"DuplicateItem\"", "ConditionalCheckFailedException"},
          {"\"ConditionalCheckFailed\"", "ConditionalCheckFailedException"},
          {"\"ValidationError\"", "ValidationException"}};
      ASSERT_TRUE(kNames.contains(code)) << one.body;
      ASSERT_EQ(kNames.at(code), ErrorOf(other)) << one.body << "\n" << other.body;
      if (code.empty()) {
        AddCapacity(Member(other.body, "ConsumedCapacity"), units);
        ++answered_["batch"];
        Commit(writes[i], outcome);
      } else if (code != "\"ValidationError\"") {
        const bool is_put = writes[i].action == TransactAction::kPut;
        const std::size_t bytes = std::max(stored != nullptr ? SizeBytes(*stored) : 0,
                                           is_put ? SizeBytes(writes[i].item_or_key) : 0);
        failed["\"" + writes[i].table + "\""] +=
            static_cast<double>(std::max<std::size_t>(1, (bytes + 1023) / 1024));
      }
    }
    for (auto& [table, total] : units) {
      total += failed.contains(table) ? failed.at(table) : 0;
    }
    std::map<std::string, double> batch_units;
    AddCapacity(Member(one.body, "ConsumedCapacity"), batch_units);
    EXPECT_EQ(batch_units, units);
  }

  void WriteTransaction() {
    std::vector<Write> writes;
    std::vector<PartiqlStatement> statements;
    NextWrites(true, writes, statements);
    if (writes.empty()) {
      return;
    }
    const wire::Answer one = SendStatement(
        "ExecuteTransaction", StatementsRequest("TransactStatements", statements, std::nullopt));
    const wire::Answer other =
        SendTwin("TransactWriteItems", Request([&](json::ObjectWriter& object) {
                   std::string& out = object.Name("TransactItems");
                   json::AppendArray(writes, out, [&](const Write& write) {
                     json::ObjectWriter action(out);
                     json::ObjectWriter twin(action.Name(OperationOf(write.action)));
                     AppendTwin(write, twin);
                   });
                   AskForCapacity(object);
                 }));
    ASSERT_EQ(ErrorOf(one), ErrorOf(other)) << one.body << "\n" << other.body;
    if (one.status == 200) {
      ++answered_["transaction"];
      EXPECT_EQ(Member(one.body, "ConsumedCapacity"), Member(other.body, "ConsumedCapacity"));
      for (const Write& write : writes) {
        Commit(write, PlanStatement(TableOf(write.table), write));
      }
      return;
    }
    const auto reasons = PartsOf(Member(one.body, "CancellationReasons"));
    const auto twins = PartsOf(Member(other.body, "CancellationReasons"));
    ASSERT_EQ(reasons.size(), twins.size()) << one.body << "\n" << other.body;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      const std::string code = Member(reasons[i], "Code");
      EXPECT_EQ(code == "\"DuplicateItem\"" ? "\"ConditionalCheckFailed\"" : code,
                Member(twins[i], "Code"))
          << one.body << "\n"
          << other.body;
    }
  }

  // As a batch, of which BatchGetItem answers the items it found in no order, or as a transaction.
  void GetMany(const std::string& operation) {
    const Table& table = AnyTable();
    const Read read = OneItemOf(table);
    std::map<std::string, Item> keys;
    for (std::size_t left = 1 + random_.Below(5); left > 0; --left) {
      const Item key = random_.NextKey(table);
      std::string text;
      json::AppendItem(key, text);
      keys.emplace(text, key);
    }
    std::vector<PartiqlStatement> statements;
    for (const auto& [text, key] : keys) {
      statements.push_back(SelectByKey(key, read));
    }
    if (operation == "ExecuteTransaction") {
      const wire::Answer one = SendStatement(
          operation, StatementsRequest("TransactStatements", statements, std::nullopt));
      const wire::Answer other =
          SendTwin("TransactGetItems", Request([&](json::ObjectWriter& object) {
                     std::string& out = object.Name("TransactItems");
                     json::AppendArray(keys, out, [&](const auto& key) {
                       json::ObjectWriter item(out);
                       json::ObjectWriter get(item.Name("Get"));
                       AppendGet(key.second, read, get);
                     });
                     AskForCapacity(object);
                   }));
      EXPECT_EQ(PartsOf(one.body), PartsOf(other.body));
      answered_["transaction get"] += one.status == 200 ? 1 : 0;
      return;
    }
    const wire::Answer one =
        SendStatement(operation, StatementsRequest("Statements", statements, read.consistent));
    const wire::Answer other = SendTwin("BatchGetItem", BatchGetRequest(keys, read));
    ASSERT_EQ(one.status, 200) << one.body;
    ASSERT_EQ(other.status, 200) << other.body;
    std::multiset<std::string> items;
    for (const std::string& response : PartsOf(Member(one.body, "Responses"))) {
      if (const std::string item = Member(response, "Item"); !item.empty()) {
        items.insert(item);
      }
    }
    const auto found = PartsOf(Member(Member(other.body, "Responses"), table.name()));
    EXPECT_EQ(items, std::multiset<std::string>(found.begin(), found.end()));
    EXPECT_EQ(Member(one.body, "ConsumedCapacity"), Member(other.body, "ConsumedCapacity"));
    answered_["batch get"] += items.empty() ? 0 : 1;
  }

  static std::string BatchGetRequest(const std::map<std::string, Item>& keys, const Read& read) {
    return Request([&](json::ObjectWriter& object) {
      {
        json::ObjectWriter tables(object.Name("RequestItems"));
        json::ObjectWriter wanted(tables.Key(read.table));
        std::string& out = wanted.Name("Keys");
        json::AppendArray(keys, out, [&](const auto& key) { out += key.first; });
        wanted.Bool("ConsistentRead", read.consistent);
        AppendProjection(read, wanted);
      }
      AskForCapacity(object);
    });
  }

  Side statements_{"PREJOIN_TEST_STATEMENTS_AT"};
  Side requests_{"PREJOIN_TEST_REQUESTS_AT"};
  RandomRequests random_;
  std::vector<Table> tables_;
  std::string last_;
  std::map<std::string, int> answered_;
};

TEST(Twins, StatementsAnswerAndCostAsTheirRequestsDo) {
  const std::uint64_t first = TestSeed();
  const char* count = std::getenv("PREJOIN_TEST_TWINS");
  std::map<std::string, int> answered;
  for (int i = 0; i < (count ? std::atoi(count) : 500) && !HasFailure(); ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    Twins twins(seed);
    for (int step = 0; step < kSteps && !HasFailure(); ++step) {
      twins.Step();
    }
    twins.CompareTables();
    for (const auto& [kind, times] : twins.answered()) {
      answered[kind] += times;
    }
    if (HasFailure()) {
      std::cout << SeedMessage(seed) << " repeats this history:\n" << twins.last() << std::endl;
    }
  }
  // What was compared was not only errors.
  for (const char* kind :
       {"write", "get", "query", "scan", "batch", "transaction", "batch get", "transaction get"}) {
    EXPECT_GT(answered[kind], 0) << kind;
  }
}

}  // namespace
}  // namespace prejoin::reference
