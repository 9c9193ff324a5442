// Partitions and throughput as JSON, with CloudWatch's names and units.
#ifndef PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_
#define PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_

#include <string>

#include "engine/physics/physics.h"

namespace prejoin::wire {

void PrintPartitions(const engine::Physics& physics, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ANSWERS_PHYSICS_JSON_H_
