// `prejoin access`: users, roles, keys and policies of a data directory that no server has open. While a server runs, `aws iam` with
// --endpoint-url does the same.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "access/directory.h"
#include "access/simulate.h"
#include "cli/access/serve_access.h"
#include "cli/model_file.h"
#include "cli/serve/private_files.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "json/writer.h"
#include "model/prove/tenants.h"
#include "prejoin/database.h"

namespace prejoin::cli {
namespace {

using access::Directory;
using access::IdentityKind;

struct AccessOptions {
  std::string data;
  std::string key_file;
  std::string account = Options().account_id;
  std::string name = "admin";
  std::string user;
  std::string role;
  std::string policy_name;
  std::string file;
  std::string key_id;
  std::string action;
  std::string resource;
  std::vector<std::string> context;
  bool admin = false;
  bool json = false;

  IdentityKind kind() const { return role.empty() ? IdentityKind::kUser : IdentityKind::kRole; }
  const std::string& owner() const { return role.empty() ? user : role; }
};
using AccessOptionsPtr = std::shared_ptr<AccessOptions>;

ExitCode Fail(const Error& error) { return CouldNotRun("access", error); }

std::string KeyFileOf(const AccessOptions& options) {
  return options.key_file.empty() ? DefaultKeyFile(options.data) : options.key_file;
}

// Runs `work` on the directory of the data; the database is closed after it.
ExitCode WithDirectory(const AccessOptions& options, bool may_create,
                       const std::function<Result<ExitCode>(Directory&)>& work) {
  Options opened;
  opened.path = options.data;
  opened.account_id = options.account;
  KeepFilesPrivate();
  auto database = Database::Open(opened);
  if (!database) {
    return Fail(database.error());
  }
  engine::Engine& engine = engine::EngineOf(**database);
  auto seal = access::Seal::FromFile(KeyFileOf(options));
  if (!seal) {
    const auto exists = Directory::Exists(engine.store());
    if (!exists || *exists || !may_create) {
      return Fail(exists && !*exists ? Error{ErrorCode::kValidation,
                                             "there are no users yet; create the first "
                                             "administrator with `prejoin access init --data " +
                                                 options.data + "`"}
                                     : seal.error());
    }
    seal = access::Seal::CreateFile(KeyFileOf(options));
    if (!seal) {
      return Fail(seal.error());
    }
  }
  auto directory =
      Directory::Open(engine.store(), *std::move(seal), options.account, engine.clock());
  if (!directory) {
    return Fail(directory.error());
  }
  const auto code = work(**directory);
  return code ? *code : Fail(code.error());
}

// The secret is shown only this once.
void ShowKey(const AccessOptions& options, const access::AccessKey& key) {
  if (options.json) {
    std::string out;
    {
      json::ObjectWriter object(out);
      object.String("UserName", key.user);
      object.String("AccessKeyId", key.id);
      object.String("SecretAccessKey", key.secret);
    }
    Print(out + "\n");
    return;
  }
  Print("user                   " + key.user + "\naws_access_key_id      " + key.id +
        "\naws_secret_access_key  " + key.secret +
        "\nThe secret is not shown again: it is stored sealed with " + KeyFileOf(options) + ".\n");
}

Result<ExitCode> Init(const AccessOptions& options, Directory& directory) {
  if (directory.HasKeys()) {
    return Error{ErrorCode::kValidation,
                 "access keys exist already; `prejoin access key add` creates another one"};
  }
  PJ_RETURN_IF_ERROR(EnsureAdministrator(directory, options.name));
  PJ_ASSIGN_OR_RETURN(const access::AccessKey key, directory.CreateKey(options.name));
  ShowKey(options, key);
  return kFine;
}

Result<ExitCode> AddIdentity(const AccessOptions& options, Directory& directory) {
  std::string trust;
  if (options.kind() == IdentityKind::kRole) {
    const auto text =
        options.file.empty() ? std::optional<std::string>() : ReadWholeFile(options.file);
    if (!options.file.empty() && !text) {
      return kCouldNotRun;
    }
    trust = text.value_or(
        R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":")" +
        options.account + R"("},"Action":"sts:AssumeRole"}]})");
  }
  if (options.admin) {
    PJ_RETURN_IF_ERROR(EnsureAdministrator(directory, options.user));
  } else {
    PJ_RETURN_IF_ERROR(directory.Create(options.kind(), options.owner(), trust));
  }
  Print(access::IdentityArn(options.account, options.kind(), options.owner()) + "\n");
  return kFine;
}

