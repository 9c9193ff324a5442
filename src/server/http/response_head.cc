#include "server/http/response_head.h"

#include <array>
#include <charconv>
#include <span>

#include "server/http/crc32.h"

namespace prejoin::server {
namespace {

void AppendNumber(std::uint64_t number, std::string& out) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void AppendStatusLine(int status, std::string& out) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\nServer: Server\r\n";
    return;
  }
  out += "HTTP/1.1 ";
  AppendNumber(static_cast<std::uint64_t>(status), out);
  out += ' ';
  out += ReasonPhrase(status);
  out += "\r\nServer: Server\r\n";
}

}  // namespace

void ResponseHead::Write(const HttpResponse& response, Persistence persistence, std::string& out) {
  AppendStatusLine(response.status, out);
  AppendDate(out);
  if (!response.content_type.empty()) {
    out += "Content-Type: ";
    out += response.content_type;
    out += "\r\n";
  }
  out += "Content-Length: ";
  AppendNumber(response.body.size(), out);
  if (persistence == Persistence::kClose) {
    out += "\r\nConnection: close";
  }
  if (persistence == Persistence::kKeepAlive) {
    out += "\r\nConnection: keep-alive";
  }
  out += "\r\nx-amzn-RequestId: ";
  const std::size_t id_at = out.size();
  out.resize(id_at + kRequestIdBytes);
  request_ids_.Next(std::span<char, kRequestIdBytes>(out.data() + id_at, kRequestIdBytes));
  out += "\r\nx-amz-crc32: ";
  AppendNumber(Crc32(response.body), out);
  out += "\r\n";
  out += response.headers;
  out += "\r\n";
}

void ResponseHead::AppendDate(std::string& out) {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (now.tv_sec != date_second_ || date_line_.empty()) {
    tm parts;
    gmtime_r(&now.tv_sec, &parts);
    std::array<char, 64> line;
    const std::size_t length =
        std::strftime(line.data(), line.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
    date_line_.assign(line.data(), length);
    date_second_ = now.tv_sec;
  }
  out += date_line_;
}

}  // namespace prejoin::server
