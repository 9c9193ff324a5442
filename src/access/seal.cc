// A sealed text is a random number used once (12 bytes), the encrypted text, and a tag (16 bytes) that shows every change of either, of the
// key and of the purpose.
#include "access/seal.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include "base/check.h"

namespace prejoin::access {
namespace {

constexpr int kNonceBytes = 12;
constexpr int kTagBytes = 16;

struct CipherDeleter {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, CipherDeleter>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

Error NotSealedHere() { return Error{ErrorCode::kValidation, "it was not sealed with this key"}; }

int HexValue(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  PJ_CHECK(RAND_bytes(Bytes(bytes), static_cast<int>(count)) == 1);
  return bytes;
}

std::string RandomLetters(std::size_t count) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text = RandomBytes(count);
  for (char& c : text) {
    c = kLetters[static_cast<unsigned char>(c) % kLetters.size()];
  }
  return text;
}

Seal::Seal(std::string key) : key_(std::move(key)) { PJ_CHECK(key_.size() == kSealKeyBytes); }

Result<Seal> Seal::FromFile(const std::string& path) {
  struct stat found {};
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  if (stat(path.c_str(), &found) == 0 && (found.st_mode & kOthers) != 0) {
    return Error{ErrorCode::kValidation, "the key file " + path +
                                             " can be used by others than its owner: everybody who "
                                             "reads it can read all secrets. Run\n  chmod 600 " +
                                             path};
  }
  std::ifstream file(path);
  std::string text;
  if (!file || !(file >> text)) {
    return Error{ErrorCode::kIo, "cannot read the key file " + path + ": " + std::strerror(errno)};
  }
  std::string key;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = HexValue(text[i]);
    const int low = HexValue(text[i + 1]);
    if (high < 0 || low < 0) {
      break;
    }
    key.push_back(static_cast<char>(high * 16 + low));
  }
  if (key.size() != kSealKeyBytes || text.size() != 2 * kSealKeyBytes) {
    return Error{ErrorCode::kValidation, "the key file " + path + " is not 64 hexadecimal digits"};
  }
  return Seal(std::move(key));
}

Result<Seal> Seal::CreateFile(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd < 0) {
    return Error{ErrorCode::kIo, "cannot make the key file " + path + ": " + std::strerror(errno)};
  }
  std::string key = RandomBytes(kSealKeyBytes);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  text += '\n';
  const bool written =
      write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(fd) == 0;
  const int error = errno;
  close(fd);
  if (!written) {
    return Error{ErrorCode::kIo, "cannot write the key file " + path + ": " + std::strerror(error)};
  }
  return Seal(std::move(key));
}

std::string Seal::Close(std::string_view text, std::string_view purpose) const {
  std::string sealed = RandomBytes(kNonceBytes);
  sealed.resize(kNonceBytes + text.size() + kTagBytes);
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int size = 0;
  PJ_CHECK(cipher != nullptr);
  PJ_CHECK(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr,
                              Bytes(std::string_view(key_)), Bytes(sealed)) == 1);
  PJ_CHECK(EVP_EncryptUpdate(cipher.get(), nullptr, &size, Bytes(purpose),
                             static_cast<int>(purpose.size())) == 1);
  PJ_CHECK(EVP_EncryptUpdate(cipher.get(), Bytes(sealed) + kNonceBytes, &size, Bytes(text),
                             static_cast<int>(text.size())) == 1);
  PJ_CHECK(EVP_EncryptFinal_ex(cipher.get(), Bytes(sealed) + kNonceBytes + size, &size) == 1);
  PJ_CHECK(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes,
                               Bytes(sealed) + kNonceBytes + text.size()) == 1);
  return sealed;
}

Result<std::string> Seal::Open(std::string_view sealed, std::string_view purpose) const {
  if (sealed.size() < kNonceBytes + kTagBytes) {
    return NotSealedHere();
  }
  std::string text(sealed.size() - kNonceBytes - kTagBytes, '\0');
  std::string tag(sealed.substr(sealed.size() - kTagBytes));
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int size = 0;
  PJ_CHECK(cipher != nullptr);
  PJ_CHECK(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr,
                              Bytes(std::string_view(key_)), Bytes(sealed)) == 1);
  PJ_CHECK(EVP_DecryptUpdate(cipher.get(), nullptr, &size, Bytes(purpose),
                             static_cast<int>(purpose.size())) == 1);
  PJ_CHECK(EVP_DecryptUpdate(cipher.get(), Bytes(text), &size, Bytes(sealed) + kNonceBytes,
                             static_cast<int>(text.size())) == 1);
  PJ_CHECK(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, Bytes(tag)) == 1);
  if (EVP_DecryptFinal_ex(cipher.get(), Bytes(text) + size, &size) != 1) {
    return NotSealedHere();
  }
  return text;
}

}  // namespace prejoin::access
