// How AWS evaluates a condition. A clause has an operator, a key and values; it holds if one value of the request fits one of the policy's,
// or, for a negated operator, if none of the request's fits any. ForAllValues and ForAnyValue say how several values of the request
// count; without them a negated operator must hold for all. An absent key makes a clause false, but true for ForAllValues, for negated
// operators and with …IfExists. A value that cannot be read as the operator's type fits nothing.
//
// Patterns without variables are prepared with the policy; those with ${…} are filled for each request, and one whose variable has no
// single value fits nothing.
#include "access/condition.h"

#include <absl/strings/ascii.h>
#include <absl/strings/escaping.h>
#include <absl/strings/match.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_split.h>
#include <absl/time/time.h>
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <cstring>

#include "access/pattern.h"

namespace prejoin::access {
namespace {

// True if the request's value fits what the policy says. A value that cannot be read as the operator's type fits nothing.
using Fits = bool (*)(const std::string& value, const Pattern& wanted);

std::partial_ordering CompareNumbers(const std::string& value, const Pattern& wanted) {
  double left = 0;
  double right = 0;
  if (!absl::SimpleAtod(value, &left) || !absl::SimpleAtod(wanted.Text(), &right)) {
    return std::partial_ordering::unordered;
  }
  return left <=> right;
}

// A moment as ISO 8601 or in seconds since 1970.
std::optional<absl::Time> ReadTime(const std::string& text) {
  std::int64_t seconds = 0;
  if (absl::SimpleAtoi(text, &seconds)) {
    return absl::FromUnixSeconds(seconds);
  }
  for (const char* format : {"%Y-%m-%dT%H:%M:%E*S%Ez", "%Y-%m-%dT%H:%M%Ez", "%Y-%m-%d"}) {
    absl::Time time;
    std::string error;
    if (absl::ParseTime(format, text, &time, &error)) {
      return time;
    }
  }
  return std::nullopt;
}

std::partial_ordering CompareTimes(const std::string& value, const Pattern& wanted) {
  const auto left = ReadTime(value);
  const auto right = ReadTime(wanted.Text());
  if (!left || !right) {
    return std::partial_ordering::unordered;
  }
  return *left < *right   ? std::partial_ordering::less
         : *right < *left ? std::partial_ordering::greater
                          : std::partial_ordering::equivalent;
}

bool IsText(const std::string& value, const Pattern& wanted) { return wanted.Is(value); }

bool IsTextInAnyCase(const std::string& value, const Pattern& wanted) {
  return absl::EqualsIgnoreCase(value, wanted.Text());
}

bool IsLike(const std::string& value, const Pattern& wanted) { return wanted.Matches(value); }

// Each of the six parts of an ARN by itself: a star does not reach over a colon, but in the last part.
bool IsArnLike(const std::string& value, const Pattern& wanted) {
  constexpr int kArnParts = 6;
  const std::vector<std::string> left = absl::StrSplit(value, absl::MaxSplits(':', kArnParts - 1));
  const std::vector<Pattern> right = wanted.Split(':', kArnParts);
  return left.size() == kArnParts && right.size() == kArnParts &&
         std::ranges::equal(left, right, [](const std::string& part, const Pattern& pattern) {
           return pattern.Matches(part);
         });
}

bool IsBool(const std::string& value, const Pattern& wanted) {
  return absl::EqualsIgnoreCase(value, wanted.Text());
}

bool IsBinary(const std::string& value, const Pattern& wanted) {
  std::string left;
  std::string right;
  return absl::Base64Unescape(value, &left) && absl::Base64Unescape(wanted.Text(), &right) &&
         left == right;
}

struct Address {
  int family = 0;
  std::array<unsigned char, 16> bytes = {};
  int bits = 0;
};

std::optional<Address> ReadAddress(const std::string& text) {
  for (const auto& [family, bits] : {std::pair(AF_INET, 32), std::pair(AF_INET6, 128)}) {
    Address address{.family = family, .bits = bits};
    if (inet_pton(family, text.c_str(), address.bytes.data()) == 1) {
      return address;
    }
  }
  return std::nullopt;
}

// "203.0.113.0/24", or one address.
bool IsInNetwork(const std::string& value, const Pattern& wanted) {
  const std::vector<std::string> network = absl::StrSplit(wanted.Text(), absl::MaxSplits('/', 1));
  const auto address = ReadAddress(value);
  const auto base = ReadAddress(network[0]);
  if (!address || !base || address->family != base->family) {
    return false;
  }
  int bits = base->bits;
  if (network.size() > 1 &&
      (!absl::SimpleAtoi(network[1], &bits) || bits < 0 || bits > base->bits)) {
    return false;
  }
  for (int bit = 0; bit < bits; ++bit) {
    const auto at = static_cast<std::size_t>(bit / 8);
    const int mask = 0x80 >> (bit % 8);
    if (((address->bytes[at] ^ base->bytes[at]) & mask) != 0) {
      return false;
    }
  }
  return true;
}

template <std::partial_ordering (*compare)(const std::string&, const Pattern&), bool less,
          bool equal, bool greater>
bool Compares(const std::string& value, const Pattern& wanted) {
  const std::partial_ordering order = compare(value, wanted);
  return (less && order < 0) || (equal && order == 0) || (greater && order > 0);
}

}  // namespace

struct ConditionOperator {
  std::string_view name;
  Fits fits = nullptr;  // Null: Null itself, which asks whether there is a value.
  bool negated =
      false;  // Holds where none of the policy's values fits; so also for a key that does not exist.
};

namespace {

constexpr ConditionOperator kOperators[] = {
    {"StringEquals", IsText},
    {"StringNotEquals", IsText, true},
    {"StringEqualsIgnoreCase", IsTextInAnyCase},
    {"StringNotEqualsIgnoreCase", IsTextInAnyCase, true},
    {"StringLike", IsLike},
    {"StringNotLike", IsLike, true},
    {"NumericEquals", Compares<CompareNumbers, false, true, false>},
    {"NumericNotEquals", Compares<CompareNumbers, false, true, false>, true},
    {"NumericLessThan", Compares<CompareNumbers, true, false, false>},
    {"NumericLessThanEquals", Compares<CompareNumbers, true, true, false>},
    {"NumericGreaterThan", Compares<CompareNumbers, false, false, true>},
    {"NumericGreaterThanEquals", Compares<CompareNumbers, false, true, true>},
    {"DateEquals", Compares<CompareTimes, false, true, false>},
    {"DateNotEquals", Compares<CompareTimes, false, true, false>, true},
    {"DateLessThan", Compares<CompareTimes, true, false, false>},
    {"DateLessThanEquals", Compares<CompareTimes, true, true, false>},
    {"DateGreaterThan", Compares<CompareTimes, false, false, true>},
    {"DateGreaterThanEquals", Compares<CompareTimes, false, true, true>},
    {"Bool", IsBool},
    {"BinaryEquals", IsBinary},
    {"IpAddress", IsInNetwork},
    {"NotIpAddress", IsInNetwork, true},
    {"ArnEquals", IsArnLike},
    {"ArnNotEquals", IsArnLike, true},
    {"ArnLike", IsArnLike},
    {"ArnNotLike", IsArnLike, true},
    {"Null", nullptr},
};

bool HoldsForNull(const ConditionClause& clause, const std::vector<std::string>* values) {
  const bool absent = values == nullptr || values->empty();
  return std::ranges::any_of(clause.values, [&](const std::string& wanted) {
    return absl::EqualsIgnoreCase(wanted, absent ? "true" : "false");
  });
}

// One value of the request against all of the policy's: one must fit, or for a negated operator none.
class ValueTest {
 public:
  ValueTest(const ConditionClause& clause, const ConditionKeys& keys, Doubt doubt)
      : clause_(clause), doubt_(doubt) {
    const auto variable = [&](std::string_view name) -> std::optional<std::string> {
      const auto* values = keys.Find(name);
      return values != nullptr && values->size() == 1 ? std::optional(values->front())
                                                      : std::nullopt;
    };
    for (std::size_t i = 0; i < clause.values.size(); ++i) {
      if (!clause.patterns[i]) {
        if (auto pattern = Pattern::Fill(clause.values[i], variable)) {
          filled_.push_back(*std::move(pattern));
        } else {
          lacks_value_ = true;
        }
      }
    }
  }
  bool operator()(const std::string& value) const {
    const auto fits_one = [&](const Pattern& wanted) {
      return clause_.tested_by->fits(value, wanted);
    };
    const bool fits = std::ranges::any_of(filled_, fits_one) ||
                      std::ranges::any_of(clause_.patterns, [&](const auto& ready) {
                        return ready && fits_one(*ready);
                      });
    // A key that the caller lacks says nothing about "not equal".
    if (clause_.tested_by->negated && !fits && lacks_value_) {
      return doubt_ == Doubt::kHolds;
    }
    return fits != clause_.tested_by->negated;
  }

