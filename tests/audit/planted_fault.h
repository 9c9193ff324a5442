// Faults planted in stored items, for tests: each damages one item, or the set of them, in one way.
#ifndef PREJOIN_TESTS_AUDIT_PLANTED_FAULT_H_
#define PREJOIN_TESTS_AUDIT_PLANTED_FAULT_H_

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/data/item_render.h"
#include "model/schema/model.h"

namespace prejoin::audit {

enum class FaultKind {
  kMissingKey,
  kMalformedKey,
  kStaleKey,
  kWrongTableKey,
  kLostCopy,
  kDriftedCopy,
  kLostSource,
  kDuplicateUnique,
  kLostLock,
  kWrongTotal,
  kBrokenGuard,
  kDuplicateRow,
  kLostEmbeddedRow,
  kLostLayout,
  kStaleLayout,
};
inline constexpr int kFaultKinds = static_cast<int>(FaultKind::kStaleLayout) + 1;

struct PlantedFault {
  FaultKind kind = FaultKind::kMissingKey;
  std::string what;  // In words.
  Item key;          // Of the damaged item, as it was.
};

// Damages `stored`; nullopt, and no change, where these items have nothing of that kind.
std::optional<PlantedFault> PlantFault(const model::Model& model, FaultKind kind,
                                       std::mt19937_64& random,
                                       std::vector<model::TableItems>& stored);

}  // namespace prejoin::audit

#endif  // PREJOIN_TESTS_AUDIT_PLANTED_FAULT_H_
