#include "wire/members/backup_members.h"

namespace prejoin::wire {
namespace {

constexpr Member<std::string> kArnMembers[] = {
    {"BackupArn",
     [](InputReader& reader, json::Value value, const Path& path, std::string& out) {
       return ReadArn<kBackupArnBytes>{}(reader, value, path, out);
     },
     Presence::kRequired},
};

}  // namespace

Result<std::string> ParseBackupArnInput(const RequestBody& request) {
  return ParseInput(request, kArnMembers);
}

}  // namespace prejoin::wire
