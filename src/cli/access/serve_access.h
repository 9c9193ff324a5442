// The part of `prejoin serve` that decides who may ask, and where that is written down.
#ifndef PREJOIN_CLI_ACCESS_SERVE_ACCESS_H_
#define PREJOIN_CLI_ACCESS_SERVE_ACCESS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/directory.h"
#include "prejoin/database.h"
#include "prejoin/result.h"
#include "server/audit_log.h"
#include "server/gatekeeper.h"
#include "server/log.h"
#include "server/metrics.h"

namespace CLI {
class App;
}

namespace prejoin::cli {

enum class Auth {
  kOff,       // Any credentials will do.
  kVerify,    // Signatures of known keys; their owners may do everything.
  kRequired,  // The same, and policies decide.
};

struct AccessArguments {
  std::optional<Auth> auth;  // Nullopt: kOff on loopback, else kRequired.
  std::string key_file;      // Empty: beside the data.
  std::string credentials;   // A file whose keys are imported at the start.
  server::AuditOptions audit;
  std::uint64_t audit_mb = 100;
};

void AddAuthOptions(CLI::App& verb, AccessArguments& arguments);

// Everything that a server needs to know its callers. All null without --auth.
struct ServeAccess {
  std::unique_ptr<access::Directory> directory;
  std::unique_ptr<server::AuditLog> audit;
  std::unique_ptr<server::Gatekeeper> gatekeeper;
};

Auth EffectiveAuth(const AccessArguments& arguments, bool is_loopback);

// The error says how to make a first administrator, if there is nobody yet.
Result<ServeAccess> OpenServeAccess(const AccessArguments& arguments, Auth auth,
                                    const Options& options, Database& database, bool encrypted,
                                    server::Log& log, server::Metrics& metrics);

// The files and folders that these arguments let the server write.
std::vector<std::string> WritablePlaces(const AccessArguments& arguments, const Options& options);

// "data" → "data.key"
std::string DefaultKeyFile(const std::string& data);

// Each profile of an AWS-style credentials file becomes a user of that name who may do everything.
// Gives how many there were.
Result<int> ImportCredentials(access::Directory& directory, const std::string& path);

// A user who may do everything; there may be one of that name already.
Status EnsureAdministrator(access::Directory& directory, const std::string& user);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ACCESS_SERVE_ACCESS_H_
