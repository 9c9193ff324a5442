// Requests of the reference as PartiQL statements, and what PartiQL makes of them.
#ifndef PREJOIN_TESTS_REFERENCE_STATEMENTS_H_
#define PREJOIN_TESTS_REFERENCE_STATEMENTS_H_

#include <optional>
#include <string>

#include "prejoin/statements.h"
#include "tests/reference/random_requests.h"
#include "tests/reference/reference_engine.h"

namespace prejoin::reference {

// Writes values now as literals, now as parameters. Single thread.
class StatementPrinter {
 public:
  explicit StatementPrinter(RandomRequests& random) : random_(random) {}

  // INSERT, UPDATE or DELETE with `returning` behind it. Nullopt: PartiQL has no words for it.
  std::optional<PartiqlStatement> Print(const Table& table, const Write& write,
                                        const std::string& returning);
  PartiqlStatement Print(const Table& table, const Read& read);

 private:
  std::string Value(const AttributeValue& value);
  std::string Print(const Path& path) const;
  std::string Print(const Condition& condition);
  std::string Print(const KeyTerm& term);
  std::optional<std::string> Print(const Action& action);
  std::string Where(const Table& table, const Write& write);
  PartiqlStatement Finish(std::string text);

  RandomRequests& random_;
  std::vector<AttributeValue> parameters_;
};

// Leaves out what a SELECT cannot say of the read: Select, the order of items without a sort key, and
// filters on keys. False: PartiQL refuses the read.
bool FitToStatement(const Table& table, Read& read);

// "Put", as in PutItem.
std::string OperationOf(TransactAction action);
// The write's own condition and what its statement asks for beside it: that there is such an item, or
// that there is none. Nullopt: nothing.
std::optional<Condition> ConditionOfTwin(const Write& write);

// As Table::Plan, with the rules of statements: INSERT wants no item, UPDATE wants one, DELETE is
// content with none.
WriteOutcome PlanStatement(const Table& table, const Write& write);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_STATEMENTS_H_
