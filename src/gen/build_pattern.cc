// Patterns. A plan says which requests are made; what is added here is what code needs beyond it: which conditions the keys do not
// already guarantee, and where in an item each attribute is. The requests themselves are in build_read.cc.
#include <algorithm>
#include <set>

#include "gen/builder.h"
#include "gen/words.h"
#include "model/data/evaluate.h"
#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/plan/local_fetch.h"
#include "model/plan/planner.h"

namespace prejoin::gen {
namespace {

using EntityReference = model::Reference<model::Entity>;
using model::Comparison;

class PatternBuilder {
 public:
  PatternBuilder(Builder& builder, const model::Plan& plan, PatternFunction& out)
      : builder_(builder), model_(builder.model), plan_(plan), out_(out) {}

  void Build() {
    for (const model::Request& request : plan_.requests) {
      out_.reads.push_back(builder_.ReadOf(plan_, request));
    }
    for (std::size_t i = 0; i < plan_.sections.size(); ++i) {
      AddSection(i);
      MarkCount(out_.sections.back());
    }
    if (out_.reads.size() != 1 || out_.sections.size() != 1) {
      return;
    }
    const Read& read = out_.reads[0];
    const Section& section = out_.sections[0];
    out_.pages = !read.get && !read.scan && !read.sharded() && read.each.empty() &&
                 !section.embedded && !section.via && section.sort.empty() && !section.limit &&
                 !section.at_most_one && !section.measured();
  }

 private:
  // ---- Sections

  const model::Section& Asked(std::size_t i) const { return plan_.pattern->sections[i]; }

  static std::string FirstText(const std::vector<model::TemplatePart>& parts) {
    return !parts.empty() && parts[0].is_literal() ? parts[0].literal : "";
  }

  static std::string FirstText(const KeyCall& call) {
    return call.function != nullptr ? FirstText(call.function->parts) : "";
  }

  // What every value begins with that the read finds in its sort key.
  static std::string SortText(const Read& read) {
    if (read.lows.size() != 1) {
      return "";
    }
    const std::string low = FirstText(read.lows[0]);
    const bool one = read.test == SortTest::kEqual || read.test == SortTest::kBeginsWith;
    const bool two = read.test == SortTest::kBetween && read.highs.size() == 1 &&
                     FirstText(read.highs[0]) == low;
    return one || two ? low : "";
  }

  // True if the texts of the keys keep the items of all other entities out of the answer.
  bool MeetsOnly(const std::string& entity, const Read& read) const {
    const model::Table& table = *model_.FindPlacement(entity).table;
    std::vector<std::pair<std::string, std::string>> begins;
    for (const KeyValue& key : read.equal) {
      begins.emplace_back(key.attribute, FirstText(key.call));
    }
    begins.emplace_back(read.sort_attribute, SortText(read));
    return std::ranges::all_of(table.items, [&](const model::ItemLayout& layout) {
      return layout.entity.text == entity || std::ranges::any_of(begins, [&](const auto& one) {
        const model::StoredAttribute* stored = layout.Find(one.first);
        const std::string other = stored != nullptr ? FirstText(stored->key.parts) : "";
        return !other.empty() && !one.second.starts_with(other) && !other.starts_with(one.second);
      });
    });
  }

  // Where every item of a read is a row, and nothing else reads it, DynamoDB counts.
  void MarkCount(Section& section) {
    Read& read = out_.reads[section.read];
    if (section.measure == model::Measure::kCount && section.classify && !read.scan &&
        MeetsOnly(section.item_entity, read)) {
      section.classify = false;
    }
    read.counts = section.measure == model::Measure::kCount && read.sections.size() == 1 &&
                  !read.get && !read.scan && !read.sharded() && read.each.empty() &&
                  !section.classify && !section.embedded && !section.fetch &&
                  section.filters.empty();
  }

