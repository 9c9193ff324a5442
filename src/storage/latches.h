// Latches: short exclusive holds on sets of keys, so that a transaction body sees values that
// nobody changes under it.
#ifndef PREJOIN_STORAGE_LATCHES_H_
#define PREJOIN_STORAGE_LATCHES_H_

#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/mutex.h"

namespace prejoin::storage {

// A fixed number of stripes; a key's hash names its stripe. Two keys may share one, which only
// costs waiting. Thread-safe.
class Latches {
 public:
  Latches();

  // Holds the latches of all `keys` (duplicates allowed) while it lives. Stripes are taken in
  // ascending order, so holders cannot deadlock; a thread that holds one must not take a second.
  class Hold {
   public:
    Hold(Latches& latches, std::span<const std::string> keys) PJ_NO_THREAD_SAFETY_ANALYSIS;
    ~Hold() PJ_NO_THREAD_SAFETY_ANALYSIS;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Latches& latches_;
    absl::InlinedVector<std::uint32_t, 8> stripes_;  // Ascending, without duplicates.
  };

  // Returns after every Hold that existed when it was called has ended. The caller holds none.
  void WaitForHolders() PJ_NO_THREAD_SAFETY_ANALYSIS;

 private:
  static constexpr std::size_t kStripes = 4096;  // A power of two.

  // A cache line each: neighbours belong to unrelated keys.
  struct alignas(64) Stripe {
    Mutex mutex;
  };

  static std::uint32_t StripeOf(const std::string& key);

  const std::unique_ptr<Stripe[]> stripes_;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_LATCHES_H_
