// The files of generated packages as the build embeds them (cmake/Gen.cmake). Everything but support_file.cc uses support_file.h.
#ifndef PREJOIN_GEN_SUPPORT_TEXTS_H_
#define PREJOIN_GEN_SUPPORT_TEXTS_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace prejoin::gen {

struct SupportTexts {
  struct File {
    std::string_view path;
    std::size_t begin;  // Where its text begins in the unpacked bytes.
    std::size_t bytes;
  };

  std::string_view packed;      // All texts behind each other, in zlib's format.
  std::size_t bytes;            // Of the texts, unpacked.
  std::span<const File> files;  // Sorted by path.
};

SupportTexts PackedSupportTexts();

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_SUPPORT_TEXTS_H_
