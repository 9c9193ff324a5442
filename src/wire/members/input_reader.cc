#include "wire/members/input_reader.h"

#include <algorithm>
#include <cctype>

namespace prejoin::wire {
namespace {

constexpr std::size_t kViolationsMax = 10;
constexpr std::size_t kEchoBytesMax = 8192;
constexpr int kEchoDepthMax = 16;

void AppendEcho(json::Value value, int depth, std::string& out) {
  if (out.size() > kEchoBytesMax || depth > kEchoDepthMax) {
    out.append("...");
    return;
  }
  const char* separator = "";
  switch (value.type()) {
    case json::Type::kNull:
      out.append("null");
      return;
    case json::Type::kBool:
      out.append(value.boolean() ? "true" : "false");
      return;
    case json::Type::kInteger:
    case json::Type::kDecimal:
      out.append(std::to_string(value.integer()));
      return;
    case json::Type::kString:
      out.append(value.string().substr(0, kEchoBytesMax));
      return;
    case json::Type::kArray:
      out.push_back('[');
      for (const json::Value element : value.elements()) {
        out.append(std::exchange(separator, ", "));
        AppendEcho(element, depth + 1, out);
        if (out.size() > kEchoBytesMax) {
          break;
        }
      }
      out.push_back(']');
      return;
    case json::Type::kObject:
      out.push_back('{');
      for (const auto& [name, member] : value.fields()) {
        out.append(std::exchange(separator, ", ")).append(name).push_back('=');
        AppendEcho(member, depth + 1, out);
        if (out.size() > kEchoBytesMax) {
          break;
        }
      }
      out.push_back('}');
      return;
  }
}

}  // namespace

std::string Path::Print() const {
  std::string text = parent_ == nullptr ? "" : parent_->Print() + ".";
  if (!in_collection_) {
    text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(name_[0]))));
    return text.append(name_.substr(1));
  }
  text.append(index_ == kNoIndex ? std::string(name_) : std::to_string(index_ + 1));
  return text.append(".member");
}

Status InputReader::ReadInt32(json::Value value, std::optional<std::int32_t>& out) const {
  PJ_ASSIGN_OR_RETURN(const std::int64_t number, json::ReadInteger(value, "Integer"));
  out = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      number, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  return {};
}

Status InputReader::ReadStrings(json::Value array, const Path& path,
                                std::vector<std::string>& out) {
  out.clear();
  return ReadElements(array, path, [&](json::Value element, const Path&) {
    return ReadString(element, out.emplace_back());
  });
}

void InputReader::Add(std::string text) {
  if (violations_.size() < kViolationsMax) {
    violations_.push_back({rank_, std::move(text)});
  }
}

void InputReader::Violate(const Path& path, std::string_view shown, std::string_view constraint) {
  Add("Value '" + std::string(shown) + "' at '" + path.Print() +
      "' failed to satisfy constraint: " + std::string(constraint));
}

void InputReader::RefuseLength(const Path& path) {
  Refuse(Order::kLength, "One or more parameter values were invalid: " + path.Print() +
                             " may have " + std::to_string(kPartsMax) + " members at the most");
}

void InputReader::NoteMissing(const Path& path, Presence presence) {
  if (presence == Presence::kParameter) {
    Refuse(Order::kMissingParameter, "The parameter '" + std::string(path.name()) +
                                         "' is required but was not present in the request");
    return;
  }
  Add("Value null at '" + path.Print() + "' failed to satisfy constraint: Member must not be null");
}

void InputReader::ViolateEnum(const Path& path, std::string_view text,
                              std::span<const std::string_view> all) {
  std::string constraint = "Member must satisfy enum value set: [";
  const char* separator = "";
  for (const std::string_view name : all) {
    constraint.append(std::exchange(separator, ", ")).append(name);
  }
  Violate(path, text, constraint.append("]"));
}

void InputReader::CheckLength(const Path& path, std::string_view shown, std::size_t length,
                              LengthLimits limits) {
  if (length < limits.min) {
    Violate(path, shown,
            "Member must have length greater than or equal to " + std::to_string(limits.min));
  }
  if (length > limits.max) {
    Violate(path, shown,
            "Member must have length less than or equal to " + std::to_string(limits.max));
  }
}

void InputReader::CheckPattern(const Path& path, std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), IsNameCharacter)) {
    Violate(path, text, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  }
}

void InputReader::CheckRange(const Path& path, std::int64_t number, std::int64_t min,
                             std::int64_t max) {
  if (number < min) {
    Violate(path, std::to_string(number),
            "Member must have value greater than or equal to " + std::to_string(min));
  }
  if (number > max) {
    Violate(path, std::to_string(number),
            "Member must have value less than or equal to " + std::to_string(max));
  }
}

void InputReader::Refuse(Order order, std::string message) {
  if (!refusal_order_.has_value() || order < *refusal_order_) {
    refusal_order_ = order;
    refusal_ = std::move(message);
  }
}

bool InputReader::RefuseInNewerTexts(engine::Rewording what,
                                     std::initializer_list<std::string_view> parts) {
  if (texts() != Texts::kNewest) {
    return false;
  }
  Refuse(Order::kRequest, engine::Reworded(texts(), what, parts));
  return true;
}

Status InputReader::Finish() const {
  if (violations_.empty() && !refusal_order_.has_value()) {
    return {};
  }
  if (violations_.empty() ||
      (refusal_order_.has_value() && *refusal_order_ < Order::kConstraints)) {
    const bool about_values = *refusal_order_ >= Order::kItem;
    return ValidationError(
        form_.envelope && about_values ? "1 validation error detected: " + refusal_ : refusal_);
  }
  std::vector<Violation> sorted = violations_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Violation& a, const Violation& b) { return a.rank < b.rank; });
  std::string message = std::to_string(sorted.size()) + " validation error" +
                        (sorted.size() > 1 ? "s" : "") + " detected: ";
  const char* separator = "";
  for (const Violation& violation : sorted) {
    message.append(std::exchange(separator, "; ")).append(violation.text);
  }
  return ValidationError(std::move(message));
}

Status RefuseMember(InputReader& reader, const Path& path) {
  // Before all else, so that nobody repairs a request that cannot be served.
  reader.Refuse(Order::kMissingParameter,
                "One or more parameter values were invalid: " + std::string(path.name()) +
                    " is not supported by this server");
  return {};
}

Error RepeatedMember(std::string_view name) {
  return Error{ErrorCode::kSerialization,
               "The member " + std::string(name) + " occurs more than once"};
}

Status CheckAsked(const InputReader& reader, std::string_view arn) {
  if (reader.names() == nullptr || reader.names()->WasAsked(arn)) {
    return {};
  }
  return Error{ErrorCode::kAccessDenied,
               "The request names a resource that it was not authorized for: " + std::string(arn)};
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

std::string PrintEcho(json::Value value) {
  std::string text;
  AppendEcho(value, 0, text);
  return text;
}

}  // namespace prejoin::wire
