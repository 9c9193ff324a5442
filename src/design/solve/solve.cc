// Branch and bound.
//
// The program falls into components that share no facility and no group; each is solved by itself.
//
// Bound. The price of a facility is divided among the clients that could use it: client i pays share(f, i) when the
// alternative that serves it needs f, and the shares of f add up to at most its price. Then every block can be served at
// its own best, and the sum is a lower bound, because opening f costs at least the shares of its users. One facility of a
// group must be open, so the group adds the least of the costs of its facilities beyond their shares. Shares
// are moved by subgradient steps: from clients that do not use a facility to those that do. This is the Lagrangian dual
// of the program, as strong as its linear relaxation, and small enough to need no solver.
//
// Branching. First the group whose facilities are used against each other, then a facility that some clients use
// although its price is not covered. The answers of the blocks, opened and cleaned up, are the candidates for the best.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include "design/decompose.h"
#include "design/integer_program.h"
#include "design/solve/cover.h"
#include "design/solve/program_index.h"

namespace prejoin::design {
namespace {

constexpr int kStepsAtRoot = 400;
constexpr int kStepsBelow = 60;
constexpr int kPolishPasses = 3;

enum class State : signed char { kFree, kOpen, kClosed };

// One component, with its own numbering of facilities and groups.
class Search {
 public:
  // `exact` gives what an answer really costs, never less than the sum of its parts.
  Search(const IntegerProgram& program, const SolveLimits& limits,
         std::function<double(const std::vector<bool>&)> exact, Solution& best, double elsewhere)
      : program_(program),
        limits_(limits),
        exact_(std::move(exact)),
        best_(best),
        elsewhere_(elsewhere),
        index_(IndexOf(program)) {}

  void Run() {
    best_.cost = kInfinite;
    Node root;
    root.state.assign(program_.facilities.size(), State::kFree);
    root.share.resize(program_.facilities.size());
    for (std::size_t f = 0; f < index_.users.size(); ++f) {
      const double each = index_.users[f].empty()
                              ? 0
                              : program_.facilities[f].cost / static_cast<double>(index_.users[f].size());
      root.share[f].assign(index_.users[f].size(), program_.facilities[f].group >= 0 ? 0 : each);
    }
    Bound(root, kStepsAtRoot);
    Polish();
    queue_.push(std::move(root));
    while (!queue_.empty()) {
      Node node = queue_.top();
      if (node.bound >= best_.cost - Tolerance()) {
        break;
      }
      if (best_.nodes > limits_.nodes_max || (limits_.stop && limits_.stop())) {
        break;
      }
      queue_.pop();
      if (limits_.progress) {
        limits_.progress(elsewhere_ + best_.cost, elsewhere_ + node.bound, best_.nodes);
      }
      Branch(node);
    }
    best_.bound = queue_.empty() ? best_.cost : std::min(best_.cost, queue_.top().bound);
    if (best_.bound >= best_.cost - Tolerance()) {
      best_.bound = best_.cost;
    }
    best_.feasible = best_.cost < kInfinite;
  }

 private:
  struct Node {
    std::vector<State> state;
    std::vector<std::vector<double>> share;  // By facility, then by user.
    double bound = -kInfinite;
    int split =
        -1;  // A facility or, below zero, ~group to decide next; kDone when nothing is left.
    bool done = false;
  };
  struct Later {
    bool operator()(const Node& a, const Node& b) const { return a.bound > b.bound; }
  };

  double Tolerance() const {
    return 1e-9 * (1 + (std::isfinite(best_.cost) ? std::abs(best_.cost) : 0));
  }

  double CostOf(const Node& node, std::size_t f) const {
    switch (node.state[f]) {
      case State::kOpen:
        return 0;
      case State::kClosed:
        return kInfinite;
      case State::kFree:
        return program_.facilities[f].cost;
    }
    return 0;
  }

  // The cost of the alternative for a block that pays shares.
  double SharedPrice(const Node& node, std::size_t b, const Alternative& alternative) const {
    double price = alternative.cost;
    for (const int need : alternative.needs) {
      const auto f = static_cast<std::size_t>(need);
      if (node.state[f] == State::kClosed) {
        return kInfinite;
      }
      if (node.state[f] == State::kOpen) {
        continue;
      }
      for (int i = 0; i < program_.blocks[b].clients; ++i) {
        if ((alternative.covers >> i & 1) == 0) {
          continue;
        }
        const auto at = std::ranges::lower_bound(index_.users[f], index_.offset[b] + i) - index_.users[f].begin();
        price += node.share[f][static_cast<std::size_t>(at)];
      }
    }
    return price;
  }

