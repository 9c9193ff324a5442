// Members that PartiQL's operations share.
#ifndef PREJOIN_WIRE_MEMBERS_STATEMENT_MEMBERS_H_
#define PREJOIN_WIRE_MEMBERS_STATEMENT_MEMBERS_H_

#include <optional>
#include <string>
#include <vector>

#include "json/attribute_value.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "wire/members/input_reader.h"

namespace prejoin::wire {

// A list of 1 to `max` statements.
Status ReadStatements(InputReader& reader, json::Value value, const Path& path, std::size_t max,
                      std::vector<PartiqlStatement>& out);
Status ReadStatementText(InputReader& reader, json::Value value, const Path& path,
                         std::string& out);
// The values of `?`. `fault` is the first one, in the order of the text, that can be no value, in
// DynamoDB's words; empty if there is none.
Status ReadParameters(InputReader& reader, json::Value value, const Path& path,
                      std::optional<std::vector<AttributeValue>>& out, json::ValueFault& fault);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_STATEMENT_MEMBERS_H_
