#include "server/api_guard.h"

#include <string_view>

namespace prejoin::server {
namespace {

bool IsSameOrigin(std::string_view origin, std::string_view host) {
  const auto at = origin.find("://");
  return at != std::string_view::npos && EqualsIgnoreCase(origin.substr(at + 3), host);
}

bool IsJsonType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) {
    content_type.remove_suffix(1);
  }
  return EqualsIgnoreCase(content_type, "application/json");
}

}  // namespace

std::optional<ApiRefusal> ApiGuard::Refuses(const HttpRequest& request) const {
  const std::string_view host = request.Header("host");
  const std::string_view origin = request.Header("origin");
  if (!hosts_.KnowsHost(host)) {
    return ApiRefusal{403,
                      "this server is not known as that host; open it by its address, or start it "
                      "with `--host NAME` or `--allow-host NAME`"};
  }
  if (!origin.empty() && !IsSameOrigin(origin, host)) {
    return ApiRefusal{403, "the model API answers only pages of its own origin"};
  }
  if (request.method == Method::kPost && !IsJsonType(request.Header("content-type"))) {
    return ApiRefusal{415, "send Content-Type: application/json"};
  }
  return std::nullopt;
}

}  // namespace prejoin::server
