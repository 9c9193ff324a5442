// Another store's content with changes that are kept in memory: what a start would do to a directory can be seen without doing it.
#ifndef PREJOIN_CELLS_OVERLAY_STORE_H_
#define PREJOIN_CELLS_OVERLAY_STORE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace prejoin::cells {

// Single thread.
class OverlayStore final : public storage::Store {
 public:
  // `below` outlives this object, and is only read.
  explicit OverlayStore(storage::Store& below) : below_(below) {}

  Result<storage::Ticket> Transact(std::span<const std::string> keys, Body body) override;
  Result<std::optional<std::string>> Get(std::string_view key) override;
  Result<Values> GetTogether(std::span<const std::string> keys) override;
  Status Visit(const storage::Range& range, Visitor visitor) override;
  Status DeleteSpace(std::uint32_t space) override;

  // Nothing is kept, so there is nothing to wait for.
  storage::Ticket NewestTicket(std::string_view) const override { return 0; }
  storage::Ticket NewestTicket() const override { return 0; }
  bool IsDurable(storage::Ticket) const override { return true; }
  Status WaitDurable(storage::Ticket) override { return {}; }
  void WhenDurable(storage::Ticket, std::function<void(Status)> done) override { done({}); }
  std::uint64_t ApproximateBytes(std::uint32_t space) const override {
    return below_.ApproximateBytes(space);
  }

 private:
  using Changes = std::map<std::string, std::optional<std::string>, std::less<>>;

  storage::Store& below_;
  Changes changes_;  // Nullopt: the key is deleted.
};

}  // namespace prejoin::cells

#endif  // PREJOIN_CELLS_OVERLAY_STORE_H_
