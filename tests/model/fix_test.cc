// The fixes of `check` are made, again and again, until none is left: it ends, the patterns are served,
// and no index is there that another one already serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <sstream>

#include "model/bind/read_model.h"
#include "model/check/apply_fixes.h"
#include "model/check/check.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/syntax/line_edit.h"
#include "model/syntax/unified_diff.h"
#include "tests/model/errors_of.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

constexpr int kRoundsMax = 60;

// The first finding that has a fix, fixed; nullopt if there is none.
std::optional<std::string> FixOne(const std::string& text, std::string& said) {
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    const auto fixed = ApplyFix(text, finding, FixScope::kUnsafeToo);
    if (!fixed) {
      continue;
    }
    said = finding.rule + ": " + finding.message + "\n" + finding.suggestion.text();
    return fixed;
  }
  return std::nullopt;
}

// Makes all fixes and returns the text at the end.
std::string FixAll(std::string text) {
  std::set<std::string> seen = {text};
  std::string said;
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto fixed = FixOne(text, said);
    if (!fixed) {
      return text;
    }
    EXPECT_TRUE(ReadModel(*fixed).ok) << said << "\n" << *fixed;
    if (!seen.insert(*fixed).second) {
      ADD_FAILURE() << "a circle: " << said << "\n" << *fixed;
      return text;
    }
    text = *fixed;
  }
  ADD_FAILURE() << "no end after " << kRoundsMax << " fixes; the last was " << said << "\n" << text;
  return text;
}

std::string Findings(const std::string& text, std::set<std::string>& rules) {
  std::string shown;
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    rules.insert(finding.rule);
    shown += RenderDiagnostic("m", text, finding);
  }
  return shown;
}

// The lines of the file without the tables, strategies and claims: what is asked, and nothing about how.
std::string LogicalHalf(const std::string& source) {
  std::istringstream lines(source);
  std::string out;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("table ")) {
      in_table = true;
    }
    if (!in_table && !line.starts_with("strategy ") && !line.starts_with("tenant ")) {
      out += line + "\n";
    }
    if (line == "}") {
      in_table = false;
    }
  }
  return out;
}

std::string WithoutIndexes(const std::string& source) {
  std::istringstream lines(source);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t word = line.find_first_not_of(' ');
    const bool index = word != std::string::npos && (line.substr(word).starts_with("index ") ||
                                                     line.substr(word).starts_with("local index "));
    if (!index && !line.starts_with("strategy ")) {
      out += line + "\n";
    }
  }
  return out;
}

class Fixes : public ::testing::TestWithParam<std::string> {};

TEST_P(Fixes, FromTheQuestionsAloneLeadsToADesignThatServesThem) {
  const std::string fixed = FixAll(LogicalHalf(ReadFileForTesting(GetParam())));
  // Which combinations of optional conditions deserve a key is for people: `advise` lists them.
  if (fixed.find(" and optional ") != std::string::npos) {
    return;
  }
  std::set<std::string> rules;
  const std::string shown = Findings(fixed, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << fixed;
  }
}

TEST_P(Fixes, BringsBackWhatWasTakenAway) {
  const std::string fixed = FixAll(WithoutIndexes(ReadFileForTesting(GetParam())));
  std::set<std::string> rules;
  const std::string shown = Findings(fixed, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << fixed;
  }
}

