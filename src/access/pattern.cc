#include "access/pattern.h"

#include <absl/strings/ascii.h>

#include <algorithm>

namespace prejoin::access {
namespace {

// "name" or "name, 'default'".
struct Variable {
  std::string_view name;
  std::optional<std::string_view> otherwise;
};

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Variable ReadVariable(std::string_view text) {
  const std::size_t comma = text.find(',');
  Variable variable{.name = Trimmed(text.substr(0, comma))};
  if (comma != std::string_view::npos) {
    const std::string_view rest = Trimmed(text.substr(comma + 1));
    if (rest.size() >= 2 && rest.front() == '\'' && rest.back() == '\'') {
      variable.otherwise = rest.substr(1, rest.size() - 2);
    }
  }
  return variable;
}

bool IsSame(char a, char b, LetterCase letters) {
  return a == b || (letters == LetterCase::kIgnored &&
                    absl::ascii_tolower(static_cast<unsigned char>(a)) ==
                        absl::ascii_tolower(static_cast<unsigned char>(b)));
}

// The usual walk with one mark: after a mismatch, the last star takes one character more. Earlier stars need not be tried again, because the last
// one can take whatever they could give.
template <class IsAny, class Fits>
bool Walk(std::size_t parts, std::string_view text, IsAny is_any, Fits fits) {
  std::size_t at = 0;
  std::size_t part = 0;
  std::optional<std::size_t> star;
  std::size_t star_at = 0;
  while (at < text.size()) {
    if (part < parts && is_any(part)) {
      star = part++;
      star_at = at;
    } else if (part < parts && fits(part, text[at])) {
      ++part;
      ++at;
    } else if (star) {
      part = *star + 1;
      at = ++star_at;
    } else {
      return false;
    }
  }
  while (part < parts && is_any(part)) {
    ++part;
  }
  return part == parts;
}

}  // namespace

void Pattern::Append(char character) {
  switch (character) {
    case '*':
      // Two stars match the same as one, and one is faster.
      if (parts_.empty() || parts_.back().kind != Kind::kAny) {
        parts_.push_back({.kind = Kind::kAny, .character = '*'});
      }
      break;
    case '?':
      parts_.push_back({.kind = Kind::kOne, .character = '?'});
      break;
    default:
      parts_.push_back({.character = character});
  }
}

Pattern Pattern::Plain(std::string_view text) {
  Pattern pattern;
  pattern.parts_.reserve(text.size());
  for (const char character : text) {
    pattern.Append(character);
  }
  return pattern;
}

std::optional<Pattern> Pattern::Fill(std::string_view text, FindVariable variables) {
  Pattern pattern;
  pattern.parts_.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.substr(i, 2) == "${" ? text.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      pattern.Append(text[i]);
      continue;
    }
    const Variable variable = ReadVariable(text.substr(i + 2, end - i - 2));
    i = end;
    std::string value;
    if (variable.name == "*" || variable.name == "?" || variable.name == "$") {
      value = variable.name;
    } else if (auto found = variables(variable.name)) {
      value = *std::move(found);
    } else if (variable.otherwise) {
      value = *variable.otherwise;
    } else {
      return std::nullopt;
    }
    for (const char character : value) {
      pattern.parts_.push_back({.character = character});
    }
  }
  return pattern;
}

bool Pattern::Matches(std::string_view text, LetterCase letters) const {
  return Walk(
      parts_.size(), text, [this](std::size_t part) { return parts_[part].kind == Kind::kAny; },
      [&](std::size_t part, char character) {
        return parts_[part].kind == Kind::kOne ||
               IsSame(parts_[part].character, character, letters);
      });
}

bool Pattern::Matches(std::string_view pattern, std::string_view text, LetterCase letters) {
  return Walk(
      pattern.size(), text, [&](std::size_t part) { return pattern[part] == '*'; },
      [&](std::size_t part, char character) {
        return pattern[part] == '?' || IsSame(pattern[part], character, letters);
      });
}

bool Pattern::Is(std::string_view text) const {
  return std::ranges::equal(parts_, text, {}, &Part::character);
}

std::vector<Pattern> Pattern::Split(char separator, std::size_t count) const {
  std::vector<Pattern> pieces(1);
  for (const Part& part : parts_) {
    if (part.kind == Kind::kText && part.character == separator && pieces.size() < count) {
      pieces.emplace_back();
    } else {
      pieces.back().parts_.push_back(part);
    }
  }
  return pieces;
}

std::string Pattern::Text() const {
  std::string text;
  for (const Part& part : parts_) {
    text.push_back(part.character);
  }
  return text;
}

}  // namespace prejoin::access
