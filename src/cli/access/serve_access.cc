#include "cli/access/serve_access.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "engine/engine.h"
#include "engine/engine_of.h"

namespace prejoin::cli {
namespace {

constexpr const char* kAdministratorPolicy =
    R"({"Version":"2012-10-17","Statement":[{"Sid":"Everything","Effect":"Allow","Action":"*","Resource":"*"}]})";

std::string Trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  const auto end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string KeyFileOf(const AccessArguments& arguments, const Options& options) {
  return arguments.key_file.empty() ? DefaultKeyFile(options.path) : arguments.key_file;
}

Result<access::Seal> OpenSeal(const AccessArguments& arguments, const Options& options) {
  if (options.path.empty() && arguments.key_file.empty()) {
    return access::Seal::Random();
  }
  return access::Seal::FromFile(KeyFileOf(arguments, options));
}

Error NobodyYet(const Options& options) {
  const std::string data = options.path.empty() ? "DIR" : options.path;
  return Error{
      ErrorCode::kValidation,
      "the server has no access keys, so it would refuse every request. Create the first "
      "administrator with\n  prejoin access init --data " +
          data +
          "\nor load keys with --credentials FILE, or turn authentication off with --auth off"};
}

}  // namespace

std::string DefaultKeyFile(const std::string& data) {
  std::string path = data;
  while (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path + ".key";
}

Status EnsureAdministrator(access::Directory& directory, const std::string& user) {
  if (directory.Find(access::IdentityKind::kUser, user) == nullptr) {
    PJ_RETURN_IF_ERROR(directory.Create(access::IdentityKind::kUser, user));
  }
  return directory.SetPolicy(access::IdentityKind::kUser, user, "AdministratorAccess",
                             kAdministratorPolicy);
}

Result<int> ImportCredentials(access::Directory& directory, const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    return Error{ErrorCode::kIo, "cannot read the credentials file " + path};
  }
  std::map<std::string, std::map<std::string, std::string>> profiles;
  std::string profile;
  for (std::string line; std::getline(file, line);) {
    line = Trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == ';') {
      continue;
    }
    if (line.front() == '[' && line.back() == ']') {
      profile = Trimmed(line.substr(1, line.size() - 2));
      continue;
    }
    const auto equals = line.find('=');
    if (equals != std::string::npos) {
      profiles[profile][Trimmed(line.substr(0, equals))] = Trimmed(line.substr(equals + 1));
    }
  }
  int count = 0;
  for (const auto& [name, values] : profiles) {
    const auto id = values.find("aws_access_key_id");
    const auto secret = values.find("aws_secret_access_key");
    if (id == values.end() || secret == values.end()) {
      continue;
    }
    PJ_RETURN_IF_ERROR(EnsureAdministrator(directory, name));
    PJ_RETURN_IF_ERROR(directory.ImportKey(name, id->second, secret->second));
    ++count;
  }
  if (count == 0) {
    return Error{ErrorCode::kValidation,
                 path + " has no profile with aws_access_key_id and aws_secret_access_key"};
  }
  return count;
}

Auth EffectiveAuth(const AccessArguments& arguments, bool is_loopback) {
  return arguments.auth.value_or(is_loopback ? Auth::kOff : Auth::kRequired);
}

std::vector<std::string> WritablePlaces(const AccessArguments& arguments, const Options& options) {
  std::vector<std::string> places;
  if (!arguments.credentials.empty() && !(options.path.empty() && arguments.key_file.empty())) {
    places.push_back(KeyFileOf(arguments, options));
  }
  if (!arguments.audit.path.empty()) {
    // Full files are renamed, and new ones begun.
    places.push_back(std::filesystem::absolute(arguments.audit.path).parent_path());
  }
  return places;
}

Result<ServeAccess> OpenServeAccess(const AccessArguments& arguments, Auth auth,
                                    const Options& options, Database& database, bool encrypted,
                                    server::Log& log, server::Metrics& metrics) {
  ServeAccess opened;
  if (auth == Auth::kOff) {
    return opened;
  }
  engine::Engine& engine = engine::EngineOf(database);
  auto seal = OpenSeal(arguments, options);
  if (!seal) {
    PJ_ASSIGN_OR_RETURN(const bool exists, access::Directory::Exists(engine.store()));
    if (exists) {
      return seal.error();
    }
    if (arguments.credentials.empty()) {
      return NobodyYet(options);
    }
    seal = access::Seal::CreateFile(KeyFileOf(arguments, options));
    if (!seal) {
      return seal.error();
    }
  }
  PJ_ASSIGN_OR_RETURN(opened.directory,
                      access::Directory::Open(engine.store(), *std::move(seal), options.account_id,
                                              Clock::System()));
  if (!arguments.credentials.empty()) {
    PJ_RETURN_IF_ERROR(ImportCredentials(*opened.directory, arguments.credentials));
  }
  if (!opened.directory->HasKeys()) {
    return NobodyYet(options);
  }
  if (!arguments.audit.path.empty()) {
    server::AuditOptions audit = arguments.audit;
    audit.bytes_max = arguments.audit_mb << 20;
    PJ_ASSIGN_OR_RETURN(opened.audit, server::AuditLog::Open(audit, Clock::System(), &log));
    metrics.AddGauge("prejoin_audit_lines_lost", "Audit lines that could not be written.",
                     [&lines = *opened.audit] { return lines.lost(); });
  }
  opened.gatekeeper = std::make_unique<server::Gatekeeper>(
      engine, *opened.directory,
      auth == Auth::kRequired ? access::Enforcement::kPolicies : access::Enforcement::kNone,
      encrypted, opened.audit.get());
  return opened;
}

void AddAuthOptions(CLI::App& verb, AccessArguments& arguments) {
  verb.add_option("--auth", arguments.auth,
                  "Authentication: `off` accepts any credentials, `verify` checks signatures "
                  "against known keys, `required` also enforces policies. Default: `off` on "
                  "loopback, `required` elsewhere")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Auth>{
          {"off", Auth::kOff}, {"verify", Auth::kVerify}, {"required", Auth::kRequired}}))
      ->option_text("off|verify|required");
  verb.add_option("--key-file", arguments.key_file,
                  "File with the key that encrypts secrets. Default: DIR.key beside --data DIR");
  verb.add_option("--credentials", arguments.credentials,
                  "AWS credentials file whose profiles are allowed everything; for tests");
  verb.add_option("--audit-log", arguments.audit.path,
                  "Write an audit log to this file: caller, operation, resource and decision as "
                  "JSON lines, without item data");
  verb.add_option("--audit-log-mb", arguments.audit_mb,
                  "Rotate the audit log at this size in MB; ten files are kept")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  verb.add_option("--audit-failure", arguments.audit.on_failure,
                  "When an audit line cannot be written: `count` answers the request and counts "
                  "the lost line, `refuse` answers 503. Default: count")
      ->transform(CLI::CheckedTransformer(std::map<std::string, server::AuditFailure>{
          {"count", server::AuditFailure::kCount}, {"refuse", server::AuditFailure::kRefuse}}))
      ->option_text("count|refuse");
}

}  // namespace prejoin::cli
