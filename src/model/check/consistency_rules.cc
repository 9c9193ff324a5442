// Does the model agree with itself? Counts against counts, sample rows against sample rows,
// entities against the tables that should hold them.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "model/check/checker.h"
#include "model/data/dataset.h"
#include "model/layout/layout_edits.h"
#include "model/plan/expectation.h"
#include "model/plan/propose.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::array kConsistencyRules = std::to_array<Rule>({
    {"PJ005", "empty-model", Severity::kError, "the file declares nothing",
     "An empty file would pass every other rule.",
     "Start with an entity; docs/model/grammar.md and examples/models show how."},
    {"PJ221", "not-stored", Severity::kWarning, "no item stores the entity",
     "The entity is declared, but no item stores its data, so no access pattern can read it.",
     "Add an `item` for it to a table, embed it in another item, or remove the entity."},
    {"PJ222", "nothing-asked", Severity::kWarning, "the model has no access pattern and no write",
     "Keys can be judged only by the access patterns that they support. Without patterns there is "
     "nothing to prove.",
     "Declare the reads and writes of the application."},
    {"PJ223", "counts-disagree", Severity::kWarning,
     "the counts of a relationship contradict each other",
     "Costs, sizes and generated data follow from the counts, so they must fit together.",
     "Correct one of the counts, or the cardinality."},
    {"PJ224", "unknown-reference", Severity::kWarning,
     "a sample row references a row that does not exist",
     "A join over this reference finds nothing, so the proof runs on data that cannot occur.",
     "Add the row, or correct the value."},
});

// Counts are estimates: only what is further apart than this is a contradiction.
constexpr double kCountsApart = 1.5;

bool Apart(double a, double b) {
  return std::max(a, b) > kCountsApart * std::max(1.0, std::min(a, b));
}

std::string PlainCount(double count) {
  return std::to_string(static_cast<long long>(std::ceil(count)));
}

Proposal OtherCount(const Entity& entity, double count) {
  return std::vector{ReplaceHead("entity " + entity.name.text, entity.name.at, "count",
                                 "count " + PlainCount(count))};
}

// The line of one side with another average; 0 means no bound.
Proposal OtherAverage(const Relationship& relationship, const Cardinality& cardinality,
                      double average, double bound) {
  std::string start = "each " + cardinality.entity.text;
  for (const Name& name : cardinality.by) {
    start += (&name == cardinality.by.data() ? " by " : ", ") + name.text;
  }
  start += " has ";
  std::string line = start + "~" + PlainCount(average);
  line += bound > 0 ? ", at most " + PlainCount(std::max(bound, average)) : ", unbounded";
  if (cardinality.skew.zipf > 0) {
    line += ", zipf " + PlainFigure(cardinality.skew.zipf);
  }
  if (cardinality.skew.hottest > 0) {
    line += ", hottest " + PlainFigure(100 * cardinality.skew.hottest) + "%";
  }
  return std::vector{ReplaceIn("relationship " + relationship.name.text, cardinality.entity.at,
                               start + "…", line)};
}

// Rows of an entity as far as the file says, itself or by its relationships; nothing where they would be assumed.
std::optional<double> KnownCount(Expectations& figures, const Reference<Entity>& entity) {
  double count = 0;
  const bool assumed = !figures.NeededBy([&] { count = figures.Count(entity); }).empty();
  return assumed ? std::nullopt : std::optional<double>(count);
}

// "1,000 Owner with 2 each", and how many rows they make. Rows whose reference is optional belong to no owner; where the
// file does not say how many do, there are at least those that are counted.
struct CountedRows {
  const Relationship* relationship;
  const Cardinality* each;
  double parents = 0;
  double share = 1;  // The share of rows that have a parent.
  bool at_least = false;

  double rows() const { return parents * each->average / share; }
  std::string Said() const {
    return FigureText(parents) + " " + each->entity.text + " with " + FigureText(each->average) +
           " each" +
           (share < 1 ? ", and " + FigureText(share * 100) + "% of the rows that have one," : "");
  }
  bool Contradicts(double count) const {
    return Apart(rows(), count) && (!at_least || rows() > count);
  }
};

// The share of the rows that point at a parent, into `counted`.
void SetShare(const Entity& rows, const Entity& parent, CountedRows& counted) {
  std::set<std::string> groups;
  for (const JoinColumn& column : JoinColumns(rows, parent)) {
    const Attribute* attribute = rows.Find(column.from);
    if (attribute == nullptr || !attribute->optional ||
        (!attribute->group.empty() && !groups.insert(attribute->group).second)) {
      continue;
    }
    counted.at_least = counted.at_least || !attribute->presence;
    counted.share *= attribute->presence.value_or(1);
  }
}

