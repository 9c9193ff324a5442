// Rows are made parents first, so that a reference takes the value of an existing row, and all attributes that
// reference one row of an entity take the same row. Counts are the declared ones times one ratio; links between two
// entities are the exception: they need a free pair of ends for each row, so the smaller side gets more rows when there
// would be too few pairs (MakeRoom).
//
// Values that a row takes from outside are dealt, not drawn: for each parent, and for each attribute that a pattern or a key
// asks for, a deck holds as many cards of each rank as its share of the rows (RankShares), and rows take them in random
// order. So every parent has its average of children, or what the skew says, and every value its share. Two rows with
// one key exchange a card with a later row.
//
// Values that patterns compare with literals occur on purpose, and totals are derived at the end. Everything random
// comes from one generator, so a seed names the data.
#include "model/generate/generate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <unordered_set>

#include "model/data/make_value.h"
#include "model/generate/parent_choice.h"
#include "model/plan/expectation.h"
#include "model/plan/skew/rank_shares.h"
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
  Expectations figures(model);
  double total = 0;
  for (const Entity& entity : model.entities) {
    total += figures.Count(entity);
  }
  return total > 0 ? rows / total : 1;
}

// A proof on less than the declared rows has less of everything; on more it has more of what grows with the scale.
double RowsOf(Expectations& figures, const Entity& entity, double ratio) {
  const double shrink = std::min(1.0, ratio);
  return std::max(1.0, std::round(figures.Count(entity) * shrink));
}

// Cards of ranks in random order, one for each row.
struct Deck {
  std::vector<std::uint32_t> cards;
};

class Generator {
 public:
  Generator(const Model& model, const GenerateOptions& options)
      : model_(model),
        options_(options),
        ratio_(RatioFor(model, options.rows)),
        figures_(model, {}, std::max(1.0, ratio_)),
        random_(options.seed),
        data_(options.start) {
    CollectConditions();
    CollectKeys();
  }

