// The components of a program: they share no facility and no group, so each can be solved by itself.
#ifndef PREJOIN_DESIGN_DECOMPOSE_H_
#define PREJOIN_DESIGN_DECOMPOSE_H_

#include <vector>

#include "design/integer_program.h"

namespace prejoin::design {

// The part of a program that one component is, with its own numbering.
struct Component {
  IntegerProgram program;
  std::vector<std::size_t> facilities;  // Their numbers in the whole …
  std::vector<std::size_t> blocks;      // … and those of its blocks.
};

std::vector<Component> Decompose(const IntegerProgram& program);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DECOMPOSE_H_
