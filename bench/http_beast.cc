// Boost.Beast as its documentation shows it: message parser, message serializer, one coroutine-free
// session per connection.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>

#include "bench/http_fixed_answer.h"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Socket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

namespace {

class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(Socket socket) : socket_(std::move(socket)) {}

  void Read() {
    request_ = {};
    http::async_read(socket_, buffer_, request_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) {
                         self->Write();
                       }
                     });
  }

 private:
  void Write() {
    response_ = {http::status::ok, request_.version()};
    response_.set(http::field::server, "bench");
    response_.set(http::field::date, "Thu, 01 Jan 2026 00:00:00 GMT");
    response_.set(http::field::content_type, "application/x-amz-json-1.0");
    response_.set("x-amzn-RequestId", prejoin::bench::kFixedRequestId);
    response_.set("x-amz-crc32", "2745614147");
    response_.keep_alive(request_.keep_alive());
    response_.body() = prejoin::bench::kFixedBody;
    response_.prepare_payload();
    http::async_write(socket_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (!error) {
                          self->Read();
                        }
                      });
  }

  Socket socket_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
};

void Accept(Acceptor& acceptor) {
  acceptor.async_accept([&acceptor](beast::error_code error, Socket socket) {
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
