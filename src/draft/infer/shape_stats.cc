#include "draft/infer/shape_stats.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/parse_number.h"
#include "draft/names.h"
#include "model/schema/key_template.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kMatchesMax = 400;

std::string Unpadded(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of('0'), text.size() - 1);
  return std::string(text.substr(first));
}

// An attribute's value as keys would hold it.
struct Candidate {
  const std::string* name;
  std::string text;
  std::string lower;
  std::string upper;
  bool is_number;
};

constexpr int kShardsMax = 64;

std::vector<Candidate> CandidatesOf(const Item& item, const std::vector<std::string>& key_names) {
  std::vector<Candidate> all;
  for (const auto& [name, value] : item) {
    if (std::find(key_names.begin(), key_names.end(), name) != key_names.end() &&
        IsGenericKeyName(name)) {
      continue;
    }
    auto text = KeyText(value);
    if (!text || text->empty() || text->size() > 1024) {
      continue;
    }
    Candidate one{&name, *std::move(text), "", "", value.number() != nullptr};
    one.lower = Lowered(one.text);
    one.upper = Uppered(one.text);
    all.push_back(std::move(one));
  }
  return all;
}

void CountMatches(std::string_view text, const std::vector<Candidate>& candidates,
                  const std::string& key, TokenStats& token) {
  for (const Candidate& one : candidates) {
    if (*one.name == key) {
      continue;
    }
    std::string form;
    if (text == one.text) {
      form = *one.name;
    } else if (text == one.lower) {
      form = *one.name + " lower";
    } else if (text == one.upper) {
      form = *one.name + " upper";
    } else if (one.is_number && text.size() > one.text.size() && Unpadded(text) == one.text) {
      form = *one.name + " pad " + std::to_string(text.size());
    } else {
      continue;
    }
    if (token.matches.size() < kMatchesMax || token.matches.contains(form)) {
      ++token.matches[form];
    }
  }
}

}  // namespace

