#include "model/throughput/capacity.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/cost/write_cost.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"
#include "model/syntax/text_table.h"

namespace prejoin::model {
namespace {

constexpr double kBurstSeconds = 300;
constexpr double kScalingLagSeconds = 240;
// Reserved capacity is at most so much cheaper (AWS, 2026).
constexpr double kReservedOneYear = 0.54;
constexpr double kReservedThreeYears = 0.77;

class CapacitySum {
 public:
  explicit CapacitySum(Expectations& figures) : figures_(figures) {
    for (const Table& table : figures.model().tables) {
      Add(View{&table, nullptr}, table.name.at);
      for (const Index& index : table.indexes) {
        if (!index.local) {
          Add(View{&table, &index}, index.name.at);
        }
      }
    }
  }

  void AddPlan(const Plan& plan) {
    if (!plan.served || plan.requests.empty()) {
      return;
    }
    const double units = plan.estimate.read_units / static_cast<double>(plan.requests.size());
    const double rate = plan.pattern->rate_per_second * figures_.scale();
    const double peak = figures_.PeakOf(*plan.pattern);
    for (const Request& request : plan.requests) {
      Of(request.view).reads.average += units * rate;
      Of(request.view).reads.peak += units * peak;
    }
  }

  void AddWrite(const Write& write) {
    const double rate = write.rate_per_second * figures_.scale();
    const double peak = figures_.PeakOf(write);
    for (const WriteStep& step : write.steps) {
      const Model::Placement placement = figures_.model().FindPlacement(step.entity);
      if (!placement) {
        continue;
      }
      const WriteCost cost = EstimateStep(figures_, write, step);
      double elsewhere = cost.total_units;
      const auto add = [&](const View& view, double units) {
        Of(view).writes.average += units * rate;
        Of(view).writes.peak += units * peak;
        elsewhere -= units;
      };
      for (const LayoutCost& layout : cost.layouts) {
        const Table* table = figures_.model().FindPlacement(layout.layout).table;
        for (const auto& [name, units] : layout.units) {
          add(View{table, name.empty() ? nullptr : table->FindIndex(name)}, units);
        }
      }
      // Copies, sums and locks, which may be in other tables, count for this one.
      if (elsewhere > 0) {
        add(View{placement.table, nullptr}, elsewhere);
      }
    }
  }

  std::vector<CapacityNeed> Take() { return std::move(needs_); }

 private:
  void Add(const View& view, const SourceSpan& at) {
    place_of_[view.Label()] = needs_.size();
    needs_.push_back({view.Label(), view.index != nullptr, at, {}, {}});
  }
  CapacityNeed& Of(const View& view) {
    const bool shares = view.index == nullptr || view.index->local;
    return needs_[place_of_.at(shares ? View{view.table, nullptr}.Label() : view.Label())];
  }

