// All operations of the engine. One operation, one file: PutItem is in engine/ops/item/put_item.cc.
#ifndef PREJOIN_ENGINE_OPS_OPERATIONS_H_
#define PREJOIN_ENGINE_OPS_OPERATIONS_H_

#include <string>
#include <vector>

#include "engine/engine.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "prejoin/streams.h"
#include "prejoin/table.h"
#include "prejoin/time_to_live.h"

namespace prejoin::engine {

Result<PutItemOutput> PutItem(Engine&, RequestContext&, const PutItemInput&);
Result<GetItemOutput> GetItem(Engine&, RequestContext&, const GetItemInput&);
Result<UpdateItemOutput> UpdateItem(Engine&, RequestContext&, const UpdateItemInput&);
Result<DeleteItemOutput> DeleteItem(Engine&, RequestContext&, const DeleteItemInput&);
Result<QueryOutput> Query(Engine&, RequestContext&, const QueryInput&);
Result<ScanOutput> Scan(Engine&, RequestContext&, const ScanInput&);
Result<BatchGetItemOutput> BatchGetItem(Engine&, RequestContext&, const BatchGetItemInput&);
Result<BatchWriteItemOutput> BatchWriteItem(Engine&, RequestContext&, const BatchWriteItemInput&);
Result<TransactGetItemsOutput> TransactGetItems(Engine&, RequestContext&,
                                                const TransactGetItemsInput&);
Result<TransactWriteItemsOutput> TransactWriteItems(Engine&, RequestContext&,
                                                    const TransactWriteItemsInput&);

Result<TableDescription> CreateTable(Engine&, RequestContext&, const CreateTableInput&);
Result<TableDescription> DescribeTable(Engine&, RequestContext&, const std::string& table_name);
Result<TableDescription> UpdateTable(Engine&, RequestContext&, const UpdateTableInput&);
Result<TableDescription> DeleteTable(Engine&, RequestContext&, const std::string& table_name);
Result<ListTablesOutput> ListTables(Engine&, RequestContext&, const ListTablesInput&);

Status TagResource(Engine&, RequestContext&, const std::string& arn, const std::vector<Tag>& tags);
Status UntagResource(Engine&, RequestContext&, const std::string& arn,
                     const std::vector<std::string>& tag_keys);
Result<ListTagsOutput> ListTagsOfResource(Engine&, RequestContext&, const std::string& arn);

Result<TimeToLiveSpecification> UpdateTimeToLive(Engine&, RequestContext&,
                                                 const UpdateTimeToLiveInput&);
Result<TimeToLiveDescription> DescribeTimeToLive(Engine&, RequestContext&,
                                                 const std::string& table_name);

Result<ListStreamsOutput> ListStreams(Engine&, RequestContext&, const ListStreamsInput&);
Result<StreamDescription> DescribeStream(Engine&, RequestContext&, const DescribeStreamInput&);
Result<std::string> GetShardIterator(Engine&, RequestContext&, const GetShardIteratorInput&);
Result<GetRecordsOutput> GetRecords(Engine&, RequestContext&, const GetRecordsInput&);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_OPERATIONS_H_
