// Rules about spelling: prefixes and markers that differ in case, delimiter or a few letters; names
// that need placeholders.
#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "model/check/checker.h"

namespace prejoin::model {
namespace {

constexpr std::array kSpellingRules = std::to_array<Rule>({
    {"PJ116", "prefix-spelling", Severity::kError, "one prefix is written in two ways",
     "User# and USER#, or USER- and USER#, are different keys: a Query with one does not find the "
     "other.",
     "Use one spelling everywhere."},
    {"PJ117", "marker-spelling", Severity::kWarning, "two fixed sort keys differ by a few letters",
     "META here and METADATA there: a GetItem with the wrong one finds nothing.", "Use one word."},
    {"PJ301", "name-needs-placeholder", Severity::kNote,
     "this attribute name needs a placeholder in every expression",
     "Expressions cannot contain hyphens, dots or reserved words.",
     "Rename it, or always use ExpressionAttributeNames."},
});

// The letters of "USER#" as "USER".
std::string Letters(const std::string& literal) {
  std::string out;
  for (const char c : literal) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      out += c;
    }
  }
  return absl::AsciiStrToUpper(out);
}

struct Place {
  std::string literal;
  SourceSpan at;
};

// Splits "ORG#{org}#USER#" literals into words with the delimiter after them: ORG#, #USER#.
void AddWords(const KeyTemplate& key, std::vector<Place>& words) {
  for (const TemplatePart& part : key.parts) {
    if (!part.is_literal()) {
      continue;
    }
    std::string word;
    const std::string& text = part.literal;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_') {
        if (word.empty()) {
          begin = i;
        }
        word += text[i];
        continue;
      }
      if (!word.empty()) {
        SourceSpan at = key.at;
        at.column += part.offset + static_cast<int>(begin);
        at.length = static_cast<int>(word.size()) + 1;
        words.push_back({word + text[i], at});
      }
      word.clear();
    }
  }
}

// OrderItem and order_item are two entities, so ORDERITEM# and ORDER_ITEM# are two words.
bool AreNamesOfTwo(const Model& model, const std::string& letters) {
  return std::ranges::count_if(model.entities, [&](const Entity& entity) {
           return Letters(entity.name.text) == letters;
         }) > 1;
}

// PJ116
void CheckPrefixSpelling(Checker& checker) {
  std::map<std::string, std::vector<Place>> by_letters;
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        std::vector<Place> words;
        if (stored.kind == StoredKind::kTemplate) {
          AddWords(stored.key, words);
        }
        for (Place& word : words) {
          by_letters[Letters(word.literal)].push_back(std::move(word));
        }
      }
    }
  }
  for (const auto& [letters, places] : by_letters) {
    std::map<std::string, int> counts;
    for (const Place& place : places) {
      ++counts[place.literal];
    }
    if (counts.size() < 2 || AreNamesOfTwo(checker.model, letters)) {
      continue;
    }
    const auto usual =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const Place& place : places) {
      if (place.literal == usual->first) {
        continue;
      }
      checker.Report(RuleIn(kSpellingRules, "PJ116"), place.at,
                     "\"" + place.literal + "\" is written \"" + usual->first +
                         "\" elsewhere: the keys do not match",
                     checker.placer.Write(place.at, usual->first, "write \"" + usual->first + "\"",
                                          Applicability::kUnsafe));
    }
  }
}

// META and METADATA. A sign alone, such as "#", is no word that could be misspelt.
bool IsOneMeant(const std::string& a, const std::string& b) {
  const std::string shorter = absl::AsciiStrToUpper(a.size() < b.size() ? a : b);
  const std::string longer = absl::AsciiStrToUpper(a.size() < b.size() ? b : a);
  return a != b && longer.starts_with(shorter) && std::ranges::any_of(shorter, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0;
         });
}

struct Marker {
  Place place;
  const ItemLayout* layout;
  const KeyTemplate* partition;

  // "#RIDER" of Rider is the word that its entity has.
  bool IsOwnName() const { return Letters(place.literal) == Letters(layout->entity.text); }
};

// Two entities may share a collection, and then their markers must differ.
bool MayShareACollection(const Marker& a, const Marker& b) {
  return a.partition->LeadingLiteral() == b.partition->LeadingLiteral();
}

// PJ117
void CheckMarkers(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    std::vector<Marker> markers;
    for (const ItemLayout& layout : table.items) {
      const StoredAttribute* sort =
          table.sort.text.empty() ? nullptr : layout.Find(table.sort.text);
      if (sort != nullptr && !sort->key.natural && sort->key.parts.size() == 1 &&
          sort->key.parts[0].is_literal()) {
        markers.push_back({{sort->key.parts[0].literal, sort->key.at},
                           &layout,
                           &layout.Find(table.partition.text)->key});
      }
    }
    for (std::size_t i = 0; i < markers.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Place& here = markers[i].place;
        const Place& there = markers[j].place;
        if (!IsOneMeant(here.literal, there.literal) ||
            MayShareACollection(markers[i], markers[j]) ||
            (markers[i].IsOwnName() && markers[j].IsOwnName())) {
          continue;
        }
        checker.Report(RuleIn(kSpellingRules, "PJ117"), here.at,
                       "\"" + here.literal + "\" here, \"" + there.literal + "\" on line " +
                           std::to_string(there.at.line),
                       checker.placer.Write(here.at, there.literal,
                                            "write \"" + there.literal + "\" in both",
                                            Applicability::kUnsafe));
        break;
      }
    }
  }
}

bool HasOddBytes(const std::string& name) {
  return std::any_of(name.begin(), name.end(), [](char c) {
    return !std::isalnum(static_cast<unsigned char>(c)) && c != '_';
  });
}

// PJ301. Reserved words alone are so common that only names no expression could hold are reported.
void CheckNames(Checker& checker) {
  std::map<std::string, SourceSpan> odd;
  for (const Table& table : checker.model.tables) {
    for (const Name* name : {&table.partition, &table.sort}) {
      if (HasOddBytes(name->text)) {
        odd.emplace(name->text, name->at);
      }
    }
    for (const Index& index : table.indexes) {
      for (const std::vector<Name>* names : {&index.partition, &index.sort}) {
        for (const Name& name : *names) {
          if (HasOddBytes(name.text)) {
            odd.emplace(name.text, name.at);
          }
        }
      }
    }
  }
  for (const Entity& entity : checker.model.entities) {
    for (const Attribute& attribute : entity.attributes) {
      if (HasOddBytes(attribute.name.text)) {
        odd.emplace(attribute.name.text, attribute.name.at);
      }
    }
  }
  for (const auto& [name, at] : odd) {
    checker.Report(RuleIn(kSpellingRules, "PJ301"), at,
                   "`" + name + "` cannot be used in an expression directly",
                   Suggestion("use a placeholder such as #n, or rename it"));
  }
}

void CheckSpelling(Checker& checker) {
  CheckPrefixSpelling(checker);
  CheckMarkers(checker);
  CheckNames(checker);
}

}  // namespace

constinit const RuleFamily kSpellingFamily = {kSpellingRules, CheckSpelling};

}  // namespace prejoin::model
