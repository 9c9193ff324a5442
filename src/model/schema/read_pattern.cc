// Access patterns.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/spelling.h"
#include "model/syntax/words.h"

namespace prejoin::model {
namespace {}  // namespace

std::optional<Operand> ReadOperand(TokenCursor& cursor) {
  Operand operand;
  operand.at = cursor.Peek().at;
  if (cursor.Peek().kind == TokenKind::kParameter) {
    operand.parameter = cursor.Take().text;
    return operand;
  }
  if (cursor.Peek().kind == TokenKind::kWord && !cursor.Peek().IsWord("true") &&
      !cursor.Peek().IsWord("false")) {
    cursor.Fail("expected a :parameter or a value, not " + DescribeToken(cursor.Peek()),
                "parameters start with a colon: :" + cursor.Peek().text);
    return std::nullopt;
  }
  auto value = cursor.ExpectValue();
  if (!value) {
    return std::nullopt;
  }
  operand.literal = *std::move(value);
  return operand;
}

namespace {

bool AddOperand(TokenCursor& cursor, Condition& condition) {
  auto operand = ReadOperand(cursor);
  if (!operand) {
    return false;
  }
  condition.operands.push_back(*std::move(operand));
  return true;
}

// Words of other languages are not near enough to ours for the spelling hint.
Suggestion ComparisonHint(const Token& token) {
  const std::string& word = token.text;
  constexpr std::array kPrefixWords =
      std::to_array<std::string_view>({"starts_with", "startswith", "startsWith", "beginsWith",
                                       "begins", "starts", "prefix", "like", "LIKE"});
  if (std::find(kPrefixWords.begin(), kPrefixWords.end(), word) != kPrefixWords.end()) {
    return "did you mean `begins_with`? write: begins_with(attribute, :value)";
  }
  return RespellingOf(token, WordsAt(WordPlace::kCondition));
}

// `begins_with(name, :prefix)`, `contains(tags, :tag)`
bool ReadFunction(TokenCursor& cursor, Condition& condition) {
  const Token function = cursor.Take();
  if (function.text == "begins_with") {
    condition.comparison = Comparison::kBeginsWith;
  } else if (function.text == "contains") {
    condition.comparison = Comparison::kContains;
  } else if (function.text == "exists") {
    condition.comparison = Comparison::kExists;
  } else if (function.text == "attribute_exists" || function.text == "attribute_not_exists") {
    cursor.FailAt(function.at, "there is no function `" + function.text + "`",
                  function.text == "attribute_exists" ? "write: exists(attribute)"
                                                      : "write: not exists(attribute)");
    return false;
  } else {
    cursor.FailAt(function.at, "there is no function `" + function.text + "`",
                  ComparisonHint(function));
    return false;
  }
  cursor.Take();  // (
  auto attribute = cursor.ExpectName("an attribute");
  if (!attribute) {
    return false;
  }
  condition.attribute = *std::move(attribute);
  if (condition.comparison == Comparison::kExists) {
    return cursor.ExpectSymbol(")");
  }
  return cursor.ExpectSymbol(",") && AddOperand(cursor, condition) && cursor.ExpectSymbol(")");
}

// `not exists(winner)`
bool ReadNot(TokenCursor& cursor, Condition& condition) {
  cursor.Take();
  if (!cursor.Peek().IsWord("exists")) {
    cursor.Fail("`not` precedes `exists`, not " + DescribeToken(cursor.Peek()),
                "write: not exists(attribute), or attribute <> value");
    return false;
  }
  if (!ReadFunction(cursor, condition)) {
    return false;
  }
  condition.comparison = Comparison::kNotExists;
  return true;
}

bool ReadIn(TokenCursor& cursor, Condition& condition) {
  condition.comparison = Comparison::kIn;
  if (cursor.Peek().kind == TokenKind::kParameter) {
    return AddOperand(cursor, condition);
  }
  if (!cursor.ExpectSymbol("(")) {
    return false;
  }
  do {
    if (!AddOperand(cursor, condition)) {
      return false;
    }
  } while (cursor.TakeSymbol(","));
  return cursor.ExpectSymbol(")");
}

bool ReadWhere(TokenCursor& cursor, Section& section) {
  do {
    Condition condition;
    if (cursor.Peek().IsWord("optional") && cursor.PeekSecond().kind == TokenKind::kWord) {
      cursor.Take();
      condition.optional = true;
    }
    if (!ReadCondition(cursor, condition)) {
      return false;
    }
    section.conditions.push_back(std::move(condition));
    // `or` is read, so that check can say what is wrong with it and planning can continue.
    if (cursor.Peek().IsWord("or")) {
      section.has_or = true;
      section.or_at = cursor.Take().at;
      continue;
    }
    if (!cursor.TakeWord("and")) {
      return true;
    }
  } while (true);
}

bool ReadOrder(TokenCursor& cursor, Section& section) {
  if (!cursor.ExpectWord("by")) {
    return false;
  }
  do {
    auto attribute = cursor.ExpectName("an attribute");
    if (!attribute) {
      return false;
    }
    OrderKey key{*std::move(attribute), false};
    if (cursor.TakeWord("desc") || cursor.TakeWord("descending")) {
      key.descending = true;
    }
    if (cursor.TakeWord("asc")) {
      key.descending = false;
    }
    section.order.push_back(std::move(key));
  } while (cursor.TakeSymbol(","));
  return true;
}

bool ReadGet(TokenCursor& cursor, Section& section) {
  do {
    auto path = cursor.ExpectPath("an attribute");
    if (!path) {
      return false;
    }
    section.get.push_back(*std::move(path));
  } while (cursor.TakeSymbol(","));
  return true;
}

// `Order`, or `Order.total` after `sum`.
bool ReadFound(TokenCursor& cursor, Section& section) {
  if (section.measure != Measure::kSum) {
    auto entity = cursor.ExpectReference<Entity>("an entity");
    if (entity) {
      section.entity = *std::move(entity);
    }
    return entity.has_value();
  }
  auto path = cursor.ExpectPath("the attribute to add up, such as Order.total");
  if (!path) {
    return false;
  }
  if (path->entity.text.empty()) {
    cursor.FailAt(path->attribute.at, "`sum` needs an entity and an attribute",
                  "write: sum Order.total where …");
    return false;
  }
  section.entity = path->entity;
  section.get.push_back({{}, path->attribute});
  return true;
}

// The answer is one number: it has no order, no limit and no attributes.
bool FailsInMeasure(TokenCursor& cursor, Measure measure) {
  const Token& token = cursor.Peek();
  if (measure == Measure::kRows || token.IsWord("where") || token.IsWord("returns")) {
    return false;
  }
  const std::string word = measure == Measure::kCount ? "count" : "sum";
  const bool grouped = token.text == "group" || token.text == "GROUP";
  cursor.Fail("`" + word + "` gives one number and takes no " + DescribeToken(token),
              grouped ? "write a pattern for one group: where status = :status"
                      : (token.IsWord("via") ? "count the links themselves"
                                             : "only `where` and `returns` may follow it"));
  return true;
}

void ReadFind(TokenCursor& cursor, Pattern& pattern, Measure measure) {
  constexpr double kLimitMax = 1e9;
  Section section;
  section.measure = measure;
  if (!ReadFound(cursor, section)) {
    return;
  }
  bool ok = true;
  while (ok && !cursor.AtEnd()) {
    if (FailsInMeasure(cursor, measure)) {
      return;
    }
    if (cursor.TakeWord("via")) {
      auto link = cursor.ExpectReference<Entity>("the entity that links them");
      ok = link.has_value();
      if (link) {
        section.via = *std::move(link);
      }
    } else if (cursor.TakeWord("where")) {
      ok = ReadWhere(cursor, section);
    } else if (cursor.TakeWord("order")) {
      ok = ReadOrder(cursor, section);
    } else if (cursor.TakeWord("limit")) {
      const auto limit = cursor.ExpectNumber("how many at most");
      ok = limit && *limit >= 1 && *limit <= kLimitMax;
      if (ok) {
        section.limit = static_cast<int>(*limit);
      }
      if (limit && !ok) {
        cursor.Fail("a limit is at least 1", "");
      }
    } else if (cursor.TakeWord("returns")) {
      section.returns = cursor.ExpectNumber("how many rows one answer has");
      ok = section.returns.has_value();
    } else if (cursor.TakeWord("get")) {
      ok = ReadGet(cursor, section);
    } else {
      const Token token = cursor.Peek();
      cursor.Fail("did not expect " + DescribeToken(token) + " in `find`",
                  RespellingOf(token, WordsAt(WordPlace::kFind)));
      ok = false;
    }
  }
  if (ok) {
    pattern.sections.push_back(std::move(section));
  }
}

void ReadFresh(TokenCursor& cursor, Pattern& pattern) {
  if (cursor.TakeWord("strong")) {
    pattern.freshness = Freshness::kStrong;
  } else if (cursor.TakeWord("eventual")) {
    pattern.freshness = Freshness::kEventual;
  } else if (cursor.TakeWord("after")) {
    auto write = cursor.ExpectReference<Write>("a write");
    if (!write) {
      return;
    }
    pattern.freshness = Freshness::kAfterWrite;
    pattern.after_write = *std::move(write);
  } else {
    cursor.Fail("expected how fresh the answer must be, not " + DescribeToken(cursor.Peek()),
                "write: fresh strong, fresh eventual, or fresh after SomeWrite");
  }
  cursor.ExpectEnd();
}

// `scan allowed because "a nightly report"`
void ReadScan(TokenCursor& cursor, Pattern& pattern) {
  if (!cursor.ExpectWord("allowed")) {
    return;
  }
  if (!cursor.TakeWord("because")) {
    cursor.Fail("a Scan needs a reason", "write: scan allowed because \"why it is right here\"");
    return;
  }
  if (auto reason = cursor.ExpectString("the reason")) {
    pattern.scan_reason = *std::move(reason);
  }
  cursor.ExpectEnd();
}

// `example student = "a91", course = "math204" gives 3`
void ReadExample(TokenCursor& cursor, const Statement& line, Pattern& pattern) {
  Example example;
  example.at = line.at();
  if (!cursor.Peek().IsWord("gives")) {
    do {
      if (cursor.Peek().kind == TokenKind::kParameter) {
        cursor.Fail("in an example, parameters have no colon",
                    "write: example " + cursor.Peek().text + " = …");
        return;
      }
      auto name = cursor.ExpectName("a parameter");
      if (!name || !cursor.ExpectSymbol("=")) {
        return;
      }
      auto value = cursor.ExpectValue();
      if (!value) {
        return;
      }
      example.arguments.emplace_back(*std::move(name), *std::move(value));
    } while (cursor.TakeSymbol(","));
  }
  if (cursor.TakeWord("gives")) {
    const auto rows = cursor.ExpectNumber("how many rows");
    if (!rows) {
      return;
    }
    example.rows = static_cast<int>(std::min(*rows, 1e9));
    if (!cursor.TakeWord("rows")) {
      cursor.TakeWord("row");
    }
  }
  cursor.ExpectEnd();
  pattern.examples.push_back(std::move(example));
}

void ReadPatternLine(const Statement& line, const Statement& owner, Pattern& pattern,
                     ReadContext& context) {
  TokenCursor cursor(line, context.diagnostics);
  if (line.head() == "allow") {
    ReadAllow(line, &owner, context);
    return;
  }
  if (cursor.TakeWord("find")) {
    ReadFind(cursor, pattern, Measure::kRows);
  } else if (cursor.TakeWord("count")) {
    ReadFind(cursor, pattern, Measure::kCount);
  } else if (cursor.TakeWord("sum")) {
    ReadFind(cursor, pattern, Measure::kSum);
  } else if (cursor.TakeWord("rate")) {
    cursor.ReadRate(pattern.rate_per_second, pattern.peak_per_second);
  } else if (cursor.TakeWord("returns")) {
    const auto rows = cursor.ExpectNumber("how many rows one answer has");
    cursor.ExpectEnd();
    if (pattern.sections.empty()) {
      cursor.FailAt(line.at(), "`returns` belongs to the `find` above it", "write it below a find");
    } else {
      pattern.sections.back().returns = rows;
    }
  } else if (cursor.TakeWord("scan")) {
    ReadScan(cursor, pattern);
  } else if (cursor.TakeWord("fresh")) {
    ReadFresh(cursor, pattern);
  } else if (cursor.TakeWord("example")) {
    ReadExample(cursor, line, pattern);
  } else if (cursor.Peek().IsWord("one") && cursor.PeekSecond().IsWord("request")) {
    pattern.requires_one_request = true;
    pattern.one_request_at = line.at();
  } else {
    ReportUnknownStatement(line, WordsAt(WordPlace::kPattern), "in a pattern", context);
  }
}

}  // namespace

bool ReadNameAndTitle(TokenCursor& cursor, const char* what, Name& name, std::string& title) {
  auto read = cursor.ExpectName(what);
  if (!read) {
    return false;
  }
  name = *std::move(read);
  if (cursor.Peek().kind == TokenKind::kString) {
    title = cursor.Take().text;
  }
  cursor.ExpectEnd();
  return true;
}

bool ReadCondition(TokenCursor& cursor, Condition& condition) {
  if (cursor.Peek().kind == TokenKind::kWord && cursor.PeekSecond().IsSymbol("(")) {
    return ReadFunction(cursor, condition);
  }
  if (cursor.Peek().IsWord("not") && cursor.PeekSecond().kind == TokenKind::kWord) {
    return ReadNot(cursor, condition);
  }
  auto attribute = cursor.ExpectName("an attribute");
  if (!attribute) {
    return false;
  }
  condition.attribute = *std::move(attribute);
  if (!ReadDerivation(cursor, condition.derivation)) {
    return false;
  }
  if (cursor.TakeWord("between")) {
    condition.comparison = Comparison::kBetween;
    return AddOperand(cursor, condition) && cursor.ExpectWord("and") &&
           AddOperand(cursor, condition);
  }
  if (cursor.TakeWord("in")) {
    return ReadIn(cursor, condition);
  }
  if (cursor.TakeWord("begins_with")) {
    condition.comparison = Comparison::kBeginsWith;
    return AddOperand(cursor, condition);
  }
  if (cursor.Peek().IsSymbol("!=") ||
      (cursor.Peek().IsSymbol("=") && cursor.PeekSecond().IsSymbol("="))) {
    const bool equal = cursor.Peek().IsSymbol("=");
    cursor.Fail(std::string("there is no `") + (equal ? "==" : "!=") + "`",
                equal ? "write one `=`" : "write `<>`");
    return false;
  }
  if (cursor.TakeSymbol("=")) {
    condition.comparison = Comparison::kEqual;
  } else if (cursor.TakeSymbol("<>")) {
    condition.comparison = Comparison::kNotEqual;
  } else if (cursor.TakeSymbol("<")) {
    condition.comparison = Comparison::kLess;
  } else if (cursor.TakeSymbol("<=")) {
    condition.comparison = Comparison::kLessOrEqual;
  } else if (cursor.TakeSymbol(">")) {
    condition.comparison = Comparison::kGreater;
  } else if (cursor.TakeSymbol(">=")) {
    condition.comparison = Comparison::kGreaterOrEqual;
  } else {
    const Token token = cursor.Peek();
    cursor.Fail(
        "expected a comparison, not " + DescribeToken(token),
        token.kind == TokenKind::kWord
            ? ComparisonHint(token)
            : Suggestion("write =, <>, <, <=, >, >=, between :low and :high, in (:a, :b) or "
                         "begins_with(attribute, :value)"));
    return false;
  }
  return AddOperand(cursor, condition);
}

void ReadPattern(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  Pattern pattern;
  if (!ReadNameAndTitle(cursor, "the pattern's name", pattern.name, pattern.title)) {
    return;
  }
  for (const Statement& line : statement.body) {
    ReadPatternLine(line, statement, pattern, context);
  }
  pattern.last_line = LastLine(statement);
  AddNamed(context.model.patterns, std::move(pattern), "pattern", context);
}

}  // namespace prejoin::model
