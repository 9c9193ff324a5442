#include "model/syntax/figure_text.h"

#include <cmath>
#include <cstdio>

namespace prejoin::model {
namespace {

// Below this, four digits would take an exponent.
constexpr double kPlainMin = 1e-4;

}  // namespace

std::string FigureText(double number) {
  if (!std::isfinite(number)) return number > 0 ? "unbounded" : "unknown";
  char text[400];
  const double size = std::fabs(number);
  if (size >= 100) {
    std::snprintf(text, sizeof(text), "%.1f", number);
  } else if (size >= kPlainMin || size == 0) {
    std::snprintf(text, sizeof(text), "%.4g", number);
  } else {
    std::snprintf(text, sizeof(text), "%.9f", number);
  }
  std::string out = text;
  std::size_t point = out.find('.');
  if (point != std::string::npos) {
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out.pop_back();
    point = out.find('.');
  }
  const std::size_t first = out.starts_with('-') ? 1 : 0;
  std::size_t end = point == std::string::npos ? out.size() : point;
  while (end > first + 3) {
    end -= 3;
    out.insert(end, ",");
  }
  return out;
}

std::string Counted(double number, std::string_view singular) {
  const std::string figure = FigureText(number);
  return figure + " " + std::string(singular) + (figure == "1" ? "" : "s");
}

}  // namespace prejoin::model
