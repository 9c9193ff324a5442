#include "wire/members/backup_members.h"

#include "wire/members/stream_members.h"

namespace prejoin::wire {
namespace {

constexpr Member<std::string> kArnMembers[] = {
    {"BackupArn",
     [](InputReader& reader, json::Value value, const Path& path, std::string& out) {
       return ReadBounded(reader, value, path, kBackupArnBytes, out);
     },
     Presence::kRequired},
};

}  // namespace

Result<std::string> ParseBackupArnInput(json::Value root) { return ParseInput(root, kArnMembers); }

}  // namespace prejoin::wire
