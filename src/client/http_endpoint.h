// A small HTTP/1.1 client for one endpoint: send, wait, answer. With https:// the certificate must
// be good.
#ifndef PREJOIN_CLIENT_HTTP_ENDPOINT_H_
#define PREJOIN_CLIENT_HTTP_ENDPOINT_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::client {

class TlsSession;

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// Keeps its connection between requests. Single thread.
class HttpEndpoint {
 public:
  // "http://127.0.0.1:8000" or "https://dynamodb.eu-central-1.amazonaws.com"
  static Result<HttpEndpoint> Parse(const std::string& url);
  HttpEndpoint(HttpEndpoint&& other) noexcept;
  HttpEndpoint& operator=(HttpEndpoint&&) = delete;
  ~HttpEndpoint();

  // `headers` has "Host".
  Result<HttpAnswer> Post(const std::vector<std::pair<std::string, std::string>>& headers,
                          const std::string& body);

  // For paths of a server's own, such as /healthz.
  Result<HttpAnswer> Get(const std::string& path);

  // Asked a few times a second while an answer is waited for; once it says true, the request ends with an error and is not sent again.
  void GiveUpWhen(std::function<bool()> gave_up) { gave_up_ = std::move(gave_up); }

  const std::string& host() const { return host_; }
  // For the Host header: without the port where it is the scheme's own.
  std::string HostHeader() const;

 private:
  enum class Scheme { kHttp, kHttps };

  HttpEndpoint(Scheme scheme, std::string host, std::string port);
  Status Connect();
  void Close();
  // Once more on a new connection, if a kept one was closed by the other side meanwhile.
  Result<HttpAnswer> Exchange(const std::string& request);
  // On a connection that exists or a new one; closes it if there is no answer.
  Result<HttpAnswer> SendAndRead(const std::string& request);
  Status SendAll(const std::string& bytes);
  Result<HttpAnswer> ReadAnswer();
  // Waits until there is something to read. False if the caller gave up before.
  bool AwaitBytes() const;
  // 0 at the end of the connection.
  Result<std::size_t> ReadMore();

  Scheme scheme_;
  std::string host_;
  std::string port_;
  int socket_ = -1;
  std::unique_ptr<TlsSession> tls_;  // Null for http://.
  std::string buffer_;
  std::function<bool()> gave_up_;  // Empty: never.
  bool interrupted_ = false;       // Nobody waits for the answer of the last request any more.
};

}  // namespace prejoin::client

#endif  // PREJOIN_CLIENT_HTTP_ENDPOINT_H_
