// Estimates beside measurements, for people and for programs.
#include <algorithm>
#include <string_view>

#include "json/indented_writer.h"
#include "model/prove/compare_estimates.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"
#include "model/syntax/text_table.h"

namespace prejoin::model {
namespace {

void AddFigures(const std::vector<ComparedFigure>& figures, std::string_view unit, bool verbose,
                TextTable& table) {
  for (const ComparedFigure& figure : figures) {
    if (figure.agrees && !verbose && figure.contradiction.empty()) {
      continue;
    }
    const std::string error =
        figure.sampling_error > 0 ? "\u00b1" + FigureText(figure.sampling_error) : "";
    const std::string name = (figure.agrees ? "" : "! ") + figure.name;
    table.AddRow(
        {figure.agrees ? name : Styled(Style::kBad, name), FigureText(figure.estimated),
         FigureText(figure.predicted), FigureText(figure.measured), error, std::string(unit),
         figure.contradiction});
  }
}

void WriteFigures(std::string_view name, const std::vector<ComparedFigure>& figures,
                  json::IndentedWriter& json) {
  json.Name(name).BeginArray();
  for (const ComparedFigure& figure : figures) {
    json.BeginObject().Field("name", figure.name).Field("agrees", figure.agrees);
    if (!figure.contradiction.empty()) {
      json.Field("contradiction", figure.contradiction);
    }
    json.Field("estimated", figure.estimated).Field("predicted", figure.predicted);
    json.Field("measured", figure.measured).Field("samplingError", figure.sampling_error);
    json.Field("runs", static_cast<double>(figure.runs))
        .Field("estimatedAtDeclaredSize", figure.declared);
    json.EndObject();
  }
  json.EndArray();
}

std::size_t Disagreeing(const std::vector<ComparedFigure>& figures) {
  std::size_t count = 0;
  for (const ComparedFigure& figure : figures) {
    count += figure.agrees ? 0 : 1;
  }
  return count;
}

bool HasContradiction(const std::vector<ComparedFigure>& figures) {
  return std::ranges::any_of(
      figures, [](const ComparedFigure& figure) { return !figure.contradiction.empty(); });
}

}  // namespace

std::vector<ComparedKind> KindsOf(const EstimateComparison& comparison) {
  return {{"patterns", "RCU", &comparison.patterns},
          {"writes", "WCU", &comparison.writes},
          {"entries", "items", &comparison.entries},
          {"entryBytes", "bytes per item", &comparison.entry_bytes},
          {"collections", "items per key", &comparison.collections},
          {"hottest", "% of items", &comparison.hottest}};
}

std::string RenderEstimates(const EstimateComparison& comparison, bool verbose) {
  std::size_t count = 0;
  std::size_t wrong = 0;
  for (const ComparedKind& kind : KindsOf(comparison)) {
    count += kind.figures->size();
    wrong += Disagreeing(*kind.figures);
  }
  const std::string out = Verdict(wrong == 0) + " " + std::to_string(count - wrong) + " of " +
                          Counted(static_cast<double>(count), "estimate") +
                          " within 10% of the measurement, on " +
                          Counted(static_cast<double>(comparison.rows), "generated row") + "\n";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                   Align::kLeft, Align::kLeft});
  const bool listed = wrong > 0 || verbose || HasContradiction(comparison.patterns);
  if (!listed) {
    return out;
  }
  table.AddHeading({"", "estimated", "predicted", "measured", "sampling"});
  for (const ComparedKind& kind : KindsOf(comparison)) {
    AddFigures(*kind.figures, kind.unit, verbose, table);
  }
  constexpr std::size_t kWidth = 80;
  constexpr std::size_t kIndent = 4;
  return out + table.Render(kWidth, kIndent);
}

void WriteEstimates(const EstimateComparison& comparison, json::IndentedWriter& json) {
  json.Name("estimates").BeginObject();
  json.Field("allAgree", comparison.all_agree).Field("rows", static_cast<double>(comparison.rows));
  for (const ComparedKind& kind : KindsOf(comparison)) {
    WriteFigures(kind.name, *kind.figures, json);
  }
  json.EndObject();
}

}  // namespace prejoin::model
