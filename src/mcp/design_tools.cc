#include "mcp/design_tools.h"

#include <absl/strings/numbers.h>

#include <string_view>

#include "design/design.h"
#include "design/diff.h"
#include "json/writer.h"
#include "mcp/read_source.h"

namespace prejoin::mcp {
namespace {

constexpr double kDesignSeconds = 20;
constexpr double kDesignSecondsMax = 60;

void AppendTexts(const std::vector<std::string>& texts, std::string& out) {
  json::AppendArray(texts, out, [&](const std::string& text) { json::AppendString(text, out); });
}

void AppendUnserved(const std::vector<design::Unserved>& patterns, std::string& out) {
  json::AppendArray(patterns, out, [&](const design::Unserved& one) {
    json::ObjectWriter object(out);
    object.String("pattern", one.pattern);
    object.String("why", one.why);
    object.String("instead", one.instead);
  });
}

void AppendFigures(const design::FoundDesign& found, json::ObjectWriter& object) {
  object.Double("moneyPerMonth", found.money);
  object.Double("trips", found.worst_rounds);
  object.Integer("indexes", static_cast<std::int64_t>(found.indexes));
  object.Integer("copies", static_cast<std::int64_t>(found.copies));
  object.Double("storageBytes", found.storage_bytes);
  object.Double("hottestKey", found.hottest);
}

// One design as a whole; of the others only what they are better at, because an assistant pays for every word and
// can ask for them by `prefer`.
std::string ShortDesignJson(const design::DesignReport& report) {
  const design::FoundDesign& best = report.designs[0];
  std::string out;
  {
    json::ObjectWriter object(out);
    object.Bool("proved", best.proved);
    object.Integer("proofRows", static_cast<std::int64_t>(best.proof_rows));
    AppendTexts(best.proof_problems, object.Name("problems"));
    AppendTexts(report.assumed, object.Name("assumed"));
    AppendUnserved(report.unserved, object.Name("unserved"));
    AppendUnserved(report.dear, object.Name("dear"));
    AppendFigures(best, object);
    object.Double("lowerBound", best.bound);
    object.Bool("optimal", best.optimal);
    object.Bool("stopped", report.stopped);
    if (report.had_design) {
      object.Double("moneyBefore", report.money_before);
    }
    AppendTexts(best.why, object.Name("why"));
    object.String("source", best.source);
    json::AppendArray(report.designs, object.Name("designs"), [&](const design::FoundDesign& one) {
      json::ObjectWriter entry(out);
      json::AppendArray(one.best_for, entry.Name("bestFor"), [&](design::Preference preference) {
        json::AppendString(design::PreferenceName(preference), out);
      });
      if (!one.note.empty()) {
        entry.String("note", one.note);
      }
      AppendFigures(one, entry);
    });
  }
  return out;
}

Result<design::KeyStyle> ReadKeyStyle(std::string_view name) {
  if (name.empty() || name == "any") {
    return design::KeyStyle::kAny;
  }
  if (name == "generic") {
    return design::KeyStyle::kGeneric;
  }
  if (name == "natural") {
    return design::KeyStyle::kNatural;
  }
  return ValidationError("`keys` is any, generic or natural");
}

}  // namespace

Result<std::string> DesignTool(const ToolArguments& arguments, const ToolContext& context) {
  PJ_ASSIGN_OR_RETURN(const auto read, ReadSource(arguments));
  design::DesignOptions options;
  PJ_ASSIGN_OR_RETURN(options.keys, ReadKeyStyle(arguments.Get("keys")));
  const std::string& prefer = arguments.Get("prefer");
  const auto preference = design::FindPreference(prefer.empty() ? "cheapest" : prefer);
  if (!preference) {
    return ValidationError("`prefer` is cheapest, fewest-indexes, fewest-trips or simplest");
  }
  options.prefer = *preference;
  const std::string& seconds = arguments.Get("seconds");
  options.seconds_max = kDesignSeconds;
  if (!seconds.empty() && !absl::SimpleAtod(seconds, &options.seconds_max)) {
    options.seconds_max = 0;
  }
  if (!(options.seconds_max > 0 && options.seconds_max <= kDesignSecondsMax)) {
    return ValidationError("`seconds` is a number above 0, at most 60");
  }
  options.progress = context.progress;
  options.stop = context.cancelled;
  PJ_ASSIGN_OR_RETURN(const design::DesignReport report,
                      design::MakeDesign(arguments.Get("source"), read, options));
  return ShortDesignJson(report);
}

Result<std::string> DiffTool(const ToolArguments& arguments, const ToolContext&) {
  PJ_ASSIGN_OR_RETURN(const auto before, ReadSource(arguments, "before"));
  PJ_ASSIGN_OR_RETURN(const auto after, ReadSource(arguments, "after"));
  return design::DiffJson(design::DiffDesigns(before.model, after.model, model::Prices{}));
}

}  // namespace prejoin::mcp
