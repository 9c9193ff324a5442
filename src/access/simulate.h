// The decision about a request, and why: for people who write policies.
#ifndef PREJOIN_ACCESS_SIMULATE_H_
#define PREJOIN_ACCESS_SIMULATE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/decide.h"
#include "access/identity.h"
#include "prejoin/result.h"

namespace prejoin::access {

struct SimulatedRequest {
  std::string action;
  std::string resource;
  // A key may come several times: it then has several values.
  std::vector<std::pair<std::string, std::string>> context;
};

struct Simulation {
  bool allowed = false;
  Verdict verdict = Verdict::kNotAllowed;
  std::string policy;     // The policy whose statement decided; empty if none did.
  std::string statement;  // Its Sid, or its place: "statement 2".
  // The lack of each Allow that could have been meant; of a Deny, why it fits.
  std::vector<std::string> advice;
};

Simulation Simulate(const ReadyIdentity& identity, const SimulatedRequest& request,
                    const std::string& account);
// For a document alone, as if a user had it. kValidation if it cannot be read.
Result<Simulation> SimulateDocument(std::string_view document, const SimulatedRequest& request,
                                    const std::string& account);

std::string PrintText(const Simulation& simulation);
std::string PrintJson(const Simulation& simulation);

// "2026-11-15T20:00:00Z"
std::string UtcText(std::int64_t ms);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_SIMULATE_H_
