// Whether every value was seen once. Exact, unlike a sketch: a key is either unique or it is none. Bounded: beyond kValuesMax
// values nothing is said, and two of them can be merged.
#ifndef PREJOIN_DRAFT_INFER_EACH_ONCE_H_
#define PREJOIN_DRAFT_INFER_EACH_ONCE_H_

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "draft/infer/sketch.h"

namespace prejoin::draft {

// Single thread.
class EachOnce {
 public:
  static constexpr std::size_t kValuesMax = 200'000;

  enum class Answer { kYes, kRepeats, kTooMany };

  void Add(std::string_view value) { AddHash(Sketch::HashOf(value)); }

  void Merge(const EachOnce& other) {
    if (other.answer_ != Answer::kYes) {
      End(other.answer_);
    }
    for (const std::uint64_t hash : other.hashes_) {
      AddHash(hash);
    }
  }

  // Two values with one hash count as one that repeats, so a yes is certain.
  Answer answer() const { return answer_; }

 private:
  void AddHash(std::uint64_t hash) {
    if (answer_ != Answer::kYes) {
      return;
    }
    if (!hashes_.insert(hash).second) {
      return End(Answer::kRepeats);
    }
    if (hashes_.size() > kValuesMax) {
      End(Answer::kTooMany);
    }
  }

  void End(Answer answer) {
    // A value that repeats within the first values counts as repeating.
    if (answer_ != Answer::kRepeats) {
      answer_ = answer;
    }
    hashes_ = {};
  }

  Answer answer_ = Answer::kYes;
  absl::flat_hash_set<std::uint64_t> hashes_;
};

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_EACH_ONCE_H_
