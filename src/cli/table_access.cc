#include "cli/table_access.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "cli/serve/private_files.h"
#include "client/endpoint.h"
#include "client/request_json.h"
#include "client/signing_identity.h"
#include "engine/engine_of.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "json/attribute_value.h"
#include "json/copy.h"
#include "json/item_json.h"
#include "json/reader.h"
#include "json/writer.h"
#include "prejoin/database.h"
#include "transfer/item_lines.h"
#include "transfer/table_sink.h"
#include "value/size.h"
#include "wire/members/input_reader.h"
#include "wire/members/table_members.h"
#include "wire/recreate_table.h"
#include "wire/service.h"

namespace prejoin::cli {
namespace {

constexpr int kTablePollsMax = 600;
constexpr useconds_t kTablePollMicroseconds = 100'000;

// In this process, without HTTP in between.
class LocalTable : public TableAccess {
 public:
  LocalTable(std::unique_ptr<Database> database, std::string table_name)
      : database_(std::move(database)),
        service_(engine::EngineOf(*database_)),
        table_name_(std::move(table_name)) {}

  Result<std::string> Call(const std::string& operation, const std::string& body) override {
    wire::Answer answer = service_.Handle("DynamoDB_20120810." + operation, body);
    PJ_RETURN_IF_ERROR(engine::EngineOf(*database_).store().WaitDurable(answer.ticket));
    if (answer.status != 200) {
      return client::ErrorOf(operation, {answer.status, std::move(answer.body)});
    }
    return std::move(answer.body);
  }

  Status EachItem(FunctionRef<Status(ItemView item)> visit) override {
    return EachItemOf({}, visit);
  }

  Status EachItemOf(Segment segment, FunctionRef<Status(ItemView item)> visit) override {
    ScanInput input{.table_name = table_name_};
    if (segment.count > 1) {
      input.segment = segment.number;
      input.total_segments = segment.count;
    }
    do {
      PJ_ASSIGN_OR_RETURN(ScanOutput page, database_->Scan(input));
      for (const StoredItem& item : page.items) {
        PJ_RETURN_IF_ERROR(visit(ItemView(item.body())));
      }
      input.exclusive_start_key = std::move(page.last_evaluated_key);
    } while (input.exclusive_start_key);
    return {};
  }

  Result<std::unique_ptr<transfer::ItemSink>> MakeSink() override {
    PJ_ASSIGN_OR_RETURN(const TableDescription table, database_->DescribeTable(table_name_));
    return std::unique_ptr<transfer::ItemSink>(std::make_unique<transfer::TableSink>(
        engine::EngineOf(*database_), table_name_, table.table_id));
  }

 private:
  std::unique_ptr<Database> database_;
  wire::Service service_;
  const std::string table_name_;
};

// Batches of an endpoint: each key once, and not too many bytes.
class EndpointSink : public transfer::ItemSink {
 public:
  EndpointSink(client::Endpoint& endpoint, std::string table_name, std::vector<std::string> keys)
      : endpoint_(endpoint), table_name_(std::move(table_name)), key_names_(std::move(keys)) {}

  Status Add(Item item) override {
    Item key;
    for (const std::string& name : key_names_) {
      const AttributeValue* value = item.Find(name);
      if (value == nullptr) {
        return ValidationError("the item lacks the key attribute " + name);
      }
      key.Set(name, *value);
    }
    const std::size_t bytes = ItemSizeBytes(item);
    if (bytes > kItemBytesMax) {
      return ValidationError("Item size has exceeded the maximum allowed size");
    }
    return Take({.item = std::move(item)}, EncodeItem(key), bytes);
  }

  Status Remove(Item key) override {
    const std::string encoded = EncodeItem(key);
    return Take({.item = std::move(key), .deleted = true}, encoded, encoded.size());
  }

