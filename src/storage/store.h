// The storage seam: ordered bytes to bytes, transactions over keys known beforehand, and durability
// as a ticket.
//
// A key starts with four bytes of space (one table or index) and four bytes of partition hash. A
// store may use them to route: all keys of one space with the same leading hash bits form a bucket,
// and everything of one partition key is in one bucket. The store knows nothing else about keys and
// values.
//
// Each call says what the engine may assume. It must not assume: snapshots or open iterators
// between two calls; that a transaction body runs only once; that a range read sees one state of
// more than one bucket.
#ifndef PREJOIN_STORAGE_STORE_H_
#define PREJOIN_STORAGE_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "prejoin/result.h"

namespace prejoin::storage {

// Names a moment in the life of an open store. Each commit has a ticket of its own, greater than
// those of all commits that returned before it began; when a ticket is durable, so are all smaller
// ones. 0 is before every commit. Means nothing to the next open.
using Ticket = std::uint64_t;

inline constexpr std::size_t kSpaceBytes = 4;
inline constexpr std::size_t kRouteBytes = 8;  // Space and partition hash.

enum class Direction { kForward, kBackward };
enum class Visit { kContinue, kStop };

// Keys k with begin <= k < end. An empty `end` has no upper bound.
struct Range {
  std::string begin;
  std::string end;
  Direction direction = Direction::kForward;
  // So much, and so rarely, that a cache would lose what it has for nothing.
  bool reads_once = false;
};

// A transaction, as its body sees it. Valid only during the body.
class Transaction {
 public:
  virtual ~Transaction() = default;
  // The current value of the index-th key given to Transact; nullopt if absent.
  virtual std::optional<std::string_view> Value(std::size_t index) const = 0;
  // Staged, and committed together when the body returns without an error. Keys may be others than
  // those given: the caller answers for it that nobody else writes them at the same time (index
  // entries belong to one item's key).
  virtual void Put(std::string_view key, std::string_view value) = 0;
  virtual void Delete(std::string_view key) = 0;
};

// Thread-safe. Calls block. On a thread that may not wait (base/patience.h), Transact and GetTogether
// fail with kOverBudget instead where they would have to wait for another call or for files that are
// behind; nothing has changed then.
class Store {
 public:
  virtual ~Store() = default;

  // Runs `body` with the current values of `keys`, serialisable with all other transactions, and
  // commits what it staged, all or nothing. An error from the body commits nothing and is returned
  // as it is. The body may run more than once and must have no effect but its staged changes and
  // assignments to its caller's variables (which it must reset when it starts). When Transact
  // returns, readers see the changes, and who has seen one of them before sees the others too; they
  // are durable once IsDurable(ticket). `keys` may hold duplicates. If a body stages nothing, its
  // ticket covers every commit it may have seen. A body that ends with an error has seen values too:
  // a caller that reports them must first wait for NewestTicket. The body must not call the store.
  using Body = FunctionRef<Status(Transaction&)>;
  virtual Result<Ticket> Transact(std::span<const std::string> keys, Body body) = 0;

  // The newest committed value, or nullopt.
  virtual Result<std::optional<std::string>> Get(std::string_view key) = 0;

  // Like Get for each key; all values are from one moment.
  using Values = std::vector<std::optional<std::string>>;
  virtual Result<Values> GetTogether(std::span<const std::string> keys) = 0;

  // Visits keys in order until the visitor stops or the range ends. Within one bucket the visit
  // sees one state. The visitor must not call the store; the views live until it returns.
  using Visitor = FunctionRef<storage::Visit(std::string_view key, std::string_view value)>;
  virtual Status Visit(const Range& range, Visitor visitor) = 0;

  // True if one Visit sees one state of all it visits, the one at its first key, also while others
  // write; otherwise only of each bucket.
  virtual bool VisitSeesOneState() const { return false; }

  // Deletes every key of the space, at once for readers, in the background for the disk. Nobody
  // writes to it any more.
  virtual Status DeleteSpace(std::uint32_t space) = 0;

  // A ticket that covers every commit a read of this route (first kRouteBytes of a key) may have
  // seen up to now. A reader whose answer leaves the process waits for it, so that nobody is shown
  // a value that a power failure then takes back.
  virtual Ticket NewestTicket(std::string_view route) const = 0;
  // The same for everything.
  virtual Ticket NewestTicket() const = 0;

  virtual bool IsDurable(Ticket ticket) const = 0;
  // Blocks until durable. An error means that the store can no longer write: it then refuses all
  // further commits.
  virtual Status WaitDurable(Ticket ticket) = 0;
  // Calls `done` once, from any thread, possibly before this returns, when durable or failed.
  // `done` must not block.
  virtual void WhenDurable(Ticket ticket, std::function<void(Status)> done) = 0;

  // An error while the store cannot write: the log could not be synced, or there is no room. Reads
  // that begin after that continue: they see the last durable state. kUnavailable: it passes once there
  // is room; the writes that failed may show up then.
  virtual Status Health() const { return {}; }

  // 0 while the store can write, otherwise a number of its own for each outage. Data read while it was the same
  // number, other than 0, is durable: there is nothing to wait for before it leaves
  // the process.
  virtual std::uint64_t Outage() const { return 0; }

  // Counts the faults since the store was opened.
  struct FaultCounts {
    std::uint64_t outages = 0;        // The number of outages.
    std::uint64_t damaged_reads = 0;  // Reads that met damaged bytes.
    std::uint64_t damaged_files = 0;  // Files with such bytes.
  };
  virtual FaultCounts Faults() const { return {}; }

  // Notes durably that the data needs a program that knows `feature`; others refuse to open it from
  // now on. To be called before anything is stored that an older program would not understand.
  virtual Status Need(const std::string& feature) {
    (void)feature;
    return {};
  }

  // Roughly how many bytes the space has on disk or in memory.
  virtual std::uint64_t ApproximateBytes(std::uint32_t space) const = 0;

  // A store of its own with every commit up to now, as a crash at this moment would leave it. Changes of one are not seen in the other.
  // Null where that would take a copy of everything: only the memory store can do it.
  virtual std::unique_ptr<Store> Fork() { return nullptr; }
};

enum class SyncMode {
  kAlways,  // A commit is durable when its log is on disk; many commits share one sync.
  kNone,    // A commit counts as durable at once; a crash of the machine (not of the process) may
            // lose the last moments.
};

// A fault that an operator must hear of.
struct StoreFault {
  enum class Kind {
    kFull,      // No write is possible for want of room.
    kWritable,  // Writing works again.
    kStopped,   // Writing has ended until the next start.
    kDamaged,   // A file has damaged bytes; reported once for each file.
  };
  Kind kind;
  std::string message;
  // For kDamaged, if it is known which keys the file holds.
  std::string first_key;
  std::string last_key;
};

struct RocksStoreOptions {
  std::string path;
  SyncMode sync = SyncMode::kAlways;
  std::size_t block_cache_bytes = 256u << 20;
  // Features that this program understands; see Store::Need. A new kind of record or space gets its
  // name here.
  std::vector<std::string> known_features = {"access"};
  // Called for each fault, from any thread. Must not block, nor call the store. May be empty.
  std::function<void(const StoreFault&)> on_fault = {};
};

// Opens or creates. Refuses a directory that another process has open, or that is not ours.
Result<std::unique_ptr<Store>> OpenRocksStore(const RocksStoreOptions& options);

// Keeps everything in memory; durable at once.
std::unique_ptr<Store> NewMemoryStore();

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_STORE_H_
