// Reading and formatting model files, and what the reader says about broken ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "model/bind/read_model.h"
#include "model/syntax/formatter.h"
#include "model/syntax/spelling.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Rendered(const std::string& source, const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    out += RenderDiagnostic("m.prejoin", source, diagnostic);
  }
  return out;
}

TEST(ReadModel, ReadsEveryExampleWithoutComplaint) {
  for (const std::string& file : SoundExampleFiles()) {
    const std::string source = ReadFileForTesting(file);
    const ReadModelResult result = ReadModel(source);
    EXPECT_TRUE(result.ok) << file << "\n" << Rendered(source, result.diagnostics);
  }
}

TEST(ReadModel, UnderstandsStudentsAndCourses) {
  const ReadModelResult result = ReadModel(
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin"));
  const Model& model = result.model;
  EXPECT_EQ(model.title, "Students and courses");
  ASSERT_THAT(model.entities, SizeIs(3));
  EXPECT_EQ(model.entities[0].count, 20000);
  const Attribute* student = model.entities[2].Find("studentId");
  ASSERT_NE(student, nullptr);
  EXPECT_EQ(student->size_avg, 6) << "a reference has the size of what it points at";
  ASSERT_THAT(model.relationships, SizeIs(1));
  EXPECT_EQ(model.relationships[0].CardinalityOf("Course")->bound, 2000);
  ASSERT_THAT(model.tables, SizeIs(1));
  EXPECT_EQ(model.tables[0].items[2].Find("SK")->key.ToString(), "\"ENROLL#CRS#{courseId}\"");
  EXPECT_EQ(model.patterns[2].sections[0].get.size(), 3u);
}

TEST(ReadModel, FiguresEndWhereDynamoDbDoes) {
  struct Case {
    const char* before;
    const char* most;
    const char* more;
    const char* after;
  };
  for (const Case& one : {
           Case{"entity A {\n  id text key\n  a text(~", "409600", "409601", ")\n}\n"},
           Case{"entity A {\n  id text key\n  a text(~5, max ", "409_600", "1M", ")\n}\n"},
           Case{"entity A {\n  id text key\n  a binary(", "409.6k", "999999999999", ")\n}\n"},
           Case{"entity A {\n  id text key\n  a number(", "38", "39", ")\n}\n"},
           Case{"entity A {\n  id text key\n  a text distinct ", "1000000000000", "1000001M",
                "\n}\n"},
           Case{"entity A {\n  id text key\n  a text zipf ", "10", "10.5", "\n}\n"},
           Case{"entity A {\n  id text key\n  count ", "1_000_000M", "1000000000001", "\n}\n"},
           Case{"entity A {\n  id text key\n}\npattern P {\n  find A where id = :i\n  rate ",
                "1000000000000", "1000000000001", "/s\n}\n"},
       }) {
    const std::string fits = std::string(one.before) + one.most + one.after;
    const ReadModelResult read = ReadModel(fits);
    EXPECT_TRUE(read.ok) << Rendered(fits, read.diagnostics);
    const std::string source = std::string(one.before) + one.more + one.after;
    const ReadModelResult refused = ReadModel(source);
    EXPECT_FALSE(refused.ok) << source;
    ASSERT_THAT(refused.diagnostics, SizeIs(1)) << source;
    EXPECT_THAT(refused.diagnostics[0].message,
                HasSubstr("`" + std::string(one.more) + "` is too large"));
  }
}

TEST(ReadModel, NestingHasAnEnd) {
  const auto repeated = [](std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      out += text;
    }
    return out;
  };
  for (const std::string& source :
       {repeated("{", 100'000), repeated("entity A {\n", 50'000), repeated("(", 100'000),
        "entity A {\n a " + repeated("map of (b ", 50'000),
        "entity A {\n a text values (" + repeated("[", 100'000) + ")\n}\n",
        "entity A {\n a text values (" + repeated("{x: ", 100'000) + ")\n}\n"}) {
    EXPECT_FALSE(ReadModel(source).ok) << source.substr(0, 40);
  }
}

TEST(ReadModel, ReportsSeveralErrorsEachWithPlaceLineAndSuggestion) {
  const std::string source =
      "entity Student {\n"
      "  id txt key\n"
      "  name text\n"
      "}\n"
      "patern P {\n"
      "}\n"
      "pattern Q {\n"
      "  find Studnt where id = :id\n"
      "  rate 5/parsec\n"
      "}\n";
  const ReadModelResult result = ReadModel(source);
  EXPECT_FALSE(result.ok);
  const std::string text = Rendered(source, result.diagnostics);
  EXPECT_THAT(text, HasSubstr("m.prejoin:2:6: error PJ001: expected the type of `id`, not `txt`\n"
                              "          id txt key\n"
                              "             ^~~\n"
                              "    fix: did you mean `text`?"));
  EXPECT_THAT(text, HasSubstr("m.prejoin:5:1: error PJ001: `patern` does not start a statement"));
  EXPECT_THAT(text, HasSubstr("fix: did you mean `pattern`?"));
  EXPECT_THAT(text, HasSubstr("m.prejoin:8:8: error PJ003: there is no entity `Studnt`"));
  EXPECT_THAT(text, HasSubstr("m.prejoin:9:10: error PJ001: expected a unit of time"));
}

TEST(ReadModel, OneUnclosedBracketDoesNotHideTheRest) {
  const ReadModelResult result =
      ReadModel("entity A {\n  id text(~4 key\n  n\n  count 5\n}\nentyty B {\n}\n");
  EXPECT_THAT(Rendered("", result.diagnostics), HasSubstr("did you mean `entity`?"));
  EXPECT_THAT(Rendered("", result.diagnostics), HasSubstr("never closed"));
}

// One slip in a whole file must give one message, at or near its place.
TEST(ReadModel, AMissingBraceGivesOneMessage) {
  const std::string source =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin");
  for (std::size_t at = 0; at < source.size(); ++at) {
    // Braces of blocks only: those of templates stand in the middle of a line.
    const bool opens = source[at] == '{' && source[at + 1] == '\n';
    const bool closes = source[at] == '}' && source[at + 1] == '\n' &&
                        (source[at - 1] == '\n' || source[at - 1] == ' ');
    if (!opens && !closes) {
      continue;
    }
    std::string broken = source;
    broken.erase(at, 1);
    const ReadModelResult result = ReadModel(broken);
    const auto line = std::count(source.begin(), source.begin() + static_cast<long>(at), '\n') + 1;
    EXPECT_EQ(result.diagnostics.size(), 1u) << "line " << line << "\n"
                                             << Rendered(broken, result.diagnostics);
    ASSERT_FALSE(result.diagnostics.empty());
    EXPECT_TRUE(!opens || result.diagnostics[0].at.line == line);
    EXPECT_FALSE(result.diagnostics[0].suggestion.empty());
  }
}

TEST(ReadModel, ASurplusBraceGivesTwoMessagesAtMost) {
  const ReadModelResult result = ReadModel(
      "entity A {\n  id text key\n}\n  name text\n  city text\n  zip text\n}\nentity B {\n  id "
      "text key\n}\n");
  EXPECT_LE(result.diagnostics.size(), 2u) << Rendered("", result.diagnostics);
  EXPECT_NE(result.declared().FindEntity("B"), nullptr);
}

TEST(ReadModel, ABlockMayStandInOneLineAndItsBraceOnTheNext) {
  const std::string source =
      "entity A { id text key }\nentity B\n{\n  id text key\n}\npattern P { find A where id = :x "
      "}\n";
  const ReadModelResult result = ReadModel(source);
  EXPECT_THAT(result.diagnostics, IsEmpty()) << Rendered(source, result.diagnostics);
  EXPECT_EQ(
      FormatTree(result.tree),
      "entity A {\n  id text key\n}\nentity B {\n  id text key\n}\npattern P {\n  find A where "
      "id = :x\n}\n");
}

struct SlipCase {
  const char* line;  // Instead of a line of an otherwise sound model …
  const char* help;  // … and what the one message must say.
};

TEST(ReadModel, AnUnreadLineHasNoFollowUps) {
  const std::string before =
      "entity A {\n  id text key\n  name text\n}\npattern P \"x\" {\n  find A where id = :x and "
      "name = "
      ":n\n  rate 4/s\n  example x = \"1\", n = \"2\"\n}\nentity L {\n  a references A.id key\n}\n"
      "relationship R: A one-to-many L\nstrategy R = item-collection\nsample A (id, name) {\n  "
      "\"1\", "
      "\"2\"\n}\n";
  ASSERT_TRUE(ReadModel(before).ok) << Rendered(before, ReadModel(before).diagnostics);
  const std::vector<std::pair<std::string, SlipCase>> cases = {
      {"  name text\n", {"  name string\n", "did you mean `text`?"}},
      {"  name text\n", {"  name int\n", "did you mean `number`?"}},
      {"  id text key\n", {"  id VARCHAR(20) key\n", "did you mean `text`?"}},
      {"name = :n", {"starts_with(name, :n)", "did you mean `begins_with`?"}},
      {"name = :n", {"name starts_with :n", "did you mean `begins_with`?"}},
      {"name = :n", {"name = n", "parameters start with a colon: :n"}},
      {"  rate 4/s\n", {"  rate 40\n", "write 40/s, 40/min"}},
      {"R: A one-to-many L", {"R: A one-to-lots L", "write one-to-one, one-to-many"}},
      {"  a references A.id key", {"  a reference A.id key", "did you mean `references`?"}},
  };
  for (const auto& [sound, slip] : cases) {
    std::string source = before;
    source.replace(source.find(sound), sound.size(), slip.line);
    const ReadModelResult result = ReadModel(source);
    const std::string text = Rendered(source, result.diagnostics);
    EXPECT_THAT(result.diagnostics, SizeIs(1)) << text;
    EXPECT_THAT(text, HasSubstr(slip.help));
  }
}

TEST(ReadModel, SuggestsBeginsWithForStartsWith) {
  const ReadModelResult result =
      ReadModel("entity A {\n id text key\n}\npattern P {\n find A where starts_with(id, :x)\n}\n");
  EXPECT_THAT(Rendered("", result.diagnostics), HasSubstr("did you mean `begins_with`?"));
}

TEST(ReadModel, ASuppressionNeedsAReason) {
  const ReadModelResult result = ReadModel("allow PJ201\n");
  EXPECT_THAT(Rendered("", result.diagnostics), HasSubstr("a suppression needs a reason"));
}

TEST(ReadModel, RejectsATemplateAttributeThatDoesNotExist) {
  const ReadModelResult result = ReadModel(
      "entity A {\n  id text key\n}\ntable T partition PK {\n  item A {\n    PK = \"A#{ident}\"\n  "
      "}\n}\n");
  ASSERT_THAT(result.diagnostics, SizeIs(1));
  EXPECT_EQ(result.diagnostics[0].at.line, 6);
  EXPECT_EQ(result.diagnostics[0].at.column, 14);
}

// What reports quote of a file must be text: `check --json` printed the wrong bytes, and that was no JSON.
TEST(ReadModel, RefusesBytesThatAreNotUtf8AtTheirPlace) {
  const ReadModelResult read =
      ReadModel("model \"M\"\nentity X {\n  id text key\n  a\xe9 text\n}\n");
  EXPECT_FALSE(read.ok);
  ASSERT_FALSE(read.diagnostics.empty());
  const Diagnostic& first = read.diagnostics.back();
  EXPECT_EQ(first.message, "the text is not UTF-8 from here on");
  EXPECT_EQ(first.at.line, 4);
  EXPECT_EQ(first.at.column, 4);
  EXPECT_TRUE(ReadModel("entity X {\n  id text key\n  \u00e9 text\n}\n").ok);
}

TEST(ReadModel, RefusesNamesWithCharactersThatCannotBeSeen) {
  for (const std::string hidden :
       {"\u2028", "\u2029", "\u202e", "\u200b", "\ufeff", "\u2066", "\u00ad", "\xc2\x85"}) {
    const ReadModelResult read =
        ReadModel("entity X {\n  id text key\n  a" + hidden + "b text\n}\n");
    ASSERT_FALSE(read.diagnostics.empty()) << hidden;
    EXPECT_EQ(read.diagnostics[0].message, "this name has a character that cannot be seen");
    EXPECT_EQ(read.diagnostics[0].at.line, 3);
  }
  EXPECT_TRUE(ReadModel("entity X {\n  id text key\n  \u00e4\u540d\u20ac text\n}\n").ok);
}

TEST(Format, ExamplesAreFormattedAlready) {
  for (const std::string& file : SoundExampleFiles()) {
    const std::string source = ReadFileForTesting(file);
    EXPECT_EQ(FormatTree(ReadModel(source).tree), source) << file;
  }
}

TEST(Format, KeepsCommentsAlignsColumnsAndIsIdempotent) {
  const std::string source =
      "\n\n// top\nentity   A{   // what A is\n"
      "// the key\nid text( ~4 )   key // short\n\n\nlongname number\n// last\n}  // end of A\n"
      "sample A ( id,longname ) {\n\"x\",1\n\"yyyy\",   -22\n}\n// bye\n";
  const std::string once = FormatTree(ReadModel(source).tree);
  EXPECT_EQ(once,
            "// top\n"
            "entity A {  // what A is\n"
            "  // the key\n"
            "  id text(~4) key  // short\n"
            "\n"
            "  longname number\n"
            "  // last\n"
            "}  // end of A\n"
            "sample A (id, longname) {\n"
            "  \"x\",    1\n"
            "  \"yyyy\", -22\n"
            "}\n"
            "// bye\n");
  EXPECT_EQ(FormatTree(ReadModel(once).tree), once);
}

TEST(Spelling, FindsTheNearestNameOrNothing) {
  EXPECT_EQ(NearestName("studnet", {"course", "student"}), "student");
  EXPECT_EQ(NearestName("zebra", {"course", "student"}), "");
}

// One random edit: a byte changed, inserted or removed, a stretch dropped, doubled or moved.
std::string Edited(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  static const std::string kBytes = "{}()[]\"',=:~.#/-\n aZ09_\\\xC3\xFF\t";
  const std::size_t edits = 1 + below(4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(40));
    switch (below(5)) {
      case 0:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 1:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

// 100,000 edits in all; each must come back with a place for every complaint, and what reads well
// must format well.
TEST(ReadModel, SurvivesRandomEditsOfTheExamples) {
  constexpr int kEdits = 100'000;
  const unsigned seed = 20251115;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<std::string> sources;
  for (const std::string& file : SoundExampleFiles()) {
    sources.push_back(ReadFileForTesting(file));
  }
  for (int i = 0; i < kEdits; ++i) {
    const std::string edited =
        Edited(sources[static_cast<std::size_t>(i) % sources.size()], random);
    const ReadModelResult result = ReadModel(edited);
    for (const Diagnostic& diagnostic : result.diagnostics) {
      ASSERT_GE(diagnostic.at.line, 1) << diagnostic.message << "\n" << edited;
      ASSERT_GE(diagnostic.at.column, 1);
    }
    if (result.ok && i % 16 == 0) {
      const std::string formatted = FormatTree(result.tree);
      ASSERT_EQ(FormatTree(ReadModel(formatted).tree), formatted) << edited;
    }
  }
}

}  // namespace
}  // namespace prejoin::model
