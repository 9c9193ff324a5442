#include "model/prove/proof_words.h"

#include "model/prove/trial/interleave.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

std::string Some(std::size_t count, const char* what) {
  return Counted(static_cast<double>(count), what);
}

}  // namespace

std::vector<std::string> TriedInWords(const ProofReport& report) {
  std::vector<std::string> lines;
  if (!report.rows_from.empty()) {
    lines.push_back("Rows: " + report.rows_from + ".");
  }
  if (!report.tried_more) {
    return lines;
  }
  lines.push_back(
      "Hostile values: the patterns also ran on " + Some(report.hostile_rows, "row") +
      " with numbers at the edge of their digits, other case, the longest and shortest text, "
      "beginnings of other values, delimiters, shared parts of keys, and one row more than each "
      "limit" +
      (report.hostile_refused > 0
           ? "; keys refused " + Some(report.hostile_refused, "more row") + "."
           : "."));
  if (!report.writes.empty()) {
    lines.push_back(
        "Writes: each one alone on the same rows, sent twice, for an existing row, and stopped "
        "after each request; then all items were compared with the rows, and all patterns ran "
        "again.");
    lines.push_back("Two writers: " + Some(report.schedule_pairs, "pair") + " of writes in " +
                    Some(report.schedules, "order") +
                    " of their requests, on the same rows and on neighbouring ones.");
  }
  return lines;
}

std::vector<std::string> NotTriedInWords(const ProofReport& report) {
  std::vector<std::string> lines;
  if (!report.tried_more) {
    return lines;
  }
  lines.emplace_back(
      "Negative numbers, fractions, empty text and times in several forms, unless the sample or a "
      "write has them; answers of more than 1 MB, unless the rows make them.");
  if (!report.writes.empty()) {
    lines.emplace_back(
        "Three or more writers; streams and batches that fall behind: their copies and totals are "
        "correct in the end.");
  }
  if (report.schedules_cut > 0) {
    lines.push_back(Some(report.schedules_cut, "pair") + " of writes have more than " +
                    std::to_string(kSchedulesMax) + " orders; the others were not tried.");
  }
  return lines;
}

}  // namespace prejoin::model
