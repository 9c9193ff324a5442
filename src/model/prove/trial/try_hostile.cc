#include "model/prove/trial/try_hostile.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/data/item_render.h"
#include "model/generate/hostile_rows.h"
#include "model/prove/compare_rows.h"
#include "model/prove/predictor.h"
#include "model/prove/run_plan.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kHostileArgumentSets = 24;
constexpr std::size_t kHostileProblemsMax = 2;

std::string GivenText(const Arguments& arguments) {
  Row row;
  for (const auto& [name, value] : arguments) {
    row.Set(":" + name, value);
  }
  return RowText(row);
}

std::set<std::string> KeyNamesOf(const Table& table) {
  std::set<std::string> names = {table.partition.text, table.sort.text};
  for (const Index& index : table.indexes) {
    for (const std::vector<Name>* keys : {&index.partition, &index.sort}) {
      for (const Name& name : *keys) {
        names.insert(name.text);
      }
    }
  }
  names.erase("");
  return names;
}

// Why texts that begin alike change places: what follows the attribute in a key sorts after a space. Empty: no key has that.
std::string WhyOrderDiffers(const Model& model, const Section& section) {
  for (const Model::Placement& placement : model.LayoutsOf(section.entity)) {
    for (const StoredAttribute& stored : placement.layout->attributes) {
      const std::vector<TemplatePart>& parts = stored.key.parts;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const bool ordered = std::ranges::any_of(section.order, [&](const OrderKey& key) {
          return key.attribute.text == parts[i].attribute;
        });
        const std::string& next = parts[i + 1].literal;
        const Attribute* attribute = model.At(section.entity).Find(parts[i].attribute);
        if (ordered && !next.empty() && next[0] > ' ' && attribute != nullptr &&
            attribute->type == AttributeType::kText) {
          return "; a space sorts before `" + next.substr(0, 1) + "`, which follows `" +
                 parts[i].attribute + "` in " + stored.name.text +
                 ": sort an index by the attribute itself (`sort " + parts[i].attribute + ", …`)";
        }
      }
    }
  }
  return {};
}

Status TryPattern(const Model& model, const Plan& plan, const Dataset& data, DataIndex& index,
                  Predictor& items, PatternProof& proof) {
  std::size_t problems = 0;
  for (const Arguments& arguments :
       ArgumentsToTry(model, *plan.pattern, data, kHostileArgumentSets)) {
    const auto expected = EvaluatePattern(model, *plan.pattern, arguments, index);
    if (const auto refused = RefusedKeys(plan, arguments, expected)) {
      if (!refused->empty() && ++problems <= kHostileProblemsMax) {
        proof.problems.push_back("with hostile values, " + GivenText(arguments) + ": " + *refused);
      }
      continue;
    }
    PJ_ASSIGN_OR_RETURN(const PlanRun run, RunPlan(model, plan, arguments, items));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (const std::string& problem :
           CompareRows(plan.pattern->sections[i], expected[i], run.sections[i])) {
        if (++problems <= kHostileProblemsMax) {
          const bool order = problem.find("wrong order") != std::string::npos;
          proof.problems.push_back("with hostile values, " + GivenText(arguments) + ": " + problem +
                                   (order ? WhyOrderDiffers(model, plan.pattern->sections[i]) : ""));
        }
      }
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> MixedKeyTypes(const Model& model) {
  std::vector<std::string> problems;
  for (const Table& table : model.tables) {
    for (const std::string& name : KeyNamesOf(table)) {
      std::map<std::string, std::string> by_type;  // The first entity of each.
      for (const ItemLayout& layout : table.items) {
        const StoredAttribute* stored = layout.Find(name);
        const Entity& entity = model.At(layout.entity);
        const bool key = stored != nullptr && stored->kind == StoredKind::kTemplate;
        const std::string plain = key && stored->key.natural ? stored->key.parts[0].attribute : name;
        const Attribute* attribute = entity.Find(plain);
        if (key && !stored->key.natural) {
          by_type.try_emplace("text", layout.entity.text);
        } else if (attribute != nullptr) {
          by_type.try_emplace(IsNumber(attribute->type) ? "a number" : "text", layout.entity.text);
        }
      }
      if (by_type.size() > 1) {
        problems.push_back("the key attribute " + name + " of table " + table.name.text +
                           " holds values of more than one type: a number in items of " +
                           by_type["a number"] + ", text in items of " + by_type["text"]);
      }
    }
  }
  return problems;
}

Status TryHostile(const Model& model, const std::vector<Plan>& plans, const Dataset& data,
                  const std::function<bool()>& give_up, ProofReport& report) {
  const HostileRows hostile = AddHostileRows(model, data);
  report.data_problems.insert(report.data_problems.end(), hostile.problems.begin(),
                              hostile.problems.end());
  report.hostile_rows = hostile.added;
  report.hostile_refused = hostile.refused;
  Predictor items;
  DataIndex index(hostile.data);
  for (TableItems& table : RenderAll(model, index)) {
    PJ_RETURN_IF_ERROR(items.CreateTable(model, *table.table));
    PJ_RETURN_IF_ERROR(items.Load(table.table->name.text, table.items));
  }
  for (std::size_t i = 0; i < plans.size() && i < report.patterns.size(); ++i) {
    if (give_up && give_up()) {
      return Error{ErrorCode::kUnavailable, "the proof was given up"};
    }
    const Plan& plan = plans[i];
    PatternProof& proof = report.patterns[i];
    if (plan.served && proof.right) {
      PJ_RETURN_IF_ERROR(TryPattern(model, plan, hostile.data, index, items, proof));
      proof.right = proof.problems.empty();
      report.all_right = report.all_right && proof.right;
    }
  }
  report.all_right = report.all_right && report.data_problems.empty();
  return {};
}

}  // namespace prejoin::model
