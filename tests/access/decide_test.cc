#include "access/decide.h"

#include <random>

#include "tests/access/plain_evaluator.h"

namespace prejoin::access {
namespace {

constexpr char kTable[] = "arn:aws:dynamodb:us-east-1:000000000000:table/Games";

AccessRequest Request(const std::string& action, const std::string& resource = kTable) {
  AccessRequest request{
      .action = "dynamodb:" + action,
      .resource = resource,
      .caller = {
          .arn = "arn:aws:iam::000000000000:user/ann", .role_arn = "", .account = "000000000000"}};
  request.keys.Set("aws:username", "ann");
  return request;
}

Policy Parsed(std::string_view document, PolicyKind kind = PolicyKind::kIdentity) {
  auto policy = Policy::Parse(document, kind, "test");
  EXPECT_TRUE(policy) << policy.error().message;
  return policy ? *std::move(policy) : Policy();
}

Verdict VerdictOf(const Policy& policy, const AccessRequest& request) {
  return Decide({.identity = {&policy, 1}}, request).verdict;
}

// The examples of AWS's guide for fine-grained access.
TEST(Decide, LimitsToLeadingKeys) {
  const Policy policy =
      Parsed(R"({"Version":"2012-10-17","Statement":[{"Sid":"Own","Effect":"Allow",
    "Action":["dynamodb:GetItem","dynamodb:Query"],"Resource":["arn:aws:dynamodb:us-east-1:000000000000:table/Games"],
    "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}}]})");
  AccessRequest own = Request("GetItem");
  own.keys.Set("dynamodb:LeadingKeys", "ann");
  EXPECT_EQ(VerdictOf(policy, own), Verdict::kAllowed);
  own.keys.Set("dynamodb:LeadingKeys", std::vector<std::string>{"ann", "bob"});
  EXPECT_EQ(VerdictOf(policy, own), Verdict::kNotAllowed) << "one of the keys is another's";
  own.keys.Set("dynamodb:LeadingKeys", "Ann");
  EXPECT_EQ(VerdictOf(policy, own), Verdict::kNotAllowed);
  EXPECT_EQ(VerdictOf(policy, Request("Scan")), Verdict::kNotAllowed);
}

TEST(Decide, LimitsAttributesAndSelect) {
  const Policy policy =
      Parsed(R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"dynamodb:*",
    "Resource":"arn:aws:dynamodb:*:*:table/Games","Condition":{
      "ForAllValues:StringEquals":{"dynamodb:Attributes":["UserId","TopScore"]},
      "StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES","dynamodb:ReturnValues":["NONE","UPDATED_OLD"]}}}]})");
  AccessRequest request = Request("Query");
  request.keys.Set("dynamodb:Attributes", std::vector<std::string>{"UserId", "TopScore"});
  request.keys.Set("dynamodb:Select", "SPECIFIC_ATTRIBUTES");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kAllowed);
  request.keys.Set("dynamodb:Select", "ALL_ATTRIBUTES");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kNotAllowed);
  request.keys.Set("dynamodb:Select", "SPECIFIC_ATTRIBUTES");
  request.keys.Set("dynamodb:Attributes", std::vector<std::string>{"UserId", "Secret"});
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kNotAllowed);
}

TEST(Decide, AllowsOneIndexAndNoScan) {
  const Policy policy = Parsed(R"({"Version":"2012-10-17","Statement":[
    {"Effect":"Allow","Action":["dynamodb:Query"],"Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/Games/index/TopScore"},
    {"Sid":"NoScan","Effect":"Deny","Action":"dynamodb:Scan","Resource":"*"}]})");
  EXPECT_EQ(VerdictOf(policy, Request("Query", std::string(kTable) + "/index/TopScore")),
            Verdict::kAllowed);
  EXPECT_EQ(VerdictOf(policy, Request("Query")), Verdict::kNotAllowed);
  const Decision denied = Decide({.identity = {&policy, 1}}, Request("Scan"));
  EXPECT_EQ(denied.verdict, Verdict::kDenied);
  EXPECT_EQ(denied.statement->id, "NoScan");
}

