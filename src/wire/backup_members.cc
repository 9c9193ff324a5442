#include "wire/backup_members.h"

#include "wire/stream_members.h"

namespace prejoin::wire {
namespace {

constexpr Member<std::string> kArnMembers[] = {
    {"BackupArn",
     [](InputReader& reader, JsonValue value, const Path& path, std::string& out) {
       return ReadBounded(reader, value, path, kBackupArnBytes, out);
     },
     Presence::kRequired},
};

}  // namespace

Result<std::string> ParseBackupArnInput(JsonValue root) { return ParseInput(root, kArnMembers); }

}  // namespace prejoin::wire
