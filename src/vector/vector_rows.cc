// Exact nearest neighbours from one byte for each dimension.
//
// A search looks at every row of its partition, so its time is that of reading the rows from
// memory. Rows are therefore kept coarse: each float becomes a code of one byte times the row's
// scale, a quarter of the bytes. The loss is known: the row keeps the length of the
// difference between its vector v and what the codes say, v'. For a query q, itself coded as q',
//
//     |q·v - q'·v'|  <=  |q|·|v - v'| + |q - q'|·|v'|
//
// so the product of the codes gives an interval in which the true product lies, and with the
// lengths of q and v one for every distance function (Similarity, below; nearer is greater). The
// first pass keeps the rows whose upper end reaches the count-th best lower end: no other row can
// be among the nearest. The second pass reads the kept rows' vectors in full, best upper end first,
// and stops as soon as the next upper end is below the count-th best true value. Both passes
// together are exact; only how many rows the second has to read depends on the data (some dozens to
// some hundreds of a million, where rows do not all lie at one distance).
//
// Rows lie in blocks of at most kRowsPerBlock, each with a lock of its own, so that a change never
// waits for a whole search.
//
// Changes arrive after their commit and in any order, because committing and applying are two
// steps. Each has the version of its commit, and the greatest stands. A removed row leaves its
// version behind as long as an older change may be on its way: until every change that had begun
// before the removal has ended. Epochs tell when (class Change): the number goes from e to e + 1
// only when nothing begun in e - 1 is left, so a removal of epoch e can be forgotten in e + 2.
#include "vector/vector_rows.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace prejoin::vector {
namespace {

constexpr std::uint32_t kRowsPerBlock = 4096;
constexpr std::uint32_t kFirstBlockRows = 16;
// So many rows are multiplied at a time.
constexpr std::uint32_t kRowsPerStep = 32;
constexpr float kRowCodeMax = 127;
// Where more rows than this are nearer to each other than their codes can tell, the others are left
// out, so that the work of a search has a bound whatever the data are.
constexpr std::size_t kFullReadsMax = 50'000;
// Covers the rounding of 32-bit sums over kDimensionsMax products in sixteen lanes, with room to
// spare.
constexpr double kRounding = 4e-5;

double Length(std::span<const float> vector) {
  double sum = 0;
  for (const float value : vector) {
    sum += double{value} * double{value};
  }
  return std::sqrt(sum);
}

float Largest(std::span<const float> vector) {
  float largest = 0;
  for (const float value : vector) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

// A query as the first pass uses it.
struct CodedQuery {
  explicit CodedQuery(std::span<const float> query) : codes(query.size()), length(Length(query)) {
    scale = Largest(query) / static_cast<float>(kQueryCodeMax);
    double lost = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      codes[i] = static_cast<std::int16_t>(scale > 0 ? std::lround(query[i] / scale) : 0);
      const double difference = double{query[i]} - double{scale} * codes[i];
      lost += difference * difference;
    }
    error = std::sqrt(lost);
  }

  std::vector<std::int16_t> codes;
  double length;
  float scale;
  double error;
};

// The interval that a row's similarity to a query lies in.
struct Interval {
  double low = 0;
  double high = 0;
};

// Turns an interval of the product q·v into one of the similarity, in which nearer is greater: the
// product itself, the cosine, or 2 q·v - |v|², which is |q|² - |q - v|².
Interval Similarity(DistanceFunction function, double product, double half, double query_length,
                    double row_length) {
  double rounding = kRounding * query_length * row_length;
  switch (function) {
    case DistanceFunction::kDotProduct:
      break;
    case DistanceFunction::kCosine: {
      const double lengths = query_length * row_length;
      product = lengths > 0 ? product / lengths : 0;
      half = lengths > 0 ? half / lengths : 0;
      rounding = kRounding;
      break;
    }
    case DistanceFunction::kEuclidean:
      product = 2 * product - row_length * row_length;
      half *= 2;
      rounding = kRounding * (query_length + row_length) * (query_length + row_length);
      break;
  }
  return {.low = product - half - rounding, .high = product + half + rounding};
}

// The same for a score that is known.
double SimilarityOf(DistanceFunction function, float score, double query_length) {
  switch (function) {
    case DistanceFunction::kDotProduct:
      return score;
    case DistanceFunction::kCosine:
      return 1 - double{score};
    case DistanceFunction::kEuclidean:
      return query_length * query_length - double{score} * double{score};
  }
  return 0;
}

// The count-th greatest of the numbers so far.
class Greatest {
 public:
  explicit Greatest(std::size_t count) : count_(count) {}
  void Add(double number) {
    if (heap_.size() < count_) {
      heap_.push(number);
    } else if (number > heap_.top()) {
      heap_.pop();
      heap_.push(number);
    }
  }
  // Returns true if a number that is at most `high` can still be among the greatest.
  bool CanReach(double high) const { return heap_.size() < count_ || high >= heap_.top(); }

