// Ways to reach the rows of one section.
//
// A section names an entity and conditions. Its rows are stored as items of their own, or inside a list or map of
// another entity's items. For each view that the items appear in (the table and every index) the key templates are
// matched with the conditions, part by part:
//
//   partition key   every part must be bound: by `=`, by one `in` (a request for each value), or, for a shard, by
//                   asking all shards. Otherwise the view cannot serve the section.
//   sort key        parts are bound from the left as far as `=` goes; the next part may be bound by one range, as long
//                   as its text sorts like the attribute, or backwards. An unbound rest is read as a whole.
//   derived parts   `{at day}` is bound by conditions on `at day`. One on `at` itself also says something about the day: it
//                   binds the part, and stays a filter.
//
//   find Order where customer = :c and placed > :since        PK = "C#{customer}"  SK = "ORDER#{placed}#{id}"
//   → Query PK = "C#{:c}" and SK between "ORDER#{:since}…" and "ORDER#…"
//
// Conditions that no key took become filters: read, then discarded. Attributes that the view does not hold are
// fetched by a BatchGetItem (a follow-up), as are those of other entities, unless the item has a copy.
//
// Rows that are stored in several layouts are reached through any of them. Attributes that one layout lacks are fetched
// from another whose key can be made from what is at hand.
//
// Invariants. An access returns every row that the conditions allow: an index whose key holds an optional attribute is
// left out unless the section asks for that attribute, because rows without it are not in the index. An access may
// read too much, never too little; run_plan.cc checks each row against all conditions again.
#include "model/plan/section_access.h"

#include <algorithm>
#include <map>

#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/plan/follow_ups.h"
#include "model/plan/key_expression.h"
#include "model/schema/via.h"

namespace prejoin::model {
namespace {

// Decides where `attribute in (…)` may become one request for each value: in the partition key, where nothing
// else would do, or in the sort key as well, which trades a filter for more requests.
enum class InSplit { kPartition, kSortToo };

// Looks for the ways to serve one section through one view of the entity's own items.
class ViewAccess {
 public:
  ViewAccess(const Model& model, const Section& section, const Entity& entity,
             const std::vector<Condition>& conditions, const View& view, InSplit in_split)
      : model_(model),
        section_(section),
        entity_(entity),
        conditions_(conditions),
        view_(view),
        in_split_(in_split) {
    for (const Condition& condition : conditions_) {
      if (NeedsPresence(condition)) {
        asked_.insert({condition.attribute.text, condition.derived_from});
      }
      if (condition.comparison == Comparison::kEqual) {
        equal_[condition.attribute.text] = condition.operands[0];
      }
    }
    // One value of an attribute has one beginning.
    for (const Attribute& derived : entity_.derived) {
      if (const auto whole = equal_.find(derived.derived_from); whole != equal_.end()) {
        equal_.try_emplace(derived.name.text, whole->second);
      }
    }
  }

  // False when this view cannot serve the section.
  bool Find(Access& access) {
    if (!AppearsIn(model_, entity_, view_) || LosesRows()) {
      return false;
    }
    const ItemLayout& layout = *model_.FindPlacement(entity_).layout;
    access.request.view = view_;
    access.plan.item_entity = entity_;
    if (!BindPartition(layout, access)) {
      return false;
    }
    access.partition_bound = access.bound;
    BindSort(layout, access);
    const std::set<std::string> keys_of_view = KeyAttributes(model_, entity_, view_);
    for (const std::string& name : keys_of_view) {
      const Attribute* attribute = entity_.Find(name);
      const bool counted = IsBound(name, access) || ComesWith(entity_, access.bound, name) ||
                           ComesWith(entity_, access.sparse, name);
      if (MayLackRows() && attribute != nullptr && attribute->optional && !counted) {
        access.sparse.insert(name);
      }
    }
    for (const Condition& condition : conditions_) {
      // An attribute in the key of an entry exists.
      if (condition.comparison == Comparison::kExists && MayLackRows() &&
          ComesWith(entity_, keys_of_view, condition.attribute.text)) {
        continue;
      }
      if (!consumed_.contains(condition.attribute.text)) {
        access.plan.filters.push_back(condition.attribute.text);
      }
    }
    const std::vector<std::string> keys = entity_.KeyNames();
    access.exact = !fanned_out_ && std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
      return equal_.contains(key);
    });
    return true;
  }

