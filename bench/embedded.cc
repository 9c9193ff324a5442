// The library inside a program, without a server.
//   bench_embedded DIRECTORY SECONDS             the calls that bench/run puts beside raw RocksDB
//   bench_embedded fill DIRECTORY ITEMS          a database for bench/flat: ITEMS students, and as
//   many orders
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/student.h"
#include "prejoin/database.h"

namespace prejoin::bench {
namespace {

constexpr char kStudentsTable[] = "BenchStudents";
constexpr char kOrdersTable[] = "BenchOrders";
constexpr int kBatch = 25;

std::unique_ptr<Database> OpenDatabase(const std::string& directory, Sync sync) {
  auto database = Database::Open({.path = directory, .sync = sync});
  if (!database) {
    Fail(database.error().message);
  }
  return *std::move(database);
}

void CreateTable(Database& database, const std::string& name) {
  const auto created = database.CreateTable(
      {.table_name = name,
       .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
       .attribute_definitions = {{"pk", ScalarType::kString}, {"sk", ScalarType::kString}},
       .billing_mode = BillingMode::kPayPerRequest});
  if (!created) {
    Fail(created.error().message);
  }
}

// 20 for each customer, as bench/run makes them.
Item Order(int number) {
  char customer[24];
  char line[16];
  std::snprintf(customer, sizeof(customer), "CUSTOMER#%08d", number / 20);
  std::snprintf(line, sizeof(line), "ORDER#%04d", number % 20);
  return {{"pk", customer},       {"sk", line},
          {"date", "2025-03-01"}, {"amount", *Number::Parse("129.95")},
          {"status", "SHIPPED"},  {"lines", 3}};
}

void FillTable(Database& database, const std::string& name, int items, Item (*make)(int)) {
  CreateTable(database, name);
  for (int first = 0; first < items; first += kBatch) {
    BatchWriteItemInput input;
    std::vector<WriteRequest>& requests = input.request_items[name];
    for (int number = first; number < std::min(first + kBatch, items); ++number) {
      requests.push_back({.put = make(number), .remove = {}});
    }
    const auto written = database.BatchWriteItem(input);
    if (!written) {
      Fail(written.error().message);
    }
    if (first % 250'000 == 0) {
      std::cerr << name << ": " << first << " of " << items << " items\n";
    }
  }
}

bool GetStudent(Database& database, int number) {
  const auto got = database.GetItem(
      {.table_name = kStudentsTable, .key = {{"pk", StudentKey(number)}, {"sk", "PROFILE"}}});
  return got && got->item.has_value();
}

bool PutStudent(Database& database, int number) {
  return database.PutItem({.table_name = kStudentsTable, .item = Student(number)}).has_value();
}

void RunCalls(const std::string& directory, double seconds) {
  for (const std::string kind : {"disk", "memory"}) {
    const auto database = OpenDatabase(kind == "disk" ? directory : "", Sync::kAlways);
    FillTable(*database, kStudentsTable, kStudents, Student);
    const auto get = Measure({.threads = 1, .seconds = seconds},
                             [&](int number) { return GetStudent(*database, number); });
    const std::string name = kind == "disk" ? "Prejoin embedded" : "Prejoin embedded, memory";
    Print({.operation = "embedded get", .name = name, .kind = kind}, get);
    const auto put = Measure({.threads = kWriters, .seconds = seconds},
                             [&](int number) { return PutStudent(*database, number); });
    Print({.operation = "embedded put, 32 writers", .name = name, .kind = kind}, put);
  }
}

void Fill(const std::string& directory, int items) {
  const auto database = OpenDatabase(directory, Sync::kNone);
  FillTable(*database, kStudentsTable, items, Student);
  FillTable(*database, kOrdersTable, items, Order);
}

}  // namespace
}  // namespace prejoin::bench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "fill") {
    prejoin::bench::Fill(arguments[1], std::stoi(arguments[2]));
  } else if (arguments.size() == 2) {
    prejoin::bench::RunCalls(arguments[0], std::stod(arguments[1]));
  } else {
    prejoin::bench::Fail("usage: bench_embedded DIRECTORY SECONDS | fill DIRECTORY ITEMS");
  }
  return 0;
}
