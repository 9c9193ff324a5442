#include "draft/infer/key_tokens.h"

#include <algorithm>
#include <cctype>

namespace prejoin::draft {
namespace {

bool Fits(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) {
    return false;
  }
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (form[i] == '0' ? !digit : text[i] != form[i]) {
      return false;
    }
  }
  return true;
}

// The share of the values that this character divides such that a word is in front of it.
double ShareDivided(const std::vector<std::string>& values, char delimiter) {
  std::size_t divided = 0;
  for (const std::string& value : values) {
    const std::size_t at = value.find(delimiter);
    if (at == std::string::npos || at + 1 == value.size()) {
      continue;
    }
    const std::string_view front = std::string_view(value).substr(0, at);
    divided += IsWordToken(front) && TimeForm(value).empty() ? 1 : 0;
  }
  return values.empty() ? 0 : static_cast<double>(divided) / static_cast<double>(values.size());
}

// Returns the end of a date or time that begins the text; 0 if it begins with none. Its colons and hyphens are
// no separators.
std::size_t TimeLength(std::string_view text) {
  if (!Fits(text, "0000-00-00")) {
    return 0;
  }
  if (!Fits(text, "0000-00-00T00:00")) {
    return 10;
  }
  return std::min(text.find_first_not_of("0123456789:.+-TZ"), text.size());
}

}  // namespace

std::vector<KeyToken> SplitKey(std::string_view value, std::string_view delimiters) {
  std::vector<KeyToken> tokens;
  std::size_t begin = 0;
  while (tokens.size() + 1 < kKeyTokensMax) {
    const std::size_t end =
        value.find_first_of(delimiters, begin + TimeLength(value.substr(begin)));
    if (end == std::string_view::npos) {
      break;
    }
    tokens.push_back({std::string(value.substr(begin, end - begin)), std::string(1, value[end])});
    begin = end + 1;
  }
  tokens.push_back({std::string(value.substr(begin)), ""});
  return tokens;
}

std::string ChooseDelimiters(const std::vector<std::string>& values) {
  // These two are chosen for keys and hardly ever part of a value.
  std::string chosen;
  bool often = false;
  for (const char delimiter : {'#', '|'}) {
    std::size_t with = 0;
    for (const std::string& value : values) {
      // A sort key that is only `#` divides nothing.
      with += value.size() > 1 && value.find(delimiter) != std::string::npos ? 1 : 0;
    }
    if (with * 20 >= values.size() && with > 0) {
      chosen += delimiter;
    }
    often = often || with * 3 >= values.size();
  }
  if (often) {
    return chosen;
  }
  for (const char delimiter : {':', '/', '_', '-', '.'}) {
    const bool other_too = delimiter == ':' || delimiter == '/' || chosen.empty();
    if (other_too && ShareDivided(values, delimiter) >= 0.3) {
      return chosen + delimiter;
    }
  }
  return chosen;
}

bool IsWordToken(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isdigit(byte) != 0 || byte == ' ' || byte == '@' || byte >= 0x80;
  });
}

bool IsMarker(std::string_view text) {
  bool letters = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::islower(byte) != 0) {
      return false;
    }
    letters = letters || std::isupper(byte) != 0;
  }
  return text.empty() || (letters && text.size() > 1 && IsWordToken(text));
}

std::string_view TimeForm(std::string_view text) {
  if (!Fits(text, "0000-00-00")) {
    return "";
  }
  if (text.size() == 10) {
    return "date";
  }
  // Times of other zones, or of none, do not sort as times: for a model they are texts.
  return Fits(text, "0000-00-00T00:00") && text.size() <= 35 && text.back() == 'Z' ? "time" : "";
}

std::optional<std::string> KeyText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  return std::nullopt;
}

}  // namespace prejoin::draft
