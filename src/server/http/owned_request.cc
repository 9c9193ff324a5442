#include "server/http/owned_request.h"

#include <utility>

namespace prejoin::server {
namespace {

// Its body stands elsewhere than the bytes that were sent.
bool IsCompressed(const HttpRequest& request) {
  return request.sent_body.data() != request.body.data();
}

}  // namespace

std::size_t OwnedRequest::Bytes(const HttpRequest& request) {
  std::size_t bytes = request.target.size() + request.body.size();
  if (IsCompressed(request)) {
    bytes += request.sent_body.size();
  }
  for (const HeaderField& field : request.fields) {
    bytes += field.name.size() + field.value.size();
  }
  return bytes;
}

OwnedRequest::OwnedRequest(const HttpRequest& request, MemoryBudget& budget)
    : budget_(budget), bytes_(Bytes(request)) {
  text_.reserve(bytes_);  // Views into a string that grows would dangle.
  const auto keep = [this](std::string_view part) {
    const std::size_t at = text_.size();
    text_.append(part);
    return std::string_view(text_).substr(at);
  };
  fields_.reserve(request.fields.size());
  for (const HeaderField& field : request.fields) {
    const std::string_view name = keep(field.name);
    fields_.push_back({name, keep(field.value)});
  }
  request_.method = request.method;
  request_.target = keep(request.target);
  request_.body = keep(request.body);
  request_.sent_body = IsCompressed(request) ? keep(request.sent_body) : request_.body;
  request_.fields = fields_;
}

OwnedRequest::OwnedRequest(const HttpRequest& request, InputBuffer::Block block,
                           MemoryBudget& budget)
    : budget_(budget),
      bytes_(block.capacity),
      block_(std::move(block)),
      fields_(request.fields.begin(), request.fields.end()),
      request_(request) {
  request_.fields = fields_;
  request_.sent_body = request_.body;
}

}  // namespace prejoin::server
