#include "studio/page.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "studio/http_names.h"

namespace prejoin::studio {
namespace {

using embedded::EmbeddedFile;

constexpr std::string_view kRoot = "/studio/";
constexpr std::string_view kIndex = "index.html";
constexpr std::string_view kCards = "embed/";

// Nothing from elsewhere, nothing inline: a cell of a table that looks like HTML stays text. The
// names of those who may frame the page follow.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors ";
constexpr std::string_view kNobody = "'none'";

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
    if (path.ends_with(type.suffix)) {
      return type.name;
    }
  }
  return "application/octet-stream";
}

void AddSafetyHeaders(std::string_view framers, HttpResponse& response) {
  response.AddHeader("Content-Security-Policy",
                     std::string(kContentSecurityPolicy) + std::string(framers));
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
  AddSafetyHeaders(kNobody, response);
}

// A path without a dot is a view of the page, which the page itself reads from the address.
const EmbeddedFile* FileFor(std::span<const EmbeddedFile> files, std::string_view path) {
  if (const EmbeddedFile* file = FindFile(files, path)) {
    return file;
  }
  return path.find('.') == std::string_view::npos ? FindFile(files, kIndex) : nullptr;
}

void SendFile(const EmbeddedFile& file, std::string_view framers, const HttpRequest& request,
              Exchange& exchange) {
  HttpResponse& response = exchange.response;
  // Weak, because the bytes differ with the encoding.
  const std::string etag = "W/\"" + std::string(file.etag) + "\"";
  response.AddHeader("ETag", etag);
  response.AddHeader("Vary", "Accept-Encoding");
  // The names of assets contain a hash of their content.
  response.AddHeader("Cache-Control", file.path.starts_with("assets/")
                                          ? "public, max-age=31536000, immutable"
                                          : "no-cache");
  AddSafetyHeaders(framers, response);
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

// `framers`: the pages that may show a card, as the policy lists them; empty: none may.
Outcome Serve(std::span<const EmbeddedFile> files, std::string_view framers,
              const HttpRequest& request, Exchange& exchange) {
  if (files.empty()) {
    SayText(404,
            "This prejoin was built without the studio (PREJOIN_STUDIO=OFF). The DynamoDB API and "
            "the model API work as usual.\n",
            exchange.response);
    return Outcome::kDone;
  }
  const std::string_view path = request.path().substr(kRoot.size());
  const bool is_card = path.starts_with(kCards);
  // Whoever opens the card in a tab of its own, as its author does, sees it all the same: nobody can frame it.
  if (is_card && framers.empty() && request.Header("sec-fetch-dest") == "iframe") {
    SayText(404,
            "Cards for other pages are disabled. `prejoin serve --allow-embed https://blog.example` "
            "lets the pages of that site show them.\n",
            exchange.response);
    return Outcome::kDone;
  }
  const EmbeddedFile* file = FileFor(files, is_card ? "" : path);
  if (file == nullptr) {
    SayText(404, "There is no such file in the studio.\n", exchange.response);
  } else {
    SendFile(*file, is_card && !framers.empty() ? framers : kNobody, request, exchange);
  }
  return Outcome::kDone;
}

bool IsHostCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '-' || c == ':' || c == '[' || c == ']';
}

}  // namespace

bool CanFrame(std::string_view origin) {
  if (origin == "*") {
    return true;
  }
  const std::size_t at = origin.find("://");
  const std::string_view scheme = origin.substr(0, at);
  if (at == std::string_view::npos || (scheme != "https" && scheme != "http")) {
    return false;
  }
  const std::string_view host = origin.substr(at + 3);
  return !host.empty() && std::all_of(host.begin(), host.end(), IsHostCharacter);
}

void AddPage(server::Dispatch& dispatch, std::span<const EmbeddedFile> files,
             const std::vector<std::string>& framers) {
  std::string listed;
  for (const std::string& origin : framers) {
    listed += (listed.empty() ? "" : " ") + origin;
  }
  dispatch.AddRoute(
      {Method::kGet, "/studio", [](const HttpRequest&, Exchange& exchange, Completion) {
         Redirect(kRoot, exchange.response);
         return Outcome::kDone;
       }});
  dispatch.AddRoute({Method::kGet, std::string(kRoot),
                     [files, listed = std::move(listed)](const HttpRequest& request,
                                                         Exchange& exchange, Completion) {
                       return Serve(files, listed, request, exchange);
                     }});
  if (!files.empty()) {
    dispatch.SendBrowsersTo(std::string(kRoot));
  }
}

}  // namespace prejoin::studio
