#include "server/http/http.h"

#include <algorithm>
#include <cstdint>

#include "base/byte_block.h"

namespace prejoin::server {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Compares eight characters. Those that are not equal must differ in the bit of the case alone, and be
// letters: of `letters`, a byte has its high bit set if its character is one.
bool IsSameInAnyCase(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = kOnes * 0x80;
  constexpr std::uint64_t kCaseBits = kOnes * 0x20;
  const std::uint64_t differences = a ^ b;
  if ((differences & ~kCaseBits) != 0) {
    return false;
  }
  const std::uint64_t lower = (a | kCaseBits) & ~kHighBits;
  const std::uint64_t letters =
      (lower + kOnes * (0x80 - 'a')) & ~(lower + kOnes * (0x80 - 'z' - 1)) & ~a & kHighBits;
  return ((differences << 2) & ~letters) == 0;  // From the bit of the case to the high bit.
}

// "0", "0.", "0.0" … are no; anything else is yes.
bool WeightIsZero(std::string_view parameters) {
  const auto at = parameters.find("q=");
  if (at == std::string_view::npos) {
    return false;
  }
  const std::string_view weight = Trim(parameters.substr(at + 2));
  return !weight.empty() && weight.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

std::string_view MethodName(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kHead:
      return "HEAD";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kDelete:
      return "DELETE";
    case Method::kOptions:
      return "OPTIONS";
    case Method::kOther:
      break;
  }
  return "PATCH";
}

std::string_view Trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  const std::size_t size = a.size();
  if (size != b.size()) {
    return false;
  }
  if (size < sizeof(std::uint64_t)) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [](char x, char y) { return x == y || Lower(x) == Lower(y); });
  }
  const auto is_same = [&](std::size_t at) {
    return IsSameInAnyCase(LoadBytes<std::uint64_t>(a.data() + at),
                           LoadBytes<std::uint64_t>(b.data() + at));
  };
  // The last word overlaps the one before.
  const std::size_t last = size - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < last; at += sizeof(std::uint64_t)) {
    if (!is_same(at)) {
      return false;
    }
  }
  return is_same(last);
}

std::string_view HttpRequest::query() const {
  const auto at = target.find('?');
  return at == std::string_view::npos ? std::string_view() : target.substr(at + 1);
}

std::string_view HttpRequest::Header(std::string_view name) const {
  for (const HeaderField& field : fields) {
    if (field.name.size() == name.size() && EqualsIgnoreCase(field.name, name)) {
      return field.value;
    }
  }
  return {};
}

void HttpResponse::AddHeader(std::string_view name, std::string_view value) {
  headers.append(name).append(": ").append(value).append("\r\n");
}

bool ListAccepts(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string_view element = list.substr(0, comma);
    const auto semicolon = element.find(';');
    if (EqualsIgnoreCase(Trim(element.substr(0, semicolon)), token)) {
      return semicolon == std::string_view::npos || !WeightIsZero(element.substr(semicolon + 1));
    }
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return false;
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Request Entity Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

}  // namespace prejoin::server
