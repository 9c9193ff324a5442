#include "model/bind/read_model.h"

#include <algorithm>
#include <array>

#include "model/bind/bind.h"
#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/foreign_spelling.h"
#include "model/syntax/spelling.h"

namespace prejoin::model {
namespace {

struct TopReader {
  const char* word;
  void (*read)(const Statement&, ReadContext&);
};

void ReadTitle(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  if (auto title = cursor.ExpectString("the model's name")) {
    context.model.title = *std::move(title);
  }
  cursor.ExpectEnd();
}

void ReadTopAllow(const Statement& statement, ReadContext& context) {
  ReadAllow(statement, nullptr, context);
}

constexpr std::array kTopReaders = std::to_array<TopReader>({{"model", ReadTitle},
                                                             {"entity", ReadEntity},
                                                             {"relationship", ReadRelationship},
                                                             {"hierarchy", ReadHierarchy},
                                                             {"pattern", ReadPattern},
                                                             {"write", ReadWrite},
                                                             {"table", ReadTable},
                                                             {"strategy", ReadStrategy},
                                                             {"sample", ReadSample},
                                                             {"items", ReadStoredItems},
                                                             {"tenant", ReadTenant},
                                                             {"allow", ReadTopAllow}});

void ReadTop(const Statement& statement, ReadContext& context) {
  std::vector<std::string> known;
  for (const TopReader& reader : kTopReaders) {
    if (statement.head() == reader.word) {
      reader.read(statement, context);
      return;
    }
    known.emplace_back(reader.word);
  }
  ReportUnknownStatement(statement, known, "at the top of a model file", context);
}

// Only declarations and, inside a table, items have blocks.
void CheckBlocks(const Statement& owner, int depth, ReadContext& context) {
  for (const Statement& statement : owner.body) {
    const bool allowed = depth == 0 && statement.head() == "item";
    if (statement.has_block && !allowed && context.diagnostics.size() < kDiagnosticsMax) {
      context.diagnostics.push_back(
          {"PJ001", Severity::kError, statement.at(), "this statement has no block",
           "remove the brace at the end of its line and the one that closes it"});
    }
    CheckBlocks(statement, depth + 1, context);
  }
}

// Collects the words of the statements that hold a syntax error.
void CollectUnread(const std::vector<Statement>& statements, UnreadText& unread) {
  for (const Statement& statement : statements) {
    const int last = statement.tokens.empty() ? 0 : statement.tokens.back().at.line;
    if (unread.Within(statement.at().line, last)) {
      for (const Token& token : statement.tokens) {
        if (token.kind == TokenKind::kWord) {
          unread.words.insert(token.text);
        }
      }
    }
    CollectUnread(statement.body, unread);
  }
}

bool IsTopWord(std::string_view word) {
  return std::any_of(kTopReaders.begin(), kTopReaders.end(),
                     [&](const TopReader& reader) { return word == reader.word; });
}

// Names inside key templates and examples are marked without what stands around them, so that the mark of one may hold
// other text than the name.
void KeepFixesThatFit(std::string_view source, std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) {
    return;
  }
  const LineStarts lines(source);
  const auto fits = [&](const Edit& edit) {
    const auto begin = lines.OffsetOf(edit.begin);
    const auto end = lines.OffsetOf(edit.end);
    return begin && end && *begin <= *end && source.substr(*begin, *end - *begin) == edit.removed;
  };
  for (Diagnostic& diagnostic : diagnostics) {
    std::erase_if(diagnostic.suggestion.fixes,
                  [&](const Fix& fix) { return !std::ranges::all_of(fix.edits, fits); });
  }
}

}  // namespace

int LastLine(const Statement& statement) {
  int line = statement.tokens.empty() ? 0 : statement.tokens.back().at.line;
  for (const Statement& inner : statement.body) {
    line = std::max(line, LastLine(inner));
  }
  return line;
}

void ReportUnknownStatement(const Statement& statement, const std::vector<std::string>& known,
                            std::string_view where, ReadContext& context) {
  if (context.diagnostics.size() >= kDiagnosticsMax) {
    return;
  }
  const bool is_word = !statement.head().empty();
  const std::string shown = statement.tokens.empty() ? "{" : statement.tokens.front().raw;
  if (const auto ours = InOurWords(statement.tokens, 0)) {
    context.diagnostics.push_back({"PJ001", Severity::kError, statement.at(),
                                   "`" + shown + "` does not start a statement " +
                                       std::string(where) + ": " + ours->message,
                                   ours->suggestion});
    return;
  }
  context.diagnostics.push_back(
      {"PJ001", Severity::kError, statement.at(),
       "`" + shown + "` does not start a statement " + std::string(where),
       RespellingOf(statement.at(), is_word ? statement.head() : "", known)});
}

void ReadAllow(const Statement& statement, const Statement* owner, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  auto rule = cursor.ExpectName("a rule id such as PJ201");
  if (!rule) {
    return;
  }
  if (!cursor.TakeWord("because")) {
    cursor.Fail("a suppression needs a reason",
                "write: allow " + rule->text + " because \"why it is right here\"");
    return;
  }
  auto reason = cursor.ExpectString("the reason");
  cursor.ExpectEnd();
  if (!reason) {
    return;
  }
  Suppression suppression{*std::move(rule), *std::move(reason), 0, 1 << 30};
  if (owner != nullptr) {
    suppression.first_line = owner->at().line;
    suppression.last_line = LastLine(*owner);
  }
  context.model.suppressions.push_back(std::move(suppression));
}

ReadModelResult ReadModel(std::string_view source) {
  ReadModelResult result;
  result.source = source;
  result.tree = ParseStatements(source, result.diagnostics);
  ReadContext context{result.parsed, result.diagnostics};
  bool lost = false;  // The statement before was none: a run of such lines is one mistake.
  for (const Statement& statement : result.tree.statements) {
    const bool known = IsTopWord(statement.head());
    if (known || !lost || statement.has_block) {
      ReadTop(statement, context);
    }
    CheckBlocks(statement, 0, context);
    lost = !known && !statement.has_block;
  }
  UnreadText unread;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.severity == Severity::kError) {
      unread.lines.insert(diagnostic.at.line);
    }
  }
  CollectUnread(result.tree.statements, unread);
  if (auto model = Binder::Bind(result.parsed, unread, result.diagnostics)) {
    result.model = *std::move(model);
    result.ok = true;
  }
  SortDiagnostics(result.diagnostics);
  KeepFixesThatFit(source, result.diagnostics);
  return result;
}

}  // namespace prejoin::model
