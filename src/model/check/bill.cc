#include "model/check/bill.h"

#include <algorithm>

#include "model/cost/cost.h"
#include "model/plan/planner.h"

namespace prejoin::model {
namespace {

bool Asks(const Pattern& pattern, const std::set<std::string>& entities) {
  return std::ranges::any_of(pattern.sections, [&](const Section& section) {
    return entities.contains(section.entity.text) || entities.contains(section.via.text) ||
           std::ranges::any_of(
               section.get, [&](const Path& path) { return entities.contains(path.entity.text); });
  });
}

bool Changes(const Write& write, const std::set<std::string>& entities) {
  return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
    return entities.contains(step.entity.text) ||
           std::ranges::any_of(step.cascade,
                               [&](const Name& name) { return entities.contains(name.text); });
  });
}

}  // namespace

bool MonthlyBill::NotDearer(const MonthlyBill& after) const {
  constexpr double kRounding = 1e-6;
  return after.complete && after.money_per_month <= money_per_month * (1 + kRounding);
}

MonthlyBill BillOf(const Model& model, const std::set<std::string>& entities) {
  Model part = model;
  std::erase_if(part.patterns, [&](const Pattern& pattern) { return !Asks(pattern, entities); });
  std::erase_if(part.writes, [&](const Write& write) { return !Changes(write, entities); });
  for (Pattern& pattern : part.patterns) {
    pattern.rate_per_second = pattern.rate_per_second > 0 ? pattern.rate_per_second : 1;
  }
  for (Write& write : part.writes) {
    write.rate_per_second = write.rate_per_second > 0 ? write.rate_per_second : 1;
  }
  const Prices prices;
  Expectations figures(part);
  MonthlyBill bill;
  for (const Plan& plan : PlanAll(figures)) {
    const bool fresh = plan.strong || plan.pattern->freshness == Freshness::kEventual;
    bill.complete = bill.complete && plan.served && fresh;
    bill.money_per_month += PricePattern(figures, plan, prices).money_per_month;
  }
  for (const Write& write : part.writes) {
    bill.money_per_month += PriceWrite(figures, write, prices).money_per_month;
  }
  for (const Table& table : part.tables) {
    bill.money_per_month += PriceStorage(figures, View{&table, nullptr}, prices).money_per_month;
    for (const Index& index : table.indexes) {
      bill.money_per_month += PriceStorage(figures, View{&table, &index}, prices).money_per_month;
    }
  }
  return bill;
}

}  // namespace prejoin::model