TEST(Decide, AVariableBringsTextAndNoWildcard) {
  const Policy policy =
      Parsed(R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:GetItem",
    "Resource":"arn:aws:dynamodb:*:*:table/${aws:username}"}})");
  AccessRequest request = Request("GetItem", "arn:aws:dynamodb:us-east-1:000000000000:table/bob");
  request.keys.Set("aws:username", "*");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kNotAllowed);
  request.keys.Set("aws:username", "bob");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kAllowed);
}

TEST(Decide, ArnsAreComparedPartByPart) {
  const Policy policy = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{
        "ArnLike":{"aws:SourceArn":"arn:aws:iam::*:user/${aws:username}"}}}})");
  AccessRequest request = Request("GetItem");
  request.keys.Set("aws:SourceArn", "arn:aws:iam::000000000000:user/ann");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kAllowed);
  request.keys.Set("aws:SourceArn", "arn:aws:iam:x:y:user/ann");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kNotAllowed) << "a star stays within its part";
  request.keys.Set("aws:username", "*");
  EXPECT_EQ(VerdictOf(policy, request), Verdict::kNotAllowed);
}

TEST(Decide, ABoundaryLimitsAndAResourcePolicyInPersonDoesNotAsk) {
  const Policy all = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})");
  const Policy reads = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"}})");
  const Policy personal =
      Parsed(R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
    "Principal":{"AWS":"arn:aws:iam::000000000000:user/ann"}}})",
             PolicyKind::kResource);
  EXPECT_EQ(Decide({.identity = {&all, 1}, .boundary = &reads}, Request("PutItem")).verdict,
            Verdict::kNotInBoundary);
  EXPECT_EQ(Decide({.identity = {&all, 1}, .session = &reads}, Request("PutItem")).verdict,
            Verdict::kNotInSession);
  EXPECT_TRUE(Decide({.identity = {&all, 1}, .boundary = &reads}, Request("GetItem")).allowed());
  EXPECT_TRUE(Decide({.boundary = &reads, .resource = &personal}, Request("PutItem")).allowed());
}

// The account's own policies decide; everybody, the role and the caller are granted by the resource policy itself.
TEST(Decide, AResourcePolicyThatNamesTheAccountDelegates) {
  const auto policy_for = [](const std::string& principal) {
    return Parsed(
        R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
      "Principal":{"AWS":")" +
            principal + R"("}}})",
        PolicyKind::kResource);
  };
  const Policy reads = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"}})");
  for (const char* account : {"000000000000", "arn:aws:iam::000000000000:root"}) {
    const Policy delegates = policy_for(account);
    EXPECT_EQ(Decide({.resource = &delegates}, Request("GetItem")).verdict, Verdict::kNotAllowed);
    EXPECT_TRUE(
        Decide({.identity = {&reads, 1}, .resource = &delegates}, Request("GetItem")).allowed());
    EXPECT_FALSE(
        Decide({.identity = {&reads, 1}, .resource = &delegates}, Request("PutItem")).allowed());
  }
  const Policy everybody = policy_for("*");
  EXPECT_TRUE(Decide({.resource = &everybody}, Request("GetItem")).allowed());
}

// A grant to the role is limited by what limits the role's session; a grant to the session itself, or to everybody, is not.
TEST(Decide, ASessionPolicyLimitsWhatAResourcePolicyGrantsToTheRole) {
  const Policy reads = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"}})");
  const auto verdict = [&](const std::string& principal) {
    const Policy granted = Parsed(
        R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":{"AWS":")" +
            principal + R"("}}})",
        PolicyKind::kResource);
    AccessRequest request = Request("PutItem");
    request.caller = {.arn = "arn:aws:sts::000000000000:assumed-role/Reader/s1",
                      .role_arn = "arn:aws:iam::000000000000:role/Reader",
                      .account = "000000000000",
                      .id = "AROAAAAAAAAAAAAAAAAAA"};
    return Decide({.session = &reads, .resource = &granted}, request).verdict;
  };
  EXPECT_EQ(verdict("arn:aws:iam::000000000000:role/Reader"), Verdict::kNotInSession);
  EXPECT_EQ(verdict("AROAAAAAAAAAAAAAAAAAA"), Verdict::kNotInSession);
  EXPECT_EQ(verdict("arn:aws:sts::000000000000:assumed-role/Reader/s1"), Verdict::kAllowed);
  EXPECT_EQ(verdict("*"), Verdict::kAllowed);
}

