#include "model/schema/key_template.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "model/syntax/quoted.h"
#include "model/syntax/spelling.h"

namespace prejoin::model {
namespace {

struct MomentWord {
  std::string_view word;
  int first;
};

// Lengths of 2026, 2026-01, 2026-01-31 and 2026-01-31T12.
constexpr std::array kMomentWords =
    std::to_array<MomentWord>({{"year", 4}, {"month", 7}, {"day", 10}, {"hour", 13}});

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c == ' ') {
      if (!word.empty()) {
        words.push_back(std::move(word));
      }
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) {
    words.push_back(std::move(word));
  }
  return words;
}

// 0 if it is not a number from 1 to `max`.
int SmallNumber(std::string_view text, int max) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 1 && number <= max
             ? number
             : 0;
}

constexpr int kPlacesMax = 38;

// `{score descending}`, `{score descending 9}`
bool ReadDescending(const std::vector<std::string>& words, TemplatePart& part) {
  part.attribute = words[0];
  part.transform = TemplateTransform::kDescending;
  part.argument = words.size() == 3 ? SmallNumber(words[2], kPlacesMax) : 0;
  return words.size() == 2 || part.argument > 0;
}

// `{at day}`, `{geohash first 5}`
bool ReadBeginning(const std::vector<std::string>& words, TemplatePart& part) {
  std::optional<Derivation> derivation;
  if (words.size() == 2) {
    derivation = MomentDerivation(words[1]);
  } else if (words.size() == 3 && words[1] == "first") {
    derivation = FirstDerivation(SmallNumber(words[2], kFirstMax));
  }
  if (!derivation) {
    return false;
  }
  part.attribute = words[0];
  part.transform = TemplateTransform::kFirst;
  part.derivation = *std::move(derivation);
  return true;
}

// Reads the text between braces; false when it makes no sense.
bool ReadPlaceholder(std::string_view inside, TemplatePart& part) {
  constexpr int kShardMax = 10'000;
  const std::vector<std::string> words = SplitWords(inside);
  if (words.size() == 1) {
    part.attribute = words[0];
    return words[0].find_first_of(":(.") == std::string::npos;
  }
  if (words.size() == 2 && (words[1] == "lower" || words[1] == "upper")) {
    part.attribute = words[0];
    part.transform = words[1] == "lower" ? TemplateTransform::kLower : TemplateTransform::kUpper;
    return true;
  }
  if (words.size() == 3 && words[1] == "pad") {
    part.attribute = words[0];
    part.transform = TemplateTransform::kPad;
    part.argument = SmallNumber(words[2], kPlacesMax);
    return part.argument > 0;
  }
  if (words.size() == 4 && words[0] == "shard" && words[2] == "of") {
    part.attribute = words[3];
    part.transform = TemplateTransform::kShard;
    part.argument = SmallNumber(words[1], kShardMax);
    return part.argument > 0;
  }
  if ((words.size() == 2 || words.size() == 3) && words[1] == "descending") {
    return ReadDescending(words, part);
  }
  return ReadBeginning(words, part);
}

// `{id:06d}`, `{Order.id}`, `{id.toLowerCase()}`: formats and methods of other languages; empty: none.
std::string ForeignPlaceholderHint(const std::string& word) {
  const std::size_t end = word.find_first_of(":(.");
  if (end == std::string::npos) {
    return {};
  }
  const std::string name = word.substr(0, end);
  const std::string rest = word.substr(end);
  if (const std::size_t digits = rest.find_first_of("123456789"); digits != std::string::npos) {
    const std::string width = rest.substr(digits, rest.find_first_not_of("0123456789", digits) - digits);
    return "write {" + name + " pad " + width + "}";
  }
  for (const char* fold : {"lower", "Lower", "upper", "Upper"}) {
    if (rest.find(fold) != std::string::npos) {
      return "write {" + name + (fold[0] == 'l' || fold[0] == 'L' ? " lower}" : " upper}");
    }
  }
  const bool path = rest[0] == '.' && rest.find('(') == std::string::npos;
  return path ? "an item has attributes of its own entity: write {" + rest.substr(1) + "}" : "";
}

