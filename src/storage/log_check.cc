// The format of a log and of a manifest (RocksDB's wiki, "Write Ahead Log File Format" and
// "MANIFEST"): blocks of 32 KiB, in which
//
//   checksum (4 bytes)  length (2)  type (1)  payload
//
// follow each other; numbers are little-endian, a block's last six bytes or fewer are unused. A
// record that does not fit is cut into pieces: type 1 is a whole record, 2, 3 and 4 are the first, a
// middle and the last piece. A log's record is a batch: number of its first change (8 bytes), count
// of changes (4), changes. A manifest's record is an edit: which files there are now, which log is
// the first that is needed, up to which change the others have been flushed.
#include "storage/log_check.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "storage/crc32c.h"

namespace prejoin::storage {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kHeaderBytes = 7;
constexpr std::size_t kBatchHeaderBytes = 12;
constexpr std::size_t kEditBytesMax = 4096;
constexpr std::size_t kSectorBytes = 512;
constexpr char kWhole = 1;
constexpr char kFirst = 2;
constexpr char kLast = 4;

template <class Number>
Number ReadLittleEndian(std::string_view bytes) {
  Number number = 0;
  std::memcpy(&number, bytes.data(), sizeof(number));
  return number;
}

// As RocksDB stores it: a checksum of data that holds checksums is a weak one.
std::uint32_t Masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282'EAD8; }

// Zeros where a sector, or its part up to the end of the file, was never written.
bool HasLostSector(std::string_view file, std::size_t begin, std::size_t end) {
  end = std::min(end, file.size());
  for (std::size_t sector = begin / kSectorBytes * kSectorBytes; sector < end;
       sector += kSectorBytes) {
    // The bytes of the sector before `begin` are known to be in order.
    const std::size_t from = std::max(sector, begin);
    const std::string_view bytes = file.substr(from, sector + kSectorBytes - from);
    if (!bytes.empty() && std::ranges::all_of(bytes, [](char byte) { return byte == 0; })) {
      return true;
    }
  }
  return false;
}

// Reads a file of records, a log or a manifest, from record to record. Single thread.
class LogReader {
 public:
  explicit LogReader(std::string_view file) : file_(file) {}

  enum class Found {
    kRecord,
    kEnd,
    kUnwritten,  // The disk never got the next record, or not all of it.
    kDamaged,
  };
  // `record` gets its first bytes, as many as `bytes_max`.
  Found Next(std::size_t bytes_max, std::string& record) {
    record.clear();
    for (bool inside = false;; inside = true) {
      SkipBlockEnd();
      if (!inside) {
        record_begin_ = at_;
      }
      if (at_ >= file_.size()) {
        return inside ? Found::kUnwritten : Found::kEnd;
      }
      Piece piece;
      if (const Found found = ReadPiece(piece); found != Found::kRecord) {
        return found;
      }
      const bool begins = piece.type == kWhole || piece.type == kFirst;
      if (begins == inside) {
        return Found::kDamaged;
      }
      record.append(piece.payload.substr(0, bytes_max - record.size()));
      if (piece.type == kWhole || piece.type == kLast) {
        return Found::kRecord;
      }
    }
  }

  // The start of the record that Next read, or could not read.
  std::size_t record_begin() const { return record_begin_; }

 private:
  struct Piece {
    char type = 0;
    std::string_view payload;
  };

  // No piece begins in the last bytes of a block.
  void SkipBlockEnd() {
    const std::size_t left = kBlockBytes - at_ % kBlockBytes;
    if (left < kHeaderBytes) {
      at_ += left;
    }
  }

