#include "engine/stream/stream_record.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "engine/table/space.h"
#include "value/encoding.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

constexpr char kVersion = 1;
// After the route: what the key is of.
constexpr char kShardMark = 0;
constexpr char kRecordMark = 1;
constexpr std::uint32_t kAbsent = 0xFFFF'FFFF;
constexpr unsigned kByTimeToLive = 0x80;

// Spreads shards over the store's buckets, and makes the tail of a shard id.
std::uint32_t Mix(SequenceNumber start) {
  return static_cast<std::uint32_t>((start * 0x9E37'79B9'7F4A'7C15u) >> 32);
}

std::string ShardPrefix(std::uint32_t space, SequenceNumber shard) {
  std::string prefix;
  AppendUint32(space, prefix);
  AppendUint32(Mix(shard), prefix);
  prefix.push_back(kRecordMark);
  AppendUint64(shard, prefix);
  return prefix;
}

void AppendBytes(std::optional<std::string_view> bytes, std::string& out) {
  AppendUint32(bytes ? static_cast<std::uint32_t>(bytes->size()) : kAbsent, out);
  if (bytes) {
    out.append(*bytes);
  }
}

// Takes stored bytes apart. Beyond their end it gives nothing and remembers that. Single thread.
class Cutter {
 public:
  explicit Cutter(std::string_view bytes) : rest_(bytes) {}

  std::string_view Cut(std::size_t size) {
    ok_ = ok_ && rest_.size() >= size;
    const std::string_view head = ok_ ? rest_.substr(0, size) : std::string_view();
    rest_.remove_prefix(head.size());
    return head;
  }
  std::uint64_t Number(std::size_t size) { return ReadBigEndian(Cut(size)); }
  std::optional<std::string_view> Bytes() {
    const auto size = static_cast<std::uint32_t>(Number(4));
    return size == kAbsent ? std::nullopt : std::optional(Cut(size));
  }
  // An item body.
  std::optional<std::string_view> Body() {
    const auto body = Bytes();
    ok_ = ok_ && (!body || ValidateItemBody(*body));
    return body;
  }

  // All was there, and nothing else.
  bool IsWhole() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<std::uint64_t> ParseDigits(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, number, base);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string RecordKey(std::uint32_t space, SequenceNumber shard, SequenceNumber number) {
  std::string key = ShardPrefix(space, shard);
  AppendUint64(number, key);
  return key;
}

SequenceNumber NumberOf(std::string_view record_key) {
  PJ_CHECK(record_key.size() > sizeof(SequenceNumber));
  return ReadBigEndian(record_key.substr(record_key.size() - sizeof(SequenceNumber)));
}

storage::Range RecordRange(std::uint32_t space, SequenceNumber shard, SequenceNumber first,
                           SequenceNumber end) {
  return {.begin = RecordKey(space, shard, first), .end = RecordKey(space, shard, end)};
}

std::string EncodeChange(const ChangeRecord& change) {
  std::string stored(1, kVersion);
  stored.push_back(static_cast<char>(static_cast<unsigned>(change.event) |
                                     (change.by_time_to_live ? kByTimeToLive : 0)));
  AppendUint32(static_cast<std::uint32_t>(change.size_bytes), stored);
  AppendBytes(change.keys, stored);
  AppendBytes(change.old_image, stored);
  AppendBytes(change.new_image, stored);
  return stored;
}

Result<ChangeRecord> DecodeChange(std::string_view stored) {
  Cutter cutter(stored);
  const std::string_view version = cutter.Cut(1);
  const auto kind = static_cast<unsigned>(cutter.Number(1));
  const unsigned event = kind & ~kByTimeToLive;
  ChangeRecord change;
  change.by_time_to_live = (kind & kByTimeToLive) != 0;
  change.size_bytes = cutter.Number(4);
  const auto keys = cutter.Body();
  change.old_image = cutter.Body();
  change.new_image = cutter.Body();
  if (!cutter.IsWhole() || version[0] != kVersion || !keys ||
      event > static_cast<unsigned>(StreamEvent::kRemove)) {
    return Error{ErrorCode::kCorruption, "a record of a stream cannot be read"};
  }
  change.event = static_cast<StreamEvent>(event);
  change.keys = *keys;
  return change;
}

void StageShards(std::uint32_t space, const ShardGroup& group, storage::Transaction& transaction) {
  for (const Shard& shard : group.shards) {
    std::string value(1, kVersion);
    AppendUint64(shard.parent.value_or(0), value);
    AppendUint32(shard.hash_first, value);
    AppendUint32(shard.hash_last, value);
    transaction.Put(ShardKey(space, shard.start), value);
  }
}

std::string ShardKey(std::uint32_t space, SequenceNumber start) {
  std::string key;
  AppendUint32(space, key);
  AppendUint32(0, key);
  key.push_back(kShardMark);
  AppendUint64(start, key);
  return key;
}

storage::Range ShardRange(std::uint32_t space) {
  return {.begin = ShardKey(space, 0), .end = ShardKey(space, kSequenceNumberMax)};
}

Result<Shard> DecodeShard(std::string_view key, std::string_view value) {
  Cutter cutter(value);
  const std::string_view version = cutter.Cut(1);
  Shard shard;
  shard.start = NumberOf(key);
  if (const SequenceNumber parent = cutter.Number(8); parent != 0) {
    shard.parent = parent;
  }
  shard.hash_first = static_cast<std::uint32_t>(cutter.Number(4));
  shard.hash_last = static_cast<std::uint32_t>(cutter.Number(4));
  if (!cutter.IsWhole() || version[0] != kVersion) {
    return Error{ErrorCode::kCorruption, "a shard of a stream cannot be read"};
  }
  return shard;
}

// The leading 1 gives DynamoDB's least length, 21 digits, to every number.
std::string SequenceText(SequenceNumber number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "1%020llu", static_cast<unsigned long long>(number));
  return text.data();
}

std::optional<SequenceNumber> ParseSequence(std::string_view text) {
  constexpr std::size_t kDigits = 21;
  if (text.size() != kDigits || text[0] != '1') {
    return std::nullopt;
  }
  return ParseDigits(text.substr(1), 10);
}

std::string ShardId(SequenceNumber start) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "shardId-%020llu-%08x",
                static_cast<unsigned long long>(start), Mix(start));
  return text.data();
}

std::optional<SequenceNumber> ParseShardId(std::string_view text) {
  constexpr std::string_view kPrefix = "shardId-";
  constexpr std::size_t kDigits = 20;
  if (!text.starts_with(kPrefix) || text.size() < kPrefix.size() + kDigits) {
    return std::nullopt;
  }
  const auto start = ParseDigits(text.substr(kPrefix.size(), kDigits), 10);
  return start && ShardId(*start) == text ? start : std::nullopt;
}

}  // namespace prejoin::engine
