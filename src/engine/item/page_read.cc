// Reading a page. A Query, a Scan and a SELECT all end up as one range of stored keys, of a table or
// of an index, and this file walks it: items (or entries) in key order, each through the filter and
// the projection, until the page is full. A page is filled by the items read, not by those shown:
//
//   - `limit` items, also those that the filter then leaves out;
//   - `bytes_max` bytes by AWS's rules, 1 MB for a request. The item that reaches the bound is the
//     last one of the page, so a page is at most one item larger.
//
// A full page ends with the key of its last item, from which ResumeAfter continues; the next page may
// turn out to be empty. Within one partition the walk sees one state of the store; over several it
// may see a change in one and not an earlier one in another, as a Scan may in DynamoDB.
//
// A local index that lacks wanted attributes is read in two steps, because a visitor must not call
// the store: first the entries, then each entry's item. In between an item can change and its entry
// move, so each item is read together with its entry, at one moment: if the entry is gone, the item
// no longer belongs at this place of the index and is left out. Both count towards the page. So of
//
//   entries  a → item of 300 KB,  b → 400 KB,  c → 400 KB,  d → 10 KB
//
// the first page has a, b and c, and says that it ended at c.
#include "engine/item/page_read.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/item_access.h"
#include "engine/item/item_read.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "engine/physics/physics.h"
#include "engine/physics/replicas.h"
#include "expr/evaluate.h"
#include "expr/paths.h"
#include "expr/weight.h"

namespace prejoin::engine {
namespace {

// Collects the items of a page.
class PageBuilder {
 public:
  PageBuilder(const PageRead& read, PageOutput& output) : read_(read), output_(output) {
    output_.count_only = read.count_only;
  }

  void Take(ItemView item) {
    if (read_.filter && !Evaluate(*read_.filter, item)) {
      return;
    }
    ++output_.count;
    if (!read_.count_only) {
      output_.items.push_back(Shown(read_.projection, item));
    }
  }

 private:
  const PageRead& read_;
  PageOutput& output_;
};

// Says when the page is full: after the item or entry that reaches one of its limits.
class PageLimit {
 public:
  explicit PageLimit(const PageRead& read)
      : items_left_(read.limit.value_or(std::numeric_limits<std::int32_t>::max())),
        bytes_max_(read.bytes_max) {}

  bool IsFullAfter(std::size_t size_bytes) {
    bytes_ += size_bytes;
    return --items_left_ <= 0 || bytes_ >= bytes_max_;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::int64_t items_left_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
};

// The page takes its units from the partition of the first key that it reads; `first_key` is empty if
// there is none.
Status AddUnitsOf(Engine& engine, RequestContext& context, const PageRead& read,
                  std::string_view first_key, std::size_t read_bytes, PageCost& cost) {
  const double units = ReadUnits(read_bytes, read.consistency);
  if (read.index != nullptr) {
    cost.meter.AddIndex(*read.index, units);
  } else {
    cost.meter.AddTable(units);
  }
  return engine.physics() == nullptr
             ? Status()
             : TakeRead(*engine.physics(), context,
                        {.table = read.table,
                         .index = read.index,
                         .stored_key = first_key.empty() ? std::string_view(read.range.begin)
                                                         : first_key,
                         .units = units,
                         .consistency = read.consistency});
}

// The items that a page reads, where somebody wants to know which keys are used. They count once the page has its units.
class PageAccesses {
 public:
  explicit PageAccesses(const PageRead& read)
      : read_(read),
        accesses_(read.index != nullptr ? read.index->accesses.get() : read.table->accesses.get()) {}

  void Take(std::string_view value, std::size_t size_bytes) {
    if (accesses_ != nullptr) {
      taken_.emplace_back(value, size_bytes);
      total_bytes_ += size_bytes;
    }
  }
  // Each item counts for its share of the page's units; a page that was throttled counts for its first key.
  void Count(const Status& admitted, const Clock& clock) const {
    const double units = ReadUnits(total_bytes_, read_.consistency);
    for (const auto& [value, size_bytes] : taken_) {
      if (!admitted) {
        accesses_->CountThrottle(KnownRecord(value).item(), clock.NowMs());
        return;
      }
      const double share = static_cast<double>(size_bytes) / static_cast<double>(total_bytes_);
      accesses_->Count(KnownRecord(value).item(), units * share, clock.NowMs());
    }
  }