  Dataset Run() {
    std::map<std::string, double> counts;
    for (const Entity& entity : model_.entities) {
      counts[entity.name.text] = options_.even
                                     ? options_.rows / static_cast<double>(model_.entities.size())
                                     : RowsOf(figures_, entity, ratio_);
    }
    for (const Entity& entity : model_.entities) {
      MakeRoom(entity, counts);
    }
    for (const Entity* entity : ParentsFirst(model_)) {
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
  // Values that patterns and conditions ask for by name should occur, and what is asked for by value has its stated
  // number of different values.
  void CollectConditions() {
    for (const Pattern& pattern : model_.patterns) {
      for (const Section& section : pattern.sections) {
        const std::string& entity = section.searched().text;
        for (const Condition& condition : section.conditions) {
          Collect(entity, condition);
        }
      }
    }
    for (const Write& write : model_.writes) {
      for (const WriteStep& step : write.steps) {
        for (const Condition& condition : step.guard) {
          Collect(step.entity.text, condition);
        }
      }
    }
  }

  void Collect(const std::string& entity, const Condition& condition) {
    const std::string name = entity + "." + condition.attribute.text;
    asked_.insert(name);
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
      std::vector<AttributeValue>& literals = literals_[name];
      if (std::ranges::find(literals, value) == literals.end()) {
        literals.push_back(std::move(value));
      }
    }
  }

  void CollectKeys() {
    for (const Table& table : model_.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          for (const std::string& name : stored.key.Attributes()) {
            asked_.insert(model_.RowsOf(layout.entity).name.text + "." + name);
          }
        }
      }
    }
  }

  // Links have a key for each pair of their ends. With few rows in all, a small side would have too
  // few partners for the links that are wanted, so the smallest side gets more rows.
  void MakeRoom(const Entity& entity, std::map<std::string, double>& counts) const {
    const std::vector<std::string> parents = LinkEnds(entity);
    double pairs = 1;
    const std::string* smallest = nullptr;
    for (const std::string& parent : parents) {
      pairs *= counts[parent];
      if (smallest == nullptr || counts[parent] < counts[*smallest]) {
        smallest = &parent;
      }
    }
    const double wanted = counts[entity.name.text] * (options_.as_stated ? 1 : kPairsPerLink);
    if (smallest == nullptr || parents.size() < 2 || pairs >= wanted) {
      return;
    }
    const auto turns = static_cast<double>(std::ranges::count(parents, *smallest));
    counts[*smallest] = std::ceil(counts[*smallest] * std::pow(wanted / pairs, 1 / turns));
  }

  void Fill(const Entity& entity, std::size_t count) {
    std::vector<Row>& rows = data_.rows[entity.name.text];
    // By hash: two keys that share one cost no more than another try.
    std::unordered_set<std::size_t> taken;
    const std::vector<std::string> keys = entity.KeyNames();
    Deal(entity, count);
    int failed = 0;  // In a row: an entity can have fewer keys than rows are wanted.
    for (std::size_t i = 0; i < count && failed < kRowsWithoutKeyMax; ++i) {
      ++failed;
      for (int attempt = 0; attempt < kKeyTriesMax; ++attempt) {
        Row row = MakeRow(entity, i);
        if (!taken.insert(std::hash<std::string>()(TupleText(row, keys))).second) {
          ExchangeKeyCard(i, count);
          continue;
        }
        rows.push_back(std::move(row));
        failed = 0;
        break;
      }
    }
    PointAtTheirLike(entity, rows);
  }

  // An employee's manager is an employee: which one is known when all are there.
  void PointAtTheirLike(const Entity& entity, std::vector<Row>& rows) {
    for (const ParentChoice& choice : parents_) {
      const bool in_key = std::ranges::any_of(
          choice.attributes, [](const Attribute* attribute) { return attribute->is_key; });
      if (!(choice.parent == entity.name) || in_key) {
        continue;
      }
      const std::vector<std::uint32_t>& cards = decks_[choice.deck].cards;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const Attribute* attribute : choice.attributes) {
          const AttributeValue* value =
              rows[cards[i] % rows.size()].Find(attribute->references->attribute.text);
          if (value != nullptr && rows[i].Find(attribute->name.text) != nullptr) {
            rows[i].Set(attribute->name.text, AttributeValue(*value));
          }
        }
        DeriveValues(entity, rows[i]);
      }
    }
  }

  // Prepares the decks of an entity, and which of its key attributes count on.
  void Deal(const Entity& entity, std::size_t count) {
    decks_.clear();
    key_decks_.clear();
    ordinals_.clear();
    parents_ = ParentChoicesOf(model_, entity, data_);
    const auto rows = static_cast<double>(count);
    for (const ParentChoice& choice : parents_) {
      // Rows that reference their like are all made before PointAtTheirLike.
      const auto values =
          choice.parent == entity.name ? rows
                                       : static_cast<double>(data_.Of(choice.parent.text).size());
      std::set<std::string> pointing;
      for (const Attribute* attribute : choice.attributes) {
        pointing.insert(attribute->name.text);
      }
      const RowSkew skew = figures_.SkewUnder(entity, choice.parent, pointing);
      Skew by = skew.skew;
      for (const Attribute* attribute : choice.attributes) {
        by = attribute->skew.given() ? attribute->skew : by;
      }
      decks_[choice.deck] =
          MakeDeck(count, RankShares(values, by, skew.most / std::max(1.0, rows)));
      if (std::ranges::any_of(choice.attributes, [](const auto* one) { return one->is_key; })) {
        key_decks_.push_back(choice.deck);
      }
    }
    const Attribute* counted = CountedKey(model_, entity);
    counted_ = counted != nullptr ? counted->name.text : "";
    for (const Attribute& attribute : entity.attributes) {
      const std::string& name = attribute.name.text;
      if (!attribute.references && counted_ != name && HasDeck(entity, attribute)) {
        decks_[name] = MakeDeck(count, SharesOf(entity, attribute, rows));
        if (attribute.is_key) {
          key_decks_.push_back(name);
        }
      }
      if (attribute.optional && !attribute.is_key) {
        const double present = std::round(rows * PresenceOf(entity, attribute));
        decks_[PresenceDeck(attribute)] = MakeDeck(
            count, {{1, present / std::max(1.0, rows)}, {1, 1 - present / std::max(1.0, rows)}});
      }
    }
    DeriveLevels(entity);
  }

  // In a hierarchy, a value with a stated number of others belongs to one value of each level above.
  void DeriveLevels(const Entity& entity) {
    derived_.clear();
    for (const Relationship& hierarchy : model_.relationships) {
      if (hierarchy.kind != RelationshipKind::kHierarchy || !(hierarchy.from == entity.name)) {
        continue;
      }
      const Attribute* deeper = nullptr;
      for (auto level = hierarchy.levels.rbegin(); level != hierarchy.levels.rend(); ++level) {
        const Attribute* attribute = entity.Find(level->text);
        if (attribute == nullptr || !decks_.contains(level->text)) {
          continue;
        }
        if (deeper != nullptr) {
          derived_[level->text] = {deeper->name.text,
                                   figures_.Distinct(entity, level->text) /
                                       figures_.Distinct(entity, deeper->name.text)};
        }
        deeper = attribute->distinct > 0 ? attribute : deeper;
      }
    }
  }

  std::uint32_t RankOf(const std::string& attribute, std::size_t row) {
    const auto derived = derived_.find(attribute);
    if (derived == derived_.end()) {
      return decks_[attribute].cards[row];
    }
    return static_cast<std::uint32_t>(RankOf(derived->second.first, row) * derived->second.second);
  }

  static std::string PresenceDeck(const Attribute& attribute) {
    return "has " + (attribute.group.empty() ? attribute.name.text : "(" + attribute.group + ")");
  }

  // A stated share stays; where every case should occur it is not so small that no row of a few hundred has the attribute.
  double PresenceOf(const Entity& entity, const Attribute& attribute) {
    if (options_.as_stated) {
      return figures_.Presence(entity, {attribute.name.text});
    }
    return std::max(attribute.presence.value_or(kOptionalPresent), kPresentMin);
  }

  // Spreads the rows over an attribute's values: as the file says of each value, or by skew.
  std::vector<RankGroup> SharesOf(const Entity& entity, const Attribute& attribute, double rows) {
    if (attribute.shares.empty()) {
      return RankShares(figures_.Distinct(entity, attribute.name.text), attribute.skew, 0);
    }
    std::vector<RankGroup> groups;
    // Where every case should occur, each value has a row.
    const double rare = 1 / std::max(1.0, rows);
    double sum = 0;
    for (const double share : attribute.shares) {
      groups.push_back({1, options_.as_stated ? share : std::max(share, rare)});
      sum += groups.back().share;
    }
    for (RankGroup& group : groups) {
      group.share /= sum > 0 ? sum : 1;
    }
    return groups;
  }

  // Attributes whose values are dealt; all others are different in every row.
  bool HasDeck(const Entity& entity, const Attribute& attribute) const {
    if (attribute.unique || IsComplex(attribute.type)) {
      return false;
    }
    if (!attribute.values.empty() || attribute.distinct > 0 ||
        TraitsOf(attribute.type).distinct > 0) {
      return true;
    }
    const bool whole_key = attribute.is_key && entity.KeyNames().size() == 1;
    return !whole_key && asked_.contains(entity.name.text + "." + attribute.name.text) &&
           !TraitsOf(attribute.type).zoned;
  }

  Deck MakeDeck(std::size_t count, const std::vector<RankGroup>& shares) {
    Deck deck;
    deck.cards.reserve(count);
    double due = 0;
    std::uint32_t rank = 0;
    for (const RankGroup& group : shares) {
      for (double i = 0; i < group.ranks && deck.cards.size() < count; ++i, ++rank) {
        due += group.share * static_cast<double>(count);
        while (static_cast<double>(deck.cards.size()) + 0.5 <= due && deck.cards.size() < count) {
          deck.cards.push_back(rank);
        }
      }
    }
    deck.cards.resize(count, rank == 0 ? 0 : rank - 1);
    std::ranges::shuffle(deck.cards, random_);
    return deck;
  }

  void ExchangeKeyCard(std::size_t row, std::size_t count) {
    if (key_decks_.empty() || row + 1 >= count) {
      return;
    }
    std::vector<std::uint32_t>& cards = decks_[key_decks_[Below(key_decks_.size())]].cards;
    std::swap(cards[row], cards[row + 1 + Below(count - row - 1)]);
  }

  Row MakeRow(const Entity& entity, std::size_t number) {
    Row row;
    row.Reserve(entity.attributes.size());
    std::map<const Attribute*, const Row*> parents;
    for (ParentChoice& choice : parents_) {
      const std::vector<Row>& rows = data_.Of(choice.parent.text);
      const std::uint32_t card = decks_[choice.deck].cards[number];
      const Row* parent = AgreeingParent(choice, parents, data_, card);
      if (parent == nullptr && !rows.empty()) {
        parent = &rows[card % rows.size()];
      }
      for (const Attribute* attribute : choice.attributes) {
        parents[attribute] = parent;
      }
    }
    for (const Attribute& attribute : entity.attributes) {
      // Where every case should occur, the first row has everything, so that nothing is missing everywhere.
      const bool whole = number == 0 && !options_.as_stated;
      if (attribute.optional && !attribute.is_key && !whole &&
          decks_[PresenceDeck(attribute)].cards[number] != 0) {
        continue;
      }
      if (attribute.references) {
        const Row* parent = parents[&attribute];
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
      row.Set(attribute.name.text, ValueFor(entity, attribute, row, number));
    }
    DeriveValues(entity, row);
    return row;
  }

  // The days over which a moment spreads, no more than the months or years that are asked for have.
  double DaysToSpread(const Entity& entity, const Attribute& attribute) {
    double days = std::max(1.0, figures_.DaysOf(entity, attribute));
    for (const Attribute& derived : entity.derived) {
      const bool month = derived.derivation.text == "month";
      if (derived.derived_from == attribute.name.text &&
          (month || derived.derivation.text == "year")) {
        // Whole ones: requests for a thirteenth month of 365 days would find a few days.
        days = std::min(days, std::floor(figures_.Distinct(entity, derived.name.text)) *
                                  (month ? kDaysOfGeneratedMonth : kDaysOfGeneratedYear));
      }
    }
    return days;
  }

  // A value that begins in one of as many ways as its days, hours or first characters have values.
  AttributeValue Make(const Entity& entity, const Attribute& attribute, std::uint64_t rank,
                      std::size_t number) {
    const Attribute* finest = nullptr;
    for (const Attribute& derived : entity.derived) {
      if (derived.derived_from == attribute.name.text &&
          (finest == nullptr || derived.derivation.first > finest->derivation.first)) {
        finest = &derived;
      }
    }
    if (finest == nullptr || !attribute.values.empty()) {
      return MakeValue(attribute, rank, number);
    }
    const auto ways = static_cast<std::uint64_t>(figures_.Distinct(entity, finest->name.text));
    BeginningNumber beginning{rank % ways, rank / ways};
    for (const Attribute& derived : entity.derived) {
      if (derived.derived_from == attribute.name.text && !derived.derivation.moment &&
          derived.derivation.first < finest->derivation.first) {
        beginning.shorter.emplace_back(
            derived.derivation.first,
            static_cast<std::uint64_t>(figures_.Distinct(entity, derived.name.text)));
      }
    }
    std::ranges::sort(beginning.shorter);
    const std::string& unit = finest->derivation.text;
    if ((unit == "hour" || unit == "day") && finest->distinct <= 0) {
      const auto days = static_cast<std::uint64_t>(DaysToSpread(entity, attribute));
      // Fewer rows than days lie in all of them, not in the first ones: a month has its part. And 90 days are three months, not four of
      // the 28 days that generated months have.
      if (unit == "day" || ways < days) {
        beginning.beginning = beginning.beginning * days / ways;
      }
      if (unit == "hour") {
        beginning.shorter.emplace_back(0, days);
      }
    }
    return MakeBeginning(attribute, *finest, beginning);
  }

  AttributeValue ValueFor(const Entity& entity, const Attribute& attribute, const Row& row,
                          std::size_t number) {
    const std::string& name = attribute.name.text;
    const auto literals = literals_.find(entity.name.text + "." + name);
    const bool free = !attribute.is_key && !attribute.unique && attribute.values.empty();
    const auto deck = decks_.find(name);
    if (deck != decks_.end()) {
      const std::uint32_t rank = RankOf(name, number);
      if (free && literals != literals_.end()) {
        return LiteralOr(attribute, literals->second, rank, number);
      }
      return Make(entity, attribute, rank, number);
    }
    if (free && literals != literals_.end() && Chance() < kLiteralShare) {
      return literals->second[Below(literals->second.size())];
    }
    if (counted_ == name) {
      return Make(entity, attribute, Counted(entity, attribute, row, number), number);
    }
    // A moment is a day and a second; other values need only differ.
    constexpr std::uint64_t kSecondsApart = 7'919;
    const bool zoned =
        TraitsOf(attribute.type).zoned &&
        std::ranges::find(entity.derived, name, &Attribute::derived_from) == entity.derived.end();
    return Make(entity, attribute, zoned ? number * kSecondsApart : number, number);
  }

  // The first ranks of a value that patterns name are those names.
  AttributeValue LiteralOr(const Attribute& attribute, const std::vector<AttributeValue>& literals,
                           std::uint32_t rank, std::size_t number) {
    if (!options_.as_stated) {
      return Chance() < kLiteralShare ? literals[Below(literals.size())]
                                      : MakeValue(attribute, rank, number);
    }
    return rank < literals.size() ? literals[rank] : MakeValue(attribute, rank, number);
  }

  // A part of a key stays within its digits, or padded keys would not sort by it: it counts the rows that share the
  // rest of the key. A counter that is the whole key continues, because rows would be lost otherwise.
  std::uint64_t Counted(const Entity& entity, const Attribute& attribute, const Row& row,
                        std::size_t number) {
    const bool lone = entity.KeyNames().size() == 1;
    if (lone || !IsNumber(attribute.type) || attribute.size_avg <= 0) {
      return number;
    }
    std::string rest;
    for (const std::string& key : entity.KeyNames()) {
      const AttributeValue* value = row.Find(key);
      rest += key == attribute.name.text || value == nullptr ? "" : ValueText(*value) + " ";
    }
    const auto values = static_cast<std::uint64_t>(
        9 * std::pow(10, std::min(15.0, std::ceil(attribute.size_avg)) - 1));
    return ordinals_[rest]++ % values;
  }

  double Chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::uint64_t Below(std::uint64_t n) {
    return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random_);
  }

  const Model& model_;
  const GenerateOptions& options_;
  const double ratio_;
  Expectations figures_;
  std::mt19937_64 random_;
  Dataset data_;
  std::set<std::string> asked_;                                  // Entity.attribute.
  std::map<std::string, std::vector<AttributeValue>> literals_;  // By Entity.attribute.
  // The parents of the entity that is being filled.
  std::vector<ParentChoice> parents_;
  std::map<std::string, Deck> decks_;
  std::vector<std::string> key_decks_;
  std::map<std::string, std::pair<std::string, double>>
      derived_;          // From which attribute, and by which factor.
  std::string counted_;  // The attribute of the key that counts on.
  std::map<std::string, std::uint64_t> ordinals_;
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
    for (const Model::Placement& placement : model.LayoutsOf(entity)) {
      const Reference<Entity>& layout = placement.layout->entity;
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
