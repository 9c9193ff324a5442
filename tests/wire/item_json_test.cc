// Items from JSON to their stored form and back.
#include "json/item_json.h"

#include <algorithm>
#include <random>

#include "wire/members/item_values.h"

namespace prejoin::wire {
namespace {

struct ReadBack {
  std::string printed;  // From the stored bytes.
  std::string printed_decoded;
  std::string fault;
};

ReadBack Through(std::string_view json) {
  const auto document = json::Document::Parse(json);
  if (!document.has_value()) {
    return {"", "", "not JSON"};
  }
  InputReader reader;
  Item item;
  const Status status = ReadItem(reader, document->root(), Order::kItem, item);
  if (!status.has_value()) {
    return {"", "", "type: " + status.error().message};
  }
  if (const Status finish = reader.Finish(); !finish.has_value()) {
    return {"", "", finish.error().message};
  }
  ReadBack back;
  const std::string body = EncodeItem(item);
  EXPECT_TRUE(ValidateItemBody(body).has_value());
  json::AppendItem(StoredItem(body), back.printed);
  json::AppendItem(item, back.printed_decoded);
  return back;
}

TEST(ItemJson, PrintsCanonically) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {R"({})", R"({})"},
      {R"({"b":{"S":"x"},"a":{"N":"1.50"}})", R"({"a":{"N":"1.5"},"b":{"S":"x"}})"},
      {R"({"a":{"S":""}})", R"({"a":{"S":""}})"},
      {R"({"a":{"B":""}})", R"({"a":{"B":""}})"},
      {R"({"a":{"B":"AAEC/w=="}})", R"({"a":{"B":"AAEC/w=="}})"},
      {R"({"a":{"BOOL":true},"b":{"BOOL":"no"}})", R"({"a":{"BOOL":true},"b":{"BOOL":false}})"},
      {R"({"a":{"NULL":true},"b":{"NULL":"yes"}})", R"({"a":{"NULL":true},"b":{"NULL":true}})"},
      {R"({"a":{"L":[]},"b":{"M":{}}})", R"({"a":{"L":[]},"b":{"M":{}}})"},
      {R"({"a":{"L":[{"S":"x"},{"L":[{"N":"007"}]},{"M":{"z":{"BOOL":true},"y":{"NULL":true}}}]}})",
       R"({"a":{"L":[{"S":"x"},{"L":[{"N":"7"}]},{"M":{"y":{"NULL":true},"z":{"BOOL":true}}}]}})"},
      {R"({"a":{"SS":["b","a",""]}})", R"({"a":{"SS":["","a","b"]}})"},
      {R"({"a":{"NS":["3","1e2","-0.5"]}})", R"({"a":{"NS":["-0.5","3","100"]}})"},
      {R"({"a":{"BS":["AQ==",""]}})", R"({"a":{"BS":["","AQ=="]}})"},
      // Of two equal names the last one counts; nulls and unknown members count as absent.
      {R"({"a":{"S":"x"},"a":{"S":"y"}})", R"({"a":{"S":"y"}})"},
      {R"({"a":{"S":"x","S":"y"}})", R"({"a":{"S":"y"}})"},
      {R"({"a":{"S":"x","N":null,"Q":1}})", R"({"a":{"S":"x"}})"},
      {R"({"\u00e9\n":{"S":"\ud83d\ude00\u0000"}})", "{\"é\\n\":{\"S\":\"😀\\u0000\"}}"},
  };
  for (const auto& [json, expected] : kCases) {
    const ReadBack back = Through(json);
    EXPECT_EQ(back.fault, "") << json;
    EXPECT_EQ(back.printed, expected) << json;
    EXPECT_EQ(back.printed_decoded, expected) << json;
  }
}

