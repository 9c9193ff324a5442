// STS and IAM: whom a call is about, and what a session may be opened with.
#include "access/query_api.h"

#include <gmock/gmock.h>

#include "engine/engine.h"

namespace prejoin::access {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kAccount = "123456789012";
constexpr const char* kAllow =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})";

std::string TrustFor(const std::string& principal, const std::string& condition = "{}") {
  return R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":")" +
         principal +
         R"("},"Action":["sts:AssumeRole","sts:TagSession","sts:SetSourceIdentity"],"Condition":)" +
         condition + "}}";
}

// In a form, as a client writes it.
std::string Encoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

class QueryApiTest : public testing::Test {
 protected:
  QueryApiTest() {
    for (const char* user : {"ann", "bob", "self"}) {
      EXPECT_TRUE(directory_->Create(IdentityKind::kUser, user));
    }
    EXPECT_TRUE(directory_->SetPolicy(IdentityKind::kUser, "ann", "all", kAllow));
    EXPECT_TRUE(directory_->SetPolicy(
        IdentityKind::kUser, "self", "own",
        R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"iam:*","Resource":"arn:aws:iam::*:user/${aws:username}"}})"));
    EXPECT_TRUE(directory_->Create(IdentityKind::kRole, "worker", TrustFor(kAccount)));
    EXPECT_TRUE(directory_->SetPolicy(
        IdentityKind::kRole, "worker", "keys",
        R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["iam:*","sts:*"],"Resource":"*"}})"));
    ann_ = UserPrincipal("ann");
    bob_ = UserPrincipal("bob");
    self_ = UserPrincipal("self");
  }

  std::shared_ptr<const Principal> UserPrincipal(const std::string& user) {
    const auto key = directory_->CreateKey(user);
    return (*directory_->FindCredential(key->id, "", engine_->clock().NowMs()))->principal;
  }
  std::shared_ptr<const Principal> SessionPrincipal(const std::string& role) {
    const auto session = directory_->OpenSession(*ann_, IdentityKind::kRole, role, {.name = "s1"});
    EXPECT_TRUE(session) << session.error().message;
    return (*directory_->FindCredential(session->access_key_id, session->session_token,
                                        engine_->clock().NowMs()))
        ->principal;
  }
  QueryAnswer Ask(const std::shared_ptr<const Principal>& caller, const std::string& form) {
    RequestAccess access(*engine_, policies_, caller, {}, Enforcement::kPolicies);
    const bool is_sts = form.starts_with("AssumeRole") || form.starts_with("GetSessionToken");
    return AnswerForm(
        *directory_, access,
        "Version=" + std::string(is_sts ? "2011-06-15" : "2010-05-08") + "&Action=" + form);
  }
  QueryAnswer Assume(const std::shared_ptr<const Principal>& caller, const std::string& more,
                     const std::string& role = "worker") {
    return Ask(caller, "AssumeRole&RoleArn=" +
                           Encoded("arn:aws:iam::" + std::string(kAccount) + ":role/" + role) +
                           more);
  }

  std::unique_ptr<engine::Engine> engine_ = *engine::Engine::Open(Options{});
  std::unique_ptr<Directory> directory_ = *Directory::Open(
      engine_->store(), Seal(std::string(kSealKeyBytes, 'k')), kAccount, engine_->clock());
  ResourcePolicies policies_;
  std::shared_ptr<const Principal> ann_;
  std::shared_ptr<const Principal> bob_;
  std::shared_ptr<const Principal> self_;
};

// A role has no user of its own: a call that means "mine" means nobody, not everybody.
TEST_F(QueryApiTest, ARoleWithoutAUserNameMeansNobody) {
  const auto worker = SessionPrincipal("worker");
  const std::string key = bob_->access_key_id;
  for (const std::string& call :
       {"DeleteAccessKey&AccessKeyId=" + key, "UpdateAccessKey&Status=Inactive&AccessKeyId=" + key,
        std::string("ListAccessKeys"), std::string("CreateAccessKey"), std::string("GetUser")}) {
    for (const char* name : {"", "&UserName="}) {
      const QueryAnswer answer = Ask(worker, call + name);
      EXPECT_EQ(answer.status, 400) << call << name << answer.xml;
      EXPECT_THAT(answer.xml, Not(HasSubstr(key))) << call << name;
    }
  }
  EXPECT_THAT(Ask(worker, "ListAccessKeys").xml,
              HasSubstr("Must specify userName when calling with non-User credentials"));
  ASSERT_TRUE(directory_->FindKey(key));
  EXPECT_TRUE(directory_->FindKey(key)->active);
  EXPECT_EQ(Ask(worker, "UpdateAccessKey&UserName=bob&Status=Inactive&AccessKeyId=" + key).status,
            200);
  // Nor is the key of one user found under another.
  EXPECT_EQ(Ask(worker, "DeleteAccessKey&UserName=ann&AccessKeyId=" + key).status, 404);
}