  // kRecord: the piece is in order.
  Found ReadPiece(Piece& piece) {
    if (file_.size() - at_ < kHeaderBytes) {
      return Found::kUnwritten;
    }
    const std::string_view header = file_.substr(at_, kHeaderBytes);
    const std::size_t block_end = (at_ / kBlockBytes + 1) * kBlockBytes;
    const std::size_t size = ReadLittleEndian<std::uint16_t>(header.substr(4));
    const std::size_t end = at_ + kHeaderBytes + size;
    piece.type = header[6];
    if (piece.type < kWhole || piece.type > kLast || end > block_end) {
      // A header that cannot be right says nothing about where the piece ends.
      return HasLostSector(file_, at_, block_end) ? Found::kUnwritten : Found::kDamaged;
    }
    if (end > file_.size()) {
      return Found::kUnwritten;
    }
    piece.payload = file_.substr(at_ + kHeaderBytes, size);
    const std::uint32_t crc = Crc32c(piece.payload, Crc32c(header.substr(6)));
    if (ReadLittleEndian<std::uint32_t>(header) != Masked(crc)) {
      return HasLostSector(file_, at_, end) ? Found::kUnwritten : Found::kDamaged;
    }
    at_ = end;
    return Found::kRecord;
  }

  const std::string_view file_;
  std::size_t at_ = 0;
  std::size_t record_begin_ = 0;
};

struct LogName {
  std::uint64_t number = 0;
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_min = 0;  // Stated by the register.
  bool missing = false;
};

// In the order in which they were written.
Result<std::vector<LogName>> ListLogs(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const std::vector<StoreFolder::Entry> entries, folder.List());
  std::vector<LogName> logs;
  for (const auto& [name, bytes] : entries) {
    LogName log{.name = name, .bytes = bytes};
    const auto [at, error] = std::from_chars(name.data(), name.data() + name.size(), log.number);
    if (error == std::errc() && std::string_view(at) == ".log") {
      logs.push_back(std::move(log));
    }
  }
  std::ranges::sort(logs, {}, &LogName::number);
  return logs;
}

Result<std::string> ReadWhole(StoreFolder& folder, const std::string& name) {
  return folder.Read(name, SIZE_MAX);
}

// The state that RocksDB's files have without the logs, as far as it matters for these.
struct Flushed {
  std::uint64_t first_log = 0;  // Older ones are obsolete, and may be there in any state.
  std::optional<std::uint64_t> last_change;
};

// A varint, from the front; nullopt if there is none.
std::optional<std::uint64_t> CutVarint(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) {
      return number;
    }
  }
  return std::nullopt;
}

// An edit is a list of tags and their values. Those that count here are in front; the first one
// of another kind ends the search.
void ReadEdit(std::string_view edit, Flushed& flushed) {
  constexpr std::uint64_t kComparator = 1;
  constexpr std::uint64_t kLogNumber = 2;
  constexpr std::uint64_t kNextFileNumber = 3;
  constexpr std::uint64_t kLastSequence = 4;
  constexpr std::uint64_t kPreviousLogNumber = 9;
  constexpr std::uint64_t kMinLogNumberToKeep = 10;
  constexpr std::uint64_t kMaxColumnFamily = 203;
  while (const auto tag = CutVarint(edit)) {
    const auto value = CutVarint(edit);
    if (!value) {
      return;
    }
    switch (*tag) {
      case kComparator:
        edit.remove_prefix(std::min<std::size_t>(*value, edit.size()));
        break;
      case kLogNumber:
        flushed.first_log = std::max(flushed.first_log, *value);
        break;
      case kLastSequence:
        flushed.last_change = std::max(flushed.last_change.value_or(0), *value);
        break;
      case kNextFileNumber:
      case kPreviousLogNumber:
      case kMinLogNumberToKeep:
      case kMaxColumnFamily:
        break;
      default:
        return;
    }
  }
}

// A manifest that cannot be read is RocksDB's to complain about.
Result<Flushed> ReadManifest(StoreFolder& folder) {
  Flushed flushed;
  if (!folder.Has("CURRENT")) {
    return flushed;
  }
  auto name = folder.Read("CURRENT", kEditBytesMax);
  if (!name) {
    return flushed;
  }
  name->resize(std::min(name->size(), name->find('\n')));
  const auto content = ReadWhole(folder, *name);
  if (!content) {
    return flushed;
  }
  LogReader reader(*content);
  std::string edit;
  while (reader.Next(kEditBytesMax, edit) == LogReader::Found::kRecord) {
    ReadEdit(edit, flushed);
  }
  return flushed;
}

std::string Changes(std::uint64_t expected, std::uint64_t found) {
  return "change " + std::to_string(expected) + " should follow, but " + std::to_string(found) +
         " does";
}

