#include "model/plan/explain.h"

#include <algorithm>

#include "model/plan/local_fetch.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kAlternativesShown = 4;
constexpr std::size_t kIndent = 2;  // The indent of each line that belongs to a pattern.

// Every line but the first, moved to the right.
std::string Indented(const std::string& text, std::size_t columns) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') {
      out.append(columns, ' ');
    }
  }
  return out;
}

std::string PlanLine(const Plan& plan) {
  std::string out;
  for (const Request& request : plan.requests) {
    out += (out.empty() ? "" : "; ") + DescribeRequest(request);
  }
  for (const SectionPlan& section : plan.sections) {
    for (const FollowUp& follow_up : section.follow_ups) {
      out += FetchedByIndex(plan.requests[section.request], follow_up)
                 ? "; with each " + follow_up.entity.text + " from the table"
                 : "; then BatchGetItem " + follow_up.entity.text;
    }
  }
  return out;
}

std::string MeasureText(const Section& section) {
  return section.measure == Measure::kCount
             ? "counts the items, with Select=COUNT where the request reads nothing else"
             : "adds up " + section.get[0].attribute.text;
}

std::string Consistency(const Plan& plan) {
  const bool wants_strong = plan.pattern->freshness != Freshness::kEventual;
  if (!plan.strong) {
    return wants_strong
               ? "eventually consistent, although the pattern requires strong consistency: a GSI "
                 "has no strongly consistent reads"
               : "eventually consistent: a GSI follows its table later";
  }
  return wants_strong
             ? "strongly consistent (ConsistentRead)"
             : "eventually consistent, as requested; strongly consistent reads cost twice the RCU";
}

// The expected numbers, and why this plan and not the next.
void AppendReasons(const Plan& plan, const std::vector<Plan>& all, std::string& out) {
  const PlanEstimate& each = plan.estimate;
  out += "  Estimate: " + Counted(each.requests, "request") + " in " +
         Counted(each.rounds, "round trip") + " \u00b7 " + CountedRoughly(each.items_read, "item") +
         ", " + BytesText(each.bytes_read) + " read \u00b7 " + RoughText(each.items_returned) +
         " returned \u00b7 " + FigureText(each.read_units) + " RCU\n";
  out += "  Consistency: " + Consistency(plan) + "\n";
  if (!plan.thrown_away.empty()) {
    out += "  Also reads and discards:";
    for (const std::string& entity : plan.thrown_away) {
      out += " " + entity;
    }
    out += " (these keys have no single Query that leaves it out)\n";
  }
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const SectionPlan& section = plan.sections[i];
    if (plan.pattern->sections[i].measure != Measure::kRows) {
      out += "  The application " + MeasureText(plan.pattern->sections[i]) +
             ": the read costs what reading the rows costs\n";
    }
    if (section.client_sort) {
      out += "  The application must sort " + plan.pattern->sections[i].entity.text +
             ": the keys do not provide that order\n";
    }
    for (const std::string& filter : section.filters) {
      if (section.embedded == nullptr) {
        out += "  Filter, applied after reading: " + filter + "\n";
      }
    }
    for (const FollowUp& follow_up : section.follow_ups) {
      out += FetchedByIndex(plan.requests[section.request], follow_up)
                 ? "  The local index fetches each " + follow_up.entity.text + " from the table for:"
                 : "  BatchGetItem of " + follow_up.entity.text + " because of:";
      for (const std::string& reason : follow_up.reasons) {
        out += " " + reason;
      }
      out += "\n";
    }
  }
  if (all.size() == 1) {
    out += "  Why: these keys support only this plan\n";
    return;
  }
  out += "  Why: the cheapest of " + std::to_string(all.size()) + " possible plans. The others:\n";
  for (std::size_t i = 1; i < all.size() && i <= kAlternativesShown; ++i) {
    out += "    " + FigureText(all[i].estimate.read_units) + " RCU, " +
           Counted(all[i].estimate.requests, "request") + ": " + PlanLine(all[i]) + "\n";
  }
}

// A copy of the model in which an attribute is no key any more. Without its partition key an index
// is gone; without its sort key it groups, but does not order.
Model WithoutKey(const Model& model, const std::string& table_name, const std::string& attribute) {
  Model out = model;
  for (Table& table : out.tables) {
    if (table.name.text != table_name) {
      continue;
    }
    if (table.sort.text == attribute) {
      table.sort.text.clear();
    }
    if (table.partition.text == attribute) {
      table.items.clear();
    }
    std::erase_if(table.indexes, [&](const Index& index) {
      return std::any_of(index.partition.begin(), index.partition.end(),
                         [&](const Name& name) { return name.text == attribute; });
    });
    for (Index& index : table.indexes) {
      std::erase_if(index.sort, [&](const Name& name) { return name.text == attribute; });
    }
  }
  return out;
}

