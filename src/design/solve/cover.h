// The cheapest way to serve the clients of a block.
#ifndef PREJOIN_DESIGN_SOLVE_COVER_H_
#define PREJOIN_DESIGN_SOLVE_COVER_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "design/integer_program.h"

namespace prejoin::design {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The cheapest exact cover of a block's clients, by how its cost is seen through `price`; the alternatives chosen.
template <class Price>
double CheapestCover(const Block& block, const Price& price, std::vector<int>* chosen) {
  const std::uint32_t all = (1u << block.clients) - 1;
  std::vector<double> best(all + 1, kInfinite);
  std::vector<int> by(all + 1, -1);
  best[0] = 0;
  std::vector<double> prices(block.alternatives.size());
  for (std::size_t a = 0; a < prices.size(); ++a) {
    prices[a] = price(block.alternatives[a]);
  }
  for (std::uint32_t done = 0; done < all; ++done) {
    if (best[done] == kInfinite) {
      continue;
    }
    const std::uint32_t next = ~done & (done + 1);
    for (std::size_t a = 0; a < prices.size(); ++a) {
      const std::uint32_t covers = block.alternatives[a].covers;
      if ((covers & next) == 0 || (covers & done) != 0) {
        continue;
      }
      const double cost = best[done] + prices[a];
      if (cost < best[done | covers]) {
        best[done | covers] = cost;
        by[done | covers] = static_cast<int>(a);
      }
    }
  }
  if (chosen != nullptr && best[all] < kInfinite) {
    chosen->clear();
    for (std::uint32_t left = all; left != 0;) {
      chosen->push_back(by[left]);
      left &= ~block.alternatives[static_cast<std::size_t>(by[left])].covers;
    }
  }
  return best[all];
}

// The least cost of a block with these facilities; infinite when a client cannot be served.
double CoverCost(const Block& block, const std::vector<bool>& open);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_SOLVE_COVER_H_