  void AddSection(std::size_t i) {
    const model::Section& asked = Asked(i);
    const model::SectionPlan& planned = plan_.sections[i];
    const model::Request& request = plan_.requests[planned.request];
    Section section;
    section.measure = asked.measure;
    section.entity = asked.entity.text;
    section.item_entity = planned.item_entity.text;
    section.table = request.view.table->name.text;
    section.read = planned.request;
    // A scan also meets what no key leads to, as the items that keep attributes unique.
    section.classify = request.kind == model::RequestKind::kScan ||
                       (request.kind == model::RequestKind::kQuery && Mixed(request.view));
    section.limit = asked.limit;
    section.entity_rows = asked.get.empty();
    model::View view = request.view;
    if (std::ranges::any_of(planned.follow_ups, FetchesWhole)) {
      view.index = nullptr;
      if (!out_.reads[planned.request].all_attributes) {
        section.fetch = FetchSelf(request);
      }
    }
    if (planned.embedded != nullptr) {
      section.embedded = EmbeddedOf(planned, view);
    }
    const model::Entity* rows = planned.embedded != nullptr ? &model_.At(asked.searched())
                                                            : &model_.At(planned.item_entity);
    AddBeside(i, *rows, view, section);
    AddFilters(i, *rows, view, section);
    const bool via = !asked.via.text.empty();
    if (via) {
      const model::FollowUp& follow = *Needs(planned, model::FollowUpKind::kVia);
      section.via = FetchOf(*rows, follow, view, planned);
      rows = &model_.At(follow.entity);
      view = {model_.FindPlacement(follow.entity).table, nullptr};
    }
    AddSorting(i, *rows, view, section);
    AddOutputs(i, *rows, view, section);
    const std::vector<std::string> keys = model_.At(asked.entity).KeyNames();
    section.at_most_one =
        !via && !section.measured() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
          return std::any_of(
              asked.conditions.begin(), asked.conditions.end(), [&](const auto& one) {
                return one.attribute.text == key && one.comparison == Comparison::kEqual;
              });
        });
    out_.sections.push_back(std::move(section));
  }

  bool Mixed(const model::View& view) const {
    return std::count_if(view.table->items.begin(), view.table->items.end(), [&](const auto& item) {
             return model::AppearsIn(model_, item.entity, view);
           }) > 1;
  }

  static const model::FollowUp* Needs(const model::SectionPlan& plan, model::FollowUpKind kind) {
    for (const model::FollowUp& one : plan.follow_ups) {
      if (one.kind == kind) {
        return &one;
      }
    }
    return nullptr;
  }

  static bool FetchesWhole(const model::FollowUp& one) {
    return one.kind == model::FollowUpKind::kFetchItem && !one.other_layout;
  }

  // What other layouts of the rows hold: fetched before the filters and the order that need it, else for the rows of the answer only.
  void AddBeside(std::size_t i, const model::Entity& rows, const model::View& view, Section& section) {
    const model::Section& asked = Asked(i);
    const model::SectionPlan& planned = plan_.sections[i];
    for (const model::FollowUp& follow : planned.follow_ups) {
      if (follow.kind != model::FollowUpKind::kFetchItem || !follow.other_layout) {
        continue;
      }
      Beside beside;
      beside.fetch = FetchOf(rows, follow, view, planned);
      const model::Entity& other = model_.At(follow.entity);
      const model::View table = {model_.FindPlacement(follow.entity).table, nullptr};
      for (const std::string& name : follow.reasons) {
        const FieldSource source = builder_.SourceIn(other, name, table);
        if (!source.source.literals.empty() || source.source.attribute != name) {
          out_.refusal = "`" + name + "` is only in a key of " + follow.entity.text;
        }
        beside.needed = beside.needed || !source.field.optional;
        const auto is = [&](const auto& one) { return one.attribute.text == name; };
        beside.first = beside.first || !asked.via.text.empty() ||
                       std::ranges::find(planned.filters, name) != planned.filters.end() ||
                       std::ranges::any_of(asked.order, is);
      }
      section.beside.push_back(std::move(beside));
    }
  }

