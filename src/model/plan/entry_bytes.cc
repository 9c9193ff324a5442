// Bytes of items and index entries: which attributes a view keeps, how often they are there, and how large they are.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/data/item_render.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

double AttributeBytes(const Attribute& attribute, bool largest) {
  return largest ? MaximumValueBytes(attribute) : AverageValueBytes(attribute);
}

double AttributeBytes(const Attribute& attribute, bool largest, const KnownRows& known) {
  const auto found = known.value_bytes.find(attribute.name.text);
  return found != known.value_bytes.end() ? found->second : AttributeBytes(attribute, largest);
}

// How much the lengths of the listed values vary.
double LengthVariance(const Attribute& attribute) {
  const double average = AverageValueBytes(attribute);
  double variance = 0;
  for (std::size_t i = 0; i < attribute.shares.size(); ++i) {
    const std::string* text = attribute.values[i].string();
    const double off = text != nullptr ? static_cast<double>(text->size()) - average : 0;
    variance += attribute.shares[i] * off * off;
  }
  return variance;
}

double TemplateBytes(const Entity& entity, const KeyTemplate& key, bool largest,
                     const KnownRows& known) {
  double bytes = 0;
  for (const TemplatePart& part : key.parts) {
    if (part.is_literal()) {
      bytes += static_cast<double>(part.literal.size());
    } else if (part.transform == TemplateTransform::kPad ||
               part.transform == TemplateTransform::kDescending) {
      bytes += part.argument;
    } else if (part.transform == TemplateTransform::kShard) {
      bytes += 1;
    } else if (const Attribute* attribute = entity.Find(part.attribute)) {
      const double whole = AttributeBytes(*attribute, largest, known);
      bytes += part.derivation.given() ? std::min<double>(whole, part.derivation.first) : whole;
    }
  }
  return bytes;
}

double MemberBytes(const Model& model, const Entity& owner, const StoredAttribute& stored,
                   bool largest) {
  const Entity& embedded = model.At(stored.embedded);
  const bool map = stored.kind == StoredKind::kEmbedMap;
  // A list of one named member is a list of plain values.
  const bool plain = !map && stored.members.size() == 1;
  double bytes = plain ? 1 : 4;
  if (const Attribute* by = map ? embedded.Find(stored.by.text) : nullptr) {
    bytes += AttributeBytes(*by, largest);
  }
  for (const Path& path : EmbeddedMembers(model, owner, stored)) {
    const Entity& from = path.entity.given() ? model.At(path.entity) : embedded;
    const Attribute* attribute = from.Find(path.attribute.text);
    if (attribute == nullptr || (map && path.attribute.text == stored.by.text)) {
      continue;
    }
    const double name = plain ? 0 : 1 + static_cast<double>(path.attribute.text.size());
    bytes += name + AttributeBytes(*attribute, largest);
  }
  return bytes;
}

}  // namespace

double Expectations::Presence(const Reference<Entity>& entity, std::set<std::string> attributes,
                              const KnownRows& known) {
  for (const std::string& name : known.absent) {
    if (attributes.contains(name)) {
      return 0;
    }
  }
  for (const std::string& name : known.there) {
    attributes.erase(name);
  }
  return Presence(entity, attributes);
}

double Expectations::PresenceIn(const Reference<Entity>& entity, const View& view) {
  return PresenceIn(entity, view, {});
}

double Expectations::PresenceIn(const Reference<Entity>& entity, const View& view,
                                const std::set<std::string>& bound) {
  return Presence(entity, RequiredIn(model_, entity, view), {bound, {}, {}, {}});
}

// Value bytes of one stored attribute; negative when unbounded and `largest`.
double Expectations::ValueBytes(const Entity& entity, const StoredAttribute& stored, bool largest,
                                const KnownRows& known) {
  switch (stored.kind) {
    case StoredKind::kTemplate:
      return TemplateBytes(entity, stored.key, largest, known);
    case StoredKind::kCopy: {
      const Entity& owner = model_.At(stored.copy.entity);
      const Attribute* attribute = owner.Find(stored.copy.attribute.text);
      return attribute == nullptr ? 0 : AttributeBytes(*attribute, largest);
    }
    case StoredKind::kSum:
    case StoredKind::kCount: {
      const Attribute* attribute = entity.Find(stored.name.text);
      return attribute == nullptr ? 0 : AttributeBytes(*attribute, largest);
    }
    case StoredKind::kEmbedList:
    case StoredKind::kEmbedMap: {
      const Entity& embedded = model_.At(stored.embedded);
      const std::set<std::string> bound = PointingAt(embedded, entity);
      const auto inside = known.inside.find(embedded.name.text);
      const double rows = inside != known.inside.end() ? inside->second
                          : largest                    ? Most(embedded, bound)
                                                       : Rows(embedded, bound);
      if (largest && rows <= 0) {
        return -1;
      }
      return 3 + rows * MemberBytes(model_, entity, stored, largest);
    }
  }
  return 0;
}