TEST(ItemJson, RefusesValuesWithDynamoDbsWords) {
  constexpr std::string_view kEmpty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  constexpr std::string_view kSeveral =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes";
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {R"({})", kEmpty},
      {R"({"a":""})", kEmpty},
      {R"({"M":{"a":{}}})", kEmpty},
      {R"({"L":[{}]})", kEmpty},
      {R"({"L":[null]})", kEmpty},
      {R"({"S":null})", kEmpty},
      {R"({"S":"a","N":"1"})", kSeveral},
      {R"({"NULL":false})",
       "One or more parameter values were invalid: Null attribute value types must have the value "
       "of true"},
      {R"({"SS":[]})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"NS":[]})",
       "One or more parameter values were invalid: An number set  may not be empty"},
      {R"({"BS":[]})",
       "One or more parameter values were invalid: Binary sets should not be empty"},
      {R"({"M":{"x":{"SS":[]}}})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"SS":["a","a"]})",
       "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
      {R"({"BS":["Yg==","Yg=="]})",
       "One or more parameter values were invalid: Input collection [Yg==, Yg==]of type BS "
       "contains "
       "duplicates."},
      {R"({"NS":["1","1.0"]})", "Input collection contains duplicates"},
      {R"({"N":""})", "The parameter cannot be converted to a numeric value"},
      {R"({"N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"S":"a","N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"NS":["1","b"]})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"N":"123456789012345678901234567890123456789"})",
       "Attempting to store more than 38 significant digits in a Number"},
      {R"({"N":"1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"N":"-1e-131"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported "
       "range"},
  };
  for (const auto& [value, message] : kCases) {
    EXPECT_EQ(Through("{\"a\":" + std::string(value) + "}").fault, message) << value;
  }
}

TEST(ItemJson, RefusesWrongJsonTypes) {
  constexpr std::string_view kStructure = "Start of structure or map found where not expected";
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {R"("23")", "Unexpected value type in payload"},
      {R"(true)", "Unexpected value type in payload"},
      {R"([])",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
      {R"({"S":false})", "FALSE_VALUE cannot be converted to String"},
      {R"({"S":23})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"N":34.56})", "DECIMAL_VALUE cannot be converted to String"},
      {R"({"N":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"S":[]})", "Unrecognized collection type class java.lang.String"},
      {R"({"S":{}})", kStructure},
      {R"({"B":1})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":true})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"B":{}})", kStructure},
      {R"({"B":"23456"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
      {R"({"B":"+/+="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"BOOL":"23"})", "Unexpected token received from parser"},
      {R"({"BOOL":23})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"NULL":34.56})", "DECIMAL_VALUE cannot be converted to Boolean"},
      {R"({"BOOL":[]})", "Unrecognized collection type class java.lang.Boolean"},
      {R"({"BOOL":{}})", kStructure},
      {R"({"SS":"a"})", "Unexpected field type"},
      {R"({"SS":{}})", kStructure},
      {R"({"SS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"NS":[{}]})", kStructure},
      {R"({"BS":[true]})", "only base-64-encoded strings are convertible to bytes"},
      {R"({"L":"a"})", "Unexpected field type"},
      {R"({"L":[23]})", "Unexpected value type in payload"},
      {R"({"L":[{"BS":["x"]}]})",
       "Base64 encoded length is expected a multiple of 4 bytes but found: 1"},
      {R"({"M":23})", "Unexpected field type"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"M":{"a":"x"}})", "Unexpected value type in payload"},
      // A wrong type anywhere counts before a wrong value.
      {R"({"L":[{"N":"x"},{"S":1}]})", "NUMBER_VALUE cannot be converted to String"},
  };
  for (const auto& [value, message] : kCases) {
    EXPECT_EQ(Through("{\"a\":" + std::string(value) + "}").fault, "type: " + std::string(message))
        << value;
  }
}

std::string Nested(int wraps, std::string_view open, std::string_view close) {
  std::string json = "{\"a\":";
  for (int i = 0; i < wraps; ++i) {
    json.append(open);
  }
  json.append("{\"S\":\"x\"}");
  for (int i = 0; i < wraps; ++i) {
    json.append(close);
  }
  return json.append("}");
}