// Looks through the logs one after the other. Single thread.
class LogSequence {
 public:
  LogSequence(StoreFolder& folder, std::optional<std::uint64_t> last_flushed)
      : folder_(folder), last_flushed_(last_flushed) {}

  // The break, if there is one in `log` or between the log before and this one.
  Result<std::optional<LogBreak>> Read(const LogName& log, bool is_newest) {
    LogBreak here{.file = log.name, .missing = log.missing};
    if (log.missing) {
      here.what = "the file is missing";
      here.acknowledged = true;
      return std::optional(early_end_ ? *early_end_ : here);
    }
    PJ_ASSIGN_OR_RETURN(const std::string content, ReadWhole(folder_, log.name));
    LogReader reader(content);
    std::string head;
    LogReader::Found found = reader.Next(kBatchHeaderBytes, head);
    for (; found == LogReader::Found::kRecord; found = reader.Next(kBatchHeaderBytes, head)) {
      if (head.size() < kBatchHeaderBytes) {
        found = LogReader::Found::kDamaged;
        break;
      }
      if (auto gap = Follow(head)) {
        LogBreak& where = early_end_ ? *early_end_ : here;
        where.offset = early_end_ ? where.offset : reader.record_begin();
        where.what = *std::move(gap);
        where.acknowledged = true;
        return std::optional(std::move(where));
      }
    }
    const bool too_short = reader.record_begin() < log.bytes_min;
    if (found == LogReader::Found::kEnd && !too_short) {
      return std::optional<LogBreak>();
    }
    if (early_end_) {
      return early_end_;
    }
    here.offset = reader.record_begin();
    here.what = too_short ? "of the first " + std::to_string(log.bytes_min) +
                                " bytes, which were on the disk, not all are there"
                          : "a record cannot be read";
    here.acknowledged = !is_newest || too_short || found == LogReader::Found::kDamaged;
    early_end_ = here;
    return too_short ? early_end_ : std::optional<LogBreak>();
  }

  // The end of the newest log, when all are read.
  const std::optional<LogBreak>& early_end() const { return early_end_; }

 private:
  // The gap before a batch; nullopt: it continues where the one before ended.
  std::optional<std::string> Follow(std::string_view head) {
    const auto first = ReadLittleEndian<std::uint64_t>(head);
    const auto count = ReadLittleEndian<std::uint32_t>(head.substr(8));
    if (count == 0) {
      return std::nullopt;
    }
    // The oldest log may begin with changes that are flushed already.
    if (!expected_ && last_flushed_) {
      expected_ = std::min(first, *last_flushed_ + 1);
    }
    if (expected_ && first != *expected_) {
      return Changes(*expected_, first);
    }
    expected_ = first + count;
    early_end_.reset();
    return std::nullopt;
  }

  StoreFolder& folder_;
  const std::optional<std::uint64_t> last_flushed_;
  std::optional<std::uint64_t> expected_;
  // A log that cannot be read to its end. It is in order if the next log continues from there: its
  // end was lost before that log began.
  std::optional<LogBreak> early_end_;
};

// The logs that a start reads, and those that it should find; without empty ones.
Result<std::vector<LogName>> NeededLogs(StoreFolder& folder, const Flushed& flushed,
                                        const LogSizes& registered) {
  PJ_ASSIGN_OR_RETURN(std::vector<LogName> logs, ListLogs(folder));
  for (const auto& [number, bytes] : registered) {
    const auto found = std::ranges::find(logs, number, &LogName::number);
    if (found != logs.end()) {
      found->bytes_min = bytes;
    } else {
      logs.push_back({.number = number, .name = LogFileName(number), .missing = true});
    }
  }
  std::erase_if(logs, [&](const LogName& log) {
    return log.number < flushed.first_log || (log.bytes == 0 && log.bytes_min == 0 && !log.missing);
  });
  std::ranges::sort(logs, {}, &LogName::number);
  return logs;
}

