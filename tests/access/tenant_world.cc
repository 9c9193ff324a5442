#include "tests/access/tenant_world.h"

#include <gtest/gtest.h>

#include "json/item_json.h"
#include "json/reader.h"
#include "model/data/item_render.h"
#include "model/prove/tenants.h"

namespace prejoin::access {
namespace {

// Templates of partition keys. The first group keeps tenants apart, the second does not; # stands for the entity.
const std::vector<std::string> kTenantKeys = {"ORG#{Org}", "#{Org}", "{Org}|#", "#|{Org}|{Nr}",
                                              "ORG#{Org}#{Kind}"};
const std::vector<std::string> kSharedKeys = {"ALL#", "K#|{Kind}", "N#|{Nr}|{Org}"};

std::string Template(std::string text, const std::string& entity) {
  // Each entity has a letter of its own, so that no key of one can be another's by chance.
  std::string out;
  for (const char c : text) {
    out += c == '#' ? "<" + entity + ">" : std::string(1, c);
  }
  return out;
}

const char* const kTable =
    R"({"TableName":"Rows","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},
    {"AttributeName":"GSI1PK","AttributeType":"S"},{"AttributeName":"GSI1SK","AttributeType":"S"},{"AttributeName":"Kind","AttributeType":"S"}],
  "LocalSecondaryIndexes":[{"IndexName":"LSI","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"Kind","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}],
  "GlobalSecondaryIndexes":[{"IndexName":"GSI1","KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}],
  "VectorIndexes":[{"IndexName":"Near","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN",
    "Projection":{"ProjectionType":"ALL"},"SearchSchema":[{"AttributeName":"PK","SearchSchemaElementType":"HASH"}]},
    {"IndexName":"Everywhere","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,"DistanceFunction":"EUCLIDEAN",
    "Projection":{"ProjectionType":"ALL"}}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";

// The value behind "name":" in an answer.
std::string Member(const std::string& body, const std::string& name) {
  const std::string before = "\"" + name + "\":\"";
  const auto at = body.find(before);
  if (at == std::string::npos) {
    return {};
  }
  const auto begin = at + before.size();
  return body.substr(begin, body.find('"', begin) - begin);
}

}  // namespace

std::string Dice::Word(std::size_t letters) {
  std::string word;
  while (word.size() < letters) {
    word += static_cast<char>('a' + Below(26));
  }
  return word;
}

std::string Json(const Item& item) {
  std::string out;
  json::AppendItem(item, out);
  return out;
}

std::string Json(const AttributeValue& value) {
  std::string out;
  json::AppendValue(value, out);
  return out;
}

TenantDesign RandomDesign(Dice& dice) {
  TenantDesign design;
  std::string& text = design.text;
  text =
      "model \"Tenants\"\n\ntenant Org.Org\n\nentity Org {\n  Org text(~9) key\n  Note "
      "text(~9)\n}\n\n";
  std::string items = "  item Org {\n    PK = \"T|{Org}\"\n    SK = \"T\"\n  }\n";
  const std::size_t count = 1 + dice.Below(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "E" + std::to_string(i);
    design.entities.push_back(name);
    text += "entity " + name +
            " {\n  Org references Org.Org key\n  Nr text(~9) key\n  Kind text(~9)\n  Note "
            "text(~20)\n}\n\n";
    const auto key = [&] {
      return Template(dice.OneIn(3) ? dice.Of(kSharedKeys) : dice.Of(kTenantKeys), name);
    };
    items +=
        "  item " + name + " {\n    PK = \"" + key() + "\"\n    SK = \"" + name + "|{Org}|{Nr}\"\n";
    if (!dice.OneIn(4)) {
      items += "    GSI1PK = \"" + key() + "\"\n    GSI1SK = \"{Kind}|{Org}|{Nr}\"\n";
    }
    items += "  }\n";
  }
  text +=
      "table Rows partition PK sort SK {\n  index GSI1 partition GSI1PK sort GSI1SK project all\n" +
      items + "}\n";
  design.read = model::ReadModel(text);
  EXPECT_TRUE(design.read.ok) << text;
  for (const auto& diagnostic : design.read.diagnostics) {
    EXPECT_TRUE(design.read.ok) << diagnostic.message;
  }
  const auto policy = model::MakeTenantPolicy(design.read.model);
  EXPECT_TRUE(policy) << text;
  if (policy) {
    // PartiQL and searches are refused with the policy as it is, which would prove nothing about them.
    design.policy = policy->document;
    const std::string first = "\"dynamodb:GetItem\"";
    design.policy.replace(
        design.policy.find(first), first.size(),
        first + R"(, "dynamodb:PartiQL*", "dynamodb:SearchVectors", "dynamodb:Scan")");
  }
  return design;
}

std::vector<StoredRow> RandomRows(const TenantDesign& design,
                                  const std::vector<std::string>& tenants, std::uint64_t seed) {
  std::vector<StoredRow> rows;
  for (const std::string& tenant : tenants) {
    Dice dice(seed + std::hash<std::string>()(tenant));
    const auto marked = [&](std::size_t letters) {
      return "~" + tenant + "~" + dice.Word(letters) + "~";
    };
    model::Dataset data;
    data.rows["Org"].push_back({{"Org", tenant}, {"Note", marked(6)}});
    for (const std::string& entity : design.entities) {
      for (std::size_t i = 1 + dice.Below(5); i > 0; --i) {
        data.rows[entity].push_back({{"Org", tenant},
                                     {"Nr", marked(4)},
                                     {"Kind", dice.OneIn(2) ? std::string("red") : marked(3)},
                                     {"Note", marked(6 + dice.Below(2000))}});
      }
    }
    model::DataIndex index(data);
    for (model::TableItems& table : model::RenderAll(design.read.model, index)) {
      for (Item& item : table.items) {
        item.Set("e", AttributeValue::List{static_cast<int>(dice.Below(100)),
                                           static_cast<int>(dice.Below(100))});
        rows.push_back({tenant, std::move(item)});
      }
    }
  }
  return rows;
}

TenantWorld::TenantWorld(const TenantDesign& design, const std::vector<StoredRow>& rows)
    : database_(*Database::Open({.path = ""})),
      service_(std::make_unique<wire::Service>(engine::EngineOf(*database_))),
      role_(std::make_shared<ReadyIdentity>()) {
  const wire::Answer created = Send("CreateTable", kTable, nullptr);
  EXPECT_EQ(created.status, 200) << created.body;
  for (const StoredRow& row : rows) {
    const wire::Answer put =
        Send("PutItem", R"({"TableName":"Rows","Item":)" + Json(row.item) + "}", nullptr);
    EXPECT_EQ(put.status, 200) << put.body << Json(row.item);
  }
  stream_arn_ = Member(created.body, "LatestStreamArn");
  const wire::Answer described =
      Send("DescribeStream", R"({"StreamArn":")" + stream_arn_ + "\"}", nullptr);
  shard_iterator_ = Member(Send("GetShardIterator",
                                R"({"StreamArn":")" + stream_arn_ +
                                    R"(","ShardIteratorType":"TRIM_HORIZON","ShardId":")" +
                                    Member(described.body, "ShardId") + "\"}",
                                nullptr)
                               .body,
                           "ShardIterator");
  EXPECT_FALSE(shard_iterator_.empty()) << described.body;
  role_->identity.kind = IdentityKind::kRole;
  role_->identity.name = "tenant";
  auto policy = Policy::Parse(design.policy, PolicyKind::kIdentity, "tenant");
  EXPECT_TRUE(policy) << design.policy;
  if (policy) {
    role_->policies.push_back(*std::move(policy));
  }
}

