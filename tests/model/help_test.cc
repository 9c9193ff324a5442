// What `check` says is done by a program, again and again, until nothing is left to do: it ends, the patterns are served,
// and no index is there that another one already serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <sstream>

#include "model/check/apply_help.h"
#include "model/check/check.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/read_model.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

constexpr int kRoundsMax = 60;

// The first finding whose help can be done, done; nullopt if there is none.
std::optional<std::string> MendOne(const std::string& text, std::string& said) {
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    const auto mended = ApplyHelp(text, finding);
    if (!mended) {
      continue;
    }
    said = finding.rule + ": " + finding.message + "\n" + finding.suggestion;
    return mended;
  }
  return std::nullopt;
}

// Follows all helps and returns the text at the end.
std::string MendAll(std::string text) {
  std::set<std::string> seen = {text};
  std::string said;
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto mended = MendOne(text, said);
    if (!mended) {
      return text;
    }
    EXPECT_TRUE(ReadModel(*mended).ok) << said << "\n" << *mended;
    if (!seen.insert(*mended).second) {
      ADD_FAILURE() << "a circle: " << said << "\n" << *mended;
      return text;
    }
    text = *mended;
  }
  ADD_FAILURE() << "no end after " << kRoundsMax << " mends; the last was " << said << "\n" << text;
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

class Help : public ::testing::TestWithParam<std::string> {};

TEST_P(Help, FromTheQuestionsAloneLeadsToADesignThatServesThem) {
  const std::string mended = MendAll(LogicalHalf(ReadFileForTesting(GetParam())));
  // Which combinations of optional conditions deserve a key is for people: `advise` lists them.
  if (mended.find(" and optional ") != std::string::npos) {
    return;
  }
  std::set<std::string> rules;
  const std::string shown = Findings(mended, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << mended;
  }
}

TEST_P(Help, BringsBackWhatWasTakenAway) {
  const std::string mended = MendAll(WithoutIndexes(ReadFileForTesting(GetParam())));
  std::set<std::string> rules;
  const std::string shown = Findings(mended, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << mended;
  }
}

std::string HelpTestName(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = BaseName(test.param);
  return name.substr(0, name.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Examples, Help, ::testing::ValuesIn(SoundExampleFiles()), HelpTestName);

// Kinds of workload that the language was tried on: only what is asked.
class HelpOnWorkload : public ::testing::TestWithParam<std::string> {};

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

TEST_P(HelpOnWorkload, LeadsToADesignThatIsProvedWithoutNeedlessIndexes) {
  const std::string mended = MendAll(ReadFileForTesting(GetParam()));
  std::set<std::string> rules;
  const std::string shown = Findings(mended, rules);
  for (const char* rule : {"PJ101", "PJ201", "PJ210", "PJ226"}) {
    EXPECT_FALSE(rules.contains(rule)) << shown << mended;
  }
  const ReadModelResult read = ReadModel(mended);
  for (const Table& table : read.model.tables) {
    for (const Index& index : table.indexes) {
      EXPECT_TRUE(IsNeeded(read.model, table, index)) << index.name.text << "\n" << mended;
    }
  }
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto proof = ProveAtScale(read.model, {500, 3}, **backend, {});
  ASSERT_TRUE(proof.has_value());
  EXPECT_TRUE(proof->all_right) << RenderProof(*proof, false) << mended;
}

INSTANTIATE_TEST_SUITE_P(Workloads, HelpOnWorkload, ::testing::ValuesIn(WorkloadFiles()),
                         HelpTestName);

// Each finding of a broken example either goes when its help is done, or its help is advice.
class HelpOfBroken : public ::testing::TestWithParam<std::string> {};

TEST_P(HelpOfBroken, MendsWhatItIsAbout) {
  const std::string text = ReadFileForTesting(GetParam());
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    const auto mended = ApplyHelp(text, finding);
    if (!mended) {
      continue;
    }
    for (const Diagnostic& left : CheckModel(ReadModel(*mended))) {
      EXPECT_FALSE(left.rule == finding.rule && left.message == finding.message &&
                   left.at.line == finding.at.line)
          << finding.message << "\n"
          << finding.suggestion << "\n"
          << *mended;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, HelpOfBroken, ::testing::ValuesIn(ExampleFiles("broken")),
                         HelpTestName);

Diagnostic Said(const std::string& help) {
  return {"PJ000", Severity::kError, {2, 8, 5}, "", help};
}

TEST(ApplyHelp, KnowsAllForms) {
  const std::string text =
      "table T partition PK {\n  item A {   // a comment\n    PK  = \"A#{id}\" // why\n  }\n}\n";
  EXPECT_EQ(*ApplyHelp(text, Said("write inside `item A`:\n  X = \"1\"")),
            "table T partition PK {\n  item A {   // a comment\n    X = \"1\"\n    PK  = "
            "\"A#{id}\" // why\n  }\n}\n");
  EXPECT_EQ(
      *ApplyHelp(text, Said("write inside `item A` in place of `PK = \"A#{id}\"`:\n  PK = \"B\"")),
      "table T partition PK {\n  item A {   // a comment\n    PK = \"B\"\n  }\n}\n");
  EXPECT_EQ(
      *ApplyHelp(text, Said("remove from `item A`:\n  PK …\nand at the end of the file:\n  x")),
      "table T partition PK {\n  item A {   // a comment\n  }\n}\nx\n");
  EXPECT_EQ(
      *ApplyHelp(text, {"PJ000", Severity::kError, {3, 12, 2}, "", "write \"B#\""}),
      "table T partition PK {\n  item A {   // a comment\n    PK  = \"B#{id}\" // why\n  }\n}\n");
  EXPECT_EQ(*ApplyHelp("table T partition PK {\n  type K\n  index A partition X\n}\n",
                       Said("write inside `table T`:\n  index B partition Y")),
            "table T partition PK {\n  type K\n  index A partition X\n  index B partition Y\n}\n");
  for (const char* advice :
       {"", "Use one word.", "write inside `item B`:\n  X", "write inside `item A`:",
        "write inside `item A` in place of `SK = 1`:\n  X", "write \"open"}) {
    EXPECT_FALSE(ApplyHelp(text, Said(advice))) << advice;
  }
}

}  // namespace
}  // namespace prejoin::model
