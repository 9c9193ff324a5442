#include "studio/guard.h"

#include <string_view>

#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

using server::EqualsIgnoreCase;

bool SameOrigin(std::string_view origin, std::string_view host) {
  const auto at = origin.find("://");
  return at != std::string_view::npos && EqualsIgnoreCase(origin.substr(at + 3), host);
}

bool IsJson(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) {
    content_type.remove_suffix(1);
  }
  return EqualsIgnoreCase(content_type, "application/json");
}

}  // namespace

Status Guard::Check(const server::HttpRequest& request) const {
  const std::string_view host = request.Header("host");
  const std::string_view origin = request.Header("origin");
  if (!hosts_.KnowsHost(host)) {
    return Refuse(403,
                  "this server is not known as that host; open it by its address, or start it with "
                  "`--host NAME` or `--allow-host NAME`");
  }
  if (!origin.empty() && !SameOrigin(origin, host)) {
    return Refuse(403, "the model API answers only pages of its own origin");
  }
  if (request.method == server::Method::kPost && !IsJson(request.Header("content-type"))) {
    return Refuse(415, "send Content-Type: application/json");
  }
  return {};
}

}  // namespace prejoin::studio
