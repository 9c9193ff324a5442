// libh2o with its own event loop.
#define H2O_USE_LIBUV 0
extern "C" {
#include <h2o.h>
#include <h2o/http1.h>
}
#include <netinet/in.h>
#include <unistd.h>

#include "bench/http_fixed_answer.h"

namespace {

h2o_accept_ctx_t accept_context;

int Answer(h2o_handler_t*, h2o_req_t* request) {
  static h2o_generator_t generator = {nullptr, nullptr};
  static const h2o_iovec_t id_name = h2o_iovec_init("x-amzn-requestid", 16);
  static const h2o_iovec_t crc_name = h2o_iovec_init("x-amz-crc32", 11);
  request->res.status = 200;
  request->res.reason = "OK";
  request->res.content_length = prejoin::bench::kFixedBody.size();
  h2o_add_header(&request->pool, &request->res.headers, H2O_TOKEN_CONTENT_TYPE, nullptr,
                 "application/x-amz-json-1.0", 26);
  h2o_add_header_by_str(&request->pool, &request->res.headers, id_name.base, id_name.len, 0,
                        nullptr, prejoin::bench::kFixedRequestId.data(),
                        prejoin::bench::kFixedRequestId.size());
  h2o_add_header_by_str(&request->pool, &request->res.headers, crc_name.base, crc_name.len, 0,
                        nullptr, "2745614147", 10);
  h2o_start_response(request, &generator);
  h2o_iovec_t body =
      h2o_iovec_init(prejoin::bench::kFixedBody.data(), prejoin::bench::kFixedBody.size());
  h2o_send(request, &body, 1, H2O_SEND_STATE_FINAL);
  return 0;
}

void OnAccept(h2o_socket_t* listener, const char* error) {
  if (error != nullptr) {
    return;
  }
  while (h2o_socket_t* socket = h2o_evloop_socket_accept(listener)) {
    h2o_accept(&accept_context, socket);
  }
}

}  // namespace

int main(int argc, char** argv) {
  h2o_globalconf_t config;
  h2o_config_init(&config);
  h2o_hostconf_t* host = h2o_config_register_host(&config, h2o_iovec_init("default", 7), 65535);
  h2o_pathconf_t* path = h2o_config_register_path(host, "/", 0);
  h2o_create_handler(path, sizeof(h2o_handler_t))->on_req = Answer;
  h2o_context_t context;
  h2o_context_init(&context, h2o_evloop_create(), &config);
  accept_context.ctx = &context;
  accept_context.hosts = config.hosts;

  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(prejoin::bench::PortFrom(argc, argv));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(fd, 1024) != 0) {
    return 2;
  }
  h2o_socket_t* listener = h2o_evloop_socket_create(context.loop, fd, H2O_SOCKET_FLAG_DONT_READ);
  h2o_socket_read_start(listener, OnAccept);
  while (h2o_evloop_run(context.loop, INT32_MAX) == 0) {
  }
}
