// The report of a proof, for people and for programs.
#include <string_view>

#include "json/indented_writer.h"
#include "model/prove/prove.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

// For one run, on average.
std::string PerRun(double total, int runs, std::string_view what) {
  return CountedRoughly(runs > 0 ? total / runs : 0, what);
}

std::string RenderWriteProof(const WriteProof& proof) {
  if (!proof.skipped.empty()) {
    return "skip   " + proof.name + "  " + proof.title + ": " + proof.skipped + "\n";
  }
  std::string out =
      std::string(proof.right ? "right  " : "WRONG  ") + proof.name + "  " + proof.title + "\n";
  out += "       " + Counted(static_cast<double>(proof.items_written), "item") + " written, " +
         Counted(proof.predicted_units, "write unit") + " predicted, " +
         FigureText(proof.measured_units) + " measured\n";
  for (const std::string& shown : proof.shown) {
    out += "       " + shown + "\n";
  }
  for (const std::string& problem : proof.problems) {
    out += "       ! " + problem + "\n";
  }
  return out;
}

}  // namespace

std::string RenderProof(const ProofReport& report, bool verbose) {
  std::string out;
  for (const PatternProof& proof : report.patterns) {
    out +=
        std::string(proof.right ? "right  " : "WRONG  ") + proof.name + "  " + proof.title + "\n";
    const double runs = proof.runs > 0 ? proof.runs : 1;
    if (proof.runs == 0 && !proof.right) {
      for (const std::string& problem : proof.problems) {
        out += "       ! " + problem + "\n";
      }
      continue;
    }
    out += "       " + Counted(proof.runs, "run") +
           "; each: " + PerRun(proof.requests_run, proof.runs, "request") + ", " +
           PerRun(static_cast<double>(proof.items_read), proof.runs, "item") + " read, " +
           RoughText(static_cast<double>(proof.items_thrown_away) / runs) + " thrown away, " +
           PerRun(static_cast<double>(proof.bytes_read), proof.runs, "byte") + ", " +
           Counted(proof.predicted_units / runs, "read unit") + " predicted, " +
           FigureText(proof.measured_units / runs) + " measured, " + proof.consistency + "\n";
    if (proof.may_miss_last_write) {
      out += *proof.may_miss_last_write
                 ? "       may miss the last write: a global index follows its table later\n"
                 : "       sees the last write\n";
    }
    if (verbose || !proof.right) {
      for (const std::string& request : proof.requests) {
        out += "       " + request + "\n";
      }
    }
    for (const std::string& problem : proof.problems) {
      out += "       ! " + problem + "\n";
    }
  }
  for (const WriteProof& proof : report.writes) {
    out += RenderWriteProof(proof);
  }
  for (const std::string& problem : report.stored_problems) {
    out += "       ! " + problem + "\n";
  }
  if (report.patterns.empty() && report.writes.empty() && report.stored_problems.empty()) {
    return "nothing to prove: the model has no pattern and no write\n";
  }
  std::size_t right = 0;
  for (const PatternProof& proof : report.patterns) {
    right += proof.right ? 1 : 0;
  }
  for (const WriteProof& proof : report.writes) {
    right += proof.right ? 1 : 0;
  }
  for (const std::string& generated : report.generated) {
    out += "the sample is too thin there: " + generated + " were generated\n";
  }
  out += std::to_string(right) + " of " +
         std::to_string(report.patterns.size() + report.writes.size()) + " right, on " +
         Counted(static_cast<double>(report.rows), "row") + " in " +
         Counted(static_cast<double>(report.items), "item") + "\n";
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
    json.Field("consistency", proof.consistency).Name("plan").BeginArray();
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
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::model
