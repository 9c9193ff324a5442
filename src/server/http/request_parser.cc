#include "server/http/request_parser.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/error.hpp>
#include <functional>
#include <utility>

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

constexpr std::array<bool, 256> MakeHostTable() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("-._~:[]%0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}
constexpr std::array<bool, 256> kIsOfHost = MakeHostTable();

bool IsHost(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return kIsOfHost[static_cast<unsigned char>(c)]; });
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "http://localhost:8000/path" has "localhost:8000"; nothing if the target does not begin like that.
std::string_view AuthorityOf(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (EqualsIgnoreCase(target.substr(0, scheme.size()), scheme)) {
      const std::string_view rest = target.substr(scheme.size());
      return rest.substr(0, rest.find_first_of("/?#"));
    }
  }
  return {};
}

// `name` is in `data`. The byte after the line tells.
bool IsFolded(std::string_view data, std::string_view name) {
  const auto at = static_cast<std::size_t>(name.data() - data.data()) + name.size();
  const std::size_t line_end = data.find('\n', at);
  return line_end != std::string_view::npos && line_end + 1 < data.size() &&
         (data[line_end + 1] == ' ' || data[line_end + 1] == '\t');
}

int StatusOf(const boost::beast::error_code& error) {
  if (error == http::error::header_limit) {
    return 431;
  }
  if (error == http::error::body_limit) {
    return 413;
  }
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
    if (!error) {
      used = TakePlainFields(used, error);
    }
    if (!error) {
      used += Put(data.substr(used), error);
    }
  }
  data_ = {};
  if (too_many_fields_) {
    return {used, 431};
  }
  if (error && error != http::error::need_more) {
    return {used, StatusOf(error)};
  }
  // Beast counts the request line apart; our limit is for both together.
  if ((header_done() ? used : data.size()) > header_bytes_max_) {
    return {used, 431};
  }
  if (header_done() && !NamesOneReceiver()) {
    return {used, 400};
  }
  return {header_done() ? used : 0, 0};
}

std::size_t RequestParser::Put(std::string_view bytes, ErrorCode& error) {
  return put(boost::asio::buffer(bytes.data(), bytes.size()), error);
}

std::size_t RequestParser::TakePlainFields(std::size_t used, ErrorCode& error) {
  while (const auto line = ReadFieldLine(data_.substr(used))) {
    if (DecidesFraming(line->name)) {
      // Beast looks at the byte after a line, which tells whether the line is folded.
      Put(data_.substr(used, line->bytes + 1), error);
      if (error != http::error::need_more) {
        break;
      }
      error = {};
    } else {
      AddField(line->name, line->value, error);
      if (error) {
        break;
      }
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
  if (wants_more_ && data.size() < kLastChunkBytes) {
    return {0, 0};
  }
  chunk_body_ = &body;
  eager(true);
  ErrorCode error;
  const std::size_t used = Put(data, error);
  wants_more_ = error == http::error::need_more;
  chunk_body_ = nullptr;
  if (error && error != http::error::need_more) {
    return {used, StatusOf(error)};
  }
  return {used, 0};
}

void RequestParser::on_request_impl(http::verb verb, View, View target, int version, ErrorCode&) {
  version_ = version;
  method_ = ToMethod(verb);
  target_ = ToStd(target);
}

void RequestParser::on_field_impl(http::field field, View name, View value, ErrorCode& error) {
  if (chunk_body_ != nullptr) {
    return;  // A trailer: nobody here wants one.
  }
  // A folded value is in the parser's own memory, which dies with this call.
  const std::less_equal<const char*> not_after;
  if ((!value.empty() && !(not_after(data_.data(), value.data()) &&
                           not_after(value.data() + value.size(), data_.data() + data_.size()))) ||
      IsFolded(data_, ToStd(name))) {
    error = http::error::bad_value;
    return;
  }
  CheckFraming(field, ToStd(value), error);
  if (error) {
    return;
  }
  if (field == http::field::expect) {
    expects_continue_ = EqualsIgnoreCase(ToStd(value), "100-continue");
  }
  AddField(ToStd(name), ToStd(value), error);
}

void RequestParser::CheckFraming(http::field field, std::string_view value, ErrorCode& error) {
  if (field == http::field::transfer_encoding) {
    if (std::exchange(has_coding_, true) || version_ < 11 || !EqualsIgnoreCase(value, "chunked")) {
      error = http::error::bad_transfer_encoding;
    }
  } else if (field == http::field::content_length) {
    if (std::exchange(has_length_, true) || !IsNumber(value)) {
      error = http::error::bad_content_length;
    }
  }
}

// HTTP/1.0 knows requests without a host. A target in full form must name the host of the field: whoever routes by one and checks the other
// would be fooled.
bool RequestParser::NamesOneReceiver() const {
  if (host_count_ > 1 || (host_count_ == 0 && version_ >= 11) || !IsHost(host_)) {
    return false;
  }
  if (target_.starts_with('/')) {
    return true;
  }
  if (method_ == Method::kOptions && target_ == "*") {
    return true;
  }
  const std::string_view authority = AuthorityOf(target_);
  return !authority.empty() && IsHost(authority) &&
         (host_count_ == 0 || EqualsIgnoreCase(authority, host_));
}

void RequestParser::AddField(std::string_view name, std::string_view value, ErrorCode& error) {
  if (field_count_ == fields_.size()) {
    too_many_fields_ = true;
    error = http::error::header_limit;
    return;
  }
  if (name.size() == 4 && EqualsIgnoreCase(name, "host")) {
    ++host_count_;
    host_ = value;
  }
  fields_[field_count_++] = {name, value};
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View body, ErrorCode&) {
  if (chunk_body_ != nullptr) {
    chunk_body_->append(body.data(), body.size());
  }
  return body.size();
}

}  // namespace prejoin::server
