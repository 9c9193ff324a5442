// AWS's limits of backups, beside limits.h.
#ifndef PREJOIN_BASE_BACKUP_LIMITS_H_
#define PREJOIN_BASE_BACKUP_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace prejoin {

inline constexpr std::int32_t kRecoveryDaysMax = 35;
inline constexpr std::int64_t kSystemBackupLifeMs = std::int64_t{35} * 24 * 60 * 60 * 1000;
inline constexpr std::size_t kRestoresMax = 50;  // In progress at once.

}  // namespace prejoin

#endif  // PREJOIN_BASE_BACKUP_LIMITS_H_
