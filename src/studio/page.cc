#include "studio/page.h"

#include <string>
#include <string_view>

#include "studio/http_names.h"

namespace prejoin::studio {
namespace {

constexpr std::string_view kRoot = "/studio/";
constexpr std::string_view kIndex = "index.html";

// Nothing from elsewhere, nothing inline: a cell of a table that looks like HTML stays text.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

struct MediaType {
  std::string_view suffix;
  std::string_view name;
};
constexpr MediaType kMediaTypes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
    {".webmanifest", "application/manifest+json"},
};

std::string_view MediaTypeOf(std::string_view path) {
  for (const MediaType& type : kMediaTypes) {
    if (path.ends_with(type.suffix)) return type.name;
  }
  return "application/octet-stream";
}

void AddSafetyHeaders(HttpResponse& response) {
  response.AddHeader("Content-Security-Policy", kContentSecurityPolicy);
  response.AddHeader("X-Content-Type-Options", "nosniff");
  response.AddHeader("Referrer-Policy", "no-referrer");
  response.AddHeader("Cross-Origin-Opener-Policy", "same-origin");
}

void Redirect(std::string_view to, HttpResponse& response) {
  response.status = 302;
  response.content_type = {};
  response.AddHeader("Location", to);
  response.AddHeader("Cache-Control", "no-cache");
}

void SayText(int status, std::string_view text, HttpResponse& response) {
  response.status = status;
  response.content_type = "text/plain; charset=utf-8";
  response.body = text;
  AddSafetyHeaders(response);
}

// A path without a dot is a view of the page, which the page itself reads from the address.
const EmbeddedFile* FileFor(std::span<const EmbeddedFile> files, std::string_view path) {
  if (const EmbeddedFile* file = FindFile(files, path)) return file;
  return path.find('.') == std::string_view::npos ? FindFile(files, kIndex) : nullptr;
}

void SendFile(const EmbeddedFile& file, const HttpRequest& request, Exchange& exchange) {
  HttpResponse& response = exchange.response;
  // Weak, because the bytes differ with the encoding.
  const std::string etag = "W/\"" + std::string(file.etag) + "\"";
  response.AddHeader("ETag", etag);
  response.AddHeader("Vary", "Accept-Encoding");
  // The names of assets hold a hash of what is in them.
  response.AddHeader("Cache-Control", file.path.starts_with("assets/")
                                          ? "public, max-age=31536000, immutable"
                                          : "no-cache");
  AddSafetyHeaders(response);
  response.content_type = MediaTypeOf(file.path);
  if (request.Header("if-none-match").find(etag) != std::string_view::npos) {
    response.status = 304;
  } else if (exchange.coding == server::Coding::kGzip) {
    response.AddHeader("Content-Encoding", "gzip");
    response.body = file.gzip;
  } else {
    response.body = Decompress(file);
  }
}

Outcome Serve(std::span<const EmbeddedFile> files, const HttpRequest& request, Exchange& exchange) {
  if (files.empty()) {
    SayText(404,
            "This prejoin was built without the studio (PREJOIN_STUDIO=OFF). The DynamoDB API and "
            "the model API work as usual.\n",
            exchange.response);
    return Outcome::kDone;
  }
  const EmbeddedFile* file = FileFor(files, request.path().substr(kRoot.size()));
  if (file == nullptr) {
    SayText(404, "There is no such file in the studio.\n", exchange.response);
  } else {
    SendFile(*file, request, exchange);
  }
  return Outcome::kDone;
}

}  // namespace

void AddPage(server::Dispatch& dispatch, std::span<const EmbeddedFile> files) {
  dispatch.AddRoute(
      {Method::kGet, "/studio", [](const HttpRequest&, Exchange& exchange, Completion) {
         Redirect(kRoot, exchange.response);
         return Outcome::kDone;
       }});
  dispatch.AddRoute({Method::kGet, std::string(kRoot),
                     [files](const HttpRequest& request, Exchange& exchange, Completion) {
                       return Serve(files, request, exchange);
                     }});
  if (!files.empty()) dispatch.SendBrowsersTo(std::string(kRoot));
}

}  // namespace prejoin::studio
