// ClientRequestToken: the same token with the same request within ten minutes is done once; with
// another request it is an error.
#ifndef PREJOIN_ENGINE_ITEM_IDEMPOTENCY_H_
#define PREJOIN_ENGINE_ITEM_IDEMPOTENCY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/item/planned_write.h"
#include "prejoin/clock.h"
#include "prejoin/operations.h"

namespace prejoin::engine {

// Claims a token inside the transaction that it protects, so that token and writes are there
// together or not at all.
class TokenGuard final : public TransactionGuard {
 public:
  TokenGuard(const TransactWriteItemsInput& input, const Clock& clock);

  const std::string& key() const override { return key_; }
  Result<bool> Claim(std::optional<std::string_view> current,
                     std::vector<std::size_t>& charged_bytes) override;
  void Stage(const std::vector<std::size_t>& charged_bytes,
             storage::Transaction& transaction) override;

 private:
  std::string key_;
  std::string fingerprint_;
  std::int64_t now_ms_;
};

// Removes old tokens from now on, in the background.
void StartTokenSweep(Engine& engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_IDEMPOTENCY_H_