  // Index entries hold the table's key.
  static Fetch FetchSelf(const model::Request& request) {
    Fetch fetch;
    fetch.table = request.view.table->name.text;
    for (const model::Name* name : {&request.view.table->partition, &request.view.table->sort}) {
      if (name->text.empty()) {
        continue;
      }
      Value value;
      value.kind = Value::Kind::kItem;
      value.source.source.attribute = name->text;
      fetch.key.push_back({name->text, {nullptr, {value}, false}});
    }
    return fetch;
  }

  FieldSource SourceOf(const model::Entity& entity, const std::string& attribute,
                       const model::View& view, const model::SectionPlan& plan) const {
    if (plan.embedded == nullptr) {
      return builder_.SourceIn(entity, attribute, view);
    }
    FieldSource direct{builder_.FieldOf(entity, attribute), {}};
    direct.source.attribute = attribute;
    return direct;
  }

  // The item of another entity that a row of `from` points at.
  Fetch FetchOf(const model::Entity& from, const model::FollowUp& follow, const model::View& view,
                const model::SectionPlan& plan) {
    const model::Model::Placement placement = model_.FindPlacement(follow.entity);
    Fetch fetch{follow.entity.text, placement.table->name.text, {}};
    for (const model::Name* name : {&placement.table->partition, &placement.table->sort}) {
      if (name->text.empty()) {
        continue;
      }
      fetch.key.push_back(
          {name->text, builder_.Call(follow.entity, *placement.layout->Find(name->text),
                                     [&](const std::string& attribute) {
                                       Value value;
                                       value.kind = Value::Kind::kItem;
                                       for (const auto& column : follow.columns) {
                                         if (column.to == attribute) {
                                           value.source = SourceOf(from, column.from, view, plan);
                                         }
                                       }
                                       value.type = value.source.field.type;
                                       return value;
                                     })});
    }
    return fetch;
  }

  Embedded EmbeddedOf(const model::SectionPlan& plan, const model::View& view) const {
    const model::StoredAttribute& stored = *plan.embedded;
    const model::Entity& owner = model_.At(plan.item_entity);
    const model::Entity& rows = model_.At(stored.embedded);
    Embedded out;
    out.attribute = stored.name.text;
    out.map = stored.kind == model::StoredKind::kEmbedMap;
    out.by = stored.by.text;
    if (!out.map && stored.members.size() == 1) {
      out.plain_member = stored.members[0].attribute.text;
    }
    for (const model::JoinColumn& column : model::JoinColumns(rows, owner)) {
      FieldSource source = builder_.SourceIn(owner, column.to, view);
      source.field.name = column.from;
      out.parent.push_back(std::move(source));
    }
    return out;
  }

  // ---- Conditions

  static const model::TemplatePart* PlainPart(const model::KeyTemplate& key,
                                              const std::string& attribute, bool& delimited) {
    for (std::size_t i = 0; i < key.parts.size(); ++i) {
      const model::TemplatePart& part = key.parts[i];
      if (part.label() != attribute || !(part.gives_back() || part.derivation.given())) {
        continue;
      }
      delimited = i + 1 == key.parts.size() || key.parts[i + 1].is_literal();
      return &part;
    }
    return nullptr;
  }