  struct Relaxed {
    double bound = 0;
    std::vector<std::vector<bool>> used;  // By facility, then by user.
    std::vector<int> group_choice;
  };

  Relaxed Relax(const Node& node) const {
    Relaxed out;
    out.used.resize(index_.users.size());
    for (std::size_t f = 0; f < index_.users.size(); ++f) {
      out.used[f].assign(index_.users[f].size(), false);
      if (node.state[f] == State::kOpen) {
        out.bound += program_.facilities[f].cost;
      }
    }
    std::vector<int> chosen;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      const Block& block = program_.blocks[b];
      out.bound += CheapestCover(
          block, [&](const Alternative& alternative) { return SharedPrice(node, b, alternative); },
          &chosen);
      if (out.bound == kInfinite) {
        return out;
      }
      for (const int a : chosen) {
        const Alternative& alternative = block.alternatives[static_cast<std::size_t>(a)];
        for (const int need : alternative.needs) {
          const auto f = static_cast<std::size_t>(need);
          for (int i = 0; i < block.clients; ++i) {
            if ((alternative.covers >> i & 1) == 0) {
              continue;
            }
            const auto at = std::ranges::lower_bound(index_.users[f], index_.offset[b] + i) - index_.users[f].begin();
            out.used[f][static_cast<std::size_t>(at)] = true;
          }
        }
      }
    }
    for (const std::vector<std::size_t>& members : index_.members) {
      double least = kInfinite;
      int choice = -1;
      for (const std::size_t f : members) {
        if (node.state[f] == State::kOpen) {
          least = 0;
          choice = static_cast<int>(f);
          break;
        }
        if (node.state[f] == State::kClosed) {
          continue;
        }
        const double rest = program_.facilities[f].cost -
                            std::accumulate(node.share[f].begin(), node.share[f].end(), 0.0);
        if (rest < least) {
          least = rest;
          choice = static_cast<int>(f);
        }
      }
      out.bound += least;
      out.group_choice.push_back(choice);
    }
    return out;
  }

  // Moves shares for a while, keeps the best bound, tries what the blocks want, and picks what to split next.
  void Bound(Node& node, int steps) {
    ++best_.nodes;
    Node best_node = node;
    best_node.bound = -kInfinite;
    Relaxed last;
    double pace = 1.5;
    int stuck = 0;
    for (int step = 0; step < steps; ++step) {
      Relaxed relaxed = Relax(node);
      if (relaxed.bound > best_node.bound) {
        best_node.bound = relaxed.bound;
        best_node.share = node.share;
        stuck = 0;
      } else if (++stuck > 8) {
        pace *= 0.6;
        stuck = 0;
      }
      if (relaxed.bound == kInfinite) {
        break;
      }
      if (step % 20 == 0) {
        Try(node, relaxed);
      }
      last = std::move(relaxed);
      if (best_node.bound >= best_.cost - Tolerance() || pace < 1e-4) {
        break;
      }
      if (!Move(node, last, pace)) {
        break;
      }
    }
    if (best_node.bound < kInfinite) {
      node.share = best_node.share;
      last = Relax(node);
      Try(node, last);
      PickSplit(node, last);
    }
    node.bound = best_node.bound;
  }

  // False when the relaxed answer is consistent: nothing to move.
  bool Move(Node& node, const Relaxed& relaxed, double pace) const {
    double square = 0;
    std::vector<std::vector<double>> direction(index_.users.size());
    for (std::size_t f = 0; f < index_.users.size(); ++f) {
      direction[f].assign(index_.users[f].size(), 0);
      if (node.state[f] != State::kFree) {
        continue;
      }
      const int group = program_.facilities[f].group;
      const bool chosen = group >= 0 && relaxed.group_choice[static_cast<std::size_t>(group)] ==
                                            static_cast<int>(f);
      const auto used = static_cast<double>(std::ranges::count(relaxed.used[f], true));
      const double open = group >= 0 ? (chosen ? 1 : 0) : (used > 0 ? 1 : 0);
      for (std::size_t u = 0; u < index_.users[f].size(); ++u) {
        direction[f][u] = (relaxed.used[f][u] ? 1.0 : 0.0) - open;
        // If no user or every user agrees, there is nothing to move; shares stay at or above zero.
        if (direction[f][u] < 0 && node.share[f][u] <= 0) {
          direction[f][u] = 0;
        }
        square += direction[f][u] * direction[f][u];
      }
    }
    if (square <= 0) {
      return false;
    }
    const double target = std::isfinite(best_.cost) ? best_.cost : relaxed.bound * 1.05 + 1;
    const double step =
        pace * std::max(target - relaxed.bound, 1e-9 * (1 + std::abs(target))) / square;
    for (std::size_t f = 0; f < index_.users.size(); ++f) {
      for (std::size_t u = 0; u < index_.users[f].size(); ++u) {
        node.share[f][u] = std::max(0.0, node.share[f][u] + step * direction[f][u]);
      }
      if (program_.facilities[f].group < 0 && node.state[f] == State::kFree) {
        Project(node.share[f], program_.facilities[f].cost);
      }
    }
    return true;
  }

