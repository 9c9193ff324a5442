// Requests about whose end or receiver two programs could disagree (RFC 9112, sections 3.2, 5, 6.3 and 7.1). A proxy in front of this server
// that reads one of them in another way would let a stranger put a request into somebody else's connection, so each of them is refused and its
// connection ends: whatever stands behind it is never read as a request.
#include <atomic>
#include <vector>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

using namespace std::string_literals;

using HostileFramingTest = ServerTest;

struct Case {
  std::string what;
  std::string bytes;
};

constexpr std::string_view kSmuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

// A POST with these header lines, each with its end.
std::string With(const std::string& lines, const std::string& body = "") {
  return "POST / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n" + body;
}

const std::string kChunked = "Transfer-Encoding: chunked\r\n";
const std::string kLast = "0\r\n\r\n";

std::vector<Case> Lengths() {
  return {
      {"two different lengths", With("Content-Length: 1\r\nContent-Length: 2\r\n", "ab")},
      {"the same length twice", With("Content-Length: 1\r\nContent-Length: 1\r\n", "a")},
      {"a list of lengths", With("Content-Length: 1, 1\r\n", "a")},
      {"a signed length", With("Content-Length: +5\r\n", "hello")},
      {"a negative length", With("Content-Length: -5\r\n", "hello")},
      {"a hexadecimal length", With("Content-Length: 0x5\r\n", "hello")},
      {"a length with a blank inside", With("Content-Length: 1 0\r\n", "hello")},
      {"a length with a fraction", With("Content-Length: 5.0\r\n", "hello")},
      {"an empty length", With("Content-Length:\r\n", "hello")},
      {"a length beyond 64 bits", With("Content-Length: 18446744073709551621\r\n", "hello")},
      {"a length of many digits", With("Content-Length: " + std::string(400, '9') + "\r\n")},
  };
}

std::vector<Case> Codings() {
  return {
      {"a length and chunks", With("Content-Length: 5\r\n" + kChunked, kLast)},
      {"chunks and a length", With(kChunked + "Content-Length: 5\r\n", kLast)},
      {"an unknown coding with a length",
       With("Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n", "hello")},
      {"an unknown coding", With("Transfer-Encoding: xchunked\r\n", kLast)},
      {"identity with a length",
       With("Transfer-Encoding: identity\r\nContent-Length: 5\r\n", "hello")},
      {"an empty coding with a length",
       With("Transfer-Encoding:\r\nContent-Length: 5\r\n", "hello")},
      {"chunked twice in a list", With("Transfer-Encoding: chunked, chunked\r\n", kLast)},
      {"chunked twice", With(kChunked + kChunked, kLast)},
      {"chunked before another coding", With("Transfer-Encoding: chunked, gzip\r\n", kLast)},
      {"chunked behind another coding", With("Transfer-Encoding: gzip, chunked\r\n", kLast)},
      {"chunked and identity", With(kChunked + "Transfer-Encoding: identity\r\n", kLast)},
      {"chunked in quotes", With("Transfer-Encoding: \"chunked\"\r\n", kLast)},
      {"chunked with a parameter", With("Transfer-Encoding: chunked;q=1\r\n", kLast)},
      {"chunked behind a vertical tab", With("Transfer-Encoding: \x0b"
                                             "chunked\r\n",
                                             kLast)},
      {"chunks for HTTP/1.0",
       "POST / HTTP/1.0\r\nConnection: keep-alive\r\n" + kChunked + "\r\n" + kLast},
  };
}

std::vector<Case> Chunks() {
  return {
      {"a signed chunk size", With(kChunked, "+5\r\nhello\r\n" + kLast)},
      {"a negative chunk size", With(kChunked, "-5\r\nhello\r\n" + kLast)},
      {"a chunk size with 0x", With(kChunked, "0x5\r\nhello\r\n" + kLast)},
      {"an empty chunk size", With(kChunked, "\r\nhello\r\n" + kLast)},
      {"a chunk size beyond 64 bits", With(kChunked, "10000000000000005\r\nhello\r\n" + kLast)},
      {"a blank in front of a chunk size", With(kChunked, " 5\r\nhello\r\n" + kLast)},
      {"a chunk that is too long", With(kChunked, "4\r\nhello\r\n" + kLast)},
      {"a bare LF behind a chunk size", With(kChunked, "5\nhello\r\n" + kLast)},
      {"a bare LF behind a chunk", With(kChunked, "5\r\nhello\n" + kLast)},
      {"a bare CR in a chunk extension", With(kChunked, "5;a\rb\r\nhello\r\n" + kLast)},
      {"a bare LF in a chunk extension", With(kChunked, "5;a\nb\r\nhello\r\n" + kLast)},
      {"a trailer that is no field", With(kChunked, "0\r\nno colon\r\n\r\n")},
  };
}

