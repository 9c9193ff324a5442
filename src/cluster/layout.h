// Which objects there are and what is in them (docs/formats/cluster.md).
#ifndef PREJOIN_CLUSTER_LAYOUT_H_
#define PREJOIN_CLUSTER_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prejoin::cluster {

// The leader, and which files there are. This one object decides both, so that taking the lead
// and shutting the former leader out of the files are one atomic change.
inline constexpr char kDirectoryObject[] = "directory";
// One entry for each gateway: when it was last heard of, and where.
inline constexpr char kGatewaysObject[] = "gateways";

// Empty: tells the time of the shared objects (ObjectStore::Time).
inline constexpr char kClockObject[] = "clock";

// Attributes of the directory object.
inline constexpr char kEpochAttribute[] = "epoch";  // Counts leaders; every change expects its own.
inline constexpr char kBeatAttribute[] = "beat";    // Counts renewals of this leader.
inline constexpr char kLeaderAttribute[] =
    "leader";  // The text of PrintLeader; empty: there is none.
inline constexpr char kSecretAttribute[] = "secret";  // Shared by the gateways.
// The text of PrintHeir; empty or missing: the leader continues, and any gateway may follow it.
inline constexpr char kHeirAttribute[] = "heir";
// Attribute of a chunk: the epoch of who may still write into it.
inline constexpr char kWriterAttribute[] = "epoch";

// A file's bytes, cut into objects of this size.
inline constexpr std::uint64_t kChunkBytes = std::uint64_t{4} << 20;

// Sixteen digits, base 16.
std::string PrintNumber(std::uint64_t number);
std::optional<std::uint64_t> ParseNumber(std::string_view text);

// "data.<inode>.<chunk>"
std::string ChunkObject(std::uint64_t inode, std::uint64_t chunk);
// An inode, and the epoch of the leader that made it.
std::uint64_t MakeInode(std::uint64_t epoch, std::uint64_t number);
std::uint64_t EpochOf(std::uint64_t inode);
// The inode, if it is the name of a chunk.
std::optional<std::uint64_t> InodeOf(std::string_view object);

// A file, as its entry in the directory has it.
struct FileEntry {
  std::uint64_t inode = 0;  // The epoch that made it in the upper half; never used again.
  // Nullopt while it is being written: then its chunks say how long it is.
  std::optional<std::uint64_t> bytes;
};
std::string PrintFileEntry(const FileEntry& entry);
std::optional<FileEntry> ParseFileEntry(std::string_view text);

struct Leader {
  std::string gateway;         // Its name.
  std::string address;         // The address for other gateways: host:port.
  std::string client;          // The store's name for it, for ObjectStore::Fence.
  std::uint64_t lease_ms = 0;  // The next leader waits for this long, whatever its own lease is.
};
std::string PrintLeader(const Leader& leader);
// Nullopt: nobody leads.
std::optional<Leader> ParseLeader(std::string_view text);

// The heir of that epoch's leader: the gateway that it is asked to hand over to, or, once it has stepped down
// because it could no longer write, any gateway but itself.
struct Heir {
  std::uint64_t epoch = 0;
  std::string gateway;
  bool is_excluded = false;  // Anybody but `gateway`.
};
std::string PrintHeir(const Heir& heir);
std::optional<Heir> ParseHeir(std::string_view text);

}  // namespace prejoin::cluster

#endif  // PREJOIN_CLUSTER_LAYOUT_H_
