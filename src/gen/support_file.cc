#include "gen/support_file.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/check.h"
#include "gen/support_texts.h"

namespace prejoin::gen {
namespace {

std::string UnpackedSupportTexts() {
  const SupportTexts texts = PackedSupportTexts();
  std::string unpacked(texts.bytes, '\0');
  auto bytes = static_cast<uLongf>(unpacked.size());
  PJ_CHECK(uncompress(reinterpret_cast<Bytef*>(unpacked.data()), &bytes,
                      reinterpret_cast<const Bytef*>(texts.packed.data()),
                      static_cast<uLong>(texts.packed.size())) == Z_OK);
  PJ_CHECK(bytes == texts.bytes);
  return unpacked;
}

// Empty: the embedded ones.
std::map<std::string, std::string, std::less<>>& FilesForTesting() {
  static std::map<std::string, std::string, std::less<>> files;
  return files;
}

}  // namespace

void ReadSupportFilesForTesting(const std::string& folder) {
  for (const SupportTexts::File& file : PackedSupportTexts().files) {
    std::ifstream in(folder + "/" + std::string(file.path), std::ios::binary);
    PJ_CHECK(in.good());
    std::ostringstream text;
    text << in.rdbuf();
    FilesForTesting().emplace(file.path, text.str());
  }
}

std::string_view SupportFile(std::string_view path) {
  if (!FilesForTesting().empty()) {
    const auto found = FilesForTesting().find(path);
    return found == FilesForTesting().end() ? std::string_view() : found->second;
  }

  static const std::string kTexts = UnpackedSupportTexts();
  const SupportTexts texts = PackedSupportTexts();
  const auto at = std::lower_bound(
      texts.files.begin(), texts.files.end(), path,
      [](const SupportTexts::File& file, std::string_view wanted) { return file.path < wanted; });
  if (at == texts.files.end() || at->path != path) {
    return {};
  }
  return std::string_view(kTexts).substr(at->begin, at->bytes);
}

}  // namespace prejoin::gen