TEST_F(QueryApiTest, APermissionOnOneselfShowsNobodyElse) {
  for (const std::string& call :
       {std::string("ListUsers"), std::string("ListRoles"), std::string("GetUser&UserName=bob"),
        std::string("ListAccessKeys&UserName=bob"),
        "GetAccessKeyLastUsed&AccessKeyId=" + bob_->access_key_id}) {
    EXPECT_EQ(Ask(self_, call).status, 403) << call;
  }
  EXPECT_EQ(Ask(self_, "ListAccessKeys").status, 200);
  EXPECT_EQ(Ask(self_, "GetAccessKeyLastUsed&AccessKeyId=" + self_->access_key_id).status, 200);
  EXPECT_THAT(Ask(ann_, "ListUsers").xml, HasSubstr("bob"));
}

TEST_F(QueryApiTest, ATrustPolicyThatNamesTheAccountDelegates) {
  EXPECT_EQ(Assume(bob_, "&RoleSessionName=s1").status, 403)
      << "bob's own policies do not allow it";
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1").status, 200);
  const std::string bob = "arn:aws:iam::" + std::string(kAccount) + ":user/bob";
  ASSERT_TRUE(directory_->Create(IdentityKind::kRole, "personal", TrustFor(bob)));
  EXPECT_EQ(Assume(bob_, "&RoleSessionName=s1", "personal").status, 200);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1", "personal").status, 403);
}

// A trust policy that names the caller's role is limited by the caller's session policy; one that names the session is not.
TEST_F(QueryApiTest, ASessionPolicyLimitsWhichRolesMayBeTaken) {
  const std::string narrow =
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}})";
  const auto session = directory_->OpenSession(*ann_, IdentityKind::kRole, "worker",
                                               {.name = "s1", .policy = narrow});
  ASSERT_TRUE(session) << session.error().message;
  const auto worker = (*directory_->FindCredential(session->access_key_id, session->session_token,
                                                   engine_->clock().NowMs()))
                          ->principal;
  const std::string account(kAccount);
  EXPECT_TRUE(directory_->Create(IdentityKind::kRole, "next",
                                 TrustFor("arn:aws:iam::" + account + ":role/worker")));
  EXPECT_EQ(Assume(worker, "&RoleSessionName=s2", "next").status, 403);
  EXPECT_EQ(Assume(SessionPrincipal("worker"), "&RoleSessionName=s2", "next").status, 200);
  EXPECT_TRUE(directory_->SetTrust(
      "next", TrustFor("arn:aws:sts::" + account + ":assumed-role/worker/s1")));
  EXPECT_EQ(Assume(worker, "&RoleSessionName=s2", "next").status, 200);
}

// Every call refuses a name that IAM would not take, and says so before it says anything about users.
TEST_F(QueryApiTest, EveryCallChecksTheNamesInIt) {
  const std::string key = "&AccessKeyId=" + bob_->access_key_id;
  const std::string document = "&PolicyName=p&PolicyDocument=" + Encoded(kAllow);
  for (const std::string& call :
       {std::string("CreateUser"), std::string("GetUser"), std::string("DeleteUser"),
        "PutUserPolicy" + document, std::string("DeleteUserPolicy&PolicyName=p"),
        std::string("ListUserPolicies"),
        std::string("TagUser&Tags.member.1.Key=a&Tags.member.1.Value=b"),
        std::string("CreateAccessKey"), "UpdateAccessKey&Status=Inactive" + key,
        "DeleteAccessKey" + key, std::string("ListAccessKeys")}) {
    for (const std::string& name : {std::string("bob/x"), std::string("*"), std::string("../bob"),
                                    std::string("bob "), std::string(129, 'b'), std::string()}) {
      const QueryAnswer answer = Ask(ann_, call + "&UserName=" + Encoded(name));
      EXPECT_EQ(answer.status, 400) << call << " " << name << answer.xml;
      EXPECT_THAT(answer.xml, HasSubstr("<Code>ValidationError</Code>")) << call << " " << name;
    }
    if (!call.starts_with("CreateUser")) {
      EXPECT_EQ(Ask(ann_, call + "&UserName=nobody").status, 404) << call;
    }
  }
  for (const std::string& call :
       {"CreateRole&AssumeRolePolicyDocument=" + Encoded(TrustFor(kAccount)),
        std::string("GetRole"), std::string("DeleteRole"), "PutRolePolicy" + document,
        std::string("DeleteRolePolicy&PolicyName=p"), std::string("ListRolePolicies"),
        std::string("TagRole&Tags.member.1.Key=a&Tags.member.1.Value=b"),
        "UpdateAssumeRolePolicy&PolicyDocument=" + Encoded(TrustFor(kAccount)),
        std::string("UpdateRole")}) {
    for (const std::string& name : {std::string("worker/x"), std::string(65, 'w')}) {
      EXPECT_THAT(Ask(ann_, call + "&RoleName=" + Encoded(name)).xml,
                  HasSubstr("<Code>ValidationError</Code>"))
          << call << " " << name;
    }
  }
  EXPECT_THAT(Ask(ann_, "DeleteUserPolicy&UserName=bob&PolicyName=a%2Fb").xml,
              HasSubstr("The specified value for policyName is invalid."));
  EXPECT_THAT(Ask(ann_, "GetAccessKeyLastUsed&AccessKeyId=a%2Fb").xml,
              HasSubstr("<Code>ValidationError</Code>"));
}

