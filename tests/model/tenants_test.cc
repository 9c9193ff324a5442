#include "model/prove/tenants.h"

#include <gmock/gmock.h>

#include "model/bind/read_model.h"

namespace prejoin::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TenantPolicy PolicyOf(const std::string& keys) {
  const ReadModelResult read = ReadModel(R"(model "Tenants"
tenant Org.id
entity Org {
  id text key
}
entity User {
  org references Org.id key
  name text key
}
table T partition PK sort SK {
  index G partition GPK project all
  item Org {
    PK = "ORG#{id}"
    SK = "ORG"
  }
  item User {
)" + keys + R"(
  }
}
)");
  auto policy = MakeTenantPolicy(read.model);
  EXPECT_TRUE(policy) << policy.error().message;
  return policy ? *std::move(policy) : TenantPolicy();
}

TEST(TenantPolicy, AllowsTheKeysThatBeginWithTheTenant) {
  const TenantPolicy policy = PolicyOf(
      "    PK = \"ORG#{org}\"\n    SK = \"USER#{name}\"\n    GPK = \"ORG#{org}#USER#{name}\"");
  EXPECT_THAT(policy.keys, ElementsAre("ORG#${aws:PrincipalTag/tenant}",
                                       "ORG#${aws:PrincipalTag/tenant}#USER#*"));
  EXPECT_TRUE(policy.left_out.empty());
  EXPECT_THAT(policy.document, HasSubstr(R"("arn:aws:dynamodb:*:*:table/T/index/*")"));
  EXPECT_THAT(policy.document, HasSubstr(R"("Null": {"dynamodb:LeadingKeys": "false"})"));
  EXPECT_THAT(policy.document, testing::Not(HasSubstr("Scan")));
}

// The tenant AB with the user C and the tenant A with the user BC would have one key.
TEST(TenantPolicy, LeavesOutKeysThatDoNotEndTheTenant) {
  const TenantPolicy policy =
      PolicyOf("    PK = \"U#{org}{name}\"\n    SK = \"USER\"\n    GPK = \"NAME#{name}\"");
  EXPECT_THAT(policy.keys, ElementsAre("ORG#${aws:PrincipalTag/tenant}"));
  EXPECT_THAT(policy.left_out,
              ElementsAre("User in T: PK has nothing between the tenant and what follows",
                          "User in T.G: GPK does not begin with the tenant"));
}

TEST(TenantPolicy, NeedsATenant) {
  const ReadModelResult read = ReadModel("model \"None\"\n");
  EXPECT_FALSE(MakeTenantPolicy(read.model));
}

}  // namespace
}  // namespace prejoin::model
