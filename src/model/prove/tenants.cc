// The owner of an answer follows from the data alone. A pattern is evaluated twice for the same arguments: on all rows, and on those that one
// tenant has. If both answers are the same, they are the tenant's own, and the plan must give them; if the first has more, it has rows of
// others, and the plan must be refused. No word is needed about which parameter is the tenant.
//
//   find User where Org = :org       org = BLUE, as BLUE    all {b1, b2}   own {b1, b2}   must be answered
//                                    org = BLUE, as GREEN   all {b1, b2}   own {}         must be refused
#include "model/prove/tenants.h"

#include <algorithm>
#include <set>
#include <utility>

#include "json/writer.h"
#include "model/data/evaluate.h"
#include "model/generate/generate.h"
#include "model/plan/planner.h"
#include "model/prove/compare_rows.h"
#include "model/prove/run_plan.h"
#include "model/syntax/text_style.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kTenantsMax = 4;
constexpr std::size_t kTenantArgumentSets = 12;
constexpr std::size_t kTenantProblemsMax = 6;
constexpr int kReferenceHopsMax = 8;

// True if an attribute holds the tenant: the tenant's own, or one that refers to it.
bool HoldsTenant(const Model& model, const Entity& entity, const std::string& name) {
  const Path& tenant = model.tenant->path;
  if (entity.name == tenant.entity && name == tenant.attribute.text) {
    return true;
  }
  const Attribute* attribute = entity.Find(name);
  for (int hop = 0; attribute != nullptr && attribute->references && hop < kReferenceHopsMax;
       ++hop) {
    const Path& target = *attribute->references;
    if (target.entity == tenant.entity && target.attribute == tenant.attribute) {
      return true;
    }
    const Entity& next = model.At(target.entity);
    attribute = next.Find(target.attribute.text);
  }
  return false;
}

// The attribute of an entity that says whose its rows are; empty if they are nobody's.
std::string TenantAttribute(const Model& model, const Entity& entity) {
  for (const Attribute& attribute : entity.attributes) {
    if (HoldsTenant(model, entity, attribute.name.text)) {
      return attribute.name.text;
    }
  }
  return {};
}

// A policy reads `*`, `?` and `$` as patterns and variables; "${*}" is the character itself.
std::string LiteralPattern(const std::string& literal) {
  std::string out;
  for (const char c : literal) {
    out += c == '*' || c == '?' || c == '$' ? std::string("${") + c + "}" : std::string(1, c);
  }
  return out;
}

// A key's template as a pattern of leading keys; empty, and a reason, if it does not keep tenants apart.
std::string LeadingPattern(const Model& model, const Entity& entity,
                           const std::vector<TemplatePart>& parts, std::string& reason) {
  std::string pattern;
  std::size_t at = 0;
  for (; at < parts.size() && parts[at].is_literal(); ++at) {
    pattern += LiteralPattern(parts[at].literal);
  }
  if (at == parts.size() || !HoldsTenant(model, entity, parts[at].attribute) ||
      parts[at].transform != TemplateTransform::kNone) {
    reason = "does not begin with the tenant";
    return {};
  }
  pattern += kTenantVariable;
  if (++at == parts.size()) {
    return pattern;
  }
  // Without something between them the end of one tenant's name could be the beginning of another's key.
  if (!parts[at].is_literal() || parts[at].literal.empty()) {
    reason = "has nothing between the tenant and what follows";
    return {};
  }
  pattern += LiteralPattern(parts[at].literal);
  return ++at == parts.size() ? pattern : pattern + "*";
}

std::vector<TemplatePart> PartsOf(const ItemLayout& layout, const std::string& key) {
  const StoredAttribute* stored = layout.Find(key);
  if (stored != nullptr) {
    return stored->key.parts;
  }
  TemplatePart natural;
  natural.attribute = key;
  return {natural};
}

class PolicyWriter {
 public:
  explicit PolicyWriter(const Model& model) : model_(model) {}

  void AddTable(const Table& table) {
    resources_.push_back("arn:aws:dynamodb:*:*:table/" + table.name.text);
    if (!table.indexes.empty()) {
      resources_.push_back(resources_.back() + "/index/*");
    }
    for (const ItemLayout& layout : table.items) {
      AddKey(layout, table.partition.text, table.name.text);
      for (const Index& index : table.indexes) {
        if (index.local || index.partition.empty()) {
          continue;
        }
        const std::string& key = index.partition[0].text;
        const Entity& entity = model_.At(layout.entity);
        const bool has = layout.Find(key) != nullptr || entity.Find(key) != nullptr;
        if (has) {
          AddKey(layout, key, table.name.text + "." + index.name.text);
        }
      }
    }
  }

  TenantPolicy Finish() && {
    TenantPolicy policy;
    policy.keys.assign(keys_.begin(), keys_.end());
    policy.left_out = std::move(left_out_);
    policy.document = Document(policy.keys);
    return policy;
  }

