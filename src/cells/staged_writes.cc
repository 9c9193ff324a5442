#include "cells/staged_writes.h"

#include <utility>

namespace prejoin::cells {
namespace {

constexpr char kPut = 'P';
constexpr char kDelete = 'D';
constexpr std::size_t kNumberBytes = 8;

template <class Number>
void Append(Number number, std::string& out) {
  for (int shift = 8 * (sizeof(Number) - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(number >> shift & 0xFF));
  }
}

void AppendText(std::string_view text, std::string& out) {
  Append(static_cast<std::uint32_t>(text.size()), out);
  out.append(text);
}

// Reads from the front of `bytes`; `damaged` once something is missing.
struct RecordReader {
  std::string_view bytes;
  bool damaged = false;

  std::string_view Take(std::size_t count) {
    if (count > bytes.size()) {
      damaged = true;
      bytes = {};
      return {};
    }
    const std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }
  std::uint32_t Number() {
    std::uint32_t number = 0;
    for (const char byte : Take(sizeof(number))) {
      number = number << 8 | static_cast<unsigned char>(byte);
    }
    return number;
  }
  std::string Text() { return std::string(Take(Number())); }
  StagedWrite Write() {
    const std::string_view kind = Take(1);
    StagedWrite write{.key = Text(), .value = {}};
    if (kind == std::string_view(&kPut, 1)) {
      write.value = Text();
    } else if (kind != std::string_view(&kDelete, 1)) {
      damaged = true;
    }
    return write;
  }
};

}  // namespace

void Stage(const StagedWrites& writes, storage::Transaction& transaction) {
  for (const StagedWrite& write : writes) {
    if (write.value) {
      transaction.Put(write.key, *write.value);
    } else {
      transaction.Delete(write.key);
    }
  }
}

std::string EncodeRecord(const std::vector<CellWrites>& parts) {
  std::string out;
  for (const CellWrites& part : parts) {
    Append(static_cast<std::uint32_t>(part.cell), out);
    Append(static_cast<std::uint32_t>(part.writes.size()), out);
    for (const StagedWrite& write : part.writes) {
      out.push_back(write.value ? kPut : kDelete);
      AppendText(write.key, out);
      if (write.value) {
        AppendText(*write.value, out);
      }
    }
  }
  return out;
}

Result<std::vector<CellWrites>> DecodeRecord(std::string_view bytes, std::size_t cell_count) {
  RecordReader reader{.bytes = bytes};
  std::vector<CellWrites> parts;
  while (!reader.bytes.empty() && !reader.damaged) {
    CellWrites part{.cell = reader.Number(), .writes = {}};
    const std::uint32_t write_count = reader.Number();
    for (std::uint32_t i = 0; i < write_count && !reader.damaged; ++i) {
      part.writes.push_back(reader.Write());
    }
    reader.damaged = reader.damaged || part.cell >= cell_count;
    parts.push_back(std::move(part));
  }
  if (reader.damaged || parts.empty()) {
    return Error{ErrorCode::kCorruption, "storage: the record of a transaction over several cells is damaged"};
  }
  return parts;
}

std::string NumberedKey(std::uint32_t space, std::uint64_t number) {
  std::string key;
  Append(space, key);
  Append(std::uint32_t{0}, key);
  Append(number, key);
  return key;
}

std::uint64_t NumberOf(std::string_view key) {
  std::uint64_t number = 0;
  for (const char byte : key.substr(storage::kRouteBytes, kNumberBytes)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

storage::Range NumberedRange(std::uint32_t space) {
  storage::Range range;
  Append(space, range.begin);
  Append(space + 1, range.end);
  return range;
}

}  // namespace prejoin::cells
