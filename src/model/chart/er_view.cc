// The boxes of entities that belong together are in a row; under it every relationship has a lane
// of its own, and each end of it goes straight up to its box. So a label never meets another label,
// whatever the model looks like; lines may cross, and pass behind labels.
#include "model/chart/er_view.h"

#include <algorithm>
#include <set>

#include "model/schema/strategy_match.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr int kBoxGap = 48;
constexpr int kLaneHeight = 34;
constexpr int kStubGap = 28;  // Between two lines that leave one box; a cardinality fits in.
constexpr int kBoxWidthMin = 120;

struct Box {
  const Entity* entity = nullptr;
  SvgBox place;
  int stubs_used = 0;
};

std::string AttributeLine(const Attribute& attribute) {
  std::string out = attribute.is_key ? "* " : "  ";
  out += attribute.name.text + " ";
  out += attribute.references ? "→ " + attribute.references->entity.text
                              : std::string(AttributeTypeName(attribute.type));
  if (attribute.optional) {
    out += "?";
  }
  return out;
}

std::vector<std::string> Ends(const Relationship& relationship) {
  std::vector<std::string> ends = {relationship.from.text};
  if (!relationship.to.text.empty()) {
    ends.push_back(relationship.to.text);
  }
  if (!relationship.through.text.empty()) {
    ends.push_back(relationship.through.text);
  }
  return ends;
}

int StubCount(const Model& model, const std::string& entity) {
  int count = 0;
  for (const Relationship& relationship : model.relationships) {
    const std::vector<std::string> ends = Ends(relationship);
    count += static_cast<int>(std::count(ends.begin(), ends.end(), entity));
  }
  return count;
}

// Entities that relationships connect, each group in the order of the file.
std::vector<std::vector<const Entity*>> Groups(const Model& model) {
  std::vector<std::set<std::string>> groups;
  for (const Entity& entity : model.entities) {
    groups.push_back({entity.name.text});
  }
  for (const Relationship& relationship : model.relationships) {
    const std::vector<std::string> ends = Ends(relationship);
    std::set<std::string> joined;
    for (std::set<std::string>& group : groups) {
      const bool touched = std::any_of(ends.begin(), ends.end(),
                                       [&](const std::string& end) { return group.contains(end); });
      if (touched) {
        joined.merge(group);
      }
      if (touched) {
        group.clear();
      }
    }
    groups.push_back(std::move(joined));
  }
  std::vector<std::vector<const Entity*>> out;
  std::set<std::string> placed;
  for (const Entity& entity : model.entities) {
    if (placed.contains(entity.name.text)) {
      continue;
    }
    for (const std::set<std::string>& group : groups) {
      if (!group.contains(entity.name.text)) {
        continue;
      }
      out.emplace_back();
      for (const Entity& member : model.entities) {
        if (!group.contains(member.name.text)) {
          continue;
        }
        out.back().push_back(&member);
        placed.insert(member.name.text);
      }
      break;
    }
  }
  return out;
}

SvgBox SizeOf(const Model& model, const Entity& entity) {
  int width = std::max(kBoxWidthMin, SvgTextWidth(entity.name.text));
  for (const Attribute& attribute : entity.attributes) {
    width = std::max(width, SvgTextWidth(AttributeLine(attribute)));
  }
  width = std::max(width + 2 * kSvgPadding, (StubCount(model, entity.name.text) + 1) * kStubGap);
  const int height = (static_cast<int>(entity.attributes.size()) + 1) * kSvgLineHeight + 14;
  return {0, 0, width, height};
}

void DrawBox(const Box& box, const std::string& colour, SvgWriter& svg) {
  const SvgBox& place = box.place;
  svg.BeginGroup("entity", box.entity->name.text);
  svg.Rect(place, "#ffffff");
  svg.Rect({place.x, place.y, place.width, kSvgLineHeight + 6}, colour);
  svg.Text(place.x + kSvgPadding, place.y + kSvgLineHeight, box.entity->name.text,
           SvgTextStyle::kBold);
  int y = place.y + kSvgLineHeight + 6;
  for (const Attribute& attribute : box.entity->attributes) {
    y += kSvgLineHeight;
    svg.Text(place.x + kSvgPadding, y, AttributeLine(attribute),
             attribute.is_key ? SvgTextStyle::kBold : SvgTextStyle::kPlain);
  }
  svg.EndGroup();
}

// A line from the next free place under the box down to the lane; gives its x.
int DrawStub(Box& box, int lane_y, const std::string& cardinality, SvgStroke stroke,
             SvgWriter& svg) {
  const int bottom = box.place.y + box.place.height;
  const int x = box.place.x + kStubGap * ++box.stubs_used - kStubGap / 2;
  svg.Line(x, bottom, x, lane_y, stroke);
  svg.Text(x + 4, bottom + 13, cardinality);
  return x;
}

class RowDrawer {
 public:
  RowDrawer(const Model& model, std::vector<Box> boxes, SvgWriter& svg)
      : model_(model), boxes_(std::move(boxes)), svg_(svg) {}

