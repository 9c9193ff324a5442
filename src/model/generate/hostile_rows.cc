// Adds a few rows for each entity, like an existing one:
//
//   numbers    0, 9 and 10, the largest of the stated digits, around the width of each `pad`; below zero and with a fraction only where
//              the model shows that they occur
//              (a value of the sample, a literal, a counter that goes down without a condition that keeps it above zero)
//   times      others of the same month, day, hour and minute
//   text       one letter, the longest that is stated, other case, the beginning of another value, the delimiters of its keys
//   keys       rows that share each part of a key, and the id of rows of other entities
//   limits     one row more than each `limit` under one parent, and a parent without any
//
// A value that a key refuses, as generated code does, cannot do harm; such rows are counted and left out.
#include "model/generate/hostile_rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/limits.h"
#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

constexpr int kLimitRowsMax = 60;
constexpr double kHostileDigitsMax = 15;
constexpr double kHostileTextMax = 4'096;

std::string InCase(std::string text, bool upper) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    c = static_cast<char>(upper ? std::toupper(byte) : std::tolower(byte));
  }
  return text;
}

bool IsNegative(const AttributeValue& value) {
  return value.number() != nullptr && *value.number() < Number(0);
}

bool HasFraction(const AttributeValue& value) {
  return value.number() != nullptr && value.number()->ToString().find('.') != std::string::npos;
}

std::optional<Number> Sum(const Number& number, double by) {
  const Result<Number> sum = Number::Add(number, Number(static_cast<std::int64_t>(by)));
  return sum.has_value() ? std::optional(*sum) : std::nullopt;
}

