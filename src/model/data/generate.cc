// Rows are made parents first, so that a reference takes the value of a row that is there, and all attributes that reference one entity
// take the same row. Counts are the declared ones times one ratio; links between two entities are the exception: they need a free pair
// of ends for each row, so the smaller side gets more rows when there would be too few pairs (MakeRoom).
//
// Values that patterns compare with literals occur on purpose, the first row of each entity has every optional attribute, and totals
// are derived at the end. Everything random comes from one generator, so a seed names the data.
#include "model/data/generate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <unordered_set>

#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::model {
namespace {

constexpr int kKeyTriesMax = 64;
constexpr int kRowsWithoutKeyMax = 200;
constexpr double kOptionalPresent = 0.8;
constexpr double kPresentMin = 0.05;
constexpr double kLiteralShare = 0.5;
// Random links find a free pair quickly only while most pairs are free.
constexpr double kPairsPerLink = 2;

// Generated rows of an entity for each row that is declared: the scale of the data.
double RatioFor(const Model& model, double rows) {
  double total = 0;
  for (const Entity& entity : model.entities) {
    total += EntityCount(model, entity.name.text);
  }
  return total > 0 ? rows / total : 1;
}

// A proof on less than the declared rows has less of everything; on more it has more of what grows with the scale.
double RowsOf(Expectations& figures, const Entity& entity, double ratio) {
  const double shrink = std::min(1.0, ratio);
  return std::max(1.0, std::round(figures.Count(entity.name.text) * shrink));
}

class Generator {
 public:
  Generator(const Model& model, const GenerateOptions& options)
      : model_(model), options_(options), random_(options.seed), data_(options.start) {
    CollectLiterals();
  }

  Dataset Run() {
    const double ratio = RatioFor(model_, options_.rows);
    Expectations figures(model_, {}, std::max(1.0, ratio));
    std::map<std::string, double> counts;
    for (const Entity& entity : model_.entities) {
      counts[entity.name.text] = options_.even
                                     ? options_.rows / static_cast<double>(model_.entities.size())
                                     : RowsOf(figures, entity, ratio);
    }
    for (const Entity& entity : model_.entities) {
      MakeRoom(entity, counts);
    }
    for (const Entity* entity : ParentsFirst()) {
      if (!options_.start.Of(entity->name.text).empty()) {
        continue;
      }
      Fill(*entity, static_cast<std::size_t>(counts[entity->name.text]));
      if (options_.progress) {
        options_.progress(entity->name.text, data_.rows[entity->name.text].size());
      }
    }
    DeriveAggregates(model_, data_);
    return std::move(data_);
  }

 private:
  // Values that patterns and conditions ask for by name should occur.
  void CollectLiterals() {
    const auto collect = [&](const std::string& entity, const std::vector<Condition>& conditions) {
      for (const Condition& condition : conditions) {
        for (const Operand& operand : condition.operands) {
          if (!operand.parameter.empty()) {
            continue;
          }
          AttributeValue value = operand.literal;
          // A value for which the condition holds.
          const int step = condition.comparison == Comparison::kLess
                               ? -1
                               : (condition.comparison == Comparison::kGreater ? 1 : 0);
          if (step != 0 && value.number() != nullptr) {
            value = AttributeValue(*Number::Add(*value.number(), Number(step)));
          }
          literals_[entity + "." + condition.attribute.text].push_back(std::move(value));
        }
      }
    };
    for (const Pattern& pattern : model_.patterns) {
      for (const Section& section : pattern.sections) {
        collect(section.via.text.empty() ? section.entity.text : section.via.text,
                section.conditions);
      }
    }
    for (const Write& write : model_.writes) {
      for (const WriteStep& step : write.steps) {
        collect(step.entity.text, step.guard);
      }
    }
  }

