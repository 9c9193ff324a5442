// Plain epoll with Beast's basic_parser: the parser without Asio.
#include "bench/http_epoll_loop.h"
#include "bench/http_view_parser.h"

int main(int argc, char** argv) {
  std::optional<prejoin::bench::ViewParser> parser;
  return prejoin::bench::RunEpollLoop(prejoin::bench::PortFrom(argc, argv),
                                      [&parser](const char* data, std::size_t size) {
                                        return prejoin::bench::ParseRequest(parser, data, size);
                                      });
}