 private:
  // True for the attribute itself or a value derived from it.
  bool IsBound(const std::string& name, const Access& access) const {
    return access.bound.contains(name) ||
           std::ranges::any_of(entity_.derived, [&](const Attribute& derived) {
             return derived.derived_from == name && access.bound.contains(derived.name.text);
           });
  }

  // Indexes and second layouts hold only the rows that have all of their keys.
  bool MayLackRows() const { return view_.index != nullptr || entity_.rows_of.given(); }

  // An optional attribute in an index key keeps rows without it out of the index. That is right
  // only when the section asks for that attribute anyway.
  bool LosesRows() const {
    if (!MayLackRows()) {
      return false;
    }
    const ItemLayout& layout = *model_.FindPlacement(entity_).layout;
    for (const std::vector<Name>& keys : {view_.PartitionKeys(), view_.SortKeys()}) {
      for (const Name& key : keys) {
        for (const std::string& name : layout.Find(key.text)->key.Attributes()) {
          const Attribute* attribute = entity_.Find(name);
          if (attribute == nullptr || !attribute->optional) {
            continue;
          }
          if (!ComesWith(entity_, asked_, name)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  const Condition* InCondition(const std::string& attribute) const {
    for (const Condition& condition : conditions_) {
      if (condition.comparison == Comparison::kIn && condition.attribute.text == attribute) {
        return &condition;
      }
    }
    return nullptr;
  }

  bool BindPartition(const ItemLayout& layout, Access& access) {
    for (const Name& key : view_.PartitionKeys()) {
      const KeyTemplate& key_template = layout.Find(key.text)->key;
      KeyExpression expression;
      expression.natural = key_template.natural;
      for (const TemplatePart& part : key_template.parts) {
        if (part.is_literal()) {
          expression.AddLiteral(part.literal);
          continue;
        }
        BoundPart bound{part, {}};
        // One shard is a fixed text.
        if (part.transform == TemplateTransform::kShard && part.argument == 1) {
          expression.AddLiteral("0");
          continue;
        }
        if (const auto found = equal_.find(part.label()); found != equal_.end()) {
          bound.operand = found->second;
        } else if (part.transform == TemplateTransform::kShard) {
          access.request.shards = part.argument;
          fanned_out_ = true;
        } else if (SplitIn(part.label(), bound.operand, access)) {
          fanned_out_ = true;
        } else {
          return false;
        }
        if (part.transform != TemplateTransform::kShard) {
          Consume(part.label(), access);
        }
        expression.parts.push_back(std::move(bound));
      }
      access.request.partition.push_back(std::move(expression));
    }
    return true;
  }

  // One request for each value; false when no `in` asks for the attribute, or another is split already.
  bool SplitIn(const std::string& attribute, Operand& operand, Access& access) const {
    const Condition* in = InCondition(attribute);
    if (in == nullptr || !access.request.in_operands.empty()) {
      return false;
    }
    operand.parameter = "in " + attribute;
    access.request.in_operands = in->operands;
    access.request.in_attribute = attribute;
    return true;
  }

  void Consume(const std::string& attribute, Access& access) {
    consumed_.insert(attribute);
    access.bound.insert(attribute);
  }

  void BindSort(const ItemLayout& layout, Access& access) {
    SortRange range;
    const std::vector<Name> keys = view_.SortKeys();
    std::vector<TemplatePart> open;  // The rest of the sort key after the bound part.
    bool open_natural = false;
    bool stopped = false;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const KeyTemplate& key = layout.Find(keys[i].text)->key;
      if (stopped) {
        open.insert(open.end(), key.parts.begin(), key.parts.end());
        continue;
      }
      KeyExpression prefix;
      prefix.natural = key.natural;
      std::size_t bound_parts = 0;
      while (bound_parts < key.parts.size() && BindPart(key.parts[bound_parts], prefix, access)) {
        ++bound_parts;
      }
      if (bound_parts == key.parts.size()) {
        range.equal.push_back(std::move(prefix));
        continue;
      }
      stopped = true;
      open_natural = key.natural;
      open.assign(key.parts.begin() + static_cast<std::ptrdiff_t>(bound_parts), key.parts.end());
      BindRange(key.parts[bound_parts], bound_parts + 1 == key.parts.size(), prefix, range, access);
    }
    // With one sort attribute, equality is a range like any other, so that sections can be merged.
    if (keys.size() == 1 && range.equal.size() == 1) {
      range.kind = RangeKind::kEqual;
      range.low = std::move(range.equal[0]);
      range.equal.clear();
    }
    const bool whole_key = !stopped && view_.index == nullptr;
    if (whole_key && access.request.shards == 1) {
      access.request.kind = RequestKind::kGetItem;
    }
    access.request.ranges.push_back(std::move(range));
    SetOrder(open, open_natural, whole_key, access);
  }

  bool BindPart(const TemplatePart& part, KeyExpression& prefix, Access& access) {
    if (part.is_literal()) {
      prefix.AddLiteral(part.literal);
      return true;
    }
    BoundPart bound{part, {}};
    if (const auto found = equal_.find(part.label()); found != equal_.end()) {
      bound.operand = found->second;
    } else if (in_split_ == InSplit::kSortToo && part.transform != TemplateTransform::kShard &&
               SplitIn(part.label(), bound.operand, access)) {
      fanned_out_ = true;
    } else {
      return false;
    }
    Consume(part.label(), access);
    prefix.parts.push_back(std::move(bound));
    return true;
  }

  // The range condition that a part of the sort key can use, as it is about the part's text. Conditions on what the part holds come
  // first; one on the attribute that it is derived from stays a filter.
  std::optional<Condition> RangeOn(const TemplatePart& part, bool natural, Access& access) {
    const TextOrder order = OrderOf(entity_, part, natural);
    if (order == TextOrder::kOther) {
      return std::nullopt;
    }
    for (const bool exact : {true, false}) {
      for (const Condition& condition : conditions_) {
        const std::string wanted = exact ? part.label() : part.attribute;
        const bool prefix = condition.comparison == Comparison::kBeginsWith;
        if (condition.attribute.text != wanted || !IsRange(condition.comparison) ||
            (prefix && order == TextOrder::kBackwards)) {
          continue;
        }
        if (exact) {
          consumed_.insert(wanted);
          return order == TextOrder::kBackwards ? Backwards(condition) : condition;
        }
        access.narrowed.insert(wanted);
        return Widened(condition);
      }
      if (part.transform != TemplateTransform::kFirst) {
        break;
      }
    }
    return std::nullopt;
  }

  void BindRange(const TemplatePart& part, bool last, const KeyExpression& prefix, SortRange& range,
                 Access& access) {
    const bool natural = prefix.natural;
    if (const std::optional<Condition> found = RangeOn(part, natural, access)) {
      const Condition& condition = *found;
      const auto with = [&](const Operand& operand, bool high) {
        KeyExpression expression = prefix;
        expression.parts.push_back({part, operand});
        if (high && !natural) {
          expression.AddLiteral(kHighText);
        }
        return expression;
      };
      KeyExpression prefix_end = prefix;
      if (!natural) {
        prefix_end.AddLiteral(kHighText);
      }
      range.kind = RangeKind::kBetween;
      switch (condition.comparison) {
        case Comparison::kBeginsWith:
          range.kind = RangeKind::kBeginsWith;
          range.low = with(condition.operands[0], false);
          break;
        case Comparison::kBetween:
          range.low = with(condition.operands[0], false);
          range.high = with(condition.operands[1], !last);
          break;
        case Comparison::kLess:
        case Comparison::kLessOrEqual:
          range.low = prefix;
          range.high = with(condition.operands[0],
                            !last && condition.comparison == Comparison::kLessOrEqual);
          break;
        default:
          // `>` leaves out all keys that continue after the value itself.
          range.low =
              with(condition.operands[0], !last && condition.comparison == Comparison::kGreater);
          range.high = natural ? KeyExpression{} : prefix_end;
      }
      return;
    }
    if (!natural && !prefix.empty()) {
      range.kind = RangeKind::kBeginsWith;
      range.low = prefix;
    }
  }

  // Does the rest of the sort key give the section's order?
  void SetOrder(const std::vector<TemplatePart>& open, bool natural, bool whole_key,
                Access& access) const {
    std::vector<OrderKey> wanted;
    for (const OrderKey& key : section_.order) {
      if (!access.bound.contains(key.attribute.text)) {
        wanted.push_back(key);
      }
    }
    access.order_needed = !wanted.empty() && !whole_key;
    if (!access.order_needed) {
      return;
    }
    std::optional<bool> descending;
    std::size_t next = 0;
    for (const TemplatePart& part : open) {
      if (next == wanted.size()) {
        break;
      }
      if (part.is_literal()) {
        continue;
      }
      const TextOrder order = OrderOf(entity_, part, natural);
      const bool backwards = wanted[next].descending != (order == TextOrder::kBackwards);
      if (part.attribute != wanted[next].attribute.text || order == TextOrder::kOther ||
          descending.value_or(backwards) != backwards) {
        break;
      }
      descending = backwards;
      // The day before the time changes nothing about the order, and does not give it by itself.
      next += part.transform == TemplateTransform::kFirst ? 0 : 1;
    }
    // Several partitions are merged by the caller, which costs nothing; only a wrong order inside
    // each one does.
    access.ordered = next == wanted.size();
    access.request.descending = access.ordered && descending.value_or(false);
  }

  const Model& model_;
  const Section& section_;
  const Entity& entity_;
  const std::vector<Condition>& conditions_;
  const View view_;
  const InSplit in_split_;
  std::map<std::string, Operand> equal_;
  std::set<std::string> asked_;  // Attributes without which no row fits the conditions.
  std::set<std::string> consumed_;
  bool fanned_out_ = false;
};

std::vector<View> ViewsOf(const Model& model, const Entity& entity) {
  std::vector<View> views;
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return views;
  }
  views.push_back({placement.table, nullptr});
  for (const Index& index : placement.table->indexes) {
    views.push_back({placement.table, &index});
  }
  return views;
}

// Rows that live inside a list or map of another item.
std::vector<Access> EmbeddedAccesses(const Model& model, const Entity& entity,
                                     const std::vector<Condition>& conditions) {
  std::vector<Access> accesses;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      const Entity& owner = model.At(layout.entity);
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text != entity.name.text || stored.kind == StoredKind::kTemplate ||
            stored.kind == StoredKind::kCopy) {
          continue;
        }
        std::vector<Condition> on_owner;
        const std::vector<JoinColumn> columns = JoinColumns(entity, owner);
        for (const Condition& condition : conditions) {
          for (const JoinColumn& column : columns) {
            if (condition.attribute.text != column.from ||
                condition.comparison != Comparison::kEqual) {
              continue;
            }
            on_owner.push_back(condition);
            on_owner.back().attribute.text = column.to;
          }
        }
        if (on_owner.size() != columns.size()) {
          continue;
        }
        Section owner_section;
        owner_section.entity = owner;
        for (const View& view : ViewsOf(model, owner)) {
          Access access;
          if (!IsProjected(view, stored.name.text) ||
              !ViewAccess(model, owner_section, owner, on_owner, view, InSplit::kPartition)
                   .Find(access)) {
            continue;
          }
          access.plan.embedded = &stored;
          access.exact = access.request.kind == RequestKind::kGetItem;
          access.ordered = true;
          accesses.push_back(std::move(access));
        }
      }
    }
  }
  return accesses;
}

