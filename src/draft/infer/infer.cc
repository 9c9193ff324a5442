#include "draft/infer/infer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "draft/decode_samples.h"
#include "draft/infer/choose_samples.h"
#include "draft/infer/found_entity.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kFirstItems = 2000;
constexpr std::int64_t kItemsForDirt = 100;
constexpr std::size_t kTypesMax = 60;
constexpr std::size_t kRenamedMax = 1000;
constexpr std::size_t kSampleRows = 5;

std::string KeyExample(const Shape& shape, const DraftTable& table) {
  if (shape.stats.samples.empty()) {
    return "";
  }
  std::string out;
  for (const std::string& key : {table.partition, table.sort}) {
    const AttributeValue* value = shape.stats.samples[0].Find(key);
    const auto text = value != nullptr ? KeyText(*value) : std::nullopt;
    if (!key.empty() && text) {
      out += (out.empty() ? "" : " / ") + *text;
    }
  }
  return out;
}

// Few items that have the attributes of many others, but other keys: a misspelt prefix, a key
// put together wrongly. They are no entity.
const Shape* DamagedFormOf(const Shape& shape, const std::vector<Shape>& all, std::int64_t total) {
  if (total < kItemsForDirt) {
    return nullptr;
  }
  for (const Shape& other : all) {
    if (&other == &shape || other.label != shape.label) {
      continue;
    }
    if (shape.stats.count * 15 > other.stats.count && shape.stats.count > 2) {
      continue;
    }
    if (shape.stats.count * 4 > other.stats.count) {
      continue;
    }
    if (AttributesAlike(shape.stats, other.stats) >= 0.85) {
      return &other;
    }
  }
  return nullptr;
}

bool SameParts(const std::vector<ShapePart>& a, const std::vector<ShapePart>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.is_value == other.is_value && one.literal == other.literal &&
           one.delimiter == other.delimiter;
  });
}

// The kind that items with these keys are of, when they do not say it themselves.
const Shape* KindByKeys(const Shape& shape, const std::vector<Shape>& all) {
  if (!shape.label.empty()) {
    return nullptr;
  }
  for (const Shape& other : all) {
    if (!other.label.empty() && other.stats.count > shape.stats.count &&
        SameParts(shape.partition, other.partition) && SameParts(shape.sort, other.sort)) {
      return &other;
    }
  }
  return nullptr;
}

// UNIQUE#Person#email#ada@example.com, twice: Prejoin's own lock items.
bool IsLock(const Shape& shape) {
  return shape.partition.size() == 4 && shape.partition[0].literal == "UNIQUE" &&
         shape.partition[3].is_value &&
         (shape.sort.empty() || SameParts(shape.partition, shape.sort));
}

// The entity with the values that the lock's items keep unique, if it is the only one: of P#7, only the locks say that it is a Person.
FoundEntity* LockedByValues(const Shape& lock, const DraftTable& table,
                            std::vector<FoundEntity>& found) {
  constexpr double kAllValues = 0.99;
  const std::string& attribute = lock.partition[2].literal;
  const std::vector<TokenStats>* parts = lock.stats.Parts(table.partition);
  if (parts == nullptr || parts->size() != lock.partition.size()) {
    return nullptr;
  }
  const Sketch& locked = parts->back().distinct;
  FoundEntity* only = nullptr;
  for (FoundEntity& one : found) {
    const auto values = one.values.find(attribute);
    if (one.entity.Find(attribute) == nullptr || values == one.values.end() ||
        locked.ShareIn(values->second) < kAllValues ||
        values->second.ShareIn(locked) < kAllValues) {
      continue;
    }
    if (only != nullptr) {
      return nullptr;
    }
    only = &one;
  }
  return only;
}

// Makes a lock of the shape, if there is an entity that it locks. That one gets the name in the lock's key, unless items say another
// name themselves: audits and writes know locks by it. `names` are those taken.
bool AddLock(const Shape& shape, const DraftTable& table, std::vector<FoundEntity>& found,
             std::set<std::string>& names) {
  const std::string& name = shape.partition[1].literal;
  const auto named =
      std::ranges::find(found, name, [](const FoundEntity& one) { return one.entity.name; });
  FoundEntity* locked = named != found.end() ? &*named : LockedByValues(shape, table, found);
  DraftAttribute* attribute =
      locked != nullptr ? locked->entity.Find(shape.partition[2].literal) : nullptr;
  if (attribute == nullptr) {
    return false;
  }
  if (locked->entity.name != name) {
    const bool says_another = !table.type_attribute.empty() &&
                              !(table.type_upper && Uppered(locked->entity.name) == Uppered(name));
    if (says_another || !IsName(name) || !locked->item.locks.empty() ||
        !names.insert(name).second) {
      return false;
    }
    locked->entity.name = name;
    locked->item.entity = name;
  }
  attribute->unique = true;
  locked->item.locks.push_back(attribute->name);
  return true;
}

