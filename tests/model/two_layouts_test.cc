// Rows that are stored in more than one layout: read, printed, planned, priced and proved.
#include <gtest/gtest.h>

#include "model/bind/read_model.h"
#include "model/check/apply_fixes.h"
#include "model/check/check.h"
#include "model/cost/cost.h"
#include "model/data/item_render.h"
#include "model/layout/print_physical.h"
#include "model/plan/planner.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/prove.h"
#include "model/schema/model_json.h"
#include "model/syntax/formatter.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

std::string Example() {
  return ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/w05_two_layouts.prejoin");
}

// A small model with a place for more lines in the table.
std::string Small(const std::string& items, const std::string& more = "") {
  return "entity A {\n  id text(~4) key\n  group text(~4)\n  mail text(~9) unique optional 50%\n  "
         "body text(~90)\n}\n" +
         more +
         "table T partition PK sort SK {\n  item A {\n    PK = \"A#{id}\"\n    SK = \"A\"\n  }\n" +
         items + "}\n";
}

std::string Problems(const std::string& text) {
  std::string out;
  for (const Diagnostic& diagnostic : ReadModel(text).diagnostics) {
    out += diagnostic.message + "\n";
  }
  return out;
}

std::string PlanOf(const Model& model, const std::string& pattern) {
  const Plan plan = PlanPattern(model, *model.FindPattern(pattern));
  std::string out;
  for (const Request& request : plan.requests) {
    out += DescribeRequest(request) + "\n";
  }
  for (const SectionPlan& section : plan.sections) {
    for (const FollowUp& follow_up : section.follow_ups) {
      out += "then " + follow_up.entity.text + "\n";
    }
  }
  return plan.served ? out : plan.refusal;
}

TEST(TwoLayouts, TheExampleIsSoundAndCostsWhatItsCommentSays) {
  const ReadModelResult read = ReadModel(Example());
  ASSERT_TRUE(read.ok) << Problems(Example());
  for (const Diagnostic& finding : CheckModel(read)) {
    EXPECT_NE(finding.severity, Severity::kError) << finding.message;
  }
  const CostReport cost = EstimateCost(read.model, PlanAll(read.model), Prices());
  std::map<std::string, double> units;
  for (const PatternCost& pattern : cost.patterns) {
    units[pattern.name] = pattern.each.read_units;
  }
  for (const WriteCost& write : cost.writes) {
    units[write.name] = write.total_units;
  }
  const std::map<std::string, double> by_hand = {
      {"Recent", 1},   {"OneOrder", 0.5}, {"Papers", 1.5}, {"Inbox", 0.5},
      {"Open", 3},     {"Place", 10},     {"Advance", 10}, {"Redraw", 4},
      {"Cancel", 10},  {"Receive", 42},   {"Read", 1}};
  EXPECT_EQ(units, by_hand);
}

TEST(TwoLayouts, TheExampleIsProvedAndUnitsArePredicted) {
  const ReadModelResult read = ReadModel(Example());
  auto backend = EmbeddedBackend::OpenInMemory();
  ASSERT_TRUE(backend.has_value());
  const auto report = Prove(read.model, SampleData(read.model), **backend, {});
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->all_right) << RenderProof(*report, true);
  for (const WriteProof& write : report->writes) {
    EXPECT_EQ(write.predicted_units, write.measured_units) << write.name;
    // The document is in one item, the status in both.
    const bool one_item = write.name == "Redraw" || write.name == "Read";
    EXPECT_EQ(write.items_written, one_item ? 1U : 2U) << write.name;
  }
}

TEST(TwoLayouts, EachPatternTakesTheLayoutThatServesIt) {
  const ReadModelResult read = ReadModel(Example());
  EXPECT_EQ(PlanOf(read.model, "OneOrder"),
            "GetItem Shop where PK = \"ORDER#{:order}\" and SK = \"#ORDER\"\n");
  EXPECT_NE(PlanOf(read.model, "Recent").find("Query Shop where PK = \"CUSTOMER#{:customer}\""),
            std::string::npos)
      << PlanOf(read.model, "Recent");
  // What the short item does not hold comes from the long one.
  EXPECT_NE(PlanOf(read.model, "Papers").find("then Order\n"), std::string::npos)
      << PlanOf(read.model, "Papers");
  EXPECT_EQ(PlanOf(read.model, "Inbox").find("then"), std::string::npos);
  EXPECT_NE(PlanOf(read.model, "Open").find("then MailText\n"), std::string::npos);
}

