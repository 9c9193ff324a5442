#include "server/http/request_parser.h"

#include <boost/beast/http/error.hpp>
#include <functional>

#include "server/http/field_line.h"

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

// Fields that Beast or on_field_impl acts on.
bool DecidesFraming(std::string_view name) {
  switch (name.size()) {
    case 6:
      return EqualsIgnoreCase(name, "expect");
    case 7:
      return EqualsIgnoreCase(name, "upgrade");
    case 10:
      return EqualsIgnoreCase(name, "connection");
    case 14:
      return EqualsIgnoreCase(name, "content-length");
    case 16:
      return EqualsIgnoreCase(name, "proxy-connection");
    case 17:
      return EqualsIgnoreCase(name, "transfer-encoding");
    default:
      return false;
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
  std::size_t used = 0;
  const std::size_t line_end = data.find('\n');
  if (line_end == std::string_view::npos) {
    used = Put(data, error);
  } else {
    used = Put(data.substr(0, line_end + 1), error);
    if (error == http::error::need_more) {
      // A whole line that is not enough for a request line never will be.
      error = used == 0 ? ErrorCode(http::error::bad_version) : ErrorCode();
    }
    if (!error) used = TakePlainFields(used, error);
    if (!error) used += Put(data.substr(used), error);
  }
  data_ = {};
  if (too_many_fields_) return {used, 431};
  if (error && error != http::error::need_more) return {used, StatusOf(error)};
  // Beast counts the request line apart; our limit is for both together.
  if ((header_done() ? used : data.size()) > header_bytes_max_) return {used, 431};
  return {header_done() ? used : 0, 0};
}

std::size_t RequestParser::Put(std::string_view bytes, ErrorCode& error) {
  return put(boost::asio::buffer(bytes.data(), bytes.size()), error);
}

std::size_t RequestParser::TakePlainFields(std::size_t used, ErrorCode& error) {
  while (const auto line = ReadFieldLine(data_.substr(used))) {
    if (DecidesFraming(line->name)) {
      // Beast looks at the byte behind a line, which tells whether the line is folded.
      Put(data_.substr(used, line->bytes + 1), error);
      if (error != http::error::need_more) break;
      error = {};
    } else {
      AddField(line->name, line->value, error);
      if (error) break;
    }
    used += line->bytes;
  }
  return used;
}

std::uint64_t RequestParser::content_length() const {
  const auto length = Base::content_length();
  return length ? *length : 0;
}

HttpRequest RequestParser::request() const {
  return {method_, target_, fields_.first(field_count_), {}};
}

RequestParser::Progress RequestParser::ParseChunks(std::string_view data, std::string& body) {
  // Beast asserts that the last chunk, once begun, comes in a piece of this size at least. None is shorter.
  constexpr std::size_t kLastChunkBytes = sizeof("0\r\n\r\n") - 1;
  if (wants_more_ && data.size() < kLastChunkBytes) return {0, 0};
  chunk_body_ = &body;
  eager(true);
  ErrorCode error;
  const std::size_t used = Put(data, error);
  wants_more_ = error == http::error::need_more;
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
  if (field == http::field::expect)
    expects_continue_ = EqualsIgnoreCase(ToStd(value), "100-continue");
  AddField(ToStd(name), ToStd(value), error);
}

void RequestParser::AddField(std::string_view name, std::string_view value, ErrorCode& error) {
  if (field_count_ == fields_.size()) {
    too_many_fields_ = true;
    error = http::error::header_limit;
    return;
  }
  fields_[field_count_++] = {name, value};
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View body, ErrorCode&) {
  if (chunk_body_ != nullptr) chunk_body_->append(body.data(), body.size());
  return body.size();
}

}  // namespace prejoin::server