std::vector<std::string> KeyNames(const Table& table) {
  std::vector<std::string> names = {table.partition.text};
  const auto add = [&](const Name& name) {
    if (!name.text.empty() && std::find(names.begin(), names.end(), name.text) == names.end()) {
      names.push_back(name.text);
    }
  };
  add(table.sort);
  for (const Index& index : table.indexes) {
    for (const Name& name : index.partition) {
      add(name);
    }
    for (const Name& name : index.sort) {
      add(name);
    }
  }
  return names;
}

// The key condition of a request names the attribute.
bool Names(const Request& request, const std::string& attribute) {
  const std::vector<Name> sort = request.view.SortKeys();
  for (std::size_t i = 0; i < sort.size(); ++i) {
    if (sort[i].text != attribute) {
      continue;
    }
    return std::any_of(request.ranges.begin(), request.ranges.end(), [&](const SortRange& range) {
      return i < range.equal.size() || (i == range.equal.size() && range.kind != RangeKind::kAll);
    });
  }
  return false;
}

// Patterns' sections that the application has to sort.
std::ptrdiff_t ClientSorts(const Plan& plan) {
  return std::count_if(plan.sections.begin(), plan.sections.end(),
                       [](const SectionPlan& section) { return section.client_sort; });
}

// Keys of both can be equal: the same literals at the same places.
bool SameShape(const KeyTemplate& a, const KeyTemplate& b) {
  if (a.natural != b.natural || a.parts.size() != b.parts.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (a.parts[i].is_literal() != b.parts[i].is_literal() ||
        a.parts[i].literal != b.parts[i].literal) {
      return false;
    }
  }
  return true;
}

// The plan takes its rows or their order from the attribute, even where another plan would do
// without it as long as nothing else is stored beside them.
bool DependsOn(const Plan& plan, const Plan& without, const std::string& table,
               const std::string& attribute) {
  for (const Request& request : plan.requests) {
    if (request.view.table->name.text == table && Names(request, attribute)) {
      return true;
    }
  }
  return ClientSorts(without) > ClientSorts(plan);
}

// Some rows come in the order that is asked for because the attribute sorts them.
bool TakesOrderFrom(const Plan& plan, const std::string& table, const std::string& attribute) {
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const Request& request = plan.requests[plan.sections[i].request];
    if (plan.pattern->sections[i].order.empty() || plan.sections[i].client_sort ||
        request.kind != RequestKind::kQuery || request.view.table->name.text != table) {
      continue;
    }
    for (const Name& name : request.view.SortKeys()) {
      if (name.text == attribute) {
        return true;
      }
    }
  }
  return false;
}

// Entities that could have only one item under each partition key, if that were the whole key.
std::vector<std::string> ReplacedWithoutSort(const Model& model, const Table& table) {
  std::vector<std::string> names;
  for (const ItemLayout& layout : table.items) {
    const StoredAttribute* partition = layout.Find(table.partition.text);
    const Entity& entity = model.At(layout.entity);
    if (partition == nullptr) {
      continue;
    }
    const std::vector<std::string> bound = partition->key.Labels();
    const std::vector<std::string> keys = entity.KeyNames();
    const bool alone = std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return std::find(bound.begin(), bound.end(), key) != bound.end();
    });
    const bool shared =
        std::any_of(table.items.begin(), table.items.end(), [&](const ItemLayout& other) {
          const StoredAttribute* key = other.Find(table.partition.text);
          return &other != &layout && key != nullptr && SameShape(key->key, partition->key);
        });
    if (!alone || shared) {
      names.push_back(layout.entity.text);
    }
  }
  return names;
}

bool SortsIndexOnly(const Table& table, const std::string& attribute) {
  if (table.partition.text == attribute || table.sort.text == attribute) {
    return false;
  }
  return std::none_of(table.indexes.begin(), table.indexes.end(), [&](const Index& index) {
    return std::any_of(index.partition.begin(), index.partition.end(),
                       [&](const Name& name) { return name.text == attribute; });
  });
}

std::string Listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace

std::string ExplainPattern(const Model& model, const Pattern& pattern) {
  std::string out = pattern.name.text + (pattern.title.empty() ? "" : "  " + pattern.title) + "\n";
  const std::vector<Plan> plans = PlanAlternatives(model, pattern, kPlansCompared);
  const Plan& plan = plans.front();
  if (!plan.served) {
    out += "  No key supports this access pattern: " + plan.refusal + "\n";
    const std::string proposal = ProposeChange(model, pattern).Text();
    if (!proposal.empty()) {
      out += "  Smallest change: " + Indented(proposal, 10) + "\n";
    }
    return out;
  }
  for (const Request& request : plan.requests) {
    out += "  " + DescribeRequest(request) + "\n";
  }
  AppendReasons(plan, plans, out);
  return out;
}

