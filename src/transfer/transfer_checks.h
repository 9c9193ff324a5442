// Checks that imports and exports share.
#ifndef PREJOIN_TRANSFER_TRANSFER_CHECKS_H_
#define PREJOIN_TRANSFER_TRANSFER_CHECKS_H_

#include <optional>
#include <string>
#include <string_view>

#include "prejoin/options.h"
#include "prejoin/result.h"

namespace prejoin::transfer {

inline Error InvalidRequest(const std::string& what) {
  return ValidationError("Invalid Request: " + what);
}

// The parts of arn:aws:dynamodb:us-east-1:123456789012:table/Name/import/ID. `kind` is "import" or "export".
struct TransferPlace {
  std::string table_name;
  std::string id;
};
Result<TransferPlace> ParseTransferArn(const Options& options, const std::string& arn,
                                       std::string_view kind);

// The id in a page token, which is hex as AWS's are. `kind` makes tokens of the two lists
// differ.
std::string PageToken(std::string_view kind, const std::string& id);
Result<std::optional<std::string>> ParsePageToken(std::string_view kind,
                                                  const std::optional<std::string>& token);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_TRANSFER_CHECKS_H_
