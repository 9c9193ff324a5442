// The search asks at every step which clients and blocks a facility has; the index answers without a walk over the program.
#ifndef PREJOIN_DESIGN_SOLVE_PROGRAM_INDEX_H_
#define PREJOIN_DESIGN_SOLVE_PROGRAM_INDEX_H_

#include <cstddef>
#include <vector>

#include "design/integer_program.h"

namespace prejoin::design {

struct ProgramIndex {
  int clients = 0;                                 // In all blocks.
  std::vector<int> offset;                         // For each block: the number of its first client.
  std::vector<std::vector<int>> users;             // For each facility: the clients that could use it, ascending.
  std::vector<std::vector<std::size_t>> members;   // For each group: its facilities.
  std::vector<std::vector<std::size_t>> blocks_of; // For each facility: the blocks in which it is needed.
  std::vector<std::size_t> dearest;                // Facilities of no group, the dearest first.
};

ProgramIndex IndexOf(const IntegerProgram& program);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_SOLVE_PROGRAM_INDEX_H_
