#include "draft/infer/shape_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace prejoin::draft {
namespace {

constexpr std::size_t kWordsMax = 48;
constexpr std::size_t kMarkersAlikeMax = 12;
constexpr std::size_t kLastWordsMax = 4;
constexpr std::size_t kLabelsMax = 64;
constexpr double kNearlyAll = 0.9;
constexpr double kAlike = 0.8;
const KeyToken kEndOfPartition{"\x01", "\x01"};

bool LooksLikeKind(std::string_view attribute) {
  std::string plain;
  for (const char c : attribute) {
    if (c != '_' && c != '-') {
      plain += static_cast<char>(c | 0x20);
    }
  }
  return plain.ends_with("type") || plain == "kind" || plain == "entity" || plain == "model";
}

}  // namespace

struct ShapeTree::Node {
  std::map<std::string, std::unique_ptr<Node>> words;  // Keyed by text and delimiter.
  std::map<std::string, KeyToken> tokens;              // The same, taken apart.
  std::map<std::string, std::unique_ptr<Node>> stars;  // By delimiter.
  std::unique_ptr<ShapeStats> leaf;

  void EachLeaf(const std::function<void(const ShapeStats&)>& visit) const {
    if (leaf) {
      visit(*leaf);
    }
    for (const auto& [word, child] : words) {
      child->EachLeaf(visit);
    }
    for (const auto& [delimiter, child] : stars) {
      child->EachLeaf(visit);
    }
  }
  std::int64_t Count() const {
    std::int64_t count = 0;
    EachLeaf([&](const ShapeStats& stats) { count += stats.count; });
    return count;
  }
  // Names only.
  ShapeStats Attributes() const {
    ShapeStats all;
    EachLeaf([&](const ShapeStats& stats) {
      all.count += stats.count;
      for (const auto& [name, one] : stats.attributes) {
        all.attributes[name].count += one.count;
      }
    });
    return all;
  }
};

// Which part of which key a node's children are.
struct ShapeTree::Level {
  bool in_sort = false;
  std::size_t part = 0;
};

ShapeTree::ShapeTree(Settings settings) : settings_(std::move(settings)) {}
ShapeTree::~ShapeTree() = default;
ShapeTree::ShapeTree(ShapeTree&&) noexcept = default;

ShapeTree::Node& ShapeTree::Child(Node& node, const KeyToken& token) {
  if (token.text == kEndOfPartition.text || IsWordToken(token.text)) {
    auto& child = node.words[token.text + token.delimiter];
    if (!child) {
      child = std::make_unique<Node>();
      node.tokens[token.text + token.delimiter] = token;
      if (node.words.size() > kWordsMax) {
        Collapse(node);
        return *node.stars[token.delimiter];
      }
    }
    return *child;
  }
  auto& star = node.stars[token.delimiter];
  if (!star) {
    star = std::make_unique<Node>();
  }
  return *star;
}

void ShapeTree::Add(const Item& item, std::string_view label) {
  const AttributeValue* partition = item.Find(settings_.partition);
  const auto partition_text = partition != nullptr ? KeyText(*partition) : std::nullopt;
  std::string name(label);
  const auto given = settings_.given.find(name);
  if (given != settings_.given.end() && FitsGiven(item, given->second, settings_)) {
    Shape& shape = fitting_[name];
    if (shape.stats.count == 0) {
      shape = {name, given->second.partition, given->second.sort, std::move(shape.stats)};
    }
    shape.stats.Add(item, settings_.key_names, settings_.delimiters, settings_.samples_max);
    return;
  }
  auto root = roots_.find(name);
  if (root == roots_.end()) {
    if (roots_.size() >= kLabelsMax) {
      name = "";
    }
    root = roots_.try_emplace(name).first;
    if (!root->second) {
      root->second = std::make_unique<Node>();
    }
  }
  Node* node = root->second.get();
  for (const KeyToken& token : SplitKey(partition_text.value_or("0"), settings_.delimiters)) {
    node = &Child(*node, token);
  }
  if (!settings_.sort.empty()) {
    const AttributeValue* sort = item.Find(settings_.sort);
    const auto sort_text = sort != nullptr ? KeyText(*sort) : std::nullopt;
    node = &Child(*node, kEndOfPartition);
    for (const KeyToken& token : SplitKey(sort_text.value_or("0"), settings_.delimiters)) {
      node = &Child(*node, token);
    }
  }
  if (!node->leaf) {
    node->leaf = std::make_unique<ShapeStats>();
  }
  node->leaf->Add(item, settings_.key_names, settings_.delimiters, settings_.samples_max);
}

