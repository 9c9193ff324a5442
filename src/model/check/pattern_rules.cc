// Rules about how patterns are served.
#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/bind/resolve.h"
#include "model/check/bill.h"
#include "model/check/checker.h"
#include "model/check/copy_load.h"
#include "model/layout/key_spelling.h"
#include "model/layout/layout_edits.h"
#include "model/layout/print_physical.h"
#include "model/plan/combinations.h"
#include "model/plan/local_fetch.h"
#include "model/plan/planner.h"
#include "model/plan/propose.h"
#include "model/plan/section_access.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::array kPatternRules = std::to_array<Rule>({
    {"PJ101", "unserved-pattern", Severity::kError, "no key supports the access pattern",
     "Without a key the pattern takes a Scan, which reads the whole table and grows with it.",
     "Add the keys that the message proposes."},
    {"PJ102", "or-in-key-condition", Severity::kError, "OR cannot be part of a key condition",
     "A Query reads one contiguous range of one partition. OR needs two.",
     "Write two `find` lines, or `attribute in (…)` for several values of one attribute."},
    {"PJ103", "strong-read-on-index", Severity::kError,
     "a strongly consistent read cannot come from a global index",
     "Global secondary indexes are always eventually consistent.",
     "Read from the table or a local index, or accept `fresh eventual`."},
    {"PJ104", "read-after-write-on-index", Severity::kError,
     "the pattern reads an index right after a write",
     "DynamoDB updates a global secondary index after it acknowledges the write.",
     "Read the item from the table, use the values that were just written, or accept `fresh "
     "eventual`."},
    {"PJ122", "number-order", Severity::kError, "numbers in a text key do not sort like numbers",
     "As text, 10 sorts before 9.", "Write {attribute pad N}, or use the number as a natural key."},
    {"PJ203", "thrown-away", Severity::kWarning,
     "the pattern reads items of other entities and discards them",
     "Items of another entity lie inside the key range. They consume RCU, are discarded, and push "
     "wanted items to the next page.",
     "Move the other entity to an item collection of its own (for example in an index), or accept "
     "that this range includes it."},
    {"PJ204", "serial-requests", Severity::kWarning,
     "the pattern takes several requests, one after the other",
     "Each round trip adds latency, and the parts of the result may come from different moments.",
     "Store the items in one item collection, or copy the attributes that are needed."},
    {"PJ205", "missing-attributes", Severity::kWarning,
     "the items lack attributes that the pattern returns",
     "An edge item or an index entry has only its own and its projected attributes. Attributes of "
     "the other entity take another request.",
     "Copy the attributes, or project them; or state that ids are enough with `get`."},
    {"PJ206", "parent-not-in-collection", Severity::kWarning,
     "parent and children are not in one collection",
     "The parent has no keys in the table or index that serves the children, so reading it takes a "
     "separate request.",
     "Give the parent keys in that table or index."},
    {"PJ207", "filtered", Severity::kWarning, "a condition is a filter, not a key condition",
     "DynamoDB applies a filter after the read, so discarded items consume RCU too.",
     "Add the attribute to a key."},
    {"PJ208", "client-sort", Severity::kWarning, "no key has the requested order",
     "The application must read all items and sort them, and a limit saves nothing.",
     "Put the `order by` attribute into a sort key, right after the parts that `=` conditions "
     "bind."},
});

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

