// One tenant's role learns nothing of another tenant.
//
// Two databases have the same rows of one tenant, but different rows of all the others: other keys, other counts, other sizes. The tenant sends
// the same random requests to both, among them requests for keys that others have in the first database and not in the second. Whatever
// the policy lets through, both must answer with the same bytes and do the same work: an answer that depends on the rows of others differs, be it
// by an item, a count, a capacity, an error, or by how long it takes. As a second net every value holds its tenant's marker, and no answer may
// hold a marker of others that the request did not bring itself.
//
// The same test, run with a hole in the access control, must find it.
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <set>

#include "tests/access/tenant_world.h"
#include "tests/rig/seed.h"

namespace prejoin::access {
namespace {

const std::string kOwn = "bob";
const std::vector<std::string> kOthers = {"bo", "bobby", "alice"};

// Random requests about rows that are there, and some that are not.
class RequestMaker {
 public:
  RequestMaker(Dice& dice, const std::vector<StoredRow>& rows) : dice_(dice), rows_(rows) {}

  struct Request {
    std::string operation;
    std::string body;
  };

  Request Make() {
    using Maker = Request (RequestMaker::*)();
    static constexpr Maker kMakers[] = {
        &RequestMaker::Get,        &RequestMaker::BatchGet,      &RequestMaker::TransactGet,
        &RequestMaker::Query,      &RequestMaker::Query,         &RequestMaker::Scan,
        &RequestMaker::Put,        &RequestMaker::Update,        &RequestMaker::Delete,
        &RequestMaker::BatchWrite, &RequestMaker::TransactWrite, &RequestMaker::Statement,
        &RequestMaker::Statement,  &RequestMaker::Statements,    &RequestMaker::Search,
        &RequestMaker::About};
    return (this->*kMakers[dice_.Below(std::size(kMakers))])();
  }

 private:
  // Half of the rows are the tenant's own, so that much is allowed.
  const Item& Row() {
    for (int tries = 0; tries < 50; ++tries) {
      const StoredRow& row = dice_.Of(rows_);
      if ((row.tenant == kOwn) == own_) {
        return row.item;
      }
    }
    return rows_.front().item;
  }
  const Item& AnyRow() {
    own_ = !dice_.OneIn(3);
    return Row();
  }
  static std::string Text(const Item& item, std::string_view name) {
    const AttributeValue* value = item.Find(name);
    return value != nullptr && value->string() != nullptr ? *value->string() : "";
  }
  Item KeyOf(const Item& item) {
    Item key = {{"PK", *item.Find("PK")}, {"SK", *item.Find("SK")}};
    if (dice_.OneIn(6)) {
      key.Set("SK", Text(item, "SK") + "?");  // There is no such row.
    }
    return key;
  }
  std::string Key() { return Json(KeyOf(AnyRow())); }
  std::string NewItem() {
    Item item = AnyRow();
    if (dice_.OneIn(2)) {
      item.Set("SK", Text(item, "SK") + dice_.Word(1));
    }
    if (dice_.OneIn(2)) {
      item.Set("Kind", "blue");
    }
    return Json(item);
  }
  std::string Maybe(std::size_t one_in, std::string text) {
    return dice_.OneIn(one_in) ? "," + std::move(text) : "";
  }
  std::string Capacity() {
    return Maybe(2, std::string(R"("ReturnConsumedCapacity":)") +
                        (dice_.OneIn(2) ? "\"TOTAL\"" : "\"INDEXES\""));
  }
  std::string Condition() {
    static const std::vector<std::string> kConditions = {
        R"j("ConditionExpression":"attribute_not_exists(PK)")j",
        R"j("ConditionExpression":"attribute_exists(PK)")j",
        R"j("ConditionExpression":"attribute_exists(Note) AND size(Note) > size(Kind)")j"};
    return Maybe(2, dice_.Of(kConditions)) +
           Maybe(2, R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")");
  }