void ShapeTree::Merge(Node& into, Node& from) {
  if (from.leaf) {
    if (into.leaf) {
      into.leaf->Merge(*from.leaf, settings_.samples_max);
    } else {
      into.leaf = std::move(from.leaf);
    }
  }
  for (auto& [word, child] : from.words) {
    auto& mine = into.words[word];
    into.tokens[word] = from.tokens[word];
    if (mine) {
      Merge(*mine, *child);
    } else {
      mine = std::move(child);
    }
  }
  for (auto& [delimiter, child] : from.stars) {
    auto& mine = into.stars[delimiter];
    if (mine) {
      Merge(*mine, *child);
    } else {
      mine = std::move(child);
    }
  }
  if (into.words.size() > kWordsMax) {
    Collapse(into);
  }
}

void ShapeTree::Collapse(Node& node) {
  auto words = std::move(node.words);
  node.words.clear();
  for (auto& [word, child] : words) {
    auto& star = node.stars[node.tokens[word].delimiter];
    if (!star) {
      star = std::make_unique<Node>();
    }
    Merge(*star, *child);
  }
  node.tokens.clear();
}

// The attribute that nearly all items below a word hold this very word in; empty if there is none.
std::string ShapeTree::ValueAttribute(const Node& node, const Level& level) const {
  const std::string& key = level.in_sort ? settings_.sort : settings_.partition;
  std::map<std::string, std::int64_t> matches;
  std::int64_t count = 0;
  node.EachLeaf([&](const ShapeStats& stats) {
    count += stats.count;
    const std::vector<TokenStats>* parts = stats.Parts(key);
    if (parts == nullptr || level.part >= parts->size()) {
      return;
    }
    for (const auto& [name, times] : (*parts)[level.part].matches) {
      matches[name] += times;
    }
  });
  for (const auto& [name, times] : matches) {
    const std::string attribute = name.substr(0, name.find(' '));
    if (attribute.empty() || attribute[0] == '@' || attribute == settings_.type_attribute ||
        LooksLikeKind(attribute)) {
      continue;
    }
    if (static_cast<double>(times) >= kNearlyAll * static_cast<double>(count)) {
      return attribute;
    }
  }
  return "";
}

// Moves the words that are values into their star.
void ShapeTree::SettleWords(Node& node, const Level& level) {
  std::vector<std::string> values;
  std::size_t markers = 0;
  std::size_t last_words = 0;
  bool alike = true;
  const Node* before = nullptr;
  for (const auto& [word, child] : node.words) {
    markers += IsMarker(node.tokens[word].text) ? 1 : 0;
    last_words += node.tokens[word].delimiter.empty() ? 1 : 0;
    if (before != nullptr) {
      alike = alike && AttributesAlike(before->Attributes(), child->Attributes()) >= kAlike;
    }
    before = child.get();
  }
  const std::size_t siblings = node.words.size() + node.stars.size();
  for (const auto& [word, child] : node.words) {
    const KeyToken& token = node.tokens[word];
    const std::string attribute = ValueAttribute(*child, level);
    bool value = false;
    if (!attribute.empty()) {
      value = siblings > 1 ? alike : !IsMarker(token.text) || token.delimiter.empty();
      // Items of several kinds below their parent: the parent's name is a value all the same.
      value = value || (!IsMarker(token.text) && siblings > 1);
    } else if (IsMarker(token.text)) {
      value = alike && markers > kMarkersAlikeMax;
    } else if (token.delimiter.empty()) {
      // `metadata` beside ids: a word of many items among few words.
      const bool repeated = level.in_sort && child->Count() >= 2 && last_words <= kLastWordsMax;
      value = (siblings > 1 && !repeated) || child->Count() < 2;
    } else {
      value = (alike && siblings > 2) || !node.stars.empty();
    }
    if (value) {
      values.push_back(word);
    }
  }
  for (const std::string& word : values) {
    auto& star = node.stars[node.tokens[word].delimiter];
    if (!star) {
      star = std::make_unique<Node>();
    }
    Merge(*star, *node.words[word]);
    node.words.erase(word);
  }
}

