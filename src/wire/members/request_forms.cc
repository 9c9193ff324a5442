#include "wire/members/request_forms.h"

#include <algorithm>

namespace prejoin::wire {
namespace {

// The reader limits the depth of a document, so recursion is safe.
int DepthOf(json::Value value) {
  int depth = 0;
  if (value.type() == json::Type::kArray) {
    for (const json::Value element : value.elements()) {
      depth = std::max(depth, DepthOf(element));
    }
  } else if (value.type() == json::Type::kObject) {
    for (const auto& [name, member] : value.fields()) {
      depth = std::max(depth, DepthOf(member));
    }
  } else {
    return 0;
  }
  return depth + 1;
}

}  // namespace

bool IsForOldReader(json::Value root) {
  // A level of a value takes two of JSON: {"M": {…}}; the request and its map are two more.
  constexpr int kLevelsMax = 62;
  return DepthOf(root) > 2 * kLevelsMax + 2;
}

}  // namespace prejoin::wire
