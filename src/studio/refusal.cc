#include "studio/refusal.h"

#include <memory>

#include "json/writer.h"
#include "wire/answers/error_json.h"

namespace prejoin::studio {

Error Refuse(int status, std::string message, std::string code) {
  auto detail = std::make_shared<RefusalDetail>();
  detail->status = status;
  detail->code = std::move(code);
  return Error{ErrorCode::kValidation, std::move(message), std::move(detail)};
}

Status CheckOrigin(const server::ApiGuard& guard, const server::HttpRequest& request) {
  const auto refused = guard.Refuses(request);
  return refused ? Status(Refuse(refused->status, std::string(refused->why))) : Status();
}

Error RefuseAt(const model::SourceSpan& at, std::string message) {
  auto detail = std::make_shared<RefusalDetail>();
  detail->at = at;
  return Error{ErrorCode::kValidation, std::move(message), std::move(detail)};
}

void AnswerJson(int status, std::string body, server::HttpResponse& response) {
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(body);
  response.AddHeader("Cache-Control", "no-store");
  response.AddHeader("X-Content-Type-Options", "nosniff");
}

process::Answer ErrorAnswer(const Error& error) {
  const auto* detail = dynamic_cast<const RefusalDetail*>(error.detail.get());
  std::string body;
  {
    json::ObjectWriter object(body);
    json::ObjectWriter members(object.Name("error"));
    members.String("message", error.message);
    if (detail != nullptr && !detail->code.empty()) {
      members.String("code", detail->code);
    }
    if (detail != nullptr && detail->at.line > 0) {
      members.Integer("line", detail->at.line);
      members.Integer("column", detail->at.column);
      members.Integer("length", detail->at.length);
    }
  }
  return {detail != nullptr ? detail->status : wire::StatusOf(error.code), std::move(body)};
}

void AnswerError(const Error& error, server::HttpResponse& response) {
  process::Answer answer = ErrorAnswer(error);
  AnswerJson(answer.status, std::move(answer.body), response);
}

}  // namespace prejoin::studio