double Expectations::ComputeEntryBytes(const Entity& entity, const View& view,
                                       const KnownRows& known) {
  const Model::Placement placement = model_.FindPlacement(entity);
  if (!placement) {
    return 0;
  }
  // An entry is there only when its key is.
  KnownRows certain = known;
  certain.there.merge(RequiredIn(model_, entity, view));
  double bytes = 0;
  for (const Attribute& attribute : entity.attributes) {
    const std::string& stored = attribute.name.text;
    if (placement.layout->Omits(stored) || placement.layout->Find(stored) != nullptr ||
        !IsProjected(view, stored)) {
      continue;
    }
    bytes += (static_cast<double>(stored.size()) + AttributeBytes(attribute, false, known)) *
             Presence(entity, {stored}, certain);
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (!IsProjected(view, stored.name.text)) {
      continue;
    }
    double share = 1;
    if (stored.kind == StoredKind::kTemplate) {
      const std::vector<std::string> names = stored.key.Attributes();
      share = Presence(entity, {names.begin(), names.end()}, certain);
    }
    if (stored.kind == StoredKind::kCopy) {
      share = Presence(stored.copy.entity, {stored.copy.attribute.text});
    }
    bytes += share * (static_cast<double>(stored.name.text.size()) +
                      ValueBytes(entity, stored, /*largest=*/false, known));
  }
  const std::string& type = placement.table->type_attribute.text;
  if (!type.empty() && IsProjected(view, type)) {
    bytes += static_cast<double>(type.size() + entity.name.text.size());
  }
  return bytes;
}

double Expectations::EntryBytes(const Reference<Entity>& name, const View& view) {
  const Entity& entity = model_.At(name);
  if (view.table == nullptr) {
    return 0;
  }
  return Remember("bytes " + name.text + " " + view.Label(),
                  [&] { return ComputeEntryBytes(entity, view, {}); });
}

// Optional attributes that are large and sometimes there are told apart; all others count with their average.
const SizeShares& Expectations::EntrySizes(const Reference<Entity>& name, const View& view) {
  // Asked each time: the figures that it rests on are noted there.
  const double average = EntryBytes(name, view);
  const auto [found, added] = known_sizes_.try_emplace(name.text + " " + view.Label());
  if (added) {
    found->second = SplitSizes(model_.At(name), average, view, {});
  }
  return found->second;
}

SizeShares Expectations::EntrySizes(const Reference<Entity>& name, const View& view,
                                    const KnownRows& known) {
  const Entity& entity = model_.At(name);
  if (view.table == nullptr) {
    return {{1, 0}};
  }
  return SplitSizes(entity, ComputeEntryBytes(entity, view, known), view, known);
}