  Status Finish() override {
    if (items_.empty()) {
      return {};
    }
    std::string requests;
    {
      json::ObjectWriter tables(requests);
      std::string& out = tables.Key(table_name_);
      json::AppendArray(items_, out, [&](const transfer::ItemOrKey& line) {
        json::ObjectWriter request(out);
        json::ObjectWriter write(request.Name(line.deleted ? "DeleteRequest" : "PutRequest"));
        json::AppendItem(line.item, write.Name(line.deleted ? "Key" : "Item"));
      });
    }
    items_.clear();
    seen_.clear();
    bytes_ = 0;
    for (int i = 0; i < kTablePollsMax; ++i) {
      const auto answer = endpoint_.Call("BatchWriteItem", "{\"RequestItems\":" + requests + "}");
      if (!answer) {
        // A whole batch is refused, so it is no single item's fault.
        return Error{ErrorCode::kUnavailable, answer.error().message};
      }
      PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(*answer));
      const auto rest = document.root().Find("UnprocessedItems");
      if (!rest || rest->type() != json::Type::kObject || rest->size() == 0) {
        return {};
      }
      requests.clear();
      json::AppendCopy(*rest, requests);
      usleep(kTablePollMicroseconds);
    }
    return Error{ErrorCode::kUnavailable, "the endpoint leaves items unprocessed for a minute"};
  }

 private:
  static constexpr std::size_t kBatchBytesMax = 4 * 1024 * 1024;

  Status Take(transfer::ItemOrKey line, const std::string& key, std::size_t bytes) {
    if (seen_.contains(key) || items_.size() == kBatchWriteItemsMax ||
        bytes_ + bytes > kBatchBytesMax) {
      PJ_RETURN_IF_ERROR(Finish());
    }
    seen_.insert(key);
    bytes_ += bytes;
    items_.push_back(std::move(line));
    return {};
  }

  client::Endpoint& endpoint_;
  const std::string table_name_;
  const std::vector<std::string> key_names_;
  std::vector<transfer::ItemOrKey> items_;
  std::set<std::string> seen_;
  std::size_t bytes_ = 0;
};

class EndpointTable : public TableAccess {
 public:
  EndpointTable(client::Endpoint endpoint, std::string table_name)
      : endpoint_(std::move(endpoint)), table_name_(std::move(table_name)) {}

  Result<std::string> Call(const std::string& operation, const std::string& body) override {
    return endpoint_.Call(operation, body);
  }

  Status EachItem(FunctionRef<Status(ItemView item)> visit) override {
    return EachItemOf({}, visit);
  }

  Status EachItemOf(Segment segment, FunctionRef<Status(ItemView item)> visit) override {
    std::string start_key;
    do {
      std::string body = client::TableNameJson(table_name_);
      if (segment.count > 1) {
        body.insert(body.size() - 1, ",\"Segment\":" + std::to_string(segment.number) +
                                         ",\"TotalSegments\":" + std::to_string(segment.count));
      }
      if (!start_key.empty()) {
        body.insert(body.size() - 1, ",\"ExclusiveStartKey\":" + start_key);
        start_key.clear();
      }
      PJ_ASSIGN_OR_RETURN(const std::string answer, Call("Scan", body));
      PJ_RETURN_IF_ERROR(VisitPage(answer, visit, start_key));
    } while (!start_key.empty());
    return {};
  }

  Result<std::unique_ptr<transfer::ItemSink>> MakeSink() override {
    PJ_ASSIGN_OR_RETURN(const std::string described,
                        Call("DescribeTable", client::TableNameJson(table_name_)));
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(described));
    const auto table = document.root().Find("Table");
    const auto schema = table ? table->Find("KeySchema") : std::nullopt;
    std::vector<std::string> keys;
    if (schema && schema->type() == json::Type::kArray) {
      for (const json::Value element : schema->elements()) {
        if (const auto name = element.Find("AttributeName"); name) {
          keys.emplace_back(name->string());
        }
      }
    }
    return std::unique_ptr<transfer::ItemSink>(
        std::make_unique<EndpointSink>(endpoint_, table_name_, std::move(keys)));
  }