std::string FixTestName(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = BaseName(test.param);
  return name.substr(0, name.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Examples, Fixes, ::testing::ValuesIn(SoundExampleFiles()), FixTestName);

// Kinds of workload that the language was tried on: only what is asked.
class FixesOfWorkload : public ::testing::TestWithParam<std::string> {};

// An index earns its place by a pattern that is not served without it, or sorts or filters after reading.
bool IsNeeded(const Model& model, const Table& table, const Index& index) {
  Model without = model;
  for (Table& one : without.tables) {
    if (one.name == table.name) {
      std::erase_if(one.indexes, [&](const Index& other) { return other.name == index.name; });
    }
  }
  const auto faults = [](const Model& of) {
    std::size_t count = 0;
    for (const Plan& plan : PlanAll(of)) {
      count += plan.served ? plan.requests.size() : 1'000;
      for (const SectionPlan& section : plan.sections) {
        count += section.filters.size() + (section.client_sort ? 1 : 0) + section.follow_ups.size();
      }
    }
    return count;
  };
  return faults(without) > faults(model);
}

TEST_P(FixesOfWorkload, LeadsToADesignThatIsProvedWithoutNeedlessIndexes) {
  const std::string fixed = FixAll(ReadFileForTesting(GetParam()));
  std::set<std::string> rules;
  const std::string shown = Findings(fixed, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210", "PJ226"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << fixed;
  }
  const ReadModelResult read = ReadModel(fixed);
  for (const Table& table : read.model.tables) {
    for (const Index& index : table.indexes) {
      EXPECT_TRUE(IsNeeded(read.model, table, index)) << index.name.text << "\n" << fixed;
    }
  }
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto proof = ProveAtScale(read.model, {500, 3}, **backend, {});
  ASSERT_TRUE(proof.has_value());
  EXPECT_TRUE(proof->all_right) << RenderProof(*proof, false) << fixed;
}

INSTANTIATE_TEST_SUITE_P(Workloads, FixesOfWorkload, ::testing::ValuesIn(WorkloadFiles()),
                         FixTestName);

// Each finding of a broken example goes when its fix is made, and brings no error that was not there; or it has only advice.
class FixesOfBroken : public ::testing::TestWithParam<std::string> {};

TEST_P(FixesOfBroken, RemoveTheFinding) {
  const std::string text = ReadFileForTesting(GetParam());
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    const auto fixed = ApplyFix(text, finding, FixScope::kUnsafeToo);
    if (!fixed) {
      continue;
    }
    EXPECT_LE(ErrorsOf(*fixed), ErrorsOf(text)) << finding.suggestion.text() << "\n" << *fixed;
    for (const Diagnostic& left : CheckModel(ReadModel(*fixed))) {
      EXPECT_FALSE(left.rule == finding.rule && left.message == finding.message &&
                   left.at.line == finding.at.line)
          << finding.message << "\n"
          << finding.suggestion.text() << "\n"
          << *fixed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, FixesOfBroken, ::testing::ValuesIn(ExampleFiles("broken")),
                         FixTestName);

const char* const kOneTable =
    "table T partition PK {\n  item A {   // a comment\n    PK  = \"A#{id}\" // why\n  }\n}\n";

// The text after one edit; the reason where it has no place.
std::string Edited(const std::string& text, LineEdit edit) {
  std::vector<Diagnostic> ignored;
  const SyntaxTree tree = ParseStatements(text, ignored);
  const auto edits = EditPlacer(text, tree).Place({std::move(edit)});
  return edits ? ApplyEdits(text, *edits).value_or("does not fit") : "no place";
}

TEST(LineEdit, FindsStatementsByPlaceAndKeepsCommentsAndIndents) {
  const std::string text = kOneTable;
  EXPECT_EQ(Edited(text, {LineEditKind::kAdd, "item A", {2, 8, 1}, {"X = \"1\""}, "", ""}),
            "table T partition PK {\n  item A {   // a comment\n    X = \"1\"\n    PK  = "
            "\"A#{id}\" // why\n  }\n}\n");
  EXPECT_EQ(Edited(text, {LineEditKind::kReplace, "item A", {3, 5, 2}, {"PK = \"B\""}, "", ""}),
            "table T partition PK {\n  item A {   // a comment\n    PK = \"B\" // why\n  }\n}\n");
  EXPECT_EQ(Edited(text, {LineEditKind::kReplace, "item A", {2, 8, 1}, {"PK = C"}, "", "PK"}),
            "table T partition PK {\n  item A {   // a comment\n    PK = C // why\n  }\n}\n");
  EXPECT_EQ(Edited(text, {LineEditKind::kRemove, "item A", {3, 12, 1}, {}, "", ""}),
            "table T partition PK {\n  item A {   // a comment\n  }\n}\n");
  EXPECT_EQ(Edited(text, {LineEditKind::kRemove, "table T", {2, 3, 1}, {}, "", ""}),
            "table T partition PK {\n}\n");
  EXPECT_EQ(Edited("a", {LineEditKind::kAppend, "", {}, {"table T partition PK {", "}"}, "", ""}),
            "a\n\ntable T partition PK {\n}\n");
}

TEST(LineEdit, AddsToBlocksOfAnyForm) {
  const LineEdit index{LineEditKind::kAdd, "table T", {1, 7, 1}, {"index B partition Y"}, "", ""};
  EXPECT_EQ(Edited("table T partition PK {\n  type K\n  index A partition X\n}\n", index),
            "table T partition PK {\n  type K\n  index A partition X\n  index B partition Y\n}\n");
  // A block on one line, and a brace on a line of its own.
  EXPECT_EQ(Edited("pattern A { find B }\n",
                   {LineEditKind::kAdd, "pattern A", {1, 9, 1}, {"rate 1/s"}, "", ""}),
            "pattern A {\n  rate 1/s\n  find B }\n");
  EXPECT_EQ(Edited("table T partition PK\n{\n  type K\n}\n", index),
            "table T partition PK\n{\n  index B partition Y\n  type K\n}\n");
}

TEST(LineEdit, GivesAnItemWithoutABlockOne) {
  EXPECT_EQ(Edited("table T partition id {\n  item A // natural keys\n}\n",
                   {LineEditKind::kAdd, "", {2, 8, 1}, {"GSI1PK = \"A#{id}\""}, "", ""}),
            "table T partition id {\n  item A {\n    GSI1PK = \"A#{id}\"\n  } // natural keys\n}\n");
}

TEST(LineEdit, HasNoPlaceWhereNothingStands) {
  for (const SourceSpan& at : {SourceSpan{0, 1, 1}, {4, 4, 1}, {6, 1, 1}, {99, 1, 1}}) {
    EXPECT_EQ(Edited(kOneTable, {LineEditKind::kRemove, "", at, {}, "", ""}), "no place")
        << at.line;
  }
  EXPECT_EQ(Edited(kOneTable, {LineEditKind::kAdd, "", {3, 5, 1}, {"x"}, "", ""}), "no place");
  EXPECT_EQ(Edited(kOneTable, {LineEditKind::kReplace, "", {2, 8, 1}, {"x"}, "", "SK"}),
            "no place");
}

TEST(ApplyEdits, RefusesEditsOfAnotherText) {
  const Edit edit{{1, 3}, {1, 4}, "c", "C"};
  EXPECT_EQ(ApplyEdits("abcd", {edit}), "abCd");
  EXPECT_EQ(ApplyEdits("abxd", {edit}), std::nullopt);
  EXPECT_EQ(ApplyEdits("ab", {edit}), std::nullopt);
  EXPECT_EQ(ApplyEdits("abcd", {edit, edit}), std::nullopt);
  EXPECT_EQ(ApplyEdits("a\nb\n", {{{2, 1}, {3, 1}, "b\n", ""}}), "a\n");
}

// A name that is written wrong, an `allow` for nothing, and a projection that repeats a key.
const char* const kThreeSlips =
    "entity A {\n  id text(~4) key\n  name txt(~9)\n  count 100\n}\n"
    "pattern ById {\n  allow PJ112 because \"it was hot\"\n  find A where id = :id\n}\n"
    "pattern ByName {\n  find A where name = :n get id\n}\n"
    "table T partition PK sort SK {\n  index G partition GPK sort GSK project PK\n  item A {\n"
    "    PK = \"A#{id}\"\n    SK = \"A\"\n    GPK = \"N#{name}\"\n    GSK = \"{id}\"\n  }\n}\n";

TEST(ApplyFixes, MakesSafeFixesUntilNoneIsLeft) {
  const FixedText done = ApplyFixes(kThreeSlips, FixScope::kSafe);
  std::string shown;
  for (const Diagnostic& finding : done.findings) {
    shown += RenderDiagnostic("m", done.text, finding);
  }
  EXPECT_EQ(done.fixed, 3u) << done.text << shown;
  EXPECT_TRUE(done.rejected.empty());
  EXPECT_FALSE(HasErrors(done.findings)) << shown;
  EXPECT_THAT(done.text, ::testing::HasSubstr("name text(~9)"));
  EXPECT_THAT(done.text, ::testing::Not(::testing::HasSubstr("allow")));
  EXPECT_THAT(done.text, ::testing::HasSubstr("index G partition GPK sort GSK project keys\n"));
  EXPECT_EQ(ApplyFixes(done.text, FixScope::kSafe).text, done.text);
}

TEST(ApplyFixes, LeavesTheDesignAloneUnlessAsked) {
  const std::string text =
      std::string("entity A {\n  id text(~4) key\n  city text(~9)\n  count 100\n}\n") +
      "pattern ByCity {\n  find A where city = :c get id\n}\n"
      "table T partition PK {\n  item A {\n    PK = \"A#{id}\"\n  }\n}\n";
  EXPECT_EQ(ApplyFixes(text, FixScope::kSafe).text, text);
  const FixedText done = ApplyFixes(text, FixScope::kUnsafeToo);
  EXPECT_GE(done.fixed, 1u);
  EXPECT_FALSE(HasErrors(done.findings)) << done.text;
}

// The nearest name is an item that is there already, and the block below it would be read for the first time.
TEST(ApplyFixes, RollsAFixBackThatLeavesMoreErrors) {
  const std::string text =
      "entity Book {\n  id text(~4) key\n  count 100\n}\n"
      "pattern ById {\n  find Book where id = :id\n}\n"
      "table T partition PK {\n  item Book {\n    PK = \"B#{id}\"\n  }\n"
      "  item Books {\n    PK = \"{one}#{two}\"\n  }\n}\n";
  const FixedText done = ApplyFixes(text, FixScope::kUnsafeToo);
  EXPECT_EQ(done.text, text);
  EXPECT_EQ(done.fixed, 0u);
  ASSERT_EQ(done.rejected.size(), 1u);
  EXPECT_THAT(done.rejected[0].finding.message, ::testing::HasSubstr("Books"));
  EXPECT_EQ(done.rejected[0].why, "it leaves more errors than there were");
}

// No fix of any example makes its file worse, whatever the order in which they are made.
TEST(ApplyFixes, NeverLeavesMoreErrors) {
  std::vector<std::string> files = ExampleFiles("broken");
  ASSERT_FALSE(files.empty());
  std::size_t fixed = 0;
  for (const std::string& file : files) {
    const std::string text = ReadFileForTesting(file);
    for (const FixScope scope : {FixScope::kSafe, FixScope::kUnsafeToo}) {
      const FixedText done = ApplyFixes(text, scope);
      fixed += done.fixed;
      EXPECT_LE(ErrorsOf(done.text), ErrorsOf(text)) << file << done.text;
    }
  }
  EXPECT_GT(fixed, 0u);
}

// Data of a link leaves the list that holds it only if no pattern reads it there.
TEST(Fixes, KeepWhatAPatternReads) {
  const auto text = [](const std::string& get) {
    return "entity A {\n  id text(~6) key\n}\nentity B {\n  id text(~6) key\n}\n"
           "entity L {\n  a references A.id key\n  b references B.id key\n  grade text(~2)\n}\n"
           "relationship AB: A many-to-many B through L {\n  each A has ~5, at most 40\n}\n"
           "pattern P {\n  find L where a = :a" +
           get +
           "\n}\ntable T partition PK {\n  item A {\n    PK = \"A#{id}\"\n"
           "    links = list of L (b, grade)\n  }\n  item B {\n    PK = \"B#{id}\"\n  }\n}\n";
  };
  for (const auto& [get, fixed] : {std::pair{"", false}, {" get b", true}}) {
    const std::vector<Diagnostic> findings = CheckModel(ReadModel(text(get)));
    const auto found = std::ranges::find(findings, "PJ216", &Diagnostic::rule);
    ASSERT_NE(found, findings.end()) << get;
    EXPECT_EQ(found->suggestion.FirstFix() != nullptr, fixed) << found->suggestion.text();
    EXPECT_FALSE(found->suggestion.empty());
  }
}

// What a person must choose or complete is offered, and never applied in bulk.
TEST(Fixes, OfDisplayOnlyAreCompleteAndLeftToPeople) {
  const std::string text =
      "entity Owner {\n  id text(~8) key\n  email text(~24)\n  since date\n  pets number(2)\n"
      "  kind text(~4) values (\"DOG\", \"CAT\")\n}\n"
      "sample Owner (id) {\n  \"o1\" // The first.\n  \"o2\"\n}\n"
      "pattern P {\n  find Zebra where id = :id\n}\n";
  EXPECT_EQ(ApplyFixes(text, FixScope::kUnsafeToo).text, text);
  std::string now = text;
  for (const char* rows : {"\"o2\", \"email 2\"\n", "\"DOG\"\n", ", 2\n", "-03\"\n"}) {
    const std::vector<Diagnostic> findings = CheckModel(ReadModel(now));
    const auto column = std::ranges::find_if(findings, [](const Diagnostic& one) {
      return one.message.find("has no column") != std::string::npos;
    });
    if (column == findings.end()) {
      break;
    }
    const Fix* fix = column->suggestion.FirstFix();
    ASSERT_NE(fix, nullptr);
    EXPECT_EQ(fix->applicability, Applicability::kDisplayOnly);
    now = ApplyEdits(now, fix->edits).value();
    EXPECT_THAT(now, ::testing::HasSubstr(rows));
  }
  EXPECT_THAT(now, ::testing::HasSubstr("sample Owner (id, email, kind, pets, since) {\n"));
  EXPECT_THAT(now, ::testing::HasSubstr(" // The first.\n"));
  const std::vector<Diagnostic> left = CheckModel(ReadModel(now));
  ASSERT_EQ(left.size(), 1u) << RenderDiagnostic("m", now, left[0]);
  EXPECT_EQ(left[0].suggestion.text(), "known: Owner");
  ASSERT_EQ(left[0].suggestion.fixes.size(), 2u);
  EXPECT_EQ(left[0].suggestion.fixes[1].title, "write `Owner`");
}

TEST(UnifiedDiff, ShowsChangesWithThreeLinesAround) {
  EXPECT_EQ(UnifiedDiff("m", "a\n", "a\n"), "");
  EXPECT_EQ(UnifiedDiff("m", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nX\n6\n"),
            "--- m\n+++ m\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+X\n 6\n");
  EXPECT_EQ(UnifiedDiff("m", "", "a\nb"),
            "--- m\n+++ m\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n");
  const std::string far = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  EXPECT_EQ(UnifiedDiff("m", "a\n" + far + "b\n", far),
            "--- m\n+++ m\n@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -9,4 +8,3 @@\n 8\n 9\n 10\n-b\n");
}

}  // namespace
}  // namespace prejoin::model
