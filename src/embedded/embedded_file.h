// Files that are part of the program. The build generates their bytes (cmake/Studio.cmake).
#ifndef PREJOIN_EMBEDDED_EMBEDDED_FILE_H_
#define PREJOIN_EMBEDDED_EMBEDDED_FILE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace prejoin::embedded {

struct EmbeddedFile {
  std::string_view path;  // Relative, with slashes: "assets/index-4f2a.js".
  std::string_view etag;  // The hash of the content, without quotes.
  std::string_view gzip;  // The compressed content.
  std::size_t bytes;      // The size of the content itself.
};

// The page, sorted by path; empty in a build without it.
std::span<const EmbeddedFile> PageFiles();
// examples/models/*.prejoin, sorted by path.
std::span<const EmbeddedFile> ExampleFiles();
// docs/model/grammar.md.
std::span<const EmbeddedFile> GuideFiles();

// Null if there is none.
const EmbeddedFile* FindFile(std::span<const EmbeddedFile> files, std::string_view path);

std::string Decompress(const EmbeddedFile& file);

}  // namespace prejoin::embedded

#endif  // PREJOIN_EMBEDDED_EMBEDDED_FILE_H_