std::vector<Case> Lines() {
  return {
      {"a bare LF behind the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n"},
      {"a bare LF behind a field", "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n"},
      {"a bare LF as the empty line", "GET / HTTP/1.1\r\nHost: h\r\n\n"},
      {"a bare CR in a field", With("X: a\rContent-Length: 5\r\n")},
      {"a bare CR in a name", With("X\rY: a\r\n")},
      {"a folded field", With("X: a\r\n b\r\n")},
      {"a folded first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n"},
      {"a folded length", With("Content-Length: 1\r\n 0\r\n", "0123456789")},
      {"a folded coding", With("Transfer-Encoding:\r\n chunked\r\n", kLast)},
      {"a folded Host", "GET / HTTP/1.1\r\nHost: h\r\n h2\r\n\r\n"},
      {"a blank before the colon", With("Content-Length : 5\r\n", "hello")},
      {"a tab before the colon", With("Transfer-Encoding\t: chunked\r\n", kLast)},
      {"a blank in a name", With("Content Length: 5\r\n", "hello")},
      {"an empty name", With(": 5\r\n")},
      {"NUL in a value", With("X: a\0b\r\n"s)},
      {"NUL in a name", With("X\0: a\r\n"s)},
      {"NUL in a length", With("Content-Length: 5\0\r\n"s, "hello")},
      {"NUL in the target", "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n"s},
      {"a control character in a value", With("X: a\x01\r\n")},
      {"a letter beyond ASCII in a name", With("X\xc3\xa9: a\r\n")},
      {"a blank in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"two blanks in the request line", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"a blank behind the version", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"},
      {"a version in small letters", "GET / http/1.1\r\nHost: h\r\n\r\n"},
      {"an unknown version", "GET / HTTP/1.2\r\nHost: h\r\n\r\n"},
      {"HTTP/0.9", "GET /\r\n\r\n"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
  };
}

std::vector<Case> Hosts() {
  const std::string line = "GET / HTTP/1.1\r\n";
  return {
      {"no Host", line + "\r\n"},
      {"two Hosts", line + "Host: localhost\r\nHost: evil.example\r\n\r\n"},
      {"the same Host twice", line + "Host: localhost\r\nhOST: localhost\r\n\r\n"},
      {"two Hosts for HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"a list of Hosts", line + "Host: localhost, evil.example\r\n\r\n"},
      {"a Host with a path", line + "Host: localhost/x\r\n\r\n"},
      {"a Host with a user", line + "Host: me@localhost\r\n\r\n"},
      {"another Host than the target",
       "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"another port than the target",
       "GET http://localhost:1/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"a target that is no path", "GET evil HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"a target with another scheme", "GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"a target without a host", "GET http:/// HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"},
  };
}

void Add(std::vector<Case> more, std::vector<Case>& all) {
  for (Case& one : more) {
    all.push_back(std::move(one));
  }
}

std::vector<Case> All() {
  std::vector<Case> all = Lengths();
  Add(Codings(), all);
  Add(Chunks(), all);
  Add(Lines(), all);
  Add(Hosts(), all);
  return all;
}

TEST_F(HostileFramingTest, RefusesWhatCouldBeReadInTwoWays) {
  std::atomic<int> smuggled = 0;
  handler.handle = [&](const HttpRequest& request, Exchange& exchange, Completion) {
    smuggled += request.target == "/smuggled" ? 1 : 0;
    exchange.response.body = "served";
    return Outcome::kDone;
  };
  Start();
  for (const Case& one : All()) {
    RawClient client(port());
    const auto answer = client.Ask(one.bytes + std::string(kSmuggled));
    ASSERT_TRUE(answer) << one.what;
    EXPECT_EQ(answer->status, 400) << one.what;
    EXPECT_EQ(answer->headers.contains("connection") ? answer->headers.at("connection") : "",
              "close")
        << one.what;
    EXPECT_TRUE(client.ReadsEnd()) << one.what;
    EXPECT_EQ(smuggled.exchange(0), 0) << one.what;
  }
}

// The same, byte by byte: no reading may depend on how the bytes arrive.
TEST_F(HostileFramingTest, RefusesTheSameByteByByte) {
  Start();
  for (const Case& one : All()) {
    RawClient client(port());
    for (const char c : one.bytes + std::string(kSmuggled)) {
      if (!client.Send({&c, 1})) {
        break;
      }
    }
    const auto answer = client.Read();
    EXPECT_TRUE(answer && answer->status == 400) << one.what;
  }
}

TEST_F(HostileFramingTest, AcceptsWhatOnlyLooksStrange) {
  Start();
  const Case cases[] = {
      {"leading zeros", With("Content-Length: 005\r\n", "hello")},
      {"blanks around a length", With("Content-Length: \t5 \t\r\n", "hello")},
      {"CHUNKED", With("Transfer-Encoding: CHUNKED\r\n", "5\r\nhello\r\n" + kLast)},
      {"a chunk extension", With(kChunked, "5;a=\"b;c\"\r\nhello\r\n" + kLast)},
      {"leading zeros of a chunk size", With(kChunked, "0005\r\nhello\r\n" + kLast)},
      {"a trailer", With(kChunked, "5\r\nhello\r\n0\r\nX-Sum: 9\r\n\r\n")},
      {"the target in full",
       "POST http://h/ HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"},
      {"the host in other letters",
       "POST HTTP://H:80/ HTTP/1.1\r\nHost: h:80\r\nContent-Length: 5\r\n\r\nhello"},
      {"an address", "POST / HTTP/1.1\r\nHost: [::1]:8000\r\nContent-Length: 5\r\n\r\nhello"},
      {"an empty Host", "POST / HTTP/1.1\r\nHost:\r\nContent-Length: 5\r\n\r\nhello"},
      {"HTTP/1.0 without a Host",
       "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello"},
  };
  for (const Case& one : cases) {
    RawClient client(port());
    const auto answer = client.Ask(one.bytes);
    ASSERT_TRUE(answer) << one.what;
    EXPECT_EQ(answer->status, 200) << one.what;
    EXPECT_EQ(answer->body, "hello") << one.what;
    EXPECT_EQ(client.Ask(Post("next"))->body, "next") << one.what;
  }
}

TEST_F(HostileFramingTest, AsksTheWholeServerWithAnAsterisk) {
  Start();
  EXPECT_EQ(RawClient(port()).Ask("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n")->status, 200);
}

}  // namespace
}  // namespace prejoin::server
