#include "model/layout/key_spelling.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <utility>

#include "model/schema/join.h"

namespace prejoin::model {
namespace {

// The attributes that the busiest pattern with an order sorts by.
std::vector<std::string> WantedOrder(const Model& model, const Entity& entity) {
  const Section* busiest = nullptr;
  double rate = -1;
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      if (!(section.entity == entity.name) || section.via.given() || section.order.empty() ||
          pattern.rate_per_second <= rate) {
        continue;
      }
      busiest = &section;
      rate = pattern.rate_per_second;
    }
  }
  std::vector<std::string> names;
  for (const OrderKey& key : busiest != nullptr ? busiest->order : std::vector<OrderKey>()) {
    names.push_back(key.attribute.text);
  }
  return names;
}

}  // namespace

std::string KeyWord(std::string_view entity) {
  return absl::AsciiStrToUpper({entity.data(), entity.size()});
}

std::string KeyWord(const Entity& entity) { return KeyWord(entity.name.text); }

std::string PartText(const Attribute& attribute, int digits) {
  const std::string pad = " pad " + std::to_string(digits);
  return "{" + attribute.name.text + (IsNumber(attribute.type) ? pad : "") + "}";
}

std::string PartsText(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += "#{" + name + "}";
  }
  return text;
}

std::string PartsText(const Entity& entity, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += "#" + PartText(*entity.Find(name));
  }
  return text;
}

std::string ShardText(int shards, const std::string& attribute) {
  return "#{shard " + std::to_string(shards) + " of " + attribute + "}";
}

std::string OwnKeyText(const Entity& entity) {
  return KeyWord(entity) + PartsText(entity.KeyNames());
}

std::string OwnerKeyText(const Entity& entity, const Entity& owner) {
  std::string text = KeyWord(owner);
  for (const JoinColumn& column : JoinColumns(entity, owner)) {
    text += "#{" + column.from + "}";
  }
  return text;
}

std::string CollectionSortText(const Model& model, const Entity& entity,
                               const std::set<std::string>& bound) {
  std::vector<std::string> names = WantedOrder(model, entity);
  std::ranges::copy(entity.KeyNames(), std::back_inserter(names));
  std::set<std::string> used = bound;
  std::erase_if(names, [&](const std::string& name) {
    return entity.Find(name) == nullptr || !WhyNotInKey(model, entity, name).empty() ||
           !used.insert(name).second;
  });
  return KeyWord(entity) + PartsText(entity, names);
}

std::string WhyNotInKey(const Model& model, const Entity& entity, const std::string& name) {
  const Attribute* attribute = entity.Find(name);
  if (attribute == nullptr) {
    return "";
  }
  if (attribute->optional) {
    return "`" + name + "` is optional, and every item needs its whole key";
  }
  if (attribute->is_key) {
    return "";
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const auto is = [&](const Name& one) { return one.text == name; };
      if (step.entity == entity.name &&
          (std::ranges::any_of(step.set, is) || std::ranges::any_of(step.remove, is))) {
        return "`" + write.name.text + "` changes `" + name + "`, which would be part of the key";
      }
    }
  }
  return "";
}

KeyTemplate KeyOfText(const std::string& text) {
  std::vector<Diagnostic> ignored;
  return ParseKeyTemplate(text, {}, ignored);
}

StoredAttribute KeyAttribute(const std::string& name, KeyTemplate key) {
  StoredAttribute stored;
  stored.name.text = name;
  stored.key = std::move(key);
  return stored;
}

StoredAttribute MakeStored(const std::string& name, const std::string& text) {
  return KeyAttribute(name, KeyOfText(text));
}

StoredAttribute NaturalKey(Name name) {
  StoredAttribute stored;
  stored.at = stored.key.at = name.at;
  stored.key.natural = true;
  stored.key.parts.push_back({"", name.text});
  stored.name = std::move(name);
  return stored;
}

std::string TemplateText(const KeyTemplate& key) {
  const std::string text = key.ToString();
  return key.natural ? "{" + text + "}" : text.substr(1, text.size() - 2);
}

KeyTemplate Extended(const KeyTemplate& key, const std::string& more) {
  return KeyOfText(TemplateText(key) + more);
}

StoredAttribute Extended(StoredAttribute stored, const std::string& more) {
  return MakeStored(stored.name.text, TemplateText(stored.key) + more);
}

StoredAttribute WithPrefix(const StoredAttribute& stored, const std::string& prefix) {
  std::string text = TemplateText(stored.key);
  if (!stored.key.natural) {
    text = text.substr(stored.key.LeadingLiteral().size());
  }
  // The part behind a removed prefix may have nothing left to stand behind.
  return MakeStored(stored.name.text, prefix + (text.empty() ? "" : "#" + text));
}

std::vector<std::string> PartsOfKey(const KeyTemplate& key) {
  std::vector<std::string> names;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_literal() && part.transform != TemplateTransform::kShard) {
      names.push_back(part.label());
    }
  }
  return names;
}

std::set<std::string> NamesInKey(const KeyTemplate& key) {
  const std::vector<std::string> names = PartsOfKey(key);
  return {names.begin(), names.end()};
}

}  // namespace prejoin::model
