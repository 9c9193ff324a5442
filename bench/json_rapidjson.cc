// RapidJSON's SAX reader, from request text to AttributeValue trees, with the stack that SAX asks
// for.
#include <benchmark/benchmark.h>
#include <rapidjson/reader.h>

#include <vector>

#include "bench/json_requests.h"
#include "prejoin/item.h"

namespace {

using prejoin::AttributeValue;
using prejoin::Item;
using prejoin::Number;

// A frame is an open map (names to values), one open value ({"S": …}), or an open list or set.
// Everything above the first "Item" key is skipped by depth.
class Builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Builder> {
 public:
  std::size_t attributes = 0;

  bool Key(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view key(text, length);
    if (frames_.empty()) {
      in_item_ = key == "Item";
    } else if (frames_.back().kind == Kind::kMap) {
      frames_.back().name.assign(key);
    } else {
      frames_.back().type.assign(key);
    }
    return true;
  }
  bool StartObject() {
    if (frames_.empty() && !in_item_) {
      return true;
    }
    const bool value = !frames_.empty() &&
                       (frames_.back().kind == Kind::kMap || frames_.back().kind == Kind::kList);
    frames_.push_back({value ? Kind::kValue : Kind::kMap, {}, {}, {}, {}, {}, {}});
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    if (frames_.empty()) {
      return true;
    }
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.kind == Kind::kMap) {
      if (frames_.empty()) {
        attributes += frame.map.size();
        in_item_ = false;
      } else {
        frames_.back().value = AttributeValue(std::move(frame.map));
      }
    } else {
      Give(std::move(frame.value));
    }
    return true;
  }
  bool StartArray() {
    if (frames_.empty()) {
      return true;
    }
    frames_.push_back(
        {frames_.back().type == "L" ? Kind::kList : Kind::kSet, {}, {}, {}, {}, {}, {}});
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    if (frames_.empty()) {
      return true;
    }
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    frames_.back().value = frame.kind == Kind::kList ? AttributeValue(std::move(frame.list))
                                                     : AttributeValue(std::move(frame.set));
    return true;
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    if (frames_.empty()) {
      return true;
    }
    Frame& frame = frames_.back();
    if (frame.kind == Kind::kSet) {
      frame.set.members.emplace_back(text, length);
    } else if (frame.type == "N") {
      frame.value = AttributeValue(*Number::Parse({text, length}));
    } else {
      frame.value = AttributeValue(std::string(text, length));
    }
    return true;
  }
  bool Bool(bool value) {
    if (!frames_.empty()) {
      frames_.back().value =
          frames_.back().type == "NULL" ? AttributeValue() : AttributeValue(value);
    }
    return true;
  }

 private:
  enum class Kind { kMap, kValue, kList, kSet };
  struct Frame {
    Kind kind;
    std::string name;
    std::string type;
    Item map;
    AttributeValue value;
    AttributeValue::List list;
    AttributeValue::StringSet set;
  };
  void Give(AttributeValue value) {
    Frame& frame = frames_.back();
    if (frame.kind == Kind::kMap) {
      frame.map.Set(std::move(frame.name), std::move(value));
    } else {
      frame.list.push_back(std::move(value));
    }
  }

  bool in_item_ = false;
  std::vector<Frame> frames_;
};

void Sax(benchmark::State& state, const std::string& json) {
  for (auto _ : state) {
    Builder builder;
    rapidjson::Reader reader;
    rapidjson::StringStream stream(json.c_str());
    reader.Parse<rapidjson::kParseValidateEncodingFlag>(stream, builder);
    benchmark::DoNotOptimize(builder.attributes);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.size()));
}

// The reader alone, with a handler that throws everything away.
void SaxOnly(benchmark::State& state, const std::string& json) {
  for (auto _ : state) {
    rapidjson::BaseReaderHandler<> handler;
    rapidjson::Reader reader;
    rapidjson::StringStream stream(json.c_str());
    benchmark::DoNotOptimize(reader.Parse<rapidjson::kParseValidateEncodingFlag>(stream, handler));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.size()));
}

const bool registered = [] {
  benchmark::RegisterBenchmark("rapidjson_parse_only/PutItem", SaxOnly,
                               prejoin::bench::PutItemJson());
  benchmark::RegisterBenchmark("rapidjson_parse_only/TransactWrite25", SaxOnly,
                               prejoin::bench::TransactWriteJson());
  benchmark::RegisterBenchmark("rapidjson_sax/PutItem", Sax, prejoin::bench::PutItemJson());
  benchmark::RegisterBenchmark("rapidjson_sax/TransactWrite25", Sax,
                               prejoin::bench::TransactWriteJson());
  return true;
}();

}  // namespace

BENCHMARK_MAIN();
