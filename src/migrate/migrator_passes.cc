// Passes: what the old rows become is compared with what the new tables hold, until nothing differs.
//
// The application goes on meanwhile, and if it writes both forms, there is always a row whose old form is written and whose new
// one is not yet. Such differences go away by themselves. So a pass only collects suspects; they are looked at again, after a
// pause that grows, with both sides read strongly consistent and the rows that copies and lists are made from read again:
//
//   right     the new item fits the old row, or both are gone: it was a write on its way;
//   the same  old row and new item are both as they were: a real difference, which is written, if the new item is still so;
//   another   something changed, and it is looked at again. An item that differs in another way each time is being written all the time:
//             the pass is not clean, and nothing is written.
//
// An item of the new tables without an old row is a suspect too. Before it is looked at again the old tables are read once more,
// because its row may have been written after the place where the pass was reading.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/fingerprint.h"
#include "migrate/migrator.h"
#include "model/data/item_render.h"
#include "value/encoding.h"

namespace prejoin::migrate {
namespace {

using model::Model;
using model::StoredAttribute;
using model::Table;

constexpr std::size_t kSuspectsMax = 20'000;  // Then they are looked at before the pass continues.
constexpr std::size_t kLookPortion = 500;
constexpr std::size_t kOneByOneMax = 2'000;
constexpr std::size_t kOneUpdateMax = 60;  // Attributes, for which an expression has room.
constexpr int kPauseMilliseconds = 50;     // Twice as long each time.
constexpr int kPauseMillisecondsMax = 1'000;

}  // namespace

std::pair<std::uint64_t, std::uint64_t> MarkOf(const std::string& text) {
  const std::string bytes = Fingerprint(text);
  std::pair<std::uint64_t, std::uint64_t> mark;
  std::memcpy(&mark.first, bytes.data(), sizeof(mark.first));
  std::memcpy(&mark.second, bytes.data() + sizeof(mark.first), sizeof(mark.second));
  return mark;
}

// ---- Passes ----

Status Migrator::EachPage(const std::string& table,
                          const std::function<Status(const std::vector<Item>& items)>& visit) {
  std::optional<Item> cursor;
  do {
    PJ_ASSIGN_OR_RETURN(const ScanPage page,
                        remote_.Scan(table, cursor, options_.page_items, /*consistent=*/true));
    PJ_RETURN_IF_ERROR(visit(page.items));
    cursor = page.next;
  } while (cursor);
  return {};
}

Status Migrator::ReadHeld() {
  held_.Clear();
  if (held_.needed()) {
    for (const Table& table : before_.tables) {
      PJ_RETURN_IF_ERROR(EachPage(table.name.text, [&](const std::vector<Item>& items) -> Status {
        for (const Item& item : items) {
          const auto rows = reader_.RowsOf(table, item);
          if (!rows) {
            continue;
          }
          for (const SourceRow& row : *rows) {
            held_.Add(row);
          }
        }
        if (held_.bytes() > options_.held_bytes_max) {
          return Error{ErrorCode::kOverBudget,
                       "the rows that copies and lists are made from exceed the memory limit; "
                       "raise --memory"};
        }
        return {};
      }));
    }
  }
  held_.Finish();
  return {};
}

Targets Migrator::RenderPage(const Table& table, const std::vector<Item>& items, bool count) {
  Targets targets;
  for (const Item& item : items) {
    const auto rows = reader_.RowsOf(table, item);
    if (!rows) {
      if (count) {
        ++report_.unknown;
      }
      continue;
    }
    for (const SourceRow& row : *rows) {
      if (!held_.Render(row, targets) && count) {
        ++report_.keyless;
      }
    }
  }
  return targets;
}

Result<std::int64_t> Migrator::Pass() {
  PJ_RETURN_IF_ERROR(ReadHeld());
  report_.unknown = 0;
  report_.keyless = 0;
  report_.moving = 0;
  std::int64_t changes = 0;
  Marks marks;
  Suspects suspects;
  for (const Table& table : before_.tables) {
    const auto compare = [&](const std::vector<Item>& items) -> Status {
      report_.read += static_cast<std::int64_t>(items.size());
      PJ_RETURN_IF_ERROR(ComparePage(table, items, marks, suspects));
      if (suspects.size() < kSuspectsMax) {
        return {};
      }
      PJ_ASSIGN_OR_RETURN(const std::int64_t changed, Resolve(suspects));
      changes += changed;
      return {};
    };
    PJ_RETURN_IF_ERROR(EachPage(table.name.text, compare));
  }
  std::ranges::sort(marks);
  for (const Table& table : plan_.after.tables) {
    if (!InPlace(table)) {
      PJ_RETURN_IF_ERROR(FindStale(table, marks, suspects));
    }
  }
  PJ_ASSIGN_OR_RETURN(const std::int64_t changed, Resolve(suspects));
  return changes + changed;
}

Status Migrator::ComparePage(const Table& table, const std::vector<Item>& items, Marks& marks,
                             Suspects& suspects) {
  const Targets targets = RenderPage(table, items, /*count=*/true);
  for (const auto& [name, target] : targets) {
    marks.push_back(MarkOf(name));
  }
  PJ_ASSIGN_OR_RETURN(const StoredItems stored, StoredOf(targets));
  const Targets differing = Differing(targets, stored);
  if (differing.empty()) {
    return {};
  }
  for (const Item& item : items) {
    const auto key = audit::KeyOf(table, item);
    if (!key) {
      continue;
    }
    for (const auto& [name, target] : RenderPage(table, {item}, /*count=*/false)) {
      if (differing.contains(name)) {
        suspects[name] = {&table, *key, target.table, target.key, Seen(&target, stored, name)};
      }
    }
  }
  return {};
}

Status Migrator::FindStale(const Table& table, const Marks& marks, Suspects& suspects) {
  return EachPage(table.name.text, [&](const std::vector<Item>& items) -> Status {
    for (const Item& item : items) {
      const auto key = audit::KeyOf(table, item);
      if (!key) {
        continue;
      }
      const std::string name = TargetName(table, *key);
      if (suspects.contains(name) || std::ranges::binary_search(marks, MarkOf(name))) {
        continue;
      }
      suspects[name] = {nullptr, {}, &table, *key, Seen(nullptr, {{name, item}}, name)};
    }
    return {};
  });
}

// ---- Looking again ----

Result<std::int64_t> Migrator::Resolve(Suspects& suspects) {
  std::int64_t changes = 0;
  for (int look = 1; look <= kLooksMax && !suspects.empty(); ++look) {
    Tell("reading again " + std::to_string(suspects.size()) + " differences");
    Pause(look);
    PJ_RETURN_IF_ERROR(ReadHeld());
    PJ_RETURN_IF_ERROR(FindRows(suspects));
    Differences real;
    for (auto next = suspects.begin(); next != suspects.end();) {
      // A suspect may leave the map while its portion is looked at.
      Suspects portion;
      while (next != suspects.end() && portion.size() < kLookPortion) {
        portion.insert(suspects.extract(next++));
      }
      PJ_RETURN_IF_ERROR(LookAt(portion, real));
      suspects.merge(portion);
    }
    PJ_ASSIGN_OR_RETURN(const std::int64_t written, WriteDifferences(real));
    changes += written;
  }
  report_.moving += static_cast<std::int64_t>(suspects.size());
  changes += static_cast<std::int64_t>(suspects.size());
  suspects.clear();
  return changes;
}

// New items that no old row stood behind: the row may have been written after the place where the pass was reading.
Status Migrator::FindRows(Suspects& suspects) {
  const auto is_stale = [](const auto& one) { return one.second.old_table == nullptr; };
  if (std::ranges::none_of(suspects, is_stale)) {
    return {};
  }
  for (const Table& table : before_.tables) {
    PJ_RETURN_IF_ERROR(EachPage(table.name.text, [&](const std::vector<Item>& items) -> Status {
      for (const Item& item : items) {
        const auto key = audit::KeyOf(table, item);
        if (!key) {
          continue;
        }
        for (const auto& [name, target] : RenderPage(table, {item}, /*count=*/false)) {
          const auto found = suspects.find(name);
          if (found == suspects.end() || !is_stale(*found)) {
            continue;
          }
          found->second.old_table = &table;
          found->second.old_key = *key;
        }
      }
      return {};
    }));
  }
  return {};
}

// The application writes the old item first. So a new one that is read before it and fits it is right, and so is one that is read
// after it and fits it.
Status Migrator::LookAt(Suspects& suspects, Differences& real) {
  Targets wanted;
  std::map<const Table*, std::set<std::string>> asked;
  std::map<const Table*, std::vector<Item>> old_keys;
  for (const auto& [name, one] : suspects) {
    wanted[name] = Target{one.table, "", one.key, {}};
    if (one.old_table != nullptr &&
        asked[one.old_table].insert(TargetName(*one.old_table, one.old_key)).second) {
      old_keys[one.old_table].push_back(one.old_key);
    }
  }
  PJ_ASSIGN_OR_RETURN(const StoredItems stored_before, StoredOf(wanted));
  Targets fresh;
  for (const auto& [table, keys] : old_keys) {
    PJ_ASSIGN_OR_RETURN(const std::vector<Item> items, remote_.Get(table->name.text, keys));
    fresh.merge(RenderPage(*table, items, /*count=*/false));
  }
  PJ_ASSIGN_OR_RETURN(const StoredItems stored, StoredOf(wanted));
  const Targets differed = Differing(fresh, stored_before);
  const Targets differing = Differing(fresh, stored);
  for (auto next = suspects.begin(); next != suspects.end();) {
    const auto& [name, suspect] = *next;
    const auto target = fresh.find(name);
    const bool right = target == fresh.end()
                           ? !stored.contains(name)
                           : !differed.contains(name) || !differing.contains(name);
    // An item in place belongs to the application, also where no row is read from it any more.
    const bool left_alone = target == fresh.end() && InPlace(*suspect.table);
    if (right || left_alone) {
      next = suspects.erase(next);
      continue;
    }
    const std::string seen = Seen(target == fresh.end() ? nullptr : &target->second, stored, name);
    if (seen != suspect.seen) {
      next->second.seen = seen;
      // Without a row it is a new question whether there is one elsewhere.
      if (target == fresh.end()) {
        next->second.old_table = nullptr;
      }
      ++next;
      continue;
    }
    Difference difference{
        target == fresh.end() ? Target{suspect.table, "", suspect.key, {}} : target->second,
        target != fresh.end(), std::nullopt};
    if (const auto found = stored.find(name); found != stored.end()) {
      difference.stored = found->second;
    }
    real.push_back(std::move(difference));
    next = suspects.erase(next);
  }
  return {};
}

std::string Migrator::Seen(const Target* target, const StoredItems& stored,
                           const std::string& name) {
  const auto found = stored.find(name);
  return Fingerprint((target != nullptr ? "+" + EncodeItem(target->item) : "-") +
                     (found != stored.end() ? "+" + EncodeItem(found->second) : "-"));
}

void Migrator::Pause(int look) const {
  const int milliseconds = std::min(kPauseMillisecondsMax, kPauseMilliseconds << (look - 1));
  if (options_.pause) {
    options_.pause(milliseconds);
  } else {
    usleep(static_cast<useconds_t>(milliseconds) * 1'000);
  }
}

Result<Migrator::StoredItems> Migrator::StoredOf(const Targets& targets) {
  std::map<const Table*, std::vector<Item>> keys;
  for (const auto& [name, target] : targets) {
    keys[target.table].push_back(target.key);
  }
  StoredItems stored;
  for (const auto& [table, wanted] : keys) {
    PJ_ASSIGN_OR_RETURN(std::vector<Item> found, remote_.Get(table->name.text, wanted));
    for (Item& item : found) {
      if (const auto key = audit::KeyOf(*table, item)) {
        stored.insert_or_assign(TargetName(*table, *key), std::move(item));
      }
    }
  }
  return stored;
}

Targets Migrator::Differing(const Targets& targets, const StoredItems& stored) const {
  Targets differing;
  for (const auto& [name, target] : targets) {
    const auto found = stored.find(name);
    if (!InPlace(*target.table)) {
      if (found == stored.end() || !(found->second == target.item)) {
        differing.emplace(name, target);
      }
      continue;
    }
    // An item that is gone was deleted by the application.
    if (found == stored.end()) {
      continue;
    }
    const ItemUpdate update = UpdateFor(target, found->second);
    if (!update.set.empty() || !update.remove.empty()) {
      differing.emplace(name, target);
    }
  }
  return differing;
}

// ---- Writing ----

bool Migrator::InPlace(const Table& table) const {
  return std::ranges::any_of(plan_.tables, [&](const evolve::TablePlan& one) {
    return one.in_place && one.name == table.name.text;
  });
}

// The attributes that the new design adds to the stored item. The application writes those of both designs.
ItemUpdate Migrator::UpdateFor(const Target& target, const Item& stored) const {
  ItemUpdate update;
  update.key = target.key;
  const Model::Placement old = before_.FindPlacement(target.entity);
  const Model::Placement now = plan_.after.FindPlacement(target.entity);
  if (!old || !now) {
    return update;
  }
  const auto is_new = [&](const std::string& name) {
    const bool made = now.layout->Find(name) != nullptr && old.layout->Find(name) == nullptr;
    return made || (old.layout->Omits(name) && !now.layout->Omits(name));
  };
  for (const auto& [name, value] : target.item) {
    const AttributeValue* has = stored.Find(name);
    if (is_new(name) && (has == nullptr || !(*has == value))) {
      update.set.Set(name, value);
    }
  }
  for (const StoredAttribute& attribute : now.layout->attributes) {
    const std::string& name = attribute.name.text;
    if (is_new(name) && target.item.Find(name) == nullptr && stored.Find(name) != nullptr) {
      update.remove.push_back(name);
    }
  }
  return update;
}

Status Migrator::WriteTargets(const Targets& targets) {
  std::map<const Table*, std::vector<Item>> puts;
  Targets updates;
  for (const auto& [name, target] : targets) {
    if (InPlace(*target.table)) {
      updates.emplace(name, target);
    } else {
      puts[target.table].push_back(target.item);
    }
  }
  for (const auto& [table, items] : puts) {
    PJ_ASSIGN_OR_RETURN(const double units, remote_.Write(table->name.text, items, {}));
    report_.written += static_cast<std::int64_t>(items.size());
    state_.written += static_cast<std::int64_t>(items.size());
    Charge(units);
  }
  PJ_ASSIGN_OR_RETURN(const StoredItems stored, StoredOf(updates));
  for (const auto& [name, target] : updates) {
    const auto item = stored.find(name);
    if (item == stored.end()) {
      continue;
    }
    const ItemUpdate update = UpdateFor(target, item->second);
    if (update.set.empty() && update.remove.empty()) {
      continue;
    }
    PJ_ASSIGN_OR_RETURN(const double units, remote_.Update(target.table->name.text, update));
    ++report_.written;
    ++state_.written;
    Charge(units);
  }
  return {};
}

// Each only if the new item is still as it was seen, so that no write of the application is undone. Very many, which only an
// application that does not write the new form leaves behind, go in batches.
Result<std::int64_t> Migrator::WriteDifferences(const Differences& differences) {
  std::int64_t written = 0;
  Targets many;
  const bool one_by_one = differences.size() <= kOneByOneMax;
  for (const Difference& one : differences) {
    const std::string& table = one.target.table->name.text;
    ++written;
    if (one.wanted && (!one_by_one || one.target.item.size() > kOneUpdateMax)) {
      many.emplace(TargetName(*one.target.table, one.target.key), one.target);
      continue;
    }
    double units = 0;
    if (!one.wanted) {
      PJ_ASSIGN_OR_RETURN(units, remote_.Delete(table, one.target.key, *one.stored));
      ++report_.deleted;
    } else {
      PJ_ASSIGN_OR_RETURN(units, WriteOne(one));
      ++report_.written;
      ++state_.written;
    }
    Charge(units);
  }
  PJ_RETURN_IF_ERROR(WriteTargets(many));
  return written;
}

Result<double> Migrator::WriteOne(const Difference& one) {
  const std::string& table = one.target.table->name.text;
  if (!one.stored) {
    return remote_.PutNew(table, one.target.key, one.target.item);
  }
  ItemUpdate update;
  if (InPlace(*one.target.table)) {
    update = UpdateFor(one.target, *one.stored);
  } else {
    update.key = one.target.key;
    for (const auto& [name, value] : one.target.item) {
      const AttributeValue* has = one.stored->Find(name);
      if (has == nullptr || !(*has == value)) {
        update.set.Set(name, value);
      }
    }
    for (const auto& [name, value] : *one.stored) {
      if (one.target.item.Find(name) == nullptr) {
        update.remove.push_back(name);
      }
    }
  }
  if (update.set.empty() && update.remove.empty()) {
    return 0.0;
  }
  update.expected = *one.stored;
  return remote_.Update(table, update);
}

// Sleeps until so many units are allowed to have been written.
void Migrator::Charge(double units) {
  units_ += units;
  if (options_.write_units_per_second <= 0) {
    return;
  }
  const double due = units_ / options_.write_units_per_second;
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (due > elapsed) {
    usleep(static_cast<useconds_t>((due - elapsed) * 1e6));
  }
}

void Migrator::Tell(const std::string& what) const {
  if (options_.progress) {
    options_.progress(what);
  }
}

}  // namespace prejoin::migrate
