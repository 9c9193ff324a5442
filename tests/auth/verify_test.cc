#include "auth/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "auth/canonical.h"
#include "auth/sign.h"

namespace prejoin::auth {
namespace {

using testing::StartsWith;

class FixedClock : public Clock {
 public:
  std::int64_t NowMs() const override { return seconds * 1000; }
  std::int64_t seconds = 1440938160;  // 2015-08-30T12:36:00Z
};

constexpr const char* kSuiteSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

const auto kFindSuiteSecret = [](std::string_view key_id, std::string_view,
                                 std::int64_t) -> Result<std::shared_ptr<const std::string>> {
  return key_id == "AKIDEXAMPLE" ? std::make_shared<const std::string>(kSuiteSecret) : nullptr;
};

// A request that owns its parts.
struct Sent {
  std::string method = "POST";
  std::string path = "/";
  std::string query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  Status Verify(Verifier& verifier, const Scope& scope) const {
    std::vector<HeaderField> fields;
    for (const auto& [name, value] : headers) {
      fields.push_back({name, value});
    }
    return verifier.Verify({method, path, query, fields, body}, scope, kFindSuiteSecret);
  }
  std::string& Header(std::string_view name) {
    for (auto& [each, value] : headers) {
      if (each == name) {
        return value;
      }
    }
    return headers.emplace_back(std::string(name), "").second;
  }
};

std::string Outcome(const Status& result) {
  if (result) {
    return "accepted";
  }
  const auto* failure = dynamic_cast<const AuthenticationFailure*>(result.error().detail.get());
  return std::string(failure->type) + ": " + result.error().message;
}

// "GET /a?b=c HTTP/1.1", header lines, an empty line, the body.
Sent ParseMessage(const std::vector<std::string>& lines) {
  Sent sent;
  const std::string& first = lines.front();
  const auto space = first.find(' ');
  sent.method = first.substr(0, space);
  std::string target = first.substr(space + 1, first.rfind(" HTTP/") - space - 1);
  if (const auto mark = target.find('?'); mark != std::string::npos) {
    sent.query = target.substr(mark + 1);
    target.resize(mark);
  }
  sent.path = target;
  std::size_t at = 1;
  for (; at < lines.size() && !lines[at].empty(); ++at) {
    const auto colon = lines[at].find(':');
    sent.headers.emplace_back(lines[at].substr(0, colon), lines[at].substr(colon + 1));
  }
  if (at + 1 < lines.size()) {
    sent.body = lines[at + 1];
  }
  return sent;
}

TEST(Verify, AcceptsThePublishedRequests) {
  std::ifstream file(PREJOIN_SOURCE_DIR "/tests/auth/aws_suite.txt");
  ASSERT_TRUE(file);
  FixedClock clock;
  Verifier verifier(clock);
  std::string name;
  std::vector<std::string> lines;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("=== ")) {
      lines.push_back(line);
      continue;
    }
    if (!name.empty()) {
      ++cases;
      Sent sent = ParseMessage(lines);
      const Scope scope{"us-east-1", "service"};
      EXPECT_EQ(Outcome(sent.Verify(verifier, scope)), "accepted") << name;
      sent.body += "x";
      EXPECT_THAT(Outcome(sent.Verify(verifier, scope)),
                  StartsWith("InvalidSignatureException: The request signature we calculated"))
          << name;
    }
    name = line.substr(4);
    lines.clear();
  }
  EXPECT_EQ(cases, 118);
}

// The example of AWS's own code.
TEST(EllipticKey, DerivesThePublishedKeys) {
  EXPECT_EQ(EllipticKey::Derive("AKISORANDOMAASORANDOM", "q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom")
                ->PublicKeyForTesting(),
            "15d242ceebf8d8169fd6a8b5a746c41140414c3b07579038da06af89190fffcb"
            "0515242cedd82e94799482e4c0514b505afccf2c0c98d6a553bf539f424c5ec0");
  EXPECT_EQ(EllipticKey::Derive("AKIDEXAMPLE", kSuiteSecret)->PublicKeyForTesting(),
            "b6618f6a65740a99e650b33b6b4b5bd0d43b176d721a3edfea7e7d2d56d936b1"
            "865ed22a7eadc9c5cb9d2cbaca1b3699139fedc5043dc6661864218330c8e518");
}

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    sent.headers = {{"Host", "localhost:8000"},
                    {"X-Amz-Target", "DynamoDB_20120810.GetItem"},
                    {"Content-Type", "application/x-amz-json-1.0"}};
    sent.body = R"({"TableName":"Music","Key":{"Artist":{"S":"Acme"}}})";
    for (const auto& [name, value] :
         Sign({sent.method, sent.headers, sent.body}, {"AKIDEXAMPLE", kSuiteSecret, ""},
              {"eu-west-1", "dynamodb", clock.seconds})) {
      sent.headers.emplace_back(name, value);
    }
  }
  std::string Answer() { return Outcome(sent.Verify(verifier, {"eu-west-1", "dynamodb"})); }

  FixedClock clock;
  Verifier verifier{clock};
  Sent sent;
};

TEST_F(VerifyTest, AcceptsWithinFiveMinutes) {
  const std::int64_t now = clock.seconds;
  for (const std::int64_t skew : {-300, 0, 300}) {
    clock.seconds = now + skew;
    EXPECT_EQ(Answer(), "accepted") << skew;
  }
  clock.seconds = now + 301;
  EXPECT_EQ(Answer(),
            "InvalidSignatureException: Signature expired: 20150830T123600Z is now earlier than "
            "20150830T123601Z (20150830T124101Z - 5 min.)");
  clock.seconds = now - 301;
  EXPECT_EQ(Answer(),
            "InvalidSignatureException: Signature not yet current: 20150830T123600Z is still later "
            "than 20150830T123559Z (20150830T123059Z + 5 min.)");
}

