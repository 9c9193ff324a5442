// The report of a proof, for people and for programs.
#include <cmath>
#include <string_view>

#include "json/indented_writer.h"
#include "model/prove/proof_words.h"
#include "model/prove/prove.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/text_style.h"

namespace prejoin::model {
namespace {

constexpr std::string_view kDetailIndent = "    ";

std::string PerRun(double total, double runs, std::string_view what) {
  return CountedRoughly(runs > 0 ? total / runs : 0, what);
}

std::string ConsistencyText(const PatternProof& proof) {
  const std::string read = proof.strong ? "strongly consistent" : "eventually consistent";
  if (!proof.may_miss_last_write) {
    return read;
  }
  return read + (*proof.may_miss_last_write
                     ? ", may miss the last write (a GSI follows its table later)"
                     : ", sees the last write");
}

// "0.5 RCU predicted = 0.5 RCU measured"
std::string UnitsText(double predicted, double measured, std::string_view unit) {
  const bool same = std::abs(predicted - measured) < 1e-6;
  const std::string suffix = " " + std::string(unit);
  const std::string text = FigureText(predicted) + suffix + " predicted" + (same ? " = " : ", ") +
                           FigureText(measured) + suffix + " measured";
  return same ? text : Styled(Style::kBad, text);
}

std::string HeadLine(bool right, const std::string& name, const std::string& title) {
  return Verdict(right) + " " + Styled(Style::kHeading, name) + "  " + title + "\n";
}

void AppendDetails(const std::vector<std::string>& lines, std::string& out) {
  for (const std::string& line : lines) {
    out += std::string(kDetailIndent) + line + "\n";
  }
}

void AppendProblems(const std::vector<std::string>& problems, std::string& out) {
  for (const std::string& problem : problems) {
    out += std::string(kDetailIndent) + Styled(Style::kBad, "! " + problem) + "\n";
  }
}

void AppendWords(const std::string& title, const std::vector<std::string>& lines,
                 std::string& out) {
  if (lines.empty()) {
    return;
  }
  out += Styled(Style::kHeading, title) + "\n";
  for (const std::string& line : lines) {
    out += "  " + Styled(Style::kDetail, line) + "\n";
  }
}

void AppendPatternProof(const PatternProof& proof, bool verbose, std::string& out) {
  out += HeadLine(proof.right, proof.name, proof.title);
  if (proof.runs == 0 && !proof.right) {
    AppendProblems(proof.problems, out);
    return;
  }
  const double runs = proof.runs > 0 ? proof.runs : 1;
  const auto per_run = [&](auto total) { return static_cast<double>(total) / runs; };
  const std::string figures =
      Counted(proof.runs, "run") + " \u00b7 " + PerRun(proof.requests_run, runs, "request") +
      " \u00b7 " + PerRun(static_cast<double>(proof.items_read), runs, "item") + ", " +
      BytesText(per_run(proof.bytes_read)) + " read \u00b7 " +
      RoughText(per_run(proof.items_thrown_away)) + " discarded \u00b7 " +
      UnitsText(per_run(proof.predicted_units), per_run(proof.measured_units), "RCU") + " \u00b7 " +
      ConsistencyText(proof);
  out += std::string(kDetailIndent) + Styled(Style::kDetail, figures) + "\n";
  if (verbose || !proof.right) {
    AppendDetails(proof.requests, out);
  }
  AppendProblems(proof.problems, out);
}

void AppendWriteProof(const WriteProof& proof, std::string& out) {
  if (!proof.skipped.empty()) {
    out += Styled(Style::kWarning, "-") + " " + Styled(Style::kHeading, proof.name) + "  " +
           proof.title + ": skipped, " + proof.skipped + "\n";
    return;
  }
  out += HeadLine(proof.right, proof.name, proof.title);
  const std::string figures = Counted(static_cast<double>(proof.items_written), "item") +
                              " written \u00b7 " +
                              UnitsText(proof.predicted_units, proof.measured_units, "WCU");
  out += std::string(kDetailIndent) + Styled(Style::kDetail, figures) + "\n";
  AppendDetails(proof.shown, out);
  AppendProblems(proof.problems, out);
}

void WriteJson(const WriteProof& proof, json::IndentedWriter& json) {
  json.BeginObject()
      .Field("name", proof.name)
      .Field("title", proof.title)
      .Field("right", proof.right);
  json.Field("itemsWritten", static_cast<double>(proof.items_written))
      .Field("guarded", proof.guarded);
  json.Name("refused").BeginArray();
  for (const std::string& shown : proof.shown) {
    json.String(shown);
  }
  json.EndArray();
  json.Field("predictedWriteUnits", proof.predicted_units)
      .Field("measuredWriteUnits", proof.measured_units);
  json.Name("problems").BeginArray();
  for (const std::string& problem : proof.problems) {
    json.String(problem);
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string RenderProof(const ProofReport& report, bool verbose) {
  if (report.patterns.empty() && report.writes.empty() && report.stored_problems.empty() &&
      report.data_problems.empty()) {
    return "Nothing to prove: the model has no access pattern and no write.\n";
  }
  std::string out;
  std::size_t right = 0;
  for (const PatternProof& proof : report.patterns) {
    AppendPatternProof(proof, verbose, out);
    right += proof.right ? 1 : 0;
  }
  for (const WriteProof& proof : report.writes) {
    AppendWriteProof(proof, out);
    right += proof.right ? 1 : 0;
  }
  AppendProblems(report.stored_problems, out);
  AppendProblems(report.data_problems, out);
  for (const std::string& generated : report.generated) {
    out += "The sample has too few rows: generated " + generated + ".\n";
  }
  const std::size_t count = report.patterns.size() + report.writes.size();
  const bool sound = report.stored_problems.empty() && report.data_problems.empty();
  out += Verdict(right == count && sound) + " " + std::to_string(right) +
         " of " + Counted(static_cast<double>(count), "proof") + " passed, on " +
         Counted(static_cast<double>(report.rows), "row") + " in " +
         Counted(static_cast<double>(report.items), "item") + "\n";
  if (report.estimates) {
    out += RenderEstimates(*report.estimates, verbose);
  }
  AppendWords("Tried", TriedInWords(report), out);
  AppendWords("Not tried", NotTriedInWords(report), out);
  return out;
}

std::string ProofJson(const ProofReport& report) {
  json::IndentedWriter json;
  json.BeginObject()
      .Field("allRight", report.all_right)
      .Field("rows", static_cast<double>(report.rows));
  json.Field("items", static_cast<double>(report.items)).Name("generated").BeginArray();
  for (const std::string& generated : report.generated) {
    json.String(generated);
  }
  json.EndArray().Name("storedProblems").BeginArray();
  for (const std::string& problem : report.stored_problems) {
    json.String(problem);
  }
  const auto list = [&](const char* name, const std::vector<std::string>& lines) {
    json.EndArray().Name(name).BeginArray();
    for (const std::string& line : lines) {
      json.String(line);
    }
  };
  list("dataProblems", report.data_problems);
  list("tried", TriedInWords(report));
  list("notTried", NotTriedInWords(report));
  json.EndArray().Name("patterns").BeginArray();
  for (const PatternProof& proof : report.patterns) {
    json.BeginObject()
        .Field("name", proof.name)
        .Field("title", proof.title)
        .Field("right", proof.right);
    json.Field("runs", static_cast<double>(proof.runs)).Field("requests", proof.requests_run);
    json.Field("rowsFound", static_cast<double>(proof.rows_found));
    json.Field("itemsRead", static_cast<double>(proof.items_read));
    json.Field("itemsThrownAway", static_cast<double>(proof.items_thrown_away));
    json.Field("bytesRead", static_cast<double>(proof.bytes_read));
    json.Field("predictedReadUnits", proof.predicted_units)
        .Field("measuredReadUnits", proof.measured_units);
    if (proof.may_miss_last_write) {
      json.Field("mayMissLastWrite", *proof.may_miss_last_write);
    }
    json.Field("consistency", proof.strong ? "strong" : "eventual").Name("plan").BeginArray();
    for (const std::string& request : proof.requests) {
      json.String(request);
    }
    json.EndArray().Name("problems").BeginArray();
    for (const std::string& problem : proof.problems) {
      json.String(problem);
    }
    json.EndArray().EndObject();
  }
  json.EndArray().Name("writes").BeginArray();
  for (const WriteProof& proof : report.writes) {
    WriteJson(proof, json);
  }
  json.EndArray();
  if (report.estimates) {
    WriteEstimates(*report.estimates, json);
  }
  return json.EndObject().Finish();
}

}  // namespace prejoin::model