// The access that one view of one layout offers.
void AddAccesses(const Model& model, const Section& section, const Entity& entity,
                 const std::vector<Path>& paths, const View& view, bool has_in,
                 const Freshly& fresh, std::vector<Access>& accesses) {
  for (const InSplit in_split : {InSplit::kPartition, InSplit::kSortToo}) {
    if (in_split == InSplit::kSortToo && !has_in) {
      continue;
    }
    Access access;
    if (!ViewAccess(model, section, entity, section.conditions, view, in_split).Find(access)) {
      continue;
    }
    if (!AddFollowUps(model, section, entity, paths, fresh, access)) {
      continue;
    }
    // The same as without splitting the sort key.
    if (in_split == InSplit::kSortToo && !accesses.empty() &&
        accesses.back().request.view == view &&
        accesses.back().plan.item_entity == access.plan.item_entity &&
        accesses.back().request.in_attribute == access.request.in_attribute) {
      continue;
    }
    accesses.push_back(std::move(access));
  }
}

// The attributes that a section with `via` needs of its target beside the key.
std::set<std::string> WantedOfTarget(const Section& section, const std::vector<Path>& paths,
                                     const Entity& target) {
  std::set<std::string> wanted;
  for (const OrderKey& key : section.order) {
    wanted.insert(key.attribute.text);
  }
  for (const Path& path : paths) {
    if (path.entity.text.empty() || path.entity == target.name) {
      wanted.insert(path.attribute.text);
    }
  }
  return wanted;
}

}  // namespace