  // The nearest shares that add up to at most the price.
  static void Project(std::vector<double>& share, double price) {
    double sum = std::accumulate(share.begin(), share.end(), 0.0);
    if (sum <= price) {
      return;
    }
    std::vector<double> sorted = share;
    std::ranges::sort(sorted, std::greater<>());
    double prefix = 0;
    double cut = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      prefix += sorted[k];
      const double candidate = (prefix - price) / static_cast<double>(k + 1);
      if (sorted[k] - candidate > 0) {
        cut = candidate;
      }
    }
    for (double& one : share) {
      one = std::max(0.0, one - cut);
    }
  }

  // Opens what the blocks use, then closes what does not pay.
  void Try(const Node& node, const Relaxed& relaxed) {
    std::vector<bool> open(program_.facilities.size(), false);
    for (std::size_t f = 0; f < open.size(); ++f) {
      const bool used = std::ranges::count(relaxed.used[f], true) > 0;
      open[f] = node.state[f] == State::kOpen || (program_.facilities[f].group < 0 && used);
    }
    for (std::size_t g = 0; g < index_.members.size(); ++g) {
      // The facility that most clients want.
      std::size_t choice = static_cast<std::size_t>(std::max(0, relaxed.group_choice[g]));
      auto most = std::ranges::count(relaxed.used[choice], true);
      for (const std::size_t f : index_.members[g]) {
        if (node.state[f] == State::kClosed) {
          continue;
        }
        const auto wanted = std::ranges::count(relaxed.used[f], true);
        if (node.state[f] == State::kOpen || wanted > most) {
          choice = f;
          most = node.state[f] == State::kOpen ? std::numeric_limits<long>::max() : wanted;
        }
      }
      open[choice] = true;
    }
    // Where everything is decided, that very answer counts, even if a part of it looks needless.
    if (exact_ && std::ranges::count(node.state, State::kFree) == 0) {
      Consider(open, Total(open));
    }
    Improve(std::move(open));
  }

  double Total(const std::vector<bool>& open) const {
    double cost = 0;
    for (std::size_t f = 0; f < open.size(); ++f) {
      if (open[f]) {
        cost += program_.facilities[f].cost;
      }
    }
    for (const Block& block : program_.blocks) {
      cost += CoverCost(block, open);
      if (cost == kInfinite) {
        break;
      }
    }
    return cost;
  }

  // Closes what does not pay, the dearest first.
  void Improve(std::vector<bool> open) {
    std::vector<double> block_costs;
    double cost = 0;
    for (const Block& block : program_.blocks) {
      block_costs.push_back(CoverCost(block, open));
      cost += block_costs.back();
    }
    if (cost == kInfinite) {
      return;
    }
    for (std::size_t f = 0; f < open.size(); ++f) {
      if (open[f]) {
        cost += program_.facilities[f].cost;
      }
    }
    for (const std::size_t f : index_.dearest) {
      if (!open[f]) {
        continue;
      }
      open[f] = false;
      double change = -program_.facilities[f].cost;
      std::vector<double> changed;
      for (const std::size_t b : index_.blocks_of[f]) {
        changed.push_back(CoverCost(program_.blocks[b], open));
        change += changed.back() - block_costs[b];
      }
      if (change > 0) {
        open[f] = true;
        continue;
      }
      cost += change;
      for (std::size_t i = 0; i < changed.size(); ++i) {
        block_costs[index_.blocks_of[f][i]] = changed[i];
      }
    }
    Consider(std::move(open), cost);
  }

  // From the best so far: each group with another choice, and everything else open that pays with it.
  void Polish() {
    bool better = !best_.open.empty();
    for (int pass = 0; better && pass < kPolishPasses; ++pass) {
      better = false;
      for (const std::vector<std::size_t>& members : index_.members) {
        for (const std::size_t chosen : members) {
          if (best_.open[chosen]) {
            continue;
          }
          if (limits_.stop && limits_.stop()) {
            return;
          }
          std::vector<bool> open(program_.facilities.size(), true);
          for (std::size_t f = 0; f < open.size(); ++f) {
            if (program_.facilities[f].group >= 0) {
              open[f] = best_.open[f];
            }
          }
          for (const std::size_t f : members) {
            open[f] = f == chosen;
          }
          const double before = best_.cost;
          Improve(std::move(open));
          better = better || best_.cost < before;
        }
      }
    }
  }

