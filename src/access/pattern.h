// Patterns of policies: `*` stands for any text, `?` for one character, `${aws:username}` for what the request says.
#ifndef PREJOIN_ACCESS_PATTERN_H_
#define PREJOIN_ACCESS_PATTERN_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"

namespace prejoin::access {

enum class LetterCase { kMatters, kIgnored };

// Gives the value of a policy variable, or nullopt if the request has none.
using FindVariable = FunctionRef<std::optional<std::string>(std::string_view name)>;

// A pattern whose variables are filled in. The value of a variable is plain text, whatever characters it has: a user called `*` matches nobody else.
class Pattern {
 public:
  // Nullopt if a variable without a default has no value: the element that uses it then matches nothing. `${*}`, `${?}` and `${$}` are the
  // characters themselves.
  static std::optional<Pattern> Fill(std::string_view text, FindVariable variables);
  // No variables: documents of the version of 2008.
  static Pattern Plain(std::string_view text);

  // The same as Plain(pattern).Matches(text), without making one.
  static bool Matches(std::string_view pattern, std::string_view text, LetterCase letters);

  // In time proportional to text and pattern together, times the pattern's stars at worst.
  bool Matches(std::string_view text, LetterCase letters = LetterCase::kMatters) const;
  // The pattern's pieces between separators, `count` at most; the last has the rest.
  std::vector<Pattern> Split(char separator, std::size_t count) const;
  // Returns true if the text equals the pattern's own text; `*` and `?` are not wildcards here.
  bool Is(std::string_view text) const;
  // The text that the pattern stands for, with `*` and `?` as they are.
  std::string Text() const;

 private:
  enum class Kind : char { kText, kAny, kOne };
  struct Part {
    Kind kind = Kind::kText;
    char character = 0;
  };
  void Append(char character);

  std::vector<Part> parts_;
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_PATTERN_H_
