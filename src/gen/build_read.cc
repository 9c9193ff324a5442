// The requests of a pattern: which key function renders which part of a key that the plan names.
#include <algorithm>

#include "gen/builder.h"
#include "model/plan/local_fetch.h"
#include "model/plan/planner.h"

namespace prejoin::gen {
namespace {

using EntityReference = model::Reference<model::Entity>;

class ReadBuilder {
 public:
  ReadBuilder(Builder& builder, const model::Plan& plan)
      : builder_(builder), model_(builder.model), plan_(plan) {}

  Read ReadOf(const model::Request& request) {
    Read read;
    const EntityReference& entity = plan_.sections[request.sections[0]].item_entity;
    read.get = request.kind == model::RequestKind::kGetItem;
    read.scan = request.kind == model::RequestKind::kScan;
    read.table = request.view.table->name.text;
    if (read.scan) {
      read.consistent = request.consistent;
      read.sections = request.sections;
      return read;
    }
    if (request.view.index != nullptr) {
      read.index = request.view.index->name.text;
    }
    const std::vector<model::Name> keys = request.view.PartitionKeys();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      read.equal.push_back({keys[i].text, CallOf(entity, keys[i].text, request.partition[i])});
    }
    read.shards = request.shards;
    const model::Entity& rows = model_.At(entity);
    for (const model::Operand& operand : request.in_operands) {
      read.each.push_back(ValueOf(operand, builder_.FieldOf(rows, request.in_attribute).type));
    }
    read.descending = request.descending;
    read.consistent = request.consistent;
    read.all_attributes = model::FetchesFromTable(plan_, request);
    read.limit = request.limit;
    read.sections = request.sections;
    AddSort(request, read);
    return read;
  }

 private:
  static bool IsOpenShard(const model::BoundPart& part) {
    return part.part.transform == model::TemplateTransform::kShard &&
           part.operand.parameter.empty() && part.operand.literal.is_null();
  }

  // How many parts of the template an expression has. A lone shard is a text in it, which joins with the texts beside it.
  static std::size_t CoveredParts(const model::KeyTemplate& key,
                                  const model::KeyExpression& expression) {
    if (std::none_of(key.parts.begin(), key.parts.end(), IsLoneShard)) {
      return expression.parts.size();
    }
    std::size_t covered = 0;
    for (const model::BoundPart& bound : expression.parts) {
      std::size_t text = bound.part.literal.size();
      covered += bound.part.is_literal() ? 0 : 1;
      for (; text > 0 && covered < key.parts.size(); ++covered) {
        const model::TemplatePart& part = key.parts[covered];
        text -= std::min(text, IsLoneShard(part) ? 1 : part.literal.size());
      }
    }
    return covered;
  }

  // The key of `entity` that a planner's expression stands for.
  KeyCall CallOf(const EntityReference& entity, const std::string& key,
                 model::KeyExpression expression) {
    KeyCall call;
    const model::StoredAttribute& stored = *model_.FindPlacement(entity).layout->Find(key);
    const model::Entity& rows = model_.At(entity);
    if (expression.natural) {
      const std::string& attribute = stored.key.parts[0].attribute;
      call.arguments.push_back(
          ValueOf(expression.parts[0].operand, builder_.FieldOf(rows, attribute).type));
      return call;
    }
    StripHigh(expression, call);
    if (expression.parts.empty()) {
      Value empty;
      empty.kind = Value::Kind::kLiteral;
      empty.literal = AttributeValue("");
      call.arguments.push_back(std::move(empty));
      return call;
    }
    const std::size_t parts = CoveredParts(stored.key, expression);
    const bool open = std::any_of(expression.parts.begin(), expression.parts.end(), IsOpenShard) ||
                      std::any_of(stored.key.parts.begin(), stored.key.parts.begin() + static_cast<std::ptrdiff_t>(parts), IsLoneShard);
    call.function = builder_.Function(entity, stored, parts, open);
    for (const Field& argument : call.function->arguments) {
      call.arguments.push_back(ArgumentOf(expression, argument));
    }
    return call;
  }

  Value ArgumentOf(const model::KeyExpression& expression, const Field& argument) const {
    for (const model::BoundPart& part : expression.parts) {
      if (part.part.is_literal()) {
        continue;
      }
      if (IsOpenShard(part)) {
        if (argument.name != kOpenShard) {
          continue;
        }
        Value shard;
        shard.kind = Value::Kind::kShard;
        return shard;
      }
      if (part.part.attribute == argument.name) {
        return ValueOf(part.operand, argument.type);
      }
    }
    return {};
  }

