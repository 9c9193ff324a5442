// The sockets on which clients arrive.
#ifndef PREJOIN_SERVER_HTTP_LISTENER_H_
#define PREJOIN_SERVER_HTTP_LISTENER_H_

#include <sys/socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/result.h"
#include "server/log.h"

namespace prejoin::server {

// Thread-compatible; Stop may be called from any thread.
class Listener {
 public:
  // Port 0: the system chooses. "localhost" also takes the IPv6 loopback address if it can. The
  // error says who holds the port's name and why it failed.
  static Result<std::unique_ptr<Listener>> Open(const std::string& host, std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const { return port_; }

  // Hands every new socket (non-blocking, without delay) to `take`, until Stop. Clients that had connected by then are still
  // handed over. While there are no descriptors, clients are told to come back, or wait in the queue; `log` gets a line
  // when that begins and one when it ends.
  using Take = FunctionRef<void(int fd, const sockaddr_storage& address)>;
  void Run(Log& log, Take take);
  void Stop();

 private:
  Listener(std::vector<int> listen_fds, int wake_fd, int spare_fd, std::uint16_t port);
  // False if there are no descriptors, not even to turn a client away.
  bool AcceptAll(int listen_fd, Log& log, Take take);
  bool TurnAwayOne(int listen_fd);

  const std::vector<int> listen_fds_;
  const int wake_fd_;
  // Given up for a moment when there are no descriptors left, so that a client can be told.
  int spare_fd_;
  bool short_of_files_ = false;
  const std::uint16_t port_;
};

// Tells the client to come back later, and closes `fd`. Does not block.
void TurnAway(int fd);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_LISTENER_H_