void ShapeTree::SettleNode(Node& node, const Level& level) {
  const bool at_end = node.words.contains(kEndOfPartition.text + kEndOfPartition.delimiter);
  if (!at_end) {
    SettleWords(node, level);
  }
  for (auto& [word, child] : node.words) {
    const bool end = node.tokens[word].text == kEndOfPartition.text;
    SettleNode(*child, end ? Level{true, 0} : Level{level.in_sort, level.part + 1});
  }
  for (auto& [delimiter, child] : node.stars) {
    SettleNode(*child, Level{level.in_sort, level.part + 1});
  }
}

void ShapeTree::Collect(Node& node, std::vector<ShapePart>& path, const std::string& label,
                        std::vector<Shape>& shapes) {
  if (node.leaf) {
    Shape shape{label, {}, {}, std::move(*node.leaf)};
    bool in_sort = false;
    for (const ShapePart& part : path) {
      if (part.literal == kEndOfPartition.text) {
        in_sort = true;
      } else {
        (in_sort ? shape.sort : shape.partition).push_back(part);
      }
    }
    shapes.push_back(std::move(shape));
  }
  for (auto& [word, child] : node.words) {
    path.push_back({node.tokens[word].text, false, node.tokens[word].delimiter});
    Collect(*child, path, label, shapes);
    path.pop_back();
  }
  for (auto& [delimiter, child] : node.stars) {
    path.push_back({"", true, delimiter});
    Collect(*child, path, label, shapes);
    path.pop_back();
  }
}

std::vector<Shape> ShapeTree::Settle() {
  std::vector<Shape> shapes;
  for (auto& [label, root] : roots_) {
    SettleNode(*root, Level{});
    std::vector<ShapePart> path;
    Collect(*root, path, label, shapes);
  }
  roots_.clear();
  for (auto& [label, shape] : fitting_) {
    shapes.push_back(std::move(shape));
  }
  fitting_.clear();
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const Shape& a, const Shape& b) { return a.stats.count > b.stats.count; });
  return shapes;
}

std::optional<std::vector<ShapePart>> ReadAlias(std::string_view alias,
                                                std::string_view delimiters) {
  std::vector<ShapePart> parts;
  for (const KeyToken& token : SplitKey(alias, delimiters)) {
    const std::string& text = token.text;
    const bool value = text.size() > 2 && text.front() == '<' && text.back() == '>';
    const std::string inner = value ? text.substr(1, text.size() - 2) : text;
    if (inner.find_first_of("<>") != std::string::npos) {
      return std::nullopt;
    }
    parts.push_back({value ? "" : text, value, token.delimiter, value ? inner : ""});
  }
  return parts;
}

bool FitsGiven(const Item& item, const GivenKeys& given, const ShapeTree::Settings& settings) {
  const auto fits = [&](const std::string& key, const std::vector<ShapePart>& parts) {
    if (key.empty()) {
      return true;
    }
    const AttributeValue* value = item.Find(key);
    const auto text = value != nullptr ? KeyText(*value) : std::nullopt;
    if (!text) {
      return false;
    }
    const std::vector<KeyToken> tokens = SplitKey(*text, settings.delimiters);
    return std::equal(tokens.begin(), tokens.end(), parts.begin(), parts.end(),
                      [](const KeyToken& token, const ShapePart& part) {
                        return token.delimiter == part.delimiter &&
                               (part.is_value || token.text == part.literal);
                      });
  };
  return fits(settings.partition, given.partition) && fits(settings.sort, given.sort);
}

double AttributesAlike(const ShapeStats& a, const ShapeStats& b) {
  std::size_t both = 0;
  std::size_t all = 0;
  // An attribute of only a few items says little about the kind.
  const auto usual = [](const ShapeStats& stats, const std::string& name) {
    const auto found = stats.attributes.find(name);
    return found != stats.attributes.end() && found->second.count * 3 >= stats.count;
  };
  for (const auto& [name, stats] : a.attributes) {
    if (!usual(a, name)) {
      continue;
    }
    ++all;
    both += usual(b, name) ? 1 : 0;
  }
  for (const auto& [name, stats] : b.attributes) {
    all += usual(b, name) && !usual(a, name) ? 1 : 0;
  }
  return all == 0 ? 1 : static_cast<double>(both) / static_cast<double>(all);
}

}  // namespace prejoin::draft
