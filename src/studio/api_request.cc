#include "studio/api_request.h"

#include "model/syntax/source_size.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

std::string Quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

Result<ApiRequest> ApiRequest::Of(json::Value root) {
  if (root.type() != json::Type::kObject) {
    return Refuse(400, "the body of the request must be a JSON object");
  }
  return ApiRequest(root);
}

std::optional<json::Value> ApiRequest::Find(std::string_view name) const {
  for (const auto& field : root_.fields()) {
    if (field.name == name && !field.value.is_null()) {
      return field.value;
    }
  }
  return std::nullopt;
}

Result<std::string> ApiRequest::Text(std::string_view name) const {
  const auto value = Find(name);
  if (!value) {
    return Refuse(400, "the request lacks " + Quoted(name));
  }
  if (value->type() != json::Type::kString) {
    return Refuse(400, Quoted(name) + " must be a string");
  }
  return std::string(value->string());
}

Result<std::optional<double>> ApiRequest::Number(std::string_view name) const {
  const auto value = Find(name);
  if (!value) {
    return std::optional<double>();
  }
  if (value->type() != json::Type::kInteger && value->type() != json::Type::kDecimal) {
    return Refuse(400, Quoted(name) + " must be a number");
  }
  return std::optional<double>(value->number());
}

Result<bool> ApiRequest::Flag(std::string_view name) const {
  const auto value = Find(name);
  if (!value) {
    return false;
  }
  if (value->type() != json::Type::kBool) {
    return Refuse(400, Quoted(name) + " must be true or false");
  }
  return value->boolean();
}

Result<std::string> ApiRequest::Source() const {
  PJ_ASSIGN_OR_RETURN(std::string source, Text("source"));
  const std::string_view fault = model::SourceSizeFault(source);
  if (!fault.empty()) {
    return Refuse(413, "the model " + std::string(fault));
  }
  return source;
}

Result<model::ReadModelResult> ApiRequest::Model() const {
  PJ_ASSIGN_OR_RETURN(const std::string source, Source());
  model::ReadModelResult read = model::ReadModel(source);
  if (read.ok) {
    return read;
  }
  for (const model::Diagnostic& diagnostic : read.diagnostics) {
    if (diagnostic.severity == model::Severity::kError) {
      return RefuseAt(diagnostic.at, diagnostic.message);
    }
  }
  return Refuse(400, "the model cannot be read");
}

}  // namespace prejoin::studio
