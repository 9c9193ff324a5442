// Tables from a choice.
//
// All entities share one table whose keys are generic, PK and SK, and indexes whose keys are generic too: GSI1PK, GSI1SK.
// So views of different entities can be in one index, and the number of indexes is that of the entity with the most
// views. Two views share an index only if neither gets attributes by it that it did not ask for: an index has one
// projection, and an attribute of the same name would be kept for both.
//
// Attributes that a key spells out are not stored a second time (`without`), as long as every row has the key.
#include "design/assemble.h"

#include <algorithm>
#include <cctype>

#include "design/omitted_attributes.h"
#include "model/layout/key_shape.h"
#include "model/layout/key_spelling.h"
#include "model/layout/table_edits.h"
#include "model/schema/join.h"

namespace prejoin::design {
namespace {

using model::Attribute;
using model::CopyUpkeep;
using model::Entity;
using model::Index;
using model::ItemLayout;
using model::MakeStored;
using model::Model;
using model::ProjectionKind;
using model::SortPlace;
using model::StoredAttribute;
using model::StoredKind;
using model::Table;

// One view in a slot, and whose it is.
struct Placed {
  const std::string* entity;
  const IndexView* view;
};

// One index to be.
struct Slot {
  bool local = false;
  bool natural = false;  // Its keys are the attributes themselves.
  std::vector<Placed> views;
};

std::set<std::string> PayloadOf(const Slot& slot) {
  std::set<std::string> all;
  for (const Placed& placed : slot.views) {
    all.insert(placed.view->payload.begin(), placed.view->payload.end());
  }
  return all;
}

// The attributes that an entity can project: its own, and those stored with them.
std::set<std::string> Projectable(const ItemLayout& layout, const Entity& entity) {
  std::set<std::string> names;
  for (const Attribute& attribute : entity.attributes) {
    if (!layout.Omits(attribute.name.text)) {
      names.insert(attribute.name.text);
    }
  }
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind != StoredKind::kTemplate) {
      names.insert(stored.name.text);
    }
  }
  return names;
}

class Assembler {
 public:
  Assembler(const Model& logical, const DesignChoice& choice, const AssembleOptions& options)
      : choice_(choice), options_(options), model_(logical) {}

  std::vector<Table> Run() {
    Table table;
    table.name.text = options_.table_name;
    table.partition.text = options_.partition_name;
    table.type_attribute.text = options_.type_attribute;
    table.type_upper = options_.type_upper;
    has_sort_ = options_.kept.empty() ? NeedsSort() : !options_.sort_name.empty();
    if (has_sort_) {
      table.sort.text = options_.sort_name;
    }
    for (const auto& [name, entity] : choice_) {
      if (entity.layout.own_items) {
        table.items.push_back(LayoutOf(name, entity));
      }
    }
    std::vector<Slot> slots = Pack();
    int global = 0;
    int local = 0;
    for (const Slot& slot : slots) {
      if (slot.natural) {
        AddNaturalIndex(slot, table);
      } else {
        AddIndex(slot, slot.local ? ++local : ++global, table);
      }
    }
    AddNaturalKeys(table);
    for (ItemLayout& layout : table.items) {
      if (!options_.kept.contains(layout.entity.text)) {
        OmitSpelledAttributes(model_, choice_.at(layout.entity.text), table, layout);
      }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      Project(slots[i], table, table.indexes[i]);
    }
    return {std::move(table)};
  }

 private:
  // Without sort attributes, and without two entities under one partition key, a partition key is enough.
  bool NeedsSort() const {
    std::set<std::string> forms;
    for (const auto& [name, entity] : choice_) {
      if (!entity.layout.own_items) {
        continue;
      }
      if (!entity.layout.key.sort.empty() ||
          !forms.insert(KeyFormOf(name, entity.layout.key)).second) {
        return true;
      }
      if (std::ranges::any_of(entity.views, [](const IndexView& view) { return view.local; })) {
        return true;
      }
    }
    return false;
  }

  // Spells a key as the items that are kept do, else as a person would.
  std::string KeyTextOf(const std::string& name, const KeyShape& key) const {
    const auto kept = options_.kept_keys.find(model::PartitionMeaning(model_, name, key));
    if (kept == options_.kept_keys.end()) {
      return model::PartitionText(model_, name, key);
    }
    model::KeyTemplate spelled = kept->second;
    std::size_t next = 0;
    for (model::TemplatePart& part : spelled.parts) {
      if (part.is_literal()) {
        continue;
      }
      const bool shard = part.transform == model::TemplateTransform::kShard;
      part.attribute = shard ? key.shard_of : model::BaseName(key.partition[next++]);
    }
    spelled.natural = false;
    return model::TemplateText(spelled);
  }

