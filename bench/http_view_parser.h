// Beast's basic_parser with callbacks that only note where things are.
#ifndef PREJOIN_BENCH_HTTP_VIEW_PARSER_H_
#define PREJOIN_BENCH_HTTP_VIEW_PARSER_H_

#include <array>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

namespace prejoin::bench {

class ViewParser : public boost::beast::http::basic_parser<true> {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;
  };
  std::array<Field, 64> fields;
  std::size_t field_count = 0;
  std::size_t body_bytes = 0;

 private:
  using Error = boost::beast::error_code;
  using View = boost::beast::string_view;

  void on_request_impl(boost::beast::http::verb, View, View, int, Error&) override {}
  void on_response_impl(int, View, int, Error&) override {}
  void on_field_impl(boost::beast::http::field, View name, View value, Error&) override {
    if (field_count < fields.size()) {
      fields[field_count++] = {{name.data(), name.size()}, {value.data(), value.size()}};
    }
  }
  void on_header_impl(Error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(View body, Error&) override {
    body_bytes += body.size();
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, View, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, Error&) override { return body.size(); }
  void on_finish_impl(Error&) override {}
};

// Bytes of the first whole request in the buffer, 0 if there is none yet.
inline std::size_t ParseRequest(std::optional<ViewParser>& parser, const char* data,
                                std::size_t size) {
  parser.emplace();
  parser->eager(true);
  boost::beast::error_code error;
  const std::size_t used = parser->put(boost::asio::buffer(data, size), error);
  return !error && parser->is_done() ? used : 0;
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_HTTP_VIEW_PARSER_H_
