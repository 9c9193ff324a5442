#include "server/http/request_parser.h"

#include <boost/beast/http/error.hpp>
#include <functional>

namespace prejoin::server {
namespace {

namespace http = boost::beast::http;

std::string_view ToStd(boost::beast::string_view view) { return {view.data(), view.size()}; }

Method ToMethod(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::kGet;
    case http::verb::head:
      return Method::kHead;
    case http::verb::post:
      return Method::kPost;
    case http::verb::put:
      return Method::kPut;
    case http::verb::delete_:
      return Method::kDelete;
    case http::verb::options:
      return Method::kOptions;
    default:
      return Method::kOther;
  }
}

int StatusOf(const boost::beast::error_code& error) {
  if (error == http::error::header_limit) return 431;
  if (error == http::error::body_limit) return 413;
  return 400;
}

}  // namespace

RequestParser::RequestParser(const ParserLimits& limits, std::span<HeaderField> fields)
    : header_bytes_max_(limits.header_bytes_max), fields_(fields) {
  header_limit(static_cast<std::uint32_t>(limits.header_bytes_max));
  body_limit(static_cast<std::uint64_t>(limits.body_bytes_max));
}

RequestParser::Progress RequestParser::ParseHeader(std::string_view data) {
  data_ = data;
  ErrorCode error;
  const std::size_t used = put(boost::asio::buffer(data.data(), data.size()), error);
  data_ = {};
  if (too_many_fields_) return {used, 431};
  if (error && error != http::error::need_more) return {used, StatusOf(error)};
  // Beast counts the request line apart; our limit is for both together.
  if ((header_done() ? used : data.size()) > header_bytes_max_) return {used, 431};
  return {header_done() ? used : 0, 0};
}

std::uint64_t RequestParser::content_length() const {
  const auto length = Base::content_length();
  return length ? *length : 0;
}

HttpRequest RequestParser::request() const {
  return {method_, target_, fields_.first(field_count_), {}};
}

RequestParser::Progress RequestParser::ParseChunks(std::string_view data, std::string& body) {
  chunk_body_ = &body;
  eager(true);
  ErrorCode error;
  const std::size_t used = put(boost::asio::buffer(data.data(), data.size()), error);
  chunk_body_ = nullptr;
  if (error && error != http::error::need_more) return {used, StatusOf(error)};
  return {used, 0};
}

void RequestParser::on_request_impl(http::verb verb, View, View target, int version, ErrorCode&) {
  version_ = version;
  method_ = ToMethod(verb);
  target_ = ToStd(target);
}

void RequestParser::on_field_impl(http::field field, View name, View value, ErrorCode& error) {
  if (chunk_body_ != nullptr) return;  // A trailer: nobody here wants one.
  // A folded value stands in the parser's own memory, which dies with this call.
  const std::less_equal<const char*> not_after;
  if (!value.empty() && !(not_after(data_.data(), value.data()) &&
                          not_after(value.data() + value.size(), data_.data() + data_.size()))) {
    error = http::error::bad_value;
    return;
  }
  if (field_count_ == fields_.size()) {
    too_many_fields_ = true;
    error = http::error::header_limit;
    return;
  }
  if (field == http::field::expect)
    expects_continue_ = EqualsIgnoreCase(ToStd(value), "100-continue");
  fields_[field_count_++] = {ToStd(name), ToStd(value)};
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View body, ErrorCode&) {
  if (chunk_body_ != nullptr) chunk_body_->append(body.data(), body.size());
  return body.size();
}

}  // namespace prejoin::server
