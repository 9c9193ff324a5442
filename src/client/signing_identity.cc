#include "client/signing_identity.h"

#include <cstdlib>

namespace prejoin::client {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool IsAws(const std::string& host) {
  return host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn") ||
         host.ends_with(".api.aws");
}

// dynamodb.eu-central-1.amazonaws.com → eu-central-1
std::string RegionOfHost(const std::string& host) {
  if (!IsAws(host)) {
    return "";
  }
  const std::size_t dot = host.find('.');
  const std::string region = host.substr(dot + 1, host.find('.', dot + 1) - dot - 1);
  return region.find('-') != std::string::npos ? region : "";
}

}  // namespace

Result<SigningIdentity> FindSigningIdentity(const std::string& host, const std::string& region) {
  SigningIdentity identity;
  identity.credentials = {Environment("AWS_ACCESS_KEY_ID"), Environment("AWS_SECRET_ACCESS_KEY"),
                          Environment("AWS_SESSION_TOKEN")};
  const bool has_id = !identity.credentials.access_key_id.empty();
  const bool has_secret = !identity.credentials.secret_access_key.empty();
  if (has_id != has_secret) {
    return ValidationError(has_id ? "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not"
                                  : "AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not");
  }
  if (!has_id) {
    if (IsAws(host)) {
      return ValidationError(
          "AWS needs credentials: set AWS_ACCESS_KEY_ID and "
          "AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN if there is one)");
    }
    identity.credentials = {"local", "local", ""};
  }
  for (const std::string& candidate :
       {region, Environment("AWS_REGION"), Environment("AWS_DEFAULT_REGION"), RegionOfHost(host)}) {
    if (identity.region.empty()) {
      identity.region = candidate;
    }
  }
  if (identity.region.empty()) {
    identity.region = "us-east-1";
  }
  return identity;
}

}  // namespace prejoin::client
