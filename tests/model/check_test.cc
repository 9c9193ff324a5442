// The linter: nothing on the sound examples, and on each broken one exactly what its `// expect`
// comments say.
#include "model/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "model/check/all_rules.h"
#include "model/check/apply_fixes.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/syntax/fold.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using Expected = std::set<std::pair<int, std::string>>;

// (line, rule) of each `// expect PJ123` comment.
Expected ExpectedFindings(const std::string& source) {
  Expected expected;
  int line = 1;
  std::size_t begin = 0;
  while (begin < source.size()) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string text = source.substr(begin, end - begin);
    if (const std::size_t at = text.find("// expect "); at != std::string::npos) {
      expected.emplace(line, text.substr(at + 10, 5));
    }
    begin = end + 1;
    ++line;
  }
  return expected;
}

std::string Rendered(const std::string& file, const std::string& source,
                     const std::vector<Diagnostic>& findings) {
  std::string out;
  for (const Diagnostic& finding : findings) {
    out += RenderDiagnostic(file, source, finding);
  }
  return out;
}

class CheckBroken : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckBroken, ReportsTheExpectedRuleAtTheRightPlaceAndNothingElse) {
  const std::string source = ReadFileForTesting(GetParam());
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  Expected found;
  for (const Diagnostic& finding : findings) {
    found.emplace(finding.at.line, finding.rule);
  }
  EXPECT_EQ(found, ExpectedFindings(source)) << Rendered(BaseName(GetParam()), source, findings);
  EXPECT_FALSE(ExpectedFindings(source).empty());
}

std::string TestName(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = BaseName(test.param);
  name.resize(name.find('.'));
  return name;
}

INSTANTIATE_TEST_SUITE_P(Examples, CheckBroken, ::testing::ValuesIn(ExampleFiles("broken")),
                         TestName);

class CheckSound : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckSound, ReportsNothing) {
  const std::string source = ReadFileForTesting(GetParam());
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  EXPECT_TRUE(findings.empty()) << Rendered(BaseName(GetParam()), source, findings);
}

INSTANTIATE_TEST_SUITE_P(Examples, CheckSound, ::testing::ValuesIn(SoundExampleFiles()), TestName);

std::string WithoutLines(const std::string& source, const std::string& part) {
  std::istringstream lines(source);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) == std::string::npos) {
      out += line + "\n";
    }
  }
  return out;
}

std::string ReadmeModel() {
  const std::string readme = ReadFileForTesting(PREJOIN_SOURCE_DIR "/README.md");
  const std::string fence = "```prejoin\n";
  const std::size_t begin = readme.find(fence) + fence.size();
  return readme.substr(begin, readme.find("```\n", begin) - begin);
}

bool ProvesRight(const std::string& source) {
  const ReadModelResult read = ReadModel(source);
  EXPECT_TRUE(read.ok) << Rendered("m", source, read.diagnostics) << source;
  if (!read.ok) {
    return false;
  }
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = Prove(read.model, SampleData(read.model), **backend, {});
  EXPECT_TRUE(report.has_value());
  return report.has_value() && report->all_right;
}

// Breaks a model, follows what check says until it says nothing, and proves the result.
void ExpectHelpMends(std::string source) {
  EXPECT_FALSE(ProvesRight(source));
  for (int round = 0; round < 10; ++round) {
    const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
    const auto unserved = std::find_if(findings.begin(), findings.end(),
                                       [](const Diagnostic& one) { return one.rule == "PJ101"; });
    if (unserved == findings.end()) {
      EXPECT_TRUE(
          std::all_of(findings.begin(), findings.end(),
                      [](const Diagnostic& one) { return one.severity == Severity::kNote; }))
          << Rendered("m", source, findings) << source;
      break;
    }
    const auto fixed = ApplyFix(source, *unserved, FixScope::kUnsafeToo);
    ASSERT_TRUE(fixed) << unserved->suggestion.text();
    source = *fixed;
  }
  EXPECT_TRUE(ProvesRight(source)) << source;
}

TEST(Check, DroppingTheInvertedIndexSaysWhatIsLostAndItsHelpMendsIt) {
  const std::string source =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin");
  const std::string broken = WithoutLines(WithoutLines(source, "index GSI1"), "GSI1");
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(broken));
  const std::string text = Rendered("m", broken, findings);
  EXPECT_THAT(text,
              ::testing::HasSubstr("PJ101: `A11` is not supported by any key: no partition key of "
                                   "`Enrollment` can be built from courseId, so it takes a Scan"));
  ExpectHelpMends(WithoutLines(broken, "strategy Enrolments"));
  // Only the index is gone, its keys still stand in the item; and the other way round.
  ExpectHelpMends(WithoutLines(WithoutLines(source, "index GSI1"), "strategy Enrolments"));
  ExpectHelpMends(WithoutLines(WithoutLines(WithoutLines(source, "GSI1PK ="), "GSI1SK ="),
                               "strategy Enrolments"));
}

TEST(Check, TheHelpForAPatternUsesTheKeysThatStandInTheItem) {
  const std::string source =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d05_education.prejoin");
  const std::string broken = WithoutLines(source, "index GSI1");
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(broken));
  EXPECT_THAT(Rendered("m", broken, findings),
              ::testing::HasSubstr("index GSI1 partition GSI1-PK sort GSI1-SK project"));
  EXPECT_THAT(Rendered("m", broken, findings), ::testing::Not(::testing::HasSubstr("GSI1PK")));
  ExpectHelpMends(broken);
}

