// The branch and bound against trying everything.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "design/integer_program.h"

namespace prejoin::design {
namespace {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  IntegerProgram Make() {
    IntegerProgram program;
    program.groups = Below(4);
    for (int group = 0; group < program.groups; ++group) {
      for (int i = 1 + Below(3); i > 0; --i) {
        program.facilities.push_back({Price(), group});
      }
    }
    for (int i = 1 + Below(6); i > 0; --i) {
      program.facilities.push_back({Price(), -1});
    }
    const int facilities = static_cast<int>(program.facilities.size());
    for (int b = 1 + Below(5); b > 0; --b) {
      Block block;
      block.clients = 1 + Below(3);
      for (int i = 0; i < block.clients; ++i) {
        for (int a = 1 + Below(4); a > 0; --a) {
          block.alternatives.push_back({1u << i, Needs(facilities), Price()});
        }
      }
      for (int a = Below(3); a > 0 && block.clients > 1; --a) {
        block.alternatives.push_back({(1u << block.clients) - 1, Needs(facilities), Price()});
      }
      program.blocks.push_back(std::move(block));
    }
    return program;
  }

 private:
  int Below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  double Price() { return Below(40) / 4.0; }
  std::vector<int> Needs(int facilities) {
    std::set<int> needs;
    for (int i = 1 + Below(2); i > 0; --i) {
      needs.insert(Below(facilities));
    }
    return {needs.begin(), needs.end()};
  }

  std::mt19937 random_;
};

double CheapestByTryingAll(const IntegerProgram& program) {
  double best = std::numeric_limits<double>::infinity();
  const std::size_t count = program.facilities.size();
  for (std::uint32_t chosen = 0; chosen < 1u << count; ++chosen) {
    std::vector<bool> open(count);
    std::vector<int> of_group(static_cast<std::size_t>(program.groups), 0);
    double cost = 0;
    for (std::size_t f = 0; f < count; ++f) {
      open[f] = (chosen >> f & 1) != 0;
      if (!open[f]) {
        continue;
      }
      cost += program.facilities[f].cost;
      if (program.facilities[f].group >= 0) {
        ++of_group[static_cast<std::size_t>(program.facilities[f].group)];
      }
    }
    if (std::ranges::any_of(of_group, [](int n) { return n != 1; })) {
      continue;
    }
    best = std::min(best, cost + ServeCost(program, open));
  }
  return best;
}

TEST(Solve, EqualsTryingEverything) {
  int feasible = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const IntegerProgram program = RandomProgram(seed).Make();
    const double expected = CheapestByTryingAll(program);
    const Solution solution = Solve(program, {});
    ASSERT_EQ(solution.feasible, std::isfinite(expected)) << "seed " << seed;
    if (!solution.feasible) {
      continue;
    }
    ++feasible;
    EXPECT_NEAR(solution.cost, expected, 1e-6) << "seed " << seed;
    EXPECT_NEAR(solution.bound, expected, 1e-6) << "seed " << seed;
  }
  EXPECT_GT(feasible, 100);
}

// With costs that only an answer as a whole has, the cheapest of those is found.
TEST(Solve, FindsTheCheapestByTheExactCost) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const IntegerProgram program = RandomProgram(seed).Make();
    const auto surcharge = [](const std::vector<bool>& open) {
      double sum = 0;
      for (std::size_t f = 0; f + 1 < open.size(); ++f) {
        if (open[f] && open[f + 1]) {
          sum += 1.5;
        }
      }
      return sum;
    };
    SolveLimits limits;
    // One component, so that the surcharge between facilities is seen.
    IntegerProgram joined = program;
    Block all;
    all.clients = 1;
    for (std::size_t f = 0; f < program.facilities.size(); ++f) {
      all.alternatives.push_back({1, {static_cast<int>(f)}, 0});
    }
    joined.blocks.push_back(all);
    limits.exact = [&](const std::vector<bool>& open, const std::vector<std::size_t>&) {
      double cost = surcharge(open) + ServeCost(joined, open);
      for (std::size_t f = 0; f < open.size(); ++f) {
        if (open[f]) {
          cost += joined.facilities[f].cost;
        }
      }
      return cost;
    };
    double expected = std::numeric_limits<double>::infinity();
    for (std::uint32_t chosen = 0; chosen < 1u << joined.facilities.size(); ++chosen) {
      std::vector<bool> open(joined.facilities.size());
      std::vector<int> of_group(static_cast<std::size_t>(joined.groups), 0);
      for (std::size_t f = 0; f < open.size(); ++f) {
        open[f] = (chosen >> f & 1) != 0;
        if (open[f] && joined.facilities[f].group >= 0) {
          ++of_group[static_cast<std::size_t>(joined.facilities[f].group)];
        }
      }
      if (std::ranges::any_of(of_group, [](int n) { return n != 1; })) {
        continue;
      }
      expected = std::min(expected, limits.exact(open, {}));
    }
    const Solution solution = Solve(joined, limits);
    ASSERT_EQ(solution.feasible, std::isfinite(expected)) << "seed " << seed;
    if (solution.feasible) {
      EXPECT_NEAR(solution.cost, expected, 1e-6) << "seed " << seed;
    }
  }
}

TEST(Solve, GivesTheBestSoFarWhenStopped) {
  const IntegerProgram program = RandomProgram(7).Make();
  SolveLimits limits;
  limits.stop = [] { return true; };
  const Solution solution = Solve(program, limits);
  if (solution.feasible) {
    EXPECT_LE(solution.bound, solution.cost);
  }
}

}  // namespace
}  // namespace prejoin::design
