// What the range of a Query keeps of rows that it was not made for: of other entities' rows with the same value in
// their key, and of rows outside the day or month that a filter asks for.
#ifndef PREJOIN_MODEL_PLAN_RANGE_SHARES_H_
#define PREJOIN_MODEL_PLAN_RANGE_SHARES_H_

#include <set>
#include <string>
#include <vector>

#include "model/plan/expectation.h"

namespace prejoin::model {

// The attributes of a layout that its partition key in the view is made of.
std::set<std::string> PartitionAttributes(const View& view, const ItemLayout& layout);

// The rows of an entity in one partition of a view.
struct RowsOfPartition {
  const Reference<Entity>& entity;
  const std::set<std::string>& bound;
};

// The share of these rows whose attribute has the value that an equality of the request asks for, where both values come
// from the same place; 0: they do not.
double ShareWithOperand(Expectations& figures, const Pattern& pattern, const Request& request,
                        const RowsOfPartition& rows, const std::string& attribute,
                        const Operand& operand);

// Of how many days, or other parts of a value, filters keep one: `at day = :day` where a key holds `at`. 1: none does.
double PartsOfRange(Expectations& figures, const Section& section,
                    const std::vector<std::string>& filters, const std::string& attribute);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_RANGE_SHARES_H_
