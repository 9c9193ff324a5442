// Figures of the items of one shape: how many, which attributes of which types and sizes,
// and what the variable parts of their keys are equal to. Bounded, and two of them can be merged,
// because shapes are only told apart for good when all items were seen.
#ifndef PREJOIN_DRAFT_INFER_SHAPE_STATS_H_
#define PREJOIN_DRAFT_INFER_SHAPE_STATS_H_

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/infer/each_once.h"
#include "draft/infer/key_tokens.h"
#include "draft/infer/sketch.h"
#include "prejoin/item.h"

namespace prejoin::draft {

inline constexpr std::size_t kShapeAttributesMax = 200;
inline constexpr std::size_t kShapeValuesMax = 12;

struct AttributeStats {
  std::int64_t count = 0;
  std::array<std::int64_t, 10> types{};  // By ValueType.
  std::int64_t dates = 0;
  std::int64_t times = 0;
  double bytes = 0;
  double bytes_most = 0;
  Sketch distinct;
  std::set<std::string> values;  // The first few texts.

  void Add(const AttributeValue& value);
  void Merge(const AttributeStats& other);
  ValueType Type() const;
};

// One part of a key, over all items of a shape.
struct TokenStats {
  std::int64_t count = 0;
  std::string delimiter;
  std::string first;       // A value.
  std::size_t common = 0;  // The number of leading bytes that all values share with `first`.
  std::size_t shortest = 0;
  std::int64_t dates = 0;
  std::int64_t times = 0;
  Sketch distinct;
  EachOnce each_once;
  // The number of times it was equal to an attribute, as it is ("name"), in another case ("name lower"), or padded
  // ("name pad 6"); or to another part of the item's keys ("@PK.1").
  std::map<std::string, std::int64_t> matches;
  // True if it may be `{shard N of name}`: for each attribute or part that was there in every item, the bits N - 1 of the numbers of
  // shards with which every item agrees. Few survive the first items.
  std::map<std::string, std::uint64_t> shards;
  std::int64_t sharded = 0;  // Items that were counted into it.

  // The number of shards of `name`; 0 if no number agrees with enough items.
  int ShardsOf(const std::string& name) const;
  void AddShard(std::string_view text, const std::map<std::string, AttributeValue>& of);

  void Add(std::string_view text);
  void Merge(const TokenStats& other);
};

struct ShapeStats {
  std::int64_t count = 0;
  std::map<std::string, AttributeStats> attributes;
  std::map<std::string, std::int64_t> nulls;  // The number of items in which an attribute is NULL; those are not in its stats.
  // Key attribute → how many parts → those parts. The parts of an index key may vary within a shape.
  std::map<std::string, std::map<std::size_t, std::vector<TokenStats>>> keys;
  std::map<std::string, std::int64_t> numeric_keys;  // The number of times that a key attribute held a number.
  std::vector<Item> samples;

  // `key_names` are those of the table, then of the indexes.
  void Add(const Item& item, const std::vector<std::string>& key_names, std::string_view delimiters,
           std::size_t samples_max);
  void Merge(const ShapeStats& other, std::size_t samples_max);

  // The most common way in which a key is put together; null if no item has it.
  const std::vector<TokenStats>* Parts(const std::string& key) const;
};

// About what the value takes, by DynamoDB's rule for sizes.
double ValueBytes(const AttributeValue& value);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_SHAPE_STATS_H_
