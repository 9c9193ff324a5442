// A table to export from or import to: in a data directory, or behind an endpoint.
#ifndef PREJOIN_CLI_TABLE_ACCESS_H_
#define PREJOIN_CLI_TABLE_ACCESS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/result.h"
#include "prejoin/table.h"
#include "transfer/import_job.h"
#include "value/encoding.h"

namespace CLI {
class App;
}

namespace prejoin::cli {

// Single thread.
class TableAccess {
 public:
  virtual ~TableAccess() = default;

  // The answer of an operation of the DynamoDB API.
  virtual Result<std::string> Call(const std::string& operation, const std::string& body) = 0;
  // Every item once; the first error of `visit` ends it.
  virtual Status EachItem(FunctionRef<Status(ItemView item)> visit) = 0;
  // The items of one of `count` parts, which divide the table by the hash of the partition key.
  struct Segment {
    int number = 0;
    int count = 1;
  };
  virtual Status EachItemOf(Segment segment, FunctionRef<Status(ItemView item)> visit) = 0;
  // The table exists. The sink lives as long as this object.
  virtual Result<std::unique_ptr<transfer::ItemSink>> MakeSink() = 0;
};

struct TableAddress {
  std::string table_name;
  std::string data;      // A directory; or else:
  std::string endpoint;  // http://127.0.0.1:8000
  std::string region;
};
// The options that say where the table is; its name is the verb's own matter.
void AddWhere(CLI::App& verb, TableAddress& address);
Result<std::unique_ptr<TableAccess>> OpenTable(const TableAddress& address);

// The CreateTable request that would make the table again; nullopt if there is no such table.
Result<std::optional<std::string>> DescribeForCreation(TableAccess& access,
                                                       const std::string& table_name);
// The attribute definitions of a table that exists.
Result<std::vector<AttributeDefinition>> KeyTypes(TableAccess& access,
                                                  const std::string& table_name);
// Waits until the table can be used.
Status CreateTable(TableAccess& access, const std::string& table_name, const std::string& request);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_TABLE_ACCESS_H_
