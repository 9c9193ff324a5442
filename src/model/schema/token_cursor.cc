#include "model/schema/token_cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/foreign_spelling.h"
#include "model/syntax/spelling.h"

namespace prejoin::model {
namespace {

struct RateUnit {
  const char* name;
  double seconds;
};
constexpr std::array kRateUnits = std::to_array<RateUnit>({{"s", 1},
                                                           {"sec", 1},
                                                           {"second", 1},
                                                           {"min", 60},
                                                           {"minute", 60},
                                                           {"hour", 3600},
                                                           {"day", 86400},
                                                           {"week", 604800},
                                                           {"month", 2592000},
                                                           {"year", 31536000}});

}  // namespace

std::optional<double> ParseCount(std::string_view text) {
  double factor = 1;
  if (text.ends_with('k')) {
    factor = 1e3;
  }
  if (text.ends_with('M')) {
    factor = 1e6;
  }
  if (factor > 1) {
    text.remove_suffix(1);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number * factor;
}

std::string DescribeToken(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
    case TokenKind::kNewline:
      return "the end of the line";
    default:
      return "`" + token.raw + "`";
  }
}

TokenCursor::TokenCursor(const Statement& statement, std::vector<Diagnostic>& diagnostics)
    : statement_(statement), diagnostics_(diagnostics) {
  end_.at = statement.at();
  if (!statement.tokens.empty()) {
    const SourceSpan& last = statement.tokens.back().at;
    end_.at = {last.line, last.column + last.length, 1};
  }
}

Token TokenCursor::Take() {
  Token token = Peek();
  if (!AtEnd()) {
    ++next_;
  }
  return token;
}

bool TokenCursor::TakeWord(const char* word) {
  if (!Peek().IsWord(word)) {
    return false;
  }
  ++next_;
  return true;
}

bool TokenCursor::TakeSymbol(const char* symbol) {
  if (!Peek().IsSymbol(symbol)) {
    return false;
  }
  ++next_;
  return true;
}

bool TokenCursor::ExpectWord(const char* word) {
  if (TakeWord(word)) {
    return true;
  }
  Fail("expected `" + std::string(word) + "`, not " + DescribeToken(Peek()),
       Peek().kind == TokenKind::kWord ? RespellingOf(Peek().at, Peek().text, {word})
                                       : Suggestion());
  return false;
}

bool TokenCursor::ExpectSymbol(const char* symbol) {
  if (TakeSymbol(symbol)) {
    return true;
  }
  Fail("expected `" + std::string(symbol) + "`, not " + DescribeToken(Peek()), "");
  return false;
}

std::optional<Name> TokenCursor::ExpectName(const char* what) {
  if (Peek().kind == TokenKind::kWord) {
    const Token token = Take();
    return Name{token.text, token.at};
  }
  Fail("expected " + std::string(what) + ", not " + DescribeToken(Peek()),
       Peek().kind == TokenKind::kString ? "names are written without quotes" : "");
  return std::nullopt;
}

std::optional<double> TokenCursor::ExpectNumber(const char* what, double max, const char* why) {
  TakeSymbol("~");
  if (Peek().kind == TokenKind::kNumber) {
    const auto number = ParseCount(Peek().text);
    if (number && *number > max) {
      Fail(DescribeToken(Peek()) + " is too large: the maximum is " + PlainFigure(max), why);
      return std::nullopt;
    }
    if (number) {
      Take();
      return number;
    }
  }
  Fail("expected " + std::string(what) + " (a number), not " + DescribeToken(Peek()),
       "write 500, 20_000, 20k or 2M");
  return std::nullopt;
}

std::optional<std::string> TokenCursor::ExpectString(const char* what) {
  if (Peek().kind == TokenKind::kString) {
    return Take().text;
  }
  Fail("expected " + std::string(what) + " in quotes, not " + DescribeToken(Peek()), "");
  return std::nullopt;
}

std::optional<double> TokenCursor::ExpectRate() {
  const auto number = ExpectNumber("a rate");
  if (!number) {
    return std::nullopt;
  }
  if (!TakeSymbol("/")) {
    const std::string figure = FigureText(*number);
    Fail("a rate is a number per unit of time, and the unit is missing",
         "write " + figure + "/s, " + figure + "/min, " + figure + "/hour or " + figure + "/day");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const RateUnit& unit : kRateUnits) {
    if (TakeWord(unit.name)) {
      return *number / unit.seconds;
    }
    names.emplace_back(unit.name);
  }
  Fail("expected a unit of time, not " + DescribeToken(Peek()),
       "write 5/s, 10/min, 3/hour, 2/day, 1/month or 1/year");
  return std::nullopt;
}

namespace {

// `08:30` → 8.5
std::optional<double> ReadTimeOfDay(TokenCursor& cursor) {
  const SourceSpan at = cursor.Peek().at;
  const auto hours = cursor.ExpectNumber("a time of day");
  if (!hours || !cursor.ExpectSymbol(":")) {
    return std::nullopt;
  }
  const auto minutes = cursor.ExpectNumber("the minutes of a time of day");
  if (!minutes) {
    return std::nullopt;
  }
  constexpr double kMinutesOfHour = 60;
  const double time = *hours + *minutes / kMinutesOfHour;
  if (*minutes >= kMinutesOfHour || time > kDayHours || std::floor(*hours) != *hours) {
    cursor.FailAt(at, "this is no time of day", "write a time from 00:00 to 24:00");
    return std::nullopt;
  }
  return time;
}

// `from 08:00 to 10:00`, after `from`.
std::optional<Hours> ReadHours(TokenCursor& cursor) {
  const SourceSpan at = cursor.Peek().at;
  const auto from = ReadTimeOfDay(cursor);
  if (!from || !cursor.ExpectWord("to")) {
    return std::nullopt;
  }
  const auto to = ReadTimeOfDay(cursor);
  if (!to) {
    return std::nullopt;
  }
  if (*from == *to) {
    cursor.FailAt(at, "these hours end when they begin", "leave them out for the whole day");
    return std::nullopt;
  }
  return Hours{*from, *to};
}

}  // namespace

// The rate is the average of a day, and the peak its highest rate.
bool TokenCursor::ReadSchedule(double& rate_per_second, double& peak_per_second, DailyRate* day) {
  std::optional<double> otherwise;
  std::vector<RateOfHours> all;
  double requests = 0;
  double busy = 0;
  do {
    const SourceSpan at = Peek().at;
    const auto rate = ExpectRate();
    if (!rate) {
      return false;
    }
    peak_per_second = std::max(peak_per_second, *rate);
    if (!TakeWord("from")) {
      if (otherwise) {
        FailAt(at, "the rate outside of stated hours is here twice", "write: from 08:00 to 10:00");
        return false;
      }
      otherwise = rate;
      continue;
    }
    const auto hours = ReadHours(*this);
    if (!hours) {
      return false;
    }
    for (const RateOfHours& other : all) {
      if (other.hours.Holds(hours->from) || hours->Holds(other.hours.from)) {
        FailAt(at, "these hours overlap with others of this rate", "state one rate for each hour");
        return false;
      }
    }
    all.push_back({*hours, *rate});
    requests += *rate * hours->length();
    busy += hours->length();
  } while (TakeSymbol(","));
  rate_per_second = (requests + otherwise.value_or(0) * (kDayHours - busy)) / kDayHours;
  // Without hours nothing is said about the peak.
  peak_per_second = all.empty() ? 0 : peak_per_second;
  if (day != nullptr && rate_per_second > 0) {
    for (RateOfHours& one : all) {
      one.factor /= rate_per_second;
    }
    *day = {.hours = std::move(all), .otherwise = otherwise.value_or(0) / rate_per_second};
  }
  return true;
}

void TokenCursor::ReadRate(double& rate_per_second, double& peak_per_second, DailyRate* day) {
  if (!ReadSchedule(rate_per_second, peak_per_second, day)) {
    return;
  }
  if (TakeWord("peak")) {
    if (const auto peak = ExpectRate()) {
      peak_per_second = *peak;
    }
  }
  ExpectEnd();
}

std::optional<double> TokenCursor::ExpectShare(const char* what) {
  TakeSymbol("~");
  const auto percent = ExpectNumber(what);
  if (!percent || !ExpectSymbol("%")) {
    return std::nullopt;
  }
  if (*percent <= 0 || *percent > 100) {
    Fail("a share is above 0% and at most 100%", "");
    return std::nullopt;
  }
  return *percent / 100;
}

std::optional<double> TokenCursor::ExpectDays() {
  const auto number = ExpectNumber("how long");
  if (!number) {
    return std::nullopt;
  }
  constexpr std::array kUnits = std::to_array<std::pair<const char*, double>>({{"day", 1},
                                                                               {"days", 1},
                                                                               {"hour", 1.0 / 24},
                                                                               {"hours", 1.0 / 24},
                                                                               {"week", 7},
                                                                               {"weeks", 7},
                                                                               {"month", 30},
                                                                               {"months", 30},
                                                                               {"year", 365},
                                                                               {"years", 365}});
  for (const auto& [name, days] : kUnits) {
    if (TakeWord(name)) {
      return *number * days;
    }
  }
  Fail("expected a unit of time, not " + DescribeToken(Peek()),
       "write 12 hours, 90 days, 6 months or 2 years");
  return std::nullopt;
}

std::optional<AttributeValue> TokenCursor::ExpectValue(int depth) {
  if (depth > kNestingDepthMax) {
    Fail("this value is nested more than 32 levels deep", "DynamoDB stores at most 32 levels");
    return std::nullopt;
  }
  const Token token = Peek();
  if (token.kind == TokenKind::kString) {
    Take();
    return AttributeValue(token.text);
  }
  const bool negative = token.IsSymbol("-") && PeekSecond().kind == TokenKind::kNumber;
  if (token.kind == TokenKind::kNumber || negative) {
    if (negative) {
      Take();
    }
    const Token digits = Take();
    auto number = Number::Parse((negative ? "-" : "") + digits.text);
    if (number) {
      return AttributeValue(*number);
    }
    FailAt(digits.at, "`" + digits.raw + "` is not a number a sample can hold",
           "write all digits, without k or M");
    return std::nullopt;
  }
  if (TakeWord("true")) {
    return AttributeValue(true);
  }
  if (TakeWord("false")) {
    return AttributeValue(false);
  }
  if (TakeWord("null")) {
    return AttributeValue();
  }
  if (token.IsSymbol("{")) {
    return ExpectMap(depth);
  }
  if (token.IsSymbol("[")) {
    return ExpectList(depth);
  }
  Fail("expected a value, not " + DescribeToken(token),
       token.kind == TokenKind::kWord ? "text is written in double quotes: \"" + token.text + "\""
                                      : "");
  return std::nullopt;
}

std::optional<AttributeValue> TokenCursor::ExpectMap(int depth) {
  Take();
  Item map;
  while (!Peek().IsSymbol("}")) {
    std::string name;
    if (Peek().kind == TokenKind::kWord || Peek().kind == TokenKind::kString) {
      name = Take().text;
    } else {
      Fail("expected a name in this map, not " + DescribeToken(Peek()),
           "write {Name: value, Other: value}");
      return std::nullopt;
    }
    if (!ExpectSymbol(":")) {
      return std::nullopt;
    }
    auto value = ExpectValue(depth + 1);
    if (!value) {
      return std::nullopt;
    }
    map.Set(std::move(name), *std::move(value));
    if (!TakeSymbol(",")) {
      break;
    }
  }
  if (!ExpectSymbol("}")) {
    return std::nullopt;
  }
  return AttributeValue(std::move(map));
}

std::optional<AttributeValue> TokenCursor::ExpectList(int depth) {
  Take();
  AttributeValue::List list;
  while (!Peek().IsSymbol("]")) {
    auto value = ExpectValue(depth + 1);
    if (!value) {
      return std::nullopt;
    }
    list.push_back(*std::move(value));
    if (!TakeSymbol(",")) {
      break;
    }
  }
  if (!ExpectSymbol("]")) {
    return std::nullopt;
  }
  return AttributeValue(std::move(list));
}

std::vector<Name> TokenCursor::ExpectNameList(const char* what) {
  std::vector<Name> names;
  do {
    auto name = ExpectName(what);
    if (!name) {
      return names;
    }
    names.push_back(*std::move(name));
  } while (TakeSymbol(","));
  return names;
}

std::optional<Path> TokenCursor::ExpectPath(const char* what) {
  auto first = ExpectName(what);
  if (!first) {
    return std::nullopt;
  }
  if (!TakeSymbol(".")) {
    return Path{{}, *std::move(first)};
  }
  auto second = ExpectName("an attribute");
  if (!second) {
    return std::nullopt;
  }
  return Path{Reference<Entity>::Written(*std::move(first)), *std::move(second)};
}

void TokenCursor::ExpectEnd() {
  if (!AtEnd()) {
    Fail("did not expect " + DescribeToken(Peek()) + " here",
         "remove it, or put it on a line of its own");
  }
}

void TokenCursor::Fail(std::string message, Suggestion suggestion) {
  FailAt(Peek().at, std::move(message), std::move(suggestion));
}

void TokenCursor::FailAt(const SourceSpan& at, std::string message, Suggestion suggestion) {
  if (!failed_ && diagnostics_.size() < kDiagnosticsMax) {
    const bool here = at.line == Peek().at.line && at.column == Peek().at.column;
    const auto ours = here ? InOurWords(statement_.tokens, next_) : std::nullopt;
    if (ours) {
      message = ours->message;
      suggestion = ours->suggestion;
    }
    diagnostics_.push_back(
        {"PJ001", Severity::kError, at, std::move(message), std::move(suggestion)});
  }
  failed_ = true;
}

}  // namespace prejoin::model
