#include "base/fingerprint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace prejoin {

std::string Fingerprint(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::string(reinterpret_cast<const char*>(canonical.digest), sizeof(canonical.digest));
}

}  // namespace prejoin
