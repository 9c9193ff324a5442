// MD5, which the manifests of exports carry. A checksum against accidents, not against attackers.
#ifndef PREJOIN_TRANSFER_MD5_H_
#define PREJOIN_TRANSFER_MD5_H_

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace prejoin::transfer {

// Single thread.
class Md5 {
 public:
  using Digest = std::string;  // Sixteen bytes.

  Md5();
  void Add(std::string_view bytes);
  // Once, at the end.
  Digest Finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* state) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> state_;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_MD5_H_
