#include "simulate/daily_rates.h"

#include <utility>
#include <vector>

#include "model/schema/token_cursor.h"

namespace prejoin::simulate {

DailyRates ReadDailyRates(const model::SyntaxTree& tree) {
  DailyRates rates;
  std::vector<model::Diagnostic> diagnostics;  // The model has reported them.
  for (const model::Statement& statement : tree.statements) {
    if (statement.head() != "pattern" && statement.head() != "write") {
      continue;
    }
    for (const model::Statement& line : statement.body) {
      model::TokenCursor cursor(line, diagnostics);
      double average = 0;
      double peak = 0;
      model::DailyRate day;
      if (cursor.TakeWord("rate")) {
        cursor.ReadRate(average, peak, &day);
      }
      if (!day.hours.empty()) {
        rates[static_cast<std::size_t>(statement.at().line)] = std::move(day);
      }
    }
  }
  return rates;
}

}  // namespace prejoin::simulate
