#include "cli/access/prove_tenants.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "access/request_access.h"
#include "cli/model_file.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "engine/input_checks.h"
#include "engine/ops/operations.h"
#include "model/data/item_render.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/tenants.h"

namespace prejoin::cli {
namespace {

// The tables of `database`, as somebody sees them who acts for one tenant. Only reads: what a write may touch is decided in the same way.
class TenantBackend : public model::Backend {
 public:
  TenantBackend(engine::Engine& engine, access::ResourcePolicies& resource_policies,
                std::shared_ptr<const access::Principal> principal)
      : engine_(engine),
        access_(engine, resource_policies, std::move(principal), {},
                access::Enforcement::kPolicies) {}

  Status CreateTable(const model::Model&, const model::Table&) override { return NotHere(); }
  Status Load(const std::string&, const std::vector<Item>&) override { return NotHere(); }
  Result<model::WriteAnswer> Write(const model::ItemWrite&) override { return NotHere(); }
  Result<model::WriteAnswer> WriteTogether(const std::vector<model::ItemWrite>&) override {
    return NotHere();
  }

  Result<model::ReadAnswer> Get(const std::string& table, const Item& key,
                                bool consistent) override {
    PJ_ASSIGN_OR_RETURN(const GetItemOutput output,
                        Run("GetItem", engine::GetItem, model::MakeGet(table, key, consistent)));
    model::ReadAnswer answer;
    if (output.item) {
      answer.items.push_back(output.item->Decode());
    }
    return answer;
  }

  Result<model::ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                     bool consistent) override {
    model::ReadAnswer answer;
    BatchGetItemInput input = model::MakeBatchGet(table, keys, consistent);
    while (!input.request_items.empty()) {
      PJ_ASSIGN_OR_RETURN(BatchGetItemOutput output,
                          Run("BatchGetItem", engine::BatchGetItem, input));
      for (const auto& [name, items] : output.responses) {
        for (const StoredItem& item : items) {
          answer.items.push_back(item.Decode());
        }
      }
      input.request_items = std::move(output.unprocessed_keys);
    }
    return answer;
  }

  Result<model::ReadAnswer> Query(const model::KeyQuery& query) override {
    PJ_ASSIGN_OR_RETURN(auto output, query.scan
                                         ? Run("Scan", engine::Scan, model::MakeScan(query))
                                         : Run("Query", engine::Query, model::MakeQuery(query)));
    model::ReadAnswer answer;
    for (const StoredItem& item : output.items) {
      answer.items.push_back(item.Decode());
    }
    answer.next_key = std::move(output.last_evaluated_key);
    return answer;
  }

 private:
  static Error NotHere() { return Error{ErrorCode::kInternal, "a tenant only reads here"}; }

  template <class Operation, class Input>
  auto Run(std::string_view name, Operation operation, const Input& input)
      -> decltype(operation(std::declval<engine::Engine&>(),
                            std::declval<engine::RequestContext&>(), input)) {
    PJ_RETURN_IF_ERROR(engine::CheckInput(input));
    engine::RequestContext context = engine::BeginRequest(engine_);
    access_.Begin({.operation = name, .consumed_capacity = "", .tags = {}, .tag_keys = {}});
    context.access = &access_;
    return operation(engine_, context, input);
  }

  engine::Engine& engine_;
  access::RequestAccess access_;
};

Result<model::TenantReport> Run(const model::Model& model, const model::ProofScale& scale,
                                const model::TenantPolicy& policy) {
  const model::Dataset data = model::ProofData(model, scale);
  PJ_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, Database::Open({.path = ""}));
  model::EmbeddedBackend loader(*database);
  model::DataIndex index(data);
  for (const model::TableItems& table : model::RenderAll(model, index)) {
    PJ_RETURN_IF_ERROR(loader.CreateTable(model, *table.table));
    PJ_RETURN_IF_ERROR(loader.Load(table.table->name.text, table.items));
  }
  auto identity = std::make_shared<access::ReadyIdentity>();
  identity->identity.name = "tenant";
  PJ_ASSIGN_OR_RETURN(
      access::Policy parsed,
      access::Policy::Parse(policy.document, access::PolicyKind::kIdentity, "tenant"));
  identity->policies.push_back(std::move(parsed));
  access::ResourcePolicies resource_policies;
  const auto enter = [&](const AttributeValue& tenant) -> Result<std::unique_ptr<model::Backend>> {
    auto principal = std::make_shared<access::Principal>();
    principal->caller.account = Options().account_id;
    principal->caller.arn =
        access::IdentityArn(principal->caller.account, access::IdentityKind::kUser, "tenant");
    principal->username = "tenant";
    principal->tags = {{"tenant", *tenant.string()}};
    principal->identity = identity;
    std::unique_ptr<model::Backend> backend = std::make_unique<TenantBackend>(
        engine::EngineOf(*database), resource_policies, std::move(principal));
    return backend;
  };
  return model::ProveTenants(model, data, enter);
}

}  // namespace

ExitCode ProveAsTenants(const std::string& path, const model::Model& model,
                        const model::ProofScale& scale) {
  const auto fail = [&](const Error& error) {
    std::fprintf(stderr, "prejoin prove: %s: %s\n", path.c_str(), error.message.c_str());
    return kCouldNotRun;
  };
  const auto policy = model::MakeTenantPolicy(model);
  if (!policy) {
    return fail(policy.error());
  }
  const auto report = Run(model, scale, *policy);
  if (!report) {
    return fail(report.error());
  }
  PrintFolded(path + "\n" + model::RenderTenants(*report, *policy));
  return report->all_right ? kFine : kAnswerIsNo;
}

}  // namespace prejoin::cli