// The cost of a Scan beside the proposed keys, and the kind of question it is where nothing narrows it.
std::string PriceOfScan(const Model& model, const Pattern& pattern) {
  const auto binds = [](const Section& section) {
    return std::ranges::any_of(section.conditions, [](const Condition& condition) {
      return condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn;
    });
  };
  if (!pattern.variant_of.empty() || std::ranges::any_of(pattern.sections, binds)) {
    return {};
  }
  Pattern scanned = pattern;
  scanned.scan_reason = "its price";
  const Plan scan = PlanPattern(model, scanned);
  if (!scan.served) {
    return {};
  }
  std::string out = " of " + FigureText(std::ceil(scan.estimate.read_units)) + " RCU each time";
  if (const auto changed = WithProposedChange(model, pattern)) {
    const Plan with_keys = PlanPattern(*changed, *changed->FindPattern(pattern.name.text));
    out +=
        ", or " + FigureText(std::ceil(with_keys.estimate.read_units)) + " RCU with the keys below";
  }
  const bool filters = std::ranges::any_of(
      pattern.sections, [](const Section& section) { return !section.conditions.empty(); });
  const auto placement = model.FindPlacement(pattern.sections.front().entity);
  if (filters && placement) {
    out += ". A question about all rows is analytics: `prejoin export " +
           placement.table->name.text + " --model FILE --as sql --to DIR` writes the rows as SQL";
  }
  return out;
}

void CheckUnserved(Checker& checker, const Plan& plan) {
  for (const Section& section : plan.pattern->sections) {
    if (!section.has_or) {
      continue;
    }
    checker.Report(RuleIn(kPatternRules, "PJ102"), section.or_at,
                   "`" + plan.pattern->name.text + "` uses `or`: one Query cannot read two ranges");
    return;
  }
  checker.Report(RuleIn(kPatternRules, "PJ101"), plan.pattern->name.at,
                 "`" + plan.pattern->name.text + "` is not supported by any key: " + plan.refusal +
                     PriceOfScan(checker.model, *plan.pattern),
                 ProposeChange(checker.model, *plan.pattern));
}

// One finding for all combinations of optional conditions that no key serves.
void CheckCombinations(Checker& checker) {
  for (const CombinationAdvice& advice : AdviseCombinations(checker.model)) {
    if (advice.unserved.empty()) {
      continue;
    }
    const Pattern& pattern = *checker.model.FindPattern(advice.pattern);
    checker.Report(RuleIn(kPatternRules, "PJ101"), pattern.name.at,
                   "`" + advice.pattern + "`: no key supports " +
                       std::to_string(advice.unserved.size()) + " of the " +
                       std::to_string(advice.combinations) +
                       " combinations of its optional conditions: " + Joined(advice.unserved),
                   Suggestion("`prejoin advise` lists the smallest set of keys that supports "
                              "them, and the combinations that need a search engine"));
  }
}

Proposal AcceptEventual(const Pattern& pattern) {
  // A combination of optional conditions has no declaration of its own.
  const std::string& name = pattern.variant_of.empty() ? pattern.name.text : pattern.variant_of;
  return std::vector{ReplaceHead("pattern " + name, pattern.name.at, "fresh", "fresh eventual")};
}

void CheckFreshness(Checker& checker, const Plan& plan) {
  const Pattern& pattern = *plan.pattern;
  if (plan.strong || pattern.freshness == Freshness::kEventual) {
    return;
  }
  std::string index = "a global index";
  for (const Request& request : plan.requests) {
    if (request.view.IsGlobalIndex()) {
      index = "`" + request.view.index->name.text + "`";
    }
  }
  if (pattern.freshness == Freshness::kStrong) {
    checker.Report(RuleIn(kPatternRules, "PJ103"), pattern.name.at,
                   "`" + pattern.name.text + "` requires strongly consistent reads, but only " +
                       index + " supports it",
                   AcceptEventual(pattern));
  } else {
    checker.Report(RuleIn(kPatternRules, "PJ104"), pattern.after_write.at,
                   "`" + pattern.name.text + "` reads " + index + " right after `" +
                       pattern.after_write.text + "`: the index may not have the write yet",
                   AcceptEventual(pattern));
  }
}

