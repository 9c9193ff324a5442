#include "engine/item/page_read.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/errors.h"
#include "engine/item/key_accesses.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"
#include "expr/evaluate.h"
#include "expr/paths.h"
#include "expr/weight.h"

namespace prejoin::engine {
namespace {

// Collects the items of a page, and what it costs.
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
    if (read_.count_only) {
      return;
    }
    output_.items.emplace_back(read_.projection ? Project(*read_.projection, item)
                                                : std::string(item.body()));
  }

 private:
  const PageRead& read_;
  PageOutput& output_;
};

struct PageScan {
  std::size_t read_bytes = 0;
  std::vector<std::string> item_keys;  // Of the entries' items, when they must be fetched.
};

Result<PageScan> ScanRange(storage::Store& store, const PageRead& read, PageBuilder& page,
                           RequestBudget& budget, PageOutput& output) {
  PageScan scan;
  bool abandoned = false;
  const std::size_t weight = 1 + (read.filter ? Weight(*read.filter) : 0);
  const std::int64_t limit = read.limit.value_or(std::numeric_limits<std::int32_t>::max());
  KeyAccesses* const accesses =
      read.index != nullptr ? read.index->accesses.get() : read.table->accesses.get();
  PJ_RETURN_IF_ERROR(store.Visit(read.range, [&](std::string_view, std::string_view value) {
    const Record record = DecodeRecord(value);
    scan.read_bytes += record.size_bytes;
    ++output.scanned_count;
    if (accesses != nullptr) {
      accesses->Count(record.item());
    }
    if (read.fetch_items) {
      scan.item_keys.push_back(StoredKey(*read.table, record.item()));
    } else {
      page.Take(record.item());
    }
    const bool may_go_on = budget.ChargeWork(record.size_bytes * weight);
    if (!may_go_on && budget.is_trial()) {
      abandoned = true;
      return storage::Visit::kStop;
    }
    if (output.scanned_count < limit && scan.read_bytes < kPageBytesMax && may_go_on) {
      return storage::Visit::kContinue;
    }
    output.last_evaluated_key = KeyOf(*read.table, read.index, record.item());
    return storage::Visit::kStop;
  }));
  if (abandoned) {
    return OverBudget();
  }
  return scan;
}

// Follows index entries to their items. An entry whose item is gone by now is one that was deleted
// in between: it is left out.
Status FetchItems(storage::Store& store, const PageRead& read, const std::vector<std::string>& keys,
                  PageBuilder& page, CapacityMeter& meter) {
  for (const std::string& key : keys) {
    PJ_ASSIGN_OR_RETURN(const std::optional<std::string> stored, store.Get(key));
    if (!stored) {
      continue;
    }
    const Record record = DecodeRecord(*stored);
    meter.AddTable(ReadUnits(record.size_bytes, read.consistency));
    page.Take(record.item());
  }
  return {};
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

// Attributes that the request wants and the index does not have. A global index cannot fetch what a
// filter looks at, so there the filter finds such attributes missing, which is no error.
std::vector<std::string> NotProjected(const PageRead& read) {
  std::vector<std::string> missing;
  const auto look = [&](const expr::Path& path) {
    const std::string& name = TopLevelName(path);
    if (!read.index->Projects(name) && std::ranges::find(missing, name) == missing.end()) {
      missing.push_back(name);
    }
  };
  if (read.projection) {
    std::ranges::for_each(read.projection->paths, look);
  }
  if (read.filter && !read.index->global) {
    ForEachPath(*read.filter, look);
  }
  return missing;
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
                            ReturnConsumedCapacity return_consumed_capacity) {
  PageOutput output;
  PageBuilder page(read, output);
  PJ_ASSIGN_OR_RETURN(const PageScan scan,
                      ScanRange(engine.store(), read, page, context.budget, output));
  CapacityMeter meter(*read.table, CapacityMeter::Kind::kRead);
  const double units = ReadUnits(scan.read_bytes, read.consistency);
  if (read.index != nullptr) {
    meter.AddIndex(*read.index, units);
  } else {
    meter.AddTable(units);
  }
  if (read.fetch_items) {
    PJ_RETURN_IF_ERROR(FetchItems(engine.store(), read, scan.item_keys, page, meter));
    context.Saw(engine.store().NewestTicket());
  }
  context.Saw(NewestSeen(engine.store(), read.range));
  output.consumed_capacity = meter.Report(return_consumed_capacity);
  return output;
}

Result<const Index*> FindIndexToRead(const Table& table,
                                     const std::optional<std::string>& index_name,
                                     std::optional<bool> consistent_read) {
  if (!index_name) {
    return static_cast<const Index*>(nullptr);
  }
  const Index* index = table.FindIndex(*index_name);
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
      if (!parameters.has_index) {
        return InvalidParameter(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
      }
      if (has_projection) {
        return ValidationError("Cannot specify the " + projection +
                               " when choosing to get ALL_PROJECTED_ATTRIBUTES");
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

Status ResolveSelect(std::optional<Select> select, PageRead& read) {
  read.count_only = select == Select::kCount;
  if (read.index == nullptr || read.index->projects_all()) {
    return {};
  }
  const std::vector<std::string> missing = NotProjected(read);
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

Result<std::string> StartKey(const Table& table, const Index* index, const Item& start_key) {
  KeyAttributes wanted = table.keys;
  if (index != nullptr) {
    for (const auto& key : index->keys) {
      if (!table.IsKey(key.name)) {
        wanted.push_back(key);
      }
    }
  }
  if (start_key.size() != wanted.size()) {
    return ValidationError(index == nullptr
                               ? "Exclusive Start Key must have same size as table's key schema"
                               : "The provided starting key is invalid");
  }
  for (const auto& key : wanted) {
    const AttributeValue* value = start_key.Find(key.name);
    if (value == nullptr || !HasType(*value, key.type)) {
      return ValidationError(
          "The provided starting key is invalid: The provided key element does not match the "
          "schema");
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
