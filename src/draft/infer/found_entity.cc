#include "draft/infer/found_entity.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr double kMostly = 0.85;
constexpr std::size_t kValuesListed = 8;
constexpr std::int64_t kRowsForValues = 50;

// Literals that say where in a collection an item stands, not what it is.
bool IsFiller(std::string_view word) {
  static const std::set<std::string, std::less<>> kFillers = {
      "METADATA", "META", "PROFILE", "INFO", "DETAIL", "DETAILS", "ROOT", "A", "DATA", ""};
  return kFillers.contains(Uppered(word));
}

// The literal that names the last thing in a key; of several in a row the first: ENROLL#CRS#… is an
// enrolment.
std::string LastLiteral(const std::vector<ShapePart>& parts) {
  std::string last;
  bool behind_literal = false;
  for (const ShapePart& part : parts) {
    const bool literal = !part.is_value && !IsFiller(part.literal);
    if (literal && !behind_literal) {
      last = part.literal;
    }
    behind_literal = literal;
  }
  return last;
}

std::string Escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

// Puts the templates of one shape together.
class TemplateBuilder {
 public:
  TemplateBuilder(const Shape& shape, const DraftTable& table, const EntityNaming& naming,
                  FoundEntity& found)
      : shape_(shape), table_(table), naming_(naming), found_(found) {
    for (const auto& [name, stats] : shape.stats.attributes) {
      taken_.insert(name);
    }
  }

  // The template of a key whose parts are known, as it follows the `=`; empty if the key is
  // simply an attribute of that name.
  std::string TableKey(const std::string& key, const std::vector<ShapePart>& path) {
    const std::vector<TokenStats>* parts = shape_.stats.Parts(key);
    if (parts == nullptr || parts->size() != path.size()) {
      return "";
    }
    return Build(key, path, *parts, /*in_table_key=*/true);
  }

  std::string IndexKey(const std::string& key) {
    const std::vector<TokenStats>* parts = shape_.stats.Parts(key);
    if (parts == nullptr) {
      return "";
    }
    const auto present = shape_.stats.attributes.find(key);
    if (present == shape_.stats.attributes.end() ||
        static_cast<double>((*parts)[0].count) <
            kMostly * static_cast<double>(present->second.count)) {
      return "";
    }
    std::vector<ShapePart> path;
    for (const TokenStats& part : *parts) {
      const bool word = IsWordToken(part.first) && part.distinct.Distinct() == 1;
      const bool literal = word && (IsMarker(part.first) || !part.delimiter.empty()) &&
                           Matched("", part, /*in_table_key=*/false).empty();
      path.push_back({literal ? part.first : "", !literal, part.delimiter});
    }
    return Build(key, path, *parts, /*in_table_key=*/false);
  }

  const std::vector<std::string>& invented() const { return invented_; }

