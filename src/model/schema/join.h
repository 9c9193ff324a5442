// How the rows of two entities find each other.
#ifndef PREJOIN_MODEL_SCHEMA_JOIN_H_
#define PREJOIN_MODEL_SCHEMA_JOIN_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// How rows of `from` find the row of `to` they point at: attribute of `from` → key attribute of
// `to`.
struct JoinColumn {
  std::string from;
  std::string to;
};
// Empty when `from` does not reference the whole key of `to`.
std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_JOIN_H_