  static void StripHigh(model::KeyExpression& expression, KeyCall& call) {
    if (expression.parts.empty() || !expression.parts.back().part.is_literal()) {
      return;
    }
    std::string& literal = expression.parts.back().part.literal;
    if (!literal.ends_with(model::kHighText)) {
      return;
    }
    call.after = true;
    literal.resize(literal.size() - std::string_view(model::kHighText).size());
    if (literal.empty()) {
      expression.parts.pop_back();
    }
  }

  void AddSort(const model::Request& request, Read& read) {
    const std::vector<model::Name> keys = request.view.SortKeys();
    const model::SortRange& first = request.ranges[0];
    const EntityReference& entity = plan_.sections[request.sections[0]].item_entity;
    for (std::size_t i = 0; i < first.equal.size(); ++i) {
      read.equal.push_back({keys[i].text, CallOf(entity, keys[i].text, first.equal[i])});
    }
    if (keys.size() <= first.equal.size()) {
      return;
    }
    const std::string& key = keys[first.equal.size()].text;
    if (read.get) {
      read.equal.push_back({key, CallOf(entity, key, first.low)});
      return;
    }
    read.sort_attribute = key;
    std::vector<std::pair<EntityReference, model::KeyExpression>> lows;
    std::vector<std::pair<EntityReference, model::KeyExpression>> highs;
    bool open_low = false;
    bool open_high = false;
    for (std::size_t r = 0; r < request.ranges.size(); ++r) {
      const model::SortRange& range = request.ranges[r];
      if (range.kind == model::RangeKind::kAll) {
        return;
      }
      const EntityReference& owner = plan_.sections[request.sections[r]].item_entity;
      model::KeyExpression high = range.high;
      if (range.kind == model::RangeKind::kEqual) {
        high = range.low;
      }
      if (range.kind == model::RangeKind::kBeginsWith && !range.low.natural) {
        high = range.low;
        high.AddLiteral(model::kHighText);
      }
      range.low.empty() ? open_low = true : (lows.emplace_back(owner, range.low), true);
      high.empty() ? open_high = true : (highs.emplace_back(owner, high), true);
    }
    if (request.ranges.size() == 1 && first.kind == model::RangeKind::kBeginsWith) {
      read.test = SortTest::kBeginsWith;
      read.lows.push_back(CallOf(entity, key, first.low));
      return;
    }
    SetTest(key, open_low, open_high, lows, highs, read);
  }

  using Owned = std::pair<EntityReference, model::KeyExpression>;

  void SetTest(const std::string& key, bool open_low, bool open_high,
               const std::vector<Owned>& lows, const std::vector<Owned>& highs, Read& read) {
    for (const Owned* one : Extremes(lows, -1)) {
      read.lows.push_back(CallOf(one->first, key, one->second));
    }
    for (const Owned* one : Extremes(highs, 1)) {
      read.highs.push_back(CallOf(one->first, key, one->second));
    }
    const bool low = !open_low && !read.lows.empty();
    const bool high = !open_high && !read.highs.empty();
    if (!low) {
      read.lows.clear();
    }
    if (!high) {
      read.highs.clear();
    }
    if (low && high) {
      const bool same = lows.size() == 1 && highs.size() == 1 &&
                        model::SameExpression(lows[0].second, highs[0].second);
      read.test = same ? SortTest::kEqual : SortTest::kBetween;
    } else if (low) {
      read.test = SortTest::kAtLeast;
    } else if (high) {
      read.test = SortTest::kAtMost;
    }
  }

  // Candidates for the least (sign -1) or greatest (1): what is known without the arguments is left out.
  static std::vector<const Owned*> Extremes(const std::vector<Owned>& all, int sign) {
    std::vector<const Owned*> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool beaten = false;
      for (std::size_t j = 0; j < all.size() && !beaten; ++j) {
        if (i == j) {
          continue;
        }
        const auto order = model::CompareExpressions(all[i].second, all[j].second);
        beaten = order && (*order * sign < 0 || (*order == 0 && j < i));
      }
      if (!beaten) {
        kept.push_back(&all[i]);
      }
    }
    return kept;
  }

  Builder& builder_;
  const model::Model& model_;
  const model::Plan& plan_;
};

}  // namespace

Value ValueOf(const model::Operand& operand, AttributeType type) {
  Value value;
  value.type = type;
  if (operand.parameter.starts_with("in ")) {
    value.kind = Value::Kind::kEach;
  } else if (!operand.parameter.empty()) {
    value.name = operand.parameter;
  } else {
    value.kind = Value::Kind::kLiteral;
    value.literal = operand.literal;
  }
  return value;
}

Read Builder::ReadOf(const model::Plan& plan, const model::Request& request) {
  return ReadBuilder(*this, plan).ReadOf(request);
}

}  // namespace prejoin::gen