// The parent's keys in the collection of its children: their partition key, made from its own attributes, and a fixed sort
// key. Empty where the collection cannot hold the parent.
std::vector<StoredAttribute> KeysBesideChildren(const Model& model, const View& view,
                                                const Reference<Entity>& child,
                                                const Reference<Entity>& parent) {
  const ItemLayout* of_child = model.FindPlacement(child).layout;
  if (of_child == nullptr || view.PartitionKeys().size() != 1 || view.SortKeys().size() != 1 ||
      (view.index != nullptr && view.index->local)) {
    return {};
  }
  const StoredAttribute* partition = of_child->Find(view.PartitionKeys()[0].text);
  const StoredAttribute* sort = of_child->Find(view.SortKeys()[0].text);
  if (partition == nullptr || sort == nullptr || partition->key.natural || sort->key.natural ||
      partition->key.Shard() != nullptr) {
    return {};
  }
  StoredAttribute mine = *partition;
  const auto columns = JoinColumns(model.At(child), model.At(parent));
  for (TemplatePart& part : mine.key.parts) {
    if (part.is_literal()) {
      continue;
    }
    const auto column = std::ranges::find(columns, part.attribute, &JoinColumn::from);
    if (column == columns.end()) {
      return {};
    }
    part.attribute = column->to;
  }
  return {std::move(mine), MakeStored(sort->name.text, "#" + KeyWord(parent.text))};
}

// The edits that put the parent into the collection of its children. Empty where it is there, or cannot be.
std::vector<LineEdit> JoinCollection(const Model& model, const Plan& plan,
                                     const Reference<Entity>& parent) {
  const View& view = plan.requests[plan.sections.back().request].view;
  const Model::Placement placement = model.FindPlacement(parent);
  const std::vector<StoredAttribute> keys =
      KeysBesideChildren(model, view, plan.sections.back().item_entity, parent);
  if (keys.empty() || placement.table != view.table) {
    return {};
  }
  std::vector<std::string> added;
  std::vector<LineEdit> edits;
  for (const StoredAttribute& key : keys) {
    const StoredAttribute* old = placement.layout->Find(key.name.text);
    if (old == nullptr) {
      added.push_back(PrintStored(key));
    } else if (view.index == nullptr && IsWritten(*placement.layout, *old)) {
      edits.push_back(ReplaceStored(*placement.layout, *old, key));
    } else {
      return {};
    }
  }
  if (!added.empty()) {
    edits.push_back(AddToItem(*placement.layout, std::move(added)));
  }
  return edits;
}

// Parent and children of one pattern in different collections, although one collection for both serves every pattern and is
// not dearer.
void CheckTogether(Checker& checker, const Plan& plan) {
  if (plan.requests.size() < 2 || plan.pattern->sections.size() < 2) {
    return;
  }
  const Request& main = plan.requests[plan.sections.back().request];
  const Reference<Entity>& child = plan.sections.back().item_entity;
  for (std::size_t i = 0; i + 1 < plan.sections.size(); ++i) {
    const Reference<Entity>& parent = plan.sections[i].item_entity;
    if (plan.sections[i].request == plan.sections.back().request || parent == child) {
      continue;
    }
    const std::vector<LineEdit> edits = JoinCollection(checker.model, plan, parent);
    const std::set<std::string> both = {parent.text, child.text};
    const std::optional<Model> after = edits.empty() ? std::nullopt : checker.After(edits);
    const Pattern* pattern = after ? after->FindPattern(plan.pattern->name.text) : nullptr;
    if (pattern == nullptr || PlanPattern(*after, *pattern).requests.size() >= plan.requests.size() ||
        !BillOf(checker.model, both).NotDearer(BillOf(*after, both))) {
      continue;
    }
    checker.Report(RuleIn(kPatternRules, "PJ206"), plan.pattern->sections[i].entity.at,
                   "`" + parent.text + "` is not in the collection of " + main.view.Label() +
                       " that holds `" + child.text + "`: reading it takes a separate request",
                   Proposal(edits));
    return;
  }
}

