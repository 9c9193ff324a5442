#include "design/decompose.h"

#include <algorithm>
#include <numeric>

namespace prejoin::design {
namespace {

// Facilities that are in one block or one group belong together.
class Components {
 public:
  explicit Components(const IntegerProgram& program) : parent_(program.facilities.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::vector<int> first_of_group(static_cast<std::size_t>(program.groups), -1);
    for (std::size_t f = 0; f < parent_.size(); ++f) {
      const int group = program.facilities[f].group;
      if (group < 0) {
        continue;
      }
      int& first = first_of_group[static_cast<std::size_t>(group)];
      if (first < 0) {
        first = static_cast<int>(f);
      }
      Join(static_cast<std::size_t>(first), f);
    }
    for (const Block& block : program.blocks) {
      const int first = FirstOf(block);
      for (const Alternative& alternative : block.alternatives) {
        for (const int f : alternative.needs) {
          Join(static_cast<std::size_t>(first), static_cast<std::size_t>(f));
        }
      }
    }
  }

  static int FirstOf(const Block& block) {
    for (const Alternative& alternative : block.alternatives) {
      if (!alternative.needs.empty()) {
        return alternative.needs[0];
      }
    }
    return -1;
  }

  std::size_t Root(std::size_t f) {
    while (parent_[f] != f) {
      f = parent_[f] = parent_[parent_[f]];
    }
    return f;
  }

 private:
  void Join(std::size_t a, std::size_t b) { parent_[Root(a)] = Root(b); }

  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<Component> Decompose(const IntegerProgram& program) {
  Components components(program);
  std::vector<int> part_of(program.facilities.size(), -1);
  std::vector<std::size_t> number(program.facilities.size());
  std::vector<Component> parts;
  for (std::size_t f = 0; f < program.facilities.size(); ++f) {
    int& part = part_of[components.Root(f)];
    if (part < 0) {
      part = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    Component& own = parts[static_cast<std::size_t>(part)];
    number[f] = own.facilities.size();
    own.facilities.push_back(f);
    own.program.facilities.push_back(program.facilities[f]);
  }
  for (Component& part : parts) {
    std::vector<int> groups;
    for (Facility& facility : part.program.facilities) {
      if (facility.group < 0) {
        continue;
      }
      const auto found = std::ranges::find(groups, facility.group);
      const auto at = found - groups.begin();
      if (found == groups.end()) {
        groups.push_back(facility.group);
      }
      facility.group = static_cast<int>(at);
    }
    part.program.groups = static_cast<int>(groups.size());
  }
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const Block& block = program.blocks[b];
    const int first = Components::FirstOf(block);
    if (first < 0) {
      continue;
    }
    Component& part =
        parts[static_cast<std::size_t>(part_of[components.Root(static_cast<std::size_t>(first))])];
    part.program.blocks.push_back(block);
    part.blocks.push_back(b);
    for (Alternative& alternative : part.program.blocks.back().alternatives) {
      for (int& f : alternative.needs) {
        f = static_cast<int>(number[static_cast<std::size_t>(f)]);
      }
    }
  }
  return parts;
}

}  // namespace prejoin::design
