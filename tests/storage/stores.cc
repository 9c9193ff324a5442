#include "tests/storage/stores.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace prejoin::storage {

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::string NameOf(const testing::TestParamInfo<Kind>& instance) { return instance.param.name; }

constexpr char kInherited[] = "PREJOIN_TEST_DIRECTORY";

TempDirectory::TempDirectory() {
  if (const char* inherited = getenv(kInherited)) {
    path_ = inherited;
    return;
  }
  path_ = (std::filesystem::temp_directory_path() / "prejoin-storage-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) {
    ADD_FAILURE() << "cannot create " << path_;
  }
  setenv(kInherited, path_.c_str(), 1);
  is_ours_ = true;
}

TempDirectory::~TempDirectory() {
  if (is_ours_) {
    unsetenv(kInherited);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

StoreUnderTest::StoreUnderTest(Kind kind) : kind_(kind) { Open(); }

void StoreUnderTest::Reopen() {
  if (kind_.keeps == Keeps::kData) {
    Open();
  }
}

void StoreUnderTest::Open() {
  store_.reset();
  auto opened = kind_.open(directory_.path());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  store_ = *std::move(opened);
}

std::string SpacePrefix(std::uint32_t space) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(space >> shift & 0xFF));
  }
  return bytes;
}

std::string MakeKey(std::uint32_t space, std::uint32_t hash, std::string_view rest) {
  return SpacePrefix(space) + SpacePrefix(hash) + std::string(rest);
}

Ticket Put(Store& store, const std::string& key, std::string_view value) {
  const auto ticket = store.Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
    transaction.Put(key, value);
    return {};
  });
  EXPECT_TRUE(ticket.has_value()) << ticket.error().message;
  return ticket.value_or(0);
}

Ticket Delete(Store& store, const std::string& key) {
  const auto ticket = store.Transact(std::span(&key, 1), [&](Transaction& transaction) -> Status {
    transaction.Delete(key);
    return {};
  });
  EXPECT_TRUE(ticket.has_value()) << ticket.error().message;
  return ticket.value_or(0);
}

std::optional<std::string> Get(Store& store, std::string_view key) {
  auto value = store.Get(key);
  EXPECT_TRUE(value.has_value()) << value.error().message;
  return value.value_or(std::nullopt);
}

Pairs ReadRange(Store& store, const Range& range) {
  Pairs pairs;
  const Status status = store.Visit(range, [&](std::string_view key, std::string_view value) {
    pairs.emplace_back(key, value);
    return Visit::kContinue;
  });
  EXPECT_TRUE(status.has_value()) << status.error().message;
  return pairs;
}

std::vector<std::string> KeysIn(Store& store, const Range& range) {
  std::vector<std::string> keys;
  for (auto& [key, value] : ReadRange(store, range)) {
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace prejoin::storage
