// Writes. A step says which row, what it does to it, and under which condition:
//
//   put Order once times 3 if stock > 0          put Timeline for each Follower
//   put Game with opened, state = "OPEN" without winner
//   update Game where id = :g set state = "FULL", people += 1 remove winner if people < 50
//   delete Order where id = :o with Line         what a deletion takes along
#include <utility>

#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/spelling.h"
#include "model/syntax/words.h"

namespace prejoin::model {
namespace {

constexpr double kTimesMax = 100;

bool ReadConditions(TokenCursor& cursor, std::vector<Condition>& conditions) {
  do {
    Condition condition;
    if (!ReadCondition(cursor, condition)) {
      return false;
    }
    conditions.push_back(std::move(condition));
  } while (cursor.TakeWord("and"));
  return true;
}

// `state = "OPEN"`, `owner = :owner`; nothing after the name: any value. False, and reported, when it cannot be read.
bool ReadSetting(TokenCursor& cursor, const Name& name, WriteStep& step) {
  if (!cursor.TakeSymbol("=")) {
    return true;
  }
  if (cursor.Peek().IsSymbol("=")) {
    cursor.Fail("there is no `==`", "write one `=`");
    return false;
  }
  auto value = ReadOperand(cursor);
  if (!value) {
    return false;
  }
  step.values.push_back({name, *std::move(value)});
  return true;
}

// `opened, state = "OPEN"`
bool ReadWith(TokenCursor& cursor, WriteStep& step) {
  do {
    auto name = cursor.ExpectName("an attribute");
    if (!name || !ReadSetting(cursor, *name, step)) {
      return false;
    }
    step.with.push_back(*std::move(name));
  } while (cursor.TakeSymbol(","));
  return true;
}

// `state = "FULL", people += 1`
bool ReadSet(TokenCursor& cursor, WriteStep& step) {
  do {
    auto name = cursor.ExpectName("an attribute");
    if (!name) {
      return false;
    }
    const bool up = cursor.TakeSymbol("+=");
    if (up || cursor.TakeSymbol("-=")) {
      const auto by = cursor.ExpectNumber("by how much");
      if (!by) {
        return false;
      }
      step.increments.push_back({*name, up ? *by : -*by});
    } else if (!ReadSetting(cursor, *name, step)) {
      return false;
    }
    step.set.push_back(*std::move(name));
  } while (cursor.TakeSymbol(","));
  return true;
}

bool ReadForEach(TokenCursor& cursor, WriteStep& step) {
  if (!cursor.ExpectWord("each")) {
    return false;
  }
  auto entity = cursor.ExpectReference<Entity>("an entity");
  if (entity) {
    step.for_each = *std::move(entity);
  }
  return entity.has_value();
}

bool ReadTimes(TokenCursor& cursor, WriteStep& step) {
  const auto times = cursor.ExpectNumber("how many rows");
  if (!times) {
    return false;
  }
  if (*times < 1 || *times > kTimesMax) {
    cursor.Fail("a write has 1 to 100 rows of an entity", "a transaction holds 100 items");
    return false;
  }
  step.times = static_cast<int>(*times);
  return true;
}

bool ReadClause(TokenCursor& cursor, WriteStep& step) {
  const bool put = step.kind == WriteKind::kPut;
  if (put && cursor.TakeWord("once")) {
    step.once = true;
    return true;
  }
  if (put && cursor.TakeWord("times")) {
    return ReadTimes(cursor, step);
  }
  if (cursor.TakeWord("for")) {
    return ReadForEach(cursor, step);
  }
  if (cursor.TakeWord("if")) {
    return ReadConditions(cursor, step.guard);
  }
  if (!put && cursor.TakeWord("where")) {
    return ReadConditions(cursor, step.where);
  }
  if (put && cursor.TakeWord("with")) {
    return ReadWith(cursor, step);
  }
  if (put && cursor.TakeWord("without")) {
    step.without = cursor.ExpectNameList("an attribute");
    return !cursor.failed();
  }
  if (step.kind == WriteKind::kUpdate && cursor.TakeWord("set")) {
    return ReadSet(cursor, step);
  }
  if (step.kind == WriteKind::kUpdate && cursor.TakeWord("remove")) {
    step.remove = cursor.ExpectNameList("an attribute");
    return !cursor.failed();
  }
  if (step.kind == WriteKind::kDelete && cursor.TakeWord("with")) {
    for (Name& name : cursor.ExpectNameList("an entity")) {
      step.cascade.push_back(Reference<Entity>::Written(std::move(name)));
    }
    return !cursor.failed();
  }
  const Token token = cursor.Peek();
  cursor.Fail("did not expect " + DescribeToken(token) + " in a step of a write",
              RespellingOf(token, WordsAt(WordPlace::kStep)));
  return false;
}

void ReadStep(TokenCursor& cursor, WriteKind kind, Write& write) {
  WriteStep step;
  step.kind = kind;
  auto entity = cursor.ExpectReference<Entity>("an entity");
  if (!entity) {
    return;
  }
  step.entity = *std::move(entity);
  while (!cursor.AtEnd()) {
    if (!ReadClause(cursor, step)) {
      return;
    }
  }
  if (kind == WriteKind::kUpdate && step.set.empty() && step.remove.empty()) {
    cursor.FailAt(step.entity.at, "an update sets or removes something",
                  "write: update " + step.entity.text + " set attribute");
    return;
  }
  write.steps.push_back(std::move(step));
}

}  // namespace

void ReadWrite(const Statement& statement, ReadContext& context) {
  TokenCursor head(statement, context.diagnostics);
  head.Take();
  Write write;
  if (!ReadNameAndTitle(head, "the write's name", write.name, write.title)) {
    return;
  }
  for (const Statement& line : statement.body) {
    TokenCursor cursor(line, context.diagnostics);
    if (cursor.TakeWord("put")) {
      ReadStep(cursor, WriteKind::kPut, write);
    } else if (cursor.TakeWord("update")) {
      ReadStep(cursor, WriteKind::kUpdate, write);
    } else if (cursor.TakeWord("delete")) {
      ReadStep(cursor, WriteKind::kDelete, write);
    } else if (cursor.TakeWord("together")) {
      write.together = true;
      cursor.ExpectEnd();
    } else if (cursor.TakeWord("rate")) {
      cursor.ReadRate(write.rate_per_second, write.peak_per_second);
    } else if (line.head() == "allow") {
      ReadAllow(line, &statement, context);
    } else {
      ReportUnknownStatement(line, WordsAt(WordPlace::kWrite), "in a write", context);
    }
  }
  write.last_line = LastLine(statement);
  AddNamed(context.model.writes, std::move(write), "write", context);
}

}  // namespace prejoin::model
