// A found design in words, and for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "design/design.h"
#include "json/indented_writer.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"
#include "model/syntax/text_table.h"

namespace prejoin::design {
namespace {

using model::FigureText;
using model::MoneyText;
using model::Style;

std::string BestFor(const FoundDesign& design) {
  std::string out;
  for (const Preference preference : design.best_for) {
    out += (out.empty() ? "" : ", ") + std::string(PreferenceName(preference));
  }
  if (out.empty()) {
    return design.note.empty() ? "shared keys" : design.note;
  }
  return design.note.empty() ? out : out + " (" + design.note + ")";
}

double GapOf(const FoundDesign& design) {
  return design.money > 0 ? std::max(0.0, (design.money - design.bound) / design.money) : 0;
}

std::string GapText(const FoundDesign& design) {
  const double gap = GapOf(design);
  return gap < 5e-5 ? "0" : model::PercentText(gap);
}

std::string DesignTable(const DesignReport& report, const model::Prices& prices,
                        std::size_t width) {
  using model::Align;
  model::TextTable table({Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                          Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.AddHeading({prices.currency + "/month", "more", "trips", "indexes", "copies", "storage",
                    "hottest", "warn", "best for"});
  for (const FoundDesign& design : report.designs) {
    const std::string more = model::MoneyText(std::abs(design.money - report.designs[0].money));
    const bool first = &design == &report.designs[0];
    table.AddRow({MoneyText(design.money),
                  first ? "" : (design.money < report.designs[0].money ? "-" : "+") + more,
                  FigureText(design.worst_rounds), std::to_string(design.indexes),
                  std::to_string(design.copies), model::BytesText(design.storage_bytes),
                  model::PercentText(design.hottest), std::to_string(design.warnings),
                  BestFor(design) + (design.proof_problems.empty() ? "" : " (not proved)")});
  }
  return "\n" + model::Styled(Style::kHeading, "Considered") + "\n" + table.Render(width, 2) +
         model::Styled(
             Style::kDetail,
             "  trips: round trips of the slowest access pattern. copies: lists and copied "
             "attributes. hottest: the hottest key's share of one partition's limit at "
             "peak load. "
             "warn: warnings of `prejoin check`.") +
         "\n";
}

void AppendProof(const FoundDesign& design, const model::Prices& prices, std::string& out) {
  if (design.proved) {
    out += model::Verdict(true) + " Proved by execution on " + std::to_string(design.proof_rows) +
           " rows: every access pattern returned the right rows and used the predicted units.\n"
           "  Measured on rows with the stated figures, it costs " +
           MoneyText(prices.currency, design.measured_money) + "/month.\n";
    return;
  }
  for (const std::string& problem : design.proof_problems) {
    out +=
        model::Verdict(false) + " " + model::Styled(Style::kBad, "NOT PROVED: " + problem) + "\n";
  }
}

void AppendBefore(const DesignReport& report, const model::Prices& prices, std::string& out) {
  if (!report.had_design) {
    return;
  }
  const FoundDesign& best = report.designs[0];
  if (report.keeps_file) {
    return;
  }
  const double saved = report.money_before - best.money;
  out +=
      "\nThe tables in the file cost " + MoneyText(prices.currency, report.money_before) + "/month";
  if (report.unserved_before > 0) {
    out += " and do not support " +
           model::Counted(static_cast<double>(report.unserved_before), "access pattern");
  }
  if (saved > 0.005) {
    out += "; this design saves " + MoneyText(prices.currency, saved) + " of that.\n";
  } else if (saved < -0.005) {
    out += ", " + MoneyText(prices.currency, -saved) + " less than this design.\n";
  } else {
    out += ", the same as this design.\n";
  }
}

std::string MinutesText(double seconds) {
  return seconds < 90 ? model::Counted(std::ceil(seconds), "second")
                      : model::Counted(std::ceil(seconds / 60), "minute");
}

void AppendChangeJson(const DesignChange& change, json::IndentedWriter& json) {
  json.BeginObject().Field("what", change.what).Field("saves", change.saves);
  json.Field("money", change.money).Field("inPlace", change.in_place);
  json.Field("writeUnits", change.write_units).Field("readUnits", change.read_units);
  json.Field("seconds", change.seconds).Field("migrationMoney", change.migration_money);
  json.Field("paybackMonths", change.PaybackMonths()).Name("order").BeginArray();
  for (const std::string& step : change.order) {
    json.String(step);
  }
  json.EndArray().EndObject();
}

void AppendChangesJson(const ChangePath& path, json::IndentedWriter& json) {
  if (path.whole.what.empty()) {
    return;
  }
  AppendChangeJson(path.whole, json.Name("whole"));
  json.Name("changes").BeginObject();
  json.Field("money", path.money).Field("share", path.share).Field("proved", path.proved);
  json.Field("source", path.source).Name("steps").BeginArray();
  for (const DesignChange& change : path.changes) {
    AppendChangeJson(change, json);
  }
  json.EndArray().EndObject();
}

void AppendMigration(const DesignChange& change, const model::Prices& prices, std::string& out) {
  out += change.in_place ? "     In place" : "     In a new table";
  for (const std::string& step : change.order) {
    out += ", " + step;
  }
  out += ".\n     ";
  if (change.write_units < 0.5) {
    out += "No data is written, so it pays off at once.\n";
    return;
  }
  out += FigureText(std::round(change.write_units)) + " WCU, " + MinutesText(change.seconds) +
         " at 1,000 WCU/s, " + MoneyText(prices.currency, change.migration_money) +
         " once; it pays off in " + model::RoughText(change.PaybackMonths()) + " months.\n";
}

// The way there: all at once, and few changes that get most of it. Each with its migration.
void AppendChanges(const DesignReport& report, const model::Prices& prices, std::string& out) {
  constexpr double kMost = 0.5;
  const ChangePath& path = report.changes;
  if (path.whole.what.empty()) {
    return;
  }
  out += "  The whole change at once:\n";
  AppendMigration(path.whole, prices, out);
  if (path.changes.empty()) {
    out += "  No small change that keeps the items' keys saves part of it.\n";
    return;
  }
  const std::string share = model::PercentText(std::min(1.0, path.share)) + " of it";
  out += path.share < kMost
             ? "  Most of it requires new keys. The smallest changes without new keys save " +
                   share + ":\n"
             : "  The smallest changes that save " + share + ", in this order:\n";
  for (std::size_t i = 0; i < path.changes.size(); ++i) {
    out += "  " + std::to_string(i + 1) + ". " + path.changes[i].what + ": saves " +
           MoneyText(prices.currency, path.changes[i].saves) + "/month.\n";
    AppendMigration(path.changes[i], prices, out);
  }
  out +=
      path.proved ? "  Proved by execution. `prejoin migrate` plans and runs these changes.\n" : "";
  for (const std::string& problem : path.problems) {
    out += "  NOT PROVED: " + problem + "\n";
  }
}

// Reads, writes and storage of the bill.
std::string PartsOfBill(const model::CostReport& cost, const model::Prices& prices) {
  double reads = 0;
  double writes = 0;
  double storage = 0;
  for (const model::PatternCost& pattern : cost.patterns) {
    reads += pattern.money_per_month;
  }
  for (const model::WriteCost& write : cost.writes) {
    writes += write.money_per_month;
  }
  for (const model::StorageCost& view : cost.storage) {
    storage += view.money_per_month;
  }
  return "reads " + MoneyText(prices.currency, reads) + ", writes " +
         MoneyText(prices.currency, writes) + ", storage " + MoneyText(prices.currency, storage);
}

// Which design it is, how far it can be from the best, and whether it holds.
void AppendAnswer(const DesignReport& report, const model::Prices& prices, std::string& out) {
  const FoundDesign& best = report.designs[0];
  out += model::Styled(Style::kHeading, "Monthly cost: " + MoneyText(prices.currency, best.money)) +
         " (" + PartsOfBill(best.cost, prices) + ").\n";
  if (report.stopped) {
    out += "The search was stopped early.\n";
  }
  if (report.keeps_file) {
    out += "Keep the tables in the file: the cheapest design found costs " +
           MoneyText(prices.currency, report.cheapest_money) +
           ", which is no difference that is worth a change.\n";
  } else if (best.choice.empty()) {
    out +=
        "This design supports each access pattern by itself; nothing was optimised, and there is "
        "no bound.\n";
  } else if (best.money > report.cheapest_money + 0.005 && report.cheapest_money > 0) {
    out += "A design for " + MoneyText(prices.currency, report.cheapest_money) +
           " exists; this one costs nearly the same and is plainer.\n";
  }
  if (!best.choice.empty() || report.keeps_file) {
    out += "No design in the search space costs less than " +
           MoneyText(prices.currency, best.bound) + " (gap " + GapText(best) +
           "). The search compared " + FigureText(static_cast<double>(report.facilities)) +
           (report.facilities == 1 ? " candidate in " : " candidates in ") +
           FigureText(std::round(report.seconds * 100) / 100) + " s.\n";
  }
  AppendProof(best, prices, out);
  for (const std::string& problem : report.not_proved) {
    out += model::Styled(Style::kWarning, "A design with an estimate of " +
                                              MoneyText(prices.currency, report.not_proved_money) +
                                              "/month failed its proof: ") +
           problem + "\n";
  }
  for (const std::string& violation : best.violations) {
    out += model::Verdict(false) + " " +
           model::Styled(Style::kBad, "Constraint not kept: " + violation) + "\n";
  }
  for (const Unserved& one : report.unserved) {
    out += model::Styled(Style::kBad, "Not supported: " + one.pattern) + ": " + one.why +
           ".\n  Instead: " + one.instead + ".\n";
  }
  for (const Unserved& one : report.dear) {
    out += model::Styled(Style::kWarning, "Expensive: " + one.pattern) + ": " + one.why +
           ".\n  Instead: " + one.instead + ".\n";
  }
  out += "\n";
}

// Names the limit that is reached first when the workload grows.
void AppendGrowth(const FoundDesign& design, std::string& out) {
  constexpr double kCollectionWorthTelling = 10 * 1024 * 1024;
  std::string lines;
  if (!design.cost.heat.empty() && design.cost.heat[0].utilisation >= 0.01) {
    const model::Heat& heat = design.cost.heat[0];
    lines += "  The hottest key, " + heat.key + " in " + heat.view + ", takes " +
             model::PercentText(heat.utilisation) +
             " of a partition at the peak and throttles at " +
             model::RoughText(1 / heat.utilisation) + " times that load.\n";
  }
  const model::CollectionSize* largest = nullptr;
  for (const model::CollectionSize& size : design.cost.sizes) {
    if (largest == nullptr || size.bytes[0] > largest->bytes[0]) {
      largest = &size;
    }
  }
  if (largest != nullptr && largest->bytes[0] > kCollectionWorthTelling) {
    lines += "  The largest item collection, " + largest->key + " in " + largest->view + ", has " +
             model::BytesText(largest->bytes[0]) + " on average: a Query reads 1 MB at a time.\n";
  }
  if (!lines.empty()) {
    out += "\n" + model::Styled(Style::kHeading, "Watch as it grows") + "\n" + lines;
  }
}

void AppendDefaults(const DesignReport& report, std::string& out) {
  if (report.assumed.empty()) {
    return;
  }
  out += "\n" + model::Styled(Style::kHeading, "Defaults used (not stated in the model)") + "\n";
  for (const std::string& line : report.assumed) {
    out += "  " + line + "\n";
  }
}

}  // namespace

DesignText RenderDesign(const DesignReport& report, const model::Prices& prices,
                        std::size_t width) {
  DesignText text;
  const FoundDesign& best = report.designs[0];
  AppendAnswer(report, prices, text.notes);
  // A split changes the logical half, so all of it is shown.
  const bool whole = best.note.ends_with(" split");
  if (whole) {
    text.source = "// " + best.note + ": the entities change too, so this is the whole file.\n\n";
  }
  text.source += (whole ? best.source : best.physical) + "\n";
  std::string& out = text.report;
  if (best.choice.empty() && !report.keeps_file) {
    return text;
  }
  if (!best.why.empty()) {
    out += model::Styled(Style::kHeading, "Why") + "\n";
    for (const std::string& line : best.why) {
      out += "  " + line + "\n";
    }
  }
  if (report.designs.size() > 1) {
    out += DesignTable(report, prices, width);
  }
  AppendBefore(report, prices, out);
  AppendChanges(report, prices, out);
  AppendGrowth(best, out);
  AppendDefaults(report, out);
  return text;
}

std::string DesignJson(const DesignReport& report) {
  json::IndentedWriter json;
  json.BeginObject().Name("assumed").BeginArray();
  for (const std::string& line : report.assumed) {
    json.String(line);
  }
  json.EndArray().Name("unserved").BeginArray();
  for (const Unserved& one : report.unserved) {
    json.BeginObject().Field("pattern", one.pattern).Field("why", one.why);
    json.Field("instead", one.instead).EndObject();
  }
  json.EndArray().Name("dear").BeginArray();
  for (const Unserved& one : report.dear) {
    json.BeginObject().Field("pattern", one.pattern).Field("why", one.why);
    json.Field("instead", one.instead).EndObject();
  }
  json.EndArray();
  json.Field("stopped", report.stopped).Field("seconds", report.seconds);
  json.Field("candidates", static_cast<double>(report.facilities));
  json.Field("nodes", static_cast<double>(report.nodes));
  if (report.had_design) {
    json.Field("measuredMoneyBefore", report.measured_before);
    json.Field("moneyBefore", report.money_before).Field("keepsFile", report.keeps_file);
    json.Field("unservedBefore", static_cast<double>(report.unserved_before));
    AppendChangesJson(report.changes, json);
  }
  json.Name("designs").BeginArray();
  for (const FoundDesign& design : report.designs) {
    json.BeginObject().Name("bestFor").BeginArray();
    for (const Preference preference : design.best_for) {
      json.String(PreferenceName(preference));
    }
    json.EndArray().Field("note", design.note);
    json.Field("measuredMoney", design.measured_money);
    json.Field("money", design.money).Field("bound", design.bound).Field("gap", GapOf(design));
    json.Field("optimal", design.optimal).Field("trips", design.worst_rounds);
    json.Field("indexes", static_cast<double>(design.indexes));
    json.Field("copies", static_cast<double>(design.copies));
    json.Field("storageBytes", design.storage_bytes).Field("hottestKey", design.hottest);
    json.Field("warnings", static_cast<double>(design.warnings));
    json.Name("violations").BeginArray();
    for (const std::string& violation : design.violations) {
      json.String(violation);
    }
    json.EndArray().Field("proved", design.proved);
    json.Field("proofRows", static_cast<double>(design.proof_rows)).Name("problems").BeginArray();
    for (const std::string& problem : design.proof_problems) {
      json.String(problem);
    }
    json.EndArray().Name("why").BeginArray();
    for (const std::string& line : design.why) {
      json.String(line);
    }
    json.EndArray().Field("physical", design.physical).Field("source", design.source);
    json.EndObject();
  }
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::design