TEST_F(VerifyTest, RefusesOtherScopes) {
  EXPECT_EQ(Outcome(sent.Verify(verifier, {"us-east-1", "dynamodb"})),
            "InvalidSignatureException: Credential should be scoped to a valid region. ");
  EXPECT_EQ(Outcome(sent.Verify(verifier, {"eu-west-1", "sts"})),
            "InvalidSignatureException: Credential should be scoped to correct service: 'sts'. ");
  EXPECT_EQ(Outcome(sent.Verify(verifier, {"", "dynamodb"})), "accepted");
}

TEST_F(VerifyTest, RefusesUnknownKeys) {
  std::string& authorization = sent.Header("Authorization");
  authorization.replace(authorization.find("AKIDEXAMPLE"), 11, "AKIDUNKNOWN");
  EXPECT_EQ(Answer(),
            "UnrecognizedClientException: The security token included in the request is invalid.");
}

TEST_F(VerifyTest, RefusesCredentialsOfAnotherForm) {
  std::string& authorization = sent.Header("Authorization");
  const std::string whole = authorization;
  authorization.replace(authorization.find("/aws4_request"), 13, "");
  EXPECT_THAT(Answer(), StartsWith("IncompleteSignatureException: Credential must have exactly 5"));
  authorization = "AWS4-HMAC-SHA1" + whole.substr(16);
  EXPECT_EQ(Answer(),
            "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'.");
  authorization = whole;
  sent.Header("X-Amz-Date") = "Sun, 30 Aug 2015 12:36:00 GMT";
  EXPECT_THAT(Answer(), StartsWith("IncompleteSignatureException: Date must be in ISO-8601"));
}

TEST_F(VerifyTest, RefusesATargetThatIsNotSigned) {
  Sent bare;
  bare.headers = {{"Host", "localhost:8000"}};
  for (const auto& [name, value] :
       Sign({bare.method, bare.headers, bare.body}, {"AKIDEXAMPLE", kSuiteSecret, ""},
            {"eu-west-1", "dynamodb", clock.seconds})) {
    bare.headers.emplace_back(name, value);
  }
  EXPECT_EQ(Outcome(bare.Verify(verifier, {"eu-west-1", "dynamodb"})), "accepted");
  bare.headers.emplace_back("X-Amz-Target", "DynamoDB_20120810.DeleteTable");
  EXPECT_THAT(Outcome(bare.Verify(verifier, {"eu-west-1", "dynamodb"})),
              StartsWith("InvalidSignatureException: 'X-Amz-Target' must be"));
}

// A kept signing key must not outlive the secret that it came from.
TEST_F(VerifyTest, ForgetsTheKeyOfAnOldSecret) {
  EXPECT_EQ(Answer(), "accepted");
  std::vector<HeaderField> fields;
  for (const auto& [name, value] : sent.headers) {
    fields.push_back({name, value});
  }
  const auto changed = verifier.Verify(
      {sent.method, sent.path, sent.query, fields, sent.body}, {"eu-west-1", "dynamodb"},
      [](std::string_view, std::string_view,
         std::int64_t) -> Result<std::shared_ptr<const std::string>> {
        return std::make_shared<const std::string>("another secret");
      });
  EXPECT_THAT(Outcome(changed), StartsWith("InvalidSignatureException: The request signature"));
  EXPECT_EQ(Answer(), "accepted");
}

// PREJOIN_MUTATIONS=1000000 for the whole of it.
TEST_F(VerifyTest, AcceptsNoneOfManyMutations) {
  const char* const wanted = std::getenv("PREJOIN_MUTATIONS");
  const long count = wanted != nullptr ? std::atol(wanted) : 20'000;
  ASSERT_GT(count, 0);
  std::mt19937 random(7);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const Sent original = sent;
  for (long i = 0; i < count; ++i) {
    sent = original;
    std::string* const parts[] = {&sent.method,
                                  &sent.path,
                                  &sent.query,
                                  &sent.body,
                                  &sent.Header("Host"),
                                  &sent.Header("X-Amz-Target"),
                                  &sent.Header("Content-Type"),
                                  &sent.Header("X-Amz-Date"),
                                  &sent.Header("Authorization")};
    std::string& part = *parts[below(std::size(parts))];
    const auto letter = static_cast<char>('0' + below(75));
    if (part.empty() || below(4) == 0) {
      part.insert(part.begin() + static_cast<std::ptrdiff_t>(below(part.size() + 1)), letter);
    } else if (below(4) == 0) {
      part.erase(below(part.size()), 1);
    } else {
      part[below(part.size())] = letter;
    }
    // Changes that mean nothing: the spaces and commas between the parts of the header, and a letter that was the same before.
    const auto same = [](const std::string& a, const std::string& b) {
      std::string left, right;
      for (const char c : a) {
        left += c == ' ' || c == ',' ? "" : std::string(1, c);
      }
      for (const char c : b) {
        right += c == ' ' || c == ',' ? "" : std::string(1, c);
      }
      return left == right;
    };
    bool changed = sent.method != original.method || sent.path != original.path ||
                   sent.query != original.query || sent.body != original.body;
    for (std::size_t at = 0; at < sent.headers.size(); ++at) {
      changed = changed || !same(sent.headers[at].second, original.headers[at].second);
    }
    // "//" and "" are "/" to a signature.
    if (!changed || (sent.path != original.path && CanonicalPath(sent.path) == "/")) {
      continue;
    }
    ASSERT_THAT(Answer(), testing::Not(StartsWith("accepted"))) << "mutation " << i << ": " << part;
  }
}

}  // namespace
}  // namespace prejoin::auth
