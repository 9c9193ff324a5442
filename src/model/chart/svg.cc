// Item collections as a self-contained SVG: one block for each partition key, its cell merged over
// all its items, item types coloured, attribute names above their values.
#include <algorithm>
#include <array>
#include <map>

#include "model/chart/chart.h"

namespace prejoin::model {
namespace {

constexpr int kCharWidth = 7;
constexpr int kRowHeight = 38;
constexpr int kMargin = 16;
constexpr std::size_t kCellTextMax = 44;

// Light fills that keep black text readable, also for people who do not see all colours alike.
constexpr std::array kColours = std::to_array<const char*>(
    {"#dbeafe", "#fef3c7", "#dcfce7", "#fce7f3", "#ede9fe", "#ffedd5", "#cffafe", "#f1f5f9"});

std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Whole characters only.
std::string Shortened(const std::string& text) {
  if (text.size() <= kCellTextMax) return text;
  std::size_t end = kCellTextMax - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

int TextWidth(const std::string& text) {
  return static_cast<int>(Shortened(text).size()) * kCharWidth + 14;
}

class SvgWriter {
 public:
  void Rect(int x, int y, int width, int height, const std::string& fill) {
    body_ += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
             std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" fill=\"" + fill +
             "\" stroke=\"#94a3b8\"/>\n";
    width_ = std::max(width_, x + width + kMargin);
    height_ = std::max(height_, y + height + kMargin);
  }

  void Text(int x, int y, const std::string& text, const char* style = "") {
    body_ += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + style + ">" +
             Escaped(Shortened(text)) + "</text>\n";
    width_ = std::max(width_, x + TextWidth(text) + kMargin);
    height_ = std::max(height_, y + kMargin);
  }

  std::string Finish(const std::string& title) const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width_) +
           "\" height=\"" + std::to_string(height_) + "\" viewBox=\"0 0 " + std::to_string(width_) +
           " " + std::to_string(height_) +
           "\" font-family=\"ui-monospace, monospace\" font-size=\"12\">\n<title>" +
           Escaped(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
           body_ + "</svg>\n";
  }

 private:
  std::string body_;
  int width_ = 400;
  int height_ = 40;
};

void DrawView(const View& view, const std::vector<Collection>& collections,
              const std::map<std::string, std::string>& colours, int& y, SvgWriter& svg) {
  svg.Text(kMargin, y, view.index != nullptr ? "Index " + view.Label() : "Table " + view.Label(),
           " font-weight=\"bold\" font-size=\"14\"");
  y += 12;
  int partition_width = 90;
  int sort_width = 90;
  for (const Collection& collection : collections) {
    partition_width = std::max(partition_width, TextWidth(collection.partition));
    for (const CollectionItem& item : collection.items)
      sort_width = std::max(sort_width, TextWidth(item.sort));
  }
  for (const Collection& collection : collections) {
    const int height = kRowHeight * static_cast<int>(collection.items.size());
    svg.Rect(kMargin, y, partition_width, height, "#f8fafc");
    svg.Text(kMargin + 6, y + height / 2 + 4, collection.partition, " font-weight=\"bold\"");
    for (const CollectionItem& item : collection.items) {
      const std::string& colour = colours.at(item.entity);
      int x = kMargin + partition_width;
      svg.Rect(x, y, sort_width, kRowHeight, colour);
      svg.Text(x + 6, y + 23, item.sort);
      x += sort_width;
      for (const auto& [name, value] : item.attributes) {
        const int width = std::max(TextWidth(name), TextWidth(value));
        svg.Rect(x, y, width, kRowHeight, colour);
        svg.Text(x + 6, y + 14, name, " font-size=\"10\" fill=\"#475569\"");
        svg.Text(x + 6, y + 30, value);
        x += width;
      }
      y += kRowHeight;
    }
  }
  y += 30;
}

}  // namespace

std::string DrawSvg(const Model& model, const Dataset& data) {
  SvgWriter svg;
  std::map<std::string, std::string> colours;
  int y = kMargin + 10;
  int x = kMargin;
  for (std::size_t i = 0; i < model.entities.size(); ++i) {
    const std::string& name = model.entities[i].name.text;
    colours[name] = kColours[i % kColours.size()];
    if (!model.FindPlacement(name)) continue;
    svg.Rect(x, y - 12, 14, 14, colours[name]);
    svg.Text(x + 20, y, name);
    x += TextWidth(name) + 34;
  }
  y += 30;
  for (const Table& table : model.tables) {
    std::vector<View> views = {{&table, nullptr}};
    for (const Index& index : table.indexes) views.push_back({&table, &index});
    for (const View& view : views) DrawView(view, Collections(model, view, data), colours, y, svg);
  }
  return svg.Finish(model.title);
}

}  // namespace prejoin::model