Result<ExitCode> ListIdentities(const AccessOptions& options, Directory& directory,
                                IdentityKind kind) {
  for (const access::Identity& identity : directory.List(kind)) {
    std::string line = access::IdentityArn(options.account, kind, identity.name);
    for (const auto& [name, document] : identity.policies) {
      line += "  " + name;
    }
    Print(line + (identity.boundary.empty() ? "\n" : "  (boundary)\n"));
  }
  return kFine;
}

Result<ExitCode> ListKeys(const AccessOptions& options, Directory& directory) {
  for (const access::AccessKey& key :
       options.user.empty() ? directory.ListAllKeys() : directory.ListKeys(options.user)) {
    Print(key.id + "  " + key.user + "  " + (key.active ? "active" : "inactive") +
          (key.last_used_ms == 0 ? "  never used" : "  used " + access::UtcText(key.last_used_ms)) +
          "\n");
  }
  return kFine;
}

Result<ExitCode> Done(const Status& status, const std::string& text) {
  if (!status) {
    return status.error();
  }
  Print(text + "\n");
  return kFine;
}

Result<ExitCode> SetPolicy(const AccessOptions& options, Directory& directory) {
  const auto document = ReadWholeFile(options.file);
  if (!document) {
    return kCouldNotRun;
  }
  if (options.policy_name == "boundary") {
    return Done(directory.SetBoundary(options.kind(), options.owner(), *document), "boundary set");
  }
  if (options.policy_name == "trust" && !options.role.empty()) {
    return Done(directory.SetTrust(options.role, *document), "trust policy set");
  }
  return Done(directory.SetPolicy(options.kind(), options.owner(), options.policy_name, *document),
              "policy " + options.policy_name + " set");
}

Result<ExitCode> RemovePolicy(const AccessOptions& options, Directory& directory) {
  if (options.policy_name == "boundary") {
    return Done(directory.SetBoundary(options.kind(), options.owner(), ""), "boundary removed");
  }
  return Done(directory.RemovePolicy(options.kind(), options.owner(), options.policy_name),
              "policy " + options.policy_name + " removed");
}

Result<ExitCode> ShowPolicies(const AccessOptions& options, Directory& directory) {
  const auto found = directory.Find(options.kind(), options.owner());
  if (found == nullptr) {
    return Error{ErrorCode::kValidation, "there is no " + options.owner()};
  }
  for (const auto& [name, document] : found->identity.policies) {
    Print(name + "\n" + document + "\n");
  }
  if (!found->identity.boundary.empty()) {
    Print("boundary\n" + found->identity.boundary + "\n");
  }
  if (!found->identity.trust.empty()) {
    Print("trust\n" + found->identity.trust + "\n");
  }
  return kFine;
}

ExitCode PolicyFromModel(const AccessOptions& options) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(options.file, code);
  if (!loaded) {
    return code;
  }
  const auto policy = model::MakeTenantPolicy(loaded->read.model);
  if (!policy) {
    return Fail(policy.error());
  }
  for (const std::string& left_out : policy->left_out) {
    std::fprintf(stderr, "prejoin access: not allowed: %s\n", left_out.c_str());
  }
  Print(policy->document);
  return kFine;
}

// "tenant=blue"
Result<ExitCode> SetTags(const AccessOptions& options, Directory& directory) {
  std::map<std::string, std::string> tags;
  for (const std::string& text : options.context) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorCode::kValidation, "a tag is KEY=VALUE: " + text};
    }
    tags[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return Done(directory.SetTags(options.kind(), options.owner(), tags), "tags set");
}

Result<access::SimulatedRequest> RequestOf(const AccessOptions& options) {
  access::SimulatedRequest request{
      .action = options.action, .resource = options.resource, .context = {}};
  for (const std::string& text : options.context) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorCode::kValidation, "--context is KEY=VALUE: " + text};
    }
    request.context.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return request;
}

Result<ExitCode> ShowSimulation(const AccessOptions& options,
                                const access::Simulation& simulation) {
  Print(options.json ? access::PrintJson(simulation) + "\n" : access::PrintText(simulation));
  return simulation.allowed ? kFine : kAnswerIsNo;
}

ExitCode SimulateDocument(const AccessOptions& options) {
  const auto document = ReadWholeFile(options.file);
  if (!document) {
    return kCouldNotRun;
  }
  const auto request = RequestOf(options);
  if (!request) {
    return Fail(request.error());
  }
  const auto simulation = access::SimulateDocument(*document, *request, options.account);
  if (!simulation) {
    return Fail(simulation.error());
  }
  return *ShowSimulation(options, *simulation);
}

