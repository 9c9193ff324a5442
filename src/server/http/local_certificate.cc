#include "server/http/local_certificate.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

namespace prejoin::server {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kAuthorityDays = 3'650;
constexpr std::int64_t kCertificateDays = 397;     // Some clients refuse longer ones.
constexpr std::int64_t kRenewDays = 30;            // Before it expires.
constexpr std::int64_t kBackdatedSeconds = 3'600;  // For clocks that are late.

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* one) const {
    kFree(one);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

struct Signer {
  Certificate certificate;
  Key key;

  explicit operator bool() const { return certificate != nullptr && key != nullptr; }
};

Error FileError(const std::string& what, const std::string& path) {
  return Error{ErrorCode::kIo, "cannot " + what + " " + path + ": " + std::strerror(errno)};
}

Error MakeError() {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  return Error{ErrorCode::kIo, std::string("cannot make a certificate: ") + reason.data()};
}

// Whole or not at all: written beside it, then moved.
Status WriteFile(const std::string& path, BIO* contents, mode_t mode) {
  const std::string beside = path + ".new";
  unlink(beside.c_str());
  const int fd = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) {
    return FileError("write", beside);
  }
  char* data = nullptr;
  const long size = BIO_get_mem_data(contents, &data);
  const bool written = write(fd, data, static_cast<std::size_t>(size)) == size && fsync(fd) == 0;
  close(fd);
  if (!written || rename(beside.c_str(), path.c_str()) != 0) {
    return FileError("write", path);
  }
  return {};
}

Status SaveKey(const std::string& path, EVP_PKEY* key) {
  const Bio text(BIO_new(BIO_s_mem()));
  if (!text ||
      PEM_write_bio_PrivateKey(text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return MakeError();
  }
  return WriteFile(path, text.get(), 0600);
}

Status SaveCertificate(const std::string& path, X509* certificate) {
  const Bio text(BIO_new(BIO_s_mem()));
  if (!text || PEM_write_bio_X509(text.get(), certificate) != 1) {
    return MakeError();
  }
  return WriteFile(path, text.get(), 0644);
}

// Empty where a file is missing or damaged, or the key is another one's: then it is made again.
Signer Load(const std::string& certificate_path, const std::string& key_path) {
  Signer signer;
  if (const Bio file(BIO_new_file(certificate_path.c_str(), "r")); file) {
    signer.certificate.reset(PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr));
  }
  if (const Bio file(BIO_new_file(key_path.c_str(), "r")); file) {
    signer.key.reset(PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr));
  }
  if (!signer || X509_check_private_key(signer.certificate.get(), signer.key.get()) != 1) {
    signer = {};
  }
  ERR_clear_error();
  return signer;
}

std::int64_t ExpiryOf(const X509* certificate) {
  std::tm time{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) != 1) {
    return 0;
  }
  return timegm(&time);
}

bool AddExtension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// Version 3, a serial number of its own, a name, a time, the key.
bool Begin(X509* certificate, EVP_PKEY* key, const std::string& name, std::int64_t now_s,
           std::int64_t days) {
  std::array<unsigned char, 16> serial{};
  if (RAND_bytes(serial.data(), serial.size()) != 1) {
    return false;
  }
  serial[0] = (serial[0] & 0x7f) | 0x40;  // Positive, and of full length.
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(
      BN_bin2bn(serial.data(), serial.size(), nullptr));
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  return number && X509_set_version(certificate, 2) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr &&
         ASN1_TIME_set(X509_getm_notBefore(certificate), now_s - kBackdatedSeconds) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), now_s + days * kDay) != nullptr &&
         X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, text,
                                    -1, -1, 0) == 1 &&
         X509_set_pubkey(certificate, key) == 1;
}

Result<Signer> MakeAuthority(std::int64_t now_s) {
  Signer made{Certificate(X509_new()), Key(EVP_EC_gen("P-256"))};
  if (!made) {
    return MakeError();
  }
  X509* certificate = made.certificate.get();
  // Two authorities of one machine must have two names, or a client that trusts the old one asks it for the new one's key.
  std::array<unsigned char, 4> number{};
  RAND_bytes(number.data(), number.size());
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "Prejoin local authority %02x%02x%02x%02x", number[0],
                number[1], number[2], number[3]);
  if (!Begin(certificate, made.key.get(), name.data(), now_s, kAuthorityDays) ||
      X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) != 1 ||
      !AddExtension(certificate, certificate, NID_basic_constraints,
                    "critical,CA:TRUE,pathlen:0") ||
      !AddExtension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign") ||
      !AddExtension(certificate, certificate, NID_subject_key_identifier, "hash") ||
      X509_sign(certificate, made.key.get(), EVP_sha256()) == 0) {
    return MakeError();
  }
  return made;
}

