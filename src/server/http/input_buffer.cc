#include "server/http/input_buffer.h"

#include <algorithm>
#include <cstring>

namespace prejoin::server {
namespace {

constexpr std::size_t kCapacityMin = 4096;

}  // namespace

bool InputBuffer::Append(std::string_view bytes) {
  if (size_ + bytes.size() >= capacity_ && !Grow(size_ + bytes.size() + 1)) {
    return false;
  }
  std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  return true;
}

bool InputBuffer::MakeRoom(std::size_t total) {
  if (size_ < capacity_) {
    return true;
  }
  // Doubling, so that a client which announces 16 MB and sends nothing costs nothing.
  return Grow(std::max(size_ + kCapacityMin, std::min(total, 2 * capacity_)));
}

void InputBuffer::Consume(std::size_t bytes) {
  if (bytes >= size_) {
    Release();
    return;
  }
  std::memmove(bytes_.get(), bytes_.get() + bytes, size_ - bytes);
  size_ -= bytes;
}

void InputBuffer::Release() {
  budget_.Give(capacity_);
  bytes_.reset();
  size_ = 0;
  capacity_ = 0;
}

bool InputBuffer::Grow(std::size_t capacity) {
  capacity = std::max(capacity, kCapacityMin);
  // The smallest buffer is always there: ordinary requests must get through when others have used
  // up the budget, and there are no more of these than connections.
  const std::size_t more = capacity - capacity_;
  if (capacity == kCapacityMin) {
    budget_.Take(more);
  } else if (!budget_.TryTake(more)) {
    return false;
  }
  auto* bytes = static_cast<char*>(std::realloc(bytes_.get(), capacity));
  if (bytes == nullptr) {
    budget_.Give(more);
    return false;
  }
  (void)bytes_.release();
  bytes_.reset(bytes);
  capacity_ = capacity;
  return true;
}

}  // namespace prejoin::server
