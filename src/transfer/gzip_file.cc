#include "transfer/gzip_file.h"

#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "transfer/file.h"

namespace prejoin::transfer {
namespace {

Error FileError(const std::string& path) {
  return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
}

Status Sync(std::FILE* file, const std::string& path) {
  if (std::fflush(file) != 0 || fsync(fileno(file)) != 0) {
    return FileError(path);
  }
  return {};
}

}  // namespace

struct GzipFile::Stream {
  File file;
  std::string path;
  z_stream zlib = {};
  bool open = false;
  std::array<char, 64 * 1024> out;

  ~Stream() {
    if (open) {
      deflateEnd(&zlib);
    }
  }
};

GzipFile::GzipFile(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
GzipFile::~GzipFile() = default;

Result<std::unique_ptr<GzipFile>> GzipFile::Create(const std::string& path) {
  auto stream = std::make_unique<Stream>();
  stream->path = path;
  stream->file.reset(std::fopen(path.c_str(), "wbe"));
  if (stream->file == nullptr) {
    return FileError(path);
  }
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kMemoryLevel = 8;
  stream->open = deflateInit2(&stream->zlib, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemoryLevel,
                              Z_DEFAULT_STRATEGY) == Z_OK;
  if (!stream->open) {
    return Error{ErrorCode::kInternal, "zlib ran out of memory"};
  }
  return std::unique_ptr<GzipFile>(new GzipFile(std::move(stream)));
}

Status GzipFile::Deflate(std::string_view bytes, int flush) {
  z_stream& zlib = stream_->zlib;
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  do {
    zlib.next_out = reinterpret_cast<Bytef*>(stream_->out.data());
    zlib.avail_out = static_cast<uInt>(stream_->out.size());
    code = deflate(&zlib, flush);
    const std::string_view compressed(stream_->out.data(), stream_->out.size() - zlib.avail_out);
    md5_.Add(compressed);
    if (std::fwrite(compressed.data(), 1, compressed.size(), stream_->file.get()) !=
        compressed.size()) {
      return FileError(stream_->path);
    }
  } while (zlib.avail_out == 0 || (flush == Z_FINISH && code == Z_OK));
  return {};
}

Status GzipFile::Write(std::string_view bytes) { return Deflate(bytes, Z_NO_FLUSH); }

Result<Md5::Digest> GzipFile::Finish() {
  PJ_RETURN_IF_ERROR(Deflate("", Z_FINISH));
  PJ_RETURN_IF_ERROR(Sync(stream_->file.get(), stream_->path));
  return md5_.Finish();
}

Result<Md5::Digest> WriteFile(const std::string& path, std::string_view bytes) {
  const File file(std::fopen(path.c_str(), "wbe"));
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return FileError(path);
  }
  PJ_RETURN_IF_ERROR(Sync(file.get(), path));
  Md5 md5;
  md5.Add(bytes);
  return md5.Finish();
}

}  // namespace prejoin::transfer
