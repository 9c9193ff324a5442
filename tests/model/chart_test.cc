// The SVG of every sound example: well-formed, complete, and nothing drawn outside the picture.
#include "model/chart/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "model/bind/read_model.h"
#include "model/chart/er_view.h"
#include "model/chart/svg_writer.h"
#include "model/syntax/figure_text.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Group(const std::string& kind, const std::string& name) {
  return "<g class=\"" + kind + "\" data-name=\"" + name + "\">";
}

class ChartExample : public ::testing::TestWithParam<std::string> {};

TEST_P(ChartExample, SvgHasEveryPart) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  const std::string svg = DrawChart(read.model, ChartFormat::kSvg);
  for (const Entity& entity : read.model.entities) {
    EXPECT_THAT(svg, HasSubstr(Group("entity", entity.name.text)));
  }
  for (const Relationship& relationship : read.model.relationships) {
    EXPECT_THAT(svg, HasSubstr(Group("relationship", relationship.name.text)));
  }
  for (const Pattern& pattern : read.model.patterns) {
    EXPECT_THAT(svg, HasSubstr(Group("pattern", pattern.name.text)));
  }
  for (const Table& table : read.model.tables) {
    EXPECT_THAT(svg, HasSubstr(Group("table", table.name.text)));
    for (const ItemLayout& layout : table.items) {
      EXPECT_THAT(svg, HasSubstr(Group("layout", layout.entity.text)));
    }
    for (const Index& index : table.indexes) {
      EXPECT_THAT(svg, HasSubstr(Group("index", table.name.text + "." + index.name.text)));
    }
  }
  for (const StrategyChoice& choice : read.model.strategies) {
    for (const Name& name : choice.strategies) {
      EXPECT_THAT(svg, HasSubstr(name.text + " (P"));
    }
  }
  EXPECT_THAT(svg, Not(HasSubstr("href")));
}

TEST_P(ChartExample, SvgIsDrawnWell) {
  const ReadModelResult read = ReadModel(ReadFileForTesting(GetParam()));
  ASSERT_TRUE(read.ok);
  const std::string path = ::testing::TempDir() + "chart_" + BaseName(GetParam()) + ".svg";
  std::ofstream(path) << DrawChart(read.model, ChartFormat::kSvg);
  const std::string command =
      "/usr/bin/python3 " PREJOIN_SOURCE_DIR "/tests/model/svg_layout.py " + path;
  EXPECT_EQ(std::system(command.c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Sound, ChartExample, ::testing::ValuesIn(SoundExampleFiles()),
                         [](const auto& test) {
                           std::string name = BaseName(test.param);
                           name.resize(name.find('.'));
                           return name;
                         });

TEST(Chart, LabelsOfRelationships) {
  const ReadModelResult read = ReadModel(
      ReadFileForTesting(PREJOIN_SOURCE_DIR "/examples/models/d04_students_and_courses.prejoin"));
  ASSERT_TRUE(read.ok);
  const std::string label = RelationshipLabel(read.model, read.model.relationships.at(0));
  EXPECT_THAT(label, HasSubstr("N : M through Enrollment"));
  EXPECT_THAT(label, HasSubstr("(P"));
}

TEST(Chart, TextIsMeasuredInCharacters) {
  EXPECT_EQ(SvgColumns("Größe"), 5);
  EXPECT_EQ(SvgColumns("学校"), 4);
  EXPECT_EQ(SvgShortened("abcde", 5), "abcde");
  EXPECT_EQ(SvgShortened("abcdef", 5), "abcd…");
  EXPECT_EQ(SvgShortened("ööööööö", 4), "ööö…");
  EXPECT_THAT(SvgWrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(SvgWrapped("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(SvgWrapped("", 4), ElementsAre(""));
}

TEST(Chart, MarkupInTextIsText) {
  SvgWriter svg;
  svg.Text(0, 10, "<b>&\"\x01");
  EXPECT_THAT(svg.Finish("<t>"), HasSubstr(">&lt;b&gt;&amp;&quot; </text>"));
  EXPECT_THAT(svg.Finish("<t>"), HasSubstr("<title>&lt;t&gt;</title>"));
}

TEST(FigureText, ReadsLikeANumber) {
  EXPECT_EQ(FigureText(0), "0");
  EXPECT_EQ(FigureText(0.5), "0.5");
  EXPECT_EQ(FigureText(2.0 / 3), "0.6667");
  EXPECT_EQ(FigureText(0.00001), "under 0.001");
  EXPECT_EQ(MoneyText(0.000047), "under 0.01");
  EXPECT_EQ(MoneyText("$", 0.000047), "under $0.01");
  EXPECT_EQ(MoneyText("$", 4.861), "$4.86");
  EXPECT_EQ(MoneyText("$", 9909.4), "$9,909");
  EXPECT_EQ(MoneyText("$", -3.1), "-$3.10");
  EXPECT_EQ(MoneyText("$", 0), "$0.00");
  EXPECT_EQ(RoughText(46.05), "46");
  EXPECT_EQ(RoughText(4.861), "4.9");
  EXPECT_EQ(RoughText(0.1234), "0.12");
  EXPECT_EQ(RoughText(1157.41), "1,157");
  EXPECT_EQ(RoughText(0.00001), "under 0.001");
  EXPECT_EQ(MoneyText(9908.6), "9,909");
  EXPECT_EQ(PercentText(0.00000033), "under 0.1%");
  EXPECT_EQ(PercentText(1.154), "115%");
  EXPECT_EQ(FigureText(99.994), "99.99");
  EXPECT_EQ(FigureText(100), "100");
  EXPECT_EQ(FigureText(115.67), "115.7");
  EXPECT_EQ(FigureText(999.99), "1,000");
  EXPECT_EQ(FigureText(19840), "19,840");
  EXPECT_EQ(FigureText(-1234567.5), "-1,234,567.5");
}

TEST(FigureText, OneIsSingular) {
  EXPECT_EQ(Counted(1, "request"), "1 request");
  EXPECT_EQ(Counted(0, "request"), "0 requests");
  EXPECT_EQ(Counted(0.5, "read unit"), "0.5 read units");
  EXPECT_EQ(Counted(1000, "item"), "1,000 items");
}

}  // namespace
}  // namespace prejoin::model