double ValueBytes(const AttributeValue& value) {
  switch (value.type()) {
    case ValueType::kString:
      return static_cast<double>(value.string()->size());
    case ValueType::kBinary:
      return static_cast<double>(value.binary()->size());
    case ValueType::kNumber: {
      const std::string text = value.number()->ToString();
      return static_cast<double>(
          std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
    }
    case ValueType::kList: {
      double bytes = 3;
      for (const AttributeValue& part : *value.list()) {
        bytes += ValueBytes(part) + 1;
      }
      return bytes;
    }
    case ValueType::kMap: {
      double bytes = 3;
      for (const auto& [name, part] : *value.map()) {
        bytes += static_cast<double>(name.size()) + ValueBytes(part) + 1;
      }
      return bytes;
    }
    case ValueType::kStringSet: {
      double bytes = 0;
      for (const std::string& part : *value.string_set()) {
        bytes += static_cast<double>(part.size());
      }
      return bytes;
    }
    default:
      return 1;
  }
}

void AttributeStats::Add(const AttributeValue& value) {
  ++count;
  ++types[static_cast<std::size_t>(value.type())];
  const double size = ValueBytes(value);
  bytes += size;
  bytes_most = std::max(bytes_most, size);
  const auto text = KeyText(value);
  if (!text) {
    return;
  }
  distinct.Add(*text);
  if (value.string() != nullptr) {
    dates += TimeForm(*text) == "date" ? 1 : 0;
    times += TimeForm(*text) == "time" ? 1 : 0;
    if (values.size() <= kShapeValuesMax && text->size() <= 40) {
      values.insert(*text);
    }
  }
}

void AttributeStats::Merge(const AttributeStats& other) {
  count += other.count;
  for (std::size_t i = 0; i < types.size(); ++i) {
    types[i] += other.types[i];
  }
  dates += other.dates;
  times += other.times;
  bytes += other.bytes;
  bytes_most = std::max(bytes_most, other.bytes_most);
  distinct.Merge(other.distinct);
  for (const std::string& value : other.values) {
    if (values.size() <= kShapeValuesMax) {
      values.insert(value);
    }
  }
}

ValueType AttributeStats::Type() const {
  return static_cast<ValueType>(std::max_element(types.begin(), types.end()) - types.begin());
}

void TokenStats::Add(std::string_view text) {
  if (count++ == 0) {
    first = text;
    common = first.size();
    shortest = first.size();
  }
  shortest = std::min(shortest, text.size());
  common = std::min(common, text.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (text[i] != first[i]) {
      common = i;
    }
  }
  dates += TimeForm(text) == "date" ? 1 : 0;
  times += TimeForm(text) == "time" ? 1 : 0;
  distinct.Add(text);
  each_once.Add(text);
}

void TokenStats::Merge(const TokenStats& other) {
  if (count == 0) {
    *this = other;
    return;
  }
  count += other.count;
  common = std::min({common, other.common, other.first.size()});
  shortest = std::min(shortest, other.shortest);
  for (std::size_t i = 0; i < common; ++i) {
    if (other.first[i] != first[i]) {
      common = i;
    }
  }
  dates += other.dates;
  times += other.times;
  distinct.Merge(other.distinct);
  each_once.Merge(other.each_once);
  if (sharded == 0) {
    shards = other.shards;
  } else if (other.sharded > 0) {
    for (auto& [name, numbers] : shards) {
      const auto theirs = other.shards.find(name);
      numbers &= theirs == other.shards.end() ? 0 : theirs->second;
    }
    std::erase_if(shards, [](const auto& one) { return one.second == 0; });
  }
  sharded += other.sharded;
  for (const auto& [name, matched] : other.matches) {
    if (matches.size() < kMatchesMax || matches.contains(name)) {
      matches[name] += matched;
    }
  }
}

void TokenStats::AddShard(std::string_view text, const std::map<std::string, AttributeValue>& of) {
  const auto shard = ParseInteger<unsigned>(text);
  const bool plain = shard && *shard < kShardsMax && (text.size() == 1 || text[0] != '0');
  if (!plain || (sharded > 0 && shards.empty())) {
    shards.clear();
    sharded = std::max<std::int64_t>(sharded, 1);
    return;
  }
  const bool begins = sharded++ == 0;
  for (const auto& [name, value] : of) {
    if (begins) {
      shards[name] = ~std::uint64_t{0};
    }
    const auto known = shards.find(name);
    if (known == shards.end()) {
      continue;
    }
    for (int number = 1; number <= kShardsMax; ++number) {
      const std::uint64_t bit = std::uint64_t{1} << (number - 1);
      const bool agrees = static_cast<unsigned>(number) > *shard && (known->second & bit) != 0 &&
                          model::ShardOf(value, number) == static_cast<int>(*shard);
      known->second &= agrees ? ~std::uint64_t{0} : ~bit;
    }
  }
  std::erase_if(shards, [&](const auto& one) { return one.second == 0 || !of.contains(one.first); });
}

int TokenStats::ShardsOf(const std::string& name) const {
  constexpr std::int64_t kItemsForShards = 12;
  const auto found = shards.find(name);
  if (found == shards.end() || sharded != count || count < kItemsForShards) {
    return 0;
  }
  for (int number = 2; number <= kShardsMax; ++number) {
    if ((found->second >> (number - 1)) & 1) {
      return number;
    }
  }
  return 0;
}

void ShapeStats::Add(const Item& item, const std::vector<std::string>& key_names,
                     std::string_view delimiters, std::size_t samples_max) {
  ++count;
  for (const auto& [name, value] : item) {
    if (value.is_null()) {
      if (nulls.size() < kShapeAttributesMax || nulls.contains(name)) {
        ++nulls[name];
      }
      continue;
    }
    if (attributes.size() < kShapeAttributesMax || attributes.contains(name)) {
      attributes[name].Add(value);
    }
  }
  const std::vector<Candidate> candidates = CandidatesOf(item, key_names);
  std::vector<std::pair<std::string, std::string>> earlier;  // "@PK.1" → its text.
  std::map<std::string, AttributeValue> sources;             // Attributes that a shard may be chosen by.
  for (const auto& [name, value] : item) {
    if (std::ranges::count(key_names, name) == 0 && KeyText(value)) {
      sources.emplace(name, value);
    }
  }
  for (const std::string& key : key_names) {
    const AttributeValue* value = item.Find(key);
    const auto text = value != nullptr ? KeyText(*value) : std::nullopt;
    if (!text) {
      continue;
    }
    if (value->number() != nullptr) {
      ++numeric_keys[key];
    }
    const std::vector<KeyToken> tokens = SplitKey(*text, delimiters);
    std::vector<TokenStats>& parts = keys[key][tokens.size()];
    parts.resize(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      parts[i].delimiter = tokens[i].delimiter;
      parts[i].Add(tokens[i].text);
      CountMatches(tokens[i].text, candidates, key, parts[i]);
      parts[i].AddShard(tokens[i].text, sources);
      for (const auto& [name, other] : earlier) {
        if (other == tokens[i].text) {
          ++parts[i].matches[name];
        }
      }
      earlier.emplace_back("@" + key + "." + std::to_string(i), tokens[i].text);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      sources.try_emplace("@" + key + "." + std::to_string(i), std::string(tokens[i].text));
    }
  }
  if (samples.size() < samples_max) {
    samples.push_back(item);
  }
}

void ShapeStats::Merge(const ShapeStats& other, std::size_t samples_max) {
  count += other.count;
  for (const auto& [name, stats] : other.attributes) {
    if (attributes.size() < kShapeAttributesMax || attributes.contains(name)) {
      attributes[name].Merge(stats);
    }
  }
  for (const auto& [name, times] : other.nulls) {
    if (nulls.size() < kShapeAttributesMax || nulls.contains(name)) {
      nulls[name] += times;
    }
  }
  for (const auto& [key, by_size] : other.keys) {
    for (const auto& [size, parts] : by_size) {
      std::vector<TokenStats>& mine = keys[key][size];
      mine.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        mine[i].delimiter = parts[i].delimiter;
        mine[i].Merge(parts[i]);
      }
    }
  }
  for (const auto& [key, times_seen] : other.numeric_keys) {
    numeric_keys[key] += times_seen;
  }
  for (const Item& item : other.samples) {
    if (samples.size() < samples_max) {
      samples.push_back(item);
    }
  }
}

const std::vector<TokenStats>* ShapeStats::Parts(const std::string& key) const {
  const auto found = keys.find(key);
  if (found == keys.end()) {
    return nullptr;
  }
  const std::vector<TokenStats>* best = nullptr;
  for (const auto& [size, parts] : found->second) {
    if (best == nullptr || parts[0].count > (*best)[0].count) {
      best = &parts;
    }
  }
  return best;
}

}  // namespace prejoin::draft
