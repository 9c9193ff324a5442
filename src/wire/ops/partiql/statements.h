// Parse and Print of the PartiQL operations, as operations.h has them for the others, and what they
// share.
#ifndef PREJOIN_WIRE_OPS_PARTIQL_STATEMENTS_H_
#define PREJOIN_WIRE_OPS_PARTIQL_STATEMENTS_H_

#include <string>
#include <vector>

#include "json/reader.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

Result<ExecuteStatementInput> ParseExecuteStatementInput(json::Value root);
void PrintExecuteStatementOutput(const ExecuteStatementOutput& output, std::string& out);

Result<BatchExecuteStatementInput> ParseBatchExecuteStatementInput(json::Value root);
void PrintBatchExecuteStatementOutput(const BatchExecuteStatementOutput& output, std::string& out);

Result<ExecuteTransactionInput> ParseExecuteTransactionInput(json::Value root);
void PrintExecuteTransactionOutput(const ExecuteTransactionOutput& output, std::string& out);

// A list of 1 to `max` statements.
Status ReadStatements(InputReader& reader, json::Value value, const Path& path, std::size_t max,
                      std::vector<PartiqlStatement>& out);
Status ReadStatementText(InputReader& reader, json::Value value, const Path& path,
                         std::string& out);
Status ReadParameters(InputReader& reader, json::Value value, const Path& path,
                      std::optional<std::vector<AttributeValue>>& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_OPS_PARTIQL_STATEMENTS_H_
