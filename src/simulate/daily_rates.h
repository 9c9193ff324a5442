// The hours in which the rates of a model hold. The model itself keeps their average and their peak.
#ifndef PREJOIN_SIMULATE_DAILY_RATES_H_
#define PREJOIN_SIMULATE_DAILY_RATES_H_

#include <cstddef>
#include <map>

#include "model/schema/daily_rate.h"
#include "model/syntax/statement.h"

namespace prejoin::simulate {

// By the line at which the name of the pattern or write is. Those without hours are left out.
using DailyRates = std::map<std::size_t, model::DailyRate>;

// `tree`: of a model without errors.
DailyRates ReadDailyRates(const model::SyntaxTree& tree);

}  // namespace prejoin::simulate

#endif  // PREJOIN_SIMULATE_DAILY_RATES_H_