// Returns true if every kind has one shape and a name that the model language can give back as its type.
bool TypesNameEntities(const std::vector<const Shape*>& shapes, bool& upper) {
  std::set<std::string> labels;
  upper = true;
  for (const Shape* shape : shapes) {
    if (!IsName(shape->label) || !labels.insert(shape->label).second) {
      return false;
    }
    upper = upper && Uppered(shape->label) == shape->label && shape->label.size() > 1;
  }
  return !shapes.empty();
}

std::string NameByType(const std::string& label, bool upper) {
  if (!upper) {
    return label;
  }
  return label.substr(0, 1) + Lowered(label.substr(1));
}

}  // namespace

std::string FindTypeAttribute(const std::vector<std::pair<Item, std::string>>& items,
                              const std::vector<std::string>& key_names) {
  static const std::set<std::string> kNames = {
      "type", "entitytype", "entity", "edbe",       "typename",   "itemtype", "recordtype",
      "et",   "kind",       "model",  "objecttype", "entityname", "class",    "modeltype"};
  struct Seen {
    std::size_t count = 0;
    std::set<std::string> values;
  };
  std::map<std::string, Seen> seen;
  for (const auto& [item, label] : items) {
    for (const auto& [name, value] : item) {
      std::string plain;
      for (const char c : Lowered(name)) {
        if (c != '_' && c != '-') {
          plain += c;
        }
      }
      if (!kNames.contains(plain) || value.string() == nullptr) {
        continue;
      }
      Seen& one = seen[name];
      ++one.count;
      if (one.values.size() <= kTypesMax) {
        one.values.insert(*value.string());
      }
    }
  }
  std::string best;
  for (const auto& [name, one] : seen) {
    const bool is_key = std::find(key_names.begin(), key_names.end(), name) != key_names.end();
    if (is_key || one.values.size() > kTypesMax || one.count * 10 < items.size() * 8) {
      continue;
    }
    if (best.empty() || one.count > seen[best].count) {
      best = name;
    }
  }
  return best;
}

Inference::Inference(DraftTable table, InferSettings settings)
    : table_(std::move(table)), settings_(std::move(settings)) {}

std::string Inference::LabelOf(const Item& item, std::string_view given) const {
  if (!given.empty() || type_attribute_.empty()) {
    return std::string(given);
  }
  const AttributeValue* type = item.Find(type_attribute_);
  return type != nullptr && type->string() != nullptr ? *type->string() : "";
}

void Inference::Begin() {
  const std::vector<std::string> key_names = table_.KeyAttributes();
  if (!settings_.labels_name_entities) {
    type_attribute_ = FindTypeAttribute(first_, key_names);
  }
  std::vector<std::string> values;
  for (const auto& [item, label] : first_) {
    for (const std::string& key : key_names) {
      const AttributeValue* value = item.Find(key);
      if (value != nullptr && value->string() != nullptr) {
        values.push_back(*value->string());
      }
    }
  }
  ShapeTree::Settings settings{
      table_.partition,      table_.sort, type_attribute_, ChooseDelimiters(values), key_names,
      settings_.samples_max, {}};
  for (const auto& [label, hints] : settings_.hints) {
    AddGiven(label, hints, settings);
  }
  tree_ = std::make_unique<ShapeTree>(std::move(settings));
  for (const auto& [item, label] : first_) {
    tree_->Add(item, LabelOf(item, label));
  }
  first_.clear();
}

// Hints are free text, so they count only where every item agrees with them.
void Inference::AddGiven(const std::string& label, const std::map<std::string, std::string>& hints,
                         ShapeTree::Settings& settings) const {
  const auto read = [&](const std::string& key) -> std::optional<std::vector<ShapePart>> {
    const auto hint = hints.find(key);
    if (key.empty()) {
      return std::vector<ShapePart>();
    }
    if (hint == hints.end() || hint->second.empty()) {
      return std::nullopt;
    }
    if (hint->second == key) {
      return std::vector<ShapePart>{{"", true, "", ""}};
    }
    return ReadAlias(hint->second, settings.delimiters);
  };
  const auto partition = read(table_.partition);
  const auto sort = read(table_.sort);
  if (!partition || !sort) {
    return;
  }
  const GivenKeys given{*partition, *sort};
  const bool all_fit = std::all_of(first_.begin(), first_.end(), [&](const auto& one) {
    return one.second != label || FitsGiven(one.first, given, settings);
  });
  if (all_fit) {
    settings.given[label] = given;
  }
}

Item Inference::Renamed(const Item& item) {
  Item out;
  for (const auto& [name, value] : item) {
    if (IsName(name)) {
      out.Set(name, value);
      continue;
    }
    const auto known = renamed_.find(name);
    if (known == renamed_.end() && renamed_.size() >= kRenamedMax) {
      continue;
    }
    std::string& here = renamed_[name];
    if (here.empty()) {
      here = ToName(name);
    }
    if (out.Find(here) == nullptr && item.Find(here) == nullptr) {
      out.Set(here, value);
    }
  }
  return out;
}