 private:
  void AddKey(const ItemLayout& layout, const std::string& key, const std::string& view) {
    std::string reason;
    const Entity& entity = model_.At(layout.entity);
    std::string pattern = LeadingPattern(model_, entity, PartsOf(layout, key), reason);
    if (pattern.empty()) {
      left_out_.push_back(layout.entity.text + " in " + view + ": " + key + " " + reason);
    } else {
      keys_.insert(std::move(pattern));
    }
  }

  static void AppendTexts(const std::vector<std::string>& texts, std::string& out) {
    out += '[';
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) {
        out += ", ";
      }
      json::AppendString(texts[i], out);
    }
    out += ']';
  }

  std::string Document(const std::vector<std::string>& keys) const {
    std::string out =
        "{\"Version\": \"2012-10-17\", \"Statement\": [{\n  \"Sid\": \"OwnRows\", \"Effect\": "
        "\"Allow\",\n  \"Action\": ";
    AppendTexts({"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem",
                 "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem",
                 "dynamodb:ConditionCheckItem"},
                out);
    out += ",\n  \"Resource\": ";
    AppendTexts(resources_, out);
    out += ",\n  \"Condition\": {\"ForAllValues:StringLike\": {\"dynamodb:LeadingKeys\": ";
    AppendTexts(keys, out);
    // All of nothing is allowed too, but for this.
    out += "},\n                \"Null\": {\"dynamodb:LeadingKeys\": \"false\"}}}]}\n";
    return out;
  }

  const Model& model_;
  std::vector<std::string> resources_;
  std::set<std::string> keys_;
  std::vector<std::string> left_out_;
};

// The rows of one tenant, and those that are nobody's.
Dataset RowsOf(const Model& model, const Dataset& data, const AttributeValue& tenant) {
  Dataset own;
  for (const Entity& entity : model.entities) {
    const std::string attribute = TenantAttribute(model, entity);
    std::vector<Row>& kept = own.rows[entity.name.text];
    for (const Row& row : data.Of(entity.name.text)) {
      const AttributeValue* value = attribute.empty() ? nullptr : row.Find(attribute);
      if (attribute.empty() || (value != nullptr && *value == tenant)) {
        kept.push_back(row);
      }
    }
  }
  return own;
}

std::vector<AttributeValue> SomeTenants(const Model& model, const Dataset& data) {
  std::vector<AttributeValue> tenants;
  const Path& tenant = model.tenant->path;
  for (const Row& row : data.Of(tenant.entity.text)) {
    const AttributeValue* value = row.Find(tenant.attribute.text);
    if (value != nullptr && value->string() != nullptr && tenants.size() < kTenantsMax &&
        std::find(tenants.begin(), tenants.end(), *value) == tenants.end()) {
      tenants.push_back(*value);
    }
  }
  return tenants;
}

std::size_t RowCount(const std::vector<SectionAnswer>& answers) {
  std::size_t count = 0;
  for (const SectionAnswer& answer : answers) {
    count += answer.found;
  }
  return count;
}

bool ReadsTenantsOnly(const Model& model, const Plan& plan) {
  const auto leads = [&](const Reference<Entity>& name, const std::string& key) {
    const Entity& entity = model.At(name);
    std::string reason;
    const ItemLayout* layout = model.FindPlacement(name).layout;
    return layout != nullptr &&
           !LeadingPattern(model, entity, PartsOf(*layout, key), reason).empty();
  };
  return std::all_of(plan.requests.begin(), plan.requests.end(), [&](const Request& request) {
    return leads(plan.sections[request.sections[0]].item_entity,
                 request.view.PartitionKeys()[0].text);
  });
}

// One tenant's runs of one pattern.
class TenantRuns {
 public:
  TenantRuns(const Model& model, const Plan& plan, Backend& backend, TenantPatternProof& proof)
      : model_(model), plan_(plan), backend_(backend), proof_(proof) {}

  Status Run(const std::string& tenant, const Arguments& arguments, DataIndex& all,
             DataIndex& own) {
    const auto expected = EvaluatePattern(model_, *plan_.pattern, arguments, all);
    const auto visible = EvaluatePattern(model_, *plan_.pattern, arguments, own);
    if (RowCount(expected) == 0) {
      return {};
    }
    const bool is_own = RowCount(expected) == RowCount(visible);
    const auto run = RunPlan(model_, plan_, arguments, backend_);
    if (!run && run.error().code != ErrorCode::kAccessDenied) {
      return run.error();
    }
    if (!proof_.for_tenants || !is_own) {
      ++proof_.foreign_runs;
      if (run) {
        Complain(tenant, arguments, "was answered, though it is not only the tenant's");
      }
      return {};
    }
    ++proof_.own_runs;
    if (!run) {
      Complain(tenant, arguments, "was refused: " + run.error().message);
      return {};
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      proof_.rows += plan_.pattern->sections[i].measure == Measure::kRows ? run->sections[i].size()
                                                                    : expected[i].found;
      for (const std::string& problem :
           CompareRows(plan_.pattern->sections[i], expected[i], run->sections[i])) {
        Complain(tenant, arguments, problem);
      }
    }
    return {};
  }

