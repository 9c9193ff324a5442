#include "access/query_form.h"

#include <absl/strings/str_replace.h>

#include <cstddef>

namespace prejoin::access {
namespace {

constexpr std::size_t kParametersMax = 200;

int HexOf(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string FormDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexOf(text[i + 1]) >= 0 &&
        HexOf(text[i + 2]) >= 0) {
      out += static_cast<char>(HexOf(text[i + 1]) * 16 + HexOf(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string Escaped(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"<", "&lt;"}, {">", "&gt;"}, {"&", "&amp;"}});
}

}  // namespace

Result<Parameters> ParseForm(std::string_view form) {
  Parameters parameters;
  while (!form.empty()) {
    const auto end = form.find('&');
    const std::string_view element = form.substr(0, end);
    const auto equals = element.find('=');
    const auto [added, is_new] = parameters.try_emplace(
        FormDecode(element.substr(0, equals)),
        equals == std::string_view::npos ? "" : FormDecode(element.substr(equals + 1)));
    if (!is_new || parameters.size() > kParametersMax) {
      return Error{ErrorCode::kValidation,
                   is_new ? "The request has more than 200 parameters."
                          : "The request has the parameter " + added->first + " twice."};
    }
    form = end == std::string_view::npos ? std::string_view() : form.substr(end + 1);
  }
  return parameters;
}

std::string Element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + Escaped(text) + "</" + std::string(name) + ">";
}

std::string Around(std::string_view name, std::string_view xml) {
  return "<" + std::string(name) + ">" + std::string(xml) + "</" + std::string(name) + ">";
}

}  // namespace prejoin::access