 private:
  static Status VisitPage(const std::string& answer, FunctionRef<Status(ItemView item)> visit,
                          std::string& start_key) {
    PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(answer));
    const auto items = document.root().Find("Items");
    if (!items || items->type() != json::Type::kArray) {
      return ValidationError("the endpoint's answer to Scan has no Items");
    }
    for (const json::Value element : items->elements()) {
      PJ_ASSIGN_OR_RETURN(const Item item, json::ReadItem(element));
      const std::string body = EncodeItem(item);
      PJ_RETURN_IF_ERROR(visit(ItemView(body)));
    }
    if (const auto last = document.root().Find("LastEvaluatedKey"); last) {
      json::AppendCopy(*last, start_key);
    }
    return {};
  }

  client::Endpoint endpoint_;
  const std::string table_name_;
};

}  // namespace

void AddWhere(CLI::App& verb, TableAddress& address) {
  auto* data = verb.add_option("--data", address.data, "Data directory that no server has open");
  verb.add_option("--endpoint", address.endpoint, "http://host:port or https://host")
      ->capture_default_str()
      ->excludes(data);
  verb.add_option("--region", address.region, client::kRegionHelp);
}

Result<std::unique_ptr<TableAccess>> OpenTable(const TableAddress& address) {
  if (!address.data.empty()) {
    KeepFilesPrivate();
    PJ_ASSIGN_OR_RETURN(auto database, Database::Open({.path = address.data}));
    return std::unique_ptr<TableAccess>(
        std::make_unique<LocalTable>(std::move(database), address.table_name));
  }
  PJ_ASSIGN_OR_RETURN(auto endpoint, client::Endpoint::Open(address.endpoint, address.region));
  return std::unique_ptr<TableAccess>(
      std::make_unique<EndpointTable>(std::move(endpoint), address.table_name));
}

Result<std::optional<std::string>> DescribeForCreation(TableAccess& access,
                                                       const std::string& table_name) {
  const auto described = access.Call("DescribeTable", client::TableNameJson(table_name));
  if (!described) {
    if (described.error().code == ErrorCode::kResourceNotFound) {
      return std::optional<std::string>();
    }
    return described.error();
  }
  PJ_ASSIGN_OR_RETURN(std::string request, wire::RecreateTableJson(*described));
  return std::optional(std::move(request));
}

Result<std::vector<AttributeDefinition>> KeyTypes(TableAccess& access,
                                                  const std::string& table_name) {
  PJ_ASSIGN_OR_RETURN(const std::string described,
                      access.Call("DescribeTable", client::TableNameJson(table_name)));
  PJ_ASSIGN_OR_RETURN(const json::Document document, json::Document::Parse(described));
  const auto table = document.root().Find("Table");
  const auto found = table ? table->Find("AttributeDefinitions") : std::nullopt;
  if (!found) {
    return ValidationError("the endpoint does not describe the table " + table_name);
  }
  wire::InputReader reader;
  std::vector<AttributeDefinition> definitions;
  PJ_RETURN_IF_ERROR(wire::ReadAttributeDefinitions(
      reader, *found, wire::Path(nullptr, "AttributeDefinitions"), definitions));
  PJ_RETURN_IF_ERROR(reader.Finish());
  return definitions;
}

Status CreateTable(TableAccess& access, const std::string& table_name, const std::string& request) {
  PJ_ASSIGN_OR_RETURN(const std::string renamed, wire::RenameTableJson(request, table_name));
  PJ_RETURN_IF_ERROR(access.Call("CreateTable", renamed));
  for (int i = 0; i < kTablePollsMax; ++i) {
    const auto described = access.Call("DescribeTable", client::TableNameJson(table_name));
    if (described && client::TableStatusIn(*described) == "ACTIVE") {
      return {};
    }
    usleep(kTablePollMicroseconds);
  }
  return Error{ErrorCode::kUnavailable, "the table " + table_name + " does not become ACTIVE"};
}

}  // namespace prejoin::cli
