#include "engine/history/backup_catalog.h"

#include <utility>

#include "base/uuid.h"
#include "base/worker.h"
#include "engine/history/history_holds.h"
#include "engine/item/keys.h"
#include "engine/table/catalog.h"
#include "engine/table/catalog_codec.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kBackupPrefix = "backup/";

std::string BackupKey(std::string_view arn) {
  return CatalogKey(std::string(kBackupPrefix).append(arn));
}

std::string EncodeBackup(const Backup& backup) {
  const BackupDetails& details = backup.details;
  Item item{{"arn", details.arn},
            {"name", details.name},
            {"type", static_cast<std::int64_t>(details.type)},
            {"created", details.created_ms},
            {"size", details.size_bytes},
            {"count", backup.item_count},
            {"number", static_cast<std::int64_t>(backup.number)},
            {"table", AttributeValue::Binary{EncodeTable(*backup.table)}}};
  if (details.expires_ms) {
    item.Set("expires", *details.expires_ms);
  }
  return EncodeItem(item);
}

Result<BackupPtr> DecodeBackup(std::string_view bytes) {
  const Error damaged{ErrorCode::kCorruption, "the catalog holds a backup that cannot be read"};
  PJ_RETURN_IF_ERROR(ValidateItemBody(bytes));
  const Item item = ItemView(bytes).Decode();
  bool ok = true;
  const auto text = [&](std::string_view name) {
    const AttributeValue* value = item.Find(name);
    const bool is_there = value != nullptr && value->string() != nullptr;
    ok = ok && is_there;
    return is_there ? *value->string() : std::string();
  };
  const auto number = [&](std::string_view name) {
    const AttributeValue* value = item.Find(name);
    const auto read =
        value != nullptr && value->number() != nullptr ? value->number()->ToInt64() : std::nullopt;
    ok = ok && read;
    return read.value_or(0);
  };
  auto backup = std::make_shared<Backup>();
  BackupDetails& details = backup->details;
  details.arn = text("arn");
  details.name = text("name");
  details.type = static_cast<BackupType>(number("type"));
  details.created_ms = number("created");
  details.size_bytes = number("size");
  if (item.Find("expires") != nullptr) {
    details.expires_ms = number("expires");
  }
  backup->item_count = number("count");
  backup->number = static_cast<SequenceNumber>(number("number"));
  const AttributeValue* table = item.Find("table");
  if (!ok || table == nullptr || table->binary() == nullptr) {
    return damaged;
  }
  PJ_ASSIGN_OR_RETURN(backup->table, DecodeTable(*table->binary()));
  if (!backup->table->history) {
    return damaged;
  }
  return BackupPtr(std::move(backup));
}

// arn:…:table/NAME/backup/0, 13 digits of milliseconds, eight random hexadecimal ones.
std::string NewArn(const Table& table, std::int64_t now_ms) {
  return table.description.arn + "/backup/0" + std::to_string(now_ms) + "-" +
         NewUuid().substr(0, 8);
}

Status Store(storage::Store& store, const Backup& backup, storage::Ticket& ticket) {
  const std::string keys[] = {BackupKey(backup.details.arn)};
  PJ_ASSIGN_OR_RETURN(ticket,
                      store.Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        transaction.Put(keys[0], EncodeBackup(backup));
                        return {};
                      }));
  return {};
}

}  // namespace

Status BackupCatalog::Load() {
  std::vector<BackupPtr> stored;
  Status status;
  const storage::Range range = CatalogRange(kBackupPrefix);
  PJ_RETURN_IF_ERROR(engine_.store().Visit(range, [&](std::string_view, std::string_view value) {
    auto backup = DecodeBackup(value);
    if (!backup) {
      status = backup.error();
      return storage::Visit::kStop;
    }
    stored.push_back(*std::move(backup));
    return storage::Visit::kContinue;
  }));
  PJ_RETURN_IF_ERROR(status);
  std::vector<std::string> unfounded;
  {
    MutexLock lock(mutex_);
    for (BackupPtr& backup : stored) {
      engine_.holds().Add(backup->kept(), backup->number);
      const TablePtr table = engine_.catalog().FindOrNull(backup->table->name());
      if (backup->details.type == BackupType::kSystem && table != nullptr &&
          table->space == backup->table->space) {
        unfounded.push_back(backup->details.arn);
      }
      backups_.emplace(backup->details.arn, std::move(backup));
    }
  }
  // A crash came between this backup and the deletion of the table, for which it was made.
  for (const std::string& arn : unfounded) {
    PJ_RETURN_IF_ERROR(Remove(arn));
  }
  return {};
}

