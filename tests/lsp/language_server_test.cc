// The language server, message by message, without a process.
#include "lsp/language_server.h"

#include <gtest/gtest.h>

#include <chrono>

#include "json/writer.h"
#include "lsp/document.h"
#include "lsp/features.h"
#include "model/check/check.h"

namespace prejoin::lsp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kSchool = R"(model "School"

entity Student {
  id   text(~6) key
  name text(~18)
}

entity Enrollment {
  studentId references Student.id key
  courseId  text(~6) key
}

relationship Enrolments: Student one-to-many Enrollment by studentId

pattern Mine "A student's courses" {
  find Enrollment where studentId = :student
  rate 10/s
}

pattern Roster "Students of a course" {
  find Enrollment where courseId = :course
  rate 1/s
}

table School partition PK sort SK {
  item Student {
    PK = "STU#{id}"
    SK = "PROFILE"
  }
  item Enrollment {
    PK = "STU#{studentId}"
    SK = "CRS#{courseId}"
  }
}
)";

class Editor {
 public:
  explicit Editor(std::string_view text) : server_("1") {
    Notify("textDocument/didOpen", "\"text\":" + Quote(text));
  }

  void Notify(const std::string& method, const std::string& members) {
    server_.Handle(R"({"jsonrpc":"2.0","method":")" + method +
                   R"(","params":{"textDocument":{"uri":"file:///a.prejoin")" +
                   (method == "textDocument/didOpen" ? "," + members + "}" : "}," + members) +
                   "}}");
  }

  std::string Ask(const std::string& method, const std::string& members = "") {
    const auto answers =
        server_.Handle(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                       R"(","params":{"textDocument":{"uri":"file:///a.prejoin"})" +
                       (members.empty() ? "" : "," + members) + "}}");
    EXPECT_EQ(answers.size(), 1u);
    return answers.empty() ? "" : answers[0];
  }

  // `what` is asked at the first place where `text` stands, `shift` bytes behind its begin.
  std::string AskAt(const std::string& method, std::string_view source, std::string_view text,
                    int shift = 0, const std::string& more = "") {
    const Document document{std::string(source)};
    const std::size_t at = source.find(text);
    EXPECT_NE(at, std::string_view::npos);
    return Ask(method, "\"position\":" +
                           PositionJson(document.PositionOf(at + static_cast<std::size_t>(shift))) +
                           more);
  }

  std::string Findings() {
    const auto messages = server_.Idle();
    return messages.empty() ? "" : messages[0];
  }

  static std::string Quote(std::string_view text) {
    std::string out;
    json::AppendString(text, out);
    return out;
  }

  LanguageServer& server() { return server_; }

 private:
  LanguageServer server_;
};

TEST(LanguageServer, SendsTheFindingsOfCheckOnceAfterAChange) {
  Editor editor(kSchool);
  const std::string findings = editor.Findings();
  EXPECT_THAT(findings, HasSubstr("textDocument/publishDiagnostics"));
  EXPECT_THAT(findings, HasSubstr("PJ101"));
  EXPECT_EQ(editor.Findings(), "");
  editor.Notify(
      "textDocument/didChange",
      R"("contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":5}},"text":"modle"}])");
  EXPECT_THAT(editor.Findings(), HasSubstr("PJ001"));
}

TEST(LanguageServer, HoverSaysPlanAndCost) {
  Editor editor(kSchool);
  const std::string hover = editor.AskAt("textDocument/hover", kSchool, "Mine \"A");
  EXPECT_THAT(hover, HasSubstr("read units"));
  EXPECT_THAT(hover, HasSubstr("a month"));
  EXPECT_THAT(hover, HasSubstr("Query School"));
  EXPECT_THAT(editor.AskAt("textDocument/hover", kSchool, "Student {"), HasSubstr("STU#{id}"));
  EXPECT_THAT(editor.AskAt("textDocument/hover", kSchool, "model"), HasSubstr("Names the design."));
  EXPECT_THAT(editor.AskAt("textDocument/hover", kSchool, "\"School\"", 2), HasSubstr("null"));
}

TEST(LanguageServer, FindsDefinitionsAlsoInsideTemplates) {
  Editor editor(kSchool);
  EXPECT_THAT(editor.AskAt("textDocument/definition", kSchool, "#{studentId}", 3),
              HasSubstr("\"start\":{\"line\":8,\"character\":2}"));
  EXPECT_THAT(editor.AskAt("textDocument/definition", kSchool, "one-to-many Enrollment", 13),
              HasSubstr("\"start\":{\"line\":7,\"character\":7}"));
}

