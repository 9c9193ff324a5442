// Compression in both directions, and the checksum that SDKs verify.
#include "server/http/gzip.h"

#include <zlib.h>

#include "tests/server/raw_client.h"
#include "tests/server/test_server.h"

namespace prejoin::server {
namespace {

std::string Compressed(std::string_view bytes, Coding coding = Coding::kGzip) {
  return *Deflater().Deflate(coding, bytes);
}

std::string Inflated(std::string_view bytes, Coding coding = Coding::kGzip) {
  std::string out;
  EXPECT_EQ(Inflate(coding, bytes, 1 << 30, out), InflateOutcome::kDone);
  return out;
}

TEST(Gzip, GivesBackWhatWentIn) {
  Deflater deflater;
  for (const std::size_t size : {0u, 1u, 1000u, 32768u, 1000000u}) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
      text += static_cast<char>('a' + i * i % 23);
    }
    for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
      EXPECT_EQ(Inflated(*deflater.Deflate(coding, text), coding), text) << size;
    }
  }
}

TEST(Gzip, StopsAtTheLimit) {
  const std::string zeros = Compressed(std::string(1000, '0'));
  std::string out;
  EXPECT_EQ(Inflate(Coding::kGzip, zeros, 999, out), InflateOutcome::kTooLarge);
  out.clear();
  EXPECT_EQ(Inflate(Coding::kGzip, zeros, 1000, out), InflateOutcome::kDone);
  out.clear();
  EXPECT_EQ(Inflate(Coding::kGzip, zeros, 1001, out), InflateOutcome::kDone);
}

TEST(Gzip, RefusesBrokenInput) {
  const std::string good = Compressed("some text that is long enough to be cut");
  std::string wrong_sum = good;
  wrong_sum[wrong_sum.size() - 5] = static_cast<char>(wrong_sum[wrong_sum.size() - 5] ^ 1);
  for (const std::string& bytes : {std::string(), std::string("plain"),
                                   good.substr(0, good.size() - 1), wrong_sum, good + "x"}) {
    std::string out;
    EXPECT_EQ(Inflate(Coding::kGzip, bytes, 1000, out), InflateOutcome::kBroken);
  }
}

TEST(Gzip, AcceptsSeveralMembers) {
  EXPECT_EQ(Inflated(Compressed("one ") + Compressed("two")), "one two");
}

TEST(Deflate, IsOneStreamInZlibsFormat) {
  const std::string one = Compressed("one", Coding::kDeflate);
  for (const std::string& bytes : {std::string(), Compressed("one"), one + one, one + "x"}) {
    std::string out;
    EXPECT_EQ(Inflate(Coding::kDeflate, bytes, 1000, out), InflateOutcome::kBroken);
  }
}

// F40
TEST(AcceptEncoding, IsReadAsAwsReadsIt) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "identity"},
      {"identity", "identity"},
      {"br", "identity"},
      {"GZIP", "gzip"},
      {"gzip, deflate", "gzip"},
      {"deflate, gzip", "deflate"},
      {"deflate;q=0.5, gzip;q=0.8", "gzip"},
      {"gzip;q=0", "identity"},
      {"gzip;q=0.0, deflate;q=0.1", "deflate"},
      {"gzip;q=0.9, deflate;q=7", "deflate"},
      {"gzip;q=0.9, deflate;q=high", "deflate"},
      {"gzip;q=0.2;q=0.9, deflate;q=0.5", "deflate"},
      {"*", "gzip"},
      {"*, deflate", "deflate"},
      {"*;q=0.9, deflate;q=0.1", "gzip"},
      {"*, gzip;q=0", "deflate"},
      {"identity;q=1, *;q=0.5", "gzip"},
      {"*;q=0", "identity"},
      // As others saw it on AWS, invalid headers among them.
      {"br, identity, deflate, gzip", "deflate"},
      {"dog, gzip ,, cat", "gzip"},
      {"br, gzip;q=0, deflate; q = 0.5 , identity;q=0", "deflate"},
      {"*, gzip;q=0.5", "deflate"},
      {"gzip ;q=0", "identity"},
      {"\"gzip\"", "identity"},
      {"gzip br", "identity"},
      {"gzip:q=1", "identity"},
      {"gzip;q=31,deflate;q=51", "gzip"},
      {"deflate;q=0.5, gzip;q=1;q=0.2", "gzip"},
      {"deflate;q=0.5,gzip;q=0.", "deflate"},
      {"deflate;q=0.5,gzip;q=0.x", "gzip"},
      {"deflate;q=0.5,gzip;q=0. x", "gzip"},
      {"deflate;q=-0.5,gzip;q=0.2", "gzip"},
      {"deflate;q=-0.5", "identity"},
      {"gzip;q= 0;q=1", "identity"},
      {"gzip;q =0;q=1", "gzip"},
      {"gzip; q=0;q=1", "identity"},
      {"gzip;nq=0;q=1", "identity"},
      {"gzip;nq=1;q=0 ", "identity"},
      {"gzip;q=0, gzip;q=1, gzip;q=0", "gzip"},
      {"br,identity;q=0.5,gzip;q=0.0001", "gzip"},
  };
  for (const auto& [header, coding] : cases) {
    EXPECT_EQ(NameOf(ChooseCoding(header)), coding) << header;
  }
}

using GzipHttpTest = ServerTest;

std::string Crc(std::string_view body) {
  return std::to_string(crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
}

TEST_F(GzipHttpTest, CompressesLargeAnswersForThoseWhoAsk) {
  Start();
  RawClient client(port());
  const std::string body(4096, 'r');
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const std::string name(NameOf(coding));
    const auto answer = client.Ask(Post(body, "Accept-Encoding: *;q=0.5, " + name + "\r\n"));
    EXPECT_EQ(answer->headers.at("content-encoding"), name);
    EXPECT_LT(answer->body.size(), 200u);
    EXPECT_EQ(Inflated(answer->body, coding), body);
    EXPECT_EQ(answer->headers.at("x-amz-crc32"), Crc(answer->body)) << "over the compressed bytes";
  }
}