 private:
  void Complain(const std::string& tenant, const Arguments& arguments, const std::string& what) {
    if (proof_.problems.size() >= kTenantProblemsMax) {
      return;
    }
    Row row;
    for (const auto& [name, value] : arguments) {
      row.Set(":" + name, value);
    }
    proof_.problems.push_back("as " + tenant + " with " + RowText(row) + ": " + what);
  }

  const Model& model_;
  const Plan& plan_;
  Backend& backend_;
  TenantPatternProof& proof_;
};

}  // namespace

Result<TenantPolicy> MakeTenantPolicy(const Model& model) {
  if (!model.tenant) {
    return Error{ErrorCode::kValidation,
                 "the model does not say whose its rows are; write: tenant Org.id"};
  }
  PolicyWriter writer(model);
  for (const Table& table : model.tables) {
    writer.AddTable(table);
  }
  TenantPolicy policy = std::move(writer).Finish();
  if (policy.keys.empty()) {
    return Error{ErrorCode::kValidation, "no key of the model begins with the tenant"};
  }
  return policy;
}

Result<TenantReport> ProveTenants(const Model& model, const Dataset& data,
                                  const EnterAsTenant& enter) {
  TenantReport report;
  std::vector<Plan> plans;
  for (const Pattern& pattern : model.patterns) {
    plans.push_back(PlanPattern(model, pattern));
    TenantPatternProof proof;
    proof.name = pattern.name.text;
    proof.for_tenants = plans.back().served && ReadsTenantsOnly(model, plans.back());
    report.patterns.push_back(std::move(proof));
  }
  DataIndex all(data);
  for (const AttributeValue& tenant : SomeTenants(model, data)) {
    const Dataset rows = RowsOf(model, data, tenant);
    DataIndex own(rows);
    PJ_ASSIGN_OR_RETURN(const std::unique_ptr<Backend> backend, enter(tenant));
    report.tenants.push_back(*tenant.string());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!plans[i].served) {
        continue;
      }
      TenantRuns runs(model, plans[i], *backend, report.patterns[i]);
      for (const Dataset* from : {&rows, &data}) {
        for (const Arguments& arguments :
             ArgumentsToTry(model, model.patterns[i], *from, kTenantArgumentSets)) {
          PJ_RETURN_IF_ERROR(runs.Run(*tenant.string(), arguments, all, own));
        }
      }
    }
  }
  bool right = report.tenants.size() > 1;
  bool proved = false;
  for (const TenantPatternProof& proof : report.patterns) {
    right = right && proof.problems.empty();
    proved = proved || (proof.own_runs > 0 && proof.foreign_runs > 0 && proof.rows > 0);
  }
  report.all_right = right && proved;
  return report;
}

Dataset ProofData(const Model& model, const ProofScale& scale) {
  if (scale.rows <= 0) {
    return SampleData(model);
  }
  GenerateOptions options;
  options.rows = scale.rows;
  options.seed = scale.seed;
  return GenerateData(model, options);
}

std::string RenderTenants(const TenantReport& report, const TenantPolicy& policy) {
  std::string out = "Tenants:";
  for (const std::string& tenant : report.tenants) {
    out += " " + tenant;
  }
  out += "\nLeading keys of a tenant:";
  for (const std::string& key : policy.keys) {
    out += " " + key;
  }
  out += "\n";
  for (const TenantPatternProof& proof : report.patterns) {
    out += Verdict(proof.problems.empty()) + " " + Styled(Style::kHeading, proof.name) + "  ";
    out += proof.for_tenants
               ? std::to_string(proof.own_runs) + " runs on the tenant's own data, " +
                     std::to_string(proof.rows) + " rows; " + std::to_string(proof.foreign_runs) +
                     " runs on other tenants' data, all refused\n"
               : "not allowed for tenants, because its key does not begin with one; " +
                     std::to_string(proof.foreign_runs) + " runs refused\n";
    for (const std::string& problem : proof.problems) {
      out += "    " + Styled(Style::kBad, "! " + problem) + "\n";
    }
  }
  for (const std::string& left_out : policy.left_out) {
    out += "  Not allowed: " + left_out + "\n";
  }
  if (report.tenants.size() < 2) {
    out += "Not proved: the data has fewer than two tenants. Try --rows 1000.\n";
  }
  return out + Verdict(report.all_right) + " " +
         (report.all_right
              ? "No tenant received a row of another, and no own row was refused.\n"
              : "Tenants are not isolated, or there was too little data to compare.\n");
}

}  // namespace prejoin::model