// A parameter that is passed over could be the one that limits a session.
TEST_F(QueryApiTest, RefusesParametersThatComeTwiceOrAreTooMany) {
  std::string junk;
  for (int i = 0; i < 200; ++i) {
    junk += "&X" + std::to_string(i) + "=1";
  }
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1").status, 200);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1" + junk + "&Policy=" + Encoded(kAllow)).status, 400);
  EXPECT_THAT(Ask(ann_, "GetUser&UserName=ann&UserName=bob").xml,
              HasSubstr("<Code>ValidationError</Code>"));
  EXPECT_THAT(Ask(ann_, "GetUser&UserName=ann&User%4Eame=bob").xml,
              HasSubstr("The request has the parameter UserName twice."));
}

TEST_F(QueryApiTest, NamesThatDifferInCaseOnlyAreTaken) {
  EXPECT_THAT(Ask(ann_, "CreateUser&UserName=BOB").xml, HasSubstr("EntityAlreadyExists"));
  EXPECT_THAT(Ask(ann_, "CreateRole&RoleName=Worker&AssumeRolePolicyDocument=" +
                            Encoded(TrustFor(kAccount)))
                  .xml,
              HasSubstr("EntityAlreadyExists"));
}

TEST_F(QueryApiTest, ChecksTheNameAndLengthOfASession) {
  const std::pair<const char*, const char*> refused[] = {
      {"&RoleSessionName=a", "length greater than or equal to 2"},
      {"&RoleSessionName=a%2Fb", "regular expression"},
      {"&RoleSessionName=a%20b", "regular expression"},
      {"&RoleSessionName=ab&DurationSeconds=899", "greater than or equal to 900"},
      {"&RoleSessionName=ab&DurationSeconds=43201", "less than or equal to 43200"},
      {"&RoleSessionName=ab&DurationSeconds=3601", "MaxSessionDuration set for this role"},
      {"&RoleSessionName=ab&DurationSeconds=x", "not a number"},
      {"&RoleSessionName=ab&PolicyArns.member.1.arn=x", "PolicyArns is not supported"},
      {"&RoleSessionName=ab&SerialNumber=x&TokenCode=1", "SerialNumber is not supported"},
  };
  for (const auto& [more, reason] : refused) {
    const QueryAnswer answer = Assume(ann_, more);
    EXPECT_EQ(answer.status, 400) << more;
    EXPECT_THAT(answer.xml, HasSubstr(reason)) << more;
  }
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=" + std::string(65, 'a')).status, 400);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=" + std::string(64, 'a')).status, 200);
  EXPECT_EQ(Ask(ann_, "UpdateRole&RoleName=worker&MaxSessionDuration=43201").status, 400);
  EXPECT_EQ(Ask(ann_, "UpdateRole&RoleName=worker&MaxSessionDuration=43200").status, 200);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=ab&DurationSeconds=43200").status, 200);
  EXPECT_THAT(Ask(ann_, "GetRole&RoleName=worker").xml,
              HasSubstr("<MaxSessionDuration>43200</MaxSessionDuration>"));
  // A session that opens another: one hour, whatever the role allows.
  const auto worker = SessionPrincipal("worker");
  EXPECT_THAT(Assume(worker, "&RoleSessionName=ab&DurationSeconds=3601").xml,
              HasSubstr("role chaining"));
  EXPECT_EQ(Assume(worker, "&RoleSessionName=ab&DurationSeconds=3600").status, 200);
  EXPECT_EQ(Ask(ann_, "GetSessionToken&DurationSeconds=129600").status, 200);
  EXPECT_EQ(Ask(ann_, "GetSessionToken&DurationSeconds=129601").status, 400);
  EXPECT_EQ(Ask(ann_, "GetSessionToken&DurationSeconds=899").status, 400);
}

