#include "rados/lock_end.h"

#include <cstddef>

namespace prejoin::rados {
namespace {

// Takes members from the front of a structure. Once something is missing, everything is empty or zero.
class Members {
 public:
  explicit Members(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t Integer(std::size_t size) {
    const std::string_view digits = Bytes(size);
    std::uint64_t number = 0;
    for (std::size_t i = digits.size(); i > 0; --i) {
      number = number << 8 | static_cast<unsigned char>(digits[i - 1]);
    }
    return number;
  }
  std::string_view String() { return Bytes(Integer(4)); }
  Members Structure() {
    Bytes(2);  // Versions: a later one only adds members at the end.
    return Members(Bytes(Integer(4)));
  }
  bool ok() const { return ok_; }

 private:
  std::string_view Bytes(std::size_t size) {
    if (size > bytes_.size()) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace

std::optional<std::int64_t> LockEndMs(std::string_view info, std::string_view cookie) {
  constexpr std::int64_t kMsPerSecond = 1000;
  constexpr std::int64_t kNsPerMs = 1'000'000;
  Members locks = Members(info).Structure();
  const std::uint64_t count = locks.Integer(4);
  for (std::uint64_t i = 0; i < count && locks.ok(); ++i) {
    Members locker = locks.Structure();
    Members lock = locks.Structure();
    locker.Integer(1);
    locker.Integer(8);
    const bool is_ours = locker.String() == cookie;
    const auto seconds = static_cast<std::int64_t>(lock.Integer(4));
    const auto nanoseconds = static_cast<std::int64_t>(lock.Integer(4));
    if (is_ours && locker.ok() && lock.ok()) {
      return seconds * kMsPerSecond + nanoseconds / kNsPerMs;
    }
  }
  return std::nullopt;
}

}  // namespace prejoin::rados