TEST(LanguageServer, RenamesEveryUseAndNothingElse) {
  Editor editor(kSchool);
  const std::string edit = editor.AskAt("textDocument/rename", kSchool, "studentId references", 1,
                                        R"(,"newName":"pupil")");
  std::size_t edits = 0;
  for (std::size_t at = 0; (at = edit.find("\"newText\":\"pupil\"", at)) != std::string::npos;
       ++at) {
    ++edits;
  }
  EXPECT_EQ(edits, 4u) << edit;  // Declaration, `by`, condition, template.
  EXPECT_THAT(editor.AskAt("textDocument/rename", kSchool, "studentId references", 1,
                           R"(,"newName":"a b")"),
              HasSubstr("cannot be a name"));
  EXPECT_THAT(editor.AskAt("textDocument/rename", kSchool, "studentId references", 1,
                           R"(,"newName":"courseId")"),
              HasSubstr("already"));
}

TEST(LanguageServer, OffersTheFix) {
  Editor editor(kSchool);
  const std::string actions =
      editor.Ask("textDocument/codeAction",
                 R"("range":{"start":{"line":19,"character":0},"end":{"line":19,"character":9}})");
  EXPECT_THAT(actions, HasSubstr("Fix PJ101: add to `table School`, add to `item Enrollment`"));
  EXPECT_THAT(actions, HasSubstr("index GSI1 partition GSI1PK"));
  EXPECT_THAT(actions, HasSubstr("Allow PJ101 here"));
}

TEST(LanguageServer, FixesAreEditsInTheUnitsOfTheProtocol) {
  // Columns of the checker count bytes, those of the protocol UTF-16 units.
  std::string text(kSchool);
  text.insert(0, "// \xF0\x9F\x98\x80\n");
  Document document{text};
  std::size_t fixed = 0;
  for (const model::Diagnostic& finding : model::CheckModel(document.read())) {
    const model::Fix* fix = finding.suggestion.FirstFix();
    if (fix == nullptr) {
      continue;
    }
    Document changed{text};
    const auto edits = EditsOfFix(changed, *fix);
    ASSERT_EQ(edits.size(), fix->edits.size());
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      changed.Replace(edit->range, edit->text);
    }
    EXPECT_EQ(changed.text(), model::ApplyEdits(text, fix->edits));
    EXPECT_TRUE(changed.read().ok) << changed.text();
    ++fixed;
  }
  EXPECT_GT(fixed, 0u);
}

TEST(LanguageServer, OffersEveryNameThatAPersonMayHaveMeant) {
  const std::string text = "entity Student {\n  id text key\n}\npattern P {\n  find Über\n}\n";
  Editor editor(text);
  const std::string actions =
      editor.Ask("textDocument/codeAction",
                 R"("range":{"start":{"line":4,"character":0},"end":{"line":4,"character":9}})");
  EXPECT_THAT(actions, HasSubstr("Fix PJ003: write `Student`"));
  EXPECT_THAT(actions,
              HasSubstr(R"("start":{"line":4,"character":7},"end":{"line":4,"character":11})"));
}

TEST(LanguageServer, CompletesByPlace) {
  const std::string text = std::string(kSchool) + "pattern X {\n  find Student where \n}\n";
  Editor editor(text);
  EXPECT_THAT(editor.AskAt("textDocument/completion", text, "where \n}", 6),
              HasSubstr("\"label\":\"name\""));
  EXPECT_THAT(editor.AskAt("textDocument/completion", text, "find Student where \n", 5),
              HasSubstr("\"label\":\"Enrollment\""));
  EXPECT_THAT(editor.AskAt("textDocument/completion", text, "STU#{id}", 5),
              HasSubstr("\"label\":\"name\""));
  EXPECT_THAT(editor.AskAt("textDocument/completion", text, "text(~18)"),
              HasSubstr("\"label\":\"number\""));
  EXPECT_THAT(editor.AskAt("textDocument/completion", text, "Student.id", 8),
              HasSubstr("\"label\":\"id\""));
}

