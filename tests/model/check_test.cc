// The linter: nothing on the sound examples, and on each broken one exactly what its `// expect`
// comments say.
#include "model/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/check/rule.h"
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
    if (const std::size_t at = text.find("// expect "); at != std::string::npos)
      expected.emplace(line, text.substr(at + 10, 5));
    begin = end + 1;
    ++line;
  }
  return expected;
}

std::string Rendered(const std::string& file, const std::string& source,
                     const std::vector<Diagnostic>& findings) {
  std::string out;
  for (const Diagnostic& finding : findings) out += RenderDiagnostic(file, source, finding);
  return out;
}

class CheckBroken : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckBroken, ReportsTheExpectedRuleAtTheRightPlaceAndNothingElse) {
  const std::string source = ReadFileForTesting(GetParam());
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  Expected found;
  for (const Diagnostic& finding : findings) found.emplace(finding.at.line, finding.rule);
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

TEST(Check, DroppingTheInvertedIndexSaysWhatIsLostAndHowToMendIt) {
  std::string source =
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin");
  for (const std::string line :
       {"  index GSI1 partition GSI1PK sort GSI1SK project enrolledOn, grade\n",
        "    GSI1PK = \"CRS#{courseId}\"\n", "    GSI1SK = \"STU#{studentId}\"\n"}) {
    const std::size_t at = source.find(line);
    ASSERT_NE(at, std::string::npos);
    source.erase(at, line.size());
  }
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  const std::string text = Rendered("m", source, findings);
  EXPECT_THAT(text,
              ::testing::HasSubstr("PJ101: `A11` is not served: no partition key of `Enrollment` "
                                   "can be made from courseId: it would need a Scan"));
  EXPECT_THAT(text,
              ::testing::HasSubstr("GSI1PK = \"CRS#{courseId}\", GSI1SK = \"STU#{studentId}\""));
}

// The model in the README is sound, and what the README says about breaking it is true.
TEST(Check, ReadmeModelIsSoundAndBreaksAsTheReadmeSays) {
  const std::string readme = ReadFileForTesting(PREJOIN_SOURCE_DIR "/README.md");
  const std::string fence = "```prejoin\n";
  const std::size_t begin = readme.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::string source = readme.substr(
      begin + fence.size(), readme.find("```\n", begin + fence.size()) - begin - fence.size());
  EXPECT_EQ(Rendered("school.prejoin", source, CheckModel(ReadModel(source))), "");
  std::string broken;
  std::size_t line = 0;
  while (line < source.size()) {
    const std::size_t end = source.find('\n', line) + 1;
    if (source.substr(line, end - line).find("GSI1") == std::string::npos)
      broken += source.substr(line, end - line);
    line = end;
  }
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(broken));
  ASSERT_EQ(findings.size(), 1u);
  const std::string text = Rendered("school.prejoin", broken, findings);
  EXPECT_THAT(readme, ::testing::HasSubstr(text.substr(0, text.find('\n'))));
  EXPECT_THAT(readme, ::testing::HasSubstr(findings[0].suggestion));
}

TEST(Check, ASuppressionCoversItsBlockOnlyAndMustSuppressSomething) {
  const std::string source = "entity A {\n  id text(~4) key\n  allow PJ301 because \"x\"\n}\n";
  const std::vector<Diagnostic> findings = CheckModel(ReadModel(source));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "PJ004");
}

TEST(Check, EveryRuleExplainsItselfAndIdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_THAT(ExplainRule(rule), ::testing::HasSubstr("Mend: "));
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
