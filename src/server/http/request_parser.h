// HTTP/1.x request framing on Boost.Beast's basic_parser; nothing else in the server includes
// Beast.
//
// Beast walks through a header byte by byte, and the header of an SDK is longer than most bodies: that was a quarter of the
// instructions of a GetItem. So field_line.h reads the lines of fields that have no say in where a request ends. Beast sees the request
// line, the fields that have a say, the empty line, and every line that field_line.h does not find plainly right.
//
// Beast refuses what is no HTTP. Where HTTP can be read in two ways, a proxy in front might read the other one, and a stranger could put a request
// into somebody else's connection; so this parser is stricter: one Host, one length of digits, no coding but one "chunked" (and none in HTTP/1.0),
// no folded line, no target for another host than Host says (RFC 9112, sections 3.2, 5.2, 6.1 and 6.3).
#ifndef PREJOIN_SERVER_HTTP_REQUEST_PARSER_H_
#define PREJOIN_SERVER_HTTP_REQUEST_PARSER_H_

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/http/http.h"

namespace prejoin::server {

struct ParserLimits {
  std::size_t header_bytes_max;
  std::size_t body_bytes_max;
};

// Reads one request. Fields are views into the bytes that ParseHeader was given and are in the
// storage of the caller, which may share it between parsers that it uses one after the other.
// Single thread.
class RequestParser : private boost::beast::http::basic_parser<true> {
 public:
  RequestParser(const ParserLimits& limits, std::span<HeaderField> fields);

  struct Progress {
    std::size_t used = 0;  // Bytes taken from the front of the input.
    int error_status = 0;  // The HTTP status of the refusal; 0: fine so far.
  };

  // Takes nothing until the whole header is there.
  Progress ParseHeader(std::string_view data);
  bool header_done() const { return is_header_done(); }

  // After the header.
  bool chunked() const { return basic_parser::chunked(); }
  std::uint64_t content_length() const;
  bool keep_alive() const { return basic_parser::keep_alive(); }
  bool http_1_0() const { return version_ == 10; }
  bool expects_continue() const { return expects_continue_; }
  // `body` is left to the caller.
  HttpRequest request() const;

  // Takes what it can of a chunked body and appends the decoded bytes to `body`.
  Progress ParseChunks(std::string_view data, std::string& body);
  bool done() const { return is_done(); }

 private:
  using Base = boost::beast::http::basic_parser<true>;
  using ErrorCode = boost::beast::error_code;
  using View = boost::beast::string_view;

  // Hands bytes of data_ to Beast; says how many it took.
  std::size_t Put(std::string_view bytes, ErrorCode& error);
  // Takes lines of data_, whose first `used` bytes are parsed; says how many are then. Stops at the first line that is not a plain field.
  std::size_t TakePlainFields(std::size_t used, ErrorCode& error);
  void AddField(std::string_view name, std::string_view value, ErrorCode& error);
  // The possible statements of the fields that decide about framing.
  void CheckFraming(boost::beast::http::field field, std::string_view value, ErrorCode& error);
  // With the whole header: whom the request is for.
  bool NamesOneReceiver() const;

  void on_request_impl(boost::beast::http::verb verb, View method, View target, int version,
                       ErrorCode& error) override;
  void on_response_impl(int, View, int, ErrorCode&) override {}
  void on_field_impl(boost::beast::http::field field, View name, View value,
                     ErrorCode& error) override;
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(View body, ErrorCode&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, View, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t remaining, View body, ErrorCode& error) override;
  void on_finish_impl(ErrorCode&) override {}

  const std::size_t header_bytes_max_;
  const std::span<HeaderField> fields_;
  std::string_view data_;  // The argument of ParseHeader; only during that call.
  Method method_ = Method::kOther;
  int version_ = 11;
  bool expects_continue_ = false;
  bool too_many_fields_ = false;
  bool has_length_ = false;
  bool has_coding_ = false;
  int host_count_ = 0;
  std::string_view host_;
  std::string_view target_;
  std::size_t field_count_ = 0;
  std::string* chunk_body_ = nullptr;  // Only during ParseChunks.
  bool wants_more_ = false;            // The last ParseChunks took not all.
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_REQUEST_PARSER_H_
