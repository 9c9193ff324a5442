#include "client/endpoint.h"

#include <unistd.h>

#include <ctime>
#include <string_view>
#include <utility>

#include "auth/sign.h"
#include "json/reader.h"

namespace prejoin::client {
namespace {

constexpr int kRetriesMax = 8;
constexpr useconds_t kFirstRetryMicroseconds = 50'000;

// The name after the '#' of "__type"; empty if the body is no error of DynamoDB's.
std::string ErrorName(const std::string& body) {
  const auto document = json::Document::Parse(body);
  const auto type = document ? document->root().Find("__type") : std::nullopt;
  if (!type || type->type() != json::Type::kString) {
    return "";
  }
  const std::string_view name = type->string();
  return std::string(name.substr(name.find('#') + 1));
}

// Returns the text of the error; empty if it has none.
std::string ErrorMessage(const std::string& body) {
  const auto document = json::Document::Parse(body);
  for (const char* member : {"message", "Message"}) {
    const auto text = document ? document->root().Find(member) : std::nullopt;
    if (text && text->type() == json::Type::kString) {
      return std::string(text->string());
    }
  }
  return "";
}

// Answers that AWS documents as worth another try.
bool AsksForPatience(const HttpAnswer& answer) {
  if (answer.status == 500 || answer.status == 503) {
    return true;
  }
  const std::string name = answer.status == 400 ? ErrorName(answer.body) : "";
  return name == "ProvisionedThroughputExceededException" || name == "ThrottlingException" ||
         name == "RequestLimitExceeded" || name == "TransactionInProgressException";
}

}  // namespace

Error ErrorOf(const std::string& operation, const HttpAnswer& answer) {
  constexpr std::pair<std::string_view, ErrorCode> kCodes[] = {
      {"ConditionalCheckFailedException", ErrorCode::kConditionalCheckFailed},
      {"TransactionCanceledException", ErrorCode::kTransactionCanceled},
      {"UnknownOperationException", ErrorCode::kUnknownOperation},
      {"ResourceInUseException", ErrorCode::kTableInUse},
      {"ResourceNotFoundException", ErrorCode::kResourceNotFound},
  };
  const std::string name = ErrorName(answer.body);
  ErrorCode code = ErrorCode::kValidation;
  for (const auto& [known, its_code] : kCodes) {
    if (name == known) {
      code = its_code;
    }
  }
  const std::string message = ErrorMessage(answer.body);
  return Error{code,
               operation + ": " +
                   (!message.empty() ? message
                    : !name.empty()  ? name
                                    : "HTTP " + std::to_string(answer.status) + " " + answer.body)};
}

std::string TableStatusIn(const std::string& described) {
  const auto document = json::Document::Parse(described);
  const auto table = document ? document->root().Find("Table") : std::nullopt;
  const auto status = table ? table->Find("TableStatus") : std::nullopt;
  return status && status->type() == json::Type::kString ? std::string(status->string()) : "";
}

Result<Endpoint> Endpoint::Open(const std::string& url, const std::string& region) {
  PJ_ASSIGN_OR_RETURN(HttpEndpoint http, HttpEndpoint::Parse(url));
  PJ_ASSIGN_OR_RETURN(SigningIdentity identity, FindSigningIdentity(http.host(), region));
  return Endpoint(std::move(http), std::move(identity));
}

Result<HttpAnswer> Endpoint::SendSigned(const std::string& operation, const std::string& body) {
  auth::UnsignedRequest request{"POST",
                                {{"Host", http_.HostHeader()},
                                 {"Content-Type", "application/x-amz-json-1.0"},
                                 {"X-Amz-Target", "DynamoDB_20120810." + operation}},
                                body};
  const auth::Headers added = auth::Sign(request, identity_.credentials,
                                         {identity_.region, "dynamodb", std::time(nullptr)});
  request.headers.insert(request.headers.end(), added.begin(), added.end());
  return http_.Post(request.headers, body);
}

Result<std::string> Endpoint::Call(const std::string& operation, const std::string& body) {
  PJ_ASSIGN_OR_RETURN(HttpAnswer answer, SendSigned(operation, body));
  useconds_t pause = kFirstRetryMicroseconds;
  for (int retry = 0; retry < kRetriesMax && AsksForPatience(answer); ++retry) {
    if (gave_up_ && gave_up_()) {
      break;
    }
    usleep(pause);
    pause *= 2;
    PJ_ASSIGN_OR_RETURN(answer, SendSigned(operation, body));
  }
  if (answer.status == 200) {
    return std::move(answer.body);
  }
  return ErrorOf(operation, answer);
}

}  // namespace prejoin::client