// Items that one section reads and returns, as if it were the whole pattern: "reads about 1,001 items to return 1".
std::string ReadAndReturned(const Model& model, const Pattern& pattern, std::size_t section) {
  Pattern one = pattern;
  one.sections = {pattern.sections[section]};
  const Plan plan = PlanPattern(model, one);
  return "reads about " + CountedRoughly(plan.estimate.items_read, "item") + " (" +
         RoughText(plan.estimate.read_units) + " RCU) to return " +
         RoughText(plan.estimate.items_returned);
}

// Copies that PJ212 would take away again.
bool ChangesTooOften(const Model& model, const SectionPlan& section, const FollowUp& follow_up) {
  return follow_up.kind == FollowUpKind::kJoin &&
         std::ranges::any_of(follow_up.reasons, [&](const std::string& attribute) {
           Path path;
           path.entity = model.RowsOf(follow_up.entity);
           path.attribute.text = attribute;
           return LoadOfCopy(model, section.item_entity, path).TooMuch();
         });
}

// The same collection in another order is what a local index is for. Empty where it does not help.
Proposal LocalIndexFor(const Model& model, const Plan& plan, std::size_t i) {
  const Section& section = plan.pattern->sections[i];
  const View& view = plan.requests[plan.sections[i].request].view;
  const Entity& entity = model.At(section.entity);
  const Attribute* by = section.order.size() == 1 && section.via.text.empty()
                            ? entity.Find(section.order[0].attribute.text)
                            : nullptr;
  if (view.index != nullptr || view.table->sort.text.empty() || by == nullptr || by->optional ||
      !CollectionsAreBounded(model, *view.table)) {
    return {};
  }
  Index local;
  local.local = true;
  local.name.text = "By" + by->name.text;
  local.name.text[2] = absl::ascii_toupper(static_cast<unsigned char>(local.name.text[2]));
  local.partition = {view.table->partition};
  local.sort = {by->name};
  local.projection_given = true;
  Model changed = model;
  for (Table& table : changed.tables) {
    if (!(table.name == view.table->name)) {
      continue;
    }
    table.indexes.push_back(local);
    for (ItemLayout& layout : table.items) {
      const bool has = model.At(layout.entity).Find(by->name.text) != nullptr &&
                       (layout.of.text.empty() || !layout.Omits(by->name.text));
      if (has && layout.Find(by->name.text) == nullptr) {
        layout.attributes.push_back(NaturalKey(by->name));
      }
    }
  }
  const Plan with_index = PlanPattern(changed, *plan.pattern);
  if (view.table->FindIndex(local.name.text) != nullptr || !with_index.served ||
      with_index.sections[i].client_sort) {
    return {};
  }
  return std::vector{AddToTable(*view.table, {PrintIndex(local)})};
}

// One key order serves one order: another index, or reading everything.
Proposal SortedKeys(const Model& model, const Plan& plan, std::size_t number) {
  if (Proposal lines = LocalIndexFor(model, plan, number); !lines.empty()) {
    return lines;
  }
  const Section& section = plan.pattern->sections[number];
  std::string key;
  for (std::size_t i = 1; i < section.conditions.size(); ++i) {
    if (section.conditions[i].comparison == Comparison::kEqual) {
      key += "{" + section.conditions[i].attribute.text + "}#";
    }
  }
  for (const OrderKey& order : section.order) {
    key += "{" + order.attribute.text + "}#";
  }
  key.pop_back();
  return "one sort key cannot support both: add an index sorted by \"" + key +
         "\", which every write pays for, or read all items and sort them, " +
         FigureText(std::ceil(plan.estimate.read_units)) + " RCU each time";
}