// AWS's guide: the list has the account, and of a session the role, besides the one who shall pass. Naming the account alone excuses nobody.
TEST(Decide, OnlyWhoIsNamedWithTheAccountEscapesANotPrincipal) {
  constexpr const char* kAnn = "arn:aws:iam::000000000000:user/ann";
  constexpr const char* kRoot = "arn:aws:iam::000000000000:root";
  constexpr const char* kReader = "arn:aws:iam::000000000000:role/Reader";
  constexpr const char* kSession = "arn:aws:sts::000000000000:assumed-role/Reader/s1";
  const Policy all = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})");
  const Caller ann = {.arn = kAnn, .role_arn = "", .account = "000000000000"};
  Caller bounded = ann;
  bounded.has_boundary = true;
  const Caller session = {.arn = kSession, .role_arn = kReader, .account = "000000000000"};
  const auto is_allowed = [&](const Caller& caller, const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
      list += (list.empty() ? "\"" : ",\"") + name + "\"";
    }
    const Policy denies = Parsed(
        R"({"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*","NotPrincipal":{"AWS":[)" +
            list + "]}}}",
        PolicyKind::kResource);
    AccessRequest request = Request("GetItem");
    request.caller = caller;
    return Decide({.identity = {&all, 1}, .resource = &denies}, request).allowed();
  };
  EXPECT_TRUE(is_allowed(ann, {kAnn, kRoot}));
  EXPECT_FALSE(is_allowed(ann, {kRoot}));
  EXPECT_FALSE(is_allowed(ann, {kAnn}));
  EXPECT_FALSE(is_allowed(ann, {"arn:aws:iam::000000000000:user/bob", kRoot}));
  EXPECT_FALSE(is_allowed(bounded, {kAnn, kRoot}));
  EXPECT_TRUE(is_allowed(session, {kSession, kReader, kRoot}));
  EXPECT_FALSE(is_allowed(session, {kReader, kRoot}));
  EXPECT_FALSE(is_allowed(session, {kSession, kReader}));
  EXPECT_FALSE(Policy::Check(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","NotPrincipal":{"AWS":"000000000000"}}})",
      PolicyKind::kResource));
  EXPECT_FALSE(Policy::Check(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"sts:AssumeRole","NotPrincipal":{"AWS":"000000000000"}}})",
      PolicyKind::kTrust));
}

TEST(Decide, ADenyHoldsForAUserThatItNamesById) {
  const Policy all = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})");
  const Policy denies = Parsed(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*","Principal":{"AWS":"AIDAAAAAAAAAAAAAAAAAA"}}})",
      PolicyKind::kResource);
  AccessRequest request = Request("GetItem");
  request.caller.id = "AIDAAAAAAAAAAAAAAAAAA";
  EXPECT_EQ(Decide({.identity = {&all, 1}, .resource = &denies}, request).verdict,
            Verdict::kDenied);
  request.caller.id = "AIDABBBBBBBBBBBBBBBBB";
  EXPECT_TRUE(Decide({.identity = {&all, 1}, .resource = &denies}, request).allowed());
}

