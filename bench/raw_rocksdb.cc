// RocksDB itself with the bytes, keys and syncs that Prejoin would use: the yardstick for the
// embedded calls and for the served PutItem.  bench_raw_rocksdb DIRECTORY SECONDS
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>

#include "bench/measure.h"
#include "bench/student.h"
#include "value/encoding.h"

namespace prejoin::bench {
namespace {

// As long as a stored key of ours: space, hash, partition key and sort key.
std::string Key(int number) {
  return "SPACHASH" + StudentKey(number) + std::string("\0\0PROFILE", 9);
}

std::unique_ptr<rocksdb::DB> OpenRocksDb(const std::string& directory) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(256u << 20);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, directory, &db);
  if (!status.ok()) {
    Fail(status.ToString());
  }
  return std::unique_ptr<rocksdb::DB>(db);
}

void Run(const std::string& directory, double seconds) {
  const auto db = OpenRocksDb(directory);
  std::string body;
  EncodeItem(Student(0), body);
  for (int number = 0; number < kStudents; ++number) {
    const rocksdb::Status status = db->Put({}, Key(number), body);
    if (!status.ok()) {
      Fail(status.ToString());
    }
  }

  const auto get = Measure({.threads = 1, .seconds = seconds}, [&](int number) {
    std::string value;
    return db->Get({}, Key(number), &value).ok() && value.size() == body.size();
  });
  Print({.operation = "embedded get", .name = "raw RocksDB", .kind = "disk"}, get);

  rocksdb::WriteOptions synced;
  synced.sync = true;
  const auto put = Measure({.threads = kWriters, .seconds = seconds},
                           [&](int number) { return db->Put(synced, Key(number), body).ok(); });
  Print({.operation = "embedded put, 32 writers", .name = "raw RocksDB", .kind = "disk"}, put);
}

}  // namespace
}  // namespace prejoin::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    prejoin::bench::Fail("usage: bench_raw_rocksdb DIRECTORY SECONDS");
  }
  prejoin::bench::Run(argv[1], std::stod(argv[2]));
  return 0;
}