 private:
  std::size_t count_;
  std::priority_queue<double, std::vector<double>, std::greater<>> heap_;
};

struct Candidate {
  std::string key;
  double high = 0;
};

}  // namespace

// A fixed number of slots for rows. Single writer at a time (the shard's lock orders changes of one
// row, this lock orders them with searches).
struct VectorRows::Block {
  Block(std::uint32_t block_capacity, std::size_t dimensions, Partition& of)
      : capacity(block_capacity),
        partition(of),
        codes(block_capacity * dimensions),
        facts(block_capacity),
        keys(block_capacity),
        filters(block_capacity) {}

  struct Facts {
    double length = 0;  // May be beyond the range of a float.
    double error = 0;
    float scale = 0;
    bool live = false;
  };

  const std::uint32_t capacity;
  Partition& partition;
  mutable SharedMutex mutex;
  std::vector<std::int8_t> codes PJ_GUARDED_BY(mutex);
  std::vector<Facts> facts PJ_GUARDED_BY(mutex);
  std::vector<std::string> keys PJ_GUARDED_BY(mutex);
  std::vector<std::string> filters PJ_GUARDED_BY(mutex);
};

struct VectorRows::Partition {
  mutable Mutex mutex;
  std::vector<std::unique_ptr<Block>> blocks PJ_GUARDED_BY(mutex);  // Only ever appended to.
  std::vector<std::pair<Block*, std::uint32_t>> free PJ_GUARDED_BY(mutex);
};

VectorRows::VectorRows(std::size_t dimensions, DistanceFunction function)
    : dimensions_(dimensions), function_(function) {}

VectorRows::~VectorRows() = default;

VectorRows::Change::Change(VectorRows& rows) : rows_(rows) {
  const MutexLock lock(rows_.epoch_mutex_);
  epoch_ = rows_.epoch_;
  ++rows_.under_way_[epoch_ % 2];
}

VectorRows::Change::~Change() {
  const MutexLock lock(rows_.epoch_mutex_);
  --rows_.under_way_[epoch_ % 2];
  if (rows_.under_way_[(rows_.epoch_ + 1) % 2] == 0) {
    ++rows_.epoch_;
  }
}

VectorRows::Shard& VectorRows::ShardOf(std::string_view key) const {
  return shards_[std::hash<std::string_view>()(key) % shards_.size()];
}

VectorRows::Partition& VectorRows::PartitionOf(std::string_view name) {
  {
    const ReaderLock lock(partitions_mutex_);
    const auto found = partitions_.find(name);
    if (found != partitions_.end()) {
      return *found->second;
    }
  }
  const WriterLock lock(partitions_mutex_);
  std::unique_ptr<Partition>& partition = partitions_[std::string(name)];
  if (partition == nullptr) {
    partition = std::make_unique<Partition>();
  }
  return *partition;
}

const VectorRows::Partition* VectorRows::FindPartition(std::string_view name) const {
  const ReaderLock lock(partitions_mutex_);
  const auto found = partitions_.find(name);
  return found == partitions_.end() ? nullptr : found->second.get();
}

std::pair<VectorRows::Block*, std::uint32_t> VectorRows::TakeSlot(Partition& partition) {
  const MutexLock lock(partition.mutex);
  if (partition.free.empty()) {
    const std::uint32_t capacity =
        partition.blocks.empty() ? kFirstBlockRows
                                 : std::min(partition.blocks.back()->capacity * 2, kRowsPerBlock);
    partition.blocks.push_back(std::make_unique<Block>(capacity, dimensions_, partition));
    memory_bytes_ +=
        capacity * (dimensions_ + sizeof(Block::Facts) + 2 * sizeof(std::string) + sizeof(Place));
    for (std::uint32_t slot = capacity; slot > 0; --slot) {
      partition.free.emplace_back(partition.blocks.back().get(), slot - 1);
    }
  }
  const auto taken = partition.free.back();
  partition.free.pop_back();
  return taken;
}

void VectorRows::Fill(Block& block, std::uint32_t slot, const VectorRow& row) {
  std::vector<std::int8_t> codes(dimensions_);
  Block::Facts facts{
      .length = Length(row.vector), .scale = Largest(row.vector) / kRowCodeMax, .live = true};
  double lost = 0;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const float steps = facts.scale > 0 ? row.vector[i] / facts.scale : 0;
    // To the nearest. The rounding error is counted below, so any size of it is fine.
    codes[i] = static_cast<std::int8_t>(static_cast<int>(steps + (steps < 0 ? -0.5F : 0.5F)));
    const double difference = double{row.vector[i]} - double{facts.scale} * codes[i];
    lost += difference * difference;
  }
  facts.error = std::sqrt(lost) * (1 + kRounding);
  const WriterLock lock(block.mutex);
  std::ranges::copy(codes, block.codes.begin() + static_cast<std::ptrdiff_t>(slot * dimensions_));
  block.facts[slot] = facts;
  block.keys[slot] = row.key;
  block.filters[slot] = row.filter;
}

