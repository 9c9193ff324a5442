// Choosing a design as an integer program, free of any word about databases.
//
// Facilities cost something when they are open: a base key, an index. The facilities of a group exclude each other, and
// one of them must be open: the base keys of an entity. Clients must be served: the `find` lines of a pattern, which
// together are a block. An alternative serves one client or several of one block, for a price, if all the facilities it
// needs are open. Minimise what is open plus what serves.
#ifndef PREJOIN_DESIGN_INTEGER_PROGRAM_H_
#define PREJOIN_DESIGN_INTEGER_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace prejoin::design {

struct Facility {
  double cost = 0;
  int group = -1;  // -1: may be open or not.
};

struct Alternative {
  std::uint32_t covers = 0;  // Bits of the block's clients.
  std::vector<int> needs;    // Facilities, ascending.
  double cost = 0;
};

// At most this many clients in one block.
inline constexpr int kBlockClientsMax = 12;

struct Block {
  int clients = 0;
  std::vector<Alternative> alternatives;
};

struct IntegerProgram {
  std::vector<Facility> facilities;
  int groups = 0;
  std::vector<Block> blocks;
};

struct SolveLimits {
  // The real cost of an answer, when alternatives only bound it from below: the open facilities and the numbers of the
  // blocks that they are to serve. Without it, the sum of the parts is the cost.
  std::function<double(const std::vector<bool>& open, const std::vector<std::size_t>& blocks)>
      exact;
  std::uint64_t nodes_max =
      ~0ull;  // The limit for each component; if it is reached, the bound says how far the best may be off.
  std::function<bool()> stop;  // Asked often; true ends the search with the best so far.
  std::function<void(double best, double bound, std::uint64_t nodes)> progress;
};

struct Solution {
  bool feasible = false;
  std::vector<bool> open;
  double cost = 0;
  double bound = 0;  // No solution costs less. Equal to `cost` when the search ended by itself.
  std::uint64_t nodes = 0;
};

Solution Solve(const IntegerProgram& program, const SolveLimits& limits);

// The least cost of the blocks with these facilities; infinite when a client cannot be served.
double ServeCost(const IntegerProgram& program, const std::vector<bool>& open);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_INTEGER_PROGRAM_H_
