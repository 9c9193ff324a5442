// The page's files as a browser asks for them. The files are made up; the real ones are fetched by
// tests/integration/studio_test.py.
#include "studio/page.h"

#include "server/http/gzip.h"
#include "tests/studio/studio_server.h"

namespace prejoin::studio {
namespace {

class PageTest : public StudioTest {
 protected:
  PageTest() {
    script.resize(10'000, ' ');
    server::Deflater deflater;
    index_gzip = *deflater.Deflate(server::Coding::kGzip, index);
    script_gzip = *deflater.Deflate(server::Coding::kGzip, script);
    Start(nullptr, {{"assets/app-1.js", "etag-js", script_gzip, script.size()},
                    {"index.html", "etag-index", index_gzip, index.size()}});
  }

  const std::string index = "<!doctype html><title>Studio</title>";
  std::string script = "start()";
  std::string index_gzip;
  std::string script_gzip;
};

TEST_F(PageTest, ServesTheIndexWithAStrictPolicy) {
  const auto answer = Get("/studio/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, index);
  EXPECT_EQ(answer.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(answer.headers.at("cache-control"), "no-cache");
  EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
  EXPECT_EQ(answer.headers.at("referrer-policy"), "no-referrer");
  EXPECT_EQ(answer.headers.at("content-security-policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'");
}

TEST_F(PageTest, SendsTheStoredCompressionOnlyToThoseWhoAcceptIt) {
  const auto packed = Get("/studio/assets/app-1.js", "Accept-Encoding: br, gzip\r\n");
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed.body, script_gzip);
  EXPECT_EQ(packed.headers.at("vary"), "Accept-Encoding");
  for (const std::string headers :
       {"", "Accept-Encoding: br\r\n", "Accept-Encoding: gzip;q=0\r\n"}) {
    const auto plain = Get("/studio/assets/app-1.js", headers);
    EXPECT_FALSE(plain.headers.contains("content-encoding")) << headers;
    EXPECT_EQ(plain.body, script) << headers;
  }
}

TEST_F(PageTest, KeepsAssetsForEverAndAsksAgainForTheIndex) {
  const auto asset = Get("/studio/assets/app-1.js");
  EXPECT_EQ(asset.headers.at("cache-control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(asset.headers.at("content-type"), "text/javascript; charset=utf-8");
  const auto same = Get("/studio/", "If-None-Match: W/\"etag-index\"\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  EXPECT_EQ(Get("/studio/", "If-None-Match: W/\"etag-js\"\r\n").status, 200);
}

TEST_F(PageTest, GivesTheIndexForDeepLinksAndNotFoundForFiles) {
  EXPECT_EQ(Get("/studio/model/A17?course=C1").body, index);
  for (const std::string path : {"/studio/assets/gone.js", "/studio/../etc/passwd",
                                 "/studio/assets/../index.html", "/studio/index.htm"}) {
    EXPECT_EQ(Get(path).status, 404) << path;
  }
}

TEST_F(PageTest, HasNoCardsUnlessSomebodyMayShowThem) {
  const auto off = Get("/studio/embed/d05_education", "Sec-Fetch-Dest: iframe\r\n");
  EXPECT_EQ(off.status, 404);
  EXPECT_NE(off.body.find("--allow-embed"), std::string::npos);
  // In a tab of its own it is a preview, which nobody can frame.
  const auto preview = Get("/studio/embed/d05_education", "Sec-Fetch-Dest: document\r\n");
  EXPECT_EQ(preview.body, index);
  EXPECT_TRUE(preview.headers.at("content-security-policy").ends_with("frame-ancestors 'none'"));
}

TEST_F(PageTest, LetsTheNamedPagesFrameCardsAndNothingElse) {
  server::Dispatch other(*endpoint, *metrics);
  AddPage(other, page_files, {"https://blog.example", "http://127.0.0.1:8080"});
  auto started = server::Server::Start({.threads = 1}, other, *metrics, log);
  ASSERT_TRUE(started) << started.error().message;
  running = *std::move(started);
  const auto policy = [&](const std::string& path) {
    const auto answer = Get(path);
    EXPECT_EQ(answer.status, 200) << path;
    const std::string& all = answer.headers.at("content-security-policy");
    return all.substr(all.find("frame-ancestors"));
  };
  EXPECT_EQ(policy("/studio/embed/d05_education"),
            "frame-ancestors https://blog.example http://127.0.0.1:8080");
  EXPECT_EQ(policy("/studio/embed/link:a.b"),
            "frame-ancestors https://blog.example http://127.0.0.1:8080");
  EXPECT_EQ(policy("/studio/model"), "frame-ancestors 'none'");
  EXPECT_EQ(policy("/studio/embedded"), "frame-ancestors 'none'");
  running.reset();
}

TEST(CanFrame, TakesOriginsAndNothingThatCouldSayMoreInThePolicy) {
  for (const std::string origin : {"https://blog.example", "http://127.0.0.1:8000", "*",
                                   "http://[::1]:8000", "https://a-b.example:8443"}) {
    EXPECT_TRUE(CanFrame(origin)) << origin;
  }
  for (const std::string origin :
       {"", "blog.example", "https://", "https://a/b", "https://a b", "https://a; script-src *",
        "https://a,b", "'self'", "ftp://a", "https://a\r\nX: y"}) {
    EXPECT_FALSE(CanFrame(origin)) << origin;
  }
}

TEST_F(PageTest, RedirectsBrowsersOnly) {
  EXPECT_EQ(Get("/studio").headers.at("location"), "/studio/");
  const auto home = Get("/", "Accept: text/html,application/xhtml+xml\r\n");
  EXPECT_EQ(home.status, 302);
  EXPECT_EQ(home.headers.at("location"), "/studio/");
  EXPECT_TRUE(Get("/", "Accept: */*\r\n").body.starts_with("healthy"));
  EXPECT_TRUE(Get("/").body.starts_with("healthy"));
}

TEST_F(StudioTest, WithoutThePageSaysSoAndLeavesTheRootAlone) {
  Start();
  const auto answer = Get("/studio/");
  EXPECT_EQ(answer.status, 404);
  EXPECT_NE(answer.body.find("PREJOIN_STUDIO=OFF"), std::string::npos);
  EXPECT_TRUE(Get("/", "Accept: text/html\r\n").body.starts_with("healthy"));
}

}  // namespace
}  // namespace prejoin::studio
