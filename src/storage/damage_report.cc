#include "storage/damage_report.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace prejoin::storage {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string FileNamedIn(std::string_view text) {
  // RocksDB also looks for a missing table file under the name that it had in old versions.
  for (const std::string_view extension : {".sst", ".ldb"}) {
    const std::size_t end = text.find(extension);
    if (end == std::string_view::npos) {
      continue;
    }
    std::size_t begin = end;
    while (begin > 0 && IsDigit(text[begin - 1])) {
      --begin;
    }
    return std::string(text.substr(begin, end - begin)) + ".sst";
  }
  constexpr std::string_view kManifest = "MANIFEST-";
  if (const std::size_t begin = text.find(kManifest); begin != std::string_view::npos) {
    std::size_t end = begin + kManifest.size();
    while (end < text.size() && IsDigit(text[end])) {
      ++end;
    }
    return std::string(text.substr(begin, end - begin));
  }
  return {};
}

void DamageReport::Note(rocksdb::DB& db, const rocksdb::Status& status) {
  ++read_count_;
  const std::string text = status.ToString();
  const std::string file = FileNamedIn(text);
  {
    const MutexLock lock(mutex_);
    if (!files_.insert(file).second) {
      return;
    }
  }
  if (!report_) {
    return;
  }
  StoreFault fault{.kind = StoreFault::Kind::kDamaged,
                   .message = (file.empty() ? "stored data" : "the file " + file) +
                              " is damaged (" + text +
                              "). Requests that need it fail; everything else is served.",
                   .first_key = {},
                   .last_key = {}};
  std::vector<rocksdb::LiveFileMetaData> live;
  db.GetLiveFilesMetaData(&live);
  const auto found = std::ranges::find_if(
      live, [&](const auto& candidate) { return candidate.name.ends_with("/" + file); });
  if (!file.empty() && found != live.end()) {
    fault.first_key = found->smallestkey;
    fault.last_key = found->largestkey;
  }
  report_(fault);
}

std::uint64_t DamageReport::file_count() const {
  const MutexLock lock(mutex_);
  return files_.size();
}

}  // namespace prejoin::storage
