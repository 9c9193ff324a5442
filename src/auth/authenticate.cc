// The checks that AWS makes before it looks at the signature itself, in its order and words.
#include "auth/authenticate.h"

#include <array>
#include <string>

namespace prejoin::auth {
namespace {

constexpr std::string_view kQueryParameters[] = {
    "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"};

Error Failure(std::string_view type, std::string message) {
  return Error{ErrorCode::kAccessDenied, std::move(message),
               std::make_shared<const AuthenticationFailure>(type)};
}

// The value behind `name=` in a list separated by any of `separators`. `found` tells an empty value
// from none.
std::string_view FindParameter(std::string_view list, std::string_view separators,
                               std::string_view name, bool* found) {
  *found = false;
  while (!list.empty()) {
    const auto end = list.find_first_of(separators);
    const std::string_view element = list.substr(0, end);
    const auto equals = element.find('=');
    if (element.substr(0, equals) == name) {
      *found = true;
      return equals == std::string_view::npos ? std::string_view() : element.substr(equals + 1);
    }
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return {};
}

std::string_view HeaderParameter(std::string_view authorization, std::string_view name) {
  bool found = false;
  return FindParameter(authorization, ", ", name, &found);
}

std::string_view QueryParameter(std::string_view query, std::string_view name) {
  bool found = false;
  return FindParameter(query, "&", name, &found);
}

Result<Caller> FromHeader(const SignedRequest& request, std::string_view authorization) {
  const std::string_view credential = HeaderParameter(authorization, "Credential");
  std::string missing;
  for (const std::string_view name : {"Credential", "Signature", "SignedHeaders"}) {
    if (HeaderParameter(authorization, name).empty()) {
      missing.append("Authorization header requires '").append(name).append("' parameter. ");
    }
  }
  if (request.header("x-amz-date").empty() && request.header("date").empty()) {
    missing +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (!missing.empty()) {
    return Failure("IncompleteSignatureException",
                   missing.append("Authorization=").append(authorization));
  }
  return Caller{credential.substr(0, credential.find('/'))};
}

Result<Caller> FromQuery(std::string_view query) {
  std::string missing;
  for (const std::string_view name : kQueryParameters) {
    if (QueryParameter(query, name).empty()) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
  }
  if (!missing.empty()) {
    return Failure("IncompleteSignatureException",
                   missing + "Re-examine the query-string parameters.");
  }
  const std::string_view credential = QueryParameter(query, "X-Amz-Credential");
  // The slash between the parts is usually percent-encoded here.
  return Caller{credential.substr(0, credential.find_first_of("/%"))};
}

}  // namespace

Result<Caller> Authenticate(const SignedRequest& request) {
  const std::string_view authorization = request.header("authorization");
  bool in_query = false;
  FindParameter(request.query, "&", "X-Amz-Algorithm", &in_query);
  if (!authorization.empty() && in_query) {
    return Failure(
        "InvalidSignatureException",
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (in_query) return FromQuery(request.query);
  if (!authorization.starts_with("AWS4-")) {
    return Failure("MissingAuthenticationTokenException",
                   "Request is missing Authentication Token");
  }
  return FromHeader(request, authorization);
}

}  // namespace prejoin::auth
