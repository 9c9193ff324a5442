#include "model/cost/prices.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace prejoin::model {
namespace {

constexpr double kHoursPerMonth = 720;
constexpr double kSecondsPerMonthPriced = kHoursPerMonth * 3600;
constexpr double kBytesPerGigabyte = 1024.0 * 1024 * 1024;

struct PriceName {
  std::string_view name;
  double Prices::*figure;
};
constexpr std::array kPriceNames = std::to_array<PriceName>({
    {"read_million", &Prices::read_million},
    {"write_million", &Prices::write_million},
    {"read_hour", &Prices::read_hour},
    {"write_hour", &Prices::write_hour},
    {"utilisation", &Prices::utilisation},
    {"reserved_share", &Prices::reserved_share},
    {"reserved_discount", &Prices::reserved_discount},
    {"storage_gb_month", &Prices::storage_gb_month},
    {"backup_gb_month", &Prices::backup_gb_month},
    {"stream_100k", &Prices::stream_100k},
});

std::string Trimmed(std::string_view text) {
  return std::string(absl::StripAsciiWhitespace(absl::string_view(text.data(), text.size())));
}

std::string KnownNames() {
  std::string names = "currency, mode";
  for (const PriceName& known : kPriceNames) {
    names += ", " + std::string(known.name);
  }
  return names;
}

// False when the line cannot be read.
bool SetPrice(const std::string& name, const std::string& value, Prices& prices) {
  if (name == "currency") {
    prices.currency = value;
    return !value.empty();
  }
  if (name == "mode") {
    prices.mode = value == "provisioned" ? CapacityMode::kProvisioned : CapacityMode::kOnDemand;
    return value == "provisioned" || value == "on-demand";
  }
  const auto known = std::ranges::find(kPriceNames, name, &PriceName::name);
  if (known == kPriceNames.end()) {
    return false;
  }
  double number = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || rest != value.data() + value.size() || !(number >= 0)) {
    return false;
  }
  prices.*known->figure = number;
  return true;
}

// Capacity is bought by the hour: for the load that auto scaling allows, or for the peak.
double ProvisionedMoney(const Prices& prices, double hour, double units_per_second, double peak) {
  const double capacity = prices.utilisation > 0 ? units_per_second / prices.utilisation
                                                 : std::max(peak, units_per_second);
  return capacity * hour * kHoursPerMonth * (1 - prices.reserved_share * prices.reserved_discount);
}

}  // namespace

double Prices::ReadMoney(double units_per_second, double peak_units_per_second) const {
  if (mode == CapacityMode::kProvisioned) {
    return ProvisionedMoney(*this, read_hour, units_per_second, peak_units_per_second);
  }
  return units_per_second * kSecondsPerMonthPriced / 1e6 * read_million;
}

double Prices::WriteMoney(double units_per_second, double peak_units_per_second) const {
  if (mode == CapacityMode::kProvisioned) {
    return ProvisionedMoney(*this, write_hour, units_per_second, peak_units_per_second);
  }
  return units_per_second * kSecondsPerMonthPriced / 1e6 * write_million;
}

double Prices::StorageMoney(double bytes) const {
  return bytes / kBytesPerGigabyte * (storage_gb_month + backup_gb_month);
}

Result<Prices> ParsePrices(std::string_view text, std::string_view region) {
  Prices prices;
  int line_number = 0;
  bool counts = true;
  bool found = region.empty();
  while (!text.empty()) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line =
        Trimmed(text.substr(0, text.substr(0, end).find("//") == std::string_view::npos
                                   ? end
                                   : text.substr(0, end).find("//")));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      continue;
    }
    if (line.front() == '[' && line.back() == ']') {
      counts = line.substr(1, line.size() - 2) == region;
      found = found || counts;
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string name = Trimmed(std::string_view(line).substr(0, equals));
    const std::string value =
        equals == std::string::npos ? "" : Trimmed(std::string_view(line).substr(equals + 1));
    Prices read = prices;
    if (!SetPrice(name, value, read)) {
      return ValidationError("prices, line " + std::to_string(line_number) + ": `" + line +
                             "`; write one of " + KnownNames() + " = …");
    }
    if (counts) {
      prices = std::move(read);
    }
  }
  if (!found) {
    return ValidationError("prices: there is no [" + std::string(region) + "] in the file");
  }
  return prices;
}

std::string PrintPrices(const Prices& prices) {
  std::string out = "currency = " + prices.currency + "\nmode = ";
  out += prices.mode == CapacityMode::kProvisioned ? "provisioned\n" : "on-demand\n";
  for (const PriceName& one : kPriceNames) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, prices.*one.figure).ptr;
    out.append(one.name).append(" = ").append(digits, end) += '\n';
  }
  return out;
}

}  // namespace prejoin::model
