// The audit of stored items against a model: items go in one by one, in any order; the report comes at the end. Memory is
// bounded: findings beyond a number are only counted, and what must be compared between items is sorted on disk when it
// does not fit.
#ifndef PREJOIN_AUDIT_AUDIT_H_
#define PREJOIN_AUDIT_AUDIT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "audit/cross_check.h"
#include "audit/finding.h"
#include "audit/item_check.h"
#include "audit/lost_rows.h"
#include "model/schema/model.h"

namespace prejoin::audit {

struct AuditOptions {
  std::size_t memory_bytes = 256u << 20;  // For comparing items with each other.
  std::size_t findings_max = 200;         // The most findings of each kind that are reported in full.
  std::size_t loss_runs_max = 2'000;      // Damaged items on which the patterns are run.
  bool complete = true;                   // False: a sample of the items.
  std::vector<std::string> tables;        // Tables of the model whose items are audited. Empty: all.
  std::string stored_name;                // For requests, where it is not the model's name.
  std::function<void(const Fix& fix)> on_fix;
};

// The answer of a pattern over the items as they are stored.
struct PatternLoss {
  std::string pattern;
  std::int64_t lost = 0;     // Rows that it does not find.
  std::int64_t surplus = 0;  // Rows that it finds and should not.
  std::int64_t wrong = 0;    // Rows with wrong values.
  std::vector<std::string> examples;
};

struct AuditReport {
  std::int64_t items = 0;
  std::map<std::string, std::int64_t> by_entity;  // Lock items and unknown ones under such names.
  std::array<std::int64_t, kFindingKinds> counts{};
  std::vector<Finding> findings;
  std::vector<PatternLoss> losses;
  std::vector<std::string> not_checked;
  std::int64_t fixable = 0;
  std::uint64_t spilled_bytes = 0;

  std::int64_t Total() const;
};

// Borrows the model. Single thread.
class Auditor {
 public:
  Auditor(const model::Model& model, AuditOptions options);

  Status Add(const model::Table& table, const Item& item);
  // Call once.
  Result<AuditReport> Finish();

 private:
  void Report(Finding finding);
  void FindLosses(const CheckedItem& checked, const Item& item, std::vector<Finding>& findings);
  PatternLoss& LossOf(const std::string& pattern);

  const AuditOptions options_;
  ItemChecker checker_;
  LossFinder losses_;
  CrossCheck cross_check_;
  AuditReport report_;
  std::size_t loss_runs_ = 0;
};

// For a terminal; and for programs.
std::string RenderAudit(const AuditReport& report, std::size_t shown_max);
std::string AuditJson(const AuditReport& report);

}  // namespace prejoin::audit

#endif  // PREJOIN_AUDIT_AUDIT_H_
