// Latches: short exclusive holds on sets of keys, so that a transaction body sees values that
// nobody changes under it.
#ifndef PREJOIN_STORAGE_LATCHES_H_
#define PREJOIN_STORAGE_LATCHES_H_

#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "prejoin/result.h"

namespace prejoin::storage {

// A fixed number of stripes; a key's hash names its stripe. Two keys may share one, which only
// costs waiting. Thread-safe.
class Latches {
 public:
  Latches();

  // Holds the latches of all `keys` (duplicates allowed) while it lives. Stripes are taken in
  // ascending order, so holders cannot deadlock; a thread that holds one must not take a second.
  // On a thread that may not wait (base/patience.h) it holds nothing if another has one of them.
  class Hold {
   public:
    Hold(Latches& latches, std::span<const std::string> keys);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

    // False if the thread would have had to wait; the obstacle is noted then.
    bool holds() const { return holds_; }

   private:
    // Takes the stripes from `at` on, of which another has the first.
    bool TakeContended(std::size_t at);

    Latches& latches_;
    bool holds_ = true;
    absl::InlinedVector<std::uint32_t, 8> stripes_;  // Ascending, without duplicates.
  };

  // Returns after every Hold that existed when it was called has ended. The caller holds none.
  void WaitForHolders();

 private:
  static constexpr std::size_t kStripes = 4096;  // A power of two.

  // A cache line each: neighbours belong to unrelated keys.
  struct alignas(64) Stripe {
    std::mutex mutex;
  };

  static std::uint32_t StripeOf(const std::string& key);

  const std::unique_ptr<Stripe[]> stripes_;
};

// The error of a store's call that would have had to wait on a thread that may not. Nothing has changed.
Error WouldWait();

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LATCHES_H_
