// Counts requests for CloudWatch's metrics, and says which tables and keys a request is about.
#ifndef PREJOIN_WIRE_REQUEST_COUNTS_H_
#define PREJOIN_WIRE_REQUEST_COUNTS_H_

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/physics/fault_schedule.h"
#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

// Names of tables, and the texts of all values in keys and items of the request.
struct RequestSubjects {
  std::vector<std::string> tables;
  std::vector<std::string> keys;
};
RequestSubjects SubjectsOf(const json::Value& root);

// One request that was answered. Nothing without physics.
void CountRequest(engine::Engine& engine, std::string_view operation, const json::Value& root,
                  const Status& status, std::string_view answer, double latency_ms);

// A request that an injected fault has hit.
void CountFault(engine::Engine& engine, std::string_view operation, const RequestSubjects& subjects,
                engine::FaultKind kind);

Error ErrorOfFault(engine::Engine& engine, engine::FaultKind kind, bool reads,
                   const RequestSubjects& subjects);

// Measures from its construction on, if it is to measure at all.
class Stopwatch {
 public:
  explicit Stopwatch(bool measures) {
    if (measures) {
      began_ = std::chrono::steady_clock::now();
    }
  }
  double Milliseconds() const {
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - began_;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point began_;
};

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_REQUEST_COUNTS_H_