  // Gives the y under the last lane.
  int DrawLanes(int y) {
    struct Label {
      int middle;
      int y;
      std::string text;
    };
    std::vector<Label> labels;
    y += 14;
    for (const Relationship& relationship : model_.relationships) {
      if (Find(relationship.from.text) == nullptr) {
        continue;
      }
      y += kLaneHeight;
      svg_.BeginGroup("relationship", relationship.name.text);
      const auto [left, right] = DrawEnds(relationship, y);
      svg_.Line(left, y, right, y);
      svg_.EndGroup();
      labels.push_back({(left + right) / 2, y,
                        relationship.name.text + "  " + RelationshipLabel(model_, relationship)});
    }
    // After all lines, so that none runs through a label.
    for (const Label& label : labels) {
      const int width = SvgTextWidth(label.text) + 2 * kSvgPadding;
      const int x = std::max(kSvgMargin, label.middle - width / 2);
      svg_.Backdrop({x, label.y - 9, width, 18});
      svg_.Text(x + kSvgPadding, label.y + 4, label.text);
    }
    return labels.empty() ? y : y + kLaneHeight / 2;
  }

 private:
  Box* Find(const std::string& entity) {
    const auto found = std::find_if(boxes_.begin(), boxes_.end(), [&](const Box& box) {
      return box.entity->name.text == entity;
    });
    return found == boxes_.end() ? nullptr : &*found;
  }

  std::pair<int, int> DrawEnds(const Relationship& relationship, int y) {
    const bool many_to_many = relationship.kind == RelationshipKind::kManyToMany;
    std::vector<int> ends;
    const auto draw = [&](const Name& name, const char* cardinality, SvgStroke stroke) {
      if (Box* box = Find(name.text)) {
        ends.push_back(DrawStub(*box, y, cardinality, stroke, svg_));
      }
    };
    const bool levels = relationship.kind == RelationshipKind::kHierarchy;
    draw(relationship.from, levels ? "" : (many_to_many ? "N" : "1"), SvgStroke::kSolid);
    draw(relationship.to,
         many_to_many ? "M" : (relationship.kind == RelationshipKind::kOneToOne ? "1" : "N"),
         SvgStroke::kSolid);
    draw(relationship.through, "", SvgStroke::kDashed);
    const auto [least, greatest] = std::minmax_element(ends.begin(), ends.end());
    return {*least, *greatest};
  }

  const Model& model_;
  std::vector<Box> boxes_;
  SvgWriter& svg_;
};

}  // namespace

std::string RelationshipLabel(const Model& model, const Relationship& relationship) {
  std::string out;
  switch (relationship.kind) {
    case RelationshipKind::kOneToOne:
      out = "1 : 1";
      break;
    case RelationshipKind::kOneToMany:
      out = "1 : N";
      break;
    case RelationshipKind::kManyToMany:
      out = "N : M";
      break;
    case RelationshipKind::kHierarchy:
      for (const Name& level : relationship.levels) {
        out += (out.empty() ? "" : " > ") + level.text;
      }
      break;
  }
  if (!relationship.through.text.empty()) {
    out += " through " + relationship.through.text;
  }
  for (const Cardinality& cardinality : relationship.cardinalities) {
    if (cardinality.average <= 0 && cardinality.bound <= 0) {
      continue;
    }
    out += ", " + cardinality.entity.text;
    for (const Name& name : cardinality.by) {
      out += " by " + name.text;
    }
    if (cardinality.average > 0) {
      out += " ~" + FigureText(cardinality.average);
    }
    if (cardinality.bound > 0) {
      out += " at most " + FigureText(cardinality.bound);
    }
  }
  std::vector<std::string> names;
  for (const StrategyChoice& choice : model.strategies) {
    if (choice.relationship.text != relationship.name.text) {
      continue;
    }
    for (const Name& name : choice.strategies) {
      names.push_back(name.text);
    }
  }
  // Not stated in the file: what the keys show.
  if (names.empty()) {
    for (const Strategy* strategy : StrategiesInUse(model, relationship)) {
      names.emplace_back(strategy->name);
    }
  }
  std::string strategies;
  for (const std::string& name : names) {
    const Strategy* strategy = FindStrategy(name);
    strategies += (strategies.empty() ? " · " : ", ") + name +
                  (strategy != nullptr ? " (" + std::string(strategy->pattern) + ")" : "");
  }
  return out + strategies;
}

int DrawErView(const Model& model, const std::map<std::string, std::string>& colours, int y,
               SvgWriter& svg) {
  svg.Text(kSvgMargin, y, "Entities and relationships", SvgTextStyle::kTitle);
  y += 14;
  for (const std::vector<const Entity*>& group : Groups(model)) {
    std::vector<Box> boxes;
    int x = kSvgMargin;
    int height = 0;
    for (const Entity* entity : group) {
      Box box{entity, SizeOf(model, *entity)};
      box.place.x = x;
      x += box.place.width + kBoxGap;
      height = std::max(height, box.place.height);
      boxes.push_back(box);
    }
    for (Box& box : boxes) {
      // On one base line, so that no line to a lane passes a box.
      box.place.y = y + height - box.place.height;
      DrawBox(box, colours.at(box.entity->name.text), svg);
    }
    y = RowDrawer(model, std::move(boxes), svg).DrawLanes(y + height) + 14;
  }
  return y + 24;
}

}  // namespace prejoin::model
