#include "cluster/layout.h"

#include <charconv>
#include <vector>

namespace prejoin::cluster {
namespace {

constexpr std::size_t kDigits = 16;
constexpr std::string_view kDataPrefix = "data.";
constexpr std::string_view kBeingWritten = "open";
constexpr int kInodeEpochShift = 32;
// In front of a name. Older programs take it for the name of a gateway that never comes.
constexpr char kAnybodyBut = '!';

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

std::string PrintNumber(std::uint64_t number) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text(kDigits, '0');
  for (std::size_t i = 0; i < kDigits; ++i) {
    text[kDigits - 1 - i] = kHex[number >> (4 * i) & 0xF];
  }
  return text;
}

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && text.size() == kDigits ? std::optional(number) : std::nullopt;
}

std::string ChunkObject(std::uint64_t inode, std::uint64_t chunk) {
  return std::string(kDataPrefix) + PrintNumber(inode) + "." + PrintNumber(chunk);
}

std::uint64_t MakeInode(std::uint64_t epoch, std::uint64_t number) {
  return epoch << kInodeEpochShift | number;
}

std::uint64_t EpochOf(std::uint64_t inode) { return inode >> kInodeEpochShift; }

std::optional<std::uint64_t> InodeOf(std::string_view object) {
  if (!object.starts_with(kDataPrefix) || object.size() != kDataPrefix.size() + 2 * kDigits + 1) {
    return std::nullopt;
  }
  return ParseNumber(object.substr(kDataPrefix.size(), kDigits));
}

std::string PrintFileEntry(const FileEntry& entry) {
  return PrintNumber(entry.inode) + " " +
         (entry.bytes ? PrintNumber(*entry.bytes) : std::string(kBeingWritten));
}

std::optional<FileEntry> ParseFileEntry(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) {
    return std::nullopt;
  }
  const auto inode = ParseNumber(text.substr(0, blank));
  const std::string_view rest = text.substr(blank + 1);
  const auto bytes = ParseNumber(rest);
  if (!inode || (!bytes && rest != kBeingWritten)) {
    return std::nullopt;
  }
  return FileEntry{*inode, bytes};
}

std::string PrintLeader(const Leader& leader) {
  return leader.gateway + "\n" + leader.address + "\n" + leader.client + "\n" +
         PrintNumber(leader.lease_ms) + "\n";
}

std::optional<Leader> ParseLeader(std::string_view text) {
  const auto lines = SplitLines(text);
  const auto lease_ms = lines.size() == 4 ? ParseNumber(lines[3]) : std::nullopt;
  if (!lease_ms) {
    return std::nullopt;
  }
  return Leader{std::string(lines[0]), std::string(lines[1]), std::string(lines[2]), *lease_ms};
}

std::string PrintHeir(const Heir& heir) {
  return PrintNumber(heir.epoch) + "\n" + (heir.is_excluded ? std::string(1, kAnybodyBut) : "") +
         heir.gateway + "\n";
}

std::optional<Heir> ParseHeir(std::string_view text) {
  const auto lines = SplitLines(text);
  const auto epoch = lines.size() == 2 ? ParseNumber(lines[0]) : std::nullopt;
  if (!epoch || lines[1].empty()) {
    return std::nullopt;
  }
  const bool is_excluded = lines[1].front() == kAnybodyBut;
  return Heir{*epoch, std::string(lines[1].substr(is_excluded ? 1 : 0)), is_excluded};
}

}  // namespace prejoin::cluster