// The least whole number for which a condition holds; nothing where it sets no lower bound.
std::optional<Number> LeastUnder(const Condition& condition) {
  std::optional<Number> least;
  for (const Operand& operand : condition.operands) {
    const Number* literal = operand.literal.number();
    if (literal == nullptr) {
      return std::nullopt;
    }
    least = least && *least < *literal ? *least : *literal;
  }
  switch (condition.comparison) {
    case Comparison::kEqual:
    case Comparison::kGreaterOrEqual:
    case Comparison::kBetween:
    case Comparison::kIn:
      return least;
    case Comparison::kGreater:
      return least ? Sum(*least, 1) : std::nullopt;
    case Comparison::kNotEqual:
      return least && *least == Number(0) ? std::optional(Number(1)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// True if the step's condition keeps what it subtracts from zero or above. A condition with a parameter is believed.
bool KeepsAboveZero(const WriteStep& step, const Increment& increment) {
  return std::ranges::any_of(step.guard, [&](const Condition& condition) {
    if (!(condition.attribute == increment.attribute)) {
      return false;
    }
    const bool asks = std::ranges::any_of(
        condition.operands, [](const Operand& operand) { return !operand.parameter.empty(); });
    const std::optional<Number> least = LeastUnder(condition);
    const std::optional<Number> left = least ? Sum(*least, increment.by) : std::nullopt;
    return asks || (left && *left >= Number(0));
  });
}

// Times that share more and more of their beginning with this one: the year, the month, the day, the hour, the minute.
std::vector<std::string> TimesNear(const std::string& text) {
  std::vector<std::string> near;
  for (const std::size_t digits : {std::size_t{5}, std::size_t{8}, std::size_t{11}, std::size_t{14}, std::size_t{17}}) {
    if (text.size() < digits + 2) {
      break;
    }
    std::string other = text;
    other.replace(digits, 2, text.compare(digits, 2, "01") == 0 ? "02" : "01");
    near.push_back(std::move(other));
  }
  return near;
}

class HostileMaker {
 public:
  HostileMaker(const Model& model, const Dataset& data) : model_(model) {
    out_.data = data;
    for (const Table& table : model.tables) {
      for (const ItemLayout& layout : table.items) {
        layouts_[model.RowsOf(layout.entity).name.text].push_back({&table, &layout});
      }
    }
  }

  HostileRows Run() {
    CheckSizes();
    CheckTimes();
    for (const Entity& entity : model_.entities) {
      if (out_.data.Of(entity.name.text).empty()) {
        continue;
      }
      KnowTaken(entity);
      const Row base = out_.data.Of(entity.name.text).front();
      AddValues(entity, base);
      AddSharedKeys(entity, base);
    }
    AddLimits();
    DeriveAggregates(model_, out_.data);
    return std::move(out_);
  }

 private:
  void Problem(std::string text) {
    if (std::ranges::find(out_.problems, text) == out_.problems.end()) {
      out_.problems.push_back(std::move(text));
    }
  }

  // ---- What the model allows and DynamoDB does not

  void CheckSizes() {
    for (const auto& [rows, layouts] : layouts_) {
      for (const Model::Placement& placement : layouts) {
        const std::string& layout = placement.layout->entity.text;
        const double largest = LargestItemBytes(model_, placement.layout->entity);
        if (largest > static_cast<double>(kItemBytesMax)) {
          Problem("an item of " + layout + " can have " + BytesText(largest) +
                  " by the stated sizes and bounds; DynamoDB stores 400 KB");
        }
      }
    }
  }

  // Text order is the order of time only while all times are written alike.
  void CheckTimes() {
    for (const Sample& sample : model_.samples) {
      const Entity& entity = model_.At(sample.entity);
      for (std::size_t i = 0; i < sample.columns.size(); ++i) {
        const Attribute* attribute = entity.Find(sample.columns[i].text);
        if (attribute != nullptr && attribute->type == AttributeType::kTime &&
            IsSorted(entity, attribute->name.text)) {
          CheckForms(entity, *attribute);
        }
      }
    }
  }

  // True if a key holds the attribute, or a pattern asks for an order or a range of it.
  bool IsSorted(const Entity& entity, const std::string& name) {
    const auto in_key = [&](const Model::Placement& placement) {
      return std::ranges::any_of(placement.layout->attributes, [&](const StoredAttribute& stored) {
        const std::vector<std::string> parts = stored.key.Attributes();
        return std::ranges::find(parts, name) != parts.end();
      });
    };
    const auto in_pattern = [&](const Pattern& pattern) {
      return std::ranges::any_of(pattern.sections, [&](const Section& section) {
        const auto is = [&](const auto& one) { return one.attribute.text == name; };
        return section.entity == entity.name && (std::ranges::any_of(section.order, is) ||
                                                 std::ranges::any_of(section.conditions, is));
      });
    };
    return std::ranges::any_of(layouts_[entity.name.text], in_key) ||
           std::ranges::any_of(model_.patterns, in_pattern);
  }

  void CheckForms(const Entity& entity, const Attribute& attribute) {
    const std::string* first = nullptr;
    for (const Row& row : out_.data.Of(entity.name.text)) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (value == nullptr || value->string() == nullptr || value->string()->empty()) {
        continue;
      }
      const std::string& text = *value->string();
      first = first == nullptr ? &text : first;
      const bool alike = text.size() == first->size() && text.back() == first->back();
      if (!alike || (text.size() > 19 && text.back() != 'Z')) {
        Problem(entity.name.text + "." + attribute.name.text + ": times as text sort by time only in one form, in UTC, with "
                "the same digits; here are " + Quoted(*first) + " and " + Quoted(text) +
                " (a fraction, a zone)");
        return;
      }
    }
  }

  // ---- Values

  bool Occurs(const Entity& entity, const Attribute& attribute,
              bool (*is)(const AttributeValue&)) const {
    const std::string& name = attribute.name.text;
    for (const Row& row : out_.data.Of(entity.name.text)) {
      const AttributeValue* value = row.Find(name);
      if (value != nullptr && is(*value)) {
        return true;
      }
    }
    for (const Write& write : model_.writes) {
      for (const WriteStep& step : write.steps) {
        for (const Increment& increment : step.increments) {
          if (step.entity == entity.name && increment.attribute.text == name &&
              !KeepsAboveZero(step, increment) &&
              is(AttributeValue(static_cast<std::int64_t>(increment.by)))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // 1,000 for `pad 3`: the first number that is wider than the keys of the entity pad it.
  std::set<std::int64_t> PadWidths(const Entity& entity, const std::string& attribute) const {
    std::set<std::int64_t> widths;
    const auto layouts = layouts_.find(entity.name.text);
    for (std::size_t i = 0; layouts != layouts_.end() && i < layouts->second.size(); ++i) {
      for (const StoredAttribute& stored : layouts->second[i].layout->attributes) {
        for (const TemplatePart& part : stored.key.parts) {
          if (part.attribute == attribute && part.transform == TemplateTransform::kPad &&
              part.argument <= kHostileDigitsMax) {
            widths.insert(static_cast<std::int64_t>(std::pow(10, part.argument)));
          }
        }
      }
    }
    return widths;
  }

  std::vector<AttributeValue> NumbersFor(const Entity& entity, const Attribute& attribute) const {
    std::vector<AttributeValue> values = {AttributeValue(9), AttributeValue(10), AttributeValue(0)};
    const double digits = attribute.size_max > 0 ? attribute.size_max : attribute.size_avg;
    if (digits > 0 && digits <= kHostileDigitsMax) {
      const auto beyond = static_cast<std::int64_t>(std::pow(10, digits));
      values.emplace_back(beyond - 1);
      values.emplace_back(beyond / 10);
      for (const std::int64_t width : PadWidths(entity, attribute.name.text)) {
        values.emplace_back(width - 1);
        values.emplace_back(width);
      }
      std::erase_if(values, [&](const AttributeValue& value) {
        return *value.number() >= Number(beyond);
      });
    }
    if (Occurs(entity, attribute, IsNegative)) {
      for (const int below : {-1, -2, -9, -10}) {
        values.emplace_back(below);
      }
    }
    if (Occurs(entity, attribute, HasFraction)) {
      for (const char* text : {"1.5", "9.25", "10.5"}) {
        values.emplace_back(*Number::Parse(text));
      }
    }
    return values;
  }

  // The texts that keys of the entity have after the attribute.
  std::set<std::string> Delimiters(const Entity& entity, const std::string& attribute) {
    std::set<std::string> delimiters;
    for (const Model::Placement& placement : layouts_[entity.name.text]) {
      for (const StoredAttribute& stored : placement.layout->attributes) {
        for (std::size_t i = 0; i + 1 < stored.key.parts.size(); ++i) {
          if (stored.key.parts[i].attribute == attribute) {
            delimiters.insert(stored.key.parts[i + 1].literal);
          }
        }
      }
    }
    delimiters.erase("");
    return delimiters;
  }

  std::vector<AttributeValue> TextsFor(const Entity& entity, const Attribute& attribute,
                                       const Row& base) {
    std::vector<AttributeValue> values;
    const AttributeValue* value = base.Find(attribute.name.text);
    const std::string text =
        value != nullptr && value->string() != nullptr ? *value->string() : "name";
    for (const std::string& one :
         {InCase(text, true), InCase(text, false), std::string("a"), std::string("B"),
          text + "0", text + " 1", text + "\xC3\xA9"}) {
      values.emplace_back(one);
    }
    for (const std::string& delimiter : Delimiters(entity, attribute.name.text)) {
      values.emplace_back(text + delimiter + "1");
    }
    if (attribute.size_max > 0 && attribute.size_max <= kHostileTextMax) {
      values.emplace_back(std::string(static_cast<std::size_t>(attribute.size_max), 'z'));
      std::erase_if(values, [&](const AttributeValue& one) {
        return static_cast<double>(one.string()->size()) > attribute.size_max;
      });
    }
    return values;
  }

  std::vector<AttributeValue> ValuesFor(const Entity& entity, const Attribute& attribute,
                                        const Row& base) {
    const AttributeTypeTraits& traits = TraitsOf(attribute.type);
    if (attribute.references || !attribute.values.empty()) {
      return {};
    }
    if (traits.stored == ValueType::kNumber) {
      return NumbersFor(entity, attribute);
    }
    if (traits.stored == ValueType::kString && traits.form == nullptr) {
      return TextsFor(entity, attribute, base);
    }
    return traits.form != nullptr ? MomentsFor(attribute, base) : std::vector<AttributeValue>();
  }

  static std::vector<AttributeValue> MomentsFor(const Attribute& attribute, const Row& base) {
    std::vector<AttributeValue> values;
    const AttributeValue* value = base.Find(attribute.name.text);
    if (value != nullptr && value->string() != nullptr) {
      for (std::string& text : TimesNear(*value->string())) {
        values.emplace_back(std::move(text));
      }
    }
    return values;
  }

  void AddValues(const Entity& entity, const Row& base) {
    for (const Attribute& attribute : entity.attributes) {
      for (AttributeValue& value : ValuesFor(entity, attribute, base)) {
        Row row = base;
        row.Set(attribute.name.text, value);
        refusal_.clear();
        Add(entity, std::move(row), attribute.is_key);
        // A text that would read as another key is refused on purpose; a number of the stated digits is not.
        if (!refusal_.empty() && value.number() != nullptr) {
          Problem("a row of " + entity.name.text + " with " + attribute.name.text + " = " +
                  value.number()->ToString() + ", which the model allows, cannot be stored: " +
                  refusal_);
        }
      }
    }
  }

  // Rows that share all but one part of a key with the first, and ids that other entities have too.
  void AddSharedKeys(const Entity& entity, const Row& base) {
    const std::vector<Row> rows = out_.data.Of(entity.name.text);
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.is_key) {
        continue;
      }
      int made = 0;
      for (const Row& other : rows) {
        const AttributeValue* value = other.Find(attribute.name.text);
        if (value == nullptr || made == 2) {
          continue;
        }
        Row row = base;
        row.Set(attribute.name.text, *value);
        made += Add(entity, std::move(row), true) ? 1 : 0;
      }
      if (!attribute.references && attribute.values.empty() &&
          attribute.type == AttributeType::kText) {
        Row row = base;
        row.Set(attribute.name.text, AttributeValue("same"));
        Add(entity, std::move(row), true);
      }
    }
  }

  // ---- Limits

  void AddLimits() {
    for (const Pattern& pattern : model_.patterns) {
      for (const Section& section : pattern.sections) {
        const Entity& entity = model_.At(section.entity);
        if (!section.limit || *section.limit > kLimitRowsMax || !section.via.text.empty() ||
            out_.data.Of(entity.name.text).empty()) {
          continue;
        }
        KnowTaken(entity);
        AddBeyondLimit(entity, section);
      }
    }
  }

  void AddBeyondLimit(const Entity& entity, const Section& section) {
    const Row base = out_.data.Of(entity.name.text).front();
    std::set<std::string> fixed;
    for (const Condition& condition : section.conditions) {
      fixed.insert(condition.attribute.text);
    }
    for (int i = 0; i < *section.limit + 2; ++i) {
      Row row = base;
      for (const Attribute& attribute : entity.attributes) {
        const bool ordered = std::ranges::any_of(section.order, [&](const OrderKey& key) {
          return key.attribute == attribute.name;
        });
        if ((attribute.is_key || ordered) && !attribute.references &&
            !fixed.contains(attribute.name.text) && attribute.values.empty()) {
          row.Set(attribute.name.text, Numbered(attribute, i));
        }
      }
      Add(entity, std::move(row), true);
    }
  }

  static AttributeValue Numbered(const Attribute& attribute, int number) {
    const AttributeTypeTraits& traits = TraitsOf(attribute.type);
    if (traits.stored == ValueType::kNumber) {
      const double digits = attribute.size_avg > 0 ? attribute.size_avg : kHostileDigitsMax;
      const auto beyond = static_cast<std::int64_t>(std::pow(10, std::min(digits, kHostileDigitsMax)));
      return AttributeValue(static_cast<std::int64_t>(number * 7) % beyond);
    }
    if (traits.form != nullptr) {
      return AttributeValue(traits.form(static_cast<std::uint64_t>(number) * 86'400 * 3));
    }
    return AttributeValue("n" + std::to_string(number));
  }

  // ---- Rows

  void KnowTaken(const Entity& entity) {
    taken_.clear();
    unique_.clear();
    for (const Row& row : out_.data.Of(entity.name.text)) {
      taken_.insert(TupleText(row, entity.KeyNames()));
      for (const Attribute& attribute : entity.attributes) {
        if (const AttributeValue* value = row.Find(attribute.name.text)) {
          unique_.insert(attribute.name.text + "\x01" + ValueText(*value));
        }
      }
    }
    one_to_one_ = false;
    for (const Relationship& relationship : model_.relationships) {
      one_to_one_ = one_to_one_ || (relationship.kind == RelationshipKind::kOneToOne &&
                                    (relationship.from == entity.name || relationship.to == entity.name));
    }
  }

  // A key in lower case is there to make values equal that differ in case. The second one is refused if every put of the
  // entity is one.
  bool IsFoldedTwin(const Entity& entity, const Row& row) {
    const bool guarded = std::ranges::none_of(model_.writes, [&](const Write& write) {
      return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
        return step.kind == WriteKind::kPut && step.entity == entity.name && !step.once;
      });
    });
    for (const Model::Placement& placement : layouts_[entity.name.text]) {
      const bool folds = std::ranges::any_of(placement.layout->attributes, [](const auto& stored) {
        return std::ranges::any_of(stored.key.parts, [](const TemplatePart& part) {
          return part.transform == TemplateTransform::kLower ||
                 part.transform == TemplateTransform::kUpper;
        });
      });
      const auto key = guarded && folds ? RenderPrimaryKey(placement, row) : std::nullopt;
      const auto same = [&](const Row& other) { return RenderPrimaryKey(placement, other) == key; };
      if (key && std::ranges::any_of(out_.data.Of(entity.name.text), same)) {
        return true;
      }
    }
    return false;
  }

  // False if there is such a row already, or it cannot be stored.
  bool Add(const Entity& entity, Row row, bool key_differs) {
    if (!key_differs && !Rekey(entity, row)) {
      return false;
    }
    if (one_to_one_ || taken_.contains(TupleText(row, entity.KeyNames())) || !MakeUnique(entity, row)) {
      return false;
    }
    for (const Model::Placement& placement : layouts_[entity.name.text]) {
      refusal_ = WhyNoKey(*placement.layout, row);
      if (!refusal_.empty()) {
        ++out_.refused;
        return false;
      }
      if (TooLong(entity, placement, row)) {
        return false;
      }
    }
    if (IsFoldedTwin(entity, row)) {
      ++out_.refused;
      return false;
    }
    taken_.insert(TupleText(row, entity.KeyNames()));
    ++out_.added;
    DeriveValues(entity, row);
    out_.data.rows[entity.name.text].push_back(std::move(row));
    return true;
  }

  // Another key, of the last part that is free.
  bool Rekey(const Entity& entity, Row& row) {
    for (auto attribute = entity.attributes.rbegin(); attribute != entity.attributes.rend(); ++attribute) {
      if (!attribute->is_key || attribute->references || !attribute->values.empty()) {
        continue;
      }
      for (int i = 0; i < 1'000; ++i) {
        row.Set(attribute->name.text, Numbered(*attribute, 200 + next_++));
        if (!taken_.contains(TupleText(row, entity.KeyNames()))) {
          return true;
        }
      }
    }
    return false;
  }

  bool MakeUnique(const Entity& entity, Row& row) {
    for (const Attribute& attribute : entity.attributes) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (!attribute.unique || attribute.is_key || value == nullptr) {
        continue;
      }
      if (unique_.contains(attribute.name.text + "\x01" + ValueText(*value))) {
        row.Set(attribute.name.text, Numbered(attribute, 500 + next_++));
      }
      if (!unique_.insert(attribute.name.text + "\x01" + ValueText(*row.Find(attribute.name.text))).second) {
        return false;
      }
    }
    return true;
  }

  bool TooLong(const Entity& entity, const Model::Placement& placement, const Row& row) {
    const auto key = RenderPrimaryKey(placement, row);
    for (const Name* name : {&placement.table->partition, &placement.table->sort}) {
      const AttributeValue* value = key && !name->text.empty() ? key->Find(name->text) : nullptr;
      const std::size_t most =
          name == &placement.table->sort ? kSortKeyBytesMax : kPartitionKeyBytesMax;
      if (value != nullptr && value->string() != nullptr && value->string()->size() > most) {
        Problem("a row of " + entity.name.text + " with the longest values has a " + name->text + " of " +
                FigureText(static_cast<double>(value->string()->size())) +
                " bytes, too long for a key: DynamoDB allows " + FigureText(static_cast<double>(most)));
        return true;
      }
    }
    return false;
  }

  const Model& model_;
  HostileRows out_;
  std::map<std::string, std::vector<Model::Placement>> layouts_;  // Keyed by the entity whose rows they hold.
  // Values of the current entity.
  std::set<std::string> taken_;
  std::set<std::string> unique_;
  bool one_to_one_ = false;
  int next_ = 0;
  std::string refusal_;  // Why a key refused the last row.
};

}  // namespace

HostileRows AddHostileRows(const Model& model, const Dataset& data) {
  return HostileMaker(model, data).Run();
}

}  // namespace prejoin::model
