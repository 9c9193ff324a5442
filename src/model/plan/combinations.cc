// A key whose partition holds the attributes A and whose sort key continues with b, then c, serves
// the combinations A, A+b and A+b+c: a chain of sets, each inside the next. The fewest keys are the
// fewest chains that cover all combinations; by Dilworth's theorem that is their number less the
// largest matching of each combination with one that follows it.
#include "model/plan/combinations.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "model/layout/key_spelling.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

// The table's own key and 20 global indexes.
constexpr std::size_t kKeysMax = 21;

struct Combination {
  const Pattern* pattern = nullptr;
  std::set<std::string> equal;
  std::string range;  // At most one can be served by a key.
};

// Why no key serves it; empty if one can.
std::string ReadCombination(const Pattern& pattern, Combination& out) {
  out.pattern = &pattern;
  for (const Section& section : pattern.sections) {
    for (const Condition& condition : section.conditions) {
      const std::string& name = condition.attribute.text;
      if (condition.comparison == Comparison::kContains) {
        return "`contains` looks inside values, and keys are whole";
      }
      if (condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn) {
        out.equal.insert(name);
        continue;
      }
      if (!out.range.empty() && out.range != name) {
        return "it has two ranges (" + out.range + ", " + name + "), and a key has one at its end";
      }
      out.range = name;
    }
  }
  if (out.equal.empty()) {
    return "it binds nothing by equality, so it needs a Scan or a sharded list of all";
  }
  return "";
}

// A key for `first` goes on to serve `next`.
bool GoesOn(const Combination& first, const Combination& next) {
  if (!first.range.empty() || next.equal.contains(first.range)) {
    return false;
  }
  const bool inside =
      std::includes(next.equal.begin(), next.equal.end(), first.equal.begin(), first.equal.end());
  return inside && (first.equal.size() < next.equal.size() || !next.range.empty());
}

// Kuhn's algorithm: each combination gets at most one follower, each follower one predecessor.
class Matching {
 public:
  explicit Matching(const std::vector<Combination>& nodes)
      : nodes_(nodes), before_(nodes.size()), after_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      std::vector<bool> seen(nodes.size());
      Extend(i, seen);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (before_[i]) {
        after_[*before_[i]] = i;
      }
    }
  }

  // Chains of node numbers.
  std::vector<std::vector<std::size_t>> Chains() const {
    std::vector<std::vector<std::size_t>> chains;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (before_[i]) {
        continue;
      }
      chains.emplace_back();
      for (std::optional<std::size_t> at = i; at; at = after_[*at]) {
        chains.back().push_back(*at);
      }
    }
    return chains;
  }

 private:
  bool Extend(std::size_t node, std::vector<bool>& seen) {
    for (std::size_t next = 0; next < nodes_.size(); ++next) {
      if (seen[next] || !GoesOn(nodes_[node], nodes_[next])) {
        continue;
      }
      seen[next] = true;
      if (before_[next] && !Extend(*before_[next], seen)) {
        continue;
      }
      before_[next] = node;
      return true;
    }
    return false;
  }

  const std::vector<Combination>& nodes_;
  std::vector<std::optional<std::size_t>> before_;
  std::vector<std::optional<std::size_t>> after_;
};

// The template parts of these attributes, in the order in which the entity declares them.
std::string Parts(const Entity& entity, const std::set<std::string>& names,
                  std::set<std::string>& used) {
  std::string text;
  for (const Attribute& attribute : entity.attributes) {
    const std::string& name = attribute.name.text;
    if (!names.contains(name) || !used.insert(name).second) {
      continue;
    }
    text += (text.empty() ? "" : "#") + KeyWord(name) + "#" + PartText(attribute);
  }
  return text;
}

