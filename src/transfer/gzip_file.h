// A file that is compressed while it is written, with the checksum of the bytes on disk.
#ifndef PREJOIN_TRANSFER_GZIP_FILE_H_
#define PREJOIN_TRANSFER_GZIP_FILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "prejoin/result.h"
#include "transfer/md5.h"

namespace prejoin::transfer {

// Single thread.
class GzipFile {
 public:
  static Result<std::unique_ptr<GzipFile>> Create(const std::string& path);
  ~GzipFile();

  Status Write(std::string_view bytes);
  // The file is complete and on disk.
  Result<Md5::Digest> Finish();

 private:
  struct Stream;
  explicit GzipFile(std::unique_ptr<Stream> stream);
  Status Deflate(std::string_view bytes, int flush);

  std::unique_ptr<Stream> stream_;
  Md5 md5_;
};

// A small file at once: complete, on disk, under its final name.
Result<Md5::Digest> WriteFile(const std::string& path, std::string_view bytes);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_GZIP_FILE_H_
