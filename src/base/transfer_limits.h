// Limits of export and import. AWS's own unless the comment says otherwise. Apart from limits.h,
// because few files need them.
#ifndef PREJOIN_BASE_TRANSFER_LIMITS_H_
#define PREJOIN_BASE_TRANSFER_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace prejoin {

inline constexpr std::size_t kTransferPageMax = 25;    // The most entries in one ListImports or ListExports page.
inline constexpr std::size_t kImportsAtOnceMax = 50;   // Imports that are not finished.
inline constexpr std::size_t kExportsAtOnceMax = 300;  // Exports that are not finished.
inline constexpr std::int64_t kTransferTokenMs = 8 * 60 * 60 * 1000;
inline constexpr std::int64_t kTransferListedMs = std::int64_t{90} * 24 * 60 * 60 * 1000;
inline constexpr std::int64_t kIncrementalExportMsMin = 15 * 60 * 1000;
inline constexpr std::int64_t kIncrementalExportMsMax = 24 * 60 * 60 * 1000;

// Our own.
inline constexpr std::size_t kImportLineBytesMax = 4 * 1024 * 1024;  // One item as text.
inline constexpr std::size_t kImportFilesMax = 100'000;
inline constexpr std::size_t kImportErrorsLogged = 1000;
inline constexpr std::int64_t kExportFileItemsMax = 250'000;

}  // namespace prejoin

#endif  // PREJOIN_BASE_TRANSFER_LIMITS_H_