// AWS joins repeated headers for the signature and then reads the first alone.
TEST_F(GzipHttpTest, ReadsTheFirstOfSeveralHeaders) {
  Start();
  RawClient client(port());
  const std::string body(4096, 'r');
  const auto first = client.Ask(Post(body, "Accept-Encoding: gzip\r\nAccept-Encoding: identity\r\n"));
  EXPECT_EQ(first->headers.at("content-encoding"), "gzip");
  const auto other = client.Ask(Post(body, "Accept-Encoding: identity\r\nAccept-Encoding: gzip\r\n"));
  EXPECT_FALSE(other->headers.contains("content-encoding"));
}

TEST_F(GzipHttpTest, LeavesOtherAnswersAlone) {
  Start();
  RawClient client(port());
  const std::string large(4096, 'r');
  const std::pair<std::string, std::string> cases[] = {
      {large, ""},
      {large, "Accept-Encoding: identity\r\n"},
      {large, "Accept-Encoding: gzip;q=0\r\n"},
      {large, "Accept-Encoding: gzipped\r\n"},
      {large.substr(1), "Accept-Encoding: gzip\r\n"},
  };
  for (const auto& [body, header] : cases) {
    const auto answer = client.Ask(Post(body, header));
    EXPECT_FALSE(answer->headers.contains("content-encoding")) << header;
    EXPECT_EQ(answer->body, body);
    EXPECT_EQ(answer->headers.at("x-amz-crc32"), Crc(body));
  }
}

TEST_F(GzipHttpTest, InflatesCompressedRequests) {
  Start();
  RawClient client(port());
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate}) {
    const std::string header = "Content-Encoding: " + std::string(NameOf(coding)) + "\r\n";
    EXPECT_EQ(client.Ask(Post(Compressed("{\"a\":1}", coding), header))->body, "{\"a\":1}");
  }
}

// F39: AWS blames itself.
TEST_F(GzipHttpTest, RefusesCompressedRequestsThatAreBrokenOrOfAnotherKind) {
  Start();
  RawClient client(port());
  const std::string cut = Compressed("some text").substr(0, 12);
  for (const std::string& body : {std::string("no gzip"), std::string(), cut}) {
    EXPECT_EQ(client.Ask(Post(body, "Content-Encoding: gzip\r\n"))->status, 500) << body.size();
    EXPECT_EQ(client.Ask(Post(body, "Content-Encoding: deflate\r\n"))->status, 500);
  }
  const auto answer = client.Ask(Post("brotli", "Content-Encoding: br\r\n"));
  EXPECT_EQ(answer->status, 500);
  EXPECT_NE(answer->body.find("InternalServerError"), std::string::npos);
}

TEST_F(GzipHttpTest, InflatesNoMoreThanABodyMayHave) {
  Start();
  const std::string bomb = Compressed(std::string(kRequestBytesMax + 1, '0'));
  ASSERT_LT(bomb.size(), 200000u);
  RawClient client(port());
  EXPECT_EQ(client.Ask(Post(bomb, "Content-Encoding: gzip\r\n"))->status, 413);
  RawClient another(port());
  const auto answer = another.Ask(
      Post(Compressed(std::string(kRequestBytesMax, '0')), "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(answer->body.size(), kRequestBytesMax);
}

TEST_F(GzipHttpTest, PaysForWhatComesOutOfABody) {
  options.received_bytes_max = 4'000'000;
  Start();
  RawClient client(port());
  const std::string header = "Content-Encoding: gzip\r\n";
  EXPECT_EQ(client.Ask(Post(Compressed(std::string(10'000'000, '0')), header))->status, 503);
  EXPECT_EQ(RawClient(port()).Ask(Post(Compressed(std::string(500'000, '0')), header))->status,
            200);
}

// What is large when inflated goes to a worker; requests behind it wait for their turn.
TEST_F(GzipHttpTest, InflatesLargeBodiesBesideTheLoop) {
  Start();
  RawClient client(port());
  std::string large;
  for (int i = 0; i < 100'000; ++i) {
    large += std::to_string(i);
  }
  const std::string header = "Content-Encoding: gzip\r\n";
  ASSERT_TRUE(client.Send(Post(Compressed(large), header) + Post("behind it", "")));
  EXPECT_EQ(client.Read()->body, large);
  EXPECT_EQ(client.Read()->body, "behind it");
  const std::string whole = Compressed(large);
  EXPECT_EQ(client.Ask(Post(whole.substr(0, whole.size() - 100), header))->status, 500);
}

// What comes out is paid for as it comes, so that small bombs cannot take more than large bodies.
TEST(PaidText, TakesItsMemoryFromTheBudget) {
  MemoryBudget budget(300'000);
  const std::string zeros = *Deflater().Deflate(Coding::kGzip, std::string(100'000, '0'));
  {
    PaidText out(budget);
    EXPECT_EQ(Inflate(Coding::kGzip, zeros, 1 << 20, out), InflateOutcome::kDone);
    EXPECT_EQ(out.text(), std::string(100'000, '0'));
    EXPECT_GE(budget.used(), 100'000u);
    PaidText more(budget);
    EXPECT_EQ(Inflate(Coding::kGzip, *Deflater().Deflate(Coding::kGzip, std::string(250'000, '0')),
                      1 << 20, more),
              InflateOutcome::kNoRoom);
  }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace prejoin::server
