// Maps that say what they hold: members with types, closed lists of values, and some that may be absent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/generate/generate.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"

namespace prejoin::model {
namespace {

std::string Customers(const std::string& plan, const std::string& sample) {
  return "entity Customer {\n  id text(4) key\n  plan " + plan +
         "\n}\npattern One {\n  find Customer where id = :c\n}\nwrite Change {\n  update Customer "
         "set plan\n}\nsample Customer (id, plan) {\n  \"c1\", " +
         sample + "\n}\ntable T partition PK {\n  item Customer {\n    PK = \"C#{id}\"\n  }\n}\n";
}

constexpr const char* kPlan =
    "map of (kind text(7) values (\"MONTHLY\", \"YEARLY\"), until date optional 50%, steps list of "
    "(n "
    "number(2)) optional)";

TEST(Nested, MembersAreReadAndSized) {
  const ReadModelResult read =
      ReadModel(Customers("map of (kind text(7), until date optional 50%)", "{kind: \"MONTHLY\"}"));
  ASSERT_TRUE(read.ok) << read.diagnostics[0].message;
  const Attribute& plan = *read.model.entities[0].Find("plan");
  ASSERT_EQ(plan.members.size(), 2u);
  EXPECT_TRUE(plan.members[1].optional);
  // A map is 3 bytes; kind is 4 and 7 and 1; until, in every other row, 5 and 10 and 1.
  EXPECT_DOUBLE_EQ(AverageValueBytes(plan), 3 + 12 + 8);
}

TEST(Nested, ProgramsReadTheMembersToo) {
  const ReadModelResult read = ReadModel(Customers(kPlan, "{kind: \"MONTHLY\"}"));
  const std::string json = ModelJson(read.model);
  const std::size_t members = json.find("\"members\"");
  ASSERT_NE(members, std::string::npos) << json;
  EXPECT_THAT(json.substr(members), ::testing::HasSubstr("\"until\""));
}

TEST(Nested, SamplesMustFitTheMembers) {
  const auto fault = [](const std::string& value) {
    const ReadModelResult read = ReadModel(Customers(kPlan, value));
    return read.diagnostics.empty() ? std::string() : read.diagnostics[0].message;
  };
  EXPECT_EQ(fault("{kind: \"MONTHLY\"}"), "");
  EXPECT_EQ(fault("{kind: \"YEARLY\", until: \"2026-01-01\", steps: [{n: 3}]}"), "");
  EXPECT_EQ(fault("{until: \"2026-01-01\"}"), "plan.kind is missing");
  EXPECT_EQ(fault("{kind: \"DAILY\"}"), "plan.kind is none of its values");
  EXPECT_EQ(fault("{kind: 3}"), "plan.kind is not text");
  EXPECT_EQ(fault("{kind: \"MONTHLY\", extra: 1}"), "plan.extra is not declared");
  EXPECT_EQ(fault("{kind: \"MONTHLY\", steps: [{m: 3}]}"), "plan.steps.n is missing");
}

TEST(Nested, GeneratedRowsAndWritesKeepToThem) {
  const std::string text = Customers(kPlan, "{kind: \"MONTHLY\"}");
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok);
  EXPECT_FALSE(HasErrors(CheckModel(read)));
  const Dataset data = GenerateData(read.model, {.rows = 40, .progress = {}});
  const Attribute& plan = *read.model.entities[0].Find("plan");
  int with_until = 0;
  for (const Row& row : data.Of("Customer")) {
    EXPECT_EQ(MemberFault(plan, *row.Find("plan")), "");
    with_until += row.Find("plan")->map()->Find("until") != nullptr ? 1 : 0;
  }
  EXPECT_GT(with_until, 5);
  EXPECT_LT(with_until, 35);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = Prove(read.model, data, **backend, {});
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->all_right) << RenderProof(*report, true);
}

TEST(Nested, MistakesAreSaid) {
  const auto message = [](const std::string& plan) {
    const ReadModelResult read = ReadModel(Customers(plan, "{}"));
    return read.ok ? std::string() : read.diagnostics[0].message;
  };
  EXPECT_THAT(message("map of (id text key)"),
              ::testing::HasSubstr("neither a key nor a reference"));
  EXPECT_THAT(message("map of (a txt)"), ::testing::HasSubstr("expected the type of `a`"));
  EXPECT_THAT(message("map of"), ::testing::HasSubstr("("));
}

}  // namespace
}  // namespace prejoin::model
