#include "studio/trace_backend.h"

#include <utility>

#include "client/request_json.h"
#include "model/prove/endpoint_backend.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

Error OnlyReads() { return Error{ErrorCode::kInternal, "a pattern only reads"}; }

Error NoTable(const std::string& table) {
  return Refuse(404,
                "table " + table +
                    " is not in this database, or lacks the index; create the model's tables first",
                "TableNotFound");
}

}  // namespace

Result<model::ReadAnswer> TraceBackend::Note(TracedRequest request,
                                             Result<model::ReadAnswer> answer) {
  if (!answer) {
    const ErrorCode code = answer.error().code;
    const bool missing = code == ErrorCode::kResourceNotFound || code == ErrorCode::kTableNotFound;
    return missing ? NoTable(request.table) : answer.error();
  }
  items_read_ += answer->items.size();
  if (items_read_ > kItemsMax || requests_.size() >= kRequestsMax) {
    return Refuse(400, "this run reads more than " + std::to_string(kItemsMax) +
                           " items or takes "
                           "more than " +
                           std::to_string(kRequestsMax) + " requests");
  }
  request.items = answer->items;
  request.read_units = answer->read_units;
  requests_.push_back(std::move(request));
  return answer;
}

Result<model::ReadAnswer> TraceBackend::Get(const std::string& table, const Item& key,
                                            bool consistent) {
  return Note({"GetItem",
               table,
               "",
               false,
               consistent,
               client::GetItemJson(model::MakeGet(table, key, consistent)),
               {},
               0},
              backend_.Get(table, key, consistent));
}

Result<model::ReadAnswer> TraceBackend::BatchGet(const std::string& table,
                                                 const std::vector<Item>& keys, bool consistent) {
  return Note({"BatchGetItem",
               table,
               "",
               false,
               consistent,
               client::BatchGetItemJson(model::MakeBatchGet(table, keys, consistent)),
               {},
               0},
              backend_.BatchGet(table, keys, consistent));
}

Result<model::ReadAnswer> TraceBackend::Query(const model::KeyQuery& query) {
  return Note({query.scan ? "Scan" : "Query",
               query.table,
               query.index,
               query.start_key.has_value(),
               query.consistent,
               query.scan ? model::ScanJson(query) : client::QueryJson(model::MakeQuery(query)),
               {},
               0},
              backend_.Query(query));
}

Status TraceBackend::CreateTable(const model::Model&, const model::Table&) { return OnlyReads(); }

Status TraceBackend::Load(const std::string&, const std::vector<Item>&) { return OnlyReads(); }

Result<model::WriteAnswer> TraceBackend::Write(const model::ItemWrite&) { return OnlyReads(); }

Result<model::WriteAnswer> TraceBackend::WriteTogether(const std::vector<model::ItemWrite>&) {
  return OnlyReads();
}

}  // namespace prejoin::studio
