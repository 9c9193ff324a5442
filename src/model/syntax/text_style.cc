#include "model/syntax/text_style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace prejoin::model {
namespace {

constexpr int kBarCells = 10;
constexpr double kShareShown = 0.01;  // Less than this leaves the bar empty.
// Shares of a limit from which a bar warns, and from which it alarms.
constexpr double kShareToWatch = 0.5;
constexpr double kShareTooHigh = 0.9;

std::string_view EscapeOf(char style) {
  switch (static_cast<Style>(style)) {
    case Style::kGood:
      return "\x1b[32m";
    case Style::kBad:
      return "\x1b[31m";
    case Style::kWarning:
      return "\x1b[33m";
    case Style::kDetail:
      return "\x1b[2m";
    case Style::kHeading:
      return "\x1b[1m";
  }
  return {};
}

bool IsHarmful(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

// Our symbols and their ASCII forms. Those with spaces around them come first.
constexpr auto kSymbols = std::to_array<std::pair<std::string_view, std::string_view>>({
    {" \u00b7 ", ", "},
    {"\u2713", "ok"},
    {"\u2717", "FAIL"},
    {"\u2588", "#"},
    {"\u2591", "."},
    {"\u2264", "<="},
    {"\u00d7", "x"},
    {"\u2192", "->"},
});

}  // namespace

std::string Styled(Style style, std::string_view text) {
  std::string out = {kStyleBegin, static_cast<char>(style)};
  return out.append(text).append(1, kStyleEnd);
}

std::string Verdict(bool good) {
  return good ? Styled(Style::kGood, "\u2713") : Styled(Style::kBad, "\u2717");
}

std::string ShareBar(double share) {
  const double cells = share < kShareShown ? 0 : std::ceil(share * kBarCells);
  const int full = static_cast<int>(std::clamp(cells, 0.0, double{kBarCells}));
  std::string bar;
  for (int i = 0; i < kBarCells; ++i) {
    bar += i < full ? "\u2588" : "\u2591";
  }
  return Styled(share >= kShareTooHigh   ? Style::kBad
                : share >= kShareToWatch ? Style::kWarning
                                         : Style::kGood,
                bar);
}

std::string TerminalText(std::string_view text, bool coloured) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == kStyleBegin && at + 1 < text.size()) {
      ++at;
      out += coloured ? EscapeOf(text[at]) : "";
    } else if (c == kStyleEnd) {
      out += coloured ? "\x1b[0m" : "";
    } else if (!IsHarmful(c)) {
      out += c;
    }
  }
  return out;
}

std::string PlainText(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == kStyleBegin) {
      at += 2;
      continue;
    }
    const auto symbol = std::ranges::find_if(
        kSymbols, [&](const auto& one) { return text.substr(at).starts_with(one.first); });
    if (symbol != kSymbols.end()) {
      out += symbol->second;
      at += symbol->first.size();
      continue;
    }
    if (!IsHarmful(c)) {
      out += c;
    }
    ++at;
  }
  return out;
}

}  // namespace prejoin::model