  // True if the request itself lets nothing else through.
  bool Guaranteed(std::size_t i, const model::Condition& condition, bool first_range) const {
    const model::SectionPlan& planned = plan_.sections[i];
    const model::Request& request = plan_.requests[planned.request];
    const std::string& attribute = condition.attribute.text;
    if (std::find(planned.filters.begin(), planned.filters.end(), attribute) !=
        planned.filters.end()) {
      return false;
    }
    std::string owner_attribute = attribute;
    if (planned.embedded != nullptr) {
      owner_attribute.clear();
      const model::Entity& rows = model_.At(planned.embedded->embedded);
      for (const auto& column : model::JoinColumns(rows, model_.At(planned.item_entity))) {
        if (column.from == attribute) {
          owner_attribute = column.to;
        }
      }
      return condition.comparison == Comparison::kEqual && !owner_attribute.empty();
    }
    const model::ItemLayout& layout = *model_.FindPlacement(planned.item_entity).layout;
    bool delimited = false;
    for (const model::Name& key : request.view.PartitionKeys()) {
      if (PlainPart(layout.Find(key.text)->key, attribute, delimited) != nullptr &&
          (condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn)) {
        return delimited;
      }
    }
    if (request.sections.size() > 1) {
      return false;
    }
    for (const model::Name& key : request.view.SortKeys()) {
      const model::KeyTemplate& key_template = layout.Find(key.text)->key;
      const model::TemplatePart* part = PlainPart(key_template, attribute, delimited);
      if (part == nullptr || !delimited) {
        continue;
      }
      switch (condition.comparison) {
        case Comparison::kEqual:
          return true;
        case Comparison::kBeginsWith:
        case Comparison::kGreaterOrEqual:
          return first_range;
        case Comparison::kBetween:
        case Comparison::kLessOrEqual:
          return first_range && part == &key_template.parts.back();
        default:
          return false;
      }
    }
    return false;
  }

  // True if the items of the view have the value, under its own name or in a key.
  bool Holds(const Source& source, const model::Entity& entity, const model::View& view) const {
    const model::ItemLayout* layout = model_.FindPlacement(entity).layout;
    const bool own = source.literals.empty();
    return model::IsProjected(view, source.attribute) &&
           (!own || layout == nullptr || !layout->Omits(source.attribute));
  }

  void AddFilters(std::size_t i, const model::Entity& entity, const model::View& view,
                  Section& section) {
    const model::Section& asked = Asked(i);
    std::set<std::string> ranged;
    for (const model::Condition& condition : asked.conditions) {
      const bool first = condition.comparison == Comparison::kEqual ||
                         ranged.insert(condition.attribute.text).second;
      if (Guaranteed(i, condition, first)) {
        continue;
      }
      const bool derived = condition.derivation.given();
      const std::string& name = derived ? condition.derived_from : condition.attribute.text;
      Filter filter;
      filter.field = SourceOf(entity, name, view, plan_.sections[i]);
      filter.first = condition.derivation.first;
      if (derived && !section.embedded && !Holds(filter.field.source, entity, view) &&
          !IsBeside(i, name)) {
        out_.refusal = "`" + name + "` is not where `" + condition.attribute.text +
                       "` is filtered: project it";
      }
      filter.comparison = condition.comparison;
      const bool member = condition.comparison == Comparison::kContains;
      const AttributeType own = filter.field.field.type;
      const AttributeType type = member ? model::TraitsOf(own).member : own;
      for (const model::Operand& operand : condition.operands) {
        filter.operands.push_back(ValueOf(operand, type));
      }
      section.filters.push_back(std::move(filter));
    }
  }

  bool IsBeside(std::size_t i, const std::string& name) const {
    return std::ranges::any_of(plan_.sections[i].follow_ups, [&](const model::FollowUp& one) {
      return one.other_layout && std::ranges::find(one.reasons, name) != one.reasons.end();
    });
  }

  void AddSorting(std::size_t i, const model::Entity& entity, const model::View& view,
                  Section& section) {
    const Read& read = out_.reads[section.read];
    const bool merged = read.sharded() || !read.each.empty();
    if (!plan_.sections[i].client_sort && !merged && !section.embedded) {
      return;
    }
    for (const model::OrderKey& key : Asked(i).order) {
      const bool direct = section.embedded && !section.via;
      FieldSource source = builder_.SourceIn(entity, key.attribute.text, view);
      if (direct) {
        source.source = Source{key.attribute.text, {}, 0, false};
      }
      section.sort.push_back({std::move(source), key.descending});
    }
  }

  // ---- What a row has