 private:
  std::string Build(const std::string& key, const std::vector<ShapePart>& path,
                    const std::vector<TokenStats>& parts, bool in_table_key) {
    const auto numeric = shape_.stats.numeric_keys.find(key);
    const bool is_number =
        numeric != shape_.stats.numeric_keys.end() && numeric->second * 2 > parts[0].count;
    const bool single = path.size() == 1 && path[0].is_value;
    if (single && !IsGenericKeyName(key) && path[0].form.empty()) {
      if (in_table_key) {
        AddVariable(key, "", parts[0]);
      }
      return "";
    }
    std::string out;
    std::string before;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const bool version = parts[i].first.size() == 2 && parts[i].distinct.Distinct() == 1 &&
                           (parts[i].first[0] | 0x20) == 'v' && parts[i].first[1] >= '0' &&
                           parts[i].first[1] <= '9';
      if (!path[i].is_value || (version && path[i].form.empty())) {
        const std::string literal = path[i].is_value ? parts[i].first : path[i].literal;
        out += Escaped(literal) + path[i].delimiter;
        if (!literal.empty()) {
          before = literal;
        }
        continue;
      }
      const std::string prefix = path[i].form.empty() ? CommonPrefix(parts[i]) : "";
      if (!prefix.empty()) {
        before = prefix.substr(0, prefix.size() - 1);
      }
      const std::string stated = Stated(path[i].form, parts[i], in_table_key);
      const std::string form =
          !stated.empty() ? stated : Variable(key, i, parts[i], before, in_table_key);
      slots_["@" + key + "." + std::to_string(i)] = form;
      if (in_table_key) {
        AddVariable(form.substr(0, form.find(' ')), before, parts[i]);
      }
      if (form.starts_with("shard ")) {
        out += "{" + form + "}" + path[i].delimiter;
        continue;
      }
      if (!in_table_key) {
        NoteDomain(form.substr(0, form.find(' ')), before, parts[i].distinct);
      }
      if (is_number && single) {
        return form;
      }
      out += Escaped(prefix) + "{" + form + "}" + path[i].delimiter;
      before.clear();
    }
    return "\"" + out + "\"";
  }

  // ElectroDB writes `store_7` between its delimiters: the name is part of the literal.
  static std::string CommonPrefix(const TokenStats& part) {
    if (part.count < 3 || part.distinct.Distinct() < 3 || !Exact(part).empty()) {
      return "";
    }
    const std::size_t end = part.first.substr(0, part.common).rfind('_');
    if (end == std::string::npos || end < 2) {
      return "";
    }
    return IsWordToken(part.first.substr(0, end)) ? part.first.substr(0, end + 1) : "";
  }

  static std::string Exact(const TokenStats& part) {
    for (const auto& [name, times] : part.matches) {
      if (name[0] != '@' &&
          static_cast<double>(times) >= kMostly * static_cast<double>(part.count)) {
        return name;
      }
    }
    return "";
  }

  // True if no item has the attribute with another value than the part. Only then is a key of such attributes unique as the table's
  // key is: different parts come from different values.
  bool AlwaysEqual(const std::string& name, std::int64_t times, const TokenStats& part) const {
    const auto stats = shape_.stats.attributes.find(name);
    return stats != shape_.stats.attributes.end() &&
           times >= std::min(stats->second.count, part.count);
  }

  // The attribute that the part is equal to, with its transform; empty if there is none. If there are several, the
  // one named `id`, because other values are equal by accident. The parts of the table's key must be
  // equal in every item that has it.
  std::string Matched(const std::string& key, const TokenStats& part, bool in_table_key) {
    std::string best;
    int best_score = -1;
    for (const auto& [form, counted] : part.matches) {
      const std::string name = form.substr(0, form.find(' '));
      if (form[0] == '@' || name == naming_.type_attribute || !IsName(name)) {
        continue;
      }
      // A number that fills the width is equal as it is: 07 and 12 are both `pad 2`.
      const bool padded = form == name + " pad " + std::to_string(part.shortest);
      const auto unpadded = part.matches.find(name);
      const std::int64_t times =
          counted + (padded && unpadded != part.matches.end() ? unpadded->second : 0);
      if (static_cast<double>(times) < kMostly * static_cast<double>(part.count)) {
        continue;
      }
      if (in_table_key && !AlwaysEqual(name, times, part)) {
        const auto stats = shape_.stats.attributes.find(name);
        const std::int64_t held = stats != shape_.stats.attributes.end() ? stats->second.count : 0;
        found_.entity.notes.push_back("`" + name + "` is not part of the key: it is in " + key +
                                      " of " + std::to_string(times) + " items, and " +
                                      std::to_string(std::min(held, part.count) - times) +
                                      " have another value.");
        continue;
      }
      const std::string lower = Lowered(name);
      int score = lower.find("id") != std::string::npos ? 2 : 0;
      score += padded ? 4 : form == name ? 3 : 0;
      score += found_.domains.contains(name) ? 1 : 0;
      if (score > best_score) {
        best = form;
        best_score = score;
      }
    }
    return best;
  }

  std::string Variable(const std::string& key, std::size_t i, const TokenStats& part,
                       const std::string& before, bool in_table_key) {
    std::string form = Matched(key, part, in_table_key);
    if (form.empty()) {
      for (const auto& [name, times] : part.matches) {
        const auto known = slots_.find(name);
        const double enough = (in_table_key ? 1 : kMostly) * static_cast<double>(part.count);
        if (known != slots_.end() && static_cast<double>(times) >= enough) {
          form = known->second;
        }
      }
    }
    if (form.empty() && !in_table_key) {
      form = Sharded(part);
    }
    if (form.empty()) {
      form = Invent(key, i, part, before);
    }
    return form;
  }

  // A small number that follows from an attribute, or from a part of the table's key, in every item.
  std::string Sharded(const TokenStats& part) const {
    for (const auto& [name, numbers] : part.shards) {
      const int shards = part.ShardsOf(name);
      const auto slot = slots_.find(name);
      const std::string of = name[0] == '@' ? (slot != slots_.end() ? slot->second : "") : name;
      if (shards > 0 && IsName(of) && of != naming_.type_attribute) {
        return "shard " + std::to_string(shards) + " of " + of;
      }
    }
    return "";
  }

  // The stated meaning of a part, if the items agree: an attribute that they have must be equal to it, and one that
  // they do not have is made up under that name. Empty if nobody said it, or the items do not agree.
  std::string Stated(const std::string& form, const TokenStats& part, bool in_table_key) {
    const std::string name = form.substr(0, form.find(' '));
    if (name.empty() || !IsName(name)) {
      return "";
    }
    const bool known = std::find(invented_.begin(), invented_.end(), name) != invented_.end();
    if (known || form.find(" shard ") != std::string::npos) {
      return form;
    }
    if (shape_.stats.attributes.contains(name)) {
      std::int64_t equal = 0;
      for (const auto& [one, times] : part.matches) {
        if (one.substr(0, one.find(' ')) == name) {
          equal += times;
        }
      }
      const bool agree = static_cast<double>(equal) >= kMostly * static_cast<double>(part.count);
      return agree && (!in_table_key || AlwaysEqual(name, equal, part)) ? form : "";
    }
    if (!taken_.insert(name).second) {
      return "";
    }
    AddInvented(name, part, /*number=*/form.find(" pad ") != std::string::npos);
    return form;
  }

  // The name that the hint of this key gives to its part `i`; empty if it gives none.
  std::string Hinted(const std::string& key, std::size_t i) const {
    const auto hint = naming_.hints.find(key);
    if (hint == naming_.hints.end() || hint->second == key) {
      return "";
    }
    const std::vector<KeyToken> tokens = SplitKey(hint->second, "#|:");
    const std::vector<TokenStats>* parts = shape_.stats.Parts(key);
    if (parts == nullptr || tokens.size() != parts->size() || IsMarker(tokens[i].text)) {
      return "";
    }
    return ToAttributeName(tokens[i].text);
  }

  std::string Invent(const std::string& key, std::size_t i, const TokenStats& part,
                     const std::string& before) {
    const bool timely = (part.dates + part.times) * 2 > part.count;
    std::string name = Hinted(key, i);
    if (name.empty()) {
      name = ToAttributeName(!before.empty() ? before : key);
      if (before.empty() || IsFiller(before)) {
        name = key == table_.sort ? "item" : ToAttributeName(found_.entity.name);
      }
      name += timely ? (part.dates > part.times ? "Date" : "Time") : "Id";
    }
    name = UniqueName(name, taken_);
    AddInvented(name, part, /*number=*/false);
    return name;
  }

  void AddInvented(const std::string& name, const TokenStats& part, bool number) {
    const bool timely = (part.dates + part.times) * 2 > part.count;
    invented_.push_back(name);
    DraftAttribute attribute;
    attribute.name = name;
    attribute.type = number   ? "number"
                     : timely ? (part.dates > part.times ? "date" : "time")
                              : "text";
    if (!timely && !number) {
      attribute.size = static_cast<double>(part.first.size());
    }
    attribute.note = "only in the keys";
    found_.entity.attributes.push_back(std::move(attribute));
  }

  void NoteDomain(const std::string& name, const std::string& before, const Sketch& values) {
    if (!before.empty()) {
      found_.domains.try_emplace(name, before);
    }
    found_.values.try_emplace(name, values);
  }

  void AddVariable(const std::string& name, const std::string& before, const TokenStats& part) {
    NoteDomain(name, before, part.distinct);
    EachOnce::Answer& answer =
        found_.each_once.try_emplace(name, part.each_once.answer()).first->second;
    if (part.each_once.answer() == EachOnce::Answer::kYes) {
      answer = EachOnce::Answer::kYes;
    }
    if (std::find(found_.variables.begin(), found_.variables.end(), name) ==
        found_.variables.end()) {
      found_.variables.push_back(name);
    }
  }

  const Shape& shape_;
  const DraftTable& table_;
  const EntityNaming& naming_;
  FoundEntity& found_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> slots_;  // "@PK.1" → attribute with its transform.
  std::vector<std::string> invented_;
};

