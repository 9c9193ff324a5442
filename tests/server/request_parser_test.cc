// Headers read by RequestParser and by Boost.Beast alone, which must agree: about where the header ends, what is refused, every field.
#include "server/http/request_parser.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/beast/http/basic_parser.hpp>
#include <cctype>
#include <functional>
#include <random>

#include "server/http/field_line.h"

namespace prejoin::server {
namespace {

namespace http = boost::beast::http;

constexpr ParserLimits kLimits{2000, 1'000'000};

struct Reading {
  bool refused = false;
  bool done = false;
  std::size_t used = 0;
  bool chunked = false;
  bool keep_alive = false;
  std::uint64_t content_length = 0;
  std::vector<std::pair<std::string, std::string>> fields;

  bool operator==(const Reading&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Reading& reading) {
  out << (reading.refused ? "refused"
          : reading.done  ? "done"
                          : "unfinished")
      << " used " << reading.used << " length " << reading.content_length
      << (reading.chunked ? " chunked" : "") << (reading.keep_alive ? " keep-alive" : "");
  for (const auto& [name, value] : reading.fields) {
    out << " [" << name << "|" << value << "]";
  }
  return out;
}

class PlainBeast : public http::basic_parser<true> {
 public:
  Reading Read(const std::string& data) {
    data_ = data;
    header_limit(static_cast<std::uint32_t>(kLimits.header_bytes_max));
    body_limit(std::uint64_t{kLimits.body_bytes_max});
    boost::beast::error_code error;
    const std::size_t used = put(boost::asio::buffer(data.data(), data.size()), error);
    Reading reading;
    reading.refused = (error && error != http::error::need_more) ||
                      (is_header_done() ? used : data.size()) > kLimits.header_bytes_max;
    if (reading.refused || !is_header_done()) {
      return reading;
    }
    reading.done = true;
    reading.used = used;
    reading.chunked = chunked();
    reading.keep_alive = keep_alive();
    const auto length = content_length();
    reading.content_length = length ? *length : 0;
    reading.fields = fields_;
    return reading;
  }

 private:
  using View = boost::beast::string_view;
  using Code = boost::beast::error_code;
  void on_request_impl(http::verb, View, View, int, Code&) override {}
  void on_response_impl(int, View, int, Code&) override {}
  void on_field_impl(http::field, View name, View value, Code& error) override {
    // As in the server: no value that stands in Beast's own memory.
    const std::less<const char*> before;
    if (!value.empty() && (before(value.data(), data_.data()) ||
                           !before(value.data(), data_.data() + data_.size()))) {
      error = http::error::bad_value;
      return;
    }
    fields_.emplace_back(std::string(name), std::string(value));
  }
  void on_header_impl(Code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}
  std::size_t on_body_impl(View body, Code&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, View, Code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, Code&) override { return body.size(); }
  void on_finish_impl(Code&) override {}

