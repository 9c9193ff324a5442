// The order of the steps is that of the plan: only items of the section's entity, the rows inside them, the whole items that an
// index only pointed at, what the filter lets through, the rows on the other side of an edge, their order, the first of them.
// A join comes last, because it keeps rows whose other side is absent.
#include "gen/row_steps.h"

namespace prejoin::gen {

std::vector<RowSteps::Step> RowSteps::StepsOf(std::size_t i) const {
  const Section& section = pattern_.sections[i];
  std::vector<Step> steps;
  const auto from = [&] { return steps.empty() ? ItemsName(section.read) : Variable(i); };
  if (section.classify) {
    steps.push_back({OfEntity(from(), section.item_entity)});
  }
  if (section.embedded) {
    steps.push_back({Inside(*section.embedded, from())});
  }
  if (section.fetch) {
    steps.push_back(
        {BatchText(*section.fetch, KeysText(*section.fetch, from()), section.read), true});
  }
  if (!section.filters.empty()) {
    steps.push_back({Filtered(from(), FilterText(section))});
  }
  if (section.via) {
    const std::string keys = "distinct(" + KeysText(*section.via, from()) + ")";
    steps.push_back({BatchText(*section.via, keys, section.read), true});
  }
  if (!section.sort.empty()) {
    steps.push_back({SortText(section, from())});
  }
  if (section.limit) {
    steps.push_back({AtMost(from(), std::to_string(*section.limit))});
  }
  if (steps.empty()) {
    steps.push_back({from()});
  }
  return steps;
}

void RowSteps::SectionRows(std::size_t i) {
  const Section& section = pattern_.sections[i];
  if (!HasSteps(section)) {
    return;
  }
  const std::string rows = Variable(i);
  StepsCode(rows, StepsOf(i));
  for (std::size_t j = 0; j < section.joins.size(); ++j) {
    const Fetch& join = section.joins[j];
    JoinCode(JoinName(i, j), BatchText(join, KeysText(join, rows), section.read));
  }
}

}  // namespace prejoin::gen
