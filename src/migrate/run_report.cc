// The work of a migrator, in words and for programs.
#include "json/indented_writer.h"
#include "migrate/migrator.h"
#include "model/syntax/figure_text.h"

namespace prejoin::migrate {

std::string RenderRun(const RunReport& report) {
  const auto counted = [](std::int64_t number, std::string_view noun) {
    return model::Counted(static_cast<double>(number), noun);
  };
  std::string out = "Phase: " + std::string(PhaseName(report.phase)) + ". " +
                    counted(report.read, "old item") + " read, " +
                    counted(report.written, "new item") + " written, " +
                    counted(report.deleted, "stale item") + " deleted";
  if (report.passes == 1) {
    out += ", 1 pass";
  }
  if (report.passes > 1) {
    out += ", " + std::to_string(report.passes) + " passes";
  }
  out += ".\n";
  if (report.findings_after > 0 && report.findings_after <= report.findings_before) {
    out += "The audit reports " + counted(report.findings_after, "finding") +
           ", no more than the audit of the old tables.\n";
  }
  for (const std::string& remark : report.remarks) {
    out += remark + "\n";
  }
  return out;
}

std::string RunJson(const RunReport& report) {
  json::IndentedWriter json;
  const auto number = [&](const char* name, std::int64_t value) {
    json.Field(name, static_cast<double>(value));
  };
  json.BeginObject().Field("phase", PhaseName(report.phase)).Field("done", report.done);
  number("passes", report.passes);
  number("read", report.read);
  number("written", report.written);
  number("deleted", report.deleted);
  number("unknown", report.unknown);
  number("keyless", report.keyless);
  number("moving", report.moving);
  number("findingsBefore", report.findings_before);
  number("findingsAfter", report.findings_after);
  json.Name("remarks").BeginArray();
  for (const std::string& remark : report.remarks) {
    json.String(remark);
  }
  return json.EndArray().EndObject().Finish();
}

}  // namespace prejoin::migrate
