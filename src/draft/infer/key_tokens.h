// Key values taken apart at their delimiters: "ORG#acme#USER#7" → ORG# acme# USER# 7.
#ifndef PREJOIN_DRAFT_INFER_KEY_TOKENS_H_
#define PREJOIN_DRAFT_INFER_KEY_TOKENS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::draft {

// More parts than these are one part.
inline constexpr std::size_t kKeyTokensMax = 12;

struct KeyToken {
  std::string text;
  std::string delimiter;  // After it; empty for the last.
};

std::vector<KeyToken> SplitKey(std::string_view value, std::string_view delimiters);

// Which characters divide the keys of a table, judged by some of its key values. Empty: none does.
std::string ChooseDelimiters(const std::vector<std::string>& values);

// Letters and signs but no digits: PROFILE, user, $shop, or nothing at all. Only such a part can be
// a literal of a template.
bool IsWordToken(std::string_view text);
// PROFILE, #META, ORDER_ITEM: written to be told from values.
bool IsMarker(std::string_view text);

// "date" for 2024-03-01, "time" for 2024-03-01T10:00:00Z, else "".
std::string_view TimeForm(std::string_view text);

// A key value as the text that templates render; nullopt for other types.
std::optional<std::string> KeyText(const AttributeValue& value);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_KEY_TOKENS_H_
