// A request that outlives the buffers it came in.
#ifndef PREJOIN_SERVER_HTTP_OWNED_REQUEST_H_
#define PREJOIN_SERVER_HTTP_OWNED_REQUEST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "server/http/http.h"
#include "server/http/input_buffer.h"
#include "server/http/memory_budget.h"

namespace prejoin::server {

// Holds a share of the budget for its bytes. Single thread, but it may move to another.
class OwnedRequest {
 public:
  // Copies `request`, for which the caller has taken Bytes(request) from `budget`.
  OwnedRequest(const HttpRequest& request, MemoryBudget& budget);
  // Takes the memory in which `request` stands, so that a large body is not there twice.
  OwnedRequest(const HttpRequest& request, InputBuffer::Block block, MemoryBudget& budget);
  ~OwnedRequest() { budget_.Give(bytes_); }
  OwnedRequest(const OwnedRequest&) = delete;
  OwnedRequest& operator=(const OwnedRequest&) = delete;

  static std::size_t Bytes(const HttpRequest& request);
  const HttpRequest& request() const { return request_; }

 private:
  MemoryBudget& budget_;
  const std::size_t bytes_;
  // All views of the request point into one of these.
  std::string text_;
  InputBuffer::Block block_;
  std::vector<HeaderField> fields_;
  HttpRequest request_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_OWNED_REQUEST_H_
