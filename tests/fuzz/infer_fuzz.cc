// Any items as those of a table without a model: they are refused, or give the text of a model file. The input is the body of
// POST /model/infer; the mutator starts from items that are made by random key templates.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "draft/draft.h"
#include "draft/formats/formats.h"
#include "draft/infer/infer.h"
#include "draft/json_fields.h"
#include "json/attribute_value.h"
#include "json/reader.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/structured_mutator.h"

namespace prejoin::draft {
namespace {

// A table description and items of a few kinds, whose keys are made as people make them: literals and values with delimiters
// between them, values that are also attributes, padded numbers, dates, and now and then an item that fits nothing.
class ItemsWriter {
 public:
  explicit ItemsWriter(std::uint64_t seed) : random_(seed) {}

  std::string Run() {
    partition_ =
        OneOf({"PK", "pk", "id", "key", "item", "é", "a-b", "partition key", "1st", "type"});
    sort_ = OneOf({"", "SK", "sk", "sort", "at", "Id", "items"});
    delimiter_ = OneOf({"#", "#", "#", "|", "::", "_", "-", "/", " ", ""});
    typed_ = Below(3) == 0;
    std::string items;
    for (int kinds = 1 + Below(4); kinds > 0; --kinds) {
      Kind(items);
    }
    return "{\"table\":" + Description() + ",\"items\":[" + items + "]}";
  }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  std::string OneOf(const std::vector<std::string>& texts) {
    return texts[static_cast<std::size_t>(Below(static_cast<int>(texts.size())))];
  }

  std::string Description() {
    const std::string number = std::to_string(Below(9));
    const auto key = [](const std::string& name, const std::string& kind) {
      return R"({"AttributeName":")" + name + R"(","KeyType":")" + kind + "\"}";
    };
    std::string out = R"({"TableName":")" + OneOf({"T", "items", "self", "a.b", "ü"}) +
                      R"(","KeySchema":[)" + key(partition_, "HASH") +
                      (sort_.empty() ? "" : "," + key(sort_, "RANGE")) + "]";
    if (Below(2) == 0) {
      out += R"(,"GlobalSecondaryIndexes":[{"IndexName":"G1","KeySchema":[)" +
             key("GSI1PK", "HASH") + (Below(2) == 0 ? "," + key("GSI1SK", "RANGE") : "") +
             R"(],"Projection":{"ProjectionType":")" + OneOf({"ALL", "KEYS_ONLY", "INCLUDE"}) +
             R"(","NonKeyAttributes":["note"]}}])";
    }
    return out + (Below(3) == 0 ? R"(,"ItemCount":)" + number : "") + "}";
  }

  std::string Value(int kind, int row) {
    const std::string n = std::to_string(row);
    switch (kind) {
      case 0:
        return "v" + n;
      case 1:
        return n;
      case 2:
        return std::string(5 - std::min<std::size_t>(5, n.size()), '0') + n;
      case 3:
        return "2024-01-0" + std::to_string(1 + row % 9);
      case 4:
        return "2024-01-01T00:00:0" + std::to_string(row % 9) + "Z";
      case 5:
        return OneOf({"", "é", "#", "a#b", "A", "a", "{x}", "\\\"", "\\\\", "ANN", "Ann"});
      default:
        return OneOf({"OPEN", "DONE", "north", "south"});
    }
  }

  struct Part {
    std::string literal;  // Empty: the value of `attribute`.
    int kind = 0;
    std::string attribute;
  };

  std::vector<Part> Template() {
    std::vector<Part> parts;
    for (int count = 1 + Below(4); count > 0; --count) {
      if (Below(2) == 0) {
        parts.push_back(
            {OneOf({"USER", "ORDER", "META", "item", "#", "A", "user", "KEY", "self"}), 0, ""});
      } else {
        parts.push_back({"", Below(7), OneOf({"", "", "name", "no", "at", "Name", "id", "state"})});
      }
    }
    return parts;
  }

  std::string Render(const std::vector<Part>& parts, int row, std::string& attributes) {
    std::string key;
    for (const Part& part : parts) {
      const std::string text = part.literal.empty() ? Value(part.kind, row) : part.literal;
      if (!key.empty()) {
        key += delimiter_;
      }
      key += text;
      if (!part.attribute.empty()) {
        attributes += ",\"" + part.attribute +
                      "\":" + (part.kind == 1 ? "{\"N\":\"" : "{\"S\":\"") + text + "\"}";
      }
    }
    return key;
  }

  void Kind(std::string& items) {
    const std::vector<Part> partition = Template();
    const std::vector<Part> sort = Template();
    const std::vector<Part> index = Template();
    const bool in_index = Below(2) == 0;
    const std::string more =
        OneOf({"", R"(,"flag":{"BOOL":true})", R"(,"tags":{"SS":["a","b"]})",
               R"(,"map":{"M":{"a":{"N":"1"}}})", R"(,"list":{"L":[{"S":"x"},{"M":{}}]})",
               R"(,"nul":{"NULL":true})", R"(,"bin":{"B":"AA=="})", R"(,"big":{"N":"1e120"})",
               R"(,"ns":{"NS":["1","-2.5"]})", R"(,"x y":{"S":""})"});
    const std::string label = OneOf({"User", "user", "a b", "1", "é", "Item", "items"});
    for (int rows = 1 + Below(6), row = 0; row < rows; ++row) {
      std::string attributes;
      std::string item =
          "{\"" + partition_ + "\":{\"S\":\"" + Render(partition, row, attributes) + "\"}";
      if (!sort_.empty()) {
        item += ",\"" + sort_ + "\":" +
                (Below(12) == 0 ? "{\"N\":\"" + std::to_string(row) + "\"}"
                                : "{\"S\":\"" + Render(sort, row, attributes) + "\"}");
      }
      if (in_index) {
        item += ",\"GSI1PK\":{\"S\":\"" + Render(index, row, attributes) + "\"}";
      }
      if (in_index) {
        item += R"(,"GSI1SK":{"S":"z"})";
      }
      if (typed_) {
        item += R"(,"type":{"S":")" + label + "\"}";
      }
      if (Below(4) != 0) {
        item += more;
      }
      items += (items.empty() ? "" : ",") + item + attributes + "}";
    }
  }

  std::mt19937_64 random_;
  std::string partition_;
  std::string sort_;
  std::string delimiter_;
  bool typed_ = false;
};

