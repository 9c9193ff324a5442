#include "server/http/http.h"

#include <algorithm>

namespace prejoin::server {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

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
  // Most letters are the same as they stand.
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return x == y || Lower(x) == Lower(y);
         });
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