std::shared_ptr<const Principal> TenantWorld::PrincipalOf(const std::string& tenant) const {
  auto principal = std::make_shared<Principal>();
  principal->caller = {.arn = "arn:aws:sts::123456789012:assumed-role/tenant/session",
                       .role_arn = "arn:aws:iam::123456789012:role/tenant",
                       .account = "123456789012"};
  principal->tags = {{"tenant", tenant}};
  principal->identity = role_;
  return principal;
}

std::unique_ptr<RequestAccess> TenantWorld::Enter(const std::string& tenant) {
  return std::make_unique<RequestAccess>(engine(), resource_policies_, PrincipalOf(tenant),
                                         RequestFacts(), Enforcement::kPolicies);
}

wire::Answer TenantWorld::Send(std::string_view operation, const std::string& body,
                               RequestAccess* access) {
  const bool is_stream = operation == "DescribeStream" || operation == "GetShardIterator" ||
                         operation == "GetRecords" || operation == "ListStreams";
  return service_->Handle(
      (is_stream ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + std::string(operation),
      body, RequestBudget(), "localhost", access);
}

std::string TenantWorld::Contents(const std::string& without) {
  const wire::Answer answer = Send(
      "Scan",
      R"({"TableName":"Rows","FilterExpression":"attribute_exists(Org) AND Org <> :t","ExpressionAttributeValues":{":t":{"S":")" +
          without + "\"}}}",
      nullptr);
  EXPECT_EQ(answer.status, 200) << answer.body;
  // Without what was scanned, which the rows left out count for.
  const auto begin = answer.body.find("\"Items\":");
  EXPECT_NE(begin, std::string::npos);
  return answer.body.substr(begin, answer.body.rfind(']') - begin);
}

}  // namespace prejoin::access