TEST(ItemJson, LimitsNestingTo32Levels) {
  for (const auto& [open, close] :
       {std::pair("{\"M\":{\"a\":", "}}"), std::pair("{\"L\":[", "]}")}) {
    for (const int wraps : {30, 31}) {
      EXPECT_EQ(Through(Nested(wraps, open, close)).fault, "");
    }
    for (const int wraps : {32, 33, 100}) {
      EXPECT_EQ(Through(Nested(wraps, open, close)).fault,
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
                "levels beyond supported limit");
    }
    EXPECT_EQ(Through(Nested(10'000, open, close)).fault, "not JSON");
  }
}

// Attributes in descending order must not cost the square of their number.
TEST(ItemJson, ReadsManyAttributesInAnyOrder) {
  std::string json = "{";
  constexpr int kCount = 100'000;
  for (int i = kCount; i > 0; --i) {
    json.append(i == kCount ? "\"" : ",\"")
        .append(std::to_string(1'000'000 + i))
        .append("\":{\"NULL\":true}");
  }
  json.append("}");
  const ReadBack back = Through(json);
  EXPECT_EQ(back.fault, "");
  EXPECT_EQ(back.printed.size(), json.size());
  EXPECT_TRUE(back.printed.starts_with("{\"1000001\":{\"NULL\":true},\"1000002\""));
}

class RandomItems {
 public:
  explicit RandomItems(unsigned seed) : random_(seed) {}

  Item Next() { return NextMap(1); }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }

  std::string NextText() {
    constexpr std::string_view kPieces[] = {"a", "\"", "\\", "\n",       "\x01",
                                            "é", "漢", "😀",  "12345678", "/"};
    std::string text;
    for (std::size_t i = Below(12); i > 0; --i) {
      text.append(kPieces[Below(std::size(kPieces))]);
    }
    return text;
  }

  Item NextMap(int depth) {
    Item item;
    for (std::size_t i = Below(6); i > 0; --i) {
      item.Set("a" + NextText(), NextValue(depth));
    }
    return item;
  }

  template <class Set>
  AttributeValue NextSet() {
    Set set;
    for (std::size_t i = Below(4) + 1; i > 0; --i) {
      set.members.push_back(NextText() + std::to_string(i));
    }
    std::ranges::sort(set.members);
    return AttributeValue(std::move(set));
  }

  AttributeValue NextValue(int depth) {
    switch (Below(depth < 4 ? 10 : 8)) {
      case 0:
        return AttributeValue(NextText());
      case 1:
        return AttributeValue(
            *Number::Parse(std::to_string(random_()) + "e-" + std::to_string(Below(9))));
      case 2:
        return AttributeValue(AttributeValue::Binary{NextText()});
      case 3:
        return AttributeValue(Below(2) == 0);
      case 4:
        return AttributeValue();
      case 5:
        return NextSet<AttributeValue::StringSet>();
      case 6:
        return NextSet<AttributeValue::BinarySet>();
      case 7: {
        AttributeValue::NumberSet set;
        for (std::size_t i = 0; i <= Below(4); ++i) {
          set.members.push_back(Number(static_cast<std::int64_t>(i)));
        }
        return AttributeValue(std::move(set));
      }
      case 8: {
        AttributeValue::List list;
        for (std::size_t i = Below(4); i > 0; --i) {
          list.push_back(NextValue(depth + 1));
        }
        return AttributeValue(std::move(list));
      }
      default:
        return AttributeValue(NextMap(depth + 1));
    }
  }

  std::mt19937 random_;
};

// Texts are looked at for escapes after several attributes are printed, so each place counts, and so
// does each length on the way to the longest run that is looked at in one go.
TEST(ItemJson, EscapesAtEveryPlaceOfARunOfAttributes) {
  for (const std::size_t size : {1, 2, 7, 15, 16, 17, 40, 1300, 4080}) {
    for (const std::string special : {"\"", "\\", "\n", "\x7F", "\u00e9", "\":{\"S\":\""}) {
      for (const std::size_t place : {std::size_t{0}, size / 2, size}) {
        for (int attribute = 0; attribute < 6; ++attribute) {
          std::string texts[6] = {"a", std::string(size, 'x'), "b", std::string(size, 'y'), "c",
                                  "z"};
          std::string& text = texts[attribute];
          text.insert(std::min(place, text.size()), special);
          Item item;
          for (int i = 0; i < 6; i += 2) {
            item.Set(texts[i], AttributeValue(texts[i + 1]));
          }
          item.Set("n", AttributeValue(*Number::Parse("-93.5")));
          item.Set("ab", AttributeValue(true));
          std::string printed;
          json::AppendItem(StoredItem(EncodeItem(item)), printed);
          std::string expected;
          json::AppendItem(item, expected);
          ASSERT_EQ(printed, expected);
        }
      }
    }
  }
}

TEST(ItemJson, ReturnsRandomItemsUnchanged) {
  constexpr unsigned kSeed = 20240611;
  RandomItems items(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const Item item = items.Next();
    std::string json;
    json::AppendItem(item, json);
    const ReadBack back = Through(json);
    ASSERT_EQ(back.fault, "") << "seed " << kSeed << ", item " << i << ": " << json;
    ASSERT_EQ(back.printed, json) << "seed " << kSeed << ", item " << i;
  }
}

}  // namespace
}  // namespace prejoin::wire
