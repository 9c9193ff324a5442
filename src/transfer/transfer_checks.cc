#include "transfer/transfer_checks.h"

#include <utility>

#include "engine/table/resource_arn.h"

namespace prejoin::transfer {
namespace {

// AWS's tokens are at least this long, and clients check it.
constexpr std::size_t kTokenDigitsMin = 112;

std::string_view NameOf(std::string_view kind) { return kind == "import" ? "Import" : "Export"; }

Error NotFound(std::string_view kind, const std::string& message) {
  return Error{kind == "import" ? ErrorCode::kImportNotFound : ErrorCode::kExportNotFound,
               std::string(NameOf(kind)) + " not found: " + message};
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

Result<TransferPlace> ParseTransferArn(const Options& options, const std::string& arn,
                                       std::string_view kind) {
  const auto parsed = engine::ParseResourceArn(arn);
  const auto wanted =
      kind == "import" ? engine::ResourceKind::kImport : engine::ResourceKind::kExport;
  if (!parsed || parsed->kind != wanted) {
    return ValidationError("Invalid " + std::string(NameOf(kind)) + " ARN");
  }
  if (parsed->account != options.account_id) {
    return Error{ErrorCode::kAccessDenied, "Access is denied"};
  }
  if (parsed->region != options.region) {
    return NotFound(kind, "Invalid " + std::string(kind) + " arn");
  }
  return TransferPlace{std::string(parsed->table), std::string(parsed->id)};
}

std::string PageToken(std::string_view kind, const std::string& id) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string plain = std::string(kind) + ":" + id;
  plain.resize(std::max<std::size_t>((plain.size() + 7) / 8 * 8, kTokenDigitsMin / 2), ' ');
  std::string token;
  for (const char c : plain) {
    token.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    token.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
  return token;
}

Result<std::optional<std::string>> ParsePageToken(std::string_view kind,
                                                  const std::optional<std::string>& token) {
  if (!token) {
    return std::optional<std::string>();
  }
  const Error invalid = InvalidRequest("Provided nextToken is invalid: " + *token);
  std::string plain;
  for (std::size_t i = 0; i + 1 < token->size(); i += 2) {
    const int high = DigitOf((*token)[i]);
    const int low = DigitOf((*token)[i + 1]);
    if (high < 0 || low < 0) {
      return invalid;
    }
    plain.push_back(static_cast<char>(high << 4 | low));
  }
  plain.erase(plain.find_last_not_of(' ') + 1);
  const std::string start = std::string(kind) + ":";
  if (token->size() % 2 != 0 || !plain.starts_with(start)) {
    return invalid;
  }
  return std::optional(plain.substr(start.size()));
}

}  // namespace prejoin::transfer
