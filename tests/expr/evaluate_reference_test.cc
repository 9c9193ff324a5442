// Random conditions and projections on random items: the fast code and the plain code must agree.
#include <cstdlib>
#include <random>

#include "expr/evaluate.h"
#include "tests/expr/expression_cases.h"
#include "tests/expr/reference_evaluator.h"
#include "tests/rig/seed.h"

namespace prejoin::expr {
namespace {

// Small ranges everywhere, so that values meet: equal, contained, of the same type.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::size_t Below(std::size_t bound) { return random_() % bound; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }

  std::string Text() {
    static const char* const kCharacters[] = {"a", "b", "é", "𝄞"};
    std::string text;
    for (std::size_t size = Below(4); size > 0; --size) {
      text += kCharacters[Below(4)];
    }
    return text;
  }

  Number SomeNumber() {
    static const char* const kNumbers[] = {"0",   "1",    "-1",  "2",     "10",    "0.1",
                                           "-10", "1E20", "100", "1E-20", "-1E20", "1.5"};
    return *Number::Parse(kNumbers[Below(std::size(kNumbers))]);
  }

  template <class T, class Make>
  std::vector<T> Members(Make&& make) {
    std::vector<T> members;
    for (std::size_t size = 1 + Below(3); size > 0; --size) {
      const T member = make();
      if (std::find(members.begin(), members.end(), member) == members.end()) {
        members.push_back(member);
      }
    }
    return members;
  }

  AttributeValue Value(int depth) {
    switch (Below(depth > 0 ? 10 : 8)) {
      case 0:
      case 1:
        return AttributeValue(Text());
      case 2:
        return AttributeValue(SomeNumber());
      case 3:
        return AttributeValue(AttributeValue::Binary{Text()});
      case 4:
        return OneIn(2) ? AttributeValue(OneIn(2)) : AttributeValue(AttributeValue::Null{});
      case 5:
        return AttributeValue(
            AttributeValue::StringSet{Members<std::string>([&] { return Text(); })});
      case 6:
        return AttributeValue(
            AttributeValue::NumberSet{Members<Number>([&] { return SomeNumber(); })});
      case 7:
        return AttributeValue(
            AttributeValue::BinarySet{Members<std::string>([&] { return Text(); })});
      case 8: {
        AttributeValue::List list;
        for (std::size_t size = Below(4); size > 0; --size) {
          list.push_back(Value(depth - 1));
        }
        return list;
      }
      default:
        return SomeItem(depth - 1);
    }
  }

  Item SomeItem(int depth) {
    Item item;
    for (std::size_t size = Below(5); size > 0; --size) {
      item.Set(Name(), Value(depth));
    }
    return item;
  }

  std::string Name() { return std::string(1, "abcd"[Below(4)]); }

  std::string SomePath() {
    std::string path = Name();
    while (OneIn(3)) {
      path += OneIn(2) ? "." + Name() : "[" + std::to_string(Below(4)) + "]";
    }
    return path;
  }

  std::string SomeOperand(AttributeValues& values) {
    switch (Below(5)) {
      case 0:
        return "size(" + SomePath() + ")";
      case 1:
      case 2: {
        const std::string placeholder = ":v" + std::to_string(values.size());
        values[placeholder] = Value(2);
        return placeholder;
      }
      default:
        return SomePath();
    }
  }

  std::string TypeOperand(AttributeValues& values) {
    const std::string placeholder = ":v" + std::to_string(values.size());
    values[placeholder] = AttributeValue(TypeName(static_cast<ValueType>(Below(10))));
    return placeholder;
  }

  std::string SomeCondition(AttributeValues& values, int depth) {
    if (depth > 0 && OneIn(2)) {
      const std::string left = "(" + SomeCondition(values, depth - 1) + ")";
      switch (Below(3)) {
        case 0:
          return "NOT " + left;
        case 1:
          return left + " AND (" + SomeCondition(values, depth - 1) + ")";
        default:
          return left + " OR (" + SomeCondition(values, depth - 1) + ")";
      }
    }
    static const char* const kComparators[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (Below(9)) {
      case 0:
        return "attribute_exists(" + SomePath() + ")";
      case 1:
        return "attribute_not_exists(" + SomePath() + ")";
      case 2:
        return "attribute_type(" + SomePath() + ", " + TypeOperand(values) + ")";
      case 3:
        return "begins_with(" + SomeOperand(values) + ", " + SomeOperand(values) + ")";
      case 4:
        return "contains(" + SomeOperand(values) + ", " + SomeOperand(values) + ")";
      case 5:
        return SomeOperand(values) + " BETWEEN " + SomeOperand(values) + " AND " +
               SomeOperand(values);
      case 6:
        return SomeOperand(values) + " IN (" + SomeOperand(values) + ", " + SomeOperand(values) +
               ")";
      default:
        return SomeOperand(values) + kComparators[Below(6)] + SomeOperand(values);
    }
  }

 private:
  std::mt19937 random_;
};

TEST(EvaluateReference, AgreesOnRandomConditions) {
  Generator generator(TestSeed());
  int evaluated = 0;
  int held = 0;
  for (int round = 0; round < 40'000; ++round) {
    AttributeValues values;
    const std::string text = generator.SomeCondition(values, 3);
    Placeholders placeholders(nullptr, &values);
    const auto condition = ParseCondition(ConditionKind::kFilter, text, placeholders);
    if (!condition.has_value()) {
      continue;  // Values of types that the operator refuses, and the like.
    }
    for (int i = 0; i < 4; ++i) {
      const Item item = generator.SomeItem(3);
      const std::string body = EncodeItem(item);
      const bool expected = ReferenceEvaluate(*condition, item);
      ASSERT_EQ(Evaluate(*condition, ItemView(body)), expected) << text;
      ++evaluated;
      held += expected;
    }
  }
  // A generator that makes nothing but one answer would prove nothing.
  EXPECT_GT(evaluated, 40'000);
  EXPECT_GT(held, evaluated / 10);
  EXPECT_LT(held, evaluated * 9 / 10);
}

TEST(EvaluateReference, AgreesOnRandomProjections) {
  Generator generator(TestSeed());
  int kept = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string text = generator.SomePath();
    for (std::size_t more = generator.Below(4); more > 0; --more) {
      text += ", " + generator.SomePath();
    }
    Placeholders placeholders(nullptr, nullptr);
    const auto projection = ParseProjection(text, placeholders);
    if (!projection.has_value()) {
      continue;  // Overlapping paths.
    }
    const Item item = generator.SomeItem(3);
    const std::string body = EncodeItem(item);
    const std::string projected = Project(*projection, ItemView(body));
    ASSERT_TRUE(ValidateItemBody(projected).has_value()) << text;
    ASSERT_EQ(ItemView(projected).Decode(), ReferenceProject(*projection, item)) << text;
    kept += !ItemView(projected).empty();
  }
  EXPECT_GT(kept, 2'000);
}

}  // namespace
}  // namespace prejoin::expr
