#include "server/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace prejoin::server {
namespace {

// "[::1]:8000" → "[::1]"; "localhost:8000" → "localhost"; nothing if what follows is no port.
std::optional<std::string_view> WithoutPort(std::string_view host) {
  std::size_t end = host.find(':');
  if (host.starts_with('[')) {
    const std::size_t bracket = host.find(']');
    if (bracket == std::string_view::npos) {
      return std::nullopt;
    }
    end = bracket + 1;
  }
  if (end >= host.size()) {
    return host;
  }
  const std::string_view port = host.substr(end + 1);
  const bool is_port = host[end] == ':' && std::all_of(port.begin(), port.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; });
  return is_port ? std::optional(host.substr(0, end)) : std::nullopt;
}

// In one of the forms that inet_pton knows: "127.0.0.1", "[::1]". No name in DNS looks like that, so nobody can point it anywhere.
bool IsAddress(std::string_view host) {
  in6_addr ignored;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (v6) {
    host = host.substr(1, host.size() - 2);
  }
  if (host.size() >= text.size()) {
    return false;
  }
  std::copy(host.begin(), host.end(), text.begin());
  return inet_pton(v6 ? AF_INET6 : AF_INET, text.data(), &ignored) == 1;
}

bool EndsWith(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         EqualsIgnoreCase(name.substr(name.size() - ending.size()), ending);
}

// Names that no stranger can register and no neighbour can claim: below domains that public DNS will never have, and AWS's own, under which
// some clients reach a local endpoint. Not ".local", which any machine of the network may take (mDNS), nor ".test", which local resolvers serve.
bool IsReservedName(std::string_view name) {
  return EqualsIgnoreCase(name, "localhost") || EndsWith(name, ".localhost") ||
         EndsWith(name, ".internal") ||
         (name.starts_with("dynamodb.") && EndsWith(name, ".amazonaws.com"));
}

// The name of a container: one label.
bool IsLabel(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

bool IsLoopback(std::string_view name) {
  return EqualsIgnoreCase(name, "localhost") || EndsWith(name, ".localhost") || name == "[::1]" ||
         (name.starts_with("127.") && IsAddress(name));
}

bool IsOneOf(std::string_view text, const std::vector<std::string>& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& one) { return EqualsIgnoreCase(one, text); });
}

std::uint64_t NextNumber() {
  static std::atomic<std::uint64_t> numbers = 0;
  return ++numbers;
}

}  // namespace

Guard::Guard(GuardOptions options) : options_(std::move(options)), number_(NextNumber()) {}

bool Guard::KnowsHost(std::string_view host) const {
  if (host.empty()) {
    return true;  // Only programs leave it out; browsers never do.
  }
  const auto name = WithoutPort(host);
  return name &&
         (IsReservedName(*name) || IsAddress(*name) ||
          (options_.container_names && IsLabel(*name)) || IsOneOf(*name, options_.host_names));
}

bool Guard::AllowsOrigin(std::string_view origin, std::string_view host) const {
  const auto at = origin.find("://");
  if (at != std::string_view::npos) {
    const std::string_view authority = origin.substr(at + 3);
    const auto name = WithoutPort(authority);
    if (name && (IsLoopback(*name) || EqualsIgnoreCase(authority, host))) {
      return true;
    }
  }
  return IsOneOf(origin, options_.origins) || IsOneOf("*", options_.origins);
}

std::string_view Guard::Refusal(const HttpRequest& request) const {
  // One pass, because every request comes through here.
  std::string_view host;
  std::string_view origin;
  for (const HeaderField& field : request.fields) {
    if (field.name.size() == 4 && host.empty() && EqualsIgnoreCase(field.name, "host")) {
      host = field.value;
    }
    if (field.name.size() == 6 && origin.empty() && EqualsIgnoreCase(field.name, "origin")) {
      origin = field.value;
    }
  }
  // Most requests of a thread name the host that the one before them named.
  thread_local std::uint64_t last_guard = 0;
  thread_local std::string last_host;
  const bool is_known = last_guard == number_ && last_host == host;
  if (!is_known && !KnowsHost(host)) {
    return "This server is not known by that host name; use its address, or start it with "
           "--allow-host NAME";
  }
  if (!is_known) {
    last_guard = number_;
    last_host = host;
  }
  if (!origin.empty() && !AllowsOrigin(origin, host)) {
    return "Pages of that origin may not use this server; start it with --allow-origin ORIGIN";
  }
  return {};
}

}  // namespace prejoin::server