// Suggests a correction where a placeholder makes no sense.
std::string PlaceholderHint(std::string_view inside) {
  const std::vector<std::string> words = SplitWords(inside);
  if (const std::string hint = words.size() == 1 ? ForeignPlaceholderHint(words[0]) : ""; !hint.empty()) {
    return hint;
  }
  if (words.size() >= 2 && words[1] == "first") {
    return "`first` takes 1 to " + std::to_string(kFirstMax) + " characters: {name first 5}";
  }
  if (words.size() >= 2 && words[1] == "descending") {
    return "`descending` takes 1 to 38 digits: {name descending 6}";
  }
  if (!words.empty() && words.front() == "now") {
    return "a key is made of attributes: declare `at time` and write {at day}";
  }
  return "write {name}, {name pad 6}, {name lower}, {name upper}, {name day}, {name first 5}, "
         "{name descending 6} or "
         "{shard 8 of name}";
}

// 999999 - number, with all six digits. Numbers that WhyNotDescending refuses have none.
std::optional<std::string> Descending(const AttributeValue& value, int digits) {
  if (digits < 1 || !WhyNotDescending(value, digits).empty()) {
    return std::nullopt;
  }
  std::string text = value.number()->ToString();
  text.insert(0, static_cast<std::size_t>(digits) - text.size(), '0');
  for (char& c : text) {
    c = static_cast<char>('0' + '9' - c);
  }
  return text;
}

// `${id}` and `{{id}}` of other languages as ours, in the whole template; empty if the one at `begin` is fine.
std::string WithoutOtherBraces(std::string_view text, std::size_t begin, std::size_t end) {
  const bool dollar = begin > 0 && text[begin - 1] == '$';
  const bool twice = begin + 1 < text.size() && text[begin + 1] == '{';
  if ((!dollar && !twice) || end == std::string_view::npos) {
    return "";
  }
  std::string ours;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool dropped =
        (text[i] == '$' && next == '{') || (text[i] == next && (next == '{' || next == '}'));
    if (!dropped) {
      ours += text[i];
    }
  }
  return ours;
}

std::string Folded(std::string text, bool upper) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    c = static_cast<char>(upper ? std::toupper(byte) : std::tolower(byte));
  }
  return text;
}

std::optional<std::string> PlainText(const AttributeValue& value) {
  if (const auto* text = value.string()) {
    return *text;
  }
  if (const auto* number = value.number()) {
    return number->ToString();
  }
  if (const auto* boolean = value.boolean()) {
    return std::string(*boolean ? "true" : "false");
  }
  return std::nullopt;
}

// "2024-01-05" has the form "0000-00-00".
bool HasForm(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) {
    return false;
  }
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == '0' ? !digit : text[i] != form[i]) {
      return false;
    }
  }
  return true;
}

// The value as the part writes it, whatever its rules say; nullopt for one that has no text.
std::optional<std::string> PartText(const TemplatePart& part, const AttributeValue& value) {
  std::optional<std::string> text = PlainText(value);
  if (!text || text->empty()) {
    return std::nullopt;
  }
  switch (part.transform) {
    case TemplateTransform::kNone:
      return text;
    case TemplateTransform::kLower:
    case TemplateTransform::kUpper:
      return Folded(*std::move(text), part.transform == TemplateTransform::kUpper);
    case TemplateTransform::kPad: {
      const auto width = static_cast<std::size_t>(part.argument);
      if (text->size() < width) {
        text->insert(0, width - text->size(), '0');
      }
      return text;
    }
    case TemplateTransform::kShard:
      return std::to_string(ShardOf(value, part.argument));
    case TemplateTransform::kFirst:
      return BeginningOf(*text, part.derivation);
    case TemplateTransform::kDescending:
      return Descending(value, part.argument);
  }
  return std::nullopt;
}

std::string PartToString(const TemplatePart& part) {
  if (part.is_literal()) {
    return Escaped(part.literal);
  }
  switch (part.transform) {
    case TemplateTransform::kNone:
      return "{" + part.attribute + "}";
    case TemplateTransform::kPad:
      return "{" + part.attribute + " pad " + std::to_string(part.argument) + "}";
    case TemplateTransform::kLower:
      return "{" + part.attribute + " lower}";
    case TemplateTransform::kUpper:
      return "{" + part.attribute + " upper}";
    case TemplateTransform::kShard:
      return "{shard " + std::to_string(part.argument) + " of " + part.attribute + "}";
    case TemplateTransform::kFirst:
      return "{" + part.label() + "}";
    case TemplateTransform::kDescending:
      return "{" + part.attribute + " descending " + std::to_string(part.argument) + "}";
  }
  return {};
}

}  // namespace

std::optional<Derivation> MomentDerivation(std::string_view word) {
  const auto found = std::ranges::find(kMomentWords, word, &MomentWord::word);
  if (found == kMomentWords.end()) {
    return std::nullopt;
  }
  return Derivation{found->first, std::string(word), true};
}

