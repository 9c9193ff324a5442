#include "audit/audit.h"

#include <algorithm>
#include <numeric>

#include "audit/fix_request.h"

namespace prejoin::audit {
namespace {

constexpr std::size_t kExamplesMax = 5;  // The most examples of rows that a pattern loses.
constexpr const char* kUnknown = "(unknown)";

CrossCheckOptions CrossOptions(const model::Model& model, const AuditOptions& options) {
  CrossCheckOptions out;
  out.memory_bytes = options.memory_bytes;
  out.complete = options.complete;
  out.stored_name = options.stored_name;
  out.tables.insert(options.tables.begin(), options.tables.end());
  for (const model::Table& table : model.tables) {
    if (options.tables.empty()) {
      out.tables.insert(table.name.text);
    }
  }
  return out;
}

}  // namespace

std::int64_t AuditReport::Total() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

Auditor::Auditor(const model::Model& model, AuditOptions options)
    : options_(std::move(options)),
      checker_(model),
      losses_(model),
      cross_check_(model, CrossOptions(model, options_)) {}

Status Auditor::Add(const model::Table& table, const Item& item) {
  ++report_.items;
  CheckedItem checked = checker_.Check(table, item);
  if (checked.placement) {
    ++report_.by_entity[checked.placement.layout->entity.text];
  } else {
    ++report_.by_entity[checked.lock ? checked.lock->layout->entity.text + " (lock)" : kUnknown];
  }
  if (checked.placement || checked.lock) {
    PJ_RETURN_IF_ERROR(cross_check_.Add(checked, item));
  }
  std::vector<Finding> findings = std::move(checked.findings);
  if (checked.placement && !findings.empty() && !(checked.mended == item)) {
    const auto new_key = KeyOf(table, checked.mended);
    findings[0].fix =
        ChangeItem(options_.stored_name.empty() ? table.name.text : options_.stored_name,
                   checked.key, *new_key, item, checked.mended);
    FindLosses(checked, item, findings);
  }
  for (Finding& finding : findings) {
    Report(std::move(finding));
  }
  return {};
}

PatternLoss& Auditor::LossOf(const std::string& pattern) {
  for (PatternLoss& loss : report_.losses) {
    if (loss.pattern == pattern) {
      return loss;
    }
  }
  return report_.losses.emplace_back(PatternLoss{pattern, 0, 0, 0, {}});
}

void Auditor::FindLosses(const CheckedItem& checked, const Item& item,
                         std::vector<Finding>& findings) {
  if (++loss_runs_ > options_.loss_runs_max) {
    return;
  }
  std::string faults;
  for (const Finding& finding : findings) {
    faults += (faults.empty() ? "" : "; ") + finding.message;
  }
  for (const Loss& loss : losses_.Compare(checked, item)) {
    PatternLoss& total = LossOf(loss.pattern);
    ++(loss.kind == LossKind::kLost      ? total.lost
       : loss.kind == LossKind::kSurplus ? total.surplus
                                         : total.wrong);
    if (total.examples.size() < kExamplesMax) {
      total.examples.push_back(KeyText(checked.key) + ": " + faults);
    }
    findings[0].patterns.push_back(loss.pattern);
  }
}

void Auditor::Report(Finding finding) {
  if (finding.fix) {
    ++report_.fixable;
    if (options_.on_fix) {
      options_.on_fix(*finding.fix);
    }
  }
  std::int64_t& count = report_.counts[static_cast<std::size_t>(finding.kind)];
  if (static_cast<std::size_t>(++count) <= options_.findings_max) {
    report_.findings.push_back(std::move(finding));
  }
}

Result<AuditReport> Auditor::Finish() {
  PJ_RETURN_IF_ERROR(cross_check_.Finish([&](Finding finding) {
    const bool of_copy = finding.kind == FindingKind::kDrift ||
                         finding.kind == FindingKind::kLostCopy ||
                         finding.kind == FindingKind::kWrongTotal;
    if (of_copy && !finding.attribute.empty()) {
      finding.patterns = losses_.PatternsReading(finding.entity, finding.attribute);
      for (const std::string& pattern : finding.patterns) {
        PatternLoss& loss = LossOf(pattern);
        ++loss.wrong;
        if (loss.examples.size() < kExamplesMax) {
          loss.examples.push_back(KeyText(finding.key) + ": " + finding.message);
        }
      }
    }
    Report(std::move(finding));
  }));
  report_.not_checked = cross_check_.not_checked();
  if (loss_runs_ > options_.loss_runs_max) {
    report_.not_checked.push_back("which access patterns lose the rows of " +
                                  std::to_string(loss_runs_ - options_.loss_runs_max) +
                                  " more damaged items");
  }
  report_.spilled_bytes = cross_check_.spilled_bytes();
  std::ranges::stable_sort(report_.findings, {}, &Finding::kind);
  return std::move(report_);
}

}  // namespace prejoin::audit