std::string TypeOf(const AttributeStats& stats) {
  switch (stats.Type()) {
    case ValueType::kString:
      if (stats.dates * 10 >= stats.count * 9) {
        return "date";
      }
      return stats.times * 10 >= stats.count * 9 ? "time" : "text";
    case ValueType::kNumber:
      return "number";
    case ValueType::kBinary:
    case ValueType::kBinarySet:
      return "binary";
    case ValueType::kBool:
      return "bool";
    case ValueType::kList:
      return "list";
    case ValueType::kMap:
      return "map";
    case ValueType::kStringSet:
      return "text-set";
    case ValueType::kNumberSet:
      return "number-set";
    case ValueType::kNull:
      break;
  }
  return "text";
}

std::string Percent(std::int64_t part, std::int64_t whole) {
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  std::string text = std::to_string(std::round(share * 10) / 10);
  text = text.substr(0, text.find('.') + 2);
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " %";
}

DraftAttribute MakeAttribute(const std::string& name, const AttributeStats& stats,
                             std::int64_t items, bool counts) {
  DraftAttribute attribute;
  attribute.name = name;
  attribute.type = TypeOf(stats);
  attribute.size = stats.bytes / static_cast<double>(stats.count);
  attribute.size_max = 0;
  attribute.optional = stats.count < items;
  if (attribute.type == "text" && stats.values.size() <= kValuesListed &&
      stats.count >= kRowsForValues && stats.distinct.Distinct() <= kValuesListed) {
    attribute.values.assign(stats.values.begin(), stats.values.end());
  }
  const std::int64_t of_type = stats.types[static_cast<std::size_t>(stats.Type())];
  if (of_type < stats.count) {
    attribute.note = Percent(stats.count - of_type, stats.count) + " have another type";
  } else if (attribute.optional && counts) {
    attribute.share = static_cast<double>(stats.count) / static_cast<double>(items);
  }
  return attribute;
}

