// Plain epoll with Node's old http-parser (Debian: libhttp-parser-dev).
#include <http_parser.h>

#include <string_view>

#include "bench/http_epoll_loop.h"

namespace {

struct Seen {
  std::array<std::string_view, 128> parts;
  std::size_t count = 0;
  bool done = false;
};

int Note(http_parser* parser, const char* at, std::size_t length) {
  auto* seen = static_cast<Seen*>(parser->data);
  if (seen->count < seen->parts.size()) {
    seen->parts[seen->count++] = {at, length};
  }
  return 0;
}

int Complete(http_parser* parser) {
  static_cast<Seen*>(parser->data)->done = true;
  http_parser_pause(parser, 1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  settings.on_url = Note;
  settings.on_header_field = Note;
  settings.on_header_value = Note;
  settings.on_body = Note;
  settings.on_message_complete = Complete;
  return prejoin::bench::RunEpollLoop(
      prejoin::bench::PortFrom(argc, argv), [&settings](const char* data, std::size_t size) {
        http_parser parser;
        Seen seen;
        http_parser_init(&parser, HTTP_REQUEST);
        parser.data = &seen;
        const std::size_t used = http_parser_execute(&parser, &settings, data, size);
        return seen.done ? std::min(used + 1, size) : std::size_t{0};
      });
}
