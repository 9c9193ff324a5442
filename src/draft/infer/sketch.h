// Estimates the number of distinct values, and whether the values of one attribute are among those of another,
// from the few smallest hashes of each: 2 KB however many values there are.
#ifndef PREJOIN_DRAFT_INFER_SKETCH_H_
#define PREJOIN_DRAFT_INFER_SKETCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace prejoin::draft {

// Single thread.
class Sketch {
 public:
  static constexpr std::size_t kHashesMax = 256;

  void Add(std::string_view value) { AddHash(HashOf(value)); }

  void Merge(const Sketch& other) {
    for (const std::uint64_t hash : other.hashes_) {
      AddHash(hash);
    }
    full_ = full_ || other.full_;
  }

  // Exact below kHashesMax, then within some six percent.
  double Distinct() const {
    if (!full_) {
      return static_cast<double>(hashes_.size());
    }
    const double share = static_cast<double>(hashes_.back()) /
                         static_cast<double>(std::numeric_limits<std::uint64_t>::max());
    return static_cast<double>(hashes_.size() - 1) / std::max(share, 1e-18);
  }

  // The share of these values that `other` has seen too; 0 if nothing can be said.
  double ShareIn(const Sketch& other) const {
    const std::uint64_t limit = std::min(Limit(), other.Limit());
    std::size_t looked_at = 0;
    std::size_t found = 0;
    for (const std::uint64_t hash : hashes_) {
      if (hash > limit) {
        break;
      }
      ++looked_at;
      found += std::binary_search(other.hashes_.begin(), other.hashes_.end(), hash) ? 1 : 0;
    }
    return looked_at == 0 ? 0 : static_cast<double>(found) / static_cast<double>(looked_at);
  }

  bool empty() const { return hashes_.empty(); }

  static std::uint64_t HashOf(std::string_view value) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : value) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    // FNV leaves the high bits of short texts alike; the order of hashes needs them mixed.
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 33);
  }

 private:
  std::uint64_t Limit() const {
    return full_ ? hashes_.back() : std::numeric_limits<std::uint64_t>::max();
  }

  void AddHash(std::uint64_t hash) {
    if (full_ && hash >= hashes_.back()) {
      return;
    }
    const auto at = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
    if (at != hashes_.end() && *at == hash) {
      return;
    }
    hashes_.insert(at, hash);
    if (hashes_.size() > kHashesMax) {
      hashes_.pop_back();
      full_ = true;
    }
  }

  std::vector<std::uint64_t> hashes_;  // Sorted.
  bool full_ = false;
};

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_SKETCH_H_
