#include "wire/only_reads.h"

#include <absl/strings/match.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "json/reader.h"
#include "wire/service.h"

namespace prejoin::wire {
namespace {

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool BeginsWithSelect(std::string_view statement) {
  constexpr std::string_view kSelect = "select";
  while (!statement.empty() && IsSpace(statement.front())) {
    statement.remove_prefix(1);
  }
  const absl::string_view beginning(statement.data(), std::min(statement.size(), kSelect.size()));
  return absl::EqualsIgnoreCase(beginning, kSelect.data()) && statement.size() > kSelect.size() &&
         IsSpace(statement[kSelect.size()]);
}

// Looks at every member of the name: the database might look at another one than we do.
bool Selects(std::string_view body) {
  const auto document = json::Document::Parse(body);
  if (!document || document->root().type() != json::Type::kObject) {
    return false;
  }
  bool selects = false;
  for (const auto& field : document->root().fields()) {
    if (field.name != "Statement") {
      continue;
    }
    if (field.value.type() != json::Type::kString || !BeginsWithSelect(field.value.string())) {
      return false;
    }
    selects = true;
  }
  return selects;
}

}  // namespace

bool OnlyReads(std::string_view operation, std::string_view body) {
  switch (
      Service::EffectOf(Service::OperationIndex("DynamoDB_20120810." + std::string(operation)))) {
    case Effect::kReads:
      return true;
    case Effect::kWrites:
      return false;
    case Effect::kDependsOnStatement:
      return Selects(body);
  }
  return false;
}

}  // namespace prejoin::wire
