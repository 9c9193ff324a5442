// Any text as a PartiQL statement: it must be refused with a message, or give a tree that can be
// printed and whose condition and update can be carried out. The first byte says how many
// parameters come with it.
//
// Built with libFuzzer by the preset `fuzz`; tests/partiql/partiql_fuzz_test.cc runs it on mutated
// statements in every build.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/check.h"
#include "expr/evaluate.h"
#include "partiql/parse.h"
#include "value/encoding.h"

namespace prejoin::partiql {
namespace {

std::vector<AttributeValue> FuzzParameters(std::size_t count) {
  const std::vector<AttributeValue> all = {
      "text", 3, Item{{"k", 1}}, AttributeValue::StringSet{{"x", "y"}}, AttributeValue::List{1}};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count % (all.size() + 1))};
}

const Item& FuzzItem() {
  static const Item item = {{"a", AttributeValue::List{1, "two", Item{{"k", "v"}}}},
                            {"b", Item{{"c", 3}}},
                            {"n", 3},
                            {"s", AttributeValue::StringSet{{"x", "z"}}}};
  return item;
}

void CarryOut(const expr::Condition& where) {
  static const std::string body = EncodeItem(FuzzItem());
  Evaluate(where, ItemView(body));
  Evaluate(where, ItemView());
}

void CarryOut(const Statement& statement) {
  if (const auto* select = std::get_if<Select>(&statement); select != nullptr && select->where) {
    CarryOut(*select->where);
  }
  if (const auto* insert = std::get_if<Insert>(&statement)) {
    PJ_CHECK(ValidateItemBody(EncodeItem(insert->item)).has_value());
  }
  if (const auto* remove = std::get_if<Delete>(&statement); remove != nullptr && remove->where) {
    CarryOut(*remove->where);
  }
  if (const auto* update = std::get_if<Update>(&statement)) {
    if (update->where) {
      CarryOut(*update->where);
    }
    const auto result = ApplyUpdate(update->update, FuzzItem());
    PJ_CHECK(!result || ValidateItemBody(EncodeItem(result->item)).has_value());
  }
}

}  // namespace
}  // namespace prejoin::partiql

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin::partiql;
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto statement = Parse(text, FuzzParameters(data[0]));
  if (!statement) {
    PJ_CHECK(statement.error().code == prejoin::ErrorCode::kValidation);
    PJ_CHECK(!statement.error().message.empty());
    return 0;
  }
  PJ_CHECK(!Print(*statement).empty());
  CarryOut(*statement);
  return 0;
}