  // The same without the names of attributes.
  std::string KeyFormOf(const std::string& name, const KeyShape& key) const {
    std::string form;
    bool inside = false;
    for (const char c : KeyTextOf(name, key)) {
      if (!inside || c == '}') {
        form += c;
      }
      inside = c == '{' || (inside && c != '}');
    }
    return form;
  }

  ItemLayout LayoutOf(const std::string& name, const EntityChoice& choice) const {
    if (const auto kept = options_.kept.find(name); kept != options_.kept.end()) {
      return kept->second;
    }
    ItemLayout layout;
    layout.entity = model_.AtName(name);
    const KeyShape& key = choice.layout.key;
    layout.attributes.push_back(MakeStored(options_.partition_name, KeyTextOf(name, key)));
    if (has_sort_) {
      const std::string sort =
          model::SortText(model_, name, key, PlaceOf(name, IsAloneInTable(name)));
      layout.attributes.push_back(MakeStored(options_.sort_name, sort));
    }
    for (const ListChoice& list : choice.layout.lists) {
      layout.attributes.push_back(ListOf(name, layout, list));
    }
    for (const std::string& copy : choice.layout.copies) {
      layout.attributes.push_back(CopyOf(model_.AtName(name), PathOf(copy)));
    }
    if (const auto kept = options_.maintained.find(name); kept != options_.maintained.end()) {
      for (const StoredAttribute& stored : kept->second) {
        layout.attributes.push_back(stored);
      }
    }
    if (options_.locks) {
      model::LockUniqueAttributes(model_.AtName(name), layout);
    }
    return layout;
  }

  SortPlace PlaceOf(const std::string& name, bool alone) const {
    return alone                          ? SortPlace::kAlone
           : options_.last.contains(name) ? SortPlace::kLast
                                          : SortPlace::kFirst;
  }

  // The literal before the first attribute of a partition key.
  std::string LeadOf(const std::string& name, const KeyShape& key) const {
    const std::string form = KeyFormOf(name, key);
    return form.substr(0, form.find('{'));
  }

  // No other entity's items have keys that begin alike, so its own need no prefix to be told apart.
  bool IsAloneInTable(const std::string& name) const {
    const std::string lead = LeadOf(name, choice_.at(name).layout.key);
    return std::ranges::none_of(choice_, [&](const auto& other) {
      return other.first != name && other.second.layout.own_items &&
             LeadOf(other.first, other.second.layout.key) == lead;
    });
  }

  bool NeverChanges(const std::string& entity, const std::string& name) const {
    const Attribute* attribute = model_.AtName(entity).Find(name);
    if (attribute == nullptr || attribute->immutable || attribute->is_key) {
      return true;
    }
    return attribute->changes_per_second <= 0 && std::ranges::none_of(model_.writes, [&](const model::Write& write) {
      return std::ranges::any_of(write.steps, [&](const model::WriteStep& step) {
        const auto is = [&](const model::Name& one) { return one.text == name; };
        // A put without `once` replaces the row, with any value in it; such copies need upkeep,
        // or `prove` finds them stale.
        const bool replaces = step.kind == model::WriteKind::kPut && !step.once;
        const bool sets = std::ranges::any_of(step.set, is) || std::ranges::any_of(step.remove, is);
        return step.entity.text == entity && (sets || replaces);
      });
    });
  }

  model::Path PathOf(const std::string& text) const {
    model::Path path;
    const std::size_t dot = text.find('.');
    if (dot != std::string::npos) {
      path.entity = model_.AtName(text.substr(0, dot));
    }
    path.attribute.text = dot == std::string::npos ? text : text.substr(dot + 1);
    return path;
  }

  StoredAttribute ListOf(const std::string& owner, const ItemLayout& layout,
                         const ListChoice& list) const {
    StoredAttribute stored =
        model::MakeList(model_.AtName(owner), layout, model_.AtName(list.entity));
    bool foreign = false;
    bool changes = false;
    for (const std::string& member : list.members) {
      stored.members.push_back(PathOf(member));
      const model::Path& path = stored.members.back();
      if (path.entity.text.empty()) {
        continue;
      }
      foreign = true;
      changes = changes || !NeverChanges(path.entity.text, path.attribute.text);
    }
    if (foreign) {
      stored.upkeep = changes ? CopyUpkeep::kStream : CopyUpkeep::kNever;
    }
    return stored;
  }

  StoredAttribute CopyOf(const Entity& holder, const model::Path& original) const {
    return model::MakeCopy(holder, original,
                           NeverChanges(original.entity.text, original.attribute.text)
                               ? CopyUpkeep::kNever
                               : CopyUpkeep::kStream);
  }