  Request Get() {
    return {"GetItem", R"({"TableName":"Rows","Key":)" + Key() + Capacity() +
                           Maybe(3, R"("ProjectionExpression":"Note, PK")") +
                           Maybe(3, R"("ConsistentRead":true)") + "}"};
  }
  std::string Keys() {
    std::set<std::string> keys;
    for (std::size_t i = 1 + dice_.Below(4); i > 0; --i) {
      keys.insert(Key());
    }
    std::string out;
    for (const std::string& key : keys) {
      out += (out.empty() ? "" : ",") + key;
    }
    return out;
  }
  Request BatchGet() {
    return {"BatchGetItem", R"({"RequestItems":{"Rows":{"Keys":[)" + Keys() + "]" +
                                Maybe(3, R"("ProjectionExpression":"Note")") + "}}" + Capacity() +
                                "}"};
  }
  Request TransactGet() {
    std::string items;
    for (std::size_t i = 1 + dice_.Below(3); i > 0; --i) {
      items += (items.empty() ? "" : ",") + (R"({"Get":{"TableName":"Rows","Key":)" + Key() + "}}");
    }
    return {"TransactGetItems", R"({"TransactItems":[)" + items + "]" + Capacity() + "}"};
  }
  // The name of an index, its partition key and its sort key.
  std::array<std::string, 3> View() {
    static const std::vector<std::array<std::string, 3>> kViews = {
        {"", "PK", "SK"}, {"GSI1", "GSI1PK", "GSI1SK"}, {"LSI", "PK", "Kind"}};
    return dice_.Of(kViews);
  }
  Request Query() {
    const auto [index, partition, sort] = View();
    const Item& row = AnyRow();
    std::string values = R"(":p":{"S":")" + Text(row, partition) + "\"}";
    std::string condition = partition + " = :p";
    if (dice_.OneIn(3)) {
      condition += " AND " + sort + " >= :s";
      values += R"(,":s":{"S":")" + Text(dice_.OneIn(2) ? row : AnyRow(), sort) + "\"}";
    }
    std::string body = R"({"TableName":"Rows","KeyConditionExpression":")" + condition + "\"";
    if (!index.empty()) {
      body += R"(,"IndexName":")" + index + "\"";
    }
    if (dice_.OneIn(4)) {
      body += R"(,"FilterExpression":"Kind <> :k")";
      values += R"(,":k":{"S":"red"})";
    }
    // The place of another row, which may be another tenant's.
    if (dice_.OneIn(3)) {
      const Item& start = AnyRow();
      Item key = KeyOf(start);
      if (!index.empty() && start.Find(partition) && start.Find(sort)) {
        key.Set(partition, *start.Find(partition));
        key.Set(sort, *start.Find(sort));
      }
      if (dice_.OneIn(2)) {
        key.Set(partition, Text(row, partition));
      }
      body += R"(,"ExclusiveStartKey":)" + Json(key);
    }
    body += Maybe(4, R"("Select":"COUNT")") +
            Maybe(3, R"("Limit":)" + std::to_string(1 + dice_.Below(4))) +
            Maybe(3, R"("ScanIndexForward":false)") + Capacity();
    return {"Query", body + R"(,"ExpressionAttributeValues":{)" + values + "}}"};
  }
  Request Scan() {
    const std::string index = View()[0];
    return {"Scan", R"({"TableName":"Rows")" +
                        (index.empty() ? "" : R"(,"IndexName":")" + index + "\"") +
                        Maybe(2, R"("ExclusiveStartKey":)" + Key()) + Capacity() + "}"};
  }
  Request Put() {
    return {"PutItem", R"({"TableName":"Rows","Item":)" + NewItem() + Condition() +
                           Maybe(2, R"("ReturnValues":"ALL_OLD")") +
                           Maybe(3, R"("ReturnItemCollectionMetrics":"SIZE")") + Capacity() + "}"};
  }
  static std::string Change() {
    return R"(,"UpdateExpression":"SET Kind = :v","ExpressionAttributeValues":{":v":{"S":"green"}})";
  }
  Request Update() {
    static const std::vector<std::string> kReturned = {"ALL_OLD", "ALL_NEW", "UPDATED_OLD",
                                                       "UPDATED_NEW"};
    return {"UpdateItem", R"({"TableName":"Rows","Key":)" + Key() + Change() + Condition() +
                              Maybe(2, R"("ReturnValues":")" + dice_.Of(kReturned) + "\"") +
                              Capacity() + "}"};
  }
  Request Delete() {
    return {"DeleteItem", R"({"TableName":"Rows","Key":)" + Key() + Condition() +
                              Maybe(2, R"("ReturnValues":"ALL_OLD")") + Capacity() + "}"};
  }
  Request BatchWrite() {
    std::set<std::string> keys;
    std::string requests;
    for (std::size_t i = 1 + dice_.Below(3); i > 0; --i) {
      const Item& row = AnyRow();
      const std::string key = Json(KeyOf(row));
      if (!keys.insert(Json(Item{{"PK", *row.Find("PK")}, {"SK", *row.Find("SK")}})).second) {
        continue;
      }
      requests += (requests.empty() ? "" : ",") +
                  (dice_.OneIn(3) ? R"({"DeleteRequest":{"Key":)" + key + "}}"
                                  : R"({"PutRequest":{"Item":)" + Json(row) + "}}");
    }
    return {"BatchWriteItem", R"({"RequestItems":{"Rows":[)" + requests + "]}" + Capacity() + "}"};
  }
  Request TransactWrite() {
    std::string items;
    for (std::size_t i = 1 + dice_.Below(3); i > 0; --i) {
      const std::string target = R"({"TableName":"Rows",)";
      std::string one;
      switch (dice_.Below(4)) {
        case 0:
          one = R"({"Put":)" + target + R"("Item":)" + NewItem() + Condition();
          break;
        case 1:
          one = R"({"Delete":)" + target + R"("Key":)" + Key() + Condition();
          break;
        case 2:
          one = R"({"Update":)" + target + R"("Key":)" + Key() + Change() + Condition();
          break;
        default:
          one =
              R"({"ConditionCheck":)" + target + R"("Key":)" + Key() +
              R"j(,"ConditionExpression":"attribute_not_exists(PK)","ReturnValuesOnConditionCheckFailure":"ALL_OLD")j";
      }
      items += (items.empty() ? "" : ",") + one + "}}";
    }
    return {"TransactWriteItems", R"({"TransactItems":[)" + items + "]" + Capacity() + "}"};
  }
  // Quoted for PartiQL; inside of JSON.
  std::string Quoted(const std::string& text) { return "'" + text + "'"; }
  std::string Where(const std::string& partition) {
    const std::string first = Quoted(Text(AnyRow(), partition));
    switch (dice_.Below(4)) {
      case 0:
        return partition + " IN [" + first + ", " + Quoted(Text(AnyRow(), partition)) + "]";
      case 1:
        return partition + " = " + first + " OR " + partition + " = " +
               Quoted(Text(AnyRow(), partition));
      default:
        return partition + " = " + first;
    }
  }
  std::string OneItem(const Item& item) {
    const Item key = KeyOf(item);
    return " WHERE PK = " + Quoted(Text(key, "PK")) + " AND SK = " + Quoted(Text(key, "SK"));
  }
  std::string Write() {
    const Item& row = AnyRow();
    switch (dice_.Below(3)) {
      case 0:
        return "UPDATE Rows SET Kind = 'grey'" + OneItem(row) + " RETURNING ALL OLD *";
      case 1:
        return "DELETE FROM Rows" + OneItem(row) + " RETURNING ALL OLD *";
      default:
        return "INSERT INTO Rows VALUE {'PK': " + Quoted(Text(row, "PK")) +
               ", 'SK': " + Quoted(Text(row, "SK")) + "}";
    }
  }
  Request Statement() {
    const auto [index, partition, sort] = View();
    const std::string from = index.empty() ? "Rows" : R"(\"Rows\".\")" + index + R"(\")";
    std::string text;
    switch (dice_.Below(5)) {
      case 0:
        text = Write();
        break;
      case 1:
        text = "SELECT * FROM " + from + (dice_.OneIn(2) ? "" : " WHERE Kind = 'red'");
        break;
      case 2:
        text = "SELECT Note FROM Rows" + OneItem(AnyRow());
        break;
      default:
        text = "SELECT * FROM " + from + " WHERE " + Where(partition);
    }
    return {"ExecuteStatement", R"({"Statement":")" + text + "\"" + Capacity() +
                                    Maybe(3, R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")") +
                                    "}"};
  }
  Request Statements() {
    const bool together = dice_.OneIn(2);
    const bool writes = dice_.OneIn(2);
    std::string statements;
    for (std::size_t i = 1 + dice_.Below(3); i > 0; --i) {
      std::string text = writes ? Write() : "SELECT * FROM Rows" + OneItem(AnyRow());
      if (together) {
        text = text.substr(0, text.find(" RETURNING"));
      }
      statements += (statements.empty() ? "" : ",") + (R"({"Statement":")" + text + "\"}");
    }
    return {together ? "ExecuteTransaction" : "BatchExecuteStatement",
            std::string("{\"") + (together ? "TransactStatements" : "Statements") + "\":[" +
                statements + "]" + Capacity() + "}"};
  }
  Request Search() {
    const bool everywhere = dice_.OneIn(4);
    std::string body =
        R"({"TableName":"Rows","SearchVector":[{"N":"1"},{"N":"50"}],"TopK":3,"IndexName":)";
    body += everywhere ? "\"Everywhere\"" : "\"Near\"";
    if (!everywhere) {
      body += R"(,"SearchConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":")" +
              Text(AnyRow(), "PK") + "\"}}";
    }
    return {"SearchVectors",
            body + Maybe(3, R"("ProjectionExpression":"Note")") + Capacity() + "}"};
  }
  Request About() {
    static const std::vector<Request> kRequests = {
        {"DescribeTable", R"({"TableName":"Rows"})"},
        {"ListTables", "{}"},
        {"DescribeStream", R"({"StreamArn":"@stream"})"},
        {"GetRecords", R"({"ShardIterator":"@iterator"})"},
        {"ListStreams", "{}"},
        {"ExportTableToPointInTime",
         R"({"TableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/Rows","S3Bucket":"b"})"},
        {"DescribeContributorInsights", R"({"TableName":"Rows"})"},
        {"Query",
         R"({"TableName":"Nowhere","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"x"}}})"}};
    return dice_.Of(kRequests);
  }

  Dice& dice_;
  const std::vector<StoredRow>& rows_;
  bool own_ = true;
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos && !from.empty()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The first marker of another tenant in an answer that the request did not bring; empty if there is none.
std::string ForeignMarker(const std::string& request, const std::string& answer) {
  for (const std::string& tenant : kOthers) {
    const std::string before = "~" + tenant + "~";
    for (auto at = answer.find(before); at != std::string::npos; at = answer.find(before, at + 1)) {
      const auto end = answer.find('~', at + before.size());
      const std::string marker = answer.substr(at, end == std::string::npos ? end : end + 1 - at);
      if (request.find(marker) == std::string::npos) {
        return marker;
      }
    }
  }
  return {};
}

