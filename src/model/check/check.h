// The linter: all rules over a model, with suppressions applied.
#ifndef PREJOIN_MODEL_CHECK_CHECK_H_
#define PREJOIN_MODEL_CHECK_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/bind/read_model.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"
#include "model/syntax/diagnostic.h"

namespace prejoin::model {

// Reading errors only, when there are any; else the findings of all rules, sorted by place.
std::vector<Diagnostic> CheckModel(const ReadModelResult& read);

bool HasErrors(const std::vector<Diagnostic>& diagnostics);

// SARIF 2.1.0 of several files.
struct CheckedFile {
  std::string path;
  std::vector<Diagnostic> diagnostics;
};
std::string SarifReport(const std::vector<CheckedFile>& files);
std::string CheckJson(const std::vector<CheckedFile>& files);
// The findings of one text that has no file.
std::string FindingsJson(const std::vector<Diagnostic>& findings);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_CHECK_H_
