// Tables as other people lay them out: the inferred model checks, audits clean against the items it came from, and proves.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "draft/draft.h"
#include "draft/infer/infer.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"

namespace prejoin::draft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

AttributeValue Text(std::string text) { return AttributeValue(std::move(text)); }

// Infers the model, and judges it by the items.
std::string Inferred(const std::vector<Item>& items, bool with_index = false) {
  DraftTable table;
  table.name = "Things";
  table.partition = "PK";
  table.sort = "SK";
  if (with_index) {
    table.indexes = {{"GSI1", false, {"GSI1PK"}, {"GSI1SK"}, "all", {}}};
  }
  Inference inference(std::move(table), {});
  for (const Item& item : items) {
    inference.Add(item);
  }
  Draft draft;
  draft.title = "Things";
  inference.Finish(draft);
  CompleteInferred(draft);
  std::string source = PrintDraft(draft);
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& one : model::CheckModel(read)) {
    if (one.severity == model::Severity::kError) {
      ADD_FAILURE() << model::RenderDiagnostic("inferred", source, one);
    }
  }
  if (!read.ok) {
    return source;
  }
  audit::Auditor auditor(read.model, {});
  for (const Item& item : items) {
    EXPECT_TRUE(auditor.Add(read.model.tables[0], item).has_value());
  }
  const auto report = auditor.Finish();
  EXPECT_TRUE(report.has_value() && report->Total() == 0)
      << (report ? audit::RenderAudit(*report, 10) : report.error().message) << source;
  for (const double rows : {0.0, 200.0}) {
    const auto backend = model::EmbeddedBackend::OpenInMemory();
    const auto proof = model::ProveAtScale(read.model, {rows, 1}, **backend, {});
    EXPECT_TRUE(proof.has_value()) << proof.error().message << source;
  }
  return source;
}

TEST(InferForeign, SingleItemsAreKeyedByTheirOwnText) {
  std::vector<Item> items = {{{"PK", Text("CONFIG")}, {"SK", Text("FEATURES")}, {"dark", AttributeValue(true)}}};
  for (int i = 0; i < 30; ++i) {
    const std::string id = "a" + std::to_string(i * 37);
    items.push_back({{"PK", Text("USER#" + id)}, {"SK", Text("USER#" + id)}, {"id", Text(id)}});
  }
  EXPECT_THAT(Inferred(items), HasSubstr("PK = \"{only}\""));
}

TEST(InferForeign, KeysOfASparseIndexThatNoAttributeExplainsAreAttributes) {
  std::vector<Item> items;
  for (int i = 0; i < 60; ++i) {
    const std::string user = "u" + std::to_string(i % 7);
    const std::string id = "m" + std::to_string(i * 31);
    Item item{{"PK", Text("MESSAGES#" + user)}, {"SK", Text("MESSAGE#" + id)}, {"user", Text(user)},
              {"id", Text(id)}, {"unread", AttributeValue(i % 2 == 0)}};
    if (i % 2 == 0) {
      item.Set("GSI1PK", Text("MESSAGES#" + user));
      item.Set("GSI1SK", Text("MESSAGE#" + id));
    }
    items.push_back(std::move(item));
  }
  const std::string source = Inferred(items, /*with_index=*/true);
  EXPECT_THAT(source, HasSubstr("GSI1PK text(~11) optional"));
  EXPECT_THAT(source, HasSubstr("no attribute says which"));
}

TEST(InferForeign, ColonsDivideBesideALoneNumberSign) {
  std::vector<Item> items;
  for (int i = 0; i < 120; ++i) {
    const std::string tenant = "t" + std::to_string(i % 6);
    const std::string user = "u" + std::to_string(i * 13);
    items.push_back({{"PK", Text("tenant:" + tenant + ":user:" + user)}, {"SK", Text("#")}, {"tenantId", Text(tenant)},
                     {"userId", Text(user)}, {"name", Text("n" + user)}});
    items.push_back({{"PK", Text("tenant:" + tenant + ":user:" + user)}, {"SK", Text("task:" + std::to_string(1000 + i))},
                     {"tenantId", Text(tenant)}, {"userId", Text(user)}, {"taskId", Text(std::to_string(1000 + i))},
                     {"done", AttributeValue(i % 3 == 0)}});
  }
  const std::string source = Inferred(items);
  EXPECT_THAT(source, HasSubstr("PK = \"tenant:{tenantId}:user:{userId}\""));
  EXPECT_THAT(source, HasSubstr("SK = \"task:{taskId}\""));
  EXPECT_THAT(source, HasSubstr("entity Task {"));
}

TEST(InferForeign, AnAttributeOfSeveralTypesIsLeftOut) {
  std::vector<Item> items;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "x" + std::to_string(i * 17);
    items.push_back({{"PK", Text("X#" + id)}, {"SK", Text("X#" + id)}, {"id", Text(id)},
                     {"v", i % 2 == 0 ? AttributeValue(i) : Text("text")}});
  }
  const std::string source = Inferred(items);
  EXPECT_THAT(source, HasSubstr("`v` was left out: its values are of several types."));
}

TEST(InferForeign, TwoItemsThatHoldEachOthersKeyAreNoCircle) {
  std::vector<Item> items;
  for (int i = 0; i < 40; ++i) {
    const std::string user = "user" + std::to_string(i * 7);
    const std::string mail = user + "@example.com";
    items.push_back({{"PK", Text("CUSTOMER#" + user)}, {"SK", Text("CUSTOMER#" + user)}, {"Username", Text(user)},
                     {"Email", Text(mail)}, {"Name", Text("N" + user)}});
    items.push_back({{"PK", Text("CUSTOMEREMAIL#" + mail)}, {"SK", Text("CUSTOMEREMAIL#" + mail)}, {"Username", Text(user)},
                     {"Email", Text(mail)}});
    for (int bought = 0; bought < 6; ++bought) {
      const std::string order = "o" + std::to_string(i * 1000 + bought / 2);
      const std::string number = "000" + std::to_string(bought % 2);
      if (bought % 2 == 0) {
        items.push_back({{"PK", Text("CUSTOMER#" + user)}, {"SK", Text("#ORDER#" + order)}, {"Username", Text(user)},
                         {"OrderId", Text(order)}, {"GSI1PK", Text("ORDER#" + order)}, {"GSI1SK", Text("ORDER#" + order)}});
      }
      items.push_back({{"PK", Text("ORDER#" + order + "#ITEM#" + number)}, {"SK", Text("ORDER#" + order + "#ITEM#" + number)},
                       {"OrderId", Text(order)}, {"ItemId", Text(number)}, {"GSI1PK", Text("ORDER#" + order)},
                       {"GSI1SK", Text("ITEM#" + number)}});
    }
  }
  const std::string source = Inferred(items, /*with_index=*/true);
  EXPECT_THAT(source, Not(HasSubstr("references Customeremail.Email")));
  EXPECT_THAT(source, HasSubstr("references Customer.Username"));
}

}  // namespace
}  // namespace prejoin::draft