KeyChain MakeKey(const Entity& entity, const std::vector<Combination>& nodes,
                 const std::vector<std::size_t>& chain) {
  KeyChain key;
  std::set<std::string> used;
  key.partition = Parts(entity, nodes[chain[0]].equal, used);
  const auto add = [&](const std::string& part) {
    if (!part.empty()) {
      key.sort += (key.sort.empty() ? "" : "#") + part;
    }
  };
  for (const std::size_t number : chain) {
    add(Parts(entity, nodes[number].equal, used));
    if (!nodes[number].range.empty()) {
      add(Parts(entity, {nodes[number].range}, used));
    }
    key.serves.push_back(nodes[number].pattern->name.text);
  }
  const std::vector<std::string> own = entity.KeyNames();
  add(Parts(entity, std::set<std::string>(own.begin(), own.end()), used));
  if (key.sort.empty()) {
    key.sort = KeyWord(entity);
  }
  return key;
}

CombinationAdvice AdviseOn(const Model& model, const std::vector<const Pattern*>& variants) {
  CombinationAdvice advice;
  const Section& section = variants[0]->sections.front();
  advice.pattern = variants[0]->variant_of;
  advice.entity = section.searched();
  advice.combinations = variants.size();
  std::vector<Combination> nodes;
  for (const Pattern* variant : variants) {
    if (!PlanPattern(model, *variant).served) {
      advice.unserved.push_back(variant->name.text);
    }
    Combination node;
    const std::string why_not = ReadCombination(*variant, node);
    if (why_not.empty()) {
      nodes.push_back(std::move(node));
    } else {
      advice.elsewhere.push_back(variant->name.text + ": " + why_not);
    }
  }
  const Entity& entity = model.At(advice.entity);
  std::vector<std::vector<std::size_t>> chains = Matching(nodes).Chains();
  std::stable_sort(chains.begin(), chains.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const std::vector<std::size_t>& chain : chains) {
    KeyChain key = MakeKey(entity, nodes, chain);
    if (advice.keys.size() < kKeysMax) {
      advice.keys.push_back(std::move(key));
      continue;
    }
    for (const std::string& name : key.serves) {
      advice.elsewhere.push_back(name + ": a table has 20 global indexes, and they are used up");
    }
  }
  return advice;
}

}  // namespace

std::vector<CombinationAdvice> AdviseCombinations(const Model& model) {
  std::map<std::string, std::vector<const Pattern*>> groups;
  std::vector<std::string> order;
  for (const Pattern& pattern : model.patterns) {
    if (pattern.variant_of.empty() || pattern.sections.empty()) {
      continue;
    }
    if (!groups.contains(pattern.variant_of)) {
      order.push_back(pattern.variant_of);
    }
    groups[pattern.variant_of].push_back(&pattern);
  }
  std::vector<CombinationAdvice> all;
  for (const std::string& name : order) {
    all.push_back(AdviseOn(model, groups[name]));
  }
  return all;
}

std::string RenderCombinations(const std::vector<CombinationAdvice>& advice) {
  std::string out;
  for (const CombinationAdvice& one : advice) {
    out += one.pattern + ": " + std::to_string(one.combinations) +
           " combinations of its optional conditions; " +
           (one.unserved.empty() ? "the keys support all of them"
                                 : "the keys do not support " + std::to_string(one.unserved.size())) +
           "\n";
    out += "  The smallest set of keys that supports each combination without extra reads: " +
           std::to_string(one.keys.size()) + ", of which one may be the table's own\n";
    for (const KeyChain& key : one.keys) {
      std::string serves;
      for (const std::string& name : key.serves) {
        serves += (serves.empty() ? "" : ", ") + name;
      }
      out += "    partition \"" + key.partition + "\" sort \"" + key.sort + "\": " + serves + "\n";
    }
    if (!one.elsewhere.empty()) {
      out += "  No key serves these; search elsewhere\n";
    }
    for (const std::string& line : one.elsewhere) {
      out += "    " + line + "\n";
    }
  }
  return out;
}

}  // namespace prejoin::model