// The cases of each group of attributes that is large enough to matter, the largest first.
SizeShares Expectations::SplitSizes(const Entity& entity, double average, const View& view,
                                    const KnownRows& known) {
  constexpr double kBytesMatter = 64;
  constexpr std::size_t kGroupsMax = 5;
  SizeShares sizes = {{1, average}};
  double variance = 0;  // Of what is too small to be told apart.
  const Model::Placement placement = model_.FindPlacement(entity);
  if (!placement || view.table == nullptr) {
    return sizes;
  }
  struct Group {
    double presence = 1;
    double bytes = 0;
  };
  KnownRows certain = known;
  certain.there.merge(RequiredIn(model_, entity, view));
  std::map<std::string, Group> by_group;
  const auto add = [&](const std::string& group, double presence, double bytes) {
    if (presence > 0 && presence < 1) {
      by_group[group].presence = presence;
      by_group[group].bytes += bytes;
    }
  };
  for (const Attribute& attribute : entity.attributes) {
    const std::string& stored = attribute.name.text;
    if (attribute.optional && !placement.layout->Omits(stored) &&
        placement.layout->Find(stored) == nullptr && IsProjected(view, stored)) {
      add(attribute.group.empty() ? stored : "(" + attribute.group + ")",
          Presence(entity, {stored}, certain),
          static_cast<double>(stored.size()) + AverageValueBytes(attribute));
    }
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind == StoredKind::kCopy && IsProjected(view, stored.name.text)) {
      add("copy " + stored.name.text, Presence(stored.copy.entity, {stored.copy.attribute.text}),
          static_cast<double>(stored.name.text.size()) + ValueBytes(entity, stored, false));
    }
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.shares.empty() && !placement.layout->Omits(attribute.name.text) &&
        IsProjected(view, attribute.name.text) && !known.value_bytes.contains(attribute.name.text)) {
      variance += LengthVariance(attribute);
    }
  }
  std::vector<Group> large;
  for (const auto& [group, figures] : by_group) {
    if (figures.bytes >= kBytesMatter) {
      large.push_back(figures);
    } else {
      variance += figures.presence * (1 - figures.presence) * figures.bytes * figures.bytes;
    }
  }
  std::ranges::sort(large, std::greater<>(), &Group::bytes);
  large.resize(std::min(large.size(), kGroupsMax));
  sizes[0].deviation = std::sqrt(variance);
  for (const Group& group : large) {
    SizeShares split;
    for (const SizeShare& size : sizes) {
      split.push_back(
          {size.share * group.presence, size.bytes + (1 - group.presence) * group.bytes,
           size.deviation});
      split.push_back(
          {size.share * (1 - group.presence), size.bytes - group.presence * group.bytes,
                       size.deviation});
    }
    sizes = std::move(split);
  }
  return sizes;
}

double Expectations::LargestItemBytes(const Reference<Entity>& name) {
  const Entity& entity = model_.At(name);
  const Model::Placement placement = model_.FindPlacement(entity);
  if (!placement) {
    return 0;
  }
  double bytes = 0;
  for (const Attribute& attribute : entity.attributes) {
    if (placement.layout->Omits(attribute.name.text)) {
      continue;
    }
    bytes += static_cast<double>(attribute.name.text.size()) + MaximumValueBytes(attribute);
  }
  for (const StoredAttribute& stored : placement.layout->attributes) {
    const double value = ValueBytes(entity, stored, /*largest=*/true);
    if (value < 0) {
      return -1;
    }
    bytes += static_cast<double>(stored.name.text.size()) + value;
  }
  return bytes;
}

bool AppearsIn(const Model& model, const Reference<Entity>& entity, const View& view) {
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement || placement.table != view.table) {
    return false;
  }
  const auto has = [&](const Name& key) {
    return key.text.empty() || placement.layout->Find(key.text) != nullptr;
  };
  if (view.index == nullptr) {
    return has(view.table->partition) && has(view.table->sort);
  }
  return std::ranges::all_of(view.index->partition, has) &&
         std::ranges::all_of(view.index->sort, has);
}

bool IsProjected(const View& view, const std::string& attribute) {
  if (view.index == nullptr || view.index->projection == ProjectionKind::kAll) {
    return true;
  }
  const auto is = [&](const Name& name) { return name.text == attribute; };
  if (std::ranges::any_of(view.index->partition, is) || std::ranges::any_of(view.index->sort, is)) {
    return true;
  }
  if (is(view.table->partition) || is(view.table->sort)) {
    return true;
  }
  return view.index->projection == ProjectionKind::kInclude &&
         std::ranges::any_of(view.index->include, is);
}

std::set<std::string> KeyAttributes(const Model& model, const Reference<Entity>& entity,
                                    const View& view) {
  std::set<std::string> names;
  const Model::Placement placement = model.FindPlacement(entity);
  if (!placement) {
    return names;
  }
  for (const std::vector<Name>& keys : {view.PartitionKeys(), view.SortKeys()}) {
    for (const Name& key : keys) {
      const StoredAttribute* stored = placement.layout->Find(key.text);
      if (stored == nullptr) {
        continue;
      }
      for (const std::string& name : stored->key.Attributes()) {
        names.insert(name);
      }
    }
  }
  return names;
}

std::set<std::string> RequiredIn(const Model& model, const Reference<Entity>& entity,
                                 const View& view) {
  const bool second = model.At(entity).rows_of.given();
  std::set<std::string> names;
  if (view.index != nullptr) {
    names = KeyAttributes(model, entity, view);
  }
  if (second) {
    names.merge(KeyAttributes(model, entity, View{view.table, nullptr}));
  }
  return names;
}

}  // namespace prejoin::model