std::optional<Derivation> FirstDerivation(int first) {
  if (first < 1 || first > kFirstMax) {
    return std::nullopt;
  }
  return Derivation{first, "first " + std::to_string(first), false};
}

std::string DerivedName(std::string_view attribute, const Derivation& derivation) {
  return std::string(attribute) + " " + derivation.text;
}

std::string BaseName(std::string_view name) { return std::string(name.substr(0, name.find(' '))); }

std::string BeginningOf(std::string_view text, const Derivation& derivation) {
  int characters = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const bool begins_character = (static_cast<unsigned char>(text[end]) & 0xC0u) != 0x80u;
    if (begins_character && ++characters > derivation.first) {
      break;
    }
    ++end;
  }
  return std::string(text.substr(0, end));
}

std::vector<std::string> KeyTemplate::Attributes() const {
  std::vector<std::string> names;
  for (const TemplatePart& part : parts) {
    if (!part.is_literal() &&
        std::find(names.begin(), names.end(), part.attribute) == names.end()) {
      names.push_back(part.attribute);
    }
  }
  return names;
}

std::vector<std::string> KeyTemplate::Labels() const {
  std::vector<std::string> labels;
  for (const TemplatePart& part : parts) {
    if (!part.is_literal()) {
      labels.push_back(part.label());
    }
  }
  return labels;
}

const TemplatePart* KeyTemplate::Shard() const {
  for (const TemplatePart& part : parts) {
    if (part.transform == TemplateTransform::kShard) {
      return &part;
    }
  }
  return nullptr;
}

std::string KeyTemplate::ToString() const {
  if (natural) {
    return parts.empty() ? "" : parts[0].attribute;
  }
  std::string out = "\"";
  for (const TemplatePart& part : parts) {
    out += PartToString(part);
  }
  return out + "\"";
}

std::string KeyTemplate::LeadingLiteral() const {
  return !parts.empty() && parts[0].is_literal() ? parts[0].literal : "";
}

KeyTemplate ParseKeyTemplate(std::string_view text, const SourceSpan& at,
                             std::vector<Diagnostic>& diagnostics) {
  KeyTemplate key;
  key.at = at;
  const auto report = [&](std::size_t offset, std::string message, Suggestion suggestion) {
    SourceSpan place = at;
    place.column += static_cast<int>(offset) + 1;
    place.length = 1;
    diagnostics.push_back(
        {"PJ002", Severity::kError, place, std::move(message), std::move(suggestion)});
  };
  if (text.empty()) {
    report(0, "a key cannot be empty text", "write a fixed word, such as \"METADATA\"");
  }
  std::size_t i = 0;
  while (i < text.size()) {
    TemplatePart part;
    part.offset = static_cast<int>(i) + 1;
    if (text[i] != '{') {
      const std::size_t end = std::min(text.find('{', i), text.size());
      part.literal = text.substr(i, end - i);
      if (const std::size_t brace = part.literal.find('}'); brace != std::string::npos) {
        report(i + brace, "`}` without `{` in a key template", "write attributes as {name}");
        part.literal.erase(std::remove(part.literal.begin(), part.literal.end(), '}'),
                           part.literal.end());
      }
      i = end;
      if (part.literal.empty()) {
        continue;
      }
      key.parts.push_back(std::move(part));
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string_view::npos) {
      report(i, "`{` is never closed in this key template", "write attributes as {name}");
      break;
    }
    ++part.offset;  // Points at the name after the brace.
    if (const std::string ours = WithoutOtherBraces(text, i, end); !ours.empty()) {
      report(i, "attributes need single braces, without a sign in front of them",
             "write: \"" + ours + "\"");
      return key;
    }
    if (!ReadPlaceholder(text.substr(i + 1, end - i - 1), part)) {
      report(
          i,
          "this is not an attribute of a key template: " + std::string(text.substr(i, end - i + 1)),
          PlaceholderHint(text.substr(i + 1, end - i - 1)));
    } else {
      key.parts.push_back(std::move(part));
    }
    i = end + 1;
  }
  return key;
}