  // `cost` is the sum of the parts.
  void Consider(std::vector<bool> open, double cost) {
    if (cost >= best_.cost - Tolerance()) {
      return;
    }
    if (exact_) {
      const auto [known, added] = tried_.try_emplace(open, 0);
      if (!added) {
        return;
      }
      cost = known->second = exact_(open);
      if (cost >= best_.cost) {
        return;
      }
    }
    best_.cost = cost;
    best_.open = std::move(open);
  }

  void PickSplit(Node& node, const Relaxed& relaxed) const {
    double most = 0;
    node.split = -1;
    node.done = true;
    for (std::size_t g = 0; g < index_.members.size(); ++g) {
      double disagreement = 0;
      const bool decided = std::ranges::any_of(
          index_.members[g], [&](std::size_t f) { return node.state[f] == State::kOpen; });
      if (decided) {
        continue;
      }
      std::size_t left = 0;
      for (const std::size_t f : index_.members[g]) {
        if (node.state[f] == State::kClosed) {
          continue;
        }
        ++left;
        disagreement += static_cast<double>(std::ranges::count(relaxed.used[f], true));
      }
      if (left < 2) {
        continue;
      }
      if (disagreement + 1 > most) {
        most = disagreement + 1;
        node.split = ~static_cast<int>(g);
        node.done = false;
      }
    }
    if (!node.done) {
      return;
    }
    for (std::size_t f = 0; f < index_.users.size(); ++f) {
      if (node.state[f] != State::kFree || program_.facilities[f].group >= 0) {
        continue;
      }
      double unpaid =
          std::ranges::count(relaxed.used[f], true) > 0 ? program_.facilities[f].cost : 0;
      for (std::size_t u = 0; u < index_.users[f].size(); ++u) {
        if (relaxed.used[f][u]) {
          unpaid -= node.share[f][u];
        }
      }
      // Even a facility that is paid for, or not used, may be decided wrongly: the bound says when to stop.
      if (unpaid + 1e-12 > most) {
        most = unpaid + 1e-12;
        node.split = static_cast<int>(f);
        node.done = false;
      }
    }
  }

  void Branch(const Node& node) {
    if (node.done) {
      // Everything is decided: what the relaxation found is a solution, and its cost is the bound.
      return;
    }
    if (node.split < 0) {
      const auto group = static_cast<std::size_t>(~node.split);
      for (const std::size_t chosen : index_.members[group]) {
        if (node.state[chosen] == State::kClosed) {
          continue;
        }
        Node child = node;
        for (const std::size_t f : index_.members[group]) {
          child.state[f] = f == chosen ? State::kOpen : State::kClosed;
        }
        Push(std::move(child));
      }
      return;
    }
    for (const State state : {State::kOpen, State::kClosed}) {
      Node child = node;
      child.state[static_cast<std::size_t>(node.split)] = state;
      Push(std::move(child));
    }
  }

  void Push(Node child) {
    const double parent = child.bound;
    Bound(child, kStepsBelow);
    child.bound = std::max(child.bound, parent);
    if (child.bound < best_.cost - Tolerance()) {
      queue_.push(std::move(child));
    }
  }

  const IntegerProgram& program_;
  const SolveLimits& limits_;
  const std::function<double(const std::vector<bool>&)> exact_;
  std::map<std::vector<bool>, double> tried_;
  Solution& best_;
  const double elsewhere_;
  const ProgramIndex index_;
  std::priority_queue<Node, std::vector<Node>, Later> queue_;
};

}  // namespace

Solution Solve(const IntegerProgram& program, const SolveLimits& limits) {
  Solution whole;
  whole.feasible = true;
  whole.open.assign(program.facilities.size(), false);
  for (const Component& part : Decompose(program)) {
    Solution own;
    std::function<double(const std::vector<bool>&)> exact;
    if (limits.exact) {
      exact = [&](const std::vector<bool>& open) {
        std::vector<bool> all(program.facilities.size(), false);
        for (std::size_t f = 0; f < open.size(); ++f) {
          all[part.facilities[f]] = open[f];
        }
        return limits.exact(all, part.blocks);
      };
    }
    Search(part.program, limits, std::move(exact), own, whole.cost).Run();
    whole.feasible = whole.feasible && own.feasible;
    whole.cost += own.cost;
    whole.bound += own.bound;
    whole.nodes += own.nodes;
    if (!own.feasible) {
      continue;
    }
    for (std::size_t f = 0; f < own.open.size(); ++f) {
      if (own.open[f]) {
        whole.open[part.facilities[f]] = true;
      }
    }
  }
  return whole;
}

}  // namespace prejoin::design
