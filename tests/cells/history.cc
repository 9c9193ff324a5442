// Each write reads the version that it replaces, so the last version of an item leads back through all that it ever had. Writes that are
// not among them did not happen: none of those may have been acknowledged, or seen, and all items of a transaction must agree. What
// happened must fit into one order, in which everything comes after what it saw, before what replaced that, and after everything that
// had ended when it began. There is one if these three make no circle.
#include "tests/cells/history.h"

#include <functional>
#include <map>
#include <utility>

namespace prejoin::cells {
namespace {

using Chains = std::map<unsigned, std::vector<Version>>;  // By item, from 0 to the last version.

std::string Name(Version version) { return "operation " + std::to_string(version); }

// The numbers of all operations that happened, each with those that come directly behind it in every item.
class Order {
 public:
  Order(const std::vector<Operation>& operations, const Chains& chains, const std::set<Version>& happened)
      : operations_(operations) {
    for (const auto& [item, chain] : chains) {
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        next_[{item, chain[i]}] = chain[i + 1];
      }
    }
    for (const Version number : happened) {
      const Operation& operation = operations_[number - 1];
      for (const auto& [item, seen] : operation.reads) {
        if (seen != 0) {
          behind_[seen].insert(number);
        }
        const auto next = next_.find({item, seen});
        if (next != next_.end() && next->second != number) {
          behind_[number].insert(next->second);
        }
      }
      for (const Version other : happened) {
        if (operation.end < operations_[other - 1].begin) {
          behind_[number].insert(other);
        }
      }
    }
  }

  bool HasCircle() {
    for (const auto& [number, behind] : behind_) {
      if (state_[number] == State::kNew && Visit(number)) {
        return true;
      }
    }
    return false;
  }

 private:
  enum class State { kNew, kOpen, kDone };

  bool Visit(Version number) {
    state_[number] = State::kOpen;
    for (const Version next : behind_[number]) {
      if (state_[next] == State::kOpen || (state_[next] == State::kNew && Visit(next))) {
        return true;
      }
    }
    state_[number] = State::kDone;
    return false;
  }

  const std::vector<Operation>& operations_;
  std::map<std::pair<unsigned, Version>, Version> next_;
  std::map<Version, std::set<Version>> behind_;
  std::map<Version, State> state_;
};

}  // namespace

Version History::Add(Operation operation) {
  operations_.push_back(std::move(operation));
  return operations_.size();
}

std::string History::Check(const std::map<unsigned, Version>& final_versions) const {
  Chains chains;
  std::map<Version, std::set<unsigned>> written;
  for (const auto& [item, last] : final_versions) {
    std::vector<Version> chain;
    for (Version at = last; at != 0;) {
      if (at > operations_.size() || !operations_[at - 1].writes.contains(item) || chain.size() > operations_.size()) {
        return Name(at) + " never wrote item " + std::to_string(item);
      }
      chain.push_back(at);
      written[at].insert(item);
      at = operations_[at - 1].reads.at(item);
    }
    chain.push_back(0);
    chains[item].assign(chain.rbegin(), chain.rend());
  }
  std::set<Version> happened;
  std::map<std::uint64_t, Version> tokens;
  for (Version number = 1; number <= operations_.size(); ++number) {
    const Operation& operation = operations_[number - 1];
    const bool acknowledged = operation.end != UINT64_MAX;
    if (!operation.writes.empty() && written[number] != operation.writes && (acknowledged || !written[number].empty())) {
      return Name(number) + (acknowledged ? " was acknowledged and" : "") + " wrote " +
             std::to_string(written[number].size()) + " of its " + std::to_string(operation.writes.size()) + " items";
    }
    if (!acknowledged && written[number].empty()) {
      continue;
    }
    happened.insert(number);
    if (operation.token != 0 && !operation.writes.empty() && !tokens.emplace(operation.token, number).second) {
      return Name(number) + " happened although its token had been used";
    }
    for (const auto& [item, seen] : operation.reads) {
      if (seen != 0 && !written[seen].contains(item)) {
        return Name(number) + " saw item " + std::to_string(item) + " of " + Name(seen) + ", which did not happen";
      }
    }
  }
  return Order(operations_, chains, happened).HasCircle() ? "no order explains what was seen" : "";
}

}  // namespace prejoin::cells
