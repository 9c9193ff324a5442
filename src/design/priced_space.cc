#include "design/priced_space.h"

namespace prejoin::design {

model::Pattern PartOf(const model::Pattern& pattern, const std::vector<std::size_t>& sections) {
  model::Pattern part = pattern;
  part.sections.clear();
  for (const std::size_t i : sections) {
    part.sections.push_back(pattern.sections[i]);
  }
  return part;
}

double TrueCost::Weighed(const Weights& weights) const {
  return weights.money * money + weights.index * views + weights.extra * extras +
         weights.request * requests + weights.round * rounds + weights.untidy * untidy;
}

double Untidiness(const model::SectionPlan& section) {
  return (section.client_sort ? 1 : 0) +
         (section.embedded == nullptr ? static_cast<double>(section.filters.size()) : 0);
}

IntegerProgram PricedSpace::ToProgram(const Weights& weights) const {
  IntegerProgram program;
  program.groups = groups;
  for (const PricedFacility& facility : facilities) {
    double cost = weights.money * facility.money;
    if (facility.is_view) {
      cost += weights.index;
    } else {
      cost += weights.extra *
              static_cast<double>(facility.layout.lists.size() + facility.layout.copies.size());
    }
    program.facilities.push_back({cost, facility.group});
  }
  for (const PricedBlock& block : blocks) {
    Block out;
    out.clients = block.clients;
    for (const PricedAlternative& alternative : block.alternatives) {
      out.alternatives.push_back(
          {alternative.covers, alternative.needs,
           weights.money * alternative.money + weights.request * alternative.requests +
               weights.round * alternative.rounds + weights.untidy * alternative.untidy});
    }
    program.blocks.push_back(std::move(out));
  }
  return program;
}

DesignChoice PricedSpace::ChoiceOf(const std::vector<bool>& open) const {
  DesignChoice choice;
  for (std::size_t i = 0; i < facilities.size(); ++i) {
    const PricedFacility& facility = facilities[i];
    if (open[i] && !facility.is_view) {
      choice[facility.entity].layout = facility.layout;
    }
  }
  for (std::size_t i = 0; i < facilities.size(); ++i) {
    const PricedFacility& facility = facilities[i];
    if (open[i] && facility.is_view && choice[facility.entity].layout == facility.layout) {
      choice[facility.entity].views.push_back(facility.view);
    }
  }
  return choice;
}

}  // namespace prejoin::design
