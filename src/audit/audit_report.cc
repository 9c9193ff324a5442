// The report of an audit, for people and for programs.
#include "audit/audit.h"
#include "json/indented_writer.h"
#include "model/syntax/figure_text.h"

namespace prejoin::audit {
namespace {

std::string Joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

std::string RenderKind(const AuditReport& report, FindingKind kind, std::size_t shown_max) {
  const std::int64_t count = report.counts[static_cast<std::size_t>(kind)];
  if (count == 0) {
    return {};
  }
  std::string out = std::string(FindingName(kind)) + ": " + std::string(FindingTitle(kind)) + " (" +
                    std::to_string(count) + ")\n";
  std::size_t shown = 0;
  for (const Finding& finding : report.findings) {
    if (finding.kind != kind || shown >= shown_max) {
      continue;
    }
    ++shown;
    out += "  " + finding.table + (finding.entity.empty() ? "" : " " + finding.entity) + " " +
           KeyText(finding.key) + "\n    " + finding.message + "\n";
    if (!finding.patterns.empty()) {
      out += "    read by " + Joined(finding.patterns) + "\n";
    }
  }
  if (count > static_cast<std::int64_t>(shown)) {
    out += "  … and " + std::to_string(count - static_cast<std::int64_t>(shown)) + " more\n";
  }
  return out;
}

std::string LossText(const PatternLoss& loss) {
  std::vector<std::string> parts;
  if (loss.lost > 0) {
    parts.push_back("loses " + model::Counted(static_cast<double>(loss.lost), "row"));
  }
  if (loss.surplus > 0) {
    parts.push_back("returns " + model::Counted(static_cast<double>(loss.surplus), "row") +
                    " that do not belong");
  }
  if (loss.wrong > 0) {
    parts.push_back("returns " + model::Counted(static_cast<double>(loss.wrong), "row") +
                    " with wrong values");
  }
  return loss.pattern + " " + Joined(parts);
}

}  // namespace

std::string RenderAudit(const AuditReport& report, std::size_t shown_max) {
  std::string out;
  for (std::size_t i = 0; i < kFindingKinds; ++i) {
    out += RenderKind(report, static_cast<FindingKind>(i), shown_max);
  }
  for (const PatternLoss& loss : report.losses) {
    out += LossText(loss) + "\n";
    for (const std::string& example : loss.examples) {
      out += "  " + example + "\n";
    }
  }
  for (const std::string& text : report.not_checked) {
    out += "not checked: " + text + "\n";
  }
  std::string entities;
  for (const auto& [entity, count] : report.by_entity) {
    entities += (entities.empty() ? ": " : ", ") + std::to_string(count) + " " + entity;
  }
  out += model::Counted(static_cast<double>(report.items), "item") + entities + "\n";
  if (report.items == 0) {
    return out + "No items were audited: the tables are empty.\n";
  }
  out += model::Counted(static_cast<double>(report.Total()), "finding");
  if (report.fixable > 0) {
    out +=
        ", " + model::Counted(static_cast<double>(report.fixable), "request") + " would fix them";
  }
  return out + "\n";
}

std::string AuditJson(const AuditReport& report) {
  json::IndentedWriter json;
  json.BeginObject()
      .Field("clean", report.Total() == 0 && report.items > 0)
      .Field("items", static_cast<double>(report.items));
  json.Name("entities").BeginObject();
  for (const auto& [entity, count] : report.by_entity) {
    json.Field(entity, static_cast<double>(count));
  }
  json.EndObject().Name("counts").BeginObject();
  for (std::size_t i = 0; i < kFindingKinds; ++i) {
    if (report.counts[i] > 0) {
      json.Field(FindingName(static_cast<FindingKind>(i)), static_cast<double>(report.counts[i]));
    }
  }
  json.EndObject().Name("findings").BeginArray();
  for (const Finding& finding : report.findings) {
    json.BeginObject()
        .Field("kind", FindingName(finding.kind))
        .Field("table", finding.table)
        .Field("entity", finding.entity)
        .Field("attribute", finding.attribute)
        .Field("message", finding.message);
    json.Name("key").BeginObject();
    for (const auto& [name, value] : finding.key) {
      json.Name(name).Value(value);
    }
    json.EndObject().Name("patterns").BeginArray();
    for (const std::string& pattern : finding.patterns) {
      json.String(pattern);
    }
    json.EndArray().Field("fixable", finding.fix.has_value()).EndObject();
  }
  json.EndArray().Name("patterns").BeginArray();
  for (const PatternLoss& loss : report.losses) {
    json.BeginObject()
        .Field("name", loss.pattern)
        .Field("lost", static_cast<double>(loss.lost))
        .Field("surplus", static_cast<double>(loss.surplus))
        .Field("wrong", static_cast<double>(loss.wrong));
    json.Name("examples").BeginArray();
    for (const std::string& example : loss.examples) {
      json.String(example);
    }
    json.EndArray().EndObject();
  }
  json.EndArray().Name("notChecked").BeginArray();
  for (const std::string& text : report.not_checked) {
    json.String(text);
  }
  json.EndArray().Field("fixable", static_cast<double>(report.fixable));
  return json.EndObject().Finish();
}

}  // namespace prejoin::audit
