#include "engine/item/idempotency.h"

#include <cstring>
#include <vector>

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

// When the token was claimed. One that cannot be read protects nothing: it was claimed long ago.
std::int64_t TokenTimeMs(std::string_view stored) {
  std::int64_t time_ms = 0;
  if (stored.size() < sizeof(time_ms)) {
    return 0;
  }
  std::memcpy(&time_ms, stored.data(), sizeof(time_ms));
  return time_ms;
}

// The sizes at the end of a token's value. Tokens of earlier programs have none.
std::vector<std::size_t> DecodeSizes(std::string_view stored) {
  std::vector<std::size_t> sizes;
  for (std::uint32_t bytes = 0; stored.size() >= sizeof(bytes);
       stored.remove_prefix(sizeof(bytes))) {
    std::memcpy(&bytes, stored.data(), sizeof(bytes));
    sizes.push_back(bytes);
  }
  return sizes;
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

Result<bool> TokenGuard::Claim(std::optional<std::string_view> current,
                               std::vector<std::size_t>& charged_bytes) {
  if (!current || TokenTimeMs(*current) <= now_ms_ - kIdempotencyWindowMs) {
    return false;
  }
  const std::string_view request = current->substr(sizeof(now_ms_));
  if (!request.starts_with(fingerprint_)) {
    return Error{ErrorCode::kIdempotentParameterMismatch,
                 "The request uses the same client token as a previous, but non-identical "
                 "request. Do not reuse a "
                 "client token with different requests, unless the requests are identical"};
  }
  charged_bytes = DecodeSizes(request.substr(fingerprint_.size()));
  return true;
}

void TokenGuard::Stage(const std::vector<std::size_t>& charged_bytes,
                       storage::Transaction& transaction) {
  std::string value(reinterpret_cast<const char*>(&now_ms_), sizeof(now_ms_));
  value += fingerprint_;
  for (const std::size_t bytes : charged_bytes) {
    const auto stored = static_cast<std::uint32_t>(bytes);  // 400 KB at the most.
    value.append(reinterpret_cast<const char*>(&stored), sizeof(stored));
  }
  transaction.Put(key_, value);
}

void StartTokenSweep(Engine& engine) {
  // The next sweep tries again what this one failed to do.
  engine.background().AddSweep(kLeftoversInterval, [&engine] { (void)SweepTokens(engine); });
}

}  // namespace prejoin::engine
