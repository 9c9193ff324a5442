#include "migrate/state.h"

#include <array>
#include <cstdio>

#include "base/fingerprint.h"
#include "base/parse_number.h"
#include "model/layout/key_spelling.h"
#include "model/layout/print_physical.h"

namespace prejoin::migrate {
namespace {

constexpr std::array<std::string_view, 6> kPhaseNames = {"tables", "backfill", "indexes",
                                                         "passes", "ready",    "cut over"};

// The table of states as a model, because that is what tables are made from.
model::Model StateModel() {
  model::Model model;
  model::Entity entity;
  entity.name.text = "Migration";
  model::Attribute id;
  id.name.text = "id";
  id.is_key = true;
  entity.attributes.push_back(id);
  model.entities.push_back(entity);
  model::Table table;
  table.name.text = kStateTable;
  table.partition.text = "id";
  model::ItemLayout layout;
  layout.entity = model.entities.back();
  layout.attributes.push_back(model::NaturalKey({"id", {}}));
  table.items.push_back(layout);
  model.tables.push_back(table);
  return model;
}

std::string TextIn(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  return value != nullptr && value->string() != nullptr ? *value->string() : "";
}

}  // namespace

std::string_view PhaseName(Phase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }

Item StateStore::Key() const { return {{"id", AttributeValue(name_)}}; }

Result<std::optional<MigrationState>> StateStore::Load() {
  PJ_ASSIGN_OR_RETURN(const auto table, remote_.Describe(kStateTable));
  if (!table) {
    return std::optional<MigrationState>();
  }
  PJ_ASSIGN_OR_RETURN(const std::vector<Item> found, remote_.Get(kStateTable, {Key()}));
  if (found.empty()) {
    return std::optional<MigrationState>();
  }
  const Item& item = found[0];
  MigrationState state;
  const std::string phase = TextIn(item, "phase");
  bool known = false;
  for (std::size_t i = 0; i < kPhaseNames.size(); ++i) {
    if (kPhaseNames[i] != phase) {
      continue;
    }
    state.phase = static_cast<Phase>(i);
    known = true;
  }
  if (!known) {
    return ValidationError("the item of this migration in " + std::string(kStateTable) +
                           " has an unknown phase");
  }
  state.designs = TextIn(item, "designs");
  state.table = TextIn(item, "table");
  state.old_digest = TextIn(item, "oldDigest");
  if (const AttributeValue* cursor = item.Find("cursor"); cursor != nullptr && cursor->map()) {
    state.cursor = *cursor->map();
  }
  if (const AttributeValue* written = item.Find("written");
      written != nullptr && written->number()) {
    state.written = ParseInteger<std::int64_t>(written->number()->ToString()).value_or(0);
  }
  return std::optional(std::move(state));
}

Status StateStore::Save(const MigrationState& state) {
  if (!table_made_) {
    const model::Model model = StateModel();
    PJ_RETURN_IF_ERROR(remote_.Create(model, model.tables[0]));
    table_made_ = true;
  }
  Item item = Key();
  item.Set("phase", AttributeValue(PhaseName(state.phase)));
  item.Set("designs", AttributeValue(state.designs));
  item.Set("written", AttributeValue(Number(state.written)));
  if (!state.table.empty()) {
    item.Set("table", AttributeValue(state.table));
  }
  if (!state.old_digest.empty()) {
    item.Set("oldDigest", AttributeValue(state.old_digest));
  }
  if (state.cursor) {
    item.Set("cursor", AttributeValue(*state.cursor));
  }
  PJ_RETURN_IF_ERROR(remote_.Write(kStateTable, {item}, {}));
  return {};
}

Status StateStore::Forget() {
  PJ_ASSIGN_OR_RETURN(const auto table, remote_.Describe(kStateTable));
  if (!table) {
    return {};
  }
  // One request either way, so that a kill leaves no empty table behind.
  PJ_ASSIGN_OR_RETURN(const ScanPage items,
                      remote_.Scan(kStateTable, std::nullopt, 2, /*consistent=*/true));
  if (items.items.size() < 2) {
    return remote_.Drop(kStateTable);
  }
  PJ_RETURN_IF_ERROR(remote_.Write(kStateTable, {}, {Key()}));
  return {};
}

std::string MigrationName(const model::Model& before, const evolve::MigrationPlan& plan) {
  std::string name;
  for (const model::Table& table : before.tables) {
    name += (name.empty() ? "" : ", ") + table.name.text;
  }
  name += " -> ";
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    name += (i == 0 ? "" : ", ") + plan.tables[i].name;
  }
  return name;
}

std::string DesignsOf(const model::Model& before, const evolve::MigrationPlan& plan) {
  const std::string bytes =
      Fingerprint(model::PrintPhysical(before) + "\n" + model::PrintPhysical(plan.after));
  std::string text;
  for (const char c : bytes) {
    char hex[3];
    std::snprintf(hex, sizeof(hex), "%02x", static_cast<unsigned char>(c));
    text += hex;
  }
  return text;
}

}  // namespace prejoin::migrate
