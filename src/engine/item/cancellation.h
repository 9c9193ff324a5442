// Why a transaction was cancelled: a reason for each of its items, in order.
#ifndef PREJOIN_ENGINE_ITEM_CANCELLATION_H_
#define PREJOIN_ENGINE_ITEM_CANCELLATION_H_

#include <cstddef>
#include <vector>

#include "engine/physics/limits_reached.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// With the limits that each item reached; none for an item that was not throttled.
struct LimitedCancellation : CancellationDetail {
  std::vector<std::vector<LimitReached>> limits;
};

class Cancellation {
 public:
  // All reasons are "None" to begin with.
  explicit Cancellation(std::size_t item_count);

  void Add(std::size_t item, const Error& error);
  // The same for an item that was throttled. An error if the whole request is: no reason has the name
  // of an account's limit.
  Status Throttle(std::size_t item, const Error& error);

  // TransactionCanceled if anything was added; otherwise nothing.
  Status Finish() &&;

 private:
  std::vector<CancellationReason> reasons_;
  std::vector<std::vector<LimitReached>> limits_;
  bool cancelled_ = false;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_CANCELLATION_H_