// True if clearly fewer items have the key than have the attributes in its template.
bool IsSparse(const ShapeStats& stats, const std::string& key, const std::string& text) {
  constexpr double kDamagedAtMost = 0.1;  // Items without the key that may be damaged ones.
  const auto present = stats.attributes.find(key);
  std::int64_t possible = stats.count;
  for (const auto& [name, one] : stats.attributes) {
    const std::size_t at = text.find("{" + name);
    const std::size_t end = at == std::string::npos ? at : at + 1 + name.size();
    if (end != std::string::npos && end < text.size() && (text[end] == '}' || text[end] == ' ')) {
      possible = std::min(possible, one.count);
    }
  }
  return present != stats.attributes.end() &&
         static_cast<double>(present->second.count) <
             (1 - kDamagedAtMost) * static_cast<double>(possible);
}

// True if so many values are of another type than most that the attribute has none.
bool HasNoType(const AttributeStats& stats) {
  constexpr std::int64_t kOthersAtMost = 10;  // One of so many may be damaged.
  return (stats.count - stats.types[static_cast<std::size_t>(stats.Type())]) * kOthersAtMost > stats.count;
}

// A model has no type NULL, so the file says where the items hold one.
void NoteNulls(const ShapeStats& stats, DraftEntity& entity) {
  for (const auto& [attribute, times] : stats.nulls) {
    const std::string share = Percent(times, stats.count);
    if (DraftAttribute* known = entity.Find(attribute)) {
      known->note += (known->note.empty() ? "" : "; ") + ("NULL in " + share + " of the items");
    } else if (!stats.attributes.contains(attribute)) {  // One of several types has its note already.
      entity.notes.push_back("`" + attribute + "` was left out: " + share +
                             " of the items have it, and it is NULL in all of them.");
    }
  }
}