// One side of a relationship, if it says how many rows of `rows` there are.
std::optional<CountedRows> CountedFrom(Expectations& figures, const Relationship& relationship,
                                       const Cardinality* each, const Entity& rows) {
  const Reference<Entity> parent = each != nullptr ? each->entity : Reference<Entity>();
  // In a hierarchy of people, most lead nobody: the average counts only those who lead somebody.
  if (each == nullptr || parent == rows.name) {
    return std::nullopt;
  }
  const std::optional<double> parents = KnownCount(figures, parent);
  if (!parents) {
    return std::nullopt;
  }
  CountedRows counted{&relationship, each, *parents};
  SetShare(rows, figures.model().At(parent), counted);
  return counted;
}

// PJ223: rows counted from every relationship that they belong to, and by their own count.
void CheckCounts(Checker& checker, Expectations& figures, const Entity& rows) {
  std::vector<CountedRows> counted;
  for (const Relationship& relationship : checker.model.relationships) {
    const bool many = relationship.kind == RelationshipKind::kManyToMany;
    if (relationship.kind == RelationshipKind::kHierarchy ||
        (many ? relationship.through : relationship.to) != rows.name) {
      continue;
    }
    if (auto from = CountedFrom(figures, relationship, relationship.CardinalityOfFrom(), rows)) {
      counted.push_back(*from);
    }
    if (!many) {
      continue;
    }
    if (auto back = CountedFrom(figures, relationship, relationship.CardinalityOfTo(), rows)) {
      counted.push_back(*back);
    }
  }
  std::stable_partition(counted.begin(), counted.end(),
                        [](const CountedRows& one) { return !one.at_least; });
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const CountedRows& one = counted[i];
    if (rows.count_given && one.Contradicts(rows.count)) {
      checker.Report(RuleIn(kConsistencyRules, "PJ223"), one.each->entity.at,
                     one.Said() + " make " + FigureText(one.rows()) + " " + rows.name.text +
                         ", but its count is " + FigureText(rows.count),
                     OtherCount(rows, one.rows()));
      return;
    }
    // Rows that come at a stated rate and live for a stated time.
    const std::optional<double> kept =
        rows.count_given || rows.kept_days <= 0 ? std::nullopt : KnownCount(figures, rows);
    if (kept && one.Contradicts(*kept)) {
      const double each = *kept * one.share / std::max(1.0, one.parents);
      checker.Report(RuleIn(kConsistencyRules, "PJ223"), one.each->entity.at,
                     one.Said() + " make " + FigureText(one.rows()) + " " + rows.name.text +
                         ", but the rate of its puts and `kept " + FigureText(rows.kept_days) +
                         " days` make " + FigureText(*kept),
                     OtherAverage(*one.relationship, *one.each, each,
                                  one.each->bound >= each ? one.each->bound : 0));
      return;
    }
    if (rows.count_given || i == 0 || counted[0].at_least ||
        !one.Contradicts(counted[0].rows())) {
      continue;
    }
    const double average = counted[0].rows() * one.share / std::max(1.0, one.parents);
    checker.Report(RuleIn(kConsistencyRules, "PJ223"), one.each->entity.at,
                   counted[0].Said() + " make " + FigureText(counted[0].rows()) + " " +
                       rows.name.text + ", but " + one.Said() + " make " + FigureText(one.rows()),
                   OtherAverage(*one.relationship, *one.each, average,
                                one.each->bound >= average ? one.each->bound : 0));
  }
}

// PJ223: more on average than at most.
void CheckBounds(Checker& checker, const Relationship& relationship) {
  for (const Cardinality& cardinality : relationship.cardinalities) {
    if (cardinality.bound <= 0 || cardinality.average <= cardinality.bound) {
      continue;
    }
    checker.Report(
        RuleIn(kConsistencyRules, "PJ223"), cardinality.entity.at,
        "about " + FigureText(cardinality.average) + " each, but at most " +
            FigureText(cardinality.bound),
        OtherAverage(relationship, cardinality, cardinality.average, cardinality.average));
  }
}

