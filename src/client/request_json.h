// Requests as a client of DynamoDB would write them: the way back from typed inputs to JSON.
#ifndef PREJOIN_CLIENT_REQUEST_JSON_H_
#define PREJOIN_CLIENT_REQUEST_JSON_H_

#include <optional>
#include <string>

#include "json/writer.h"
#include "prejoin/operations.h"

namespace prejoin::client {

// Members that are not set, or hold DynamoDB's default, are left out. Legacy parameters are not
// printed: nothing that writes requests uses them.
// A request that names a table and nothing else.
std::string TableNameJson(const std::string& table);
std::string CreateTableJson(const CreateTableInput& input);
std::string GetItemJson(const GetItemInput& input);
std::string BatchGetItemJson(const BatchGetItemInput& input);
std::string QueryJson(const QueryInput& input);

// ExpressionAttributeNames and -Values; nothing if there are none.
void AppendExpressionNames(const std::optional<AttributeNames>& names, json::ObjectWriter& object);
void AppendExpressionValues(const std::optional<AttributeValues>& values,
                            json::ObjectWriter& object);

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_REQUEST_JSON_H_