  // Views of one meaning come together; each entity's next one goes to the next slot.
  std::vector<Slot> Pack() const {
    std::vector<Slot> slots = PackWith(options_.natural_keys);
    const auto is_global = [](const Slot& slot) { return !slot.local; };
    const bool too_many =
        std::ranges::count_if(slots, is_global) > static_cast<std::ptrdiff_t>(kGlobalIndexesMax);
    return too_many && options_.natural_keys ? PackWith(false) : slots;
  }

  std::vector<Slot> PackWith(bool natural_keys) const {
    std::map<std::string, std::vector<Placed>> by_meaning;
    std::map<KeyShape, std::vector<Placed>> natural;
    for (const auto& [name, entity] : choice_) {
      for (const IndexView& view : entity.views) {
        if (natural_keys && CanBeNatural(name, view)) {
          natural[view.key].push_back({&name, &view});
          continue;
        }
        std::string meaning =
            view.local ? "local" : model::PartitionMeaning(model_, name, view.key);
        by_meaning[std::move(meaning)].push_back({&name, &view});
      }
    }
    // Entities that share a slot come first: they must find one for all.
    std::vector<std::vector<Placed>> groups;
    for (auto& [meaning, placed] : by_meaning) {
      groups.push_back(std::move(placed));
    }
    std::ranges::stable_sort(groups, std::ranges::greater(), &std::vector<Placed>::size);
    std::vector<Slot> slots;
    for (const std::vector<Placed>& group : groups) {
      PlaceGroup(group, slots);
    }
    for (auto& [key, placed] : natural) {
      slots.push_back({false, true, std::move(placed)});
    }
    std::stable_partition(slots.begin(), slots.end(), [](const Slot& slot) { return !slot.local; });
    return slots;
  }

  void PlaceGroup(const std::vector<Placed>& group, std::vector<Slot>& slots) const {
    std::vector<Slot> layers;  // One view of each entity.
    for (const Placed& placed : group) {
      auto free = std::ranges::find_if(
          layers, [&](const Slot& slot) { return !Holds(slot, *placed.entity); });
      if (free == layers.end()) {
        free = layers.insert(free, Slot{placed.view->local, false, {}});
      }
      free->views.push_back(placed);
    }
    for (const Slot& layer : layers) {
      Slot* target = nullptr;
      for (Slot& slot : slots) {
        if (slot.local != layer.local || slot.natural) {
          continue;
        }
        if (Fits(slot, layer) ||
            (target == nullptr && slots.size() >= kGlobalIndexesMax && !Overlaps(slot, layer))) {
          target = &slot;
          break;
        }
      }
      if (target == nullptr) {
        slots.push_back(layer);
      } else {
        target->views.insert(target->views.end(), layer.views.begin(), layer.views.end());
      }
    }
  }

  static bool Holds(const Slot& slot, const std::string& entity) {
    return std::ranges::any_of(slot.views,
                               [&](const Placed& placed) { return *placed.entity == entity; });
  }

  static bool Overlaps(const Slot& slot, const Slot& layer) {
    return std::ranges::any_of(layer.views,
                               [&](const Placed& placed) { return Holds(slot, *placed.entity); });
  }

  // Neither gets more than it asked for.
  bool Fits(const Slot& slot, const Slot& layer) const {
    if (Overlaps(slot, layer) || SharesByChance(slot, layer)) {
      return false;
    }
    if (options_.tight) {
      return true;
    }
    return Harmless(PayloadOf(slot), layer) && Harmless(PayloadOf(layer), slot);
  }

  // Keys that mean different things could have the same value.
  bool SharesByChance(const Slot& slot, const Slot& layer) const {
    if (slot.local) {
      return false;
    }
    for (const Placed& a : slot.views) {
      for (const Placed& b : layer.views) {
        if (KeyFormOf(*a.entity, a.view->key) == KeyFormOf(*b.entity, b.view->key) &&
            model::PartitionMeaning(model_, *a.entity, a.view->key) !=
                model::PartitionMeaning(model_, *b.entity, b.view->key)) {
          return true;
        }
      }
    }
    return false;
  }

  bool Harmless(const std::set<std::string>& payload, const Slot& slot) const {
    return std::ranges::all_of(slot.views, [&](const Placed& placed) {
      return std::ranges::all_of(payload, [&](const std::string& name) {
        return model_.AtName(*placed.entity).Find(name) == nullptr ||
               placed.view->payload.contains(name);
      });
    });
  }

  // No other entity's entries can be under the same partition key.
  bool IsAlone(const Slot& slot, const Placed& placed) const {
    const auto form = [&](const Placed& one) {
      return slot.local ? KeyFormOf(*one.entity, choice_.at(*one.entity).layout.key)
                        : KeyFormOf(*one.entity, one.view->key);
    };
    return std::ranges::count(slot.views, form(placed), form) == 1;
  }