void VectorRows::Put(const VectorRow& row, std::uint64_t version) {
  Shard& shard = ShardOf(row.key);
  const MutexLock lock(shard.mutex);
  const auto [entry, is_new] = shard.places.try_emplace(std::string(row.key));
  Place& place = entry->second;
  if (!is_new && version < place.version) {
    return;
  }
  place.version = version;
  place.removed_in = 0;
  if (place.block == nullptr) {
    std::tie(place.block, place.slot) = TakeSlot(PartitionOf(row.partition));
    ++size_;
  }
  Fill(*place.block, place.slot, row);
}

void VectorRows::Remove(std::string_view key, std::uint64_t version) {
  Shard& shard = ShardOf(key);
  const MutexLock lock(shard.mutex);
  Place& place = shard.places[std::string(key)];
  if (version < place.version) {
    return;
  }
  if (place.block != nullptr) {
    {
      const WriterLock block_lock(place.block->mutex);
      place.block->facts[place.slot].live = false;
    }
    Partition& partition = place.block->partition;
    const MutexLock partition_lock(partition.mutex);
    partition.free.emplace_back(std::exchange(place.block, nullptr), place.slot);
    --size_;
  }
  place.version = version;
  std::uint64_t epoch = 0;
  {
    const MutexLock epoch_lock(epoch_mutex_);
    epoch = epoch_;
  }
  place.removed_in = epoch;
  shard.removed.emplace_back(epoch, key);
  ForgetRemoved(shard, epoch);
}

void VectorRows::ForgetRemoved(Shard& shard, std::uint64_t epoch) {
  while (!shard.removed.empty() && shard.removed.front().first + 2 <= epoch) {
    const auto found = shard.places.find(shard.removed.front().second);
    // A row that came back meanwhile, or was removed again, stays.
    if (found != shard.places.end() && found->second.removed_in == shard.removed.front().first) {
      shard.places.erase(found);
    }
    shard.removed.pop_front();
  }
}

std::size_t VectorRows::RowsToSearch(std::string_view partition_name) const {
  const Partition* partition = FindPartition(partition_name);
  if (partition == nullptr) {
    return 0;
  }
  const MutexLock lock(partition->mutex);
  std::size_t count = 0;
  for (const auto& block : partition->blocks) {
    count += block->capacity;
  }
  return count;
}

std::vector<Match> VectorRows::Search(
    std::string_view partition_name, std::span<const float> query, std::size_t count,
    FunctionRef<bool(std::string_view)> accepts,
    FunctionRef<bool(std::string_view, std::vector<float>&)> read) const {
  const Partition* partition = FindPartition(partition_name);
  if (partition == nullptr || count == 0) {
    return {};
  }
  std::vector<const Block*> blocks;
  {
    const MutexLock lock(partition->mutex);
    for (const auto& block : partition->blocks) {
      blocks.push_back(block.get());
    }
  }
  const CodedQuery coded(query);
  Greatest lows(count);
  std::vector<Candidate> candidates;
  std::array<std::int32_t, kRowsPerStep> products;
  for (const Block* block : blocks) {
    const ReaderLock lock(block->mutex);
    for (std::uint32_t slot = 0; slot < block->capacity; ++slot) {
      const std::uint32_t place = slot % kRowsPerStep;
      if (place == 0) {
        CodeProducts(&block->codes[slot * dimensions_],
                     std::min(kRowsPerStep, block->capacity - slot), coded.codes.data(),
                     dimensions_, products.data());
      }
      const Block::Facts& facts = block->facts[slot];
      if (!facts.live) {
        continue;
      }
      const double product = double{coded.scale} * double{facts.scale} * products[place];
      const double half = coded.length * facts.error + coded.error * (facts.length + facts.error);
      const Interval interval = Similarity(function_, product, half, coded.length, facts.length);
      if (lows.CanReach(interval.high) && accepts(block->filters[slot])) {
        lows.Add(interval.low);
        candidates.push_back({block->keys[slot], interval.high});
      }
    }
  }
  std::erase_if(candidates, [&](const Candidate& one) { return !lows.CanReach(one.high); });
  std::ranges::sort(candidates, std::greater<>(), &Candidate::high);

  Greatest exact(count);
  std::vector<Match> matches;
  std::vector<float> vector;
  candidates.resize(std::min(candidates.size(), kFullReadsMax));
  for (Candidate& candidate : candidates) {
    if (!exact.CanReach(candidate.high)) {
      break;
    }
    if (!read(candidate.key, vector) || vector.size() != query.size()) {
      continue;
    }
    const float score = Score(function_, query, vector);
    exact.Add(SimilarityOf(function_, score, coded.length));
    matches.push_back({std::move(candidate.key), score});
  }
  const auto nearer = [&](const Match& a, const Match& b) {
    return IsNearer(function_, a.score, b.score);
  };
  std::ranges::stable_sort(matches, nearer);
  matches.resize(std::min(matches.size(), count));
  return matches;
}

}  // namespace prejoin::vector
