#include "capi/open_options.h"

#include <string>

#include "json/reader.h"

namespace prejoin::capi {
namespace {

constexpr std::int64_t kCacheMbMax = 1'000'000;
constexpr std::int64_t kSweepSecondsMax = 86'400;

Error Wrong(std::string_view name, const char* rule) {
  return ValidationError("option \"" + std::string(name) + "\" " + rule);
}

Result<std::string> Text(const json::Field& field) {
  if (field.value.type() != json::Type::kString) {
    return Wrong(field.name, "is a string");
  }
  return std::string(field.value.string());
}

Result<std::int64_t> Number(const json::Field& field, std::int64_t max) {
  if (field.value.type() != json::Type::kInteger || field.value.integer() < 1 ||
      field.value.integer() > max) {
    return Wrong(field.name, ("is an integer from 1 to " + std::to_string(max)).c_str());
  }
  return field.value.integer();
}

Status SetOption(const json::Field& field, Options& options) {
  if (field.name == "path") {
    PJ_ASSIGN_OR_RETURN(options.path, Text(field));
    return options.path.find('\0') == std::string::npos ? Status()
                                                        : Wrong(field.name, "has a zero byte");
  }
  if (field.name == "region") {
    PJ_ASSIGN_OR_RETURN(options.region, Text(field));
    return {};
  }
  if (field.name == "account") {
    PJ_ASSIGN_OR_RETURN(options.account_id, Text(field));
    return {};
  }
  if (field.name == "sync") {
    PJ_ASSIGN_OR_RETURN(const std::string sync, Text(field));
    if (sync != "always" && sync != "none") {
      return Wrong(field.name, "is \"always\" or \"none\"");
    }
    options.sync = sync == "always" ? Sync::kAlways : Sync::kNone;
    return {};
  }
  if (field.name == "cache_mb") {
    PJ_ASSIGN_OR_RETURN(const std::int64_t megabytes, Number(field, kCacheMbMax));
    options.block_cache_bytes = static_cast<std::size_t>(megabytes) << 20;
    return {};
  }
  if (field.name == "ttl_sweep_seconds") {
    PJ_ASSIGN_OR_RETURN(const std::int64_t seconds, Number(field, kSweepSecondsMax));
    options.ttl_sweep_seconds = static_cast<unsigned>(seconds);
    return {};
  }
  return ValidationError(
      "no option is called \"" + std::string(field.name) +
      "\"; there are path, sync, region, account, cache_mb and ttl_sweep_seconds");
}

}  // namespace

Result<Options> ParseOpenOptions(std::string_view text) {
  Options options;
  if (text.empty()) {
    return options;
  }
  const auto document = json::Document::ParseAside(text);
  if (!document || document->root().type() != json::Type::kObject) {
    return ValidationError("the options are not a JSON object");
  }
  for (const json::Field& field : document->root().fields()) {
    PJ_RETURN_IF_ERROR(SetOption(field, options));
  }
  return options;
}

}  // namespace prejoin::capi