TEST(TwoLayouts, ASecondLayoutWithAnOptionalKeyServesOnlyWhoAsksForIt) {
  const std::string text =
      Small("  item ByMail of A {\n    PK = \"MAIL#{mail}\"\n    SK = \"A#{id}\"\n  }\n",
            "pattern ByMail {\n  find A where mail = :m\n}\npattern All {\n  find A where id = "
            ":i\n}\nsample A (id, group, mail, body) {\n  \"1\", \"g\", \"m\", \"b\"\n  \"2\", "
            "\"g\", -, \"c\"\n}\nwrite Put {\n  put A once\n}\nwrite Forget {\n  update A remove "
            "mail\n}\n"
            "write Move {\n  update A set mail\n}\nwrite Drop {\n  delete A\n}\n");
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok) << Problems(text);
  EXPECT_EQ(PlanOf(read.model, "All"), "GetItem T where PK = \"A#{:i}\" and SK = \"A\"\n");
  EXPECT_NE(PlanOf(read.model, "ByMail").find("MAIL#{:m}"), std::string::npos);
  const Dataset data = SampleData(read.model);
  DataIndex index(data);
  EXPECT_EQ(RenderAll(read.model, index)[0].items.size(), 3U);
  auto backend = EmbeddedBackend::OpenInMemory();
  const auto report = Prove(read.model, data, **backend, {});
  ASSERT_TRUE(report.has_value());
  for (const PatternProof& proof : report->patterns) {
    EXPECT_TRUE(proof.right) << proof.name;
  }
}

TEST(TwoLayouts, TheFileSaysThemAndKeepsThem) {
  const std::string text =
      Small("  item Short of A (id, group) {\n    PK = \"G#{group}\"\n    SK = \"A#{id}\"\n  }\n");
  const ReadModelResult read = ReadModel(text);
  ASSERT_TRUE(read.ok) << Problems(text);
  std::vector<Diagnostic> none;
  const std::string formatted = FormatTree(ParseStatements(text, none));
  EXPECT_NE(formatted.find("  item Short of A (id, group) {"), std::string::npos) << formatted;
  EXPECT_NE(PrintPhysical(read.model, {}).find("  item Short of A (id, group) {"),
            std::string::npos)
      << PrintPhysical(read.model, {});
  EXPECT_NE(ModelJson(read.model).find("\"of\": \"A\""), std::string::npos);
  EXPECT_EQ(read.model.entities.size(), 1U);
}

TEST(TwoLayouts, MistakesAreTold) {
  const std::string keys = " {\n    PK = \"G#{group}\"\n    SK = \"A#{id}\"\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"  item A" + keys + "  }\n", "`A` has two layouts"},
      {"  item B of C" + keys + "  }\n", "there is no entity `C`"},
      {"  item A of A" + keys + "  }\n", "there is an entity or a layout `A` already"},
      {"  item B of A (color)" + keys + "  }\n", "`A` has no attribute `color`"},
      {"  item B of A" + keys + "    unique mail by lock item\n  }\n",
       "a second layout has no lock item"},
      {"  item B of A (group) {\n    PK = \"G#{group}\"\n    SK = \"#G\"\n  }\n",
       "do not say which `A`"},
      {"  item B of A {\n    PK = \"G#{group}\"\n  }\n", "items of `B` have no SK"}};
  for (const auto& [items, message] : cases) {
    EXPECT_NE(Problems(Small(items)).find(message), std::string::npos)
        << items << Problems(Small(items));
  }
  EXPECT_NE(
      Problems(Small("  item B of A" + keys + "  }\n", "pattern P {\n  find B where id = :i\n}\n"))
          .find("there is no entity `B`"),
      std::string::npos);
}

TEST(TwoLayouts, FindingsKnowThem) {
  const auto findings = [](const std::string& text) {
    std::string out;
    const ReadModelResult read = ReadModel(text);
    for (const Diagnostic& finding : CheckModel(read)) {
      out += finding.rule + " " + finding.message + "\n";
    }
    return out;
  };
  const std::string pattern = "pattern P {\n  find A where id = :i\n}\n";
  // Nothing reads it, and nothing is kept by it.
  EXPECT_NE(findings(Small("  item B of A {\n    PK = \"G#{group}\"\n    SK = \"A#{id}\"\n  }\n",
                           pattern))
                .find("PJ230 no pattern reads `A` as `B`"),
            std::string::npos);
  // Two rows of a group become one item.
  EXPECT_NE(
      findings(Small("  item B of A {\n    PK = \"G#{group}\"\n    SK = \"B\"\n  }\n", pattern))
          .find("PJ106 `id` identifies one B"),
      std::string::npos);
  // The same keys for both.
  EXPECT_NE(findings(Small("  item B of A {\n    PK = \"A#{id}\"\n    SK = \"A\"\n  }\n", pattern))
                .find("PJ105"),
            std::string::npos);
  // An attribute that every layout leaves out is lost; its help brings it back.
  std::string lost = Small("", pattern);
  lost.replace(lost.find("    SK = \"A\"\n"), 13, "    SK = \"A\"\n    without body\n");
  const ReadModelResult read = ReadModel(lost);
  bool told = false;
  for (const Diagnostic& finding : CheckModel(read)) {
    if (finding.rule != "PJ221") {
      continue;
    }
    told = true;
    const auto mended = ApplyFix(lost, finding, FixScope::kUnsafeToo);
    ASSERT_TRUE(mended) << finding.suggestion.text();
    EXPECT_EQ(findings(*mended).find("PJ221"), std::string::npos);
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace prejoin::model
