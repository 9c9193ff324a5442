#include "draft/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>

namespace prejoin::draft {
namespace {

bool IsLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80);
}
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// Words end at anything but a letter or digit, and before a capital after a small letter. A text
// without small letters is one case, so its words become small but for the first letter.
std::string Joined(std::string_view text, bool first_upper) {
  const bool has_lower =
      std::any_of(text.begin(), text.end(), [](char c) { return IsLetter(c) && !IsUpper(c); });
  std::string out;
  bool start = true;
  for (const char c : text) {
    if (!IsLetter(c) && !IsDigit(c)) {
      start = true;
      continue;
    }
    const char small = has_lower && !out.empty() ? c : Lower(c);
    out += start && (first_upper || !out.empty()) ? Upper(c) : small;
    start = false;
  }
  if (out.empty()) {
    out = first_upper ? "Thing" : "value";
  }
  if (IsDigit(out[0])) {
    out.insert(0, first_upper ? "E" : "v");
  }
  return out;
}

struct Irregular {
  std::string_view one;
  std::string_view many;
};
constexpr std::array<Irregular, 6> kIrregular = {{{"person", "people"},
                                                  {"child", "children"},
                                                  {"woman", "women"},
                                                  {"man", "men"},
                                                  {"mouse", "mice"},
                                                  {"foot", "feet"}}};

// The name with another end, if `end` is its last word: "SalesPerson" and "sales person", not "human".
std::optional<std::string> WithEnd(const std::string& name, std::string_view end,
                                   std::string_view instead) {
  if (!Lowered(name).ends_with(end)) {
    return std::nullopt;
  }
  const std::size_t at = name.size() - end.size();
  if (at > 0 && IsLetter(name[at - 1]) && !IsUpper(name[at])) {
    return std::nullopt;
  }
  return name.substr(0, at + 1) + std::string(instead.substr(1));
}

bool EndsWithAny(const std::string& text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return text.ends_with(end); });
}

}  // namespace

std::string Plural(const std::string& name) {
  for (const Irregular& word : kIrregular) {
    if (auto plural = WithEnd(name, word.one, word.many)) {
      return *std::move(plural);
    }
  }
  const std::string lower = Lowered(name);
  const bool vowel = lower.size() > 1 && std::string_view("aeiou").find(lower[lower.size() - 2]) !=
                                             std::string_view::npos;
  if (lower.ends_with("y") && !vowel) {
    return name.substr(0, name.size() - 1) + "ies";
  }
  return name + (EndsWithAny(lower, {"s", "x", "ch", "sh"}) ? "es" : "s");
}

std::string Singular(const std::string& name) {
  for (const Irregular& word : kIrregular) {
    if (auto singular = WithEnd(name, word.many, word.one)) {
      return *std::move(singular);
    }
  }
  const std::string lower = Lowered(name);
  if (EndsWithAny(lower, {"ss", "us", "is", "news", "series", "species"})) {
    return name;
  }
  if (lower.ends_with("ies") && lower.size() > 4) {
    return name.substr(0, name.size() - 3) + "y";
  }
  if (EndsWithAny(lower, {"ches", "shes", "xes", "sses"})) {
    return name.substr(0, name.size() - 2);
  }
  return lower.ends_with("s") && lower.size() > 3 ? name.substr(0, name.size() - 1) : name;
}

std::string Lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), Lower);
  return out;
}

std::string Capitalised(std::string_view text) {
  std::string out(text);
  if (!out.empty()) {
    out[0] = Upper(out[0]);
  }
  return out;
}

std::string Uppered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), Upper);
  return out;
}

bool IsName(std::string_view text) {
  if (text.empty() || !(IsLetter(text[0]) || text[0] == '_') || text.back() == '-') {
    return false;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-' && text[i - 1] == '-') {
      return false;
    }
    if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '-') {
      return false;
    }
  }
  return true;
}

std::string ToName(std::string_view text) {
  if (IsName(text)) {
    return std::string(text);
  }
  std::string out;
  for (const char c : text) {
    out += IsLetter(c) || IsDigit(c) || c == '_' ? c : '_';
  }
  if (out.empty()) {
    out = "unnamed";
  }
  if (IsDigit(out[0])) {
    out.insert(0, "_");
  }
  return out;
}

std::string ToEntityName(std::string_view text) { return Joined(text, true); }
std::string ToAttributeName(std::string_view text) { return Joined(text, false); }

std::string UniqueName(std::string name, std::set<std::string>& taken) {
  if (taken.insert(name).second) {
    return name;
  }
  for (int number = 2;; ++number) {
    std::string next = name + std::to_string(number);
    if (taken.insert(next).second) {
      return next;
    }
  }
}

bool IsGenericKeyName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_' && c != '-') {
      plain += Lower(c);
    }
  }
  // gsi1pk, lsi2sk, gs1pk, gsi1partitionkey
  for (const std::string_view prefix : {"gsi", "lsi", "gs", "ls", "idx", "index"}) {
    if (plain.starts_with(prefix)) {
      std::size_t digits = prefix.size();
      while (digits < plain.size() && IsDigit(plain[digits])) {
        ++digits;
      }
      if (digits > prefix.size()) {
        plain.erase(0, digits);
        break;
      }
    }
  }
  while (!plain.empty() && IsDigit(plain.back())) {
    plain.pop_back();
  }
  static constexpr std::array<std::string_view, 15> kGeneric = {
      "pk",        "sk",   "partitionkey", "sortkey", "hashkey",    "rangekey", "hash", "range",
      "partition", "sort", "data",         "key",     "primarykey", "pkey",     "skey"};
  return plain.empty() || std::find(kGeneric.begin(), kGeneric.end(), plain) != kGeneric.end();
}

}  // namespace prejoin::draft
