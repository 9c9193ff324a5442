// Any bytes as what the engine finds in its store: items, tables, records and shards of a stream,
// entries of a vector index, counters. Each is read or refused, and what was read comes out of the
// writer as it went in. The first byte picks the kind.
//
// Built with libFuzzer by the preset `fuzz`.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/item/record.h"
#include "engine/stream/stream_record.h"
#include "engine/table/catalog.h"
#include "engine/table/catalog_codec.h"
#include "engine/vector/vector_entry.h"
#include "prejoin/options.h"
#include "tests/fuzz/request_corpus.h"
#include "tests/fuzz/sample_mutator.h"
#include "value/encoding.h"
#include "wire/service.h"

namespace prejoin::engine {
namespace {

enum Kind : std::uint8_t {
  kItem,
  kTable,
  kChange,
  kShard,
  kVectorEntry,
  kCounter,
  kStoredRecord,
  kKindCount
};

constexpr std::size_t kDimensions = 3;

void ReadBody(std::string_view stored) {
  if (!ValidateItemBody(stored)) {
    return;
  }
  const Item item = ItemView(stored).Decode();
  PJ_CHECK(ValidateItemBody(EncodeItem(item)).has_value());
  PJ_CHECK(ItemView(EncodeItem(item)).Decode() == item);
}

void ReadTable(std::string_view stored) {
  const auto table = DecodeTable(stored);
  if (!table) {
    PJ_CHECK(table.error().code == ErrorCode::kCorruption);
    return;
  }
  const std::string again = EncodeTable(**table);
  const auto read_again = DecodeTable(again);
  PJ_CHECK(read_again.has_value());
  PJ_CHECK(EncodeTable(**read_again) == again);
}

void ReadChange(std::string_view stored) {
  const auto change = DecodeChange(stored);
  if (!change) {
    PJ_CHECK(change.error().code == ErrorCode::kCorruption);
    return;
  }
  PJ_CHECK(EncodeChange(*change) == stored);
  (void)ItemView(change->keys).Decode();
  if (change->old_image) {
    (void)ItemView(*change->old_image).Decode();
  }
  if (change->new_image) {
    (void)ItemView(*change->new_image).Decode();
  }
}

void Read(std::uint8_t kind, std::string_view stored) {
  switch (kind % kKindCount) {
    case kItem:
      return ReadBody(stored);
    case kTable:
      return ReadTable(stored);
    case kChange:
      return ReadChange(stored);
    case kShard:
      (void)DecodeShard(ShardKey(7, 8), stored);
      return;
    case kVectorEntry:
      (void)DecodeVectorEntry(stored, kDimensions);
      return;
    case kStoredRecord:
      if (const auto record = DecodeRecord(stored)) {
        PJ_CHECK(EncodeRecord(record->size_bytes, EncodeItem(record->item().Decode())) == stored);
      }
      return;
    default:
      (void)DecodeSpaceCounter(stored);
      return;
  }
}

std::vector<std::string> MakeSamples() {
  const auto engine = *Engine::Open(Options{});
  const wire::Service service(*engine);
  (void)service.Handle(kRequestCorpus[0].target, kRequestCorpus[0].body);
  const TablePtr table = engine->catalog().FindOrNull("Fuzz");
  PJ_CHECK(table != nullptr);
  const std::string body =
      EncodeItem({{"p", "a"},
                  {"s", 2},
                  {"l", AttributeValue::List{1, "two", AttributeValue::Null{}}},
                  {"m", Item{{"b", AttributeValue::Binary{"b"}}, {"t", true}}},
                  {"n", AttributeValue::NumberSet{{Number(1), Number(3)}}}});
  const auto sample = [](Kind kind, const std::string& stored) {
    return std::string(1, static_cast<char>(kind)) + stored;
  };
  return {sample(kItem, body),
          sample(kTable, EncodeTable(*table)),
          sample(kChange, EncodeChange({.event = StreamEvent::kModify,
                                        .size_bytes = 9,
                                        .keys = body,
                                        .old_image = body,
                                        .new_image = body})),
          sample(kShard, std::string(1, '\1') + std::string(16, '\0')),
          sample(kVectorEntry, EncodeRecord(9, body) + std::string(kDimensions * 4, 'f')),
          sample(kCounter, EncodeSpaceCounter(77)),
          sample(kStoredRecord, EncodeRecord(9, body))};
}

}  // namespace
}  // namespace prejoin::engine

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const std::vector<std::string> samples = prejoin::engine::MakeSamples();
  return prejoin::fuzz::MutateWithSamples(samples, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  prejoin::engine::Read(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
