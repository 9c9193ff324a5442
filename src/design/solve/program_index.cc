#include "design/solve/program_index.h"

#include <algorithm>
#include <functional>

namespace prejoin::design {

ProgramIndex IndexOf(const IntegerProgram& program) {
  ProgramIndex index;
  for (const Block& block : program.blocks) {
    index.offset.push_back(index.clients);
    index.clients += block.clients;
  }
  index.members.resize(static_cast<std::size_t>(program.groups));
  for (std::size_t f = 0; f < program.facilities.size(); ++f) {
    if (program.facilities[f].group >= 0) {
      index.members[static_cast<std::size_t>(program.facilities[f].group)].push_back(f);
    }
  }
  index.users.resize(program.facilities.size());
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    for (const Alternative& alternative : program.blocks[b].alternatives) {
      for (int i = 0; i < program.blocks[b].clients; ++i) {
        if ((alternative.covers >> i & 1) == 0) {
          continue;
        }
        for (const int f : alternative.needs) {
          index.users[static_cast<std::size_t>(f)].push_back(index.offset[b] + i);
        }
      }
    }
  }
  index.blocks_of.resize(program.facilities.size());
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    for (const Alternative& alternative : program.blocks[b].alternatives) {
      for (const int need : alternative.needs) {
        std::vector<std::size_t>& own = index.blocks_of[static_cast<std::size_t>(need)];
        if (own.empty() || own.back() != b) {
          own.push_back(b);
        }
      }
    }
  }
  for (std::size_t f = 0; f < program.facilities.size(); ++f) {
    if (program.facilities[f].group < 0) {
      index.dearest.push_back(f);
    }
  }
  std::ranges::stable_sort(index.dearest, std::ranges::greater(),
                           [&](std::size_t f) { return program.facilities[f].cost; });
  for (std::vector<int>& users : index.users) {
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
  }
  return index;
}

}  // namespace prejoin::design
