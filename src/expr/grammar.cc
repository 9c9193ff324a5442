#include "expr/grammar.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/limits.h"
#include "expr/reserved_words.h"
#include "value/encoding.h"

namespace prejoin::expr {
namespace {

constexpr std::uint32_t kListIndexMax = std::numeric_limits<std::int32_t>::max();

enum class Relation { kApart, kOverlap, kConflict };

Relation Relate(const Path& a, const Path& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  if (in_a == a.end() || in_b == b.end()) {
    return Relation::kOverlap;
  }
  return in_a->step.index() == in_b->step.index() ? Relation::kApart : Relation::kConflict;
}

// In this order a path is next to the paths it overlaps or conflicts with, so neighbours are
// enough to look at.
bool AllApart(std::vector<const Path*> paths) {
  std::ranges::sort(paths, [](const Path* a, const Path* b) { return PathLess(*a, *b); });
  return std::ranges::adjacent_find(paths, [](const Path* a, const Path* b) {
           return Relate(*a, *b) != Relation::kApart;
         }) == paths.end();
}

}  // namespace

Status Grammar::CheckText(std::string_view kind, std::string_view text) {
  std::string message = "Invalid ";
  message += kind;
  if (text.size() > kExpressionBytesMax) {
    message += ": Expression size has exceeded the maximum allowed size;";
    // Only an update's text ends here (captured on AWS, October 2026).
    return ValidationError(kind == "UpdateExpression"
                               ? message
                               : message + " expression size: " + std::to_string(text.size()));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return ValidationError(message + ": The expression can not be empty;");
  }
  return {};
}

Error Grammar::Refusal() const {
  std::string message = "Invalid ";
  message += kind_;
  message += ": ";
  message += failed_ ? error_ : faults_.Worst();
  return ValidationError(std::move(message));
}

bool Grammar::FailSyntax() {
  failed_ = true;
  error_ = lexer_.DescribeSyntaxError();
  return false;
}

bool Grammar::Expect(TokenKind kind) {
  if (!lexer_.Is(kind)) {
    return FailSyntax();
  }
  lexer_.Advance();
  return true;
}

bool Grammar::EnterLevel() {
  if (++depth_ <= kExpressionOperatorsMax) {
    return true;
  }
  // Each level that is not redundant has an operator or a function, and there may be no more of
  // them than this: if the count is not at fault, parentheses are.
  if (operators_ <= kExpressionOperatorsMax) {
    faults_.Add(FaultKind::kRedundantParentheses, RedundantParentheses());
  }
  return false;
}

void Grammar::CountOperator() {
  if (++operators_ > kExpressionOperatorsMax) {
    faults_.Add(FaultKind::kOperatorCount, TooManyOperators());
  }
}

bool Grammar::ReadPath(Path& path) { return ReadPathName(path) && ReadPathSteps(path); }

void Grammar::CheckPathDepth(const Path& path) {
  if (path.size() > kNestingDepthMax) {
    faults_.Add(FaultKind::kDocumentPath, PathTooDeep(path.size()));
  }
}

bool Grammar::ReadPathSteps(Path& path) {
  while (true) {
    if (lexer_.Is(TokenKind::kDot)) {
      lexer_.Advance();
      if (!ReadPathName(path)) {
        return false;
      }
    } else if (lexer_.Is(TokenKind::kOpenBracket)) {
      lexer_.Advance();
      if (!ReadListIndex(path)) {
        return false;
      }
    } else {
      CheckPathDepth(path);
      return true;
    }
  }
}

bool Grammar::ReadPathName(Path& path) {
  const std::string_view text = lexer_.current().text;
  if (lexer_.Is(TokenKind::kIdentifier)) {
    if (IsReservedWord(text)) {
      faults_.Add(FaultKind::kReservedWord, ReservedKeyword(text));
    }
    path.push_back({std::string(text)});
  } else if (lexer_.Is(TokenKind::kName)) {
    const std::string* name = placeholders_.UseName(text);
    if (name == nullptr) {
      faults_.Add(FaultKind::kUndefinedPlaceholder, UndefinedName(text));
    }
    path.push_back({name == nullptr ? std::string(text) : *name});
  } else {
    return FailSyntax();
  }
  lexer_.Advance();
  return true;
}

bool Grammar::ReadListIndex(Path& path) {
  if (!lexer_.Is(TokenKind::kInteger)) {
    return FailSyntax();
  }
  const std::string_view text = lexer_.current().text;
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || index > kListIndexMax) {
    faults_.Add(FaultKind::kDocumentPath, ListIndexOutOfRange(text));
  }
  path.push_back({index});
  lexer_.Advance();
  return Expect(TokenKind::kCloseBracket);
}

void Grammar::ReadValue(Literal& literal) {
  const std::string_view text = lexer_.current().text;
  literal = {std::string(text), placeholders_.UseValue(text)};
  if (!literal.defined()) {
    faults_.Add(FaultKind::kUndefinedPlaceholder, UndefinedValue(text));
  }
  lexer_.Advance();
}

bool PathLess(const Path& a, const Path& b) {
  return std::ranges::lexicographical_compare(
      a, b, [](const PathStep& x, const PathStep& y) { return x.step < y.step; });
}

void CheckPathsApart(const std::vector<const Path*>& paths, Faults& faults) {
  if (paths.size() < 2 || AllApart(paths)) {
    return;
  }
  for (std::size_t second = 1; second < paths.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      switch (Relate(*paths[first], *paths[second])) {
        case Relation::kApart:
          break;
        case Relation::kOverlap:
          return faults.Add(FaultKind::kPathOverlap, PathsOverlap(*paths[first], *paths[second]));
        case Relation::kConflict:
          faults.Add(FaultKind::kPathConflict, PathsConflict(*paths[first], *paths[second]));
          break;
      }
    }
  }
}

}  // namespace prejoin::expr