TEST_F(QueryApiTest, ATrustPolicyMayLookAtTheRequest) {
  const auto make = [&](const std::string& role, const std::string& condition) {
    ASSERT_TRUE(directory_->Create(IdentityKind::kRole, role, TrustFor(kAccount, condition)));
  };
  make("external", R"({"StringEquals":{"sts:ExternalId":"secret"}})");
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1", "external").status, 403);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1&ExternalId=other", "external").status, 403);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1&ExternalId=secret", "external").status, 200);
  make("named", R"({"StringEquals":{"sts:RoleSessionName":"${aws:username}"}})");
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=bob", "named").status, 403);
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=ann", "named").status, 200);
  make(
      "tagged",
      R"({"StringEquals":{"aws:RequestTag/team":"green"},"ForAllValues:StringEquals":{"aws:TagKeys":["team"]}})");
  const std::string green = "&RoleSessionName=s1&Tags.member.1.Key=team&Tags.member.1.Value=green";
  EXPECT_EQ(Assume(ann_, "&RoleSessionName=s1", "tagged").status, 403);
  EXPECT_EQ(Assume(ann_, green, "tagged").status, 200);
  EXPECT_EQ(Assume(ann_, green + "&Tags.member.2.Key=x&Tags.member.2.Value=y", "tagged").status,
            403);
}

TEST_F(QueryApiTest, ConditionsLookAtTheTagsOfUsersAndRequests) {
  ASSERT_TRUE(directory_->SetTags(IdentityKind::kUser, "bob", {{"team", "blue"}}));
  ASSERT_TRUE(directory_->SetPolicy(
      IdentityKind::kUser, "self", "own",
      R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"iam:Get*","Resource":"*","Condition":{
        "StringEquals":{"iam:ResourceTag/team":"blue"}}},
        {"Effect":"Allow","Action":["iam:CreateUser","iam:TagUser"],"Resource":"*","Condition":{
        "StringEquals":{"aws:RequestTag/team":"green"}}}]})"));
  self_ =
      (*directory_->FindCredential(self_->access_key_id, "", engine_->clock().NowMs()))->principal;
  EXPECT_EQ(Ask(self_, "GetUser&UserName=bob").status, 200);
  EXPECT_EQ(Ask(self_, "GetUser&UserName=ann").status, 403);
  EXPECT_EQ(Ask(self_, "CreateUser&UserName=new").status, 403);
  EXPECT_EQ(
      Ask(self_, "CreateUser&UserName=new&Tags.member.1.Key=team&Tags.member.1.Value=blue").status,
      403);
  EXPECT_EQ(
      Ask(self_, "CreateUser&UserName=new&Tags.member.1.Key=team&Tags.member.1.Value=green").status,
      200);
  EXPECT_EQ(directory_->Find(IdentityKind::kUser, "new")->identity.tags.at("team"), "green");
  EXPECT_EQ(Ask(ann_, "CreateUser&UserName=lim&PermissionsBoundary=arn").status, 400)
      << "a boundary that is not kept would be no boundary";
}

TEST_F(QueryApiTest, RefusesMalformedPoliciesInAwsWords) {
  const std::pair<const char*, const char*> documents[] = {
      {"{", "Syntax errors in policy."},
      {R"({"Version":"2012-10-17","Statement":[]})", "Syntax errors in policy."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","NotAction":"a:b","Resource":"*"}})",
       "Syntax errors in policy."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Deny","Effect":"Allow","Action":"*","Resource":"*"}})",
       "Syntax errors in policy."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Resource":"*"}})",
       "Policy statement must contain actions."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*"}})",
       "Policy statement must contain resources."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"GetItem","Resource":"*"}})",
       "must be prefaced by a vendor"},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"table/Orders"}})",
       "Resource table/Orders must be in ARN format or"},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}})",
       "Policy document should not specify a principal."},
      {R"({"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Action":"*","Resource":"*"},
         {"Sid":"a","Effect":"Deny","Action":"*","Resource":"*"}]})",
       "Statement IDs (SID) in a single policy must be unique."},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"aws:Usernme":"ann"}}}})",
       "aws:Usernme is not a key that AWS documents"},
      {R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
         "Condition":{"StringEquals":{"dynamodb:LeadingKeys":"${aws:PrincipalTagg/x}"}}}})",
       "policy variable that AWS does not document"},
  };
  for (const auto& [document, message] : documents) {
    const QueryAnswer answer =
        Ask(ann_, "PutUserPolicy&UserName=bob&PolicyName=p&PolicyDocument=" + Encoded(document));
    EXPECT_EQ(answer.status, 400) << document;
    EXPECT_THAT(answer.xml, HasSubstr("MalformedPolicyDocument")) << document;
    EXPECT_THAT(answer.xml, HasSubstr(message)) << document;
  }
  EXPECT_THAT(Ask(ann_, "UpdateAssumeRolePolicy&RoleName=worker&PolicyDocument=" +
                            Encoded(TrustFor("arn:aws:iam::*:user/x")))
                  .xml,
              HasSubstr("Invalid principal in policy"));
}

}  // namespace
}  // namespace prejoin::access
