#include "model/syntax/figure_text.h"

#include <cmath>
#include <cstdio>

namespace prejoin::model {
namespace {

// Smaller figures tell nobody more than that they are small.
constexpr double kPlainMin = 1e-3;
constexpr double kCent = 0.01;

}  // namespace

std::string FigureText(double number) {
  if (!std::isfinite(number)) {
    return number > 0 ? "unbounded" : "unknown";
  }
  char text[400];
  const double size = std::fabs(number);
  if (size >= 100) {
    std::snprintf(text, sizeof(text), "%.1f", number);
  } else if (size >= kPlainMin || size == 0) {
    std::snprintf(text, sizeof(text), "%.4g", number);
  } else {
    return number > 0 ? "under 0.001" : "over -0.001";
  }
  std::string out = text;
  std::size_t point = out.find('.');
  if (point != std::string::npos) {
    while (out.ends_with('0')) {
      out.pop_back();
    }
    if (out.ends_with('.')) {
      out.pop_back();
    }
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

std::string PlainFigure(double number) {
  char text[400];
  std::snprintf(text, sizeof(text), number >= 1000 ? "%.0f" : "%.10f", number);
  std::string out = text;
  if (out.find('.') == std::string::npos) {
    return out;
  }
  while (out.ends_with('0')) {
    out.pop_back();
  }
  if (out.ends_with('.')) {
    out.pop_back();
  }
  return out;
}

std::string RateText(double per_second) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr double kDay = 86400;
  constexpr Unit kUnits[] = {
      {"/s", 1},           {"/min", 60},          {"/hour", 3600},      {"/day", kDay},
      {"/week", 7 * kDay}, {"/month", 30 * kDay}, {"/year", 365 * kDay}};
  constexpr double kNearlyWhole = 1e-6;
  for (const Unit& unit : kUnits) {
    const double rate = per_second * unit.seconds;
    if (rate >= 1 - kNearlyWhole && std::fabs(rate - std::round(rate)) < kNearlyWhole * rate) {
      return PlainFigure(std::round(rate)) + unit.name;
    }
  }
  return PlainFigure(per_second) + "/s";
}

std::string MoneyText(double money) {
  if (money > 0 && money < kCent) {
    return "under 0.01";
  }
  if (money >= 1000) {
    return FigureText(std::round(money));
  }
  char text[48];
  std::snprintf(text, sizeof(text), "%.2f", money);
  return text;
}

std::string MoneyText(std::string_view currency, double money) {
  const std::string sign(currency);
  if (money > 0 && money < kCent) {
    return "under " + sign + MoneyText(kCent);
  }
  if (money < 0 && money > -kCent) {
    return sign + MoneyText(0);
  }
  return money < 0 ? "-" + sign + MoneyText(-money) : sign + MoneyText(money);
}

std::string RoughText(double number) {
  const double size = std::fabs(number);
  if (!std::isfinite(number) || size < kPlainMin) {
    return FigureText(number);
  }
  const double unit = size >= 10 ? 1 : size >= 1 ? 0.1 : size >= 0.1 ? 0.01 : kPlainMin;
  return FigureText(std::round(number / unit) * unit);
}

std::string PercentText(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.1) {
    return "under 0.1%";
  }
  return FigureText(percent >= 10 ? std::round(percent) : std::round(percent * 10) / 10) + "%";
}

std::string BytesText(double bytes) {
  const char* units[] = {"B", "KB", "MB", "GB", "TB"};
  int i = 0;
  while (bytes >= 1024 && i < 4) {
    bytes /= 1024;
    ++i;
  }
  const bool is_whole = i == 0 || bytes >= 100;
  return FigureText(is_whole ? std::round(bytes) : std::round(bytes * 10) / 10) + " " + units[i];
}

namespace {

std::string WithNoun(const std::string& figure, std::string_view singular) {
  return figure + " " + std::string(singular) + (figure == "1" ? "" : "s");
}

}  // namespace

std::string Counted(double number, std::string_view singular) {
  return WithNoun(FigureText(number), singular);
}

std::string CountedRoughly(double number, std::string_view singular) {
  return WithNoun(RoughText(number), singular);
}

}  // namespace prejoin::model