struct Tally {
  int answered = 0;
  int with_own_rows = 0;
  int refused = 0;
  std::set<std::string> answered_operations;
  std::vector<std::string> problems;
};

using MakeAccess = std::function<std::unique_ptr<RequestAccess>(TenantWorld&)>;

void RunRequests(std::uint64_t seed, int count, const MakeAccess& enter, Tally& tally) {
  Dice dice(seed);
  const TenantDesign design = RandomDesign(dice);
  const std::vector<StoredRow> own = RandomRows(design, {kOwn}, seed);
  std::vector<StoredRow> known = RandomRows(design, kOthers, seed);
  known.insert(known.end(), own.begin(), own.end());
  std::vector<StoredRow> elsewhere = RandomRows(design, kOthers, seed + 1);
  elsewhere.insert(elsewhere.end(), own.begin(), own.end());

  std::array<std::unique_ptr<TenantWorld>, 2> worlds = {
      std::make_unique<TenantWorld>(design, known),
      std::make_unique<TenantWorld>(design, elsewhere)};
  const std::array<std::string, 2> before = {worlds[0]->Contents(kOwn), worlds[1]->Contents(kOwn)};
  EXPECT_NE(before[0], before[1]);
  RequestMaker requests(dice, known);
  for (int i = 0; i < count; ++i) {
    const RequestMaker::Request request = requests.Make();
    std::array<wire::Answer, 2> answers;
    for (std::size_t world = 0; world < worlds.size(); ++world) {
      TenantWorld& there = *worlds[world];
      const std::string body = Replaced(Replaced(request.body, "@stream", there.stream_arn()),
                                        "@iterator", there.shard_iterator());
      const auto access = enter(there);
      answers[world] = there.Send(request.operation, body, access.get());
      answers[world].body = Replaced(answers[world].body, there.stream_arn(), "@stream");
      const std::string marker = ForeignMarker(body, answers[world].body);
      if (!marker.empty()) {
        tally.problems.push_back(request.operation + " shows " + marker + ": " + body + "\n" +
                                 answers[world].body);
      }
    }
    if (answers[0].status != answers[1].status || answers[0].body != answers[1].body ||
        answers[0].work != answers[1].work) {
      tally.problems.push_back(request.operation + " depends on rows of others: " + request.body +
                               "\n" + answers[0].body + " (" + std::to_string(answers[0].work) +
                               ")\n" + answers[1].body + " (" + std::to_string(answers[1].work) +
                               ")");
    }
    if (answers[0].body.find("AccessDenied") != std::string::npos) {
      ++tally.refused;
    } else if (answers[0].status == 200) {
      ++tally.answered;
      tally.answered_operations.insert(request.operation);
      tally.with_own_rows += answers[0].body.find("~bob~") != std::string::npos ? 1 : 0;
    }
  }
  for (std::size_t world = 0; world < worlds.size(); ++world) {
    // What a row stands in is its own tenant's; a row that was moved there by a write would show here.
    if (worlds[world]->Contents(kOwn) != before[world]) {
      tally.problems.push_back("rows of others were changed");
    }
  }
}

