// From PartiQL text to a bound statement.
#ifndef PREJOIN_PARTIQL_PARSE_H_
#define PREJOIN_PARTIQL_PARSE_H_

#include <string>
#include <string_view>
#include <vector>

#include "partiql/statement.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::partiql {

// The index that a SELECT reads in which the parser noted a fault: such a fault is said only after
// what DynamoDB has against the index.
struct FaultySelect : ErrorDetail {
  std::string table_name;
  std::string index_name;
};

// `parameters` are the values of `?`, from left to right: as many as the text has. Errors are
// DynamoDB's: "Statement wasn't well formed, can't be processed: …".
Result<Statement> Parse(std::string_view text, const std::vector<AttributeValue>& parameters);

// For tests: `(select "T" "I" (a b.c) (where (= a ?)) (order b desc))`.
std::string Print(const Statement& statement);

}  // namespace prejoin::partiql

#endif  // PREJOIN_PARTIQL_PARSE_H_
