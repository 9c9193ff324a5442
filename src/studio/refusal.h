// The model API's error answers: an HTTP status and {"error":{"message":…,"line"?,"column"?,"code"?}}.
#ifndef PREJOIN_STUDIO_REFUSAL_H_
#define PREJOIN_STUDIO_REFUSAL_H_

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "model/syntax/diagnostic.h"
#include "prejoin/result.h"
#include "process/task_runner.h"
#include "server/api_guard.h"
#include "server/http/http.h"

namespace prejoin::studio {

struct RefusalDetail : ErrorDetail {
  int status = 400;
  model::SourceSpan at;  // Line 0: not about a place in a source.
  std::string code;      // For what a program may want to tell apart; else empty.
};

Error Refuse(int status, std::string message, std::string code = "");
// What the guard says of a request, as an error with its status.
Status CheckOrigin(const server::ApiGuard& guard, const server::HttpRequest& request);
Error RefuseAt(const model::SourceSpan& at, std::string message);

// JSON of any status, never cached.
void AnswerJson(int status, std::string body, server::HttpResponse& response);
// An error without a RefusalDetail is the caller's (400) or ours (500), by its code.
process::Answer ErrorAnswer(const Error& error);
void AnswerError(const Error& error, server::HttpResponse& response);

// Runs `fill`, on a thread where nobody else catches: any exception becomes the answer.
template <class Fill>
void FillOrFail(server::HttpResponse& response, const Fill& fill) {
  try {
    fill();
  } catch (const std::bad_alloc&) {
    response = server::HttpResponse();
    AnswerError(Refuse(503, "this request needs more memory than there is"), response);
  } catch (const std::exception& error) {
    response = server::HttpResponse();
    AnswerError(Refuse(500, "internal error: " + std::string(error.what())), response);
  }
}

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_REFUSAL_H_
