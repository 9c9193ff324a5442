#include "auth/authenticate.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace prejoin::auth {
namespace {

struct Asked {
  std::map<std::string, std::string> headers;
  std::string query;

  Result<std::string> Authenticate() const {
    std::vector<HeaderField> fields;
    for (const auto& [name, value] : headers) {
      fields.push_back({name, value});
    }
    PJ_ASSIGN_OR_RETURN(const Sender sender,
                        auth::Authenticate({"POST", "/", query, fields, "{}"}));
    return std::string(sender.access_key_id);
  }
  std::string Failure() const {
    const auto result = Authenticate();
    if (result) {
      return "accepted " + *result;
    }
    const auto* failure = dynamic_cast<const AuthenticationFailure*>(result.error().detail.get());
    return std::string(failure->type) + ": " + result.error().message;
  }
};

TEST(Authenticate, TakesAnyCredentialsInTheHeader) {
  const Asked asked{{{"authorization",
                      "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, "
                      "SignedHeaders=host, Signature=00"},
                     {"x-amz-date", "20260101T000000Z"}},
                    ""};
  EXPECT_EQ(*asked.Authenticate(), "AKID");
}

TEST(Authenticate, TakesAnyCredentialsInTheQuery) {
  const Asked asked{
      {},
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20260101&X-Amz-Signature=b&"
      "X-Amz-SignedHeaders=c&X-Amz-Date=d"};
  EXPECT_EQ(*asked.Authenticate(), "AKID");
}

TEST(Authenticate, RefusesIncompleteQueries) {
  const Asked asked{{}, "X-Amz-Algorithm=x&X-Amz-Credential=a&X-Amz-Date=d"};
  EXPECT_EQ(
      asked.Failure(),
      "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-Signature'. "
      "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
      "Re-examine the query-string parameters.");
}

TEST(Authenticate, RefusesIncompleteHeaders) {
  const Asked asked{{{"authorization", "AWS4- Signature=b,Credential=a"}, {"date", "a"}}, ""};
  EXPECT_EQ(
      asked.Failure(),
      "IncompleteSignatureException: Authorization header requires 'SignedHeaders' parameter. "
      "Authorization=AWS4- Signature=b,Credential=a");
}

TEST(Authenticate, DoesNotMistakeOtherQueriesForCredentials) {
  const Asked asked{{}, "X-Amz-Algorith&X-Amz-Credential=a&X-Amz-Signature=b"};
  EXPECT_EQ(asked.Failure(),
            "MissingAuthenticationTokenException: Request is missing Authentication Token");
}

}  // namespace
}  // namespace prejoin::auth