TEST(Check, TheHelpForAPatternMendsModelsWithoutTheItemOrTheTable) {
  const std::string logical =
      "entity A {\n  id text(~4) key\n  city text(~6)\n  rank number(3)\n}\nsample A (id, city, "
      "rank) {\n  \"a\", \"Rome\", 3\n  \"b\", \"Oslo\", 10\n  \"c\", \"Rome\", 10\n}\n";
  const std::string by_city = "pattern ByCity {\n  find A where city = :city order by rank\n}\n";
  const std::string all = "pattern All {\n  find A\n  rate 1/hour\n}\n";
  const std::string some = "pattern Some {\n  find A where city in (:one, :two) get id\n}\n";
  const std::string table = "table T partition PK {\n  item A {\n    PK = \"A#{id}\"\n  }\n}\n";
  ExpectHelpMends(logical + by_city);
  ExpectHelpMends(logical + by_city + table);
  ExpectHelpMends(logical + all + table);
  ExpectHelpMends(logical + some + table);
  ExpectHelpMends(logical + by_city + all + some + table);
}

TEST(Check, TheHelpForMissingAttributesMendsThem) {
  std::string source =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin");
  const std::string get = "get studentId, enrolledOn, grade";
  source.replace(source.find(get), get.size(), "get studentId, grade, Student.name");
  for (int round = 0; round < 5; ++round) {
    const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
    const auto missing = std::find_if(findings.begin(), findings.end(),
                                      [](const Diagnostic& one) { return one.rule == "PJ205"; });
    if (missing == findings.end()) {
      break;
    }
    EXPECT_EQ(missing->suggestion.text(),
              "add to `item Enrollment`:\n"
              "  studentName = copy of Student.name kept by stream\n"
              "and in `table School` replace `index GSI1 partition GSI1PK sort GSI1SK project "
              "enrolledOn, grade` with:\n"
              "  index GSI1 partition GSI1PK sort GSI1SK project enrolledOn, grade, studentName");
    ASSERT_EQ(round, 0) << source;
    source = *ApplyFix(source, *missing, FixScope::kUnsafeToo);
  }
  EXPECT_TRUE(ProvesRight(source)) << source;
}

// The model in the README is sound, and what the README says about breaking it is true.
TEST(Check, ReadmeModelIsSoundAndBreaksAsTheReadmeSays) {
  const std::string readme = ReadFileForTesting(PREJOIN_SOURCE_DIR "/README.md");
  const std::string source = ReadmeModel();
  EXPECT_EQ(Rendered("school.prejoin", source, CheckModel(ReadModel(source))), "");
  EXPECT_TRUE(ProvesRight(source));
  const std::string broken = WithoutLines(source, "GSI1");
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(broken));
  ASSERT_EQ(findings.size(), 1u) << Rendered("m", broken, findings);
  EXPECT_THAT(readme, ::testing::HasSubstr(Fold(Rendered("school.prejoin", broken, findings), 80)));
  ExpectHelpMends(broken);
}

// Every ```prejoin block of a page, one after the other, is one sound model.
TEST(Check, TheExamplesOfTheDocsAreSound) {
  for (const char* page : {"README.md", "docs/model/grammar.md"}) {
    const std::string text = ReadFileForTesting(std::string(PREJOIN_SOURCE_DIR "/") + page);
    const std::string fence = "```prejoin\n";
    std::string source;
    for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
      at += fence.size();
      source += text.substr(at, text.find("```\n", at) - at);
    }
    EXPECT_FALSE(source.empty()) << page;
    EXPECT_EQ(Rendered(page, source, CheckModel(ReadModel(source))), "");
  }
}

TEST(Check, TheDocsShowWhatCheckSays) {
  const std::string page = ReadFileForTesting(PREJOIN_SOURCE_DIR "/docs/model/README.md");
  std::string broken =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin");
  for (const char* part : {"index GSI1 partition", "GSI1PK =", "GSI1SK ="}) {
    broken = WithoutLines(broken, part);
  }
  for (const Diagnostic& finding : CheckModel(ReadModel(broken))) {
    if (finding.rule != "PJ101") {
      continue;
    }
    EXPECT_THAT(
        page, ::testing::HasSubstr(Fold(RenderDiagnostic("school.prejoin", broken, finding), 80)));
  }
}

TEST(Check, ASuppressionCoversItsBlockOnlyAndMustSuppressSomething) {
  const std::string source =
      "entity A {\n  id text(~4) key\n  allow PJ301 because \"x\"\n}\nallow PJ222 because \"x\"\n";
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "PJ004");
}

TEST(Check, EveryRuleExplainsItselfAndIdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_THAT(ExplainRule(rule), ::testing::HasSubstr("Fix: "));
  }
}

TEST(Check, SarifNamesRuleAndPlace) {
  const std::string path =
      PREJOIN_SOURCE_DIR "/examples/models/broken/x02_or_in_key_condition.prejoin";
  const std::string sarif =
      SarifReport({{"x.prejoin", CheckModel(ReadModel(ReadFileForTesting(path)))}});
  EXPECT_THAT(sarif, ::testing::HasSubstr("\"ruleId\": \"PJ102\""));
  EXPECT_THAT(sarif, ::testing::HasSubstr("\"uri\": \"x.prejoin\""));
}

}  // namespace
}  // namespace prejoin::model
