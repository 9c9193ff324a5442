// `prejoin chart`: draws a design.
#include "model/chart/chart.h"

#include <CLI/CLI.hpp>
#include <map>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/verb.h"

namespace prejoin::cli {
namespace {

struct ChartArguments {
  std::string file;
  model::ChartFormat format = model::ChartFormat::kText;
  std::string output;
};

ExitCode Chart(const ChartArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const std::string chart = model::DrawChart(loaded->read.model, arguments.format);
  if (arguments.output.empty()) {
    Print(chart);
    return kFine;
  }
  return WriteWholeFile(arguments.output, chart) ? kFine : kCouldNotRun;
}

}  // namespace

void AddChart(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Chart,
      {"chart", "Draw a design: entity chart, item collections, indexes and access patterns.",
       "Example:\n  prejoin chart school.prejoin --as svg -o school.svg"});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  const std::map<std::string, model::ChartFormat> formats = {
      {"text", model::ChartFormat::kText},
      {"markdown", model::ChartFormat::kMarkdown},
      {"svg", model::ChartFormat::kSvg}};
  verb->add_option("--as", arguments->format, "Output format")
      ->transform(CLI::CheckedTransformer(formats))
      ->option_text("text|markdown|svg");
  verb->add_flag_callback(
      "--svg", [arguments] { arguments->format = model::ChartFormat::kSvg; }, "Same as --as svg");
  verb->add_option("-o,--output", arguments->output, "Write to this file");
}

}  // namespace prejoin::cli
