// Closed lists of values with their shares, and what is derived from a value:
//
//   status one of "OPEN" 3%, "DONE"        kind text(~4) values ("BOOK", "GAME")
//   at time day distinct 90                geohash text(9) first 5 distinct 2_000
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

// The shares of a list of values, which those without one divide evenly.
void FillShares(TokenCursor& cursor, const SourceSpan& at,
                std::vector<std::optional<double>> stated, Attribute& attribute) {
  constexpr double kRounding = 5e-4;
  double sum = 0;
  std::size_t open = 0;
  for (const std::optional<double>& share : stated) {
    sum += share.value_or(0);
    open += share ? 0 : 1;
  }
  if (open == stated.size() || cursor.failed()) {
    return;
  }
  const bool whole = std::abs(sum - 1) <= kRounding;
  if (sum > 1 + kRounding || (open == 0 && !whole) || (open > 0 && whole)) {
    cursor.FailAt(
        at,
        "the shares of `" + attribute.name.text + "` make " +
            PlainFigure(std::round(sum * 1e4) / 100) + "%" +
            (open > 0 && whole ? ", which leaves nothing for the other values" : ""),
        open > 0 && whole ? "give every value a share" : "all of them together make 100%");
    return;
  }
  for (const std::optional<double>& share : stated) {
    attribute.shares.push_back(share ? *share : (1 - sum) / static_cast<double>(open));
  }
}

}  // namespace

// `"OPEN" 3%, "DONE" 97%`
void ReadValueList(TokenCursor& cursor, Attribute& attribute) {
  const SourceSpan at = cursor.Peek().at;
  std::vector<std::optional<double>> shares;
  if (!attribute.values.empty()) {
    cursor.Fail("`" + attribute.name.text + "` has a list of values already", "write one list");
    return;
  }
  while (true) {
    const SourceSpan value_at = cursor.Peek().at;
    auto value = cursor.ExpectValue();
    if (!value) {
      return;
    }
    const bool twice = std::ranges::find(attribute.values, *value) != attribute.values.end();
    attribute.values.push_back(*std::move(value));
    shares.push_back(cursor.PeekShare() || cursor.Peek().IsSymbol("~")
                         ? cursor.ExpectShare("the share of the rows that have it")
                         : std::nullopt);
    if (twice && shares.back()) {
      cursor.FailAt(value_at, "this value is in the list twice", "add its shares up");
      return;
    }
    // After the last value of a member of a map, the comma leads to the next member.
    const Token& behind = cursor.PeekSecond();
    const bool goes_on =
        behind.kind != TokenKind::kWord || behind.IsWord("true") || behind.IsWord("false");
    if (!cursor.Peek().IsSymbol(",") || !goes_on) {
      break;
    }
    cursor.Take();
  }
  FillShares(cursor, at, std::move(shares), attribute);
}

void ReadValues(TokenCursor& cursor, Attribute& attribute) {
  if (!cursor.ExpectSymbol("(")) {
    return;
  }
  ReadValueList(cursor, attribute);
  cursor.ExpectSymbol(")");
}

// `one of "OPEN" 3%, "DONE" 97%` in the place of a type: the values say which it is.
bool ReadTypeOfValues(TokenCursor& cursor, Attribute& attribute) {
  cursor.Take();
  cursor.Take();
  ReadValueList(cursor, attribute);
  if (cursor.failed() || attribute.values.empty()) {
    return false;
  }
  const ValueType first = attribute.values.front().type();
  for (const AttributeTypeTraits& known : AllAttributeTypes()) {
    if (known.stored == first && !IsComplex(known.type)) {
      attribute.type = known.type;
      break;
    }
  }
  double bytes = 0;
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    const AttributeValue& value = attribute.values[i];
    const std::string text = value.string() != nullptr   ? *value.string()
                             : value.number() != nullptr ? value.number()->ToString()
                                                         : std::string();
    bytes += static_cast<double>(text.size()) *
             (attribute.shares.empty() ? 1 / static_cast<double>(attribute.values.size())
                                       : attribute.shares[i]);
  }
  attribute.size_avg = bytes;
  return true;
}

bool ReadDerivation(TokenCursor& cursor, Derivation& derivation) {
  if (cursor.Peek().kind != TokenKind::kWord) {
    return true;
  }
  if (const auto moment = MomentDerivation(cursor.Peek().text)) {
    cursor.Take();
    derivation = *moment;
    return true;
  }
  if (!cursor.TakeWord("first")) {
    return true;
  }
  const SourceSpan at = cursor.Peek().at;
  const auto number = cursor.ExpectNumber("how many characters");
  if (!number) {
    return false;
  }
  const bool whole = *number >= 1 && *number <= kFirstMax && std::floor(*number) == *number;
  const auto first = FirstDerivation(whole ? static_cast<int>(*number) : 0);
  if (!first) {
    cursor.FailAt(at, "`first` takes 1 to " + std::to_string(kFirstMax) + " characters", "");
    return false;
  }
  derivation = *first;
  return true;
}

// `day distinct 90`, `first 5 distinct 2_000`
void ReadDerivedFigure(TokenCursor& cursor, Attribute& attribute) {
  Derivation derivation;
  if (!ReadDerivation(cursor, derivation) || !cursor.ExpectWord("distinct")) {
    return;
  }
  if (const auto distinct = cursor.ExpectNumber("how many different values")) {
    attribute.derived_distinct.emplace_back(std::move(derivation), *distinct);
  }
}

}  // namespace prejoin::model