bool IsAddress(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

// The addresses that a certificate can name. An address that stands for all of the machine's addresses is not one of them.
std::vector<std::string> NamesFor(const std::vector<std::string>& hosts) {
  std::vector<std::string> names = {"localhost", "127.0.0.1", "::1"};
  std::array<char, 256> machine{};
  if (gethostname(machine.data(), machine.size() - 1) == 0) {
    names.emplace_back(machine.data());
  }
  names.insert(names.end(), hosts.begin(), hosts.end());
  const auto cannot = [](const std::string& name) {
    const bool plain = name.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:_") ==
                       std::string::npos;
    return name.empty() || !plain || name == "0.0.0.0" || name == "::" ||
           (name.find(':') != std::string::npos && !IsAddress(name));
  };
  std::erase_if(names, cannot);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool IsFor(X509* certificate, const std::string& name) {
  if (IsAddress(name)) {
    return X509_check_ip_asc(certificate, name.c_str(), 0) == 1;
  }
  return X509_check_host(certificate, name.c_str(), name.size(), 0, nullptr) == 1;
}

Result<Signer> MakeCertificate(const Signer& authority, const std::vector<std::string>& names,
                               std::int64_t now_s) {
  Signer made{Certificate(X509_new()), Key(EVP_EC_gen("P-256"))};
  if (!made) {
    return MakeError();
  }
  X509* certificate = made.certificate.get();
  X509* issuer = authority.certificate.get();
  std::string alternatives;
  for (const std::string& name : names) {
    alternatives +=
        (alternatives.empty() ? "" : ",") + std::string(IsAddress(name) ? "IP:" : "DNS:") + name;
  }
  // A name of the certificate's subject is looked at by nobody where there are alternatives.
  if (!Begin(certificate, made.key.get(), "localhost", now_s, kCertificateDays) ||
      X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) != 1 ||
      !AddExtension(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") ||
      !AddExtension(certificate, issuer, NID_key_usage, "critical,digitalSignature") ||
      !AddExtension(certificate, issuer, NID_ext_key_usage, "serverAuth") ||
      !AddExtension(certificate, issuer, NID_subject_alt_name, alternatives) ||
      !AddExtension(certificate, issuer, NID_subject_key_identifier, "hash") ||
      !AddExtension(certificate, issuer, NID_authority_key_identifier, "keyid:always") ||
      X509_sign(certificate, authority.key.get(), EVP_sha256()) == 0) {
    return MakeError();
  }
  return made;
}

bool Fits(const Signer& made, const Signer& authority, const std::vector<std::string>& names,
          std::int64_t now_s) {
  X509* certificate = made.certificate.get();
  return made && ExpiryOf(certificate) > now_s + kRenewDays * kDay &&
         X509_verify(certificate, X509_get0_pubkey(authority.certificate.get())) == 1 &&
         std::ranges::all_of(names,
                             [&](const std::string& name) { return IsFor(certificate, name); });
}

// Only one process at a time makes certificates in a folder. The end of the process ends the lock too.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    locked_ = fd_ >= 0 && flock(fd_, LOCK_EX) == 0;
  }
  ~FolderLock() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  bool locked() const { return locked_; }

 private:
  int fd_;
  bool locked_ = false;
};

}  // namespace

Result<LocalCertificate> EnsureLocalCertificate(const std::string& folder,
                                                const std::vector<std::string>& hosts,
                                                std::int64_t now_s) {
  if (std::error_code failed; !std::filesystem::exists(folder, failed)) {
    // Private keys will be in it.
    const mode_t before = umask(077);
    std::filesystem::create_directories(folder, failed);
    umask(before);
  }
  const FolderLock lock(folder);
  if (!lock.locked()) {
    return FileError("use the folder", folder);
  }
  LocalCertificate out{folder + "/ca.pem", folder + "/cert.pem", folder + "/key.pem"};
  const std::string authority_key_path = folder + "/ca-key.pem";
  Signer authority = Load(out.authority_path, authority_key_path);
  if (!authority || ExpiryOf(authority.certificate.get()) < now_s + kCertificateDays * kDay) {
    PJ_ASSIGN_OR_RETURN(authority, MakeAuthority(now_s));
    PJ_RETURN_IF_ERROR(SaveKey(authority_key_path, authority.key.get()));
    PJ_RETURN_IF_ERROR(SaveCertificate(out.authority_path, authority.certificate.get()));
  }
  const std::vector<std::string> names = NamesFor(hosts);
  Signer certificate = Load(out.certificate_path, out.key_path);
  if (!Fits(certificate, authority, names, now_s)) {
    PJ_ASSIGN_OR_RETURN(certificate, MakeCertificate(authority, names, now_s));
    PJ_RETURN_IF_ERROR(SaveKey(out.key_path, certificate.key.get()));
    PJ_RETURN_IF_ERROR(SaveCertificate(out.certificate_path, certificate.certificate.get()));
  }
  out.renew_at_s = ExpiryOf(certificate.certificate.get()) - kRenewDays * kDay;
  return out;
}

}  // namespace prejoin::server