void MarkKeys(FoundEntity& found) {
  for (const std::string& variable : found.variables) {
    if (DraftAttribute* attribute = found.entity.Find(variable)) {
      attribute->key = true;
      attribute->values.clear();
    }
  }
}

}  // namespace

std::string NameOfShape(const Shape& shape, const DraftTable& table) {
  if (!shape.label.empty()) {
    return ToEntityName(shape.label);
  }
  std::string name = LastLiteral(shape.sort);
  if (name.empty()) {
    name = LastLiteral(shape.partition);
  }
  return ToEntityName(name.empty() ? table.name : name);
}

std::string LongNameOfShape(const Shape& shape, const DraftTable& table) {
  const std::string name = NameOfShape(shape, table);
  const std::string other = LastLiteral(shape.label.empty() ? shape.partition : shape.sort);
  if (other.empty() || ToEntityName(other) == name) {
    return name;
  }
  return shape.label.empty() ? ToEntityName(other) + name : name + ToEntityName(other);
}

bool PartitionHasName(const Shape& shape, const DraftTable& table) {
  return ToEntityName(LastLiteral(shape.partition)) == NameOfShape(shape, table);
}

FoundEntity MakeEntity(const Shape& shape, const DraftTable& table, const EntityNaming& naming) {
  FoundEntity found;
  found.entity.name = naming.name;
  found.item.entity = naming.name;
  found.count = static_cast<double>(shape.stats.count);
  if (naming.counts) {
    found.entity.count = found.count;
  }
  found.samples = shape.stats.samples;
  TemplateBuilder builder(shape, table, naming, found);
  std::set<std::string> templated;
  const auto add_key = [&](const std::string& key, const std::string& text) {
    if (text.empty()) {
      return;
    }
    found.item.keys.emplace_back(key, text);
    templated.insert(key);
  };
  add_key(table.partition, builder.TableKey(table.partition, shape.partition));
  if (!table.sort.empty()) {
    add_key(table.sort, builder.TableKey(table.sort, shape.sort));
  }
  for (const std::string& key : table.KeyAttributes()) {
    if (key == table.partition || key == table.sort) {
      continue;
    }
    std::string text = builder.IndexKey(key);
    const auto stats = shape.stats.attributes.find(key);
    if (!text.empty() && IsSparse(shape.stats, key, text)) {
      // The items say nothing else of when they are in the index, so the key is an attribute like any.
      found.item.notes.push_back("Only " + Percent(stats->second.count, shape.stats.count) +
                                 " of these items have " + key + " = " + text +
                                 ", and no attribute says which.");
      text.clear();
    }
    add_key(key, text);
    if (!text.empty() && stats != shape.stats.attributes.end() &&
        stats->second.count < shape.stats.count) {
      found.item.notes.push_back("Only " + Percent(stats->second.count, shape.stats.count) +
                                 " of these items have " + key + ".");
    }
  }
  for (const auto& [attribute, stats] : shape.stats.attributes) {
    if (templated.contains(attribute) || attribute == naming.type_attribute || stats.count == 0) {
      continue;
    }
    if (HasNoType(stats)) {
      found.entity.notes.push_back("`" + attribute + "` was left out: its values are of several types.");
      continue;
    }
    found.entity.attributes.push_back(
        MakeAttribute(attribute, stats, shape.stats.count, naming.counts));
    found.values.insert_or_assign(attribute, stats.distinct);
  }
  NoteNulls(shape.stats, found.entity);
  MarkKeys(found);
  found.item.without = builder.invented();
  const auto rank = [&](const DraftAttribute& attribute) {
    return std::find(found.variables.begin(), found.variables.end(), attribute.name) -
           found.variables.begin();
  };
  std::stable_sort(
      found.entity.attributes.begin(), found.entity.attributes.end(),
      [&](const DraftAttribute& a, const DraftAttribute& b) { return rank(a) < rank(b); });
  return found;
}

}  // namespace prejoin::draft
