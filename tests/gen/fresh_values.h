// Values that no row has yet, for the histories of tests/gen.
#ifndef PREJOIN_TESTS_GEN_FRESH_VALUES_H_
#define PREJOIN_TESTS_GEN_FRESH_VALUES_H_

#include <random>
#include <string>

#include "model/schema/model.h"

namespace prejoin::gen {

// Borrows the generator. Single thread.
class FreshValues {
 public:
  explicit FreshValues(std::mt19937_64& random) : random_(random) {}

  AttributeValue Of(const model::Attribute& attribute) {
    const std::string number = std::to_string(++count_);
    if (!attribute.values.empty()) {
      return attribute.values[random_() % attribute.values.size()];
    }
    switch (attribute.type) {
      case AttributeType::kNumber:
        return AttributeValue(static_cast<std::int64_t>(100 + count_));
      case AttributeType::kBool:
        return AttributeValue(count_ % 2 == 0);
      case AttributeType::kDate:
        return AttributeValue("2031-01-" + std::string(count_ % 28 < 9 ? "0" : "") +
                              std::to_string(count_ % 28 + 1));
      case AttributeType::kTime:
        return AttributeValue("2031-01-02T03:04:" + std::string(count_ % 50 < 10 ? "0" : "") +
                              std::to_string(count_ % 50) + "Z");
      case AttributeType::kList:
        return AttributeValue(AttributeValue::List{
            attribute.members.empty() ? AttributeValue("l" + number) : Members(attribute)});
      case AttributeType::kMap:
        return attribute.members.empty() ? AttributeValue(Item{{"m", AttributeValue(number)}})
                                         : Members(attribute);
      case AttributeType::kTextSet:
        return AttributeValue(AttributeValue::StringSet{{"s" + number}});
      case AttributeType::kNumberSet:
        return AttributeValue(AttributeValue::NumberSet{{Number(count_)}});
      case AttributeType::kBinary:
        return AttributeValue(AttributeValue::Binary{"b" + number});
      default:
        return AttributeValue("new" + number);
    }
  }

 private:
  AttributeValue Members(const model::Attribute& attribute) {
    Item item;
    for (const model::Attribute& member : attribute.members) {
      if (!member.optional || random_() % 2 == 0) {
        item.Set(member.name.text, Of(member));
      }
    }
    return AttributeValue(std::move(item));
  }

  std::mt19937_64& random_;
  int count_ = 0;
};

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_FRESH_VALUES_H_