Result<BackupCatalog::Made> BackupCatalog::Make(const Table& table, const Request& request) {
  auto backup = std::make_shared<Backup>();
  backup->table = CopyOf(table);
  backup->item_count = table.stats->ShownCount();
  backup->number = request.number;
  backup->details = {.arn = NewArn(table, engine_.clock().NowMs()),
                     .name = request.name,
                     .size_bytes = table.stats->ShownBytes(),
                     .status = BackupStatus::kAvailable,
                     .type = request.type,
                     .created_ms = engine_.clock().NowMs(),
                     .expires_ms = request.expires_ms};
  Made made;
  PJ_RETURN_IF_ERROR(Store(engine_.store(), *backup, made.ticket));
  engine_.holds().Add(backup->kept(), backup->number);
  made.backup = backup;
  MutexLock lock(mutex_);
  backups_.emplace(backup->details.arn, std::move(backup));
  return made;
}

Result<BackupCatalog::Removed> BackupCatalog::Remove(const std::string& arn) {
  Removed removed;
  {
    MutexLock lock(mutex_);
    const auto found = backups_.find(arn);
    if (found == backups_.end()) {
      return removed;
    }
    removed.backup = std::move(found->second);
    backups_.erase(found);
  }
  const std::string keys[] = {BackupKey(arn)};
  const auto ticket =
      engine_.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
        transaction.Delete(keys[0]);
        return {};
      });
  if (!ticket) {
    MutexLock lock(mutex_);
    backups_.emplace(arn, removed.backup);
    return ticket.error();
  }
  removed.ticket = *ticket;
  engine_.holds().Remove(removed.backup->kept(), removed.backup->number);
  ReleaseHistoryLater(engine_, removed.backup->table->name(), removed.backup->kept());
  return removed;
}

std::optional<BackupCatalog::Held> BackupCatalog::Hold(std::string_view arn) const {
  MutexLock lock(mutex_);
  const auto found = backups_.find(arn);
  if (found == backups_.end()) {
    return std::nullopt;
  }
  const Backup& backup = *found->second;
  return Held{found->second,
              HistoryHold(engine_, backup.table->name(), backup.kept(), backup.number)};
}

BackupPtr BackupCatalog::Find(std::string_view arn) const {
  MutexLock lock(mutex_);
  const auto found = backups_.find(arn);
  return found == backups_.end() ? nullptr : found->second;
}

std::vector<BackupPtr> BackupCatalog::All() const {
  MutexLock lock(mutex_);
  std::vector<BackupPtr> all;
  for (const auto& [arn, backup] : backups_) {
    all.push_back(backup);
  }
  return all;
}

Status BackupCatalog::RemoveExpired(std::int64_t now_ms) {
  for (const BackupPtr& backup : All()) {
    if (backup->details.expires_ms && *backup->details.expires_ms <= now_ms) {
      PJ_RETURN_IF_ERROR(Remove(backup->details.arn));
    }
  }
  return {};
}

void StartBackupSweep(Engine& engine) {
  engine.background().AddSweep(kLeftoversInterval, [&engine] {
    // The next sweep tries again what this one failed to do.
    (void)engine.backups().RemoveExpired(engine.clock().NowMs());
  });
}

BackupDescription Describe(const Backup& backup) {
  BackupDescription description;
  description.details = backup.details;
  description.table = Describe(*backup.table);
  description.table.item_count = backup.item_count;
  description.table.size_bytes = backup.details.size_bytes;
  if (const auto& expiry = backup.table->expiry) {
    description.time_to_live = {.status = TimeToLiveStatus::kEnabled,
                                .attribute_name = expiry->attribute_name};
  }
  return description;
}

}  // namespace prejoin::engine
