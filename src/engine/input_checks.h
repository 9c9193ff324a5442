// Checks of an input that need no table: inputs that DynamoDB's request format cannot
// express, or that wire/ refuses with the errors of that format. Programs that use the library
// bypass both, so Database checks here.
#ifndef PREJOIN_ENGINE_INPUT_CHECKS_H_
#define PREJOIN_ENGINE_INPUT_CHECKS_H_

#include <string>

#include "prejoin/backups.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"
#include "prejoin/streams.h"
#include "prejoin/time_to_live.h"
#include "prejoin/vectors.h"

namespace prejoin::engine {

// Values: strings are UTF-8, sets have members and no member twice, lists and maps are not nested
// too deep. Requests: as many items as DynamoDB takes, limits and segments in their ranges.
Status CheckInput(const PutItemInput& input);
Status CheckInput(const GetItemInput& input);
Status CheckInput(const UpdateItemInput& input);
Status CheckInput(const DeleteItemInput& input);
Status CheckInput(const QueryInput& input);
Status CheckInput(const ScanInput& input);
Status CheckInput(const BatchGetItemInput& input);
Status CheckInput(const BatchWriteItemInput& input);
Status CheckInput(const TransactGetItemsInput& input);
Status CheckInput(const TransactWriteItemsInput& input);
Status CheckInput(const ExecuteStatementInput& input);
Status CheckInput(const BatchExecuteStatementInput& input);
Status CheckInput(const ExecuteTransactionInput& input);
Status CheckInput(const CreateTableInput& input);
Status CheckInput(const ListTablesInput& input);
Status CheckInput(const UpdateTimeToLiveInput& input);
Status CheckInput(const ListStreamsInput& input);
Status CheckInput(const DescribeStreamInput& input);
Status CheckInput(const GetRecordsInput& input);
Status CheckInput(const CreateBackupInput& input);
Status CheckInput(const ListBackupsInput& input);
Status CheckInput(const UpdateContinuousBackupsInput& input);
Status CheckInput(const RestoreTableFromBackupInput& input);
Status CheckInput(const RestoreTableToPointInTimeInput& input);
inline Status CheckInput(const GetShardIteratorInput&) { return {}; }
inline Status CheckInput(const UpdateTableInput&) { return {}; }
inline Status CheckInput(const SearchVectorsInput&) { return {}; }
inline Status CheckInput(const std::string&) { return {}; }

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_INPUT_CHECKS_H_
