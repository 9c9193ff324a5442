// The gatekeeper lets callers in: the signature of every request is verified against the directory, and its caller's policies go with it.
#ifndef PREJOIN_SERVER_GATEKEEPER_H_
#define PREJOIN_SERVER_GATEKEEPER_H_

#include <memory>
#include <string>
#include <string_view>

#include "access/directory.h"
#include "access/request_access.h"
#include "auth/verify.h"
#include "prejoin/result.h"
#include "server/audit_log.h"
#include "server/handler.h"
#include "server/http/http.h"

namespace prejoin::server {

// Thread-safe.
class Gatekeeper {
 public:
  // `audit` may be null; the others outlive this object.
  Gatekeeper(engine::Engine& engine, access::Directory& directory, access::Enforcement enforcement,
             bool encrypted, AuditLog* audit);

  // The caller of a request, verified. The error has an auth::AuthenticationFailure. `service` is what it must be signed for.
  Result<std::shared_ptr<access::RequestAccess>> Admit(const HttpRequest& request,
                                                       Exchange& exchange,
                                                       std::string_view service);

  // Verifies the signature of a form of STS or IAM, before anybody parses it.
  enum class FormOutcome {
    kNoForm,    // Of neither.
    kRefused,   // The response says why.
    kAdmitted,  // `exchange.access` is filled in; AnswerForm comes next, on a worker.
  };
  FormOutcome AdmitForm(const HttpRequest& request, Exchange& exchange);
  void AnswerForm(const HttpRequest& request, Exchange& exchange);

  // Admit for one of our own paths or APIs; null: the response refuses the request.
  std::shared_ptr<access::RequestAccess> AdmitToPath(const HttpRequest& request, Exchange& exchange,
                                                     std::string_view service);
  // Decides about an action on no resource in particular, like "prejoin:metrics", and notes what became of it.
  Status Allow(access::RequestAccess& access, const std::string& action);

  // Notes what became of a request. `operation` as the log is to name it.
  void Note(const access::RequestAccess& access, std::string_view operation, int status);

 private:
  engine::Engine& engine_;
  access::Directory& directory_;
  const access::Enforcement enforcement_;
  const bool encrypted_;
  AuditLog* const audit_;
  access::ResourcePolicies resource_policies_;
  auth::Verifier verifier_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_GATEKEEPER_H_
