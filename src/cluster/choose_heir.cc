#include "cluster/choose_heir.h"

#include <algorithm>

namespace prejoin::cluster {
namespace {

const Candidate* FindCandidate(std::span<const Candidate> candidates, const std::string& gateway) {
  const auto found = std::ranges::find(candidates, gateway, &Candidate::gateway);
  return found == candidates.end() ? nullptr : &*found;
}

bool IsHere(const Candidate& candidate) { return candidate.silent_ms <= kGoneAfterMs; }

}  // namespace

Result<std::optional<std::string>> ChooseHeir(std::span<const Candidate> candidates,
                                              const std::string& leader,
                                              const std::string& wanted) {
  if (!wanted.empty()) {
    const Candidate* found = FindCandidate(candidates, wanted);
    if (found == nullptr || !IsHere(*found)) {
      return Error{ErrorCode::kValidation, "there is no gateway " + wanted};
    }
    return wanted == leader ? std::nullopt : std::optional(wanted);
  }
  const Candidate* now = FindCandidate(candidates, leader);
  if (now == nullptr || !now->load) {
    return std::nullopt;
  }
  const Candidate* best = nullptr;
  for (const Candidate& one : candidates) {
    const bool may_lead = one.gateway != leader && IsHere(one) && one.load.has_value();
    if (may_lead && (best == nullptr || *one.load < *best->load)) {
      best = &one;
    }
  }
  return best != nullptr && *now->load - *best->load >= kLoadGainMin ? std::optional(best->gateway)
                                                                     : std::nullopt;
}

}  // namespace prejoin::cluster
