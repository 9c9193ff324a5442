// Bytes of a file, decompressed on the way.
#ifndef PREJOIN_TRANSFER_BYTE_SOURCE_H_
#define PREJOIN_TRANSFER_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "prejoin/result.h"

namespace prejoin::transfer {

enum class Compression { kNone, kGzip, kZstd };

// Single thread.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // At most `size` bytes; 0 at the end. kValidation if the bytes are not what the compression says,
  // kIo if the file cannot be read.
  virtual Result<std::size_t> Read(char* to, std::size_t size) = 0;
  // The position in the file, for progress.
  virtual std::uint64_t file_bytes_read() const = 0;
};

Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path,
                                                   Compression compression);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_BYTE_SOURCE_H_
