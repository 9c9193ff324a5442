// The values of AWS's published Signature Version 4 test suite.
#include "auth/sign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prejoin::auth {
namespace {

struct SuiteCase {
  const char* name;
  const char* method;
  Headers headers;
  const char* body;
  const char* session_token;
  const char* signed_headers;
  const char* signature;
};

constexpr const char* kSuiteToken =
    "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfI"
    "eoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0"
    "wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDry"
    "pNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";

TEST(Sign, GivesThePublishedSignatures) {
  const std::vector<SuiteCase> cases = {
      {"get-vanilla",
       "GET",
       {},
       "",
       "",
       "host;x-amz-date",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"post-vanilla",
       "POST",
       {},
       "",
       "",
       "host;x-amz-date",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"post-x-www-form-urlencoded",
       "POST",
       {{"Content-Type", "application/x-www-form-urlencoded"}},
       "Param1=value1",
       "",
       "content-type;host;x-amz-date",
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
      {"post-sts-header-before",
       "POST",
       {},
       "",
       kSuiteToken,
       "host;x-amz-date;x-amz-security-token",
       "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
  };
  for (const SuiteCase& each : cases) {
    SCOPED_TRACE(each.name);
    Headers headers = each.headers;
    headers.emplace_back("Host", "example.amazonaws.com");
    const Headers added =
        Sign({each.method, headers, each.body},
             {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", each.session_token},
             {"us-east-1", "service", 1'440'938'160});
    EXPECT_EQ(added.front(),
              (std::pair<std::string, std::string>("X-Amz-Date", "20150830T123600Z")));
    EXPECT_EQ(added.back().first, "Authorization");
    EXPECT_EQ(added.back().second,
              "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
              "SignedHeaders=" +
                  std::string(each.signed_headers) + ", Signature=" + each.signature);
  }
}

TEST(Sign, SpacesAroundAValueDoNotCount) {
  const Credentials credentials{"id", "secret", ""};
  const SigningScope scope{"eu-central-1", "dynamodb", 0};
  EXPECT_EQ(Sign({"POST", {{"Host", "h"}, {"A", " b   c "}}, "{}"}, credentials, scope),
            Sign({"POST", {{"host", "h"}, {"a", "b c"}}, "{}"}, credentials, scope));
  EXPECT_NE(Sign({"POST", {{"Host", "h"}}, "{}"}, credentials, scope),
            Sign({"POST", {{"Host", "h"}}, "{ }"}, credentials, scope));
}

}  // namespace
}  // namespace prejoin::auth
