// Any bytes as the logs and the manifest of a data directory: the look through them before a start
// finds a break or none. Where it cuts off what nobody was told of, and after what `prejoin repair`
// does, none is left.
//
// A log is under checksums that a fuzzer does not hit. A checksum of zeros therefore stands for the
// right one. The first two bytes say how the rest is divided into files.
//
// Built with libFuzzer by the preset `fuzz`.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "storage/crc32c.h"
#include "storage/log_check.h"
#include "storage/store_folder.h"
#include "tests/fuzz/sample_mutator.h"

namespace prejoin::storage {
namespace {

constexpr std::size_t kHeaderBytes = 7;

class FolderInMemory : public StoreFolder {
 public:
  FolderInMemory() : StoreFolder("memory") {}

  Status Create() override { return {}; }
  Result<std::vector<Entry>> List() override {
    std::vector<Entry> entries;
    for (const auto& [name, content] : files) {
      entries.push_back({name, content.size()});
    }
    return entries;
  }
  bool Has(const std::string& name) override { return files.contains(name); }
  Result<std::string> Read(const std::string& name, std::size_t bytes_max) override {
    const auto found = files.find(name);
    if (found == files.end()) {
      return Error{ErrorCode::kIo, "no such file"};
    }
    return found->second.substr(0, bytes_max);
  }
  Status Replace(const std::string& name, std::string_view content) override {
    files[name] = content;
    return {};
  }
  Status Cut(const std::string& name, std::optional<std::uint64_t> bytes) override {
    PJ_CHECK(files.contains(name));
    if (bytes) {
      PJ_CHECK(*bytes <= files[name].size());
      files[name].resize(*bytes);
    }
    return {};
  }

  std::map<std::string, std::string> files;
};

std::uint32_t ChecksumOf(std::string_view type_and_payload) {
  const std::uint32_t crc = Crc32c(type_and_payload);
  return (crc >> 15 | crc << 17) + 0xA282'EAD8;
}

// Fills in checksums of zeros, from piece to piece as far as their lengths lead.
std::string WithChecksums(std::string_view given) {
  std::string file(given);
  for (std::size_t at = 0; at + kHeaderBytes <= file.size();) {
    const std::size_t size = static_cast<unsigned char>(file[at + 4]) |
                             static_cast<std::size_t>(static_cast<unsigned char>(file[at + 5]))
                                 << 8;
    const std::size_t end = at + kHeaderBytes + size;
    if (end > file.size()) {
      break;
    }
    if (file.compare(at, 4, std::string_view("\0\0\0\0", 4)) == 0) {
      const std::uint32_t checksum =
          ChecksumOf(std::string_view(file).substr(at + 6, end - at - 6));
      std::memcpy(file.data() + at, &checksum, sizeof(checksum));
    }
    at = end;
  }
  return file;
}

void ReadAll(FolderInMemory& folder) {
  const auto found = FindLogBreak(folder);
  PJ_CHECK(found.has_value());
  const Status prepared = PrepareLogs(folder);
  PJ_CHECK(prepared.has_value() == (!*found || !(*found)->acknowledged));
  if (!prepared) {
    PJ_CHECK(prepared.error().code == ErrorCode::kCorruption);
    // As RepairLogs does on a disk.
    for (const std::string& name : (*found)->later_files) {
      folder.files.erase(name);
    }
    PJ_CHECK(folder.Cut((*found)->file, (*found)->offset).has_value());
  }
  const auto left = FindLogBreak(folder);
  PJ_CHECK(left.has_value() && !*left);
}

// A record of one piece: a batch that begins with this change.
std::string Batch(std::uint64_t first, std::uint32_t count) {
  std::string payload(reinterpret_cast<const char*>(&first), sizeof(first));
  payload.append(reinterpret_cast<const char*>(&count), sizeof(count));
  payload += "changes";
  std::string piece(4, '\0');
  piece.push_back(static_cast<char>(payload.size()));
  piece.push_back('\0');
  piece.push_back('\1');
  return piece + payload;
}

std::vector<std::string> MakeSamples() {
  const std::string log = Batch(1, 2) + Batch(3, 1);
  const std::string later = Batch(4, 1) + Batch(5, 3);
  const std::string edit("\0\0\0\0\4\0\1\2\3\4\2", 11);  // First log 3, last change 2.
  const auto sample = [](const std::string& a, const std::string& b, const std::string& c) {
    return std::string{static_cast<char>(a.size()), static_cast<char>(b.size())} + a + b + c;
  };
  return {sample(log, later, edit), sample(log, "", ""), sample(log, Batch(9, 1), edit)};
}

}  // namespace
}  // namespace prejoin::storage

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  static const std::vector<std::string> samples = prejoin::storage::MakeSamples();
  return prejoin::fuzz::MutateWithSamples(samples, data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin::storage;
  if (size < 2) {
    return 0;
  }
  std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  FolderInMemory folder;
  for (int log = 0; log < 2; ++log) {
    const std::string_view bytes = rest.substr(0, std::min<std::size_t>(data[log], rest.size()));
    rest.remove_prefix(bytes.size());
    folder.files["00000" + std::to_string(log + 3) + ".log"] = WithChecksums(bytes);
  }
  folder.files["CURRENT"] = "MANIFEST-000001\n";
  folder.files["MANIFEST-000001"] = WithChecksums(rest);
  ReadAll(folder);
  return 0;
}
