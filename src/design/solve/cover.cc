#include "design/solve/cover.h"

namespace prejoin::design {

double CoverCost(const Block& block, const std::vector<bool>& open) {
  return CheapestCover(
      block,
      [&](const Alternative& alternative) {
        for (const int f : alternative.needs) {
          if (!open[static_cast<std::size_t>(f)]) {
            return kInfinite;
          }
        }
        return alternative.cost;
      },
      nullptr);
}

double ServeCost(const IntegerProgram& program, const std::vector<bool>& open) {
  double cost = 0;
  for (const Block& block : program.blocks) {
    cost += CoverCost(block, open);
  }
  return cost;
}

}  // namespace prejoin::design
