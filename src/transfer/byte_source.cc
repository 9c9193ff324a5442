#include "transfer/byte_source.h"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "transfer/file.h"

namespace prejoin::transfer {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;

class PlainSource : public ByteSource {
 public:
  PlainSource(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Result<std::size_t> Read(char* to, std::size_t size) override {
    const std::size_t read = std::fread(to, 1, size, file_.get());
    if (read < size && std::ferror(file_.get()) != 0) {
      return Error{ErrorCode::kIo, path_ + ": " + std::strerror(errno)};
    }
    file_bytes_read_ += read;
    return read;
  }
  std::uint64_t file_bytes_read() const override { return file_bytes_read_; }
  const std::string& path() const { return path_; }

 private:
  File file_;
  std::string path_;
  std::uint64_t file_bytes_read_ = 0;
};

// The base of both decompressors: a chunk of the file, taken bit by bit.
class CompressedInput {
 public:
  explicit CompressedInput(PlainSource source) : source_(std::move(source)) {}

  // False at the end of the file.
  Result<std::size_t> Fill() {
    PJ_ASSIGN_OR_RETURN(size_, source_.Read(chunk_.data(), chunk_.size()));
    return size_;
  }
  char* data() { return chunk_.data(); }
  std::uint64_t file_bytes_read() const { return source_.file_bytes_read(); }
  Error Broken(const char* what) const { return ValidationError(source_.path() + ": " + what); }

 private:
  PlainSource source_;
  std::array<char, kChunkBytes> chunk_;
  std::size_t size_ = 0;
};

// Several gzip members after each other count as one, as gunzip has it.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(PlainSource source) : input_(std::move(source)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    usable_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (usable_) {
      inflateEnd(&stream_);
    }
  }

  Result<std::size_t> Read(char* to, std::size_t size) override {
    if (!usable_) {
      return Error{ErrorCode::kInternal, "zlib ran out of memory"};
    }
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        PJ_ASSIGN_OR_RETURN(const std::size_t filled, input_.Fill());
        if (filled == 0) {
          return inside_member_ ? Result<std::size_t>(input_.Broken("the gzip data is cut off"))
                                : Result<std::size_t>(std::size_t{0});
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(filled);
      }
      inside_member_ = true;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        inside_member_ = false;
        inflateReset(&stream_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return input_.Broken("not gzip data");
      }
    }
    return size - stream_.avail_out;
  }
  std::uint64_t file_bytes_read() const override { return input_.file_bytes_read(); }

 private:
  CompressedInput input_;
  z_stream stream_ = {};
  bool usable_ = false;
  bool inside_member_ = false;
};

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(PlainSource source)
      : input_(std::move(source)), stream_(ZSTD_createDStream()) {}
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  Result<std::size_t> Read(char* to, std::size_t size) override {
    if (stream_ == nullptr) {
      return Error{ErrorCode::kInternal, "zstd got no memory"};
    }
    ZSTD_outBuffer out = {to, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        PJ_ASSIGN_OR_RETURN(const std::size_t filled, input_.Fill());
        if (filled == 0) {
          return inside_frame_ ? Result<std::size_t>(input_.Broken("the zstd data is cut off"))
                               : Result<std::size_t>(std::size_t{0});
        }
        in_ = {input_.data(), filled, 0};
      }
      const std::size_t left = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(left) != 0) {
        return input_.Broken("not zstd data");
      }
      inside_frame_ = left != 0;
    }
    return out.pos;
  }
  std::uint64_t file_bytes_read() const override { return input_.file_bytes_read(); }

 private:
  CompressedInput input_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_ = {nullptr, 0, 0};
  bool inside_frame_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenByteSource(const std::string& path,
                                                   Compression compression) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
  }
  PlainSource plain(std::move(file), path);
  switch (compression) {
    case Compression::kNone:
      return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(plain)));
    case Compression::kGzip:
      return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(plain)));
    case Compression::kZstd:
      break;
  }
  return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(plain)));
}

}  // namespace prejoin::transfer