void Inference::Add(const Item& item, std::string_view label) {
  for (const auto& [name, value] : item) {
    if (!IsName(name)) {
      return AddNamed(Renamed(item), label);
    }
  }
  AddNamed(item, label);
}

void Inference::AddNamed(const Item& item, std::string_view label) {
  ++count_;
  if (tree_) {
    tree_->Add(item, LabelOf(item, label));
    return;
  }
  first_.emplace_back(item, std::string(label));
  if (first_.size() >= kFirstItems) {
    Begin();
  }
}

// The shapes that become entities, locks last. Notes mention the others.
std::vector<const Shape*> Inference::ShapesToKeep(const std::vector<Shape>& shapes) {
  std::vector<const Shape*> kept;
  for (const Shape& shape : shapes) {
    if (const Shape* kind = KindByKeys(shape, shapes)) {
      table_.notes.push_back(std::to_string(shape.stats.count) + " items such as " +
                             KeyExample(shape, table_) + " do not say their kind; the others say " +
                             kind->label + ".");
      continue;
    }
    const Shape* whole = DamagedFormOf(shape, shapes, count_);
    if (whole == nullptr) {
      kept.push_back(&shape);
      continue;
    }
    table_.notes.push_back(std::to_string(shape.stats.count) + " items have keys such as " +
                           KeyExample(shape, table_) + " but the attributes of those like " +
                           KeyExample(*whole, table_) + ": left out as damaged.");
  }
  for (const auto& [theirs, here] : renamed_) {
    table_.notes.push_back("The attribute `" + theirs + "` is called " + here +
                           " here, because its own name is not allowed in a model.");
  }
  std::stable_partition(kept.begin(), kept.end(), [](const Shape* one) { return !IsLock(*one); });
  return kept;
}

void Inference::Finish(Draft& draft) {
  if (!tree_) {
    Begin();
  }
  const std::vector<Shape> shapes = tree_->Settle();
  const std::vector<const Shape*> kept = ShapesToKeep(shapes);
  bool upper = false;
  const bool typed = !type_attribute_.empty() && TypesNameEntities(kept, upper);
  if (typed) {
    table_.type_attribute = type_attribute_;
    table_.type_upper = upper;
  }
  std::set<std::string> names;
  for (const DraftEntity& entity : draft.entities) {
    names.insert(entity.name);
  }
  // Given STATION#s1 and MEMBER#m1 / STATION#s1, the first is the station, and the second an edge to it.
  std::set<std::string> owned;
  for (const Shape* shape : kept) {
    if (shape->label.empty() && PartitionHasName(*shape, table_)) {
      owned.insert(NameOfShape(*shape, table_));
    }
  }
  std::vector<FoundEntity> found;
  for (const Shape* shape : kept) {
    if (IsLock(*shape)) {
      if (!AddLock(*shape, table_, found, names)) {
        table_.notes.push_back(std::to_string(shape->stats.count) + " items are locks that keep " +
                               shape->partition[1].literal + "." + shape->partition[2].literal +
                               " unique.");
      }
      continue;
    }
    std::string name = typed ? NameByType(shape->label, upper) : NameOfShape(*shape, table_);
    const bool anothers =
        !typed && shape->label.empty() && owned.contains(name) && !PartitionHasName(*shape, table_);
    if (anothers || names.contains(name)) {
      name = LongNameOfShape(*shape, table_);
    }
    EntityNaming naming{
        UniqueName(name, names), typed ? type_attribute_ : "", {}, settings_.counts};
    if (const auto hints = settings_.hints.find(shape->label); hints != settings_.hints.end()) {
      naming.hints = hints->second;
    }
    found.push_back(MakeEntity(*shape, table_, naming));
    if (total_ > count_ && shape->stats.count > 1) {
      DraftEntity& entity = found.back().entity;
      entity.count =
          std::round(entity.count * static_cast<double>(total_) / static_cast<double>(count_));
    }
    if (settings_.counts) {
      found.back().entity.notes.push_back(std::to_string(shape->stats.count) + " items such as " +
                                          KeyExample(*shape, table_) + ".");
    }
  }
  for (DraftRelationship& one : FindRelationships(found)) {
    draft.relationships.push_back(std::move(one));
  }
  for (FoundEntity& one : found) {
    table_.items.push_back(std::move(one.item));
    draft.entities.push_back(std::move(one.entity));
    draft.samples.push_back({draft.entities.back().name, std::move(one.samples)});
  }
  draft.tables.push_back(std::move(table_));
}

void CompleteInferred(Draft& draft) {
  DecodeSamples(draft, /*keep_all=*/false);
  ChooseSamples(draft, kSampleRows);
  AddKeyPatterns(draft);
  AllowKnownCollections(draft);
}

}  // namespace prejoin::draft
