// A level-triggered epoll loop in its barest form; `Parse(data, size)` gives the length of the
// first whole request, or 0.
#ifndef PREJOIN_BENCH_HTTP_EPOLL_LOOP_H_
#define PREJOIN_BENCH_HTTP_EPOLL_LOOP_H_

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

#include "bench/http_fixed_answer.h"

namespace prejoin::bench {

struct EpollConnection {
  int fd;
  std::size_t size = 0;
  std::array<char, 8192> in;
  std::string out;
};

template <class Parse>
bool Serve(EpollConnection& connection, Parse&& parse) {
  const auto bytes = recv(connection.fd, connection.in.data() + connection.size,
                          connection.in.size() - connection.size, 0);
  if (bytes <= 0) {
    return false;
  }
  connection.size += static_cast<std::size_t>(bytes);
  const std::size_t used = parse(connection.in.data(), connection.size);
  if (used == 0) {
    return true;
  }
  std::copy(connection.in.data() + used, connection.in.data() + connection.size,
            connection.in.data());
  connection.size -= used;
  connection.out = FixedResponse();
  return send(connection.fd, connection.out.data(), connection.out.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(connection.out.size());
}

template <class Parse>
int RunEpollLoop(std::uint16_t port, Parse&& parse) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return 2;
  }
  if (listen(listener, 1024) != 0) {
    return 2;
  }
  const int epoll = epoll_create1(0);
  epoll_event event{EPOLLIN, {nullptr}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  std::array<epoll_event, 128> events;
  while (true) {
    const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      auto* connection =
          static_cast<EpollConnection*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (connection == nullptr) {
        const int fd = accept(listener, nullptr, nullptr);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_event added{EPOLLIN, {new EpollConnection{fd, 0, {}, {}}}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &added);
      } else if (!Serve(*connection, parse)) {
        close(connection->fd);
        delete connection;
      }
    }
  }
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_HTTP_EPOLL_LOOP_H_