  void AddOutputs(std::size_t i, const model::Entity& entity, const model::View& view,
                  Section& section) {
    const model::Section& asked = Asked(i);
    const model::SectionPlan& planned = plan_.sections[i];
    const model::Entity& own_rows = model_.At(asked.entity);
    const bool embedded = section.embedded && !section.via;
    const bool placed = model_.FindPlacement(section.entity).layout != nullptr;
    section.whole = section.entity_rows && !embedded && placed;
    for (const model::Path& path : model::SectionPaths(model_, asked)) {
      const std::string name = model::AnswerName(asked, path);
      const std::string& attribute = path.attribute.text;
      if (name != attribute) {
        section.outputs.push_back(OutputOfOther(path, entity, view, planned, embedded, section));
        continue;
      }
      FieldSource source = builder_.SourceIn(entity, attribute, view);
      if (embedded) {
        source.source = Source{attribute, {}, 0, false};
      }
      if (section.whole) {
        const FieldSource own = builder_.SourceIn(
            own_rows, attribute, {model_.FindPlacement(section.entity).table, nullptr});
        section.whole = own.source.attribute == source.source.attribute &&
                        own.source.literals == source.source.literals;
      }
      section.outputs.push_back({source.field, source.source, -1});
    }
  }

  Output OutputOfOther(const model::Path& path, const model::Entity& entity,
                       const model::View& view, const model::SectionPlan& planned, bool embedded,
                       Section& section) {
    const model::Entity& other = model_.At(path.entity);
    Output out;
    out.field = builder_.FieldOf(other, path.attribute.text);
    out.field.name = other.name.text + "." + path.attribute.text;
    if (embedded) {
      out.source.attribute = path.attribute.text;
      out.field.optional = true;
      return out;
    }
    for (const model::JoinColumn& column : model::JoinColumns(entity, other)) {
      if (column.to != path.attribute.text) {
        continue;
      }
      const FieldSource source = builder_.SourceIn(entity, column.from, view);
      out.source = source.source;
      out.field.optional = source.field.optional;
      return out;
    }
    // The original may be gone, or the row may point at nothing.
    out.field.optional = true;
    for (const model::StoredAttribute& stored :
         model_.FindPlacement(entity).layout->attributes) {
      if (stored.kind == model::StoredKind::kCopy && stored.copy.entity == path.entity &&
          stored.copy.attribute == path.attribute && model::IsProjected(view, stored.name.text)) {
        out.source.attribute = stored.name.text;
        return out;
      }
    }
    for (const model::FollowUp& follow : planned.follow_ups) {
      // The layout of the other side that holds the attribute.
      if (follow.kind != model::FollowUpKind::kJoin ||
          model_.RowsOf(follow.entity).name != other.name ||
          std::ranges::find(follow.reasons, path.attribute.text) == follow.reasons.end()) {
        continue;
      }
      const model::View table = {model_.FindPlacement(follow.entity).table, nullptr};
      out.source = builder_.SourceIn(model_.At(follow.entity), path.attribute.text, table).source;
      const auto known = std::ranges::find(section.joins, follow.entity.text, &Fetch::entity);
      out.join = static_cast<int>(known - section.joins.begin());
      if (known == section.joins.end()) {
        section.joins.push_back(FetchOf(entity, follow, view, planned));
      }
      break;
    }
    return out;
  }

  Builder& builder_;
  const model::Model& model_;
  const model::Plan& plan_;
  PatternFunction& out_;
};

}  // namespace

bool Builder::BuildPattern(const model::Pattern& pattern, PatternFunction& function,
                           std::string& refusal) {
  const model::Plan plan = model::PlanPattern(model, pattern);
  if (!plan.served) {
    refusal = plan.refusal;
    return false;
  }
  function.pattern = &pattern;
  function.name = pattern.name.text;
  function.parameters = model::ParametersOf(model, pattern);
  function.strong = plan.strong && std::all_of(plan.requests.begin(), plan.requests.end(),
                                               [](const auto& one) { return one.consistent; });
  for (const model::Request& request : plan.requests) {
    if (!function.summary.empty()) {
      function.summary += "; ";
    }
    function.summary += CommentText(model::DescribeRequest(request));
  }
  PatternBuilder(*this, plan, function).Build();
  return (refusal = function.refusal).empty();
}

}  // namespace prejoin::gen