Result<ExitCode> Simulate(const AccessOptions& options, Directory& directory) {
  PJ_ASSIGN_OR_RETURN(const access::SimulatedRequest request, RequestOf(options));
  const auto identity = directory.Find(options.kind(), options.owner());
  if (identity == nullptr) {
    return Error{ErrorCode::kValidation, "there is no " + options.owner()};
  }
  return ShowSimulation(options, access::Simulate(*identity, request, options.account));
}

CLI::App* AddAct(CLI::App& parent, const std::string& name, const std::string& text,
                 const AccessOptionsPtr& options, ExitCode& exit_code,
                 std::function<Result<ExitCode>(const AccessOptions&, Directory&)> work,
                 bool may_create = false) {
  CLI::App* act = parent.add_subcommand(name, text);
  act->add_option("--data", options->data, "Data directory that no server is using")->required();
  act->add_option("--key-file", options->key_file, "Key file that encrypts secrets [DIR.key]");
  act->add_option("--account", options->account, "Account in ARNs")->capture_default_str();
  act->add_flag("--json", options->json, "For machines");
  act->callback([options, &exit_code, work = std::move(work), may_create] {
    exit_code = WithDirectory(*options, may_create,
                              [&](Directory& directory) { return work(*options, directory); });
  });
  return act;
}

void AddIdentityActs(CLI::App& verb, const AccessOptionsPtr& options, ExitCode& exit_code,
                     IdentityKind kind) {
  const bool is_user = kind == IdentityKind::kUser;
  const std::string what = is_user ? "user" : "role";
  CLI::App* group =
      verb.add_subcommand(what, is_user ? "Manage users." : "Manage roles that users can assume.");
  group->require_subcommand(1);
  std::string& name = is_user ? options->user : options->role;
  CLI::App* add = AddAct(*group, "add", "Create a " + what + ".", options, exit_code, AddIdentity);
  add->add_option("NAME", name)->required();
  if (is_user) {
    add->add_flag("--admin", options->admin, "May do everything");
  } else {
    add->add_option("--trust", options->file,
                    "Trust policy: who may assume the role [the account]");
  }
  AddAct(*group, "delete", "Delete one; a user's access keys are deleted with it.", options,
         exit_code,
         [kind](const AccessOptions& given, Directory& directory) {
           return Done(directory.Delete(kind, given.owner()), given.owner() + " deleted");
         })
      ->add_option("NAME", name)
      ->required();
  AddAct(*group, "list", "List all, with the names of their policies.", options, exit_code,
         [kind](const AccessOptions& given, Directory& directory) {
           return ListIdentities(given, directory, kind);
         });
}

void AddKeyActs(CLI::App& verb, const AccessOptionsPtr& options, ExitCode& exit_code) {
  CLI::App* group = verb.add_subcommand("key", "Manage access keys of users.");
  group->require_subcommand(1);
  AddAct(*group, "add", "Create an access key and print its secret once.", options, exit_code,
         [](const AccessOptions& given, Directory& directory) -> Result<ExitCode> {
           PJ_ASSIGN_OR_RETURN(const access::AccessKey key, directory.CreateKey(given.user));
           ShowKey(given, key);
           return kFine;
         })
      ->add_option("USER", options->user)
      ->required();
  AddAct(*group, "list", "List access keys and when they were last used.", options, exit_code,
         ListKeys)
      ->add_option("USER", options->user);
  AddAct(*group, "off", "Deactivate an access key.", options, exit_code,
         [](const AccessOptions& given, Directory& directory) {
           return Done(directory.SetKeyActive(given.key_id, false), given.key_id + " is off");
         })
      ->add_option("KEY", options->key_id)
      ->required();
  AddAct(*group, "on", "Activate an access key.", options, exit_code,
         [](const AccessOptions& given, Directory& directory) {
           return Done(directory.SetKeyActive(given.key_id, true), given.key_id + " is on");
         })
      ->add_option("KEY", options->key_id)
      ->required();
  AddAct(*group, "delete", "Remove a key.", options, exit_code,
         [](const AccessOptions& given, Directory& directory) {
           return Done(directory.DeleteKey(given.key_id), given.key_id + " deleted");
         })
      ->add_option("KEY", options->key_id)
      ->required();
  AddAct(
      *group, "import", "An AWS-style credentials file: each profile becomes an administrator.",
      options, exit_code,
      [](const AccessOptions& given, Directory& directory) -> Result<ExitCode> {
        PJ_ASSIGN_OR_RETURN(const int count, ImportCredentials(directory, given.file));
        Print(std::to_string(count) + " keys imported\n");
        return kFine;
      },
      true)
      ->add_option("FILE", options->file)
      ->required();
}

void AddOwner(CLI::App& act, const AccessOptionsPtr& options) {
  auto* user = act.add_option("--user", options->user, "Whose");
  act.add_option("--role", options->role, "Whose")->excludes(user);
}

