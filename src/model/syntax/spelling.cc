#include "model/syntax/spelling.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "model/syntax/words.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kComparedBytesMax = 64;
constexpr std::size_t kListedNamesMax = 8;
constexpr std::size_t kOfferedNamesMax = 3;

// Letters to change, add or drop, with case ignored.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const std::size_t changed = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string KnownNames(const std::vector<std::string>& known) {
  if (known.empty()) {
    return "none are declared yet";
  }
  std::string list;
  for (std::size_t i = 0; i < known.size() && i < kListedNamesMax; ++i) {
    if (i > 0) {
      list += ", ";
    }
    list += known[i];
  }
  if (known.size() > kListedNamesMax) {
    list += ", …";
  }
  return "known: " + list;
}

Fix Meant(const SourceSpan& at, std::string_view name, std::string_view near) {
  Fix fix = ReplaceAt(at, name, near, Applicability::kSafe);
  fix.text = "did you mean `" + std::string(near) + "`?";
  return fix;
}

std::string SayWhereItBelongs(std::string_view name) {
  const Word* word = FindWord(name);
  if (word == nullptr) {
    return "it is not allowed here: remove it, or put it on a line of its own";
  }
  return "it is not allowed here. " + std::string(word->help) +
         (word->example.empty() ? "" : " Example: " + std::string(word->example));
}

}  // namespace

std::string NearestName(std::string_view name, const std::vector<std::string>& known) {
  name = name.substr(0, kComparedBytesMax);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance =
        EditDistance(name, std::string_view(candidate).substr(0, kComparedBytesMax));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string SpellingHint(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = NearestName(name, known);
  return near.empty() ? KnownNames(known) : "did you mean `" + near + "`?";
}

Suggestion RespellingOf(const SourceSpan& at, std::string_view name,
                        const std::vector<std::string>& known) {
  if (name.empty()) {
    return SpellingHint(name, known);
  }
  // The word itself is known, but not here: no other spelling helps.
  if (std::ranges::find(known, name) != known.end()) {
    return SayWhereItBelongs(name);
  }
  if (const std::string near = NearestName(name, known); !near.empty()) {
    return Meant(at, name, near);
  }
  Suggestion suggestion = KnownNames(known);
  const std::string_view compared = name.substr(0, kComparedBytesMax);
  std::vector<std::pair<std::size_t, const std::string*>> alike;  // By distance.
  for (const std::string& one : known) {
    // Some callers list a form, such as `PK = "…"`, among the words.
    if (one.find(' ') == std::string::npos) {
      alike.emplace_back(EditDistance(compared, std::string_view(one).substr(0, kComparedBytesMax)),
                         &one);
    }
  }
  const std::size_t offered = std::min(alike.size(), kOfferedNamesMax);
  std::ranges::stable_sort(alike, {}, &std::pair<std::size_t, const std::string*>::first);
  for (std::size_t i = 0; i < offered; ++i) {
    suggestion.fixes.push_back(ReplaceAt(at, name, *alike[i].second, Applicability::kDisplayOnly));
  }
  return suggestion;
}

Suggestion RespellingOf(const Token& token, const std::vector<std::string>& known) {
  return RespellingOf(token.at, token.kind == TokenKind::kWord ? token.text : "", known);
}

Suggestion MeantBy(const Token& token, std::string_view ours) {
  return Meant(token.at, token.raw, ours);
}

}  // namespace prejoin::model
