// The expected units of a request whose bytes vary: how many items it reads and how large they are. Units are rounded
// up, so that the units of the average are not the average of the units.
#ifndef PREJOIN_MODEL_PLAN_EXPECTED_UNITS_H_
#define PREJOIN_MODEL_PLAN_EXPECTED_UNITS_H_

#include <vector>

namespace prejoin::model {

// A size that a share of the entries has.
struct SizeShare {
  double share = 1;
  double bytes = 0;
  double deviation = 0;  // Of the bytes around that size.
};
using SizeShares = std::vector<SizeShare>;

double AverageOf(const SizeShares& sizes);

// Read units of `bytes` in one request; an empty answer costs the minimum.
double ReadUnits(double bytes, bool consistent);
// The units of one item that is read or written by itself.
double ItemReadUnits(const SizeShares& sizes, bool consistent);
double ItemWriteUnits(const SizeShares& sizes);

// The variation of the number of items of a kind around its average: only as much as it must, or random.
enum class Variation { kEven, kByChance };

// The bytes of one request. Single thread.
class RequestBytes {
 public:
  // `together`: items come in groups of so many.
  void Add(double items, Variation variation, const SizeShares& sizes, double together = 1);

  double items() const { return items_; }
  double bytes() const { return bytes_; }
  // In pages of 1 MB, each rounded by itself.
  double Units(bool consistent) const;
  double Pages() const;

 private:
  struct Point {
    double share = 1;
    double bytes = 0;
  };
  double UnitsOf(double bytes) const;

  std::vector<Point> points_ = {{1, 0}};
  double variance_ = 0;  // Around each point.
  double items_ = 0;
  double bytes_ = 0;
};

// The expected number of whole steps that cover a length which varies by `deviation`.
double ExpectedSteps(double length, double deviation, double step);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_EXPECTED_UNITS_H_
