#include "server/http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/function_ref.h"
#include "server/http/http.h"

namespace prejoin::server {
namespace {

constexpr int kWindowBits = 15;  // The largest window, in zlib's wrapping.
constexpr int kGzipWindowBits = kWindowBits + 16;
constexpr int kFastLevel = 1;

Bytef* Input(std::string_view bytes) {
  // zlib does not write to it.
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

int WindowBits(Coding coding) { return coding == Coding::kGzip ? kGzipWindowBits : kWindowBits; }

// Returns 0.5 for "q=0.5", the parameters of "gzip;q=0.5". The first parameter decides; AWS takes a coding with another one for
// unacceptable, and "q = 0" for a weight that is no number.
double WeightOf(std::string_view parameters) {
  const std::string_view first = Trim(parameters.substr(0, parameters.find(';')));
  const auto equals = first.find('=');
  if (Trim(first.substr(0, equals)) != "q") {
    return first.empty() ? 1 : 0;
  }
  if (!first.starts_with("q=")) {
    return 1;
  }
  const std::string_view text = Trim(first.substr(2));
  double weight = 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  const bool readable = error == std::errc() && end == text.data() + text.size();
  return readable ? std::clamp(weight, 0.0, 1.0) : 1;
}

}  // namespace

std::string_view NameOf(Coding coding) {
  switch (coding) {
    case Coding::kIdentity:
      return "identity";
    case Coding::kGzip:
      return "gzip";
    case Coding::kDeflate:
      return "deflate";
  }
  return {};
}

std::optional<Coding> CodingNamed(std::string_view name) {
  for (const Coding coding : {Coding::kIdentity, Coding::kGzip, Coding::kDeflate}) {
    if (EqualsIgnoreCase(name, NameOf(coding))) {
      return coding;
    }
  }
  return std::nullopt;
}

Coding ChooseCoding(std::string_view accept_encoding) {
  Coding best = Coding::kIdentity;
  double best_weight = 0;
  double any_weight = 0;
  std::array<bool, 3> named{};
  std::string_view rest = accept_encoding;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view element = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const auto semicolon = element.find(';');
    const std::string_view name = Trim(element.substr(0, semicolon));
    const double weight =
        semicolon == std::string_view::npos ? 1 : WeightOf(element.substr(semicolon + 1));
    const auto coding = CodingNamed(name);
    if (name == "*") {
      any_weight = std::max(any_weight, weight);
    } else if (coding && *coding != Coding::kIdentity) {
      named[static_cast<std::size_t>(*coding)] = true;
      if (weight > best_weight) {
        best = *coding;
        best_weight = weight;
      }
    }
  }
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    if (!named[static_cast<std::size_t>(coding)] && any_weight > best_weight) {
      return coding;
    }
  }
  return best;
}

bool PaidText::Append(std::string_view bytes) {
  if (text_.size() + bytes.size() > text_.capacity()) {
    const std::size_t capacity = std::max(text_.size() + bytes.size(), 2 * text_.capacity());
    // Both are there while one is copied into the other.
    if (!budget_.TryTake(capacity)) {
      return false;
    }
    text_.reserve(capacity);
    budget_.Give(std::exchange(paid_, capacity));
  }
  text_.append(bytes);
  return true;
}

namespace {

// Gives `append` what comes out, block by block; it says false if it cannot take one.
InflateOutcome InflateTo(Coding coding, std::string_view compressed, std::size_t bytes_max,
                         FunctionRef<bool(std::string_view)> append) {
  z_stream stream{};
  if (inflateInit2(&stream, WindowBits(coding)) != Z_OK) {
    return InflateOutcome::kBroken;
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  stream.next_in = Input(compressed);
  stream.avail_in = static_cast<uInt>(compressed.size());
  std::array<char, 32 * 1024> block;
  std::size_t bytes_left = bytes_max;
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) {
      return InflateOutcome::kBroken;
    }
    const std::size_t bytes = block.size() - stream.avail_out;
    if (bytes > bytes_left) {
      return InflateOutcome::kTooLarge;
    }
    bytes_left -= bytes;
    if (!append({block.data(), bytes})) {
      return InflateOutcome::kNoRoom;
    }
    if (result == Z_STREAM_END) {
      if (stream.avail_in == 0) {
        return InflateOutcome::kDone;
      }
      if (coding != Coding::kGzip) {
        return InflateOutcome::kBroken;
      }
      if (inflateReset(&stream) != Z_OK) {
        return InflateOutcome::kBroken;
      }
    }
  }
}

}  // namespace

InflateOutcome Inflate(Coding coding, std::string_view compressed, std::size_t bytes_max,
                       std::string& out) {
  return InflateTo(coding, compressed, bytes_max, [&](std::string_view block) {
    out.append(block);
    return true;
  });
}

InflateOutcome Inflate(Coding coding, std::string_view compressed, std::size_t bytes_max,
                       PaidText& out) {
  return InflateTo(coding, compressed, bytes_max,
                   [&](std::string_view block) { return out.Append(block); });
}

struct Deflater::Stream {
  z_stream z{};
  bool ready = false;
  ~Stream() {
    if (ready) {
      deflateEnd(&z);
    }
  }
};

Deflater::Deflater() = default;
Deflater::~Deflater() = default;
Deflater::Deflater(Deflater&&) noexcept = default;

std::optional<std::string> Deflater::Deflate(Coding coding, std::string_view bytes) {
  std::unique_ptr<Stream>& stream = coding == Coding::kGzip ? gzip_ : deflate_;
  if (!stream) {
    stream = std::make_unique<Stream>();
    stream->ready = deflateInit2(&stream->z, kFastLevel, Z_DEFLATED, WindowBits(coding), 8,
                                 Z_DEFAULT_STRATEGY) == Z_OK;
  }
  if (!stream->ready || deflateReset(&stream->z) != Z_OK) {
    return std::nullopt;
  }
  z_stream& z = stream->z;
  std::string out(deflateBound(&z, static_cast<uLong>(bytes.size())), '\0');
  z.next_in = Input(bytes);
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
    return std::nullopt;
  }
  out.resize(out.size() - z.avail_out);
  return out;
}

}  // namespace prejoin::server
