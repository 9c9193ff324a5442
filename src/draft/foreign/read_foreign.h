// A draft from a file of another tool.
#ifndef PREJOIN_DRAFT_FOREIGN_READ_FOREIGN_H_
#define PREJOIN_DRAFT_FOREIGN_READ_FOREIGN_H_

#include <string>
#include <string_view>

#include "draft/draft.h"
#include "prejoin/result.h"

namespace prejoin::draft {

enum class ForeignFormat {
  kUnknown,
  kWorkbench,
  kTableJson,  // CreateTable, DescribeTable, CloudFormation.
  kOneTable,
  kElectroDb,
  kToolbox,
  kAwsSchema,
  kTerraform,
  kPrisma,
  kSql,
};

// kUnknown for a name that means nothing.
ForeignFormat FormatOfName(std::string_view name);

struct ForeignText {
  std::string_view text;
  std::string name;                                // The file's name, for the title.
  ForeignFormat format = ForeignFormat::kUnknown;  // Unknown: recognised by its content.
  std::string_view query_log;                      // Statements of SQL, or for tables events of CloudTrail.
  double log_seconds = 0;                          // That the log covers; 0: not known.
};

// Reads, completes (patterns by key, relationships by name, sample rows) and says at the top where it
// came from. An error if it is no such file.
Result<Draft> ReadForeign(const ForeignText& foreign);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FOREIGN_READ_FOREIGN_H_