 private:
  const PageRead& read_;
  KeyAccesses* const accesses_;
  std::vector<std::pair<std::string, std::size_t>> taken_;  // Values, and the sizes that a page is charged for.
  std::size_t total_bytes_ = 0;
};

// The share of the request's budget that an item or entry costs, by its size.
std::size_t WeightOf(const PageRead& read) { return 1 + (read.filter ? Weight(*read.filter) : 0); }

// Visits the range as one of the table's replicas has it.
Status VisitAsReplica(Engine& engine, const PageRead& read,
                      FunctionRef<storage::Visit(std::string_view, std::string_view)> visit) {
  const bool may_be_stale = engine.replicas() != nullptr && read.index == nullptr &&
                            read.consistency == Consistency::kEventual;
  return may_be_stale ? engine.replicas()->Visit(engine.store(), read.range, visit)
                      : engine.store().Visit(read.range, visit);
}

// Items of the table, or entries that have all that is wanted.
Status ReadRange(Engine& engine, RequestContext& context, const PageRead& read, PageOutput& output,
                 PageCost& cost) {
  RequestBudget& budget = context.budget;
  std::string first_key;
  PageBuilder page(read, output);
  PageLimit limit(read);
  const std::size_t weight = WeightOf(read);
  bool abandoned = false;
  bool damaged = false;
  PageAccesses accesses(read);
  PJ_RETURN_IF_ERROR(
      VisitAsReplica(engine, read, [&](std::string_view key, std::string_view value) {
        damaged = !IsRecord(value);
        if (damaged) [[unlikely]] {
          return storage::Visit::kStop;
        }
        if (engine.physics() != nullptr && first_key.empty()) {
          first_key = key;
        }
        const Record record = KnownRecord(value);
        ++output.scanned_count;
        accesses.Take(value, record.size_bytes);
        page.Take(record.item());
        const bool may_go_on = budget.ChargeWork(record.size_bytes * weight);
        if (!may_go_on && budget.is_trial()) {
          abandoned = true;
          return storage::Visit::kStop;
        }
        if (!limit.IsFullAfter(record.size_bytes) && may_go_on) {
          return storage::Visit::kContinue;
        }
        damaged = !HasKeys(*read.table, read.index, record.item());
        if (!damaged) {
          output.last_evaluated_key = KeyOf(*read.table, read.index, record.item());
        }
        return storage::Visit::kStop;
      }));
  if (damaged) {
    return DamagedRecord();
  }
  if (abandoned) {
    return OverBudget();
  }
  cost.read_bytes += limit.bytes();
  const Status admitted = AddUnitsOf(engine, context, read, first_key, limit.bytes(), cost);
  accesses.Count(admitted, engine.clock());
  return admitted;
}

struct IndexEntry {
  std::string key;
  std::string value;
};

// The entries that a page could have if their items had no size.
Result<std::vector<IndexEntry>> ReadEntries(storage::Store& store, const PageRead& read) {
  std::vector<IndexEntry> entries;
  PageLimit limit(read);
  Status status;
  PJ_RETURN_IF_ERROR(store.Visit(read.range, [&](std::string_view key, std::string_view value) {
    const auto record = DecodeWithKeys(*read.table, read.index, value);
    if (!record) {
      status = record.error();
      return storage::Visit::kStop;
    }
    entries.push_back({std::string(key), std::string(value)});
    return limit.IsFullAfter(record->size_bytes) ? storage::Visit::kStop
                                                 : storage::Visit::kContinue;
  }));
  PJ_RETURN_IF_ERROR(std::move(status));
  return entries;
}

// Follows entries to their items.
Status ReadThroughEntries(Engine& engine, RequestContext& context, const PageRead& read,
                          PageOutput& output, PageCost& cost) {
  PJ_ASSIGN_OR_RETURN(const std::vector<IndexEntry> entries, ReadEntries(engine.store(), read));
  PageBuilder page(read, output);
  PageLimit entry_limit(read);
  PageLimit limit(read);
  PageAccesses accesses(read);
  for (const IndexEntry& entry : entries) {
    const Record record = KnownRecord(entry.value);
    const ItemRead item{.table = read.table,
                        .stored_key = StoredKey(*read.table, record.item()),
                        .counted_key = nullptr,
                        .consistency = read.consistency,
                        .covered = true};
    const bool is_last_entry = entry_limit.IsFullAfter(record.size_bytes);
    PJ_ASSIGN_OR_RETURN(const auto found,
                        ReadItemOfEntry(engine, context, entry.key, item, cost.meter));
    bool is_full = is_last_entry;
    if (found) {
      ++output.scanned_count;
      accesses.Take(entry.value, record.size_bytes);
      page.Take(found->record().item());
      const bool may_go_on =
          context.budget.ChargeWork((record.size_bytes + found->size_bytes()) * WeightOf(read));
      if (!may_go_on && context.budget.is_trial()) {
        return OverBudget();
      }
      is_full =
          limit.IsFullAfter(record.size_bytes + found->size_bytes()) || is_last_entry || !may_go_on;
    }
    if (is_full) {
      output.last_evaluated_key = KeyOf(*read.table, read.index, record.item());
      break;
    }
  }
  cost.read_bytes += limit.bytes();
  const Status admitted =
      AddUnitsOf(engine, context, read, entries.empty() ? "" : entries.front().key,
                 entry_limit.bytes(), cost);
  accesses.Count(admitted, engine.clock());
  return admitted;
}

storage::Ticket NewestSeen(const storage::Store& store, const storage::Range& range) {
  const std::string_view begin = range.begin;
  const std::string_view end = range.end;
  const bool one_partition =
      begin.size() >= storage::kRouteBytes && end.size() >= storage::kRouteBytes &&
      begin.substr(0, storage::kRouteBytes) == end.substr(0, storage::kRouteBytes);
  return one_partition ? store.NewestTicket(begin.substr(0, storage::kRouteBytes))
                       : store.NewestTicket();
}

std::string_view SelectOf(const PageRead& read) {
  if (read.count_only) {
    return "COUNT";
  }
  if (read.projection) {
    return "SPECIFIC_ATTRIBUTES";
  }
  return read.index != nullptr && !read.fetch_items ? "ALL_PROJECTED_ATTRIBUTES" : "ALL_ATTRIBUTES";
}

// Attributes that the request wants and the index does not have. A global index cannot fetch what a
// filter looks at, so there the filter finds such attributes missing, which is no error.
void NoteNotProjected(const Index& index, const expr::Path& path,
                      std::vector<std::string>& missing) {
  const std::string& name = TopLevelName(path);
  if (!index.Projects(name) && std::ranges::find(missing, name) == missing.end()) {
    missing.push_back(name);
  }
}

std::string Bracketed(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) {
    text += (text.size() > 1 ? ", " : "") + name;
  }
  return text + "]";
}

}  // namespace

Result<PageOutput> ReadPage(Engine& engine, RequestContext& context, const PageRead& read,
                            PageCost& cost) {
  if (context.access != nullptr) {
    PJ_RETURN_IF_ERROR(CheckAccess(context, {.table = *read.table,
                                             .index = read.index,
                                             .filter = read.filter,
                                             .projection = read.projection,
                                             .select = SelectOf(read),
                                             .is_query = read.is_query,
                                             .leading_keys = read.leading_keys,
                                             .further_keys = read.further_keys}));
  }
  PageOutput output;
  PJ_RETURN_IF_ERROR(read.fetch_items ? ReadThroughEntries(engine, context, read, output, cost)
                                      : ReadRange(engine, context, read, output, cost));
  context.Saw(NewestSeen(engine.store(), read.range));
  return output;
}

Result<PageOutput> ReadPage(Engine& engine, RequestContext& context, const PageRead& read,
                            ReturnConsumedCapacity return_consumed_capacity) {
  PageCost cost{CapacityMeter(*read.table, CapacityMeter::Kind::kRead)};
  PJ_ASSIGN_OR_RETURN(PageOutput output, ReadPage(engine, context, read, cost));
  output.consumed_capacity = cost.meter.Report(return_consumed_capacity);
  return output;
}

bool FindsOneItem(const PageRead& read) {
  return read.is_query && read.index == nullptr && read.table->keys.size() == 1;
}

Result<const Index*> FindIndexToRead(const Table& table,
                                     const std::optional<std::string>& index_name,
                                     std::optional<bool> consistent_read,
                                     std::string_view operation) {
  if (!index_name) {
    return static_cast<const Index*>(nullptr);
  }
  const Index* index = table.FindIndex(*index_name);
  if (index == nullptr && table.FindVectorIndex(*index_name) != nullptr) {
    return ValidationError(std::string(operation) + " operation not supported on this index type" +
                           (operation == "Query" ? "." : ""));
  }
  if (index == nullptr) {
    return ValidationError("The table does not have the specified index: " + *index_name);
  }
  if (index->global && consistent_read.value_or(false)) {
    return ValidationError("Consistent reads are not supported on global secondary indexes");
  }
  if (index->description.backfilling || index->description.status == IndexStatus::kCreating) {
    return ValidationError("Cannot read from backfilling global secondary index: " + *index_name);
  }
  return index;
}

Status CheckSelect(const SelectParameters& parameters) {
  const bool has_projection =
      parameters.has_projection_expression || parameters.has_attributes_to_get;
  if (!parameters.select) {
    return {};
  }
  const std::string projection =
      parameters.has_projection_expression ? "ProjectionExpression" : "AttributesToGet";
  switch (*parameters.select) {
    case Select::kSpecificAttributes:
      if (!has_projection) {
        return ValidationError(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
            "SPECIFIC_ATTRIBUTES");
      }
      return {};
    case Select::kAllProjectedAttributes:
      if (has_projection) {
        return ValidationError("Cannot specify the " + projection +
                               " when choosing to get ALL_PROJECTED_ATTRIBUTES");
      }
      if (!parameters.has_index) {
        return ValidationError(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
      }
      return {};
    case Select::kAllAttributes:
      if (has_projection) {
        return ValidationError("Cannot specify the " + projection +
                               " when choosing to get ALL_ATTRIBUTES");
      }
      return {};
    case Select::kCount:
      if (has_projection) {
        return ValidationError("Cannot specify the " + projection +
                               " when choosing to get only the Count");
      }
      return {};
  }
  return {};
}

Status CheckFilterProjected(const Index& index,
                            std::span<const expr::Condition* const> conditions) {
  std::vector<std::string> missing;
  if (!index.projects_all()) {
    for (const expr::Condition* condition : conditions) {
      ForEachPath(*condition,
                  [&](const expr::Path& path) { NoteNotProjected(index, path, missing); });
    }
  }
  if (missing.empty()) {
    return {};
  }
  std::ranges::sort(missing);
  return InvalidParameter("Secondary index " + index.name() +
                          " does not project one or more filter attributes: " + Bracketed(missing));
}

Status ResolveSelect(std::optional<Select> select, PageRead& read) {
  read.count_only = select == Select::kCount;
  if (read.index == nullptr || read.index->projects_all()) {
    return {};
  }
  std::vector<std::string> missing;
  if (read.projection) {
    for (const expr::Path& path : read.projection->paths) {
      NoteNotProjected(*read.index, path, missing);
    }
  }
  const bool wants_all = select == Select::kAllAttributes;
  if (!read.index->global) {
    read.fetch_items = wants_all || !missing.empty();
    return {};
  }
  if (wants_all) {
    return InvalidParameter(
        "Select type ALL_ATTRIBUTES is not supported for global secondary index " +
        read.index->name() + " because its projection type is not ALL");
  }
  if (!missing.empty()) {
    return InvalidParameter("Global secondary index " + read.index->name() + " does not project " +
                            Bracketed(missing));
  }
  return {};
}

Result<std::string> StartKey(const Table& table, const Index* index, const Item& start_key,
                             std::string_view wrong_names) {
  KeyAttributes wanted = table.keys;
  if (index != nullptr) {
    for (const auto& key : index->keys) {
      if (!table.IsKey(key.name)) {
        wanted.push_back(key);
      }
    }
  }
  const bool names_match = start_key.size() == wanted.size() &&
                           std::ranges::all_of(wanted, [&](const expr::KeyAttribute& key) {
                             return start_key.Find(key.name) != nullptr;
                           });
  if (!names_match) {
    return ValidationError(
        std::string(index == nullptr ? wrong_names : "The provided starting key is invalid"));
  }
  for (const auto& key : wanted) {
    const AttributeValue* value = start_key.Find(key.name);
    if (!HasType(*value, key.type)) {
      return ValidationError(
          "The provided starting key is invalid: The provided key element does not match the "
          "schema");
    }
    if (const Status filled = CheckNotEmpty(key.name, *value); !filled) {
      return ValidationError("The provided starting key is invalid: " + filled.error().message);
    }
  }
  return index == nullptr ? StoredKey(table, start_key) : IndexEntryKey(table, *index, start_key);
}

Status CheckKeyPaths(const PageRead& read) {
  Status status;
  const auto check = [&](const expr::Path& path) {
    if (status) {
      status = CheckKeyPath(*read.table, path);
    }
  };
  if (read.projection) {
    std::ranges::for_each(read.projection->paths, check);
  }
  if (read.filter) {
    ForEachPath(*read.filter, check);
  }
  return status;
}

void ResumeAfter(const std::string& start_key, storage::Range& range) {
  if (range.direction == storage::Direction::kForward) {
    range.begin = std::max(range.begin, start_key + '\0');
  } else {
    range.end = std::min(range.end, start_key);
  }
}

}  // namespace prejoin::engine