// A key or variable that AWS does not document could be meant to limit: it never helps.
TEST(Decide, AnUnknownKeyDeniesAnAllowAndCountsForADeny) {
  const auto policy_with = [](const std::string& effect, const std::string& more) {
    return Parsed(R"({"Version":"2012-10-17","Statement":{"Effect":")" + effect +
                  R"(","Action":"*",)" + more + "}}");
  };
  const Policy all = policy_with("Allow", R"("Resource":"*")");
  const char* const unknown[] = {
      R"("Resource":"*","Condition":{"StringEquals":{"aws:Usernme":"ann"}})",
      R"("Resource":"*","Condition":{"StringNotEquals":{"aws:Usernme":"ann"}})",
      R"("Resource":"*","Condition":{"StringEqualsIfExists":{"dynamodb:LeadingKey":"ann"}})",
      R"("Resource":"*","Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKey":"ann"}})",
      R"("Resource":"*","Condition":{"Null":{"x:y":"true"}})",
      R"("Resource":"*","Condition":{"StringNotEquals":{"aws:username":"${aws:Usernme}"}})",
      R"("Resource":"arn:aws:dynamodb:*:*:table/${aws:Usernme}")",
      R"("NotResource":"arn:aws:dynamodb:*:*:table/${aws:Usernme}")",
  };
  for (const char* more : unknown) {
    const Policy allow = policy_with("Allow", more);
    EXPECT_FALSE(Decide({.identity = {&allow, 1}}, Request("GetItem")).allowed()) << more;
    const Policy both[] = {all, policy_with("Deny", more)};
    EXPECT_EQ(Decide({.identity = both}, Request("GetItem")).verdict, Verdict::kDenied) << more;
  }
  // A documented key that the request does not have is absent, as on AWS.
  const Policy optional = policy_with(
      "Allow", R"("Resource":"*","Condition":{"StringEqualsIfExists":{"aws:SourceVpc":"vpc-1"}})");
  EXPECT_TRUE(Decide({.identity = {&optional, 1}}, Request("GetItem")).allowed());
  // "All but one's own" for somebody without the value.
  const Policy others = policy_with(
      "Allow", R"("NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}")");
  EXPECT_FALSE(Decide({.identity = {&others, 1}}, Request("GetItem")).allowed());
}

TEST(Policy, RefusesWhatItDoesNotKnow) {
  const char* const documents[] = {
      "",
      "[]",
      R"({"Version":"2013-10-17","Statement":[]})",
      R"({"Statements":[]})",
      R"({"Statement":{"Effect":"allow","Action":"*","Resource":"*"}})",
      R"({"Statement":{"Effect":"Allow","Resource":"*"}})",
      R"({"Statement":{"Effect":"Allow","Action":"*"}})",
      R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}})",
      R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Unless":{}}})",
      R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringMatches":{"a":"b"}}}})",
      R"({"Statement":{"Effect":"Allow","Action":[{}],"Resource":"*"}})",
      R"({"Statement":{"Effect":"Allow","Action":"*","NotAction":"*","Resource":"*"}})",
      R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*","NotResource":"*"}})",
      R"({"Statement":{"Effect":"Deny","Effect":"Allow","Action":"*","Resource":"*"}})",
  };
  for (const char* document : documents) {
    EXPECT_FALSE(Policy::Parse(document, PolicyKind::kIdentity)) << document;
  }
  EXPECT_FALSE(Policy::Parse(R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})",
                             PolicyKind::kResource));
}

// Random policies and requests over few words, so that they meet.
class RandomPolicies {
 public:
  explicit RandomPolicies(unsigned seed) : random_(seed) {}

  PlainPolicy Policy(bool resource) {
    PlainPolicy policy(1 + Below(3));
    for (PlainStatement& statement : policy) {
      statement.allow = Below(4) != 0;
      statement.not_action = Below(6) == 0;
      statement.actions =
          Some({"*", "dynamodb:*", "dynamodb:Get*", "DYNAMODB:PUTITEM", "dynamodb:?can"});
      statement.not_resource = Below(6) == 0;
      statement.resources =
          Some({"*", "arn:t/*", "arn:t/${aws:username}", "arn:t/a*b", "arn:t/ann"});
      if (resource) {
        statement.not_principal = Below(5) == 0;
        statement.principals = Some({"*", "u/ann", "r/reader", "000", "u/bob"});
        if (statement.not_principal && Below(2) == 0) {
          statement.principals = {"000", "u/ann", "r/reader"};  // All that one caller is.
        }
      }
      for (std::size_t i = Below(3); i > 0; --i) {
        statement.conditions.push_back(Condition());
      }
    }
    return policy;
  }

