#include "embedded/embedded_file.h"

#include <algorithm>

#include "base/check.h"
#include "server/http/gzip.h"

namespace prejoin::embedded {

const EmbeddedFile* FindFile(std::span<const EmbeddedFile> files, std::string_view path) {
  const auto at = std::lower_bound(
      files.begin(), files.end(), path,
      [](const EmbeddedFile& file, std::string_view wanted) { return file.path < wanted; });
  return at != files.end() && at->path == path ? &*at : nullptr;
}

std::string Decompress(const EmbeddedFile& file) {
  std::string content;
  content.reserve(file.bytes);
  PJ_CHECK(server::Inflate(server::Coding::kGzip, file.gzip, file.bytes, content) ==
           server::InflateOutcome::kDone);
  return content;
}

}  // namespace prejoin::embedded
