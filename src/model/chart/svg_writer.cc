#include "model/chart/svg_writer.h"

#include <algorithm>

#include "base/xml_text.h"

namespace prejoin::model {
namespace {

// A little more than the widest of the usual fixed-width fonts needs (0.602 em), so that text never
// touches the border of its cell.
constexpr double kCharWidth = 7.35;
constexpr double kTitleScale = 14.0 / 12.0;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the character that starts at `at`.
std::size_t CharacterBytes(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && IsContinuation(text[end])) {
    ++end;
  }
  return end - at;
}

// From three bytes with 0xE1 up: Hangul, kana, ideographs, emoji; punctuation such as … is 0xE2.
int CharacterColumns(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first >= 0xE3 ? 2 : 1;
}

std::string NumberAttribute(std::string_view name, int value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

std::string_view StyleText(SvgTextStyle style) {
  switch (style) {
    case SvgTextStyle::kPlain:
      return "";
    case SvgTextStyle::kBold:
      return " font-weight=\"bold\"";
    case SvgTextStyle::kTitle:
      return " font-weight=\"bold\" font-size=\"14\"";
    case SvgTextStyle::kSmall:
      return " font-size=\"10\" fill=\"#475569\"";
  }
  return "";
}

}  // namespace

int SvgColumns(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = CharacterBytes(text, at);
    columns += CharacterColumns(text.substr(at, bytes));
    at += bytes;
  }
  return columns;
}

int SvgTextWidth(std::string_view text) {
  return static_cast<int>(SvgColumns(text) * kCharWidth + 1);
}

std::string SvgShortened(const std::string& text, int columns_max) {
  if (SvgColumns(text) <= columns_max) {
    return text;
  }
  std::size_t at = 0;
  for (int columns = 0; at < text.size();) {
    const std::size_t bytes = CharacterBytes(text, at);
    columns += CharacterColumns(std::string_view(text).substr(at, bytes));
    if (columns >= columns_max) {
      break;
    }
    at += bytes;
  }
  return text.substr(0, at) + "…";
}

std::vector<std::string> SvgWrapped(const std::string& text, int columns_max) {
  std::vector<std::string> lines;
  std::string line;
  int columns = 0;
  std::size_t space = std::string::npos;  // Last one in `line`.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = CharacterBytes(text, at);
    const std::string character = text.substr(at, bytes);
    at += bytes;
    if (columns + CharacterColumns(character) > columns_max && !line.empty()) {
      const bool at_space = space != std::string::npos && character != " ";
      std::string rest = at_space ? line.substr(space + 1) : "";
      lines.push_back(at_space ? line.substr(0, space) : line);
      line = std::move(rest);
      columns = SvgColumns(line);
      space = std::string::npos;
      if (character == " ") {
        continue;
      }
    }
    if (character == " ") {
      space = line.size();
    }
    line += character;
    columns += CharacterColumns(character);
  }
  if (!line.empty() || lines.empty()) {
    lines.push_back(line);
  }
  return lines;
}

void SvgWriter::Cover(int right, int bottom) {
  width_ = std::max(width_, right + kSvgMargin);
  height_ = std::max(height_, bottom + kSvgMargin);
}

void SvgWriter::Rect(const SvgBox& box, std::string_view fill) {
  body_ += "<rect" + NumberAttribute("x", box.x) + NumberAttribute("y", box.y) +
           NumberAttribute("width", box.width) + NumberAttribute("height", box.height) +
           " fill=\"" + std::string(fill) + "\" stroke=\"#94a3b8\"/>\n";
  Cover(box.x + box.width, box.y + box.height);
}

void SvgWriter::Backdrop(const SvgBox& box) {
  body_ += "<rect" + NumberAttribute("x", box.x) + NumberAttribute("y", box.y) +
           NumberAttribute("width", box.width) + NumberAttribute("height", box.height) +
           " fill=\"#ffffff\"/>\n";
}

void SvgWriter::Line(int x1, int y1, int x2, int y2, SvgStroke stroke) {
  body_ += "<line" + NumberAttribute("x1", x1) + NumberAttribute("y1", y1) +
           NumberAttribute("x2", x2) + NumberAttribute("y2", y2) + " stroke=\"#334155\"" +
           (stroke == SvgStroke::kDashed ? " stroke-dasharray=\"4 3\"" : "") + "/>\n";
  Cover(std::max(x1, x2), std::max(y1, y2));
}

void SvgWriter::Text(int x, int y, std::string_view text, SvgTextStyle style,
                     std::string_view full) {
  body_ += "<text" + NumberAttribute("x", x) + NumberAttribute("y", y) +
           std::string(StyleText(style)) + ">" + XmlText(text) +
           (full.empty() || full == text ? "" : "<title>" + XmlText(full) + "</title>") +
           "</text>\n";
  const int width = SvgTextWidth(text);
  Cover(x + (style == SvgTextStyle::kTitle ? static_cast<int>(width * kTitleScale) : width), y + 4);
}

void SvgWriter::BeginGroup(std::string_view kind, std::string_view name) {
  body_ += "<g class=\"" + XmlText(kind) + "\" data-name=\"" + XmlText(name) + "\">\n";
}

void SvgWriter::EndGroup() { body_ += "</g>\n"; }

std::string SvgWriter::Finish(std::string_view title) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + NumberAttribute("width", width_) +
         NumberAttribute("height", height_) + " viewBox=\"0 0 " + std::to_string(width_) + " " +
         std::to_string(height_) +
         "\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" "
         "font-size=\"12\" xml:space=\"preserve\">\n<title>" +
         XmlText(title) + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         body_ + "</svg>\n";
}

}  // namespace prejoin::model