const fuzz::InputLanguage& Language() {
  static const fuzz::InputLanguage language = {
      .samples =
          {R"({"table":{"TableName":"T","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]},"items":[{"PK":{"S":"a#1"}}]})"},
      .pieces = {"PK",
                 "SK",
                 "GSI1PK",
                 "S",
                 "N",
                 "B",
                 "BOOL",
                 "NULL",
                 "M",
                 "L",
                 "SS",
                 "NS",
                 "BS",
                 "USER",
                 "#",
                 "ItemCount",
                 "AttributeDefinitions",
                 "LocalSecondaryIndexes",
                 "entity",
                 "item",
                 "items",
                 "key",
                 "type",
                 "self",
                 "id",
                 "Id"},
      .make = [](std::uint64_t seed) { return ItemsWriter(seed).Run(); },
  };
  return language;
}

// The model file; empty if there is nothing to infer from. As POST /model/infer does it, without its refusals.
std::string InferFrom(const std::string& body) {
  const auto document = json::Document::Parse(body);
  if (!document) {
    return "";
  }
  const auto description = Member(document->root(), "table");
  if (!description) {
    return "";
  }
  DraftTable table = ReadTableKeys(*description).table;
  if (table.partition.empty()) {
    return "";
  }
  Inference inference(std::move(table), InferSettings{});
  for (const json::Value one : ElementsOf(Member(document->root(), "items"))) {
    const auto item = json::ReadItem(one);
    if (!item) {
      return "";
    }
    inference.Add(*item);
  }
  if (inference.count() == 0) {
    return "";
  }
  Draft draft;
  inference.Finish(draft);
  CompleteInferred(draft);
  return PrintDraft(draft);
}

}  // namespace
}  // namespace prejoin::draft

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  return prejoin::fuzz::MutateInLanguage(prejoin::draft::Language(), data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  const fuzz::InputLimits limits;
  const std::string source = draft::InferFrom(input);
  if (source.empty()) {
    return 0;
  }
  if (fuzz::Reads(source)) {
    fuzz::InputCount::Get().Accept();
  }
  return 0;
}
