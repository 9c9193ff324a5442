#include "draft/infer/choose_samples.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace prejoin::draft {
namespace {

// An attribute and the one that it references, by the place of that entity's sample.
struct SampleReference {
  std::string from;
  std::size_t target = 0;
  std::string to;
};

class SampleChooser {
 public:
  explicit SampleChooser(Draft& draft) : draft_(draft), references_(draft.samples.size()) {
    for (std::size_t at = 0; at < draft.samples.size(); ++at) {
      Read(at);
      resolved_.emplace_back(draft.samples[at].rows.size(), true);
      chosen_.emplace_back(draft.samples[at].rows.size(), false);
    }
  }

  void Run(std::size_t most) {
    while (Narrow()) {
    }
    // Rows that reference others come first: they say which of those are wanted.
    std::vector<std::size_t> order(draft_.samples.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
      order[at] = at;
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return references_[a].size() > references_[b].size();
    });
    for (const std::size_t at : order) {
      Fill(at, most);
    }
    for (std::size_t at = 0; at < order.size(); ++at) {
      std::vector<Item>& rows = draft_.samples[at].rows;
      std::vector<Item> left;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (chosen_[at][i]) {
          left.push_back(std::move(rows[i]));
        }
      }
      rows = std::move(left);
    }
  }

 private:
  void Read(std::size_t at) {
    const DraftEntity* entity = draft_.FindEntity(draft_.samples[at].entity);
    if (entity == nullptr) {
      return;
    }
    for (const DraftAttribute& attribute : entity->attributes) {
      const std::size_t dot = attribute.references.find('.');
      for (std::size_t other = 0; dot != std::string::npos && other < draft_.samples.size();
           ++other) {
        if (draft_.samples[other].entity == attribute.references.substr(0, dot) &&
            !draft_.samples[other].rows.empty()) {
          references_[at].push_back({attribute.name, other, attribute.references.substr(dot + 1)});
        }
      }
    }
  }

  // The first row that `row` may lead to by the reference; the number of rows if there is none.
  std::size_t Target(const SampleReference& reference, const AttributeValue& value) const {
    const std::vector<Item>& rows = draft_.samples[reference.target].rows;
    std::size_t i = 0;
    while (i < rows.size()) {
      const AttributeValue* there = rows[i].Find(reference.to);
      if (resolved_[reference.target][i] && there != nullptr && *there == value) {
        break;
      }
      ++i;
    }
    return i;
  }

  bool Leads(std::size_t at, std::size_t i) const {
    return std::ranges::all_of(references_[at], [&](const SampleReference& reference) {
      const AttributeValue* value = draft_.samples[at].rows[i].Find(reference.from);
      return value == nullptr ||
             Target(reference, *value) < draft_.samples[reference.target].rows.size();
    });
  }

  // Takes out rows that lead nowhere; true if there were any, so that others may lead nowhere now.
  bool Narrow() {
    bool narrowed = false;
    for (std::size_t at = 0; at < resolved_.size(); ++at) {
      for (std::size_t i = 0; i < resolved_[at].size(); ++i) {
        if (resolved_[at][i] && !Leads(at, i)) {
          resolved_[at][i] = false;
          narrowed = true;
        }
      }
    }
    return narrowed;
  }

  void Fill(std::size_t at, std::size_t most) {
    const bool any = std::ranges::find(resolved_[at], true) != resolved_[at].end();
    auto count = static_cast<std::size_t>(std::ranges::count(chosen_[at], true));
    for (std::size_t i = 0; i < chosen_[at].size() && count < most; ++i) {
      if (!chosen_[at][i] && (resolved_[at][i] || !any)) {
        Choose(at, i);
        ++count;
      }
    }
  }

  // With all that the row leads to.
  void Choose(std::size_t first_at, std::size_t first) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{first_at, first}};
    while (!open.empty()) {
      const auto [at, i] = open.back();
      open.pop_back();
      if (chosen_[at][i]) {
        continue;
      }
      chosen_[at][i] = true;
      for (const SampleReference& reference : references_[at]) {
        const AttributeValue* value = draft_.samples[at].rows[i].Find(reference.from);
        const std::size_t target =
            value != nullptr ? Target(reference, *value) : chosen_[reference.target].size();
        if (target < chosen_[reference.target].size()) {
          open.emplace_back(reference.target, target);
        }
      }
    }
  }

  Draft& draft_;
  std::vector<std::vector<SampleReference>> references_;  // By sample.
  std::vector<std::vector<bool>>
      resolved_;  // By sample and row: all of its references lead to such rows.
  std::vector<std::vector<bool>> chosen_;
};

}  // namespace

void ChooseSamples(Draft& draft, std::size_t most) { SampleChooser(draft).Run(most); }

}  // namespace prejoin::draft
