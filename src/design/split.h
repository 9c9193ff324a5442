// An entity in two: what is written once, and what changes.
#ifndef PREJOIN_DESIGN_SPLIT_H_
#define PREJOIN_DESIGN_SPLIT_H_

#include <optional>
#include <string>
#include <vector>

#include "model/bind/read_model.h"

namespace prejoin::design {

// A model file with one entity split.
struct SplitModel {
  std::string entity;
  std::string state;  // The new entity, with the attributes that change.
  std::vector<std::string> moved;
  std::string source;
  model::ReadModelResult read;
};

// Entities that may gain by a split: large, and updated in a part of their attributes.
std::vector<std::string> SplitCandidates(const model::Model& model);

// The same questions and writes over the split entity; nullopt where they cannot be put that way. Without the physical
// half.
std::optional<SplitModel> SplitEntity(const model::ReadModelResult& read,
                                      const std::string& entity);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_SPLIT_H_
