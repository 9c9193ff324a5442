// A migration that can be killed at any moment, beside an application that goes on writing.
//
// Until the cut-over the old items are the truth, and the new ones follow from them: a row is read from old items and
// rendered by the new design. Nothing that a migrator writes is ever needed to find out what to write, so doing anything
// twice, or from the beginning, is harmless. That makes it simple:
//
//   backfill   reads the old tables page by page and writes what the rows become. The state item says how far it came.
//   pass       reads everything again, compares with what is stored, and writes what differs (migrator_passes.cc). A difference
//              counts only if it is still the same when looked at again: all others are writes on their way.
//
// A pass that changes nothing has seen every new item right, at some moment of the pass. If the application writes both forms,
// the old one first, or does not write during that pass, all of them are right at its end; the audit then says the same in its
// own way.
//
// In place, items are never put, only updated by what the new design adds, so no write of the application is undone.
//
// The cut-over is a word in the state item. Behind it nothing is copied: the new tables would be overwritten by old
// rows. The clean-up compares what the old tables hold with what they held at the cut-over, and refuses while it changes.
#include "migrate/migrator.h"

#include <unistd.h>

#include <set>

#include "model/data/item_render.h"
#include "value/encoding.h"

namespace prejoin::migrate {
namespace {

using model::Model;
using model::Table;

const Table* TableNamed(const Model& model, const std::string& name) {
  for (const Table& table : model.tables) {
    if (table.name.text == name) {
      return &table;
    }
  }
  return nullptr;
}

}  // namespace

Result<Migrator> Migrator::Open(const Model& before, const evolve::MigrationPlan& plan, TableRequests& remote,
                                RunOptions options) {
  PJ_ASSIGN_OR_RETURN(evolve::EntitySources sources, evolve::FindSources(before, plan.after));
  return Migrator(before, plan, remote, std::move(options), std::move(sources));
}

Migrator::Migrator(const Model& before, const evolve::MigrationPlan& plan, TableRequests& remote,
                   RunOptions options, evolve::EntitySources sources)
    : before_(before),
      plan_(plan),
      remote_(remote),
      options_(std::move(options)),
      reader_(before, plan.after, sources),
      held_(before, plan.after, sources),
      store_(remote, MigrationName(before, plan)),
      start_(std::chrono::steady_clock::now()) {}

// ---- Steps ----

Result<std::optional<Phase>> Migrator::Where() {
  PJ_RETURN_IF_ERROR(LoadState());
  return begun_ ? std::optional(state_.phase) : std::optional<Phase>();
}

Result<RunReport> Migrator::Run() {
  PJ_RETURN_IF_ERROR(LoadState());
  if (begun_ && state_.phase == Phase::kCutOver) {
    report_.phase = state_.phase;
    report_.remarks.push_back(
        "The migration is already cut over, and nothing is copied any more. Run it with --finish "
        "to clean up.");
    return std::move(report_);
  }
  if (!begun_ || state_.phase == Phase::kTables) {
    PJ_RETURN_IF_ERROR(MakeTables());
  }
  if (state_.phase == Phase::kBackfill) {
    PJ_RETURN_IF_ERROR(Backfill());
  }
  if (state_.phase == Phase::kIndexes) {
    PJ_RETURN_IF_ERROR(MakeIndexes());
  }
  PJ_ASSIGN_OR_RETURN(report_.done, Settle());
  PJ_RETURN_IF_ERROR(EnterPhase(report_.done ? Phase::kReady : Phase::kPasses));
  report_.phase = state_.phase;
  return std::move(report_);
}

Result<RunReport> Migrator::CutOver() {
  PJ_RETURN_IF_ERROR(LoadState());
  if (!begun_ || (state_.phase != Phase::kReady && state_.phase != Phase::kCutOver)) {
    report_.phase = state_.phase;
    report_.remarks.push_back(
        "The migration is not ready to cut over. Run it with --run until it reports that it is "
        "ready.");
    return std::move(report_);
  }
  report_.done = true;
  if (state_.phase == Phase::kReady) {
    PJ_ASSIGN_OR_RETURN(report_.done, Settle());
    if (report_.done) {
      PJ_ASSIGN_OR_RETURN(state_.old_digest, DigestOfOld());
      PJ_RETURN_IF_ERROR(EnterPhase(Phase::kCutOver));
    }
  }
  report_.phase = state_.phase;
  return std::move(report_);
}

Result<RunReport> Migrator::Finish() {
  PJ_ASSIGN_OR_RETURN(report_.done, FinishedBefore());
  if (report_.done) {
    report_.phase = Phase::kCutOver;
    report_.remarks.push_back("The old tables were deleted before.");
    return std::move(report_);
  }
  PJ_RETURN_IF_ERROR(LoadState());
  report_.phase = state_.phase;
  if (!begun_ || state_.phase != Phase::kCutOver) {
    report_.remarks.push_back(
        begun_ ? "The migration is not cut over yet. Run it with --cut-over first."
               : "This migration has not been started here. Start it with --run.");
    return std::move(report_);
  }
  PJ_ASSIGN_OR_RETURN(const std::string digest, DigestOfOld());
  // Tables that are gone were dropped by a clean-up that did not come to its end.
  const bool some_gone = digest.find('-') != std::string::npos;
  if (digest != state_.old_digest && !some_gone) {
    state_.old_digest = digest;
    PJ_RETURN_IF_ERROR(store_.Save(state_));
    report_.remarks.push_back(
        "The old tables have changed since the cut-over, or since the last --finish. If the "
        "application still writes both forms, stop writing the old one and run --finish again: it "
        "deletes the old tables once they no longer change.");
    return std::move(report_);
  }
  for (const std::string& table : plan_.dropped) {
    Tell("deleting table " + table);
    PJ_RETURN_IF_ERROR(remote_.Drop(table));
  }
  for (const evolve::TablePlan& one : plan_.tables) {
    for (const std::string& index : one.old_indexes) {
      Tell("deleting index " + index);
      PJ_RETURN_IF_ERROR(remote_.DropIndex(one.name, index));
    }
    if (one.in_place) {
      PJ_RETURN_IF_ERROR(StripOldAttributes(*TableNamed(plan_.after, one.name)));
    }
  }
  PJ_RETURN_IF_ERROR(store_.Forget());
  report_.done = true;
  return std::move(report_);
}

// Killed after its last request, a clean-up leaves no state that could tell.
Result<bool> Migrator::FinishedBefore() {
  PJ_ASSIGN_OR_RETURN(const auto state, store_.Load());
  if (state || plan_.dropped.empty()) {
    return false;
  }
  for (const std::string& table : plan_.dropped) {
    PJ_ASSIGN_OR_RETURN(const auto facts, remote_.Describe(table));
    if (facts) {
      return false;
    }
  }
  for (const evolve::TablePlan& table : plan_.tables) {
    PJ_ASSIGN_OR_RETURN(const auto facts, remote_.Describe(table.name));
    if (!facts) {
      return false;
    }
  }
  return true;
}

Status Migrator::LoadState() {
  for (const Table& table : before_.tables) {
    PJ_ASSIGN_OR_RETURN(const auto facts, remote_.Describe(table.name.text));
    if (facts) {
      continue;
    }
    PJ_ASSIGN_OR_RETURN(const auto state, store_.Load());
    if (!state || state->phase != Phase::kCutOver) {
      return ValidationError("the table " + table.name.text +
                             " does not exist, so there is nothing to migrate");
    }
  }
  PJ_ASSIGN_OR_RETURN(const auto state, store_.Load());
  begun_ = state.has_value();
  if (!begun_) {
    return {};
  }
  if (state->designs != DesignsOf(before_, plan_)) {
    return ValidationError(
        "a migration of these tables was started with other designs. Finish that one, or delete "
        "its new tables and its item in " +
        std::string(kStateTable) + " and start again");
  }
  state_ = *state;
  return {};
}

Status Migrator::EnterPhase(Phase phase) {
  state_.phase = phase;
  return store_.Save(state_);
}

Status Migrator::MakeTables() {
  if (!begun_) {
    for (const evolve::TablePlan& one : plan_.tables) {
      if (one.in_place) {
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const auto facts, remote_.Describe(one.name));
      if (facts) {
        return ValidationError("table " + one.name +
                               " already exists and does not belong to this migration; delete it, "
                               "or choose another --suffix");
      }
    }
    state_.designs = DesignsOf(before_, plan_);
    PJ_RETURN_IF_ERROR(EnterPhase(Phase::kTables));
    begun_ = true;
  }
  for (std::size_t i = 0; i < plan_.tables.size(); ++i) {
    if (plan_.tables[i].in_place) {
      continue;
    }
    Tell("creating table " + plan_.tables[i].name);
    PJ_RETURN_IF_ERROR(remote_.Create(plan_.after, plan_.after.tables[i]));
  }
  state_.table = before_.tables[0].name.text;
  state_.cursor.reset();
  return EnterPhase(Phase::kBackfill);
}

Status Migrator::Backfill() {
  PJ_RETURN_IF_ERROR(ReadHeld());
  bool reached = false;
  for (const Table& table : before_.tables) {
    const std::string& name = table.name.text;
    if (name == state_.table) {
      reached = true;
    }
    if (!reached) {
      continue;
    }
    if (name != state_.table) {
      state_.table = name;
      state_.cursor.reset();
    }
    do {
      PJ_ASSIGN_OR_RETURN(
          const ScanPage page,
          remote_.Scan(name, state_.cursor, options_.page_items, /*consistent=*/false));
      report_.read += static_cast<std::int64_t>(page.items.size());
      PJ_RETURN_IF_ERROR(WriteTargets(RenderPage(table, page.items, /*count=*/true)));
      Tell("backfill of " + name + ": " + std::to_string(report_.read) + " items read, " +
           std::to_string(report_.written) + " written");
      state_.cursor = page.next;
      // A finished table is left by its name, so that it is not read again from its start.
      if (page.next) {
        PJ_RETURN_IF_ERROR(store_.Save(state_));
      }
    } while (state_.cursor);
  }
  return EnterPhase(Phase::kIndexes);
}

Status Migrator::MakeIndexes() {
  for (std::size_t i = 0; i < plan_.tables.size(); ++i) {
    for (const std::string& index : plan_.tables[i].new_indexes) {
      Tell("creating index " + index);
      PJ_RETURN_IF_ERROR(remote_.AddIndex(plan_.after, plan_.after.tables[i], index));
    }
  }
  state_.table.clear();
  state_.cursor.reset();
  return EnterPhase(Phase::kPasses);
}

Result<bool> Migrator::Settle() {
  for (int pass = 1; pass <= options_.passes_max; ++pass) {
    ++report_.passes;
    Tell("pass " + std::to_string(pass));
    PJ_ASSIGN_OR_RETURN(const std::int64_t changes, Pass());
    if (changes > 0) {
      continue;
    }
    if (report_.keyless > 0) {
      report_.remarks.push_back(
          std::to_string(report_.keyless) +
          " rows cannot be stored in the new design: they lack an attribute of their new key, or "
          "have a value that the key cannot contain; `prejoin audit` on the old tables lists them");
      return false;
    }
    if (report_.unknown > 0 && !options_.leave_unknown) {
      report_.remarks.push_back(
          std::to_string(report_.unknown) +
          " old items match no entity of the model and are not copied; `prejoin audit` lists them, "
          "and --leave-unknown continues without them");
      return false;
    }
    return Audit();
  }
  report_.remarks.push_back(
      "each of the " + std::to_string(options_.passes_max) + " passes found differences" +
      (report_.moving > 0 ? "; in the last one, " + std::to_string(report_.moving) +
                                " items changed each time they were read"
                          : "") +
      ". The application writes the old items faster than a pass reads them. Let it write both "
      "forms, or pause its writes, and run again");
  return false;
}

// ---- Audit and clean-up ----

Result<audit::AuditReport> Migrator::AuditTables(const Model& model) {
  constexpr std::size_t kToldMax = 20'000;
  audit::AuditOptions options;
  options.findings_max = kToldMax;
  options.loss_runs_max = 0;
  audit::Auditor auditor(model, options);
  for (const Table& table : model.tables) {
    const auto add = [&](const std::vector<Item>& items) -> Status {
      for (const Item& item : items) {
        PJ_RETURN_IF_ERROR(auditor.Add(table, item));
      }
      return {};
    };
    PJ_RETURN_IF_ERROR(EachPage(table.name.text, add));
  }
  return auditor.Finish();
}

// Faults of the old items are faults of the new ones too; there may be no others. A scan beside a writer sees the two halves of
// a write apart, so only findings count that are there every time.
Result<bool> Migrator::Audit() {
  Tell("audit");
  const auto names = [](const audit::AuditReport& found) {
    std::set<std::string> out;
    for (const audit::Finding& one : found.findings) {
      out.insert(std::string(audit::FindingName(one.kind)) + " " + one.table + " " +
                 audit::KeyText(one.key) + " " + one.attribute);
    }
    return out;
  };
  PJ_ASSIGN_OR_RETURN(audit::AuditReport found, AuditTables(plan_.after));
  report_.findings_after = found.Total();
  if (report_.findings_after == 0) {
    return true;
  }
  PJ_ASSIGN_OR_RETURN(const audit::AuditReport old, AuditTables(before_));
  report_.findings_before = old.Total();
  std::set<std::string> lasting = names(found);
  for (int look = 1; look <= kLooksMax && report_.findings_after > report_.findings_before;
       ++look) {
    Pause(look);
    PJ_ASSIGN_OR_RETURN(found, AuditTables(plan_.after));
    const std::set<std::string> now = names(found);
    const std::size_t before = lasting.size();
    std::erase_if(lasting, [&](const std::string& name) { return !now.contains(name); });
    // Findings that are only counted have no names, and count as lasting.
    const std::int64_t unnamed = found.Total() - static_cast<std::int64_t>(found.findings.size());
    report_.findings_after = static_cast<std::int64_t>(lasting.size()) + unnamed;
    if (look > 1 && lasting.size() == before) {
      break;
    }
  }
  if (report_.findings_after <= report_.findings_before) {
    return true;
  }
  report_.remarks.push_back(
      "the audit of the new tables reports " + std::to_string(report_.findings_after) +
      " findings, and the audit of the old ones " + std::to_string(report_.findings_before) +
      "; `prejoin audit` lists them");
  return false;
}

Status Migrator::StripOldAttributes(const Table& table) {
  const Table& old_table = *TableNamed(before_, table.name.text);
  return EachPage(table.name.text, [&](const std::vector<Item>& items) -> Status {
    for (const Item& item : items) {
      const std::string entity = model::EntityOfItem(plan_.after, table, item);
      const auto key = audit::KeyOf(table, item);
      const Model::Placement old = before_.FindPlacement(entity);
      const Model::Placement now = plan_.after.FindPlacement(entity);
      if (!key || !old || !now || old.table != &old_table) {
        continue;
      }
      ItemUpdate update{*key, {}, {}};
      for (const auto& [name, value] : item) {
        const bool made_before = old.layout->Find(name) != nullptr;
        const bool declared = plan_.after.At(now.layout->entity).Find(name) != nullptr;
        const bool stays = now.layout->Find(name) != nullptr ||
                           (declared && !now.layout->Omits(name)) || key->Find(name) != nullptr;
        if (!stays && (made_before || declared)) {
          update.remove.push_back(name);
        }
      }
      if (update.remove.empty()) {
        continue;
      }
      PJ_ASSIGN_OR_RETURN(const double units, remote_.Update(table.name.text, update));
      ++report_.written;
      Charge(units);
    }
    return {};
  });
}

// The digest of the tables that will be dropped, whatever the order of their items; "-" for one that is gone.
Result<std::string> Migrator::DigestOfOld() {
  std::string digest;
  for (const std::string& name : plan_.dropped) {
    PJ_ASSIGN_OR_RETURN(const auto facts, remote_.Describe(name));
    if (!facts) {
      digest += "- ";
      continue;
    }
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    PJ_RETURN_IF_ERROR(EachPage(name, [&](const std::vector<Item>& items) -> Status {
      for (const Item& item : items) {
        sum += MarkOf(EncodeItem(item)).first;
        ++count;
      }
      return {};
    }));
    digest += std::to_string(count) + ":" + std::to_string(sum) + " ";
  }
  return digest;
}

}  // namespace prejoin::migrate
