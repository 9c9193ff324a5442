// A model from a part of the items of a table, with what a model has no word for: bytes in its sample, and NULL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "draft/draft.h"
#include "draft/infer/infer.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"

namespace prejoin::draft {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// Every item has a binary value, every tenth a NULL, and those read are a part of the table.
TEST(InferPart, SaysWhatAPartOfTheItemsHolds) {
  DraftTable table;
  table.name = "Shop";
  table.partition = "id";
  Inference inference(table, {});
  for (int i = 0; i < 200; ++i) {
    Item item;
    item.Set("id", AttributeValue("p" + std::to_string(1000 + i)));
    item.Set("bin", AttributeValue(AttributeValue::Binary{"\x01\x02"}));
    if (i % 10 == 0) {
      item.Set("note", AttributeValue());
    }
    item.Set("shelf", i % 4 == 0 ? AttributeValue() : AttributeValue("s" + std::to_string(i)));
    inference.Add(item);
  }
  inference.SetTotal(500);
  Draft draft;
  draft.title = "Shop";
  inference.Finish(draft);
  CompleteInferred(draft);
  const std::string source = PrintDraft(draft);
  EXPECT_THAT(source, HasSubstr("count 500\n"));
  EXPECT_THAT(source, HasSubstr("\"AQI=\""));
  EXPECT_THAT(source, ContainsRegex("bin +binary\\(~2\\)\n"));
  EXPECT_THAT(
      source,
      HasSubstr("`note` was left out: 10 % of the items have it, and it is NULL in all of them."));
  EXPECT_THAT(source, ContainsRegex("shelf .*optional.*// NULL in 25 % of the items"));
  const model::ReadModelResult read = model::ReadModel(source);
  EXPECT_TRUE(read.ok) << source;
  for (const model::Diagnostic& one : model::CheckModel(read)) {
    EXPECT_NE(one.severity, model::Severity::kError)
        << model::RenderDiagnostic("inferred", source, one) << source;
  }
}

}  // namespace
}  // namespace prejoin::draft
