// A kept connection to another gateway, and one HTTP exchange after the other on it.
#ifndef PREJOIN_SERVER_CLUSTER_PEER_CONNECTION_H_
#define PREJOIN_SERVER_CLUSTER_PEER_CONNECTION_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace prejoin::server {

enum class PeerOutcome {
  kAnswered,
  kNotSent,  // The peer cannot have got the whole request: it is as if nobody had asked.
  kUnknown,  // It may have got it, and done anything with it.
};

struct PeerAnswer {
  PeerOutcome outcome = PeerOutcome::kNotSent;
  int status = 0;
  std::string headers;  // Lines with their CRLF; without those that belong to the connection.
  std::string body;
  bool not_leader = false;  // The peer has refused to do anything because it does not lead.
};

// Single thread.
class PeerConnection {
 public:
  PeerConnection() = default;
  ~PeerConnection() { Close(); }
  PeerConnection(const PeerConnection&) = delete;
  PeerConnection& operator=(const PeerConnection&) = delete;

  struct Request {
    std::string address;  // host:port
    std::string_view head;
    std::string_view body;
    bool has_no_answer_body = false;  // HEAD
  };
  // `give_up` is asked several times a second.
  PeerAnswer Ask(const Request& request, const std::function<bool()>& give_up);

 private:
  bool Connect(const std::string& address, const std::function<bool()>& give_up);
  void Close();
  // Nothing has arrived on it, not even its end.
  bool IsFresh() const;
  bool Send(std::string_view bytes, const std::function<bool()>& give_up, std::size_t& sent);
  // Appends to input_; false at the end of the connection.
  bool Receive(const std::function<bool()>& give_up);
  bool ReadAnswer(const Request& request, const std::function<bool()>& give_up, PeerAnswer& answer);
  bool WaitFor(short events, const std::function<bool()>& give_up) const;

  int socket_ = -1;
  std::string address_;
  std::string input_;
  std::chrono::steady_clock::time_point used_;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_CLUSTER_PEER_CONNECTION_H_
