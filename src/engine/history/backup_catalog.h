// All backups there are. A backup is a number in the history of its table, and the table's
// definition at that moment; the items stay where they are (docs/adr/0013).
#ifndef PREJOIN_ENGINE_HISTORY_BACKUP_CATALOG_H_
#define PREJOIN_ENGINE_HISTORY_BACKUP_CATALOG_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/stream/sequence_number.h"
#include "engine/table/table.h"
#include "prejoin/backups.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

struct Backup {
  BackupDetails details;
  std::int64_t item_count = 0;
  SequenceNumber number = 0;
  TablePtr table;  // The unchanged table, which keeps a history. Nothing works with this object.

  KeptTable kept() const { return {.space = table->space, .history_space = table->history->space}; }
};

using BackupPtr = std::shared_ptr<const Backup>;

// Each backup holds its number (HistoryHolds). Thread-safe.
class BackupCatalog {
 public:
  explicit BackupCatalog(Engine& engine) : engine_(engine) {}

  // After the catalog of tables, before anything else.
  Status Load() PJ_EXCLUDES(mutex_);

  // Makes and stores a backup of this version of a table. Somebody holds the number.
  struct Request {
    std::string name;
    BackupType type = BackupType::kUser;
    SequenceNumber number = 0;
    std::optional<std::int64_t> expires_ms;
  };
  struct Made {
    BackupPtr backup;
    storage::Ticket ticket = 0;
  };
  Result<Made> Make(const Table& table, const Request& request) PJ_EXCLUDES(mutex_);

  // The background work then drops the history that the backup alone held. Null: there is no such
  // backup.
  struct Removed {
    BackupPtr backup;
    storage::Ticket ticket = 0;
  };
  Result<Removed> Remove(const std::string& arn) PJ_EXCLUDES(mutex_);

  // A backup that stays readable while its hold lives. Nullopt: there is none.
  struct Held {
    BackupPtr backup;
    HistoryHold hold;
  };
  std::optional<Held> Hold(std::string_view arn) const PJ_EXCLUDES(mutex_);
  // Null if there is none.
  BackupPtr Find(std::string_view arn) const PJ_EXCLUDES(mutex_);
  // In order of their ARNs: by table, then by time.
  std::vector<BackupPtr> All() const PJ_EXCLUDES(mutex_);

  // Removes backups whose time is over.
  Status RemoveExpired(std::int64_t now_ms) PJ_EXCLUDES(mutex_);

 private:
  Engine& engine_;

  mutable Mutex mutex_;
  std::map<std::string, BackupPtr, std::less<>> backups_ PJ_GUARDED_BY(mutex_);
};

// Removes backups whose time is over from now on, in the background.
void StartBackupSweep(Engine& engine);

// As the API shows it.
BackupDescription Describe(const Backup& backup);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_HISTORY_BACKUP_CATALOG_H_
