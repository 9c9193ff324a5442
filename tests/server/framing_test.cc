// How bytes become requests: keep-alive, pipelining, bodies in pieces, and everything that is not
// HTTP.
#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

using FramingTest = ServerTest;

TEST_F(FramingTest, AnswersManyRequestsOnOneConnection) {
  Start();
  RawClient client(port());
  for (int i = 0; i < 100; ++i) {
    const std::string body = "request " + std::to_string(i);
    const auto answer = client.Ask(Post(body));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, body);
    EXPECT_FALSE(answer->headers.contains("connection"));
  }
}

TEST_F(FramingTest, AnswersPipelinedRequestsInOrder) {
  Start();
  RawClient client(port());
  std::string requests;
  for (int i = 0; i < 500; ++i) {
    requests += Post(std::to_string(i));
  }
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 500; ++i) {
    const auto answer = client.Read();
    ASSERT_TRUE(answer) << i;
    EXPECT_EQ(answer->body, std::to_string(i));
  }
}

TEST_F(FramingTest, AnswersPipelinedRequestsOfAClientThatHasFinishedSending) {
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(Post("a") + Post("b")));
  client.FinishSending();
  EXPECT_EQ(client.Read()->body, "a");
  EXPECT_EQ(client.Read()->body, "b");
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(FramingTest, AcceptsARequestByteByByte) {
  Start();
  RawClient client(port());
  for (const char c : Post("slow but honest", "X-Some: thing\r\n")) {
    ASSERT_TRUE(client.Send({&c, 1}));
  }
  EXPECT_EQ(client.Read()->body, "slow but honest");
}

TEST_F(FramingTest, GivesTheHandlerMethodTargetAndHeaders) {
  handler.handle = [](const HttpRequest& request, Exchange& exchange, Completion) {
    exchange.response.body.append(request.method == Method::kPut ? "put " : "? ")
        .append(request.path())
        .append(" ")
        .append(request.query())
        .append(" ")
        .append(request.Header("x-MIXED-case"))
        .append(" [")
        .append(request.Header("x-absent"))
        .append("]");
    return Outcome::kDone;
  };
  Start();
  RawClient client(port());
  const auto answer = client.Ask(
      "PUT /a/b?c=d HTTP/1.1\r\nHost: h\r\nX-Mixed-Case:  value \r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(answer->body, "put /a/b c=d value []");
}

TEST_F(FramingTest, AcceptsBodiesOfEverySizeAroundTheReadBuffer) {
  Start();
  RawClient client(port());
  for (const std::size_t size : {0u, 1u, 65000u, 65535u, 65536u, 65537u, 200000u, 3000000u}) {
    const std::string body(size, 'x');
    const auto answer = client.Ask(Post(body));
    ASSERT_TRUE(answer) << size;
    EXPECT_EQ(answer->body.size(), size);
    EXPECT_EQ(answer->body, body);
  }
}

TEST_F(FramingTest, AcceptsAChunkedBody) {
  Start();
  RawClient client(port());
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto answer =
      client.Ask(head + "5\r\nhello\r\n7;note=1\r\n, world\r\n0\r\nTrailer: t\r\n\r\n");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "hello, world");
  // The connection is still good, also when the chunks come one byte at a time.
  for (const char c : head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") {
    ASSERT_TRUE(client.Send({&c, 1}));
  }
  EXPECT_EQ(client.Read()->body, "abcde");
  EXPECT_EQ(client.Ask(Post("plain"))->body, "plain");
}

TEST_F(FramingTest, SendsContinueOnceWhenAsked) {
  Start();
  RawClient client(port());
  ASSERT_TRUE(client.Send(
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"));
  EXPECT_EQ(client.ReadInterim(), "HTTP/1.1 100 Continue");
  ASSERT_TRUE(client.Send("bo"));
  ASSERT_TRUE(client.Send("dy"));
  EXPECT_EQ(client.Read()->body, "body");
}

TEST_F(FramingTest, RefusesInsteadOfContinueWhenTheBodyWouldBeTooLarge) {
  Start();
  RawClient client(port());
  const auto answer = client.Ask(
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
  EXPECT_EQ(answer->status, 413);
}

TEST_F(FramingTest, ClosesBehindHttp10) {
  Start();
  RawClient client(port());
  const auto answer = client.Ask("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nok");
  EXPECT_EQ(answer->body, "ok");
  EXPECT_EQ(answer->headers.at("connection"), "close");
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(FramingTest, KeepsHttp10ThatAsksForIt) {
  Start();
  RawClient client(port());
  const std::string request =
      "POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok";
  EXPECT_EQ(client.Ask(request)->headers.at("connection"), "keep-alive");
  EXPECT_EQ(client.Ask(request)->body, "ok");
}

TEST_F(FramingTest, ClosesWhenTheClientAsksForIt) {
  Start();
  RawClient client(port());
  EXPECT_EQ(client.Ask(Post("x", "Connection: close\r\n"))->headers.at("connection"), "close");
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(FramingTest, AnswersHeadWithoutABody) {
  Start();
  handler.handle = [](const HttpRequest&, Exchange& exchange, Completion) {
    exchange.response.body = "twelve bytes";
    return Outcome::kDone;
  };
  RawClient client(port());
  ASSERT_TRUE(client.Send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_EQ(client.Read(true)->headers.at("content-length"), "12");
  EXPECT_EQ(client.Ask("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->body, "twelve bytes");
}

TEST_F(FramingTest, RefusesWhatIsNotHttp) {
  Start();
  const std::string cases[] = {
      "\x16\x03\x01\x02\x01 a TLS greeting\r\n\r\n",
      "GET\r\n\r\n",
      "G@T / HTTP/1.1\r\n\r\n",
      "GET / HTTP/2.0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nNo colon here\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nFolded: a\r\n b\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: minus one\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n",
  };
  for (const std::string& bytes : cases) {
    RawClient client(port());
    const auto answer = client.Ask(bytes);
    ASSERT_TRUE(answer) << bytes;
    EXPECT_EQ(answer->status, 400) << bytes;
    EXPECT_EQ(answer->headers.at("connection"), "close");
    EXPECT_TRUE(client.ReadsEnd()) << bytes;
  }
  RawClient still_there(port());
  EXPECT_EQ(still_there.Ask(Post("alive"))->body, "alive");
}

TEST_F(FramingTest, SurvivesRequestsThatAreCutOff) {
  int handled = 0;
  handler.handle = [&handled](const HttpRequest&, Exchange&, Completion) {
    ++handled;
    return Outcome::kDone;
  };
  Start();
  const std::string whole = Post(std::string(1000, 'b'), "X-Pad: pad\r\n");
  for (std::size_t length = 1; length < whole.size(); length += 37) {
    RawClient client(port());
    ASSERT_TRUE(client.Send(whole.substr(0, length)));
    client.FinishSending();
    EXPECT_TRUE(client.ReadsEnd());
  }
  EXPECT_EQ(handled, 0);
}

}  // namespace
}  // namespace prejoin::server
