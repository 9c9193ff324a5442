// A small HTTP/1.1 client for one endpoint: POST, wait, answer. http:// only.
#ifndef PREJOIN_CLI_HTTP_ENDPOINT_H_
#define PREJOIN_CLI_HTTP_ENDPOINT_H_

#include <string>
#include <utility>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::model {

struct HttpAnswer {
  int status = 0;
  std::string body;
};

// Keeps its connection between requests. Single thread.
class HttpEndpoint {
 public:
  // "http://127.0.0.1:8000"
  static Result<HttpEndpoint> Parse(const std::string& url);
  HttpEndpoint(HttpEndpoint&& other) noexcept;
  HttpEndpoint& operator=(HttpEndpoint&&) = delete;
  ~HttpEndpoint();

  Result<HttpAnswer> Post(const std::vector<std::pair<std::string, std::string>>& headers,
                          const std::string& body);

  const std::string& host() const { return host_; }

 private:
  HttpEndpoint(std::string host, std::string port)
      : host_(std::move(host)), port_(std::move(port)) {}
  Status Connect();
  void Close();
  Status SendAll(const std::string& bytes);
  Result<HttpAnswer> ReadAnswer();
  // False at the end of the connection.
  Result<std::size_t> ReadMore();

  std::string host_;
  std::string port_;
  int socket_ = -1;
  std::string buffer_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_CLI_HTTP_ENDPOINT_H_
