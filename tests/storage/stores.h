// The stores under the contract tests, and small words for talking to them.
#ifndef PREJOIN_TESTS_STORAGE_STORES_H_
#define PREJOIN_TESTS_STORAGE_STORES_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace prejoin::storage {

// An empty directory, removed with the object. A process started by the test finds the directory of
// its parent instead. One at a time.
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_ours_ = false;
};

enum class Keeps { kData, kNothing };

// A kind of store. One that keeps data finds what was under the same path before.
struct Kind {
  const char* name;
  Result<std::unique_ptr<Store>> (*open)(const std::string& path);
  Keeps keeps = Keeps::kData;
};
void PrintTo(const Kind& kind, std::ostream* out);
// Those that this program tests: storage_test has the local ones, cluster_test those on shared objects.
std::vector<Kind> KindsUnderTest();
std::string NameOf(const testing::TestParamInfo<Kind>& instance);

// A store of one kind; the disk ones have a directory of their own.
class StoreUnderTest {
 public:
  explicit StoreUnderTest(Kind kind);
  Store& operator*() { return *store_; }
  Store* operator->() { return store_.get(); }
  // Closes and opens again; does nothing to a store that keeps nothing.
  void Reopen();

 private:
  void Open();

  Kind kind_;
  TempDirectory directory_;
  std::unique_ptr<Store> store_;
};

// space, hash, rest: the shape that all keys have.
std::string MakeKey(std::uint32_t space, std::uint32_t hash, std::string_view rest);
std::string SpacePrefix(std::uint32_t space);

using Pairs = std::vector<std::pair<std::string, std::string>>;

Ticket Put(Store& store, const std::string& key, std::string_view value);
Ticket Delete(Store& store, const std::string& key);
std::optional<std::string> Get(Store& store, std::string_view key);
Pairs ReadRange(Store& store, const Range& range);
std::vector<std::string> KeysIn(Store& store, const Range& range);

}  // namespace prejoin::storage

#endif  // PREJOIN_TESTS_STORAGE_STORES_H_
