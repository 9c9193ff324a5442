#include "server/gatekeeper.h"

#include <algorithm>
#include <utility>

#include "access/query_api.h"
#include "server/http/protocol_error.h"
#include "server/peer_address.h"

namespace prejoin::server {
namespace {

constexpr std::string_view kXml = "text/xml";

// A policy of 10,240 characters, the longest that AWS takes, has less than half of it with every character escaped.
constexpr std::size_t kFormBytesMax = kBodyOnLoopBytesMax;

void FillForm(access::QueryAnswer answer, Exchange& exchange) {
  exchange.response.content_type = kXml;
  exchange.response.status = answer.status;
  exchange.response.body = std::move(answer.xml);
}

// A request that must not run for want of an audit line is to be sent again, not to be signed again.
int FailureStatus(const Error& error, int otherwise) {
  return error.code == ErrorCode::kUnavailable ? 503 : otherwise;
}

std::string_view FailureType(const Error& error) {
  if (error.code == ErrorCode::kUnavailable) {
    return "ServiceUnavailable";
  }
  const auto* failure = dynamic_cast<const auth::AuthenticationFailure*>(error.detail.get());
  return failure != nullptr ? failure->type : "AccessDeniedException";
}

}  // namespace

Gatekeeper::Gatekeeper(engine::Engine& engine, access::Directory& directory,
                       access::Enforcement enforcement, bool encrypted, AuditLog* audit)
    : engine_(engine),
      directory_(directory),
      enforcement_(enforcement),
      encrypted_(encrypted),
      audit_(audit),
      // Callers sign with the time of their machines, whatever time the tables have.
      verifier_(engine.options().clock != nullptr ? Clock::System() : engine.clock()) {}

Result<std::shared_ptr<access::RequestAccess>> Gatekeeper::Admit(const HttpRequest& request,
                                                                 Exchange& exchange,
                                                                 std::string_view service) {
  if (exchange.peer.empty()) {
    exchange.peer = PeerAddress(exchange.socket);
  }
  std::shared_ptr<const access::Principal> principal;
  const auto find = [&](std::string_view key_id, std::string_view token,
                        std::int64_t now_ms) -> Result<std::shared_ptr<const std::string>> {
    auto found = directory_.FindCredential(key_id, token, now_ms);
    if (!found && found.error().code == ErrorCode::kExpiredIterator) {
      return auth::ExpiredTokenError();
    }
    if (!found || !*found) {
      return std::shared_ptr<const std::string>();
    }
    principal = std::move((*found)->principal);
    return std::move((*found)->secret);
  };
  // STS and IAM are signed for the region that the client was set up with.
  const std::string_view region =
      service == "dynamodb" ? std::string_view(engine_.options().region) : std::string_view();
  const auto verified = verifier_.Verify({MethodName(request.method), request.path(),
                                          request.query(), request.fields, request.sent_body},
                                         {region, service}, find);
  if (!verified) {
    if (audit_ != nullptr) {
      audit_->NoteRefused(exchange.peer, FailureType(verified.error()));
    }
    return verified.error();
  }
  access::RequestFacts facts{.source_ip = exchange.peer,
                             .encrypted = encrypted_,
                             .user_agent = request.Header("user-agent")};
  auto access =
      std::make_shared<access::RequestAccess>(engine_, resource_policies_, std::move(principal),
                                              std::move(facts), enforcement_, audit_ != nullptr);
  if (audit_ != nullptr) {
    const std::string_view target = request.Header("x-amz-target");
    PJ_RETURN_IF_ERROR(
        audit_->Begin(*access, target.empty() ? service : target.substr(target.find('.') + 1)));
  }
  return access;
}

Gatekeeper::FormOutcome Gatekeeper::AdmitForm(const HttpRequest& request, Exchange& exchange) {
  if (std::max(request.body.size(), request.sent_body.size()) > kFormBytesMax) {
    FillForm(
        access::QueryError(413, "RequestEntityTooLarge", "The request is larger than 65536 bytes."),
        exchange);
    return FormOutcome::kRefused;
  }
  const std::string_view service = access::ServiceOfForm(request.body);
  if (service.empty()) {
    return FormOutcome::kNoForm;
  }
  auto admitted = Admit(request, exchange, service);
  if (!admitted) {
    const std::string_view type = FailureType(admitted.error());
    // DynamoDB's UnrecognizedClientException has another name here.
    FillForm(
        access::QueryError(FailureStatus(admitted.error(), 403),
                           type == "UnrecognizedClientException" ? "InvalidClientTokenId" : type,
                           admitted.error().message),
        exchange);
    return FormOutcome::kRefused;
  }
  exchange.access = *std::move(admitted);
  return FormOutcome::kAdmitted;
}

void Gatekeeper::AnswerForm(const HttpRequest& request, Exchange& exchange) {
  FillForm(access::AnswerForm(directory_, *exchange.access, request.body), exchange);
  Note(*exchange.access, access::ServiceOfForm(request.body), exchange.response.status);
}

std::shared_ptr<access::RequestAccess> Gatekeeper::AdmitToPath(const HttpRequest& request,
                                                               Exchange& exchange,
                                                               std::string_view service) {
  auto admitted = Admit(request, exchange, service);
  if (!admitted) {
    exchange.response = CoralError(FailureStatus(admitted.error(), 403),
                                   FailureType(admitted.error()), admitted.error().message);
    return nullptr;
  }
  return *std::move(admitted);
}

Status Gatekeeper::Allow(access::RequestAccess& access, const std::string& action) {
  Status allowed = access.CheckAction(action, "*");
  Note(access, action, allowed ? 200 : 403);
  return allowed;
}

void Gatekeeper::Note(const access::RequestAccess& access, std::string_view operation, int status) {
  if (audit_ != nullptr) {
    audit_->Note(access, operation, status);
  }
}

}  // namespace prejoin::server
