// Records stand one behind the other in one buffer; only their places are sorted. A full buffer becomes a run: sorted
// records, each with its two lengths in front, at the end of one temporary file. Reading merges the runs with a heap,
// each through a window of its own on the file, so that memory is the buffer or the windows, never both.
#include "audit/fact_sorter.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <queue>

namespace prejoin::audit {
namespace {

constexpr std::size_t kHeaderBytes = 2 * sizeof(std::uint32_t);
constexpr std::size_t kWindowBytesMin = 16 * 1024;
constexpr std::size_t kWindowBytesMax = 1024 * 1024;

Error SpillError(const char* what) {
  return Error{ErrorCode::kIo, std::string(what) + " the audit's temporary file: " +
                                   std::strerror(errno) + " (set TMPDIR to use another folder)"};
}

Result<int> OpenNameless() {
  const char* folder = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nobody sets it.
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/prejoin-audit-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) {
    return SpillError("cannot make");
  }
  ::unlink(path.c_str());
  return file;
}

Status WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return SpillError("cannot write");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

// One run, record by record.
class FactSorter::RunReader {
 public:
  RunReader(int file, Run run, std::size_t window_bytes)
      : file_(file), at_(run.begin), end_(run.end), window_bytes_(window_bytes) {}

  // False at the end.
  Result<bool> Next() {
    begin_ += kHeaderBytes + group_size_ + payload_size_;
    if (first_) {
      begin_ = 0;
    }
    first_ = false;
    PJ_ASSIGN_OR_RETURN(const bool more, Have(kHeaderBytes));
    if (!more) {
      return false;
    }
    std::memcpy(&group_size_, window_.data() + begin_, sizeof(group_size_));
    std::memcpy(&payload_size_, window_.data() + begin_ + sizeof(group_size_),
                sizeof(payload_size_));
    return Have(kHeaderBytes + group_size_ + payload_size_);
  }

  std::string_view group() const {
    return std::string_view(window_).substr(begin_ + kHeaderBytes, group_size_);
  }
  std::string_view payload() const {
    return std::string_view(window_).substr(begin_ + kHeaderBytes + group_size_, payload_size_);
  }

 private:
  Result<bool> Have(std::size_t bytes) {
    if (window_.size() - begin_ >= bytes) {
      return true;
    }
    window_.erase(0, begin_);
    begin_ = 0;
    while (window_.size() < bytes && at_ < end_) {
      const std::size_t old = window_.size();
      const std::size_t wanted =
          std::min<std::uint64_t>(std::max(window_bytes_, bytes), end_ - at_);
      window_.resize(old + wanted);
      const ssize_t count = ::pread(file_, window_.data() + old, wanted, static_cast<off_t>(at_));
      window_.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        return SpillError("cannot read");
      }
      at_ += static_cast<std::uint64_t>(count);
    }
    return window_.size() >= bytes;
  }

  const int file_;
  std::uint64_t at_;
  const std::uint64_t end_;
  const std::size_t window_bytes_;
  std::string window_;
  std::size_t begin_ = 0;  // The start of the record in the window.
  std::uint32_t group_size_ = 0;
  std::uint32_t payload_size_ = 0;
  bool first_ = true;
};

FactSorter::~FactSorter() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

Status FactSorter::Add(std::string_view group, std::string_view payload) {
  const std::size_t used = bytes_.size() + entries_.size() * sizeof(Entry);
  if (!entries_.empty() && used + group.size() + payload.size() > memory_bytes_) {
    PJ_RETURN_IF_ERROR(Spill());
  }
  entries_.push_back({bytes_.size(), static_cast<std::uint32_t>(group.size()),
                      static_cast<std::uint32_t>(payload.size())});
  bytes_.append(group).append(payload);
  return {};
}

void FactSorter::Sort() {
  std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
    const int order = GroupOf(a).compare(GroupOf(b));
    return order != 0 ? order < 0 : PayloadOf(a) < PayloadOf(b);
  });
}

Status FactSorter::Spill() {
  if (file_ < 0) {
    PJ_ASSIGN_OR_RETURN(file_, OpenNameless());
  }
  Sort();
  const std::uint64_t begin = spilled_bytes_;
  std::string block;
  for (const Entry& entry : entries_) {
    block.append(reinterpret_cast<const char*>(&entry.group_size), sizeof(entry.group_size));
    block.append(reinterpret_cast<const char*>(&entry.payload_size), sizeof(entry.payload_size));
    block.append(GroupOf(entry)).append(PayloadOf(entry));
    if (block.size() < kWindowBytesMax) {
      continue;
    }
    PJ_RETURN_IF_ERROR(WriteAll(file_, block));
    spilled_bytes_ += block.size();
    block.clear();
  }
  PJ_RETURN_IF_ERROR(WriteAll(file_, block));
  spilled_bytes_ += block.size();
  runs_.push_back({begin, spilled_bytes_});
  bytes_.clear();
  entries_.clear();
  return {};
}

Status FactSorter::Each(Visit visit) {
  if (!runs_.empty()) {
    if (!entries_.empty()) {
      PJ_RETURN_IF_ERROR(Spill());
    }
    bytes_.shrink_to_fit();
    entries_.shrink_to_fit();
    return Merge(visit);
  }
  Sort();
  for (const Entry& entry : entries_) {
    PJ_RETURN_IF_ERROR(visit(GroupOf(entry), PayloadOf(entry)));
  }
  return {};
}

Status FactSorter::Merge(Visit visit) {
  const std::size_t window =
      std::clamp(memory_bytes_ / runs_.size(), kWindowBytesMin, kWindowBytesMax);
  std::vector<std::unique_ptr<RunReader>> readers;
  const auto after = [&](std::size_t a, std::size_t b) {
    const int order = readers[a]->group().compare(readers[b]->group());
    return order != 0 ? order > 0 : readers[a]->payload() > readers[b]->payload();
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> next(after);
  for (const Run& run : runs_) {
    readers.push_back(std::make_unique<RunReader>(file_, run, window));
    PJ_ASSIGN_OR_RETURN(const bool more, readers.back()->Next());
    if (more) {
      next.push(readers.size() - 1);
    }
  }
  while (!next.empty()) {
    const std::size_t i = next.top();
    next.pop();
    PJ_RETURN_IF_ERROR(visit(readers[i]->group(), readers[i]->payload()));
    PJ_ASSIGN_OR_RETURN(const bool more, readers[i]->Next());
    if (more) {
      next.push(i);
    }
  }
  return {};
}

}  // namespace prejoin::audit