std::vector<Access> ScanAccesses(const Model& model, const Section& section, const Freshly& fresh) {
  const Entity& entity = model.At(section.entity);
  const Model::Placement placement = model.FindPlacement(section.entity);
  if (!placement || section.has_or || !section.via.text.empty()) {
    return {};
  }
  Access access;
  access.request.kind = RequestKind::kScan;
  access.request.view = View{placement.table, nullptr};
  access.request.ranges.emplace_back();
  access.request.consistent = fresh.strong;
  access.plan.item_entity = entity;
  for (const Condition& condition : section.conditions) {
    access.plan.filters.push_back(condition.attribute.text);
  }
  access.order_needed = !section.order.empty();
  access.ordered = !access.order_needed;
  access.plan.client_sort = access.order_needed;
  if (!AddFollowUps(model, section, entity, SectionPaths(model, section), fresh, access)) {
    return {};
  }
  return {std::move(access)};
}

std::vector<Access> FindAccesses(const Model& model, const Section& section, const Freshly& fresh) {
  std::vector<Access> accesses;
  if (section.has_or) {
    return accesses;
  }
  const bool via = !section.via.text.empty();
  const Entity& target = model.At(section.entity);
  const Entity& entity = model.At(section.searched());

  // With `via`, the keys of the target come from the link rows.
  std::vector<Path> paths = SectionPaths(model, section);
  std::vector<JoinColumn> via_columns;
  const Entity* via_holder = nullptr;
  if (via) {
    via_columns = ViaColumns(section, entity, target);
    via_holder = LayoutWith(model, target, WantedOfTarget(section, paths, target));
    if (via_holder == nullptr) {
      return accesses;
    }
    paths.clear();
    for (const JoinColumn& column : via_columns) {
      paths.push_back({{}, {column.from, {}}});
    }
  }
  Section own = section;
  if (via) {
    own.entity = section.via;
    own.order.clear();
    own.get = paths;
    own.limit.reset();
  }
  const bool has_in = std::ranges::any_of(own.conditions, [](const Condition& condition) {
    return condition.comparison == Comparison::kIn;
  });
  for (const Model::Placement& placement : model.LayoutsOf(entity)) {
    const Entity& rows = model.At(placement.layout->entity);
    for (const View& view : ViewsOf(model, rows)) {
      if (fresh.strong && view.IsGlobalIndex()) {
        continue;
      }
      AddAccesses(model, own, rows, paths, view, has_in, fresh, accesses);
    }
  }
  for (Access& access : EmbeddedAccesses(model, entity, own.conditions)) {
    if (fresh.strong && access.request.view.IsGlobalIndex()) {
      continue;
    }
    if (EmbeddedHas(model, access, own, entity)) {
      accesses.push_back(std::move(access));
    }
  }
  if (via) {
    for (Access& access : accesses) {
      FollowUp& fetch = AddFollowUp(access.plan, FollowUpKind::kVia, *via_holder, via_columns);
      fetch.reasons.push_back(target.name.text);
      access.ordered = section.order.empty();
      access.order_needed = !section.order.empty();
    }
  }
  for (Access& access : accesses) {
    access.plan.client_sort = access.order_needed && !access.ordered;
    access.request.consistent = fresh.strong && !access.request.view.IsGlobalIndex();
  }
  return accesses;
}

}  // namespace prejoin::model