std::string ExplainChoice(const Plan& plan, const std::vector<Plan>& all) {
  std::string indented;
  AppendReasons(plan, all, indented);
  std::string out;
  for (std::size_t begin = 0; begin < indented.size();) {
    const std::size_t end = indented.find('\n', begin);
    if (!out.empty()) {
      out += '\n';
    }
    out += indented.substr(begin + kIndent, end - begin - kIndent);
    begin = end + 1;
  }
  return out;
}

std::vector<KeyUse> WhyKeysExist(const Model& model) {
  std::vector<KeyUse> uses;
  Expectations figures(model);
  const std::vector<Plan> plans = PlanAll(figures);
  for (const Table& table : model.tables) {
    for (const std::string& attribute : KeyNames(table)) {
      const Model changed = WithoutKey(model, table.name.text, attribute);
      const std::vector<Plan> without = PlanAll(changed);
      KeyUse use;
      use.table = table.name.text;
      use.attribute = attribute;
      if (table.sort.text == attribute) {
        use.replaced = ReplacedWithoutSort(model, table);
      }
      use.sorts_index = SortsIndexOnly(table, attribute);
      for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].served) {
          continue;
        }
        if (!without[i].served) {
          use.lost.push_back(plans[i].pattern->name.text);
          continue;
        }
        if (DependsOn(plans[i], without[i], table.name.text, attribute)) {
          use.depend.push_back(plans[i].pattern->name.text);
        }
        if (TakesOrderFrom(plans[i], table.name.text, attribute)) {
          use.unordered.push_back(plans[i].pattern->name.text);
        }
        const double before = plans[i].estimate.read_units;
        const double after = without[i].estimate.read_units;
        if (after > before * 1.001) {
          use.dearer.push_back(plans[i].pattern->name.text + " (\u00d7" +
                               FigureText(after / before) + ")");
        }
      }
      uses.push_back(std::move(use));
    }
  }
  return uses;
}

namespace {

// The entities whose items have the same text in both parts of the table's key.
std::string RepeatsPartition(const Model& model, const KeyUse& use) {
  std::vector<std::string> entities;
  for (const Table& table : model.tables) {
    if (table.name.text != use.table || table.sort.text != use.attribute) {
      continue;
    }
    for (const ItemLayout& layout : table.items) {
      const StoredAttribute* partition = layout.Find(table.partition.text);
      const StoredAttribute* sort = layout.Find(table.sort.text);
      if (partition != nullptr && sort != nullptr &&
          partition->key.ToString() == sort->key.ToString()) {
        entities.push_back(layout.entity.text);
      }
    }
  }
  return entities.empty() ? "" : Listed(entities);
}

}  // namespace

std::string ExplainKeys(const Model& model, const std::string& attribute) {
  std::string out;
  for (const KeyUse& use : WhyKeysExist(model)) {
    if (!attribute.empty() && use.attribute != attribute) {
      continue;
    }
    out += use.table + "." + use.attribute + ": ";
    std::vector<std::string> parts;
    if (!use.lost.empty()) {
      parts.push_back("supports " +
                      Counted(static_cast<double>(use.lost.size()), "access pattern") +
                      " that no other key supports: " + Listed(use.lost));
    }
    if (!use.depend.empty()) {
      parts.push_back(Counted(static_cast<double>(use.depend.size()), "pattern") +
                      (use.depend.size() == 1 ? " depends" : " depend") +
                      " on it for the right rows or their order: " + Listed(use.depend));
    }
    if (!use.unordered.empty()) {
      parts.push_back("without it the application must sort: " + Listed(use.unordered));
    }
    if (!use.replaced.empty()) {
      parts.push_back(
          "without it uniqueness is lost, and items of one partition overwrite each other: " +
          Listed(use.replaced));
    }
    if (const std::string alone = RepeatsPartition(model, use); !alone.empty()) {
      parts.push_back("repeats the partition key on " + alone +
                      ": such an item is alone in its item collection");
    }
    if (use.sorts_index && use.unordered.empty()) {
      parts.push_back(
          "without it the entries of one index key lose their order, which no pattern requests; "
          "nothing is overwritten, because index keys need not be unique");
    }
    if (!use.dearer.empty()) {
      parts.push_back("without it these cost more: " + Listed(use.dearer));
    }
    if (parts.empty()) {
      parts.emplace_back("no access pattern needs it; it can be deleted");
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out += (i > 0 ? "; " : "") + parts[i];
    }
    out += "\n";
  }
  return out;
}

}  // namespace prejoin::model