  PlainRequest Request() {
    PlainRequest request{.action = One({"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Scan"}),
                         .resource = One({"arn:t/ann", "arn:t/aXb", "arn:t/bob", "arn:t/*"}),
                         .caller = One({"u/ann", "u/bob"}),
                         .role = One({"", "r/reader"}),
                         .account = "000"};
    for (const char* key : {"aws:username", "dynamodb:leadingkeys", "dynamodb:select",
                            "aws:epochtime", "aws:unheard"}) {
      if (Below(4) != 0) {
        request.keys[key] = std::string_view(key) == "aws:epochtime"
                                ? Some({"1", "2", "10"})
                                : Some({"ann", "bob", "*", "Ann", "true"});
      }
    }
    return request;
  }

  std::size_t Below(std::size_t bound) { return random_() % bound; }

 private:
  std::string One(const std::vector<std::string>& words) { return words[Below(words.size())]; }
  std::vector<std::string> Some(const std::vector<std::string>& words) {
    std::vector<std::string> some(1 + Below(2));
    for (std::string& word : some) {
      word = One(words);
    }
    return some;
  }
  PlainCondition Condition() {
    if (Below(4) == 0) {
      return {.set = One({"", "ForAllValues:", "ForAnyValue:"}),
              .tested_by = One({"NumericLessThan", "NumericGreaterThanEquals", "NumericEquals",
                                "NumericNotEquals"}),
              .if_exists = Below(4) == 0,
              .key = "aws:EpochTime",
              .values = Some({"1", "2", "10"})};
    }
    if (Below(8) == 0) {
      return {.tested_by = "Null",
              .key = One({"aws:EpochTime", "dynamodb:Select", "aws:Unheard"}),
              .values = Some({"true", "false"})};
    }
    return {
        .set = One({"", "ForAllValues:", "ForAnyValue:"}),
        .tested_by = One({"StringEquals", "StringNotEquals", "StringLike", "StringNotLike",
                          "StringEqualsIgnoreCase", "Bool"}),
        .if_exists = Below(4) == 0,
        .key = One({"dynamodb:LeadingKeys", "dynamodb:Select", "aws:username", "aws:username",
                    "aws:Unheard"}),
        .values = Some({"ann", "a*", "*", "${aws:username}", "b?b", "${aws:username}*", "true"})};
  }

  std::mt19937 random_;
};

TEST(Decide, EqualsAPlainEvaluatorOnRandomPolicies) {
  RandomPolicies random(20261115);
  int allowed = 0;
  constexpr int kRounds = 100'000;
  for (int round = 0; round < kRounds; ++round) {
    PlainPolicies plain;
    std::vector<Policy> parsed;
    parsed.reserve(8);
    Policies policies;
    const auto add = [&](bool resource) {
      const PlainPolicy policy = random.Policy(resource);
      parsed.push_back(
          Parsed(PrintPolicy(policy), resource ? PolicyKind::kResource : PolicyKind::kIdentity));
      return policy;
    };
    for (std::size_t i = random.Below(3); i > 0; --i) {
      plain.identity.push_back(add(false));
    }
    policies.identity = parsed;
    if (random.Below(4) == 0) {
      plain.boundary = add(false);
      policies.boundary = &parsed.back();
    }
    if (random.Below(4) == 0) {
      plain.session = add(false);
      policies.session = &parsed.back();
    }
    if (random.Below(2) == 0) {
      plain.resource = add(true);
      policies.resource = &parsed.back();
    }
    PlainRequest asked = random.Request();
    asked.has_boundary = policies.boundary != nullptr;
    AccessRequest request{.action = asked.action,
                          .resource = asked.resource,
                          .caller = {.arn = asked.caller,
                                     .role_arn = asked.role,
                                     .account = asked.account,
                                     .id = "",
                                     .has_boundary = asked.has_boundary}};
    for (const auto& [key, values] : asked.keys) {
      request.keys.Set(key, values);
    }
    const bool expected = PlainAllows(plain, asked);
    allowed += expected ? 1 : 0;
    ASSERT_EQ(Decide(policies, request).allowed(), expected) << "round " << round;
  }
  EXPECT_GT(allowed, kRounds / 20);
  EXPECT_LT(allowed, kRounds * 19 / 20);
}

}  // namespace
}  // namespace prejoin::access