  Expectations& figures_;
  std::vector<CapacityNeed> needs_;
  std::map<std::string, std::size_t> place_of_;
};

Prices InMode(Prices prices, CapacityMode mode, double utilisation) {
  prices.mode = mode;
  prices.utilisation = utilisation;
  prices.reserved_share = 0;
  return prices;
}

double MoneyOf(const Prices& prices, const CapacityNeed& need) {
  return prices.ReadMoney(need.reads.average, need.reads.peak) +
         prices.WriteMoney(need.writes.average, need.writes.peak);
}

double TargetOf(const Prices& prices) { return prices.utilisation > 0 ? prices.utilisation : 0.7; }

std::string UnitsText(double units) { return FigureText(std::ceil(units)); }

void AddColdNote(const CapacityNeed& need, const Prices& prices, std::vector<std::string>& notes) {
  const bool reads = need.reads.peak > kNewTableReadUnits;
  const bool writes = need.writes.peak > kNewTableWriteUnits;
  if (!reads && !writes) {
    return;
  }
  const std::string asked =
      (reads ? UnitsText(need.reads.peak) + " read" : std::string()) + (reads && writes ? " and " : "") +
      (writes ? UnitsText(need.writes.peak) + " write" : std::string());
  std::string note = need.view + " gets " + asked +
                     " units per second at its peak. A new on-demand table or index serves 12,000 read and "
                     "4,000 write units and doubles its peak in half an hour: set WarmThroughput before launch. It costs " +
                     MoneyText(prices.currency, WarmMoney(prices, need.reads.peak, need.writes.peak)) + ", once.";
  if (need.reads.peak > kTableUnitsQuota || need.writes.peak > kTableUnitsQuota) {
    note += " It also needs a higher quota than 40,000 units per second.";
  }
  notes.push_back(std::move(note));
}

void AddScalingNote(const CapacityNeed& need, const Prices& prices, std::vector<std::string>& notes) {
  std::string least;
  const auto add = [&](const Throughput& throughput, const char* unit) {
    const double units = std::ceil(LeastForJump(throughput));
    if (units > std::ceil(throughput.average / TargetOf(prices))) {
      least += (least.empty() ? "" : " and ") + UnitsText(units) + unit;
    }
  };
  add(need.reads, " RCU");
  add(need.writes, " WCU");
  if (!least.empty()) {
    notes.push_back(need.view + ": auto scaling needs about 4 minutes to follow a jump to the peak. A minimum capacity of " +
                    least + " and 300 seconds of burst capacity bridge them.");
  }
}

}  // namespace

CapacityPlan PlanCapacity(Expectations& figures, const std::vector<Plan>& plans, const Prices& prices) {
  CapacitySum sum(figures);
  for (const Plan& plan : plans) {
    sum.AddPlan(plan);
  }
  for (const Write& write : figures.model().writes) {
    sum.AddWrite(write);
  }
  CapacityPlan result;
  result.needs = sum.Take();
  for (const CapacityNeed& need : result.needs) {
    result.on_demand += MoneyOf(InMode(prices, CapacityMode::kOnDemand, 0), need);
    result.at_peak += MoneyOf(InMode(prices, CapacityMode::kProvisioned, 0), need);
    result.auto_scaled += MoneyOf(InMode(prices, CapacityMode::kProvisioned, TargetOf(prices)), need);
  }
  return result;
}

bool OutgrowsNewTable(const CapacityNeed& need) {
  return need.reads.peak > kNewTableReadUnits || need.writes.peak > kNewTableWriteUnits;
}

double WarmMoney(const Prices& prices, double read_units_per_second, double write_units_per_second) {
  return std::max(0.0, std::ceil(read_units_per_second) - kNewTableReadUnits) * prices.read_hour +
         std::max(0.0, std::ceil(write_units_per_second) - kNewTableWriteUnits) * prices.write_hour;
}

double LeastForJump(const Throughput& throughput) {
  return (kScalingLagSeconds * throughput.peak + kBurstSeconds * throughput.average) /
         (kScalingLagSeconds + kBurstSeconds);
}

std::string RenderCapacity(const CapacityPlan& plan, const Prices& prices, std::size_t width) {
  if (plan.on_demand <= 0) {
    return "";
  }
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.AddHeading({"", "RCU/s", "at peak", "WCU/s", "at peak"});
  std::vector<std::string> notes;
  for (const CapacityNeed& need : plan.needs) {
    table.AddRow({need.view, FigureText(need.reads.average), FigureText(need.reads.peak),
                  FigureText(need.writes.average), FigureText(need.writes.peak)});
    AddColdNote(need, prices, notes);
    AddScalingNote(need, prices, notes);
  }
  const auto money = [&](double amount) { return MoneyText(prices.currency, amount) + "/month"; };
  std::string out = Styled(Style::kHeading, "Capacity that each table and index must have") + "\n" +
                    table.Render(width, 2);
  out += "  on demand " + money(plan.on_demand) + ", provisioned for the peak " + money(plan.at_peak) +
         ", with auto scaling at " + PercentText(TargetOf(prices)) + " " + money(plan.auto_scaled) + "\n";
  out += "  reserved for the peak, at best: one year " + money(plan.at_peak * (1 - kReservedOneYear)) +
         ", three years " + money(plan.at_peak * (1 - kReservedThreeYears)) + "\n";
  for (const std::string& note : notes) {
    out += "  " + note + "\n";
  }
  return out;
}

}  // namespace prejoin::model
