#include "engine/table/tag_checks.h"

#include <clocale>
#include <cwchar>
#include <cwctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/limits.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kTagKeyCharactersMax = 128;
constexpr std::size_t kTagValueCharactersMax = 256;

// The letters and digits of all scripts, as the C library has them in Unicode.
bool IsLetterOrDigit(wint_t character) {
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return unicode == nullptr ? character > 0x7F || std::iswalnum(character) != 0
                            : iswalnum_l(character, unicode) != 0;
}

// Counts the characters of the text; nullopt if one of them is not allowed in a tag. The text is UTF-8.
std::optional<std::size_t> CountTagCharacters(std::string_view text) {
  constexpr std::wstring_view kOthers = L" +-=._:/@";
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() - at < bytes) {
      return std::nullopt;
    }
    wint_t character = bytes == 1 ? lead : lead & (0xFFu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
      character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
    }
    if (!IsLetterOrDigit(character) &&
        kOthers.find(static_cast<wchar_t>(character)) == std::wstring_view::npos) {
      return std::nullopt;
    }
    at += bytes;
  }
  return count;
}

}  // namespace

Status CheckTags(const std::vector<Tag>& tags) {
  std::set<std::string_view> keys;
  for (const Tag& tag : tags) {
    const auto key_characters = CountTagCharacters(tag.key);
    if (!key_characters || *key_characters == 0 || *key_characters > kTagKeyCharactersMax) {
      return ValidationError("The Tag Key provided is invalid, Key: " + tag.key);
    }
    if (tag.key.starts_with("aws:")) {
      return ValidationError("Tag Key cannot be prefixed with aws:, Key: " + tag.key);
    }
    const auto value_characters = CountTagCharacters(tag.value);
    if (!value_characters || *value_characters > kTagValueCharactersMax) {
      return ValidationError("The Tag Value provided is invalid, Value: " + tag.value);
    }
    // More keys than a resource may have are refused for their number.
    if (keys.size() <= kTagsMax && !keys.insert(tag.key).second) {
      return ValidationError("Duplicate Tag Keys provided as input: Duplicate Tag Key found " +
                             tag.key);
    }
  }
  return {};
}

Status CheckTagCount(std::size_t count) {
  return count <= kTagsMax
             ? Status()
             : Status(ValidationError(
                   "Number of Tags exceed the current limit for the provided ResourceArn"));
}

}  // namespace prejoin::engine
