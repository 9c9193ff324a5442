// All views as one self-contained SVG, one under the other. Item collections are drawn with the
// partition key's cell merged over all its items, item types coloured, attribute names above their
// values.
#include <algorithm>
#include <array>
#include <map>

#include "model/chart/chart.h"
#include "model/chart/er_view.h"
#include "model/chart/svg_writer.h"

namespace prejoin::model {
namespace {

constexpr int kRowHeight = 38;
constexpr int kHeaderHeight = 22;
constexpr int kViewGap = 40;
constexpr int kCellColumnsMax = 60;
constexpr int kKeyColumnsMax = 120;
constexpr int kGridColumnsMax = 56;
constexpr const char* kHeaderFill = "#e2e8f0";

// Light fills that keep black text readable, also for people who do not see all colours alike.
constexpr std::array kColours = std::to_array<const char*>(
    {"#dbeafe", "#fef3c7", "#dcfce7", "#fce7f3", "#ede9fe", "#ffedd5", "#cffafe", "#f1f5f9"});

using Colours = std::map<std::string, std::string>;

int CellWidth(std::string_view text) { return SvgTextWidth(text) + 2 * kSvgPadding; }

std::string JoinedNames(const std::vector<Name>& names) {
  std::string out;
  for (const Name& name : names) {
    out += (out.empty() ? "" : " · ") + name.text;
  }
  return out;
}

int DrawLegend(const Model& model, const Colours& colours, int y, SvgWriter& svg) {
  constexpr int kLegendWidthMax = 1000;
  int x = kSvgMargin;
  for (const Entity& entity : model.entities) {
    const std::string& name = entity.name.text;
    if (!model.FindPlacement(name)) {
      continue;
    }
    if (x + CellWidth(name) > kLegendWidthMax) {
      x = kSvgMargin;
      y += 20;
    }
    svg.Rect({x, y - 11, 14, 14}, colours.at(name));
    svg.Text(x + 20, y, name);
    x += CellWidth(name) + 30;
  }
  return y + kViewGap;
}

void DrawItem(const CollectionItem& item, const std::string& colour, int x, int y, int sort_width,
              SvgWriter& svg) {
  if (sort_width > 0) {
    svg.Rect({x, y, sort_width, kRowHeight}, colour);
    svg.Text(x + kSvgPadding, y + 23, SvgShortened(item.sort, kKeyColumnsMax), SvgTextStyle::kPlain,
             item.sort);
    x += sort_width;
  }
  for (const auto& [name, value] : item.attributes) {
    const std::string shown = SvgShortened(value, kCellColumnsMax);
    const int width = std::max(CellWidth(name), CellWidth(shown));
    svg.Rect({x, y, width, kRowHeight}, colour);
    svg.Text(x + kSvgPadding, y + 14, name, SvgTextStyle::kSmall);
    svg.Text(x + kSvgPadding, y + 30, shown, SvgTextStyle::kPlain, value);
    x += width;
  }
}

int DrawCollections(const View& view, const std::vector<Collection>& collections,
                    const Colours& colours, int y, SvgWriter& svg) {
  svg.BeginGroup(view.index != nullptr ? "index" : "table", view.Label());
  svg.Text(kSvgMargin, y, (view.index != nullptr ? "Index " : "Table ") + view.Label(),
           SvgTextStyle::kTitle);
  y += 12;
  const std::string partition_name = JoinedNames(view.PartitionKeys());
  const std::string sort_name = JoinedNames(view.SortKeys());
  int partition_width = CellWidth(partition_name);
  int sort_width = sort_name.empty() ? 0 : CellWidth(sort_name);
  for (const Collection& collection : collections) {
    partition_width =
        std::max(partition_width, CellWidth(SvgShortened(collection.partition, kKeyColumnsMax)));
    for (const CollectionItem& item : collection.items) {
      if (sort_width > 0) {
        sort_width = std::max(sort_width, CellWidth(SvgShortened(item.sort, kKeyColumnsMax)));
      }
    }
  }
  const int sort_x = kSvgMargin + partition_width;
  svg.Rect({kSvgMargin, y, partition_width, kHeaderHeight}, kHeaderFill);
  svg.Text(kSvgMargin + kSvgPadding, y + 15, partition_name, SvgTextStyle::kBold);
  if (sort_width > 0) {
    svg.Rect({sort_x, y, sort_width, kHeaderHeight}, kHeaderFill);
    svg.Text(sort_x + kSvgPadding, y + 15, sort_name, SvgTextStyle::kBold);
  }
  y += kHeaderHeight;
  for (const Collection& collection : collections) {
    const int height = kRowHeight * static_cast<int>(collection.items.size());
    svg.Rect({kSvgMargin, y, partition_width, height}, "#f8fafc");
    svg.Text(kSvgMargin + kSvgPadding, y + height / 2 + 4,
             SvgShortened(collection.partition, kKeyColumnsMax), SvgTextStyle::kBold,
             collection.partition);
    for (const CollectionItem& item : collection.items) {
      DrawItem(item, colours.at(item.entity), sort_x, y, sort_width, svg);
      y += kRowHeight;
    }
  }
  svg.EndGroup();
  return y + kViewGap;
}

// One row of a grid; long cells take several lines.
int DrawGridRow(const std::vector<std::string>& cells, const std::vector<int>& widths,
                const std::string& fill, int y, SvgWriter& svg) {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t lines = 1;
  for (const std::string& cell : cells) {
    wrapped.push_back(SvgWrapped(cell, kGridColumnsMax));
    lines = std::max(lines, wrapped.back().size());
  }
  const int height = static_cast<int>(lines) * kSvgLineHeight + 8;
  int x = kSvgMargin;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    svg.Rect({x, y, widths[i], height}, i == 0 || fill == kHeaderFill ? fill : "#ffffff");
    for (std::size_t line = 0; line < wrapped[i].size(); ++line) {
      svg.Text(x + kSvgPadding, y + kSvgLineHeight * static_cast<int>(line + 1), wrapped[i][line],
               i == 0 || fill == kHeaderFill ? SvgTextStyle::kBold : SvgTextStyle::kPlain);
    }
    x += widths[i];
  }
  return y + height;
}

// Rows whose first cell names an entity take its colour.
int DrawGrid(const Grid& grid, std::string_view kind, const Colours& colours, int y,
             SvgWriter& svg) {
  svg.Text(kSvgMargin, y, grid.title, SvgTextStyle::kTitle);
  y += 12;
  std::vector<int> widths;
  for (const std::string& cell : grid.header) {
    widths.push_back(CellWidth(cell));
  }
  for (const std::vector<std::string>& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (const std::string& line : SvgWrapped(row[i], kGridColumnsMax)) {
        widths[i] = std::max(widths[i], CellWidth(line));
      }
    }
  }
  y = DrawGridRow(grid.header, widths, kHeaderFill, y, svg);
  for (const std::vector<std::string>& row : grid.rows) {
    const auto colour = colours.find(row[0]);
    svg.BeginGroup(kind, row[0]);
    y = DrawGridRow(row, widths, colour != colours.end() ? colour->second : "#f8fafc", y, svg);
    svg.EndGroup();
  }
  return y + kViewGap;
}

}  // namespace

std::string DrawSvg(const Model& model, const Dataset& data) {
  SvgWriter svg;
  Colours colours;
  for (std::size_t i = 0; i < model.entities.size(); ++i) {
    colours[model.entities[i].name.text] = kColours[i % kColours.size()];
  }
  // A row has its colour in whatever layout it is stored.
  for (const Entity& layout : model.second_layouts) {
    colours[layout.name.text] = colours[layout.rows_of.text];
  }
  int y = kSvgMargin + 12;
  svg.Text(kSvgMargin, y, model.title, SvgTextStyle::kTitle);
  y = DrawErView(model, colours, y + 30, svg);
  y = DrawLegend(model, colours, y, svg);
  for (const Table& table : model.tables) {
    y = DrawGrid(EntityChart(model, table), "layout", colours, y, svg);
    std::vector<View> views = {{&table, nullptr}};
    for (const Index& index : table.indexes) {
      views.push_back({&table, &index});
    }
    for (const View& view : views) {
      y = DrawCollections(view, Collections(model, view, data), colours, y, svg);
    }
  }
  DrawGrid(PatternChart(model), "pattern", {}, y, svg);
  return svg.Finish(model.title);
}

}  // namespace prejoin::model
