// The items that lie between two sort keys of a partition. A Query reads from the least to the greatest key that
// its sections need, and pays for every item on the way, no matter which section needs it.
#ifndef PREJOIN_MODEL_PLAN_BETWEEN_KEYS_H_
#define PREJOIN_MODEL_PLAN_BETWEEN_KEYS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/plan/plan.h"

namespace prejoin::model {

enum class Side { kAtOrAbove, kAtOrBelow };

// The share of all values of an attribute that are on that side of an operand.
using ShareBeside = std::function<double(const Operand& operand, Side side)>;

// The share of a layout's items in the partition whose attribute has the operand's value.
using ShareEqualTo = std::function<double(const std::string& attribute, const Operand& operand)>;

// The keys of one layout's items in the partition that a request reads.
class KeysInPartition {
 public:
  // Borrows the layout, the request and what the functions borrow.
  KeysInPartition(const ItemLayout& layout, const Request& request, ShareBeside beside,
                  ShareEqualTo equal_to);

  // True if the layout's items can be in the partition at all: literals agree and are at the same places.
  bool fits() const { return fits_; }
  // The share of the layout's items in the partition that the request reads.
  double ShareRead() const;
  // The share of them that it has read when it comes to this range of one of its sections.
  double ShareBefore(const SortRange& range) const;

 private:
  double ShareOn(Side side, const KeyExpression& bound) const;
  // From the outermost bound of all ranges on.
  double ShareFromLow() const;
  double ShareToHigh() const;

  const Request& request_;
  const ShareBeside beside_;
  const ShareEqualTo equal_to_;
  const KeyTemplate* sort_ = nullptr;     // Null: none, or more than one attribute.
  std::map<std::string, Operand> fixed_;  // Attributes that the partition key fixes.
  bool fits_ = false;
};

// The order of two layouts' items in a partition of the view: negative if all of `one` come before all of `other`, positive if after;
// nothing if they may lie between each other.
std::optional<int> OrderOfLayouts(const Model& model, const ItemLayout& one,
                                  const ItemLayout& other, const View& view);

// The bounds of a range; empty: open.
KeyExpression LowOf(const SortRange& range);
KeyExpression HighOf(const SortRange& range);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_BETWEEN_KEYS_H_
