#include "auth/credential_scope.h"

#include <gtest/gtest.h>

#include <vector>

namespace prejoin::auth {
namespace {

TEST(CredentialScope, IsWhatTheCredentialNames) {
  const auto scope_of = [](std::string_view credential) {
    const std::string authorization = "AWS4-HMAC-SHA256 Credential=" + std::string(credential) +
                                      ", SignedHeaders=host, Signature=0";
    const std::vector<HeaderField> headers = {{"Authorization", authorization},
                                              {"X-Amz-Date", "20150830T123600Z"}};
    const auto scope = ScopeOf({"POST", "/", "", headers, ""});
    return scope ? scope->access_key_id + " " + scope->region : "none";
  };
  EXPECT_EQ(scope_of("key/20150830/eu-west-1/dynamodb/aws4_request"), "key eu-west-1");
  EXPECT_EQ(scope_of("a/b/20150830/eu-west-1/dynamodb/aws4_request"), "a/b eu-west-1");
  EXPECT_EQ(scope_of("key/20150830//dynamodb/aws4_request"), "key ");
  EXPECT_EQ(scope_of("key/eu-west-1/dynamodb/aws4_request"), "none");
  EXPECT_EQ(scope_of("key"), "none");
  EXPECT_FALSE(ScopeOf({"POST", "/", "", {}, ""}).has_value());
}

// The two keys are published, one of them in AWS's own documentation.
TEST(CredentialScope, KeysOfAwsTellTheirAccount) {
  EXPECT_EQ(AccountOf("ASIAQNZGKIQY56JQ7WML"), "029608264753");
  EXPECT_EQ(AccountOf("AKIAIOSFODNN7EXAMPLE"), "581039954779");
  for (const std::string_view other :
       {"", "test", "AKIAIOSFODNN7EXAMPL", "AKIAIOSFODNN7EXAMPLE1", "AKIAIOSFODNN7EXAMPL1",
        "AROAIOSFODNN7EXAMPLE", "akiaiosfodnn7example"}) {
    EXPECT_EQ(AccountOf(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace prejoin::auth
