#include "transfer/md5.h"

#include <openssl/evp.h>

#include "base/check.h"

namespace prejoin::transfer {

void Md5::Free::operator()(evp_md_ctx_st* state) const { EVP_MD_CTX_free(state); }

Md5::Md5() : state_(EVP_MD_CTX_new()) {
  PJ_CHECK(state_ != nullptr);
  PJ_CHECK(EVP_DigestInit_ex(state_.get(), EVP_md5(), nullptr) == 1);
}

void Md5::Add(std::string_view bytes) {
  PJ_CHECK(EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()) == 1);
}

Md5::Digest Md5::Finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  PJ_CHECK(EVP_DigestFinal_ex(state_.get(), digest, &size) == 1);
  return Digest(reinterpret_cast<const char*>(digest), size);
}

}  // namespace prejoin::transfer