Result<std::optional<LogBreak>> FindBreak(StoreFolder& folder, const LogSizes& registered) {
  PJ_ASSIGN_OR_RETURN(const Flushed flushed, ReadManifest(folder));
  PJ_ASSIGN_OR_RETURN(const auto logs, NeededLogs(folder, flushed, registered));
  LogSequence sequence(folder, flushed.last_change);
  std::optional<LogBreak> found;
  for (std::size_t i = 0; i < logs.size() && !found; ++i) {
    PJ_ASSIGN_OR_RETURN(found, sequence.Read(logs[i], i + 1 == logs.size()));
  }
  if (!found) {
    found = sequence.early_end();
  }
  if (found) {
    auto log = std::ranges::find(logs, found->file, &LogName::name);
    for (++log; log != logs.end(); ++log) {
      if (!log->missing) {
        found->later_files.push_back(log->name);
      }
    }
  }
  return found;
}

}  // namespace

Result<std::optional<LogBreak>> FindLogBreak(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const LogSizes registered, ReadKnownLogs(folder));
  return FindBreak(folder, registered);
}

Status PrepareLogs(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const std::optional<LogBreak> found, FindLogBreak(folder));
  if (!found) {
    // The writes of a killed process may be in the cache alone. From now on they count as durable.
    PJ_ASSIGN_OR_RETURN(std::vector<LogName> logs, ListLogs(folder));
    std::erase_if(logs, [](const LogName& log) { return log.bytes == 0; });
    return logs.empty() ? Status() : folder.Cut(logs.back().name, std::nullopt);
  }
  if (!found->acknowledged) {
    return folder.Cut(found->file, found->offset);
  }
  const std::string what = found->missing ? " is missing"
                                          : " is damaged at byte " + std::to_string(found->offset) +
                                                " (" + found->what + ")";
  return Error{ErrorCode::kCorruption,
               "cannot open " + folder.path() + ": the log " + found->file + what +
                   ", so acknowledged changes may be lost. Nothing was changed. Restore " +
                   (found->missing ? "the file, or " : "") +
                   "a copy of the directory, or go back to the state before the damage with: "
                   "prejoin repair " +
                   folder.path()};
}

Result<LogSizes> RegisterLogs(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const Flushed flushed, ReadManifest(folder));
  PJ_ASSIGN_OR_RETURN(const auto logs, NeededLogs(folder, flushed, {}));
  LogSizes sizes;
  for (const LogName& log : logs) {
    sizes[log.number] = log.bytes;
  }
  const auto registered = ReadLogRegister(folder);
  if (!registered || *registered != sizes || !folder.Has(kLogRegisterName)) {
    PJ_RETURN_IF_ERROR(WriteLogRegister(folder, sizes));
  }
  ForgetSynced(folder);  // After a log that was cut off by a repair, it would say too much.
  return sizes;
}

namespace {

// Copies or moves what is cut off to the folder `lost`.
Status KeepLost(const std::string& path, const LogBreak& found) {
  const std::filesystem::path lost = std::filesystem::path(path) / "lost";
  std::error_code code;
  std::filesystem::create_directories(lost, code);
  if (!code && !found.missing) {
    std::filesystem::copy_file(std::filesystem::path(path) / found.file, lost / found.file,
                               std::filesystem::copy_options::overwrite_existing, code);
  }
  // The newest first: should this be interrupted, the break stays where it is.
  for (auto name = found.later_files.rbegin(); !code && name != found.later_files.rend(); ++name) {
    std::filesystem::rename(std::filesystem::path(path) / *name, lost / *name, code);
  }
  if (code) {
    return Error{ErrorCode::kIo,
                 "cannot move the logs to " + lost.string() + ": " + code.message()};
  }
  return {};
}

}  // namespace

Result<std::optional<LogBreak>> RepairLogs(const std::string& path) {
  const std::unique_ptr<StoreFolder> folder = DiskFolder(path);
  // A damaged register is written again below; until then, it says nothing.
  const LogSizes registered = ReadKnownLogs(*folder).value_or(LogSizes());
  PJ_ASSIGN_OR_RETURN(std::optional<LogBreak> found, FindBreak(*folder, registered));
  if (found) {
    PJ_RETURN_IF_ERROR(KeepLost(path, *found));
    if (!found->missing) {
      PJ_RETURN_IF_ERROR(folder->Cut(found->file, found->offset));
    }
  }
  PJ_RETURN_IF_ERROR(RegisterLogs(*folder));
  return found;
}

}  // namespace prejoin::storage