void CheckSection(Checker& checker, const Plan& plan, std::size_t i) {
  const Section& section = plan.pattern->sections[i];
  const SectionPlan& section_plan = plan.sections[i];
  for (const FollowUp& follow_up : section_plan.follow_ups) {
    if (follow_up.kind == FollowUpKind::kVia) {
      checker.Report(RuleIn(kPatternRules, "PJ204"), section.entity.at,
                     "`" + plan.pattern->name.text + "` first reads `" + section_plan.item_entity.text +
                         "`, then each `" + follow_up.entity.text + "`: two round trips");
      continue;
    }
    const Request& request = plan.requests[section_plan.request];
    const std::string where = request.view.Label();
    const std::string price = FetchedByIndex(request, follow_up)
                                  ? ": the index fetches each item from the table"
                                  : ": reading them takes a BatchGetItem of " + follow_up.entity.text;
    checker.Report(
        RuleIn(kPatternRules, "PJ205"), section.entity.at,
        "the `" + section_plan.item_entity.text + "` items in " + where + " have no " +
            (follow_up.kind == FollowUpKind::kJoin
                 ? checker.model.RowsOf(follow_up.entity).name.text + "."
                 : "") +
            Joined(follow_up.reasons) + price,
        ChangesTooOften(checker.model, section_plan, follow_up)
            ? Proposal("the attribute changes too often to be copied: leave it out with `get`, or "
                       "accept the request")
            : ProposeAttributes(checker.model, section_plan, follow_up,
                                plan.requests[section_plan.request].view));
  }
  // A pattern that allows a Scan has accepted what it reads.
  if (!plan.pattern->scan_reason.empty()) {
    return;
  }
  if (section_plan.client_sort) {
    checker.Report(RuleIn(kPatternRules, "PJ208"), section.order[0].attribute.at,
                   "no key that serves `" + plan.pattern->name.text + "` sorts `" +
                       section.entity.text + "` by " + section.order[0].attribute.text,
                   SortedKeys(checker.model, plan, i));
  }
  if (!section_plan.filters.empty() && section_plan.embedded == nullptr) {
    for (const Condition& condition : section.conditions) {
      if (std::find(section_plan.filters.begin(), section_plan.filters.end(),
                    condition.attribute.text) == section_plan.filters.end()) {
        continue;
      }
      // One item by its whole key is never too many.
      if (plan.requests[section_plan.request].kind == RequestKind::kGetItem) {
        continue;
      }
      checker.Report(RuleIn(kPatternRules, "PJ207"), condition.attribute.at,
                     "`" + condition.attribute.text + "` is not part of the key that serves `" +
                         plan.pattern->name.text + "`, so it is a filter: the pattern " +
                         ReadAndReturned(checker.model, *plan.pattern, i));
    }
  }
}

// How many digits the file states for a number; 0: it does not say.
int StatedDigits(const Attribute& attribute) {
  return static_cast<int>(attribute.size_max > 0 ? attribute.size_max : attribute.size_avg);
}

// True if numbers of the stated digits do not sort in this part of a key.
bool SortsAsText(const TemplatePart& part, const Attribute& attribute) {
  return part.attribute == attribute.name.text &&
         (part.transform == TemplateTransform::kNone ||
          (part.transform == TemplateTransform::kPad && part.argument < StatedDigits(attribute)));
}

StoredAttribute WithPadding(StoredAttribute stored, const Attribute& attribute) {
  for (TemplatePart& part : stored.key.parts) {
    if (SortsAsText(part, attribute)) {
      const bool padded = part.transform == TemplateTransform::kPad;
      part.transform = TemplateTransform::kPad;
      part.argument = padded ? StatedDigits(attribute) : std::max(kPadDigits, StatedDigits(attribute));
    }
  }
  return stored;
}

std::string SortsAsTextWhy(const TemplatePart& part, const Attribute& attribute,
                           const std::string& key) {
  if (part.transform == TemplateTransform::kNone) {
    return "`" + attribute.name.text + "` is a number, but sorts as text in " + key + ": 10 before 9";
  }
  const auto nines = static_cast<std::size_t>(part.argument);
  return "`" + attribute.name.text + "` has " + std::to_string(StatedDigits(attribute)) +
         " digits, but " + key + " pads it to " + std::to_string(part.argument) + ": 1" +
         std::string(nines, '0') + " sorts before " + std::string(nines, '9');
}

