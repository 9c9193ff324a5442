#include "model/prove/measured_bill.h"

#include <cmath>
#include <vector>

#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

class BillMeasurer {
 public:
  void Add(const std::string& name, double money, const std::vector<ComparedFigure>& figures,
           const char* unit) {
    double measured = money;
    for (const ComparedFigure& figure : figures) {
      // Where the file contradicts itself, no rows can be as it says.
      if (figure.name != name || figure.estimated <= 0 || !figure.contradiction.empty()) {
        continue;
      }
      measured *= figure.measured / figure.estimated;
      const double difference = std::abs(measured - money);
      if (difference > largest_) {
        largest_ = difference;
        bill_.largest_difference = "`" + name + "` takes " + FigureText(figure.measured) + " " +
                                   unit + ", estimated " + FigureText(figure.estimated);
      }
    }
    bill_.money += measured;
  }

  MeasuredBill Take() { return std::move(bill_); }

 private:
  MeasuredBill bill_;
  double largest_ = 0;
};

}  // namespace

MeasuredBill MeasureBill(const CostReport& cost, const EstimateComparison& comparison) {
  BillMeasurer bill;
  for (const PatternCost& pattern : cost.patterns) {
    bill.Add(pattern.name, pattern.money_per_month, comparison.patterns, "RCU");
  }
  for (const WriteCost& write : cost.writes) {
    bill.Add(write.name, write.money_per_month, comparison.writes, "WCU");
  }
  for (const StorageCost& storage : cost.storage) {
    bill.Add(storage.view, storage.money_per_month, comparison.entry_bytes, "bytes per item");
  }
  return bill.Take();
}

}  // namespace prejoin::model