void AddPolicyActs(CLI::App& verb, const AccessOptionsPtr& options, ExitCode& exit_code) {
  CLI::App* group = verb.add_subcommand(
      "policy",
      "Manage policies of users and roles; the names `boundary` and `trust` are special.");
  group->require_subcommand(1);
  CLI::App* set = AddAct(*group, "set", "Add or replace a policy.", options, exit_code, SetPolicy);
  AddOwner(*set, options);
  set->add_option("NAME", options->policy_name)->required();
  set->add_option("FILE", options->file, "Policy document in AWS's JSON; - is standard input")
      ->required();
  CLI::App* remove = AddAct(*group, "remove", "Remove one.", options, exit_code, RemovePolicy);
  AddOwner(*remove, options);
  remove->add_option("NAME", options->policy_name)->required();
  CLI::App* from_model = group->add_subcommand(
      "from-model", "The policy of a model's tenants, by leading keys, for a tag `tenant`.");
  from_model->add_option("FILE", options->file, "Model file with `tenant`")->required();
  from_model->callback([options, &exit_code] { exit_code = PolicyFromModel(*options); });
  AddOwner(*AddAct(*group, "show", "All of an owner.", options, exit_code, ShowPolicies), options);
}

void AddTag(CLI::App& verb, const AccessOptionsPtr& options, ExitCode& exit_code) {
  CLI::App* act = AddAct(verb, "tag", "Manage tags of a user or role, for ${aws:PrincipalTag/KEY}.",
                         options, exit_code, SetTags);
  AddOwner(*act, options);
  act->add_option("TAG", options->context, "KEY=VALUE pairs; tags that are not named are removed");
}

void AddSimulate(CLI::App& verb, const AccessOptionsPtr& options, ExitCode& exit_code) {
  CLI::App* act = verb.add_subcommand(
      "simulate",
      "Show whether a request would be allowed, by which statement, and what is missing.");
  auto* data =
      act->add_option("--data", options->data, "Decide for a user or role in this data directory");
  act->add_option("--policy", options->file, "Decide by this policy document alone")
      ->excludes(data);
  act->add_option("--key-file", options->key_file, "Key file that encrypts secrets [DIR.key]");
  act->add_option("--account", options->account, "Account in ARNs")->capture_default_str();
  AddOwner(*act, options);
  act->add_option("--action", options->action, "As dynamodb:GetItem")->required();
  act->add_option("--resource", options->resource, "ARN")->required();
  act->add_option("--context", options->context,
                  "KEY=VALUE of the request, as dynamodb:LeadingKeys=T1; again for more values");
  act->add_flag("--json", options->json, "For machines");
  act->footer(
      "Example:\n  prejoin access simulate --policy tenant.json --action dynamodb:Query \\\n"
      "    --resource arn:aws:dynamodb:us-east-1:123456789012:table/Orders \\\n"
      "    --context dynamodb:LeadingKeys=TENANT#blue --context aws:username=green");
  act->callback([options, &exit_code] {
    if (!options->file.empty()) {
      exit_code = SimulateDocument(*options);
    } else if (options->data.empty()) {
      exit_code = Fail(
          Error{ErrorCode::kValidation, "name the policies to use: --policy FILE, or --data DIR"});
    } else {
      exit_code = WithDirectory(
          *options, false, [&](Directory& directory) { return Simulate(*options, directory); });
    }
  });
}

}  // namespace

void AddAccess(CLI::App& program, ExitCode& exit_code) {
  auto options = std::make_shared<AccessOptions>();
  CLI::App* verb =
      program.add_subcommand("access", "Manage users, roles, access keys and policies.");
  verb->require_subcommand(1);
  verb->footer(
      "Example:\n  prejoin access init --data ./data\n  prejoin access user add green --data "
      "./data\n  prejoin access policy set tenant tenant.json --user green --data ./data\n  "
      "prejoin "
      "access key add green --data ./data\n  prejoin serve --data ./data --auth required");
  AddAct(*verb, "init", "Create the first administrator and print its secret once.", options,
         exit_code, Init, true)
      ->add_option("--name", options->name, "Name of the user")
      ->capture_default_str();
  AddIdentityActs(*verb, options, exit_code, IdentityKind::kUser);
  AddIdentityActs(*verb, options, exit_code, IdentityKind::kRole);
  AddKeyActs(*verb, options, exit_code);
  AddPolicyActs(*verb, options, exit_code);
  AddTag(*verb, options, exit_code);
  AddSimulate(*verb, options, exit_code);
}

}  // namespace prejoin::cli
