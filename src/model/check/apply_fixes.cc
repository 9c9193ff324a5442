#include "model/check/apply_fixes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/bind/read_model.h"
#include "model/check/check.h"

namespace prejoin::model {
namespace {

struct CheckedText {
  std::string text;
  bool reads = false;
  std::vector<Diagnostic> findings;

  explicit CheckedText(std::string of) : text(std::move(of)) {
    const ReadModelResult read = ReadModel(text);
    reads = read.ok;
    findings = CheckModel(read);
  }

  auto Errors() const {
    return std::ranges::count(findings, Severity::kError, &Diagnostic::severity);
  }
  auto CountOf(const Diagnostic& finding) const {
    return std::ranges::count_if(findings, [&](const Diagnostic& one) {
      return one.rule == finding.rule && one.message == finding.message;
    });
  }
};

// Why the text is not better without the finding; empty: it is.
std::string WhyWorse(const CheckedText& before, const CheckedText& after,
                     const Diagnostic& finding) {
  if (before.reads && !after.reads) {
    return "the file cannot be read with it";
  }
  // Rules look at a file only once it reads, so its errors say nothing about the file before.
  if (before.reads == after.reads && after.Errors() > before.Errors()) {
    return "it leaves more errors than there were";
  }
  return after.CountOf(finding) < before.CountOf(finding) ? "" : "the finding is still there";
}

}  // namespace

const Fix* FixWithin(const Diagnostic& finding, FixScope scope) {
  const auto found = std::ranges::find_if(finding.suggestion.fixes, [&](const Fix& fix) {
    return !fix.edits.empty() &&
           (fix.applicability == Applicability::kSafe ||
            (fix.applicability == Applicability::kUnsafe && scope == FixScope::kUnsafeToo));
  });
  return found == finding.suggestion.fixes.end() ? nullptr : &*found;
}

std::optional<std::string> ApplyFix(std::string_view source, const Diagnostic& finding,
                                    FixScope scope) {
  const Fix* fix = FixWithin(finding, scope);
  return fix == nullptr ? std::nullopt : ApplyEdits(source, fix->edits);
}

FixedText ApplyFixes(std::string source, FixScope scope) {
  FixedText done;
  CheckedText now(std::move(source));
  std::set<std::string> seen = {now.text};
  std::set<std::pair<std::string, std::string>> rejected;
  while (done.fixed + done.rejected.size() < kFixesMax) {
    const auto next = std::ranges::find_if(now.findings, [&](const Diagnostic& finding) {
      return FixWithin(finding, scope) != nullptr &&
             !rejected.contains({finding.rule, finding.message});
    });
    if (next == now.findings.end()) {
      break;
    }
    const Diagnostic finding = *next;
    auto text = ApplyFix(now.text, finding, scope);
    std::string why = "its place is not in the file";
    if (text && !seen.insert(*text).second) {
      why = "another fix would undo it";
    } else if (text) {
      CheckedText after(*std::move(text));
      why = WhyWorse(now, after, finding);
      if (why.empty()) {
        now = std::move(after);
        ++done.fixed;
        continue;
      }
    }
    rejected.emplace(finding.rule, finding.message);
    done.rejected.push_back({finding, std::move(why)});
  }
  done.text = std::move(now.text);
  done.findings = std::move(now.findings);
  return done;
}

}  // namespace prejoin::model
