// Secrets at rest, and session tokens in the hands of others: AES-256-GCM under the key of a file.
#ifndef PREJOIN_ACCESS_SEAL_H_
#define PREJOIN_ACCESS_SEAL_H_

#include <array>
#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::access {

inline constexpr std::size_t kSealKeyBytes = 32;

std::string RandomBytes(std::size_t count);
// Draws from the alphabet of access keys: capital letters and the digits 2 to 7.
std::string RandomLetters(std::size_t count);

// Thread-compatible.
class Seal {
 public:
  explicit Seal(std::string key);
  // For servers that store nothing: a random key that nobody else knows.
  static Seal Random() { return Seal(RandomBytes(kSealKeyBytes)); }
  // The file holds the key as 64 hexadecimal digits, for nobody but its owner. kIo or kValidation with the reason.
  static Result<Seal> FromFile(const std::string& path);
  // Makes the file, for its owner's eyes only; an error if there is one already.
  static Result<Seal> CreateFile(const std::string& path);

  // `purpose` is bound to the text: what was sealed for one is not opened for another.
  std::string Close(std::string_view text, std::string_view purpose) const;
  // kValidation for anything that Close did not make.
  Result<std::string> Open(std::string_view sealed, std::string_view purpose) const;

 private:
  std::string key_;
};

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_SEAL_H_
