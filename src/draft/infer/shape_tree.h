// Items sorted by the shape of their keys.
//
// A shape is what a pair of key templates leaves when the values are taken out: ORG# * and USER# *.
// Which parts are literals and which are values cannot be seen in one item, so every word is kept
// apart at first and numbers and the like are a star at once. The tree has one level for each part:
// the items' label (their type, if they have one), the parts of the partition key, those of the sort
// key. A level with too many words collapses into its star while items still come, which bounds the
// memory; Settle decides about the others when all were seen:
//
//   - words that are always equal to an attribute of their item are values of it, unless the items
//     differ in their attributes: then the attribute says what kind of item it is;
//   - MARKERS in capitals are literals;
//   - other words are literals if they are few, are in front of a delimiter, and tell items of
//     different attributes apart; or if there is only one.
#ifndef PREJOIN_DRAFT_INFER_SHAPE_TREE_H_
#define PREJOIN_DRAFT_INFER_SHAPE_TREE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/infer/shape_stats.h"

namespace prejoin::draft {

struct ShapePart {
  std::string literal;
  bool is_value = false;
  std::string delimiter;
  std::string form = "";  // The form of the value, if somebody said so: "number pad 4".
};

// The parts of both keys, as somebody said.
struct GivenKeys {
  std::vector<ShapePart> partition;
  std::vector<ShapePart> sort;
};

struct Shape {
  std::string label;
  std::vector<ShapePart> partition;
  std::vector<ShapePart> sort;
  ShapeStats stats;
};

// Single thread.
class ShapeTree {
 public:
  struct Settings {
    std::string partition;       // Names of the key attributes.
    std::string sort;            // May be empty.
    std::string type_attribute;  // The attribute whose value is the label; may be empty.
    std::string delimiters;
    std::vector<std::string> key_names;  // Also those of the indexes.
    std::size_t samples_max = 20;
    std::map<std::string, GivenKeys>
        given;  // By label; items that fit are of this shape without a guess.
  };

  explicit ShapeTree(Settings settings);
  ~ShapeTree();
  ShapeTree(ShapeTree&&) noexcept;

  void Add(const Item& item, std::string_view label);

  // Shapes with most items first. The tree is empty afterwards.
  std::vector<Shape> Settle();

 private:
  struct Node;
  struct Level;

  Node& Child(Node& node, const KeyToken& token);
  void Merge(Node& into, Node& from);
  void Collapse(Node& node);
  void SettleWords(Node& node, const Level& level);
  void SettleNode(Node& node, const Level& level);
  std::string ValueAttribute(const Node& node, const Level& level) const;
  void Collect(Node& node, std::vector<ShapePart>& path, const std::string& label,
               std::vector<Shape>& shapes);

  Settings settings_;
  std::map<std::string, std::unique_ptr<Node>> roots_;  // By label.
  std::map<std::string, Shape> fitting_;                // Keyed by label; of `given`.
};

// "STU#<id>" taken apart; nullopt if a part is neither a literal nor one <value>.
std::optional<std::vector<ShapePart>> ReadAlias(std::string_view alias,
                                                std::string_view delimiters);

// Returns true if the keys of an item have these parts. `sort` is empty for a table without a sort key.
bool FitsGiven(const Item& item, const GivenKeys& given, const ShapeTree::Settings& settings);

// Returns the similarity of two shapes' attributes: 1 is the same.
double AttributesAlike(const ShapeStats& a, const ShapeStats& b);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_SHAPE_TREE_H_
