#include "model/syntax/text_style.h"

#include <gtest/gtest.h>

#include "model/syntax/fold.h"
#include "model/syntax/text_table.h"

namespace prejoin::model {
namespace {

TEST(TextStyle, IsColourOrNothing) {
  const std::string text = Verdict(true) + " A1 " + Styled(Style::kDetail, "2 runs \u00b7 1 item");
  EXPECT_EQ(TerminalText(text, true),
            "\x1b[32m\u2713\x1b[0m A1 \x1b[2m2 runs \u00b7 1 item\x1b[0m");
  EXPECT_EQ(TerminalText(text, false), "\u2713 A1 2 runs \u00b7 1 item");
  EXPECT_EQ(PlainText(text), "ok A1 2 runs, 1 item");
  EXPECT_EQ(PlainText(Verdict(false)), "FAIL");
}

// A title of a file may hold anything.
TEST(TextStyle, TakesControlCharactersAway) {
  const std::string text = "a\x1b[31mb\x07\rc\x7f\nd\te\x0E";
  EXPECT_EQ(PlainText(text), "a[31mbc\nd\te");
  EXPECT_EQ(TerminalText(text, true), "a[31mbc\nd\te");
}

TEST(TextStyle, HasNoWidth) {
  EXPECT_EQ(Columns(Styled(Style::kBad, "\u2717 no")), 4u);
  EXPECT_EQ(Columns("\x0E"), 0u);
  EXPECT_EQ(Fold(Styled(Style::kBad, "one two"), 7), Styled(Style::kBad, "one two"));
}

TEST(TextStyle, BarsShowSharesOfALimit) {
  EXPECT_EQ(PlainText(ShareBar(0)), "..........");
  EXPECT_EQ(PlainText(ShareBar(0.001)), "..........");
  EXPECT_EQ(PlainText(ShareBar(0.01)), "#.........");
  EXPECT_EQ(PlainText(ShareBar(0.5)), "#####.....");
  EXPECT_EQ(PlainText(ShareBar(7)), "##########");
  EXPECT_NE(ShareBar(0.89), ShareBar(0.9));
}

TEST(TextTable, AlignsColumnsAndFoldsTheLast) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.AddRow({"a", "1", "short"});
  table.AddRow({"long name", "1,000", "words that do not fit"});
  table.AddRow({"b"});
  EXPECT_EQ(table.Render(32, 2),
            "  a              1  short\n"
            "  long name  1,000  words that\n"
            "                      do not fit\n"
            "  b\n");
}

TEST(TextTable, NamesGiveWayBeforeFiguresDo) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  table.AddHeading({"key", "now", "later", "most"});
  table.AddRow({"a heading that is longer than the first column may be"});
  table.AddRow({"VISIT#{id}", "184 B", "184 B", ""});
  table.AddRow({"PRESCRIPTION#{patientId}", "444 B", "4.4 KB", "500 items, 54 KB"});
  EXPECT_EQ(PlainText(table.Render(40, 2)),
            "  key           now   later  most\n"
            "  a heading that is longer than the first column may be\n"
            "  VISIT#{id}  184 B   184 B\n"
            "  PRESCRIPTION#{patientId}\n"
            "              444 B  4.4 KB  500 items,\n"
            "                               54 KB\n");
}

TEST(TextTable, ALongTextGoesBelowItsRowWhereTheColumnIsNarrow) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.AddRow({"a name of a view", "14.39", "each product has six; the counts give eighty"});
  EXPECT_EQ(table.Render(40, 2),
            "  a name of a view  14.39\n"
            "      each product has six; the counts\n"
            "        give eighty\n");
}

TEST(TextTable, AWordThatDoesNotFitGoesBelowItsRow) {
  TextTable table({Align::kRight, Align::kRight, Align::kLeft});
  table.AddRow({"1,000,000", "2,000,000", "Orders.ByCustomerIdPlacedAt customerId"});
  table.AddRow({"1", "2", "short"});
  EXPECT_EQ(table.Render(40, 2),
            "  1,000,000  2,000,000\n"
            "      Orders.ByCustomerIdPlacedAt\n"
            "        customerId\n"
            "          1          2  short\n");
}

}  // namespace
}  // namespace prejoin::model
