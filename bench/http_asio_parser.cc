// Asio sockets with Beast's basic_parser underneath: header fields stay views into the read buffer,
// the answer is one write.
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>

#include "bench/http_fixed_answer.h"
#include "bench/http_view_parser.h"

namespace asio = boost::asio;
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

namespace {

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(Socket socket) : socket_(std::move(socket)) {}

  void Read() {
    socket_.async_read_some(
        asio::buffer(in_.data() + size_, in_.size() - size_),
        [self = shared_from_this()](boost::system::error_code error, std::size_t bytes) {
          if (!error) {
            self->OnRead(bytes);
          }
        });
  }

 private:
  void OnRead(std::size_t bytes) {
    size_ += bytes;
    const std::size_t used = prejoin::bench::ParseRequest(parser_, in_.data(), size_);
    if (used == 0) {
      return Read();
    }
    std::copy(in_.data() + used, in_.data() + size_, in_.data());
    size_ -= used;
    out_ = prejoin::bench::FixedResponse();
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                        if (!error) {
                          self->Read();
                        }
                      });
  }

  Socket socket_;
  std::optional<prejoin::bench::ViewParser> parser_;
  std::array<char, 8192> in_;
  std::size_t size_ = 0;
  std::string out_;
};

void Accept(Acceptor& acceptor) {
  acceptor.async_accept([&acceptor](boost::system::error_code error, Socket socket) {
    if (!error) {
      socket.set_option(asio::ip::tcp::no_delay(true));
      std::make_shared<Session>(std::move(socket))->Read();
    }
    Accept(acceptor);
  });
}

}  // namespace

int main(int argc, char** argv) {
  asio::io_context io(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  Acceptor acceptor(io, {asio::ip::address_v4::loopback(), prejoin::bench::PortFrom(argc, argv)});
  Accept(acceptor);
  io.run();
}
