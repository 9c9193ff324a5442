#include "studio/guard.h"

#include <algorithm>

#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

using server::EqualsIgnoreCase;

// "[::1]:8000" → "[::1]"; "localhost:8000" → "localhost"
std::string_view WithoutPort(std::string_view host) {
  if (host.starts_with("[")) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// A name in DNS cannot look like this, so nobody can point it anywhere.
bool IsAddress(std::string_view host) {
  return host.starts_with("[") || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool SameOrigin(std::string_view origin, std::string_view host) {
  const auto at = origin.find("://");
  return at != std::string_view::npos && EqualsIgnoreCase(origin.substr(at + 3), host);
}

bool IsJson(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  return EqualsIgnoreCase(content_type, "application/json");
}

}  // namespace

bool Guard::KnownHost(std::string_view host) const {
  const std::string_view name = WithoutPort(host);
  return IsAddress(name) || EqualsIgnoreCase(name, "localhost") || name.ends_with(".localhost") ||
         std::any_of(host_names_.begin(), host_names_.end(),
                     [&](const std::string& known) { return EqualsIgnoreCase(known, name); });
}

Status Guard::Check(const server::HttpRequest& request) const {
  const std::string_view host = request.Header("host");
  const std::string_view origin = request.Header("origin");
  if (!KnownHost(host)) {
    return Refuse(403,
                  "this server is not known as that host; open it by its address, or start it with "
                  "`--host NAME` or `--studio-host NAME`");
  }
  if (!origin.empty() && !SameOrigin(origin, host))
    return Refuse(403, "the model API answers only pages of its own origin");
  if (request.method == server::Method::kPost && !IsJson(request.Header("content-type")))
    return Refuse(415, "send Content-Type: application/json");
  return {};
}

}  // namespace prejoin::studio
