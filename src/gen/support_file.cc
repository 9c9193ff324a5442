#include "gen/support_file.h"

#include <zlib.h>

#include <algorithm>
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

}  // namespace

std::string_view SupportFile(std::string_view path) {
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