// PJ122: a range or an order over a number that is in a text key without enough padding.
void CheckNumbers(Checker& checker, const Section& section) {
  const Entity& entity = checker.model.At(section.searched());
  const std::vector<Model::Placement> layouts = checker.model.LayoutsOf(entity);
  if (layouts.empty()) {
    return;
  }
  const auto check_in = [&](const ItemLayout& layout, const Attribute& attribute) {
    for (const StoredAttribute& stored : layout.attributes) {
      if (stored.kind != StoredKind::kTemplate || stored.key.natural) {
        continue;
      }
      for (const TemplatePart& part : stored.key.parts) {
        if (SortsAsText(part, attribute)) {
          checker.Report(
              RuleIn(kPatternRules, "PJ122"), stored.key.at,
              SortsAsTextWhy(part, attribute, stored.name.text),
              Proposal(std::vector{ReplaceStored(layout, stored, WithPadding(stored, attribute))}));
        }
      }
    }
  };
  const auto check = [&](const Name& name) {
    const Attribute* attribute = entity.Find(name.text);
    if (attribute == nullptr || !IsNumber(attribute->type)) {
      return;
    }
    for (const Model::Placement& placement : layouts) {
      check_in(*placement.layout, *attribute);
    }
  };
  for (const OrderKey& key : section.order) {
    check(key.attribute);
  }
  for (const Condition& condition : section.conditions) {
    if (condition.comparison != Comparison::kEqual && condition.comparison != Comparison::kIn) {
      check(condition.attribute);
    }
  }
}

// Without a table no pattern is served, and a finding for each would say the same. Its help begins with the table that
// serves the first; what is left then has findings of its own.
void CheckTableMissing(Checker& checker) {
  const Pattern* first = nullptr;
  std::size_t count = 0;
  for (const Pattern& pattern : checker.model.patterns) {
    if (!pattern.variant_of.empty()) {
      continue;
    }
    if (first == nullptr) {
      first = &pattern;
    }
    ++count;
  }
  if (first == nullptr) {
    return;
  }
  checker.Report(
      RuleIn(kPatternRules, "PJ101"), first->name.at,
      "the model has no table yet, so " +
          (count == 1 ? "`" + first->name.text + "` is not supported"
                      : "none of its " + std::to_string(count) + " access patterns is supported") +
          ": let `prejoin design FILE --write` design the tables, or write one",
      ProposeChange(checker.model, *first));
}

void CheckPatterns(Checker& checker) {
  if (checker.model.tables.empty()) {
    return CheckTableMissing(checker);
  }
  CheckCombinations(checker);
  for (const Plan& plan : checker.plans) {
    for (const Section& section : plan.pattern->sections) {
      CheckNumbers(checker, section);
    }
    if (!plan.served) {
      if (plan.pattern->variant_of.empty()) {
        CheckUnserved(checker, plan);
      }
      continue;
    }
    CheckFreshness(checker, plan);
    CheckTogether(checker, plan);
    if (!plan.thrown_away.empty() && plan.pattern->scan_reason.empty()) {
      checker.Report(RuleIn(kPatternRules, "PJ203"), plan.pattern->name.at,
                     "`" + plan.pattern->name.text + "` also reads every `" +
                         Joined(plan.thrown_away) + "` in its range and discards it, about " +
                         CountedRoughly(plan.estimate.items_read, "item") + " to return " +
                         RoughText(plan.estimate.items_returned) +
                         ": no single Query on these keys excludes it");
    }
    for (std::size_t i = 0; i < plan.sections.size(); ++i) {
      CheckSection(checker, plan, i);
    }
  }
}

}  // namespace

constinit const RuleFamily kPatternFamily = {kPatternRules, CheckPatterns};

}  // namespace prejoin::model