 private:
  const ConditionClause& clause_;
  const Doubt doubt_;
  bool lacks_value_ = false;
  std::vector<Pattern> filled_;  // Patterns whose variables are filled in.
};

}  // namespace

void ConditionClause::Prepare() {
  for (const std::string& value : values) {
    const bool is_fixed = !has_variables || value.find("${") == std::string::npos;
    patterns.push_back(is_fixed ? std::optional(Pattern::Plain(value)) : std::nullopt);
  }
}

ConditionKeys::Key* ConditionKeys::FindKnown(std::string_view name) const {
  const auto found = std::ranges::find_if(known_, [&](const Key& key) {
    return std::ranges::equal(key.name, name, [](char a, char b) {
      return a == b || absl::ascii_tolower(static_cast<unsigned char>(a)) ==
                           absl::ascii_tolower(static_cast<unsigned char>(b));
    });
  });
  return found == known_.end() ? nullptr : &*found;
}

void ConditionKeys::Set(std::string_view name, std::vector<std::string> values) {
  Key* known = FindKnown(name);
  if (known == nullptr) {
    known = &known_.emplace_back(Key{std::string(name), {}, std::nullopt});
    known->name = known->own_name;
  }
  known->values = std::move(values);
}

const std::vector<std::string>* ConditionKeys::Find(std::string_view name) const {
  Key* known = FindKnown(name);
  if (known == nullptr && source_) {
    known = &known_.emplace_back(Key{{}, name, (*source_)(name)});
  }
  return known != nullptr && known->values ? &*known->values : nullptr;
}

const ConditionOperator* FindConditionOperator(std::string_view name) {
  const auto found = std::ranges::find_if(kOperators, [&](const ConditionOperator& one) {
    return absl::EqualsIgnoreCase(std::string(one.name), std::string(name));
  });
  return found == std::end(kOperators) ? nullptr : &*found;
}

bool Holds(const ConditionClause& clause, const ConditionKeys& keys, Doubt doubt) {
  const std::vector<std::string>* values = keys.Find(clause.key);
  if (clause.tested_by->fits == nullptr) {
    return HoldsForNull(clause, values);
  }
  const ValueTest test(clause, keys, doubt);
  if (values == nullptr || values->empty()) {
    switch (clause.quantifier) {
      case Quantifier::kForAllValues:
        return true;  // AWS says so: all of nothing.
      case Quantifier::kForAnyValue:
        return clause.if_exists;
      case Quantifier::kNone:
        return clause.if_exists || clause.tested_by->negated;
    }
  }
  // AWS does not say what several values mean without a quantifier: where they differ, the clause is in doubt.
  const bool all = clause.quantifier == Quantifier::kForAllValues ||
                   (clause.quantifier == Quantifier::kNone && doubt == Doubt::kFails);
  return all ? std::ranges::all_of(*values, test) : std::ranges::any_of(*values, test);
}

}  // namespace prejoin::access
