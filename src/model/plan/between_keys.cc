// Keys are compared with a bound as text, part by part, as far as both are known: literals by their letters, attributes
// that the partition fixes by the parameter that stands for them. The first place where an item's attribute meets
// another value decides by its share: as many as have that very value go on to the next place, half of the others are
// above the key of any one of them, and a range keeps what its share says.
#include "model/plan/between_keys.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace prejoin::model {
namespace {

constexpr double kUnknownShare = 0.5;

// Reads a key part by part; a literal may be taken in pieces.
template <class Parts, class LiteralOf>
class PartReader {
 public:
  PartReader(const Parts& parts, LiteralOf literal_of) : parts_(parts), literal_of_(literal_of) {}

  bool done() const { return at_ >= parts_.size(); }
  bool at_literal() const { return literal_of_(parts_[at_]) != nullptr; }
  const auto& part() const { return parts_[at_]; }
  std::string_view rest() const {
    return std::string_view(*literal_of_(parts_[at_])).substr(taken_);
  }
  void Take(std::size_t letters) {
    taken_ += letters;
    if (taken_ >= literal_of_(parts_[at_])->size()) {
      Next();
    }
  }
  void Next() {
    ++at_;
    taken_ = 0;
  }

 private:
  const Parts& parts_;
  const LiteralOf literal_of_;
  std::size_t at_ = 0;
  std::size_t taken_ = 0;
};

bool SameOperand(const Operand& a, const Operand& b) {
  return a.parameter == b.parameter && (!a.parameter.empty() || a.literal == b.literal);
}

bool FitsKey(const KeyTemplate& key, const KeyExpression& expression) {
  if (key.natural || expression.natural) {
    return key.natural == expression.natural;
  }
  if (key.parts.size() != expression.parts.size()) {
    return false;
  }
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    const TemplatePart& bound = expression.parts[i].part;
    if (key.parts[i].is_literal() != bound.is_literal() || key.parts[i].literal != bound.literal) {
      return false;
    }
  }
  return true;
}

}  // namespace

namespace {

// True if the values of a part begin with a digit.
bool BeginsWithDigit(const Entity& entity, const TemplatePart& part) {
  const Attribute* attribute = entity.Find(part.attribute);
  return part.transform == TemplateTransform::kPad ||
         part.transform == TemplateTransform::kDescending ||
         part.transform == TemplateTransform::kShard ||
         (attribute != nullptr && TraitsOf(attribute->type).moment);
}

// The order of a literal and of values that begin with a digit; a literal of zeros alone is the least number.
std::optional<int> OrderOfLiteral(std::string_view literal) {
  const char first = literal.empty() ? '\0' : literal[0];
  if (first < '0' || literal.find_first_not_of('0') == std::string_view::npos) {
    return -1;
  }
  return first > '9' ? std::optional(1) : std::nullopt;
}

}  // namespace

std::optional<int> OrderOfLayouts(const Model& model, const ItemLayout& one,
                                  const ItemLayout& other, const View& view) {
  const std::vector<Name> sort = view.SortKeys();
  const StoredAttribute* a = sort.size() == 1 ? one.Find(sort[0].text) : nullptr;
  const StoredAttribute* b = sort.size() == 1 ? other.Find(sort[0].text) : nullptr;
  if (a == nullptr || b == nullptr || a->key.parts.empty() || b->key.parts.empty()) {
    return std::nullopt;
  }
  const TemplatePart& first = a->key.parts[0];
  const TemplatePart& second = b->key.parts[0];
  const std::string_view text = first.literal;
  const std::string_view more = second.literal;
  if (!first.is_literal() || !second.is_literal()) {
    if (first.is_literal() && BeginsWithDigit(model.RowsOf(other.entity), second)) {
      return OrderOfLiteral(text);
    }
    if (second.is_literal() && BeginsWithDigit(model.RowsOf(one.entity), first)) {
      const std::optional<int> order = OrderOfLiteral(more);
      return order ? std::optional(-*order) : std::nullopt;
    }
    return std::nullopt;
  }
  const std::size_t common = std::min(text.size(), more.size());
  const int order = text.substr(0, common).compare(more.substr(0, common));
  if (order != 0) {
    return order;
  }
  // `v0` and `v{no pad 5}`.
  const auto behind = [&](const ItemLayout& layout, const KeyTemplate& key, std::string_view rest) {
    return key.parts.size() > 1 && BeginsWithDigit(model.RowsOf(layout.entity), key.parts[1])
               ? OrderOfLiteral(rest)
               : std::nullopt;
  };
  if (text.size() > common) {
    return behind(other, b->key, text.substr(common));
  }
  if (more.size() > common) {
    const std::optional<int> reversed = behind(one, a->key, more.substr(common));
    return reversed ? std::optional(-*reversed) : std::nullopt;
  }
  return std::nullopt;
}

