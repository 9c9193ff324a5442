#include "rados/lock_end.h"

#include <gtest/gtest.h>

#include <string>

namespace prejoin::rados {
namespace {

std::string Little(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(number >> (8 * i)));
  }
  return text;
}

std::string Structure(const std::string& members) {
  return std::string("\1\1", 2) + Little(members.size(), 4) + members;
}

std::string Locker(const std::string& cookie) {
  return Structure(std::string("\10", 1) + Little(4711, 8) + Little(cookie.size(), 4) + cookie);
}

std::string Lock(std::uint64_t seconds, std::uint64_t nanoseconds) {
  return Structure(Little(seconds, 4) + Little(nanoseconds, 4) + "an address, a description");
}

const std::string kInfo =
    Structure(Little(2, 4) + Locker("other") + Lock(1, 0) + Locker("mine") +
              Lock(1'700'000'000, 123'456'789) + std::string("\2", 1) + Little(0, 4));

TEST(LockEnd, IsThatOfTheCookie) {
  EXPECT_EQ(LockEndMs(kInfo, "mine"), 1'700'000'000'123);
  EXPECT_EQ(LockEndMs(kInfo, "other"), 1'000);
  EXPECT_EQ(LockEndMs(kInfo, "nobody's"), std::nullopt);
}

// As an OSD of Ceph 16.2 wrote it, with two locks of five seconds.
TEST(LockEnd, IsReadAsCephWritesIt) {
  constexpr std::string_view kHex =
      "0101a500000002000000010111000000081010000000000000040000006d696e6501012f000000f2"
      "1efb6af7ad5e0f0101011c0000000100000045993e4810000000020000007f000001000000000000"
      "000000000000010110000000081010000000000000030000006f6e6501012f000000f11efb6abc25"
      "ca300101011c0000000100000045993e4810000000020000007f0000010000000000000000000000"
      "000205000000636c6f636b";
  std::string info;
  for (std::size_t at = 0; at < kHex.size(); at += 2) {
    info.push_back(static_cast<char>(std::stoi(std::string(kHex.substr(at, 2)), nullptr, 16)));
  }
  EXPECT_EQ(LockEndMs(info, "mine"), 1'794'842'354'257);
  EXPECT_EQ(LockEndMs(info, "one"), 1'794'842'353'818);
}

TEST(LockEnd, IsNotReadFromWhatIsCutOff) {
  std::size_t read = 0;
  for (std::size_t bytes = 0; bytes < kInfo.size(); ++bytes) {
    read += LockEndMs(std::string_view(kInfo).substr(0, bytes), "mine").has_value() ? 1 : 0;
  }
  EXPECT_EQ(read, 0u);
  // A length beyond the end, and more locks than there are.
  EXPECT_EQ(LockEndMs(std::string("\1\1\xff\xff\xff\xff", 6), "mine"), std::nullopt);
  EXPECT_EQ(LockEndMs(Structure(Little(0xffffffff, 4)), "mine"), std::nullopt);
}

}  // namespace
}  // namespace prejoin::rados
