#include "tests/reference/side.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "base/check.h"

namespace prejoin::reference {
namespace {

constexpr char kTarget[] = "DynamoDB_20120810.";
// Of the right form; nobody checks it here.
constexpr char kAuthorization[] =
    "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature="
    "0000000000000000000000000000000000000000000000000000000000000000";

}  // namespace

Side::Side(const char* variable) {
  const char* urls = std::getenv(variable);
  if (urls == nullptr) {
    engine_ = *engine::Engine::Open(Options{});
    service_ = std::make_unique<wire::Service>(*engine_);
    return;
  }
  std::istringstream list(urls);
  for (std::string url; std::getline(list, url, ',');) {
    auto gateway = client::HttpEndpoint::Parse(url);
    PJ_CHECK(gateway.has_value());
    gateways_.push_back(*std::move(gateway));
  }
  PJ_CHECK(!gateways_.empty());
}

wire::Answer Side::Send(const std::string& operation, const std::string& body) {
  if (service_ != nullptr) {
    return service_->Handle(kTarget + operation, body);
  }
  client::HttpEndpoint& gateway = gateways_[random_() % gateways_.size()];
  const auto answer = gateway.Post({{"Host", gateway.HostHeader()},
                                    {"Content-Type", "application/x-amz-json-1.0"},
                                    {"X-Amz-Target", kTarget + operation},
                                    {"X-Amz-Date", "20250101T000000Z"},
                                    {"Authorization", kAuthorization}},
                                   body);
  if (!answer) {
    ADD_FAILURE() << operation << ": " << answer.error().message;
    return {.status = 500, .body = "{}"};
  }
  return {.status = answer->status, .body = answer->body};
}

}  // namespace prejoin::reference