// PJ224
void CheckReferences(Checker& checker, const Sample& sample) {
  const Model& model = checker.model;
  const Entity& entity = model.At(sample.entity);
  for (std::size_t column = 0; column < sample.columns.size(); ++column) {
    const Attribute* attribute = entity.Find(sample.columns[column].text);
    if (attribute == nullptr || !attribute->references) {
      continue;
    }
    std::set<std::string> known;
    for (const Sample& target : model.samples) {
      if (!(target.entity == attribute->references->entity)) {
        continue;
      }
      for (std::size_t i = 0; i < target.columns.size(); ++i) {
        if (!(target.columns[i] == attribute->references->attribute)) {
          continue;
        }
        for (const SampleRow& row : target.rows) {
          if (row.values[i]) {
            known.insert(ValueText(*row.values[i]));
          }
        }
      }
    }
    // A sample may leave an entity out as a whole.
    if (known.empty()) {
      continue;
    }
    for (const SampleRow& row : sample.rows) {
      if (!row.values[column] || known.contains(ValueText(*row.values[column]))) {
        continue;
      }
      checker.Report(RuleIn(kConsistencyRules, "PJ224"), row.at[column],
                     "no sample row of `" + attribute->references->entity.text + "` has " +
                         attribute->references->attribute.text + " = " +
                         ValueText(*row.values[column]));
    }
  }
}

// Some item holds the attribute, as a copy or inside a list or map.
bool IsKeptElsewhere(const Model& model, const std::string& entity, const std::string& attribute) {
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text == entity && stored.members.empty()) {
          return true;
        }
        if (stored.kind == StoredKind::kCopy && stored.copy.entity.text == entity &&
            stored.copy.attribute.text == attribute) {
          return true;
        }
        for (const Path& path : stored.members) {
          const std::string& owner =
              path.entity.text.empty() ? stored.embedded.text : path.entity.text;
          if (owner == entity && path.attribute.text == attribute) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

// PJ221: what every layout leaves out and no key holds.
void CheckLeftOut(Checker& checker, const Entity& entity,
                  const std::vector<Model::Placement>& layouts) {
  for (const Name& name : layouts.front().layout->without) {
    const bool kept = std::ranges::any_of(layouts, [&](const Model::Placement& placement) {
      return CanRead(checker.model, placement.layout->entity, name.text,
                     View{placement.table, nullptr});
    });
    if (kept || IsKeptElsewhere(checker.model, entity.name.text, name.text)) {
      continue;
    }
    checker.Report(
        RuleIn(kConsistencyRules, "PJ221"), name.at,
        "no item of `" + entity.name.text + "` stores `" + name.text + "`, and no key contains it",
        Proposal(std::vector{
            RemoveFrom("item " + layouts.front().layout->entity.text, name.at, "without …")}));
  }
}

// PJ221
void CheckStored(Checker& checker, const Entity& entity) {
  if (checker.model.tables.empty()) {
    return;
  }
  if (const auto layouts = checker.model.LayoutsOf(entity.name.text); !layouts.empty()) {
    CheckLeftOut(checker, entity, layouts);
    return;
  }
  std::string lost;
  for (const Attribute& attribute : entity.attributes) {
    const bool derived = attribute.is_key || attribute.references.has_value();
    if (derived || IsKeptElsewhere(checker.model, entity.name.text, attribute.name.text)) {
      continue;
    }
    lost += (lost.empty() ? "" : ", ") + attribute.name.text;
  }
  if (lost.empty()) {
    return;
  }
  checker.Report(
      RuleIn(kConsistencyRules, "PJ221"), entity.name.at,
      "no table stores items of `" + entity.name.text + "`, and no other item stores its " + lost,
      ProposeItem(checker.model, entity));
}

void CheckConsistency(Checker& checker) {
  const Model& model = checker.model;
  if (model.entities.empty()) {
    checker.Report(RuleIn(kConsistencyRules, "PJ005"), {1, 1, 1},
                   "the file declares no entity, so there is nothing to check");
    return;
  }
  if (model.patterns.empty() && model.writes.empty()) {
    checker.Report(RuleIn(kConsistencyRules, "PJ222"), model.entities.front().name.at,
                   "the model has no access pattern and no write");
  }
  Expectations figures(model);
  for (const Entity& entity : model.entities) {
    CheckStored(checker, entity);
    CheckCounts(checker, figures, entity);
  }
  for (const Relationship& relationship : model.relationships) {
    CheckBounds(checker, relationship);
  }
  for (const Sample& sample : model.samples) {
    CheckReferences(checker, sample);
  }
}

}  // namespace

constinit const RuleFamily kConsistencyFamily = {kConsistencyRules, CheckConsistency};

}  // namespace prejoin::model
