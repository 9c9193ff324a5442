// Estimates against measurements: what cost, explain and design say of each pattern, write and view, what follows from
// the items themselves, and what the engine charges, on rows that have the stated counts, averages, skew and shares.
#ifndef PREJOIN_MODEL_PROVE_COMPARE_ESTIMATES_H_
#define PREJOIN_MODEL_PROVE_COMPARE_ESTIMATES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/prove/compared_figure.h"
#include "model/schema/model.h"
#include "prejoin/result.h"

namespace prejoin::json {
class IndentedWriter;
}

namespace prejoin::model {

struct EstimateComparison {
  std::size_t rows = 0;  // Generated.
  double share = 1;      // Share of the declared rows.
  std::vector<ComparedFigure> patterns;
  std::vector<ComparedFigure> writes;
  std::vector<ComparedFigure> entries;      // Items of each view.
  std::vector<ComparedFigure> entry_bytes;  // Average bytes of an entry of each view.
  std::vector<ComparedFigure> collections;  // Items of an entity under one partition key of a view.
  std::vector<ComparedFigure> hottest;      // The percentage of them under the most used key.
  bool all_agree = true;
};

// Where an estimate is within this share of the measurement, beyond the sampling error, they agree.
inline constexpr double kEstimateTolerance = 0.1;

struct CompareOptions {
  double rows = 4'000;  // Generated at most; fewer if the file states fewer.
  std::uint64_t seed = 1;
  // For testing: estimates are taken from this model, which differs in a figure, and all else from the true one.
  const Model* mistaken = nullptr;
};

// The same model, rows and seed give the same comparison.
Result<EstimateComparison> CompareEstimates(const Model& model, const CompareOptions& options);

// One kind of figure, under its name in JSON and with its unit.
struct ComparedKind {
  const char* name;
  const char* unit;
  const std::vector<ComparedFigure>* figures;
};
std::vector<ComparedKind> KindsOf(const EstimateComparison& comparison);

// A line, and a table of the figures that disagree, or of all.
std::string RenderEstimates(const EstimateComparison& comparison, bool verbose);
// The member `estimates` of an object.
void WriteEstimates(const EstimateComparison& comparison, json::IndentedWriter& json);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_COMPARE_ESTIMATES_H_