int Designs() {
  const char* const wanted = std::getenv("PREJOIN_TENANT_DESIGNS");
  return wanted != nullptr ? std::atoi(wanted) : 25;
}

TEST(Tenants, LearnNothingOfEachOther) {
  const std::uint64_t seed = TestSeed();
  Tally tally;
  for (int i = 0; i < Designs(); ++i) {
    RunRequests(
        seed + static_cast<std::uint64_t>(i) * 1000, 200,
        [](TenantWorld& world) { return world.Enter(kOwn); }, tally);
    ASSERT_THAT(tally.problems, testing::IsEmpty()) << "design " << i;
  }
  // Something was tried: rights were used, and refused, in all their forms.
  EXPECT_GT(tally.with_own_rows, 10 * Designs());
  EXPECT_GT(tally.refused, 20 * Designs());
  EXPECT_THAT(tally.answered_operations,
              testing::IsSupersetOf(
                  {"GetItem", "BatchGetItem", "TransactGetItems", "Query", "PutItem", "UpdateItem",
                   "DeleteItem", "BatchWriteItem", "TransactWriteItems", "ExecuteStatement",
                   "BatchExecuteStatement", "ExecuteTransaction", "SearchVectors"}));
}

// Lets one kind of access pass that the policy does not allow.
class Holed : public RequestAccess {
 public:
  Holed(TenantWorld& world, engine::ItemAction hole)
      : RequestAccess(world.engine(), world.resource_policies(), world.PrincipalOf(kOwn), {},
                      Enforcement::kPolicies),
        hole_(hole) {}
  Status CheckItems(const engine::ItemAccess& access) override {
    return access.action == hole_ ? Status() : RequestAccess::CheckItems(access);
  }

 private:
  const engine::ItemAction hole_;
};

TEST(Tenants, AHoleIsFound) {
  const std::uint64_t seed = TestSeed();
  using enum engine::ItemAction;
  for (const engine::ItemAction hole :
       {kGet, kQuery, kScan, kPut, kUpdate, kDelete, kCheck, kSearch}) {
    Tally tally;
    for (std::uint64_t i = 0; tally.problems.empty() && i < 20; ++i) {
      RunRequests(
          seed + i, 300, [&](TenantWorld& world) { return std::make_unique<Holed>(world, hole); },
          tally);
    }
    EXPECT_FALSE(tally.problems.empty()) << "hole " << static_cast<int>(hole);
  }
}

}  // namespace
}  // namespace prejoin::access
