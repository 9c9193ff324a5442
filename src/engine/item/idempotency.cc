#include "engine/item/idempotency.h"

#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/fingerprint.h"
#include "base/limits.h"
#include "base/worker.h"
#include "engine/item/keys.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

constexpr std::size_t kTokensPerStep = 256;

void AppendText(std::string_view text, std::string& out) {
  out.append(std::to_string(text.size())).push_back(':');
  out.append(text);
}

// Everything in the request that decides what it does. Each part carries its length, so no two
// requests give the same bytes.
std::string Canonical(const TransactWriteItemsInput& input) {
  std::string bytes;
  for (const TransactWrite& item : input.items) {
    bytes.push_back(static_cast<char>('0' + static_cast<int>(item.action)));
    AppendText(item.table_name, bytes);
    AppendText(EncodeItem(item.item_or_key), bytes);
    AppendText(item.update_expression.value_or(""), bytes);
    AppendText(item.condition_expression.value_or(""), bytes);
    if (item.expression_attribute_names) {
      for (const auto& [placeholder, name] : *item.expression_attribute_names) {
        AppendText(placeholder, bytes);
        AppendText(name, bytes);
      }
    }
    if (item.expression_attribute_values) {
      for (const auto& [placeholder, value] : *item.expression_attribute_values) {
        AppendText(placeholder, bytes);
        std::string encoded;
        EncodeValue(value, encoded);
        AppendText(encoded, bytes);
      }
    }
    bytes.push_back(
        static_cast<char>('0' + static_cast<int>(item.return_values_on_condition_check_failure)));
  }
  return bytes;
}

// When the token was claimed.
std::int64_t TokenTimeMs(std::string_view stored) {
  std::int64_t time_ms = 0;
  PJ_CHECK(stored.size() >= sizeof(time_ms));
  std::memcpy(&time_ms, stored.data(), sizeof(time_ms));
  return time_ms;
}

// Removes tokens whose window is over, a few at a time. A token that is claimed again meanwhile is
// left alone.
Status SweepTokens(Engine& engine) {
  storage::Range range = SpaceRange(kTokenSpace);
  const std::int64_t horizon_ms = engine.clock().NowMs() - kIdempotencyWindowMs;
  while (!engine.background().stopping()) {
    std::vector<std::string> old_tokens;
    std::string last;
    std::size_t seen = 0;
    PJ_RETURN_IF_ERROR(
        engine.store().Visit(range, [&](std::string_view key, std::string_view value) {
          last = key;
          if (TokenTimeMs(value) <= horizon_ms) {
            old_tokens.emplace_back(key);
          }
          return ++seen < kTokensPerStep ? storage::Visit::kContinue : storage::Visit::kStop;
        }));
    if (seen == 0) {
      return {};
    }
    PJ_RETURN_IF_ERROR(
        engine.store().Transact(old_tokens, [&](storage::Transaction& transaction) -> Status {
          for (std::size_t i = 0; i < old_tokens.size(); ++i) {
            const auto value = transaction.Value(i);
            if (value && TokenTimeMs(*value) <= horizon_ms) {
              transaction.Delete(old_tokens[i]);
            }
          }
          return {};
        }));
    range.begin = last + '\0';
  }
  return {};
}

}  // namespace

TokenGuard::TokenGuard(const TransactWriteItemsInput& input, const Clock& clock)
    : key_(PartitionPrefix(kTokenSpace, *input.client_request_token)),
      fingerprint_(Fingerprint(Canonical(input))),
      now_ms_(clock.NowMs()) {}

Result<TransactionGuard::Claimed> TokenGuard::Claim(std::optional<std::string_view> current,
                                                    storage::Transaction& transaction) {
  if (current && TokenTimeMs(*current) + kIdempotencyWindowMs > now_ms_) {
    if (current->substr(sizeof(now_ms_)) != fingerprint_) {
      return Error{ErrorCode::kIdempotentParameterMismatch,
                   "The request uses the same client token as a previous, but non-identical "
                   "request. Do not reuse a "
                   "client token with different requests, unless the requests are identical"};
    }
    return Claimed::kBefore;
  }
  std::string value(reinterpret_cast<const char*>(&now_ms_), sizeof(now_ms_));
  value += fingerprint_;
  transaction.Put(key_, value);
  return Claimed::kNow;
}

void StartTokenSweep(Engine& engine) {
  // The next sweep tries again what this one failed to do.
  engine.background().AddSweep(kLeftoversInterval, [&engine] { (void)SweepTokens(engine); });
}

}  // namespace prejoin::engine
