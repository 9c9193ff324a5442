// Bytes of a request that is not complete yet.
#ifndef PREJOIN_SERVER_HTTP_INPUT_BUFFER_H_
#define PREJOIN_SERVER_HTTP_INPUT_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "server/http/memory_budget.h"

namespace prejoin::server {

// Grows by doubling and pays for its capacity out of a budget; holds no memory while empty. The memory comes from realloc, which moves the
// pages of a large block and copies none of its bytes: a loop must not copy megabytes whenever a body has doubled. Single thread.
class InputBuffer {
 public:
  explicit InputBuffer(MemoryBudget& budget) : budget_(budget) {}
  ~InputBuffer() { Release(); }
  InputBuffer(const InputBuffer&) = delete;
  InputBuffer& operator=(const InputBuffer&) = delete;

  bool empty() const { return size_ == 0; }
  std::string_view data() const { return {bytes_.get(), size_}; }

  // False if the budget does not allow it. On success free_space() is not empty and `bytes` of data
  // follow the rest.
  [[nodiscard]] bool Append(std::string_view bytes);

  // Makes free_space() at least one byte, and hardly more than `total` bytes altogether need. False
  // if the budget does not allow it.
  [[nodiscard]] bool MakeRoom(std::size_t total);
  std::span<char> free_space() { return {bytes_.get() + size_, capacity_ - size_}; }
  // That many bytes of free_space() were written.
  void Filled(std::size_t bytes) { size_ += bytes; }

  // Gives its memory away, and with it the share of the budget; all views of data() stay good. The
  // buffer is empty then.
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  using Bytes = std::unique_ptr<char[], Free>;
  struct Block {
    Bytes bytes;
    std::size_t capacity = 0;
  };
  Block TakeAll() { return {std::move(bytes_), (size_ = 0, std::exchange(capacity_, 0))}; }

  // Drops bytes from the front; the memory too when nothing is left.
  void Consume(std::size_t bytes);
  void Release();

 private:
  bool Grow(std::size_t capacity);

  MemoryBudget& budget_;
  Bytes bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_INPUT_BUFFER_H_
