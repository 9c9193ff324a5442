// UpdateContributorInsights, DescribeContributorInsights and ListContributorInsights.
#include <algorithm>
#include <memory>
#include <utility>

#include "engine/errors.h"
#include "engine/item/key_accesses.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"

namespace prejoin::engine {
namespace {

constexpr std::int32_t kListPageMax = 100;
constexpr std::size_t kReportedKeysMax = 100;

Error IndexNotFound(const std::string& index_name, const std::string& table_name) {
  return ResourceNotFound("Requested resource not found: Index: " + index_name +
                          " not found for table: " + table_name);
}

// AWS has insights for tables and global indexes.
const Index* FindGlobal(const Table& table, const std::string& index_name) {
  const Index* index = table.FindIndex(index_name);
  return index != nullptr && index->global ? index : nullptr;
}

std::vector<std::string> RuleNames(const InsightsDescription& description, bool has_sort_key) {
  std::vector<std::string> kinds;
  if (description.mode == InsightsMode::kAccessedAndThrottledKeys) {
    kinds = {"PKC", "PKT"};
    if (has_sort_key) {
      kinds = {"PKC", "SKC", "PKT", "SKT"};
    }
  } else {
    kinds = {"PKT"};
    if (has_sort_key) {
      kinds = {"PKT", "SKT"};
    }
  }
  std::string resource = description.table_name;
  if (description.index_name) {
    resource += "-" + *description.index_name;
  }
  std::vector<std::string> rules;
  for (const std::string& kind : kinds) {
    rules.push_back("DynamoDBContributorInsights-" + kind + "-" + resource + "-" +
                    std::to_string(*description.updated_ms));
  }
  return rules;
}

InsightsDescription DescribeSetting(const Table& table, const Index* index) {
  InsightsDescription description;
  description.table_name = table.name();
  if (index != nullptr) {
    description.index_name = index->name();
  }
  const auto& setting = index != nullptr ? index->insights : table.insights;
  if (!setting) {
    return description;
  }
  description.mode = setting->mode;
  description.updated_ms = setting->changed_ms;
  if (setting->enabled) {
    description.status = InsightsStatus::kEnabled;
    const KeyAttributes& keys = index != nullptr ? index->keys : table.keys;
    description.rules = RuleNames(description, keys.back().key_type == KeyType::kRange);
  }
  return description;
}

// The place of an entry in the list: tables by name, each before its indexes.
std::string PlaceOf(const InsightsDescription& description) {
  return description.table_name + "/" + description.index_name.value_or("");
}

std::vector<InsightsDescription> EnabledOf(const Table& table) {
  std::vector<InsightsDescription> enabled;
  const auto add = [&](const Index* index) {
    InsightsDescription description = DescribeSetting(table, index);
    if (description.status != InsightsStatus::kDisabled) {
      enabled.push_back(std::move(description));
    }
  };
  add(nullptr);
  for (const Index& index : table.indexes) {
    add(&index);
  }
  std::ranges::sort(enabled, {}, PlaceOf);
  return enabled;
}

}  // namespace

Result<InsightsDescription> UpdateContributorInsights(Engine& engine, RequestContext& context,
                                                      const UpdateContributorInsightsInput& input) {
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          input.table_name,
          [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return TableNotFound(input.table_name);
            }
            auto next = CopyOf(*current);
            auto* setting = &next->insights;
            if (input.index_name) {
              const auto index = std::ranges::find(next->indexes, *input.index_name, &Index::name);
              if (index == next->indexes.end() || !index->global) {
                return IndexNotFound(*input.index_name, input.table_name);
              }
              setting = &index->insights;
            }
            const InsightsMode old_mode =
                *setting ? (*setting)->mode : InsightsMode::kAccessedAndThrottledKeys;
            *setting = InsightsSetting{.enabled = input.action == InsightsAction::kEnable,
                                       .mode = input.mode.value_or(old_mode),
                                       .changed_ms = engine.clock().NowMs()};
            ResolveInsights(*next);
            return next;
          }));
  context.Saw(change.ticket);
  InsightsDescription description = DescribeSetting(
      *change.table, input.index_name ? FindGlobal(*change.table, *input.index_name) : nullptr);
  // It is done, but AWS's answer says that it begins.
  description.status = input.action == InsightsAction::kEnable ? InsightsStatus::kEnabling
                                                               : InsightsStatus::kDisabling;
  return description;
}

Result<InsightsDescription> DescribeContributorInsights(
    Engine& engine, RequestContext&, const DescribeContributorInsightsInput& input) {
  const TablePtr table = engine.catalog().FindOrNull(input.table_name);
  if (table == nullptr) {
    return TableNotFound(input.table_name);
  }
  const Index* index = nullptr;
  if (input.index_name) {
    index = FindGlobal(*table, *input.index_name);
    if (index == nullptr) {
      return IndexNotFound(*input.index_name, input.table_name);
    }
  }
  return DescribeSetting(*table, index);
}

Result<ListContributorInsightsOutput> ListContributorInsights(
    Engine& engine, RequestContext&, const ListContributorInsightsInput& input) {
  std::vector<TablePtr> tables;
  if (input.table_name) {
    tables.push_back(engine.catalog().FindOrNull(*input.table_name));
    if (tables.back() == nullptr) {
      return TableNotFound(*input.table_name);
    }
  } else {
    tables = engine.catalog().All();
  }
  const std::size_t page_max =
      static_cast<std::size_t>(std::max(input.max_results.value_or(kListPageMax), 1));
  ListContributorInsightsOutput output;
  for (const TablePtr& table : tables) {
    for (InsightsDescription& description : EnabledOf(*table)) {
      if (input.next_token && PlaceOf(description) <= *input.next_token) {
        continue;
      }
      if (output.summaries.size() == page_max) {
        output.next_token = PlaceOf(output.summaries.back());
        return output;
      }
      output.summaries.push_back(std::move(description));
    }
  }
  return output;
}

std::vector<InsightsReport> ReportInsights(Engine& engine) {
  // In its other mode AWS reports throttled keys only.
  const auto reports_accesses = [](const std::shared_ptr<KeyAccesses>& accesses,
                                   const std::optional<InsightsSetting>& setting) {
    return accesses != nullptr && setting->mode == InsightsMode::kAccessedAndThrottledKeys;
  };
  std::vector<InsightsReport> reports;
  for (const TablePtr& table : engine.catalog().All()) {
    if (reports_accesses(table->accesses, table->insights)) {
      table->accesses->Report(kReportedKeysMax,
                              reports.emplace_back(InsightsReport{.table_name = table->name()}));
    }
    for (const Index& index : table->indexes) {
      if (reports_accesses(index.accesses, index.insights)) {
        index.accesses->Report(kReportedKeysMax,
                               reports.emplace_back(InsightsReport{.table_name = table->name(),
                                                                   .index_name = index.name()}));
      }
    }
  }
  return reports;
}

}  // namespace prejoin::engine
