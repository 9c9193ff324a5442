// The checksum of x-amz-crc32: that of gzip and zlib.
#ifndef PREJOIN_SERVER_HTTP_CRC32_H_
#define PREJOIN_SERVER_HTTP_CRC32_H_

#include <cstdint>
#include <string_view>

namespace prejoin::server {

std::uint32_t Crc32(std::string_view bytes);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_CRC32_H_