// Words that no editor knew, each at the place where it may stand.
TEST(LanguageServer, CompletesTheWordsOfTheLanguage) {
  struct Case {
    const char* text;  // The place is its end.
    std::vector<const char*> words;
  };
  for (const Case& one : std::vector<Case>{
           {"", {"entity", "items", "tenant"}},
           {"entity A {\n  ", {"count", "ttl", "kept", "together"}},
           {"entity A {\n  id text ", {"zipf", "hottest", "grows", "spread", "distinct"}},
           {"pattern P {\n  ", {"returns", "scan", "one"}},
           {"pattern P {\n  find A ", {"returns", "exists", "descending"}},
           {"pattern P {\n  rate 5/s ", {"peak"}},
           {"pattern P {\n  scan ", {"allowed", "because"}},
           {"write W {\n  put A ", {"times", "once", "for", "if"}},
           {"write W {\n  update A ", {"remove", "set"}},
           {"table T partition PK {\n  item A {\n    total = ", {"sum", "count", "copy"}},
           {"table T partition PK {\n  item A {\n    a = copy of B.c kept by ", {"stream"}}}) {
    const std::string text = one.text;
    Document document{text};
    const std::string proposals = CompletionsJson(document, document.PositionOf(text.size()));
    for (const char* word : one.words) {
      EXPECT_THAT(proposals, HasSubstr("\"label\":\"" + std::string(word) + "\"")) << text;
    }
  }
}

TEST(LanguageServer, ExplainsTheWordsOfTheLanguage) {
  const std::string text = "entity A {\n  id text key\n  count 5\n  total number zipf 1.1\n}\n";
  Document document{text};
  EXPECT_THAT(HoverText(document, {2, 3}), HasSubstr("how many rows"));
  EXPECT_THAT(HoverText(document, {3, 17}), HasSubstr("Zipf"));
  EXPECT_EQ(HoverText(document, {2, 8}), "");
}

TEST(LanguageServer, FormatsOnlyWhatReads) {
  Editor editor("model \"A\"\nentity   B {\nid text key\n}\n");
  EXPECT_THAT(editor.Ask("textDocument/formatting"), HasSubstr("entity B {\\n  id text key"));
  Editor broken("model \"A\"\nentiti B {\n");
  EXPECT_THAT(broken.Ask("textDocument/formatting"), HasSubstr("null"));
}

TEST(LanguageServer, CountsInUtf16) {
  Document document("a\xF0\x9F\x98\x80z\n\xC3\xA9q");
  EXPECT_EQ(document.PositionOf(5), (Position{0, 3}));
  EXPECT_EQ(document.OffsetOf({0, 3}), 5u);
  EXPECT_EQ(document.OffsetOf({1, 1}), 9u);
  EXPECT_EQ(document.OffsetOf({7, 0}), document.text().size());
}

TEST(LanguageServer, AnswersNonsenseWithErrors) {
  Editor editor(kSchool);
  for (const char* message :
       {"", "{", "[]", "7", R"({"id":1})", R"({"id":1,"method":"nope"})",
        R"({"id":1,"method":"textDocument/hover"})",
        R"({"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"x"}}})"}) {
    const auto answers = editor.server().Handle(message);
    ASSERT_EQ(answers.size(), 1u) << message;
    EXPECT_THAT(answers[0], HasSubstr("\"error\"")) << message;
  }
  EXPECT_THAT(editor.Ask("textDocument/hover", R"("position":{"line":-5,"character":99999999999})"),
              Not(HasSubstr("error")));
}

TEST(LanguageServer, ChecksAThousandLinesInATenthOfASecond) {
  // A model of 1,000 lines: 50 entities in one table, each with its patterns.
  std::string text = "model \"Large\"\n";
  std::string items;
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "entity E" + n + " {\n  id text(~6) key\n  a text(~9)\n  b number(3)\n  count 100\n}\n\n";
    text += "pattern P" + n + " \"By id\" {\n  find E" + n + " where id = :id\n  rate 1/s\n}\n\n";
    items += "  item E" + n + " {\n    PK = \"E" + n + "#{id}\"\n    SK = \"META\"\n\n\n  }\n";
  }
  text += "table T partition PK sort SK {\n" + items + "}\n";
  ASSERT_GE(std::count(text.begin(), text.end(), '\n'), 900);
  Editor editor(text);
  editor.Findings();
  const auto start = std::chrono::steady_clock::now();
  constexpr int kKeys = 5;
  for (int i = 0; i < kKeys; ++i) {
    editor.Notify(
        "textDocument/didChange",
        R"("contentChanges":[{"range":{"start":{"line":2,"character":4},"end":{"line":2,"character":4}},"text":"x"}])");
    EXPECT_NE(editor.Findings(), "");
  }
  const auto each = std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::steady_clock::now() - start)
                        .count() /
                    kKeys;
  std::printf("%d lines: %lld ms for each key\n",
              static_cast<int>(std::count(text.begin(), text.end(), '\n')),
              static_cast<long long>(each));
  // Ten times what it takes, because tests share their machine and some builds are instrumented.
  EXPECT_LT(each, 1000);
}

}  // namespace
}  // namespace prejoin::lsp
