// A found design in words, and for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "design/design.h"
#include "json/indented_writer.h"
#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::FigureText;
using model::MoneyText;

std::string Padded(std::string text, std::size_t width, bool right = true) {
  if (text.size() < width) {
    text.insert(right ? 0 : text.size(), width - text.size(), ' ');
  }
  return text;
}

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

void AppendTable(const DesignReport& report, const model::Prices& prices, std::string& out) {
  std::size_t width = 0;
  for (const FoundDesign& design : report.designs) {
    width = std::max(width, BestFor(design).size() + 2);
  }
  out += "\nSide by side: the designs that are best for something\n  " + Padded("", width, false) +
         Padded(prices.currency + "/month", 11) + Padded("trips", 7) + Padded("indexes", 9) +
         Padded("copies", 8) + Padded("storage", 11) + Padded("hottest key", 13) +
         Padded("warnings", 10) + "\n";
  for (const FoundDesign& design : report.designs) {
    out += "  " + Padded(BestFor(design), width, false) + Padded(MoneyText(design.money), 11) +
           Padded(FigureText(design.worst_rounds), 7) + Padded(std::to_string(design.indexes), 9) +
           Padded(std::to_string(design.copies), 8) +
           Padded(model::BytesText(design.storage_bytes), 11) +
           Padded(model::PercentText(design.hottest), 13) +
           Padded(std::to_string(design.warnings), 10) + "\n";
  }
  out +=
      "  trips: rounds of the slowest pattern. copies: lists and copied attributes. hottest key: "
      "of "
      "what one partition gives, at the peak. warnings: of `check`, about what was weighed.\n";
}

void AppendProof(const FoundDesign& design, std::string& out) {
  if (design.proved) {
    out += "Proved by execution on " + std::to_string(design.proof_rows) +
           " rows: every pattern returned the right ones, every predicted unit was measured.\n";
    return;
  }
  for (const std::string& problem : design.proof_problems) {
    out += "NOT PROVED: " + problem + "\n";
  }
}

void AppendBefore(const DesignReport& report, const model::Prices& prices, std::string& out) {
  if (!report.had_design) {
    return;
  }
  const FoundDesign& best = report.designs[0];
  const double saved = report.money_before - best.money;
  out += "\nThe tables in the file cost " + MoneyText(prices.currency, report.money_before) +
         " a month";
  if (report.unserved_before > 0) {
    out += " and do not serve " +
           model::Counted(static_cast<double>(report.unserved_before), "pattern");
  }
  if (saved > 0.005) {
    out += "; this design saves " + MoneyText(prices.currency, saved) + " of it.\n";
  } else if (saved < -0.005) {
    out += ", " + MoneyText(prices.currency, -saved) + " less than this design.\n";
  } else {
    out += ", as much as this design.\n";
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
    out += "Nothing is written, nothing to pay back.\n";
    return;
  }
  out += model::Counted(std::round(change.write_units), "write unit") + ", " +
         MinutesText(change.seconds) + " at 1,000 a second, " +
         MoneyText(prices.currency, change.migration_money) + " once, paid back in " +
         model::RoughText(change.PaybackMonths()) + " months.\n";
}

// The way there: all at once, and few changes that get most of it. Each with its migration.
void AppendChanges(const DesignReport& report, const model::Prices& prices, std::string& out) {
  constexpr double kMost = 0.5;
  const ChangePath& path = report.changes;
  if (path.whole.what.empty()) {
    return;
  }
  out += "  All of it at once:\n";
  AppendMigration(path.whole, prices, out);
  if (path.changes.empty()) {
    out += "  No few changes that leave the items where they are get some of it.\n";
    return;
  }
  const std::string share = model::PercentText(std::min(1.0, path.share)) + " of it";
  out += path.share < kMost
             ? "  Most of it takes new keys. The fewest changes without them get " + share + ":\n"
             : "  The fewest changes that get " + share + ", each behind the ones above it:\n";
  for (std::size_t i = 0; i < path.changes.size(); ++i) {
    out += "  " + std::to_string(i + 1) + ". " + path.changes[i].what + ": saves " +
           MoneyText(prices.currency, path.changes[i].saves) + " a month.\n";
    AppendMigration(path.changes[i], prices, out);
  }
  out +=
      path.proved ? "  Proved by execution. `prejoin migrate` plans and does such changes.\n" : "";
  for (const std::string& problem : path.problems) {
    out += "  NOT PROVED: " + problem + "\n";
  }
}

}  // namespace

std::string RenderDesign(const DesignReport& report, const model::Prices& prices) {
  std::string out;
  if (!report.assumed.empty()) {
    out += "Assumed, because the file does not say\n";
    for (const std::string& line : report.assumed) {
      out += "  " + line + "\n";
    }
    out += "\n";
  }
  for (const Unserved& one : report.unserved) {
    out += "Not served: " + one.pattern + ": " + one.why + ".\n  Instead: " + one.instead + ".\n";
  }
  for (const Unserved& one : report.dear) {
    out += "Dear: " + one.pattern + ": " + one.why + ".\n  Instead: " + one.instead + ".\n";
  }
  const FoundDesign& best = report.designs[0];
  // A split changes the logical half, so all of it is shown.
  const bool whole = best.note.ends_with(" split");
  if (whole) {
    out += "// " + best.note + ": the logical half changes too; this is the whole file.\n\n";
  }
  out += (whole ? best.source : best.physical) + "\n";
  out += MoneyText(prices.currency, best.money) + " a month. ";
  if (report.stopped) {
    out += "The search was stopped. ";
  }
  if (best.choice.empty()) {
    out +=
        "So this is only what each pattern needs by itself; nothing is weighed, and no bound is "
        "known.\n";
    AppendProof(best, out);
    return out;
  }
  out += "No design of the space costs less than " + MoneyText(prices.currency, best.bound) +
         " (gap " + GapText(best) + "); " + FigureText(static_cast<double>(report.facilities)) +
         " candidates, " + FigureText(std::round(report.seconds * 100) / 100) + " s.\n";
  AppendProof(best, out);
  if (!best.why.empty()) {
    out += "\nWhy\n";
    for (const std::string& line : best.why) {
      out += "  " + line + "\n";
    }
  }
  AppendTable(report, prices, out);
  AppendBefore(report, prices, out);
  AppendChanges(report, prices, out);
  return out;
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
    json.Field("moneyBefore", report.money_before);
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
    json.Field("money", design.money).Field("bound", design.bound).Field("gap", GapOf(design));
    json.Field("optimal", design.optimal).Field("trips", design.worst_rounds);
    json.Field("indexes", static_cast<double>(design.indexes));
    json.Field("copies", static_cast<double>(design.copies));
    json.Field("storageBytes", design.storage_bytes).Field("hottestKey", design.hottest);
    json.Field("warnings", static_cast<double>(design.warnings));
    json.Field("proved", design.proved);
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
