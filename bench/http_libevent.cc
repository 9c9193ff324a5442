// libevent's evhttp.
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

#include "bench/http_fixed_answer.h"

namespace {

void Answer(evhttp_request* request, void*) {
  auto* headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "Server", "bench");
  evhttp_add_header(headers, "Content-Type", "application/x-amz-json-1.0");
  evhttp_add_header(headers, "x-amzn-RequestId", prejoin::bench::kFixedRequestId.data());
  evhttp_add_header(headers, "x-amz-crc32", "2745614147");
  evbuffer* body = evbuffer_new();
  evbuffer_add_reference(body, prejoin::bench::kFixedBody.data(), prejoin::bench::kFixedBody.size(),
                         nullptr, nullptr);
  evhttp_send_reply(request, 200, "OK", body);
  evbuffer_free(body);
}

}  // namespace

int main(int argc, char** argv) {
  event_base* base = event_base_new();
  evhttp* server = evhttp_new(base);
  evhttp_set_gencb(server, Answer, nullptr);
  if (evhttp_bind_socket(server, "127.0.0.1", prejoin::bench::PortFrom(argc, argv)) != 0) {
    return 2;
  }
  event_base_dispatch(base);
}