KeyExpression LowOf(const SortRange& range) {
  return range.kind == RangeKind::kAll ? KeyExpression{} : range.low;
}

KeyExpression HighOf(const SortRange& range) {
  if (range.kind == RangeKind::kAll) {
    return {};
  }
  KeyExpression high = range.kind == RangeKind::kBetween ? range.high : range.low;
  if (range.kind == RangeKind::kBeginsWith) {
    high.AddLiteral(kHighText);
  }
  return high;
}

KeysInPartition::KeysInPartition(const ItemLayout& layout, const Request& request,
                                 ShareBeside beside, ShareEqualTo equal_to)
    : request_(request), beside_(std::move(beside)), equal_to_(std::move(equal_to)) {
  const std::vector<Name> keys = request.view.PartitionKeys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const StoredAttribute* stored = layout.Find(keys[i].text);
    if (stored == nullptr || i >= request.partition.size() ||
        !FitsKey(stored->key, request.partition[i])) {
      return;
    }
    for (std::size_t part = 0; part < stored->key.parts.size(); ++part) {
      if (!stored->key.parts[part].is_literal()) {
        fixed_[stored->key.parts[part].label()] = request.partition[i].parts[part].operand;
      }
    }
  }
  const std::vector<Name> sort = request.view.SortKeys();
  for (const Name& name : sort) {
    if (layout.Find(name.text) == nullptr) {
      return;
    }
  }
  fits_ = true;
  if (sort.size() == 1) {
    sort_ = &layout.Find(sort[0].text)->key;
  }
}

double KeysInPartition::ShareOn(Side side, const KeyExpression& bound) const {
  const bool up = side == Side::kAtOrAbove;
  const double greater = up ? 1 : 0;  // The item's key is greater than the bound.
  const double less = 1 - greater;
  if (bound.empty()) {
    return 1;
  }
  const auto key_literal = [](const TemplatePart& part) {
    return part.is_literal() ? &part.literal : nullptr;
  };
  const auto bound_literal = [](const BoundPart& one) {
    return one.part.is_literal() ? &one.part.literal : nullptr;
  };
  PartReader key(sort_->parts, key_literal);
  PartReader other(bound.parts, bound_literal);
  double beyond = 0;  // Items that differ from the bound already, on the right side.
  double level = 1;   // Items that do not differ so far.
  while (!key.done() && !other.done()) {
    if (key.at_literal() && other.at_literal()) {
      const std::size_t common = std::min(key.rest().size(), other.rest().size());
      const int order = key.rest().substr(0, common).compare(other.rest().substr(0, common));
      if (order != 0) {
        return beyond + level * (order > 0 ? greater : less);
      }
      key.Take(common);
      other.Take(common);
      continue;
    }
    if (other.at_literal()) {
      // Nothing sorts after the end of a range.
      return beyond + level * (other.rest().starts_with(kHighText) ? less : kUnknownShare);
    }
    if (key.at_literal()) {
      return beyond + level * kUnknownShare;
    }
    const auto fixed = fixed_.find(key.part().label());
    if (fixed == fixed_.end() || !SameOperand(fixed->second, other.part().operand)) {
      const double same = equal_to_(key.part().label(), other.part().operand);
      if (same <= 0) {
        return beyond + level * beside_(other.part().operand, side);
      }
      beyond += level * (1 - same) / 2;
      level *= same;
    }
    key.Next();
    other.Next();
  }
  if (key.done() && other.done()) {
    return beyond + level;
  }
  return beyond + level * (key.done() ? less : greater);
}

double KeysInPartition::ShareFromLow() const {
  double share = 0;
  for (const SortRange& range : request_.ranges) {
    share = std::max(share, ShareOn(Side::kAtOrAbove, LowOf(range)));
  }
  return share;
}

double KeysInPartition::ShareToHigh() const {
  double share = 0;
  for (const SortRange& range : request_.ranges) {
    share = std::max(share, ShareOn(Side::kAtOrBelow, HighOf(range)));
  }
  return share;
}

double KeysInPartition::ShareRead() const {
  if (sort_ == nullptr) {
    return 1;
  }
  return std::max(0.0, ShareFromLow() + ShareToHigh() - 1);
}

double KeysInPartition::ShareBefore(const SortRange& range) const {
  if (sort_ == nullptr) {
    return 0;
  }
  if (range.kind == RangeKind::kAll) {
    return 0;
  }
  const double before = request_.descending ? 1 - ShareOn(Side::kAtOrBelow, HighOf(range))
                                            : 1 - ShareOn(Side::kAtOrAbove, LowOf(range));
  const double read = request_.descending ? ShareToHigh() : ShareFromLow();
  return std::max(0.0, before + read - 1);
}

}  // namespace prejoin::model
