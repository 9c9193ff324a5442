#include "auth/canonical.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace prejoin::auth {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

void AppendEncoded(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return -1;
}

// The part of `text` up to the separator; takes both away.
std::string_view TakePart(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

char LowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// `lower` has small letters only.
bool IsNamed(std::string_view name, std::string_view lower) {
  // The last letter tells most names of one length apart.
  return name.size() == lower.size() && !name.empty() && LowerLetter(name.back()) == lower.back() &&
         std::equal(name.begin(), name.end(), lower.begin(),
                    [](char a, char b) { return LowerLetter(a) == b; });
}

void AppendTrimmed(std::string_view value, std::string& out) {
  // Nearly every value is in order as it is, and every request comes through here.
  if (value.empty() ||
      (value.front() > ' ' && value.back() > ' ' && value.find("  ") == std::string_view::npos &&
       value.find('\t') == std::string_view::npos)) {
    out += value;
    return;
  }
  const std::size_t begin = out.size();
  for (const char c : value) {
    const bool is_space = c == ' ' || c == '\t';
    if (is_space && (out.size() == begin || out.back() == ' ')) {
      continue;
    }
    out += is_space ? ' ' : c;
  }
  if (out.size() > begin && out.back() == ' ') {
    out.pop_back();
  }
}

}  // namespace

std::string PercentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string CanonicalPath(std::string_view path) {
  if (path.empty() || path == "/") {
    return "/";
  }
  std::vector<std::string_view> kept;
  const bool ends_in_slash = path.back() == '/' || path.ends_with("/.") || path.ends_with("/..");
  while (!path.empty()) {
    const std::string_view segment = TakePart(path, '/');
    if (segment.empty() || segment == ".") {
      continue;
    }
    if (segment == "..") {
      if (!kept.empty()) {
        kept.pop_back();
      }
    } else {
      kept.push_back(segment);
    }
  }
  std::string out;
  for (const std::string_view segment : kept) {
    out += '/';
    AppendEncoded(segment, out);
  }
  if (out.empty() || ends_in_slash) {
    out += '/';
  }
  return out;
}

std::string CanonicalQuery(std::string_view query, std::string_view left_out) {
  if (query.empty()) {
    return {};
  }
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    std::string_view value = TakePart(query, '&');
    if (value.empty()) {
      continue;
    }
    const std::string name = PercentDecode(TakePart(value, '='));
    if (!left_out.empty() && name == left_out) {
      continue;
    }
    auto& [encoded_name, encoded_value] = parameters.emplace_back();
    AppendEncoded(name, encoded_name);
    AppendEncoded(PercentDecode(value), encoded_value);
  }
  std::sort(parameters.begin(), parameters.end());
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) {
      out += '&';
    }
    out.append(name).append("=").append(value);
  }
  return out;
}

void AppendCanonicalHeaders(std::string_view signed_headers, std::span<const HeaderField> headers,
                            std::string& out) {
  while (!signed_headers.empty()) {
    const std::string_view name = TakePart(signed_headers, ';');
    out.append(name).append(":");
    bool is_first = true;
    for (const HeaderField& field : headers) {
      if (!IsNamed(field.name, name)) {
        continue;
      }
      if (!is_first) {
        out += ',';
      }
      is_first = false;
      AppendTrimmed(field.value, out);
    }
    out += '\n';
  }
}

bool ListHas(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    if (TakePart(list, ';') == name) {
      return true;
    }
  }
  return false;
}

}  // namespace prejoin::auth