std::string WhyNotDescending(const AttributeValue& value, int digits) {
  if (value.number() == nullptr) {
    return "is no number";
  }
  const std::string text = value.number()->ToString();
  if (text.starts_with('-')) {
    return "is negative, and `descending` counts down from a number of " + std::to_string(digits) +
           " digits";
  }
  if (text.find_first_not_of("0123456789") != std::string::npos) {
    return "is no whole number, and `descending` writes digits only";
  }
  if (text.size() > static_cast<std::size_t>(std::max(0, digits))) {
    return "has more than the " + std::to_string(digits) + " digits of `descending`";
  }
  return {};
}

int ShardOf(const AttributeValue& value, int count) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : PlainText(value).value_or("")) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  }
  return static_cast<int>(hash % static_cast<std::uint64_t>(count));
}

std::string WhyRefused(const TemplatePart& part, const std::string& text) {
  if (text.empty()) {
    return "is empty";
  }
  const std::string with_next = text + part.next;
  std::size_t from = 0;  // The part in front has a form of its own.
  for (const std::string& rule : part.rules) {
    const std::string what = rule.substr(1);
    if (rule[0] == '@') {
      if (!HasForm(text, what)) {
        return "does not begin in the form " + what;
      }
      from = what.size();
    } else if (rule[0] == '^' && with_next.starts_with(what)) {
      return "begins with \"" + what + "\", as keys of other items do";
    } else if (rule[0] == '=' && with_next == what) {
      return "makes \"" + what + "\", which is the key of other items";
    } else if (rule[0] == '<' && what.starts_with(with_next)) {
      return "could continue as \"" + what + "\", which keys of other items are";
    } else if (rule[0] == '*' && with_next.find(what, from) < text.size()) {
      return "contains \"" + what + "\", which ends it";
    }
  }
  return {};
}

std::optional<std::string> RenderPart(const TemplatePart& part, const AttributeValue& value) {
  std::optional<std::string> text = PartText(part, value);
  if (text && !part.rules.empty() && !WhyRefused(part, *text).empty()) {
    return std::nullopt;
  }
  return text;
}

std::string WhyNoKey(const KeyTemplate& key, const AttributeLookup& lookup) {
  for (const TemplatePart& part : key.parts) {
    const AttributeValue* value = part.is_literal() ? nullptr : lookup(part.attribute);
    const auto text = value != nullptr ? PartText(part, *value) : std::nullopt;
    std::string why = text ? WhyRefused(part, *text) : "";
    if (value != nullptr && part.transform == TemplateTransform::kDescending) {
      why = WhyNotDescending(*value, part.argument);
    }
    if (!why.empty()) {
      return part.attribute + " " + why;
    }
  }
  return {};
}

std::optional<AttributeValue> RenderKey(const KeyTemplate& key, const AttributeLookup& lookup) {
  if (key.natural) {
    const AttributeValue* value = key.parts.empty() ? nullptr : lookup(key.parts[0].attribute);
    return value != nullptr ? std::optional<AttributeValue>(*value) : std::nullopt;
  }
  std::string out;
  for (const TemplatePart& part : key.parts) {
    if (part.is_literal()) {
      out += part.literal;
      continue;
    }
    const AttributeValue* value = lookup(part.attribute);
    if (value == nullptr) {
      return std::nullopt;
    }
    const std::optional<std::string> text = RenderPart(part, *value);
    if (!text) {
      return std::nullopt;
    }
    out += *text;
  }
  return AttributeValue(std::move(out));
}

std::optional<std::map<std::string, std::string>> ReadKey(const KeyTemplate& key,
                                                          std::string_view text) {
  std::map<std::string, std::string> found;
  std::size_t i = 0;
  for (std::size_t p = 0; p < key.parts.size(); ++p) {
    const TemplatePart& part = key.parts[p];
    if (part.is_literal()) {
      if (text.substr(i, part.literal.size()) != part.literal) {
        return std::nullopt;
      }
      i += part.literal.size();
      continue;
    }
    std::size_t end = text.size();
    if (p + 1 < key.parts.size() && key.parts[p + 1].is_literal()) {
      end = text.find(key.parts[p + 1].literal, i);
      if (end == std::string_view::npos) {
        return std::nullopt;
      }
    }
    if (end == i) {
      return std::nullopt;
    }
    std::string value(text.substr(i, end - i));
    if (part.transform == TemplateTransform::kPad) {
      value.erase(0, std::min(value.find_first_not_of('0'), value.size() - 1));
    }
    if (part.transform != TemplateTransform::kShard &&
        part.transform != TemplateTransform::kDescending) {
      found[part.label()] = std::move(value);
    }
    i = end;
  }
  if (i != text.size()) {
    return std::nullopt;
  }
  return found;
}

}  // namespace prejoin::model
