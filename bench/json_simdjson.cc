// simdjson, on demand and as a document, from request text to AttributeValue trees.
#include <benchmark/benchmark.h>
#include <simdjson.h>

#include "bench/json_requests.h"
#include "prejoin/item.h"

namespace {

using prejoin::AttributeValue;
using prejoin::Item;
using prejoin::Number;

// Object and Array types differ between the two interfaces; the walk is the same.
template <class Object>
Item ReadItem(Object object);

template <class Value>
AttributeValue ReadValue(Value value) {
  for (auto field : value.get_object()) {
    std::string_view type;
    if constexpr (requires { field.unescaped_key(); }) {
      type = field.unescaped_key().value();
    } else {
      type = field.key;
    }
    auto inner = [&field] {
      if constexpr (requires { field.value().value(); }) {
        return field.value().value();
      } else {
        return field.value;
      }
    }();
    if (type == "S") {
      return AttributeValue(std::string_view(inner.get_string()));
    }
    if (type == "N") {
      return AttributeValue(*Number::Parse(inner.get_string()));
    }
    if (type == "BOOL") {
      return AttributeValue(bool(inner.get_bool()));
    }
    if (type == "NULL") {
      return AttributeValue();
    }
    if (type == "M") {
      return AttributeValue(ReadItem(inner.get_object().value()));
    }
    if (type == "L") {
      AttributeValue::List list;
      for (auto element : inner.get_array()) {
        if constexpr (requires { element.value(); }) {
          list.push_back(ReadValue(element.value()));
        } else {
          list.push_back(ReadValue(element));
        }
      }
      return AttributeValue(std::move(list));
    }
    if (type == "SS") {
      AttributeValue::StringSet set;
      for (auto element : inner.get_array()) {
        set.members.emplace_back(std::string_view(element.get_string()));
      }
      return AttributeValue(std::move(set));
    }
  }
  return AttributeValue();
}

template <class Object>
Item ReadItem(Object object) {
  Item item;
  for (auto field : object) {
    if constexpr (requires { field.unescaped_key(); }) {
      std::string name(field.unescaped_key().value());
      item.Set(std::move(name), ReadValue(field.value().value()));
    } else {
      item.Set(std::string(field.key), ReadValue(field.value));
    }
  }
  return item;
}

template <class Document>
std::size_t PutItem(Document& document) {
  return ReadItem(document["Item"].get_object().value()).size();
}

template <class Document>
std::size_t TransactWrite(Document& document) {
  std::size_t attributes = 0;
  for (auto element : document["TransactItems"].get_array()) {
    attributes += ReadItem(element["Put"]["Item"].get_object().value()).size();
  }
  return attributes;
}

void OnDemand(benchmark::State& state, const std::string& json, bool put) {
  simdjson::ondemand::parser parser;
  std::string padded;
  for (auto _ : state) {
    padded.assign(json);  // A server must give the parser room behind the body; the copy is part of
                          // the price.
    padded.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document document =
        parser.iterate(padded.data(), padded.size(), padded.capacity());
    benchmark::DoNotOptimize(put ? PutItem(document) : TransactWrite(document));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.size()));
}

void Dom(benchmark::State& state, const std::string& json, bool put) {
  simdjson::dom::parser parser;
  for (auto _ : state) {
    simdjson::dom::element document = parser.parse(json);
    benchmark::DoNotOptimize(put ? PutItem(document) : TransactWrite(document));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.size()));
}

// The document alone, without the tree of values.
void DomOnly(benchmark::State& state, const std::string& json) {
  simdjson::dom::parser parser;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.parse(json).error());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * json.size()));
}

const bool registered = [] {
  benchmark::RegisterBenchmark("dom_parse_only/PutItem", DomOnly, prejoin::bench::PutItemJson());
  benchmark::RegisterBenchmark("dom_parse_only/TransactWrite25", DomOnly,
                               prejoin::bench::TransactWriteJson());
  benchmark::RegisterBenchmark("ondemand/PutItem", OnDemand, prejoin::bench::PutItemJson(), true);
  benchmark::RegisterBenchmark("dom/PutItem", Dom, prejoin::bench::PutItemJson(), true);
  benchmark::RegisterBenchmark("ondemand/TransactWrite25", OnDemand,
                               prejoin::bench::TransactWriteJson(), false);
  benchmark::RegisterBenchmark("dom/TransactWrite25", Dom, prejoin::bench::TransactWriteJson(),
                               false);
  return true;
}();

}  // namespace

BENCHMARK_MAIN();
