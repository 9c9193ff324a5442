// The checksum of RocksDB's log records.
#ifndef PREJOIN_STORAGE_CRC32C_H_
#define PREJOIN_STORAGE_CRC32C_H_

#include <cstdint>
#include <string_view>

namespace prejoin::storage {

// CRC-32C (Castagnoli) of `bytes` behind data whose checksum is `before`; 0 for none.
std::uint32_t Crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_CRC32C_H_
