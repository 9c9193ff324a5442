// Any text, as every kind of expression: it must be refused with a message or give a tree that can
// be printed, evaluated, projected and applied. The first byte chooses the kind, so that a corpus
// stays useful for all of them.
//
// Built with libFuzzer by the preset `fuzz`; tests/expr/expression_fuzz_test.cc runs it on mutated
// expressions in every build.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "expr/evaluate.h"
#include "expr/key_condition.h"
#include "expr/parse.h"
#include "value/encoding.h"

namespace prejoin::expr {
namespace {

using Value = AttributeValue;

const AttributeNames& FuzzNames() {
  static const AttributeNames names = {{"#a", "a"}, {"#b", "b"}, {"#c", "c"}, {"#odd", "x.y"}};
  return names;
}

const AttributeValues& FuzzValues() {
  static const AttributeValues values = {
      {":s", "text"},
      {":n", 3},
      {":b", Value::Binary{"b"}},
      {":t", true},
      {":z", Value::Null{}},
      {":l", Value::List{1, "two"}},
      {":m", Item{{"k", 1}}},
      {":ss", Value::StringSet{{"x", "y"}}},
      {":ns", Value::NumberSet{{Number(1), Number(3)}}},
      {":bs", Value::BinarySet{{"p"}}},
  };
  return values;
}

const Item& FuzzItem() {
  static const Item item = {
      {"a", Value::List{1, "two", Value::List{3}, Item{{"k", "v"}}}},
      {"b", Item{{"a", 1}, {"b", Value::List{7, 8}}, {"c", "text"}}},
      {"c", 3},
      {"d", Value::StringSet{{"x", "z"}}},
      {"x.y", "text"},
  };
  return item;
}

void FuzzCondition(ConditionKind kind, std::string_view text) {
  Placeholders placeholders(&FuzzNames(), &FuzzValues());
  const auto condition = ParseCondition(kind, text, placeholders);
  if (!condition.has_value()) {
    PJ_CHECK(condition.error().code == ErrorCode::kValidation);
    PJ_CHECK(condition.error().message.starts_with("Invalid "));
    return;
  }
  PJ_CHECK(!Print(*condition).empty());
  static const std::string body = EncodeItem(FuzzItem());
  Evaluate(*condition, ItemView(body));
  Evaluate(*condition, ItemView());
  const auto key = ExtractKeyCondition(*condition, {{"c", KeyType::kHash, ScalarType::kNumber},
                                                    {"x.y", KeyType::kRange, ScalarType::kString}});
  PJ_CHECK(!key.has_value() || !key->terms.empty());
}

void FuzzUpdate(std::string_view text) {
  Placeholders placeholders(&FuzzNames(), &FuzzValues());
  const auto update = ParseUpdate(text, placeholders);
  if (!update.has_value()) {
    PJ_CHECK(update.error().message.starts_with("Invalid UpdateExpression: "));
    return;
  }
  PJ_CHECK(!Print(*update).empty());
  const auto result = ApplyUpdate(*update, FuzzItem());
  if (result.has_value()) {
    PJ_CHECK(ValidateItemBody(EncodeItem(result->item)).has_value());
    PJ_CHECK(ValidateItemBody(EncodeItem(result->updated_old)).has_value());
    PJ_CHECK(ValidateItemBody(EncodeItem(result->updated_new)).has_value());
  }
}

void FuzzProjection(std::string_view text) {
  Placeholders placeholders(&FuzzNames(), &FuzzValues());
  const auto projection = ParseProjection(text, placeholders);
  if (!projection.has_value()) {
    PJ_CHECK(projection.error().message.starts_with("Invalid ProjectionExpression: "));
    return;
  }
  PJ_CHECK(!Print(*projection).empty());
  static const std::string body = EncodeItem(FuzzItem());
  PJ_CHECK(ValidateItemBody(Project(*projection, ItemView(body))).has_value());
}

}  // namespace
}  // namespace prejoin::expr

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin::expr;
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      FuzzCondition(ConditionKind::kCondition, text);
      break;
    case 1:
      FuzzCondition(ConditionKind::kFilter, text);
      break;
    case 2:
      FuzzCondition(ConditionKind::kKeyCondition, text);
      break;
    case 3:
      FuzzUpdate(text);
      break;
    default:
      FuzzProjection(text);
      break;
  }
  return 0;
}
