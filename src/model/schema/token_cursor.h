// Reads one statement's tokens from left to right. After the first error of a statement the cursor
// stays silent, so that one mistake gives one message.
#ifndef PREJOIN_MODEL_SCHEMA_TOKEN_CURSOR_H_
#define PREJOIN_MODEL_SCHEMA_TOKEN_CURSOR_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema/daily_rate.h"
#include "model/schema/figure_limits.h"
#include "model/schema/model.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

// Borrows the statement and the diagnostics. Single thread.
class TokenCursor {
 public:
  TokenCursor(const Statement& statement, std::vector<Diagnostic>& diagnostics);

  bool AtEnd() const { return next_ >= statement_.tokens.size(); }
  bool failed() const { return failed_; }
  const Token& Peek() const { return AtEnd() ? end_ : statement_.tokens[next_]; }
  const Token& PeekSecond() const {
    return next_ + 1 < statement_.tokens.size() ? statement_.tokens[next_ + 1] : end_;
  }
  Token Take();

  // True, and moves on, if the next token is that one.
  bool TakeWord(const char* word);
  bool TakeSymbol(const char* symbol);

  // Report and return false or nullopt when the next token is something else.
  bool ExpectWord(const char* word);
  bool ExpectSymbol(const char* symbol);
  std::optional<Name> ExpectName(const char* what);
  template <class T>
  std::optional<Reference<T>> ExpectReference(const char* what) {
    auto name = ExpectName(what);
    return name ? std::optional(Reference<T>::Written(*std::move(name))) : std::nullopt;
  }
  // 20_000, 3k, ~5. More than `max` is refused; `why` says what allows no more.
  std::optional<double> ExpectNumber(const char* what, double max = kFigureMax,
                                     const char* why = "no table has more");
  std::optional<std::string> ExpectString(const char* what);
  std::optional<double> ExpectRate();  // 5/s, 2/day → per second
  // `5/s peak 50/s` or `5/s, 500/s from 08:00 to 10:00` into the two figures of a pattern or write. `day`: gets the hours, if
  // it is not null.
  void ReadRate(double& rate_per_second, double& peak_per_second, DailyRate* day = nullptr);
  std::optional<double> ExpectShare(const char* what);  // 2% → 0.02
  std::optional<double> ExpectDays();                   // 90 days, 2 weeks → days
  // True if a percentage comes next.
  bool PeekShare() const { return Peek().kind == TokenKind::kNumber && PeekSecond().IsSymbol("%"); }
  std::optional<AttributeValue> ExpectValue(int depth = 0);
  std::vector<Name> ExpectNameList(const char* what);
  // `name` or `Entity.name`.
  std::optional<Path> ExpectPath(const char* what);
  // Reports what is left over.
  void ExpectEnd();

  void Fail(std::string message, Suggestion suggestion);
  void FailAt(const SourceSpan& at, std::string message, Suggestion suggestion);
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  // False, and reported, when it cannot be read.
  bool ReadSchedule(double& rate_per_second, double& peak_per_second, DailyRate* day);
  std::optional<AttributeValue> ExpectMap(int depth);
  std::optional<AttributeValue> ExpectList(int depth);

  const Statement& statement_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t next_ = 0;
  Token end_;  // Stands after the last token.
  bool failed_ = false;
};

// 20000 for "20k"; nullopt if it is not a number.
std::optional<double> ParseCount(std::string_view text);

// "`word`", "the end of the line", …
std::string DescribeToken(const Token& token);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_TOKEN_CURSOR_H_