  // Links have a key for each pair of their ends. With few rows in all, a small side would have too
  // few partners for the links that are wanted, so the smallest side gets more rows.
  static void MakeRoom(const Entity& entity, std::map<std::string, double>& counts) {
    std::set<std::string> parents;
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.is_key) {
        continue;
      }
      if (!attribute.references || attribute.references->entity == entity.name) {
        return;
      }
      parents.insert(attribute.references->entity.text);
    }
    double pairs = 1;
    const std::string* smallest = nullptr;
    for (const std::string& parent : parents) {
      pairs *= counts[parent];
      if (smallest == nullptr || counts[parent] < counts[*smallest]) {
        smallest = &parent;
      }
    }
    const double wanted = counts[entity.name.text] * kPairsPerLink;
    if (smallest == nullptr || parents.size() < 2 || pairs >= wanted) {
      return;
    }
    counts[*smallest] = std::ceil(counts[*smallest] * wanted / pairs);
  }

  // Entities in an order in which references point backwards; circles are cut where they are met.
  std::vector<const Entity*> ParentsFirst() const {
    std::vector<const Entity*> order;
    std::set<std::string> placed;
    while (order.size() < model_.entities.size()) {
      const Entity* next = nullptr;
      for (const Entity& entity : model_.entities) {
        if (placed.contains(entity.name.text)) {
          continue;
        }
        const bool ready = std::all_of(
            entity.attributes.begin(), entity.attributes.end(), [&](const Attribute& attribute) {
              return !attribute.references || placed.contains(attribute.references->entity.text) ||
                     attribute.references->entity == entity.name;
            });
        if (next == nullptr || ready) {
          next = &entity;
        }
        if (ready) {
          break;
        }
      }
      placed.insert(next->name.text);
      order.push_back(next);
    }
    return order;
  }

  void Fill(const Entity& entity, std::size_t count) {
    std::vector<Row>& rows = data_.rows[entity.name.text];
    // By hash: two keys that share one cost no more than another try.
    std::unordered_set<std::size_t> taken;
    const std::vector<std::string> keys = entity.KeyNames();
    lone_key_ = keys.size() == 1;
    int failed = 0;  // In a row: an entity can have fewer keys than rows are wanted.
    for (std::size_t i = 0; i < count && failed < kRowsWithoutKeyMax; ++i) {
      ++failed;
      for (int attempt = 0; attempt < kKeyTriesMax; ++attempt) {
        Row row = MakeRow(entity, i);
        if (!taken.insert(std::hash<std::string>()(TupleText(row, keys))).second) {
          continue;
        }
        rows.push_back(std::move(row));
        failed = 0;
        break;
      }
    }
  }

  Row MakeRow(const Entity& entity, std::size_t number) {
    Row row;
    row.Reserve(entity.attributes.size());
    // One parent row for all attributes that reference the same entity.
    std::map<std::string, const Row*> parents;
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.references) {
        continue;
      }
      const std::string& parent = attribute.references->entity.text;
      if (!parents.contains(parent)) {
        parents[parent] = PickParent(parent);
      }
    }
    std::map<std::string, double> coins;  // One for each group of attributes that come together.
    for (const Attribute& attribute : entity.attributes) {
      // The first row has everything, so that nothing is missing everywhere.
      if (attribute.optional && !attribute.is_key && number > 0 && !IsPresent(attribute, coins)) {
        continue;
      }
      if (attribute.references) {
        const Row* parent = parents[attribute.references->entity.text];
        const AttributeValue* value =
            parent != nullptr ? parent->Find(attribute.references->attribute.text) : nullptr;
        if (value != nullptr) {
          row.Set(attribute.name.text, *value);
          continue;
        }
        if (!attribute.is_key) {
          continue;
        }
      }
      const auto literals = literals_.find(entity.name.text + "." + attribute.name.text);
      const bool free = !attribute.is_key && !attribute.unique && attribute.values.empty();
      if (free && literals != literals_.end() && Chance() < kLiteralShare) {
        row.Set(attribute.name.text, literals->second[Below(literals->second.size())]);
        continue;
      }
      row.Set(attribute.name.text, MakeValue(attribute, number));
    }
    return row;
  }

  // A stated share stays, but not so small that no row of a few hundred has the attribute.
  bool IsPresent(const Attribute& attribute, std::map<std::string, double>& coins) {
    const double share = std::max(attribute.presence.value_or(kOptionalPresent), kPresentMin);
    if (attribute.group.empty()) {
      return Chance() <= share;
    }
    return coins.try_emplace(attribute.group, Chance()).first->second <= share;
  }

  const Row* PickParent(const std::string& entity) {
    const std::vector<Row>& rows = data_.Of(entity);
    if (rows.empty()) {
      return nullptr;
    }
    Skew skew;
    for (const Relationship& relationship : model_.relationships) {
      if (const Cardinality* cardinality = relationship.CardinalityOf(entity)) {
        skew = {std::max(skew.zipf, cardinality->skew.zipf),
                std::max(skew.hottest, cardinality->skew.hottest)};
      }
    }
    // The inverse of a power law: a skew of 1 sends about half of all rows to a few parents.
    if (skew.hottest > 0 && Chance() < skew.hottest) {
      return &rows.front();
    }
    const double spread = std::pow(Chance(), 1 + 2 * skew.zipf);
    return &rows[std::min(rows.size() - 1,
                          static_cast<std::size_t>(spread * static_cast<double>(rows.size())))];
  }

  double Chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::uint64_t Below(std::uint64_t n) {
    return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random_);
  }

  std::string Letters(std::size_t length) {
    static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
    std::string text;
    while (text.size() < length) {
      text += kLetters[Below(kLetters.size())];
    }
    return text;
  }

  // Around the average, never past the maximum.
  std::size_t Length(const Attribute& attribute) {
    const double average = AverageValueBytes(attribute);
    const double largest = attribute.size_max > 0 ? attribute.size_max : average * 1.5;
    return static_cast<std::size_t>(
        std::max(1.0, std::min(largest, std::round(average * (0.5 + Chance())))));
  }

  Item MakeMembers(const Attribute& attribute, std::size_t number) {
    Item map;
    for (const Attribute& member : attribute.members) {
      if (!member.optional || Chance() < member.presence.value_or(0.5)) {
        map.Set(member.name.text, MakeValue(member, number));
      }
    }
    return map;
  }

  // By the stated shares.
  const AttributeValue& PickOfList(const Attribute& attribute) {
    if (attribute.shares.empty()) {
      return attribute.values[Below(attribute.values.size())];
    }
    double chance = Chance();
    std::size_t i = 0;
    while (i + 1 < attribute.values.size() && chance >= attribute.shares[i]) {
      chance -= attribute.shares[i];
      ++i;
    }
    return attribute.values[i];
  }

  AttributeValue MakeValue(const Attribute& attribute, std::size_t number) {
    if (!attribute.values.empty()) {
      return PickOfList(attribute);
    }
    const AttributeTypeTraits& traits = TraitsOf(attribute.type);
    if (!attribute.members.empty()) {
      AttributeValue map(MakeMembers(attribute, number));
      if (traits.stored == ValueType::kMap) {
        return map;
      }
      return AttributeValue(AttributeValue::List{std::move(map)});
    }
    switch (traits.stored) {
      case ValueType::kNumber: {
        const double digits = attribute.size_avg > 0 ? std::min(attribute.size_avg, 15.0) : 6;
        const auto below = static_cast<std::uint64_t>(std::pow(10, digits));
        if (!attribute.is_key) {
          return AttributeValue(static_cast<std::int64_t>(Below(below)));
        }
        // A part of a key stays within its digits, or padded keys would not sort by it. A number that is the whole key
        // counts on, because rows would be lost otherwise.
        const bool bounded = attribute.size_avg > 0 && !lone_key_;
        return AttributeValue(static_cast<std::int64_t>(bounded ? number % below : number));
      }
      case ValueType::kBool:
        return AttributeValue(Below(2) == 1);
      case ValueType::kList:
        return AttributeValue(AttributeValue::List{AttributeValue(Letters(Length(attribute) / 2)),
                                                   AttributeValue(Letters(Length(attribute) / 2))});
      case ValueType::kMap:
        return AttributeValue(
            Item{{"a", AttributeValue(Letters(Length(attribute) / 2))}, {"b", AttributeValue(1)}});
      case ValueType::kStringSet:
        return AttributeValue(AttributeValue::StringSet{{Letters(5), Letters(6)}});
      case ValueType::kNumberSet:
        return AttributeValue(AttributeValue::NumberSet{
            {Number(1), Number(static_cast<std::int64_t>(2 + Below(100)))}});
      case ValueType::kBinary:
        return AttributeValue(AttributeValue::Binary{Letters(Length(attribute))});
      default:
        break;
    }
    constexpr std::uint64_t kSeconds = 15ull * 336 * 86'400;  // Of the years 2010 to 2024.
    if (traits.form != nullptr) {
      return AttributeValue(traits.form(Below(kSeconds)));
    }
    if (!attribute.is_key && !attribute.unique && attribute.distinct > 0) {
      // As many different values as declared, so that some rows share one.
      const std::string id =
          std::to_string(Below(static_cast<std::uint64_t>(std::min(attribute.distinct, 1e9))));
      const std::size_t length = static_cast<std::size_t>(AverageValueBytes(attribute));
      return AttributeValue(
          "v" + std::string(length > id.size() + 1 ? length - id.size() - 1 : 0, '0') + id);
    }
    if (!attribute.is_key && !attribute.unique) {
      return AttributeValue(Letters(Length(attribute)));
    }
    std::string id = std::to_string(number);
    const std::size_t length = Length(attribute);
    return AttributeValue(
        id.size() < length
            ? Letters(1) + std::string(length - id.size() > 1 ? length - id.size() - 1 : 0, '0') +
                  id
            : id);
  }

  const Model& model_;
  const GenerateOptions& options_;
  std::mt19937_64 random_;
  Dataset data_;
  bool lone_key_ = false;  // Of the entity that is being filled.
  std::map<std::string, std::vector<AttributeValue>> literals_;  // By Entity.attribute.
};

}  // namespace

Dataset GenerateData(const Model& model, const GenerateOptions& options) {
  return Generator(model, options).Run();
}

double ExpectedGeneratedBytes(const Model& model, double rows) {
  const double ratio = RatioFor(model, rows);
  Expectations figures(model, {}, std::max(1.0, ratio));
  double bytes = 0;
  for (const Entity& entity : model.entities) {
    double each = 0;
    for (const Attribute& attribute : entity.attributes) {
      each += AverageValueBytes(attribute);
    }
    for (const Model::Placement& placement : model.LayoutsOf(entity.name.text)) {
      const std::string& layout = placement.layout->entity.text;
      View view{placement.table, nullptr};
      each += ExpectedItemBytes(model, layout, view);
      for (const Index& index : placement.table->indexes) {
        view.index = &index;
        if (AppearsIn(model, layout, view)) {
          each += ExpectedItemBytes(model, layout, view);
        }
      }
    }
    bytes += each * RowsOf(figures, entity, ratio);
  }
  return bytes;
}

}  // namespace prejoin::model