  void AddIndex(const Slot& slot, int number, Table& table) const {
    const std::string name = (slot.local ? "LSI" : "GSI") + std::to_string(number);
    const std::string partition =
        slot.local ? options_.partition_name : FreeKeyName(model_, name + "PK");
    const std::string sort = FreeKeyName(model_, name + "SK");
    Index index = model::MakeIndex(name, partition, sort);
    index.local = slot.local;
    for (const Placed& placed : slot.views) {
      for (ItemLayout& layout : table.items) {
        if (layout.entity.text != *placed.entity) {
          continue;
        }
        const KeyShape& key = placed.view->key;
        const SortPlace place = PlaceOf(*placed.entity, IsAlone(slot, placed));
        if (!slot.local) {
          layout.attributes.push_back(MakeStored(partition, KeyTextOf(*placed.entity, key)));
        }
        layout.attributes.push_back(
            MakeStored(sort, model::SortText(model_, *placed.entity, key, place)));
      }
    }
    table.indexes.push_back(std::move(index));
  }

  // DynamoDB takes up to four attributes for each part of an index key, as they are.
  bool CanBeNatural(const std::string& name, const IndexView& view) const {
    constexpr std::size_t kKeyAttributesMax = 4;
    const auto fit = [&](const std::vector<std::string>& names) {
      return names.size() <= kKeyAttributesMax && std::ranges::all_of(names, [&](const auto& one) {
               const Attribute& found = *model_.AtName(name).Find(one);
               return !model::IsBool(found.type) && found.derived_from.empty();
             });
    };
    return !view.local && view.key.shards == 1 && !view.key.partition.empty() &&
           fit(view.key.partition) && fit(view.key.sort);
  }

  static void AddNaturalIndex(const Slot& slot, Table& table) {
    Index index;
    index.name.text = "By";
    index.projection_given = true;
    const auto add = [&](const std::string& attribute, std::vector<model::Name>& names) {
      names.push_back({attribute, {}});
      std::string word = attribute;
      word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
      index.name.text += word;
    };
    for (const std::string& name : slot.views[0].view->key.partition) {
      add(name, index.partition);
    }
    for (const std::string& name : slot.views[0].view->key.sort) {
      add(name, index.sort);
    }
    // The same attributes in the same order can be cut into partition and sort key in two ways.
    const std::string plain = index.name.text;
    for (int number = 2; table.FindIndex(index.name.text) != nullptr; ++number) {
      index.name.text = plain + std::to_string(number);
    }
    table.indexes.push_back(std::move(index));
  }

  // Follows the reader of model files: a key that is called like an attribute holds that attribute.
  void AddNaturalKeys(Table& table) const {
    for (const Index& index : table.indexes) {
      for (const std::vector<model::Name>& keys : {index.partition, index.sort}) {
        for (const model::Name& key : keys) {
          for (ItemLayout& layout : table.items) {
            if (layout.Find(key.text) != nullptr ||
                model_.At(layout.entity).Find(key.text) == nullptr) {
              continue;
            }
            layout.attributes.push_back(model::NaturalKey({key.text, {}}));
          }
        }
      }
    }
  }

  void Project(const Slot& slot, const Table& table, Index& index) const {
    const std::set<std::string> wanted = PayloadOf(slot);
    bool everything = true;
    std::set<std::string> named;
    for (const Placed& placed : slot.views) {
      for (const ItemLayout& layout : table.items) {
        if (layout.entity.text != *placed.entity) {
          continue;
        }
        for (const std::string& name : Projectable(layout, model_.AtName(*placed.entity))) {
          if (index.HasKey(name)) {
            continue;
          }
          if (wanted.contains(name)) {
            named.insert(name);
          } else {
            everything = false;
          }
        }
        // The keys of other indexes would come along with everything.
        for (const StoredAttribute& stored : layout.attributes) {
          if (stored.kind == StoredKind::kTemplate && !stored.key.natural &&
              !(stored.name == table.partition) && !(stored.name == table.sort) &&
              !index.HasKey(stored.name.text)) {
            everything = false;
          }
        }
      }
    }
    model::Project(index, std::vector(named.begin(), named.end()));
    if (everything && !named.empty()) {
      index.projection = ProjectionKind::kAll;
      index.include.clear();
    }
  }

  const DesignChoice& choice_;
  const AssembleOptions& options_;
  const Model& model_;
  bool has_sort_ = true;
};

}  // namespace

std::string FreeKeyName(const Model& logical, std::string name) {
  const auto is_taken = [&] {
    return std::ranges::any_of(logical.entities,
                               [&](const Entity& entity) { return entity.Find(name) != nullptr; });
  };
  while (is_taken()) {
    name = "Key" + name;
  }
  return name;
}

std::vector<Table> AssembleTables(const Model& logical, const DesignChoice& choice,
                                  const AssembleOptions& options) {
  return Assembler(logical, choice, options).Run();
}

}  // namespace prejoin::design
