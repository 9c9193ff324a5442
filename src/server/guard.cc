#include "server/guard.h"

#include <algorithm>

namespace prejoin::server {
namespace {

// "[::1]:8000" → "[::1]"; "localhost:8000" → "localhost"
std::string_view WithoutPort(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// A name in DNS cannot look like this, so nobody can point it anywhere.
bool IsAddress(std::string_view host) {
  return host.starts_with('[') || std::all_of(host.begin(), host.end(), [](char c) {
           return (c >= '0' && c <= '9') || c == '.';
         });
}

bool EndsWith(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         EqualsIgnoreCase(name.substr(name.size() - ending.size()), ending);
}

// Names that no stranger can register: those of containers ("dynamodb"), of local networks, and
// AWS's own, under which some clients reach a local endpoint.
bool IsPrivateName(std::string_view name) {
  if (name.find('.') == std::string_view::npos) return true;
  static constexpr std::string_view kEndings[] = {".localhost", ".internal", ".local", ".test"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return EndsWith(name, ending); }) ||
         (name.starts_with("dynamodb.") && EndsWith(name, ".amazonaws.com"));
}

bool IsLoopback(std::string_view name) {
  return EqualsIgnoreCase(name, "localhost") || EndsWith(name, ".localhost") || name == "[::1]" ||
         (name.starts_with("127.") && IsAddress(name));
}

bool IsOneOf(std::string_view text, const std::vector<std::string>& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& one) { return EqualsIgnoreCase(one, text); });
}

}  // namespace

bool Guard::KnowsHost(std::string_view host) const {
  const std::string_view name = WithoutPort(host);
  return IsAddress(name) || IsPrivateName(name) || IsOneOf(name, options_.host_names);
}

bool Guard::AllowsOrigin(std::string_view origin, std::string_view host) const {
  const auto at = origin.find("://");
  if (at != std::string_view::npos) {
    const std::string_view authority = origin.substr(at + 3);
    if (IsLoopback(WithoutPort(authority)) || EqualsIgnoreCase(authority, host)) return true;
  }
  return IsOneOf(origin, options_.origins) || IsOneOf("*", options_.origins);
}

std::string_view Guard::Refusal(const HttpRequest& request) const {
  // One pass, because every request comes through here.
  std::string_view host;
  std::string_view origin;
  for (const HeaderField& field : request.fields) {
    if (host.empty() && EqualsIgnoreCase(field.name, "host")) host = field.value;
    if (origin.empty() && EqualsIgnoreCase(field.name, "origin")) origin = field.value;
  }
  if (!KnowsHost(host)) {
    return "This server is not known by that host name; use its address, or start it with "
           "--allow-host NAME";
  }
  if (!origin.empty() && !AllowsOrigin(origin, host)) {
    return "Pages of that origin may not use this server; start it with --allow-origin ORIGIN";
  }
  return {};
}

}  // namespace prejoin::server