  std::string_view data_;
  std::vector<std::pair<std::string, std::string>> fields_;
};

Reading ReadAsServer(const std::string& data) {
  std::array<HeaderField, 100> fields;
  RequestParser parser(kLimits, fields);
  const auto [used, status] = parser.ParseHeader(data);
  Reading reading;
  reading.refused = status != 0;
  if (reading.refused || !parser.header_done()) {
    return reading;
  }
  reading.done = true;
  reading.used = used;
  reading.chunked = parser.chunked();
  reading.keep_alive = parser.keep_alive();
  reading.content_length = parser.chunked() ? 0 : parser.content_length();
  for (const HeaderField& field : parser.request().fields) {
    reading.fields.emplace_back(std::string(field.name), std::string(field.value));
  }
  return reading;
}

Reading ReadAsBeast(const std::string& data) {
  PlainBeast parser;
  Reading reading = parser.Read(data);
  if (reading.chunked) {
    reading.content_length = 0;
  }
  return reading;
}

template <class Random>
std::string RandomHeader(Random& random) {
  static const std::vector<std::string> kLines = {
      "X-Amz-Date: 20260101T000000Z",
      "Accept: */*",
      "X-Other: a,b",
      "CONTENT-LENGTH:7",
      "Host: 127.0.0.1:8000",
      "content-length: 12",
      "Content-Length: 12, 12",
      "Content-Length: 1x",
      "Connection: close",
      "connection: Keep-Alive , x",
      "Connection: ,",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: gzip, chunked",
      "Upgrade: h2c",
      "Expect: 100-continue",
      "Proxy-Connection: close",
      "X-Empty:",
      "X-Blank:    ",
      "X-Tab:\tvalue\t",
      "X-Inside: a\tb c",
      "X-Folded: a\r\n b",
      "X-Folded-Empty:\r\n \tb",
      "X-Long: " + std::string(300, 'v') + "  ",
      "X-Utf8: gr\xc3\xbc\xc3\x9f",
      "No colon",
      ": no name",
      "Bad name: x",
      "X-Control: a\x01"
      "b",
      "X-Delete: 12345678\x7f",
      "X-Bare: a\rb",
      "Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=c",
      "X~^|!#: ok"};
  std::string header = random() % 20 == 0   ? "GET  / HTTP/1.1\r\n"
                       : random() % 10 == 0 ? "GET /a?b HTTP/1.0\r\n"
                                            : "POST / HTTP/1.1\r\n";
  if (random() % 8 != 0) {
    header += "Host: 127.0.0.1:8000\r\n";
  }
  for (auto count = random() % 6; count > 0; --count) {
    // Mostly good lines: they stand in the front of a bad one.
    header += kLines[random() % 3 == 0 ? random() % kLines.size() : random() % 4] + "\r\n";
  }
  return header + "\r\nbody";
}

template <class Random>
void Damage(Random& random, std::string& header) {
  const auto place = random() % header.size();
  switch (random() % 4) {
    case 0:
      header[place] = static_cast<char>(random());
      break;
    case 1:
      header.erase(place, 1 + random() % 3);
      break;
    case 2:
      header.resize(place);
      break;
    case 3:
      header.insert(place, random() % 2 == 0 ? "\r\n" : " ");
      break;
  }
}

std::size_t CountOf(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Whether the server refuses a header that Beast takes: another program may read it in another way.
bool IsAmbiguous(std::string header) {
  for (char& c : header) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const bool http_1_0 = CountOf(header, "http/1.0") > 0;
  const std::size_t hosts = CountOf(header, "\nhost:");
  return hosts > 1 || (hosts == 0 && !http_1_0) || CountOf(header, "\ncontent-length:") > 1 ||
         CountOf(header, "12, 12") > 0 || CountOf(header, "gzip, chunked") > 0 ||
         CountOf(header, "\ntransfer-encoding:") > 1 || CountOf(header, "\r\n ") > 0 ||
         (CountOf(header, "\ntransfer-encoding:") > 0 && http_1_0);
}

TEST(RequestParser, ReadsHeadersAsBeastDoesOrRefuses) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  int done = 0;
  int refused = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string header = RandomHeader(random);
    const bool intact = random() % 2 == 0;
    if (!intact) {
      Damage(random, header);
    }
    const Reading expected = ReadAsBeast(header);
    const Reading found = ReadAsServer(header);
    if (found.refused && !expected.refused) {
      // Damage makes ambiguous headers too, of every kind.
      ASSERT_TRUE(!intact || IsAmbiguous(header)) << header;
    } else {
      ASSERT_EQ(found, expected) << header;
    }
    if (intact && found.done) {
      ASSERT_FALSE(IsAmbiguous(header)) << header;
    }
    done += found.done ? 1 : 0;
    refused += expected.refused ? 1 : 0;
  }
  EXPECT_GT(done, 5'000);
  EXPECT_GT(refused, 5'000);
}

// Beast ends a program with assertions where the last chunk comes in two short pieces.
TEST(RequestParser, ReadsChunksInPiecesOfAnySize) {
  const std::string header = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string chunks = "2;a=b\r\nab\r\n1\r\nc\r\n0\r\nTrailer: x\r\n\r\n";
  for (std::size_t piece = 1; piece <= chunks.size(); ++piece) {
    std::array<HeaderField, 10> fields;
    RequestParser parser(kLimits, fields);
    ASSERT_EQ(parser.ParseHeader(header).used, header.size());
    std::string body;
    std::string rest;
    for (std::size_t at = 0; at < chunks.size(); at += piece) {
      rest += chunks.substr(at, piece);
      const auto progress = parser.ParseChunks(rest, body);
      ASSERT_EQ(progress.error_status, 0);
      rest.erase(0, progress.used);
    }
    EXPECT_TRUE(parser.done()) << piece;
    EXPECT_EQ(body, "abc") << piece;
    EXPECT_EQ(rest, "") << piece;
  }
}

TEST(FieldLine, FindsTheEndOfAValueOfAnyLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string value(size, '\xff');
    const std::string data = "Name: " + value + "\r\nNext: ";
    const auto line = ReadFieldLine(data);
    ASSERT_TRUE(line) << size;
    EXPECT_EQ(line->name, "Name");
    EXPECT_EQ(line->value, value);
    EXPECT_EQ(line->bytes, data.size() - 6);
    for (const char control : {'\0', '\x1f', '\x7f', '\n', '\r'}) {
      EXPECT_FALSE(ReadFieldLine("Name: " + value + control + "rest of it\r\nNext: ")) << size;
    }
  }
}

TEST(FieldLine, WaitsForTheByteBehindTheLine) {
  EXPECT_FALSE(ReadFieldLine("Name: value\r\n"));
  EXPECT_FALSE(ReadFieldLine("Name: value\r\n folded"));
  EXPECT_TRUE(ReadFieldLine("Name: value\r\n\r"));
}

}  // namespace
}  // namespace prejoin::server
