#include "draft/formats/resolve_functions.h"

#include <map>
#include <optional>
#include <string_view>

#include "base/parse_number.h"
#include "draft/json_fields.h"
#include "json/copy.h"
#include "json/writer.h"

namespace prejoin::draft {
namespace {

using Names = std::map<std::string, std::string>;

// "${Stage}-orders" with the names that are known; what is left of the others is not kept as "-orders".
std::string Substitute(std::string_view text, const Names& names) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find("${", at);
    const std::size_t close = open == text.npos ? text.npos : text.find('}', open);
    if (close == text.npos) {
      break;
    }
    out += text.substr(at, open - at);
    const auto known = names.find(std::string(text.substr(open + 2, close - open - 2)));
    if (known != names.end()) {
      out += known->second;
    }
    at = close + 1;
  }
  const bool replaced = at > 0;
  out += text.substr(at);
  if (!replaced) {
    return out;
  }
  const std::size_t first = out.find_first_not_of("-_.");
  const std::size_t last = out.find_last_not_of("-_.");
  return first == out.npos ? "" : out.substr(first, last - first + 1);
}

class Resolver {
 public:
  explicit Resolver(json::Value root) {
    for (const NamedValue& one : MembersOf(Member(root, "Parameters"))) {
      const std::string value = TextOf(one.value, "Default");
      if (!value.empty()) {
        names_[one.name] = value;
      }
    }
  }

  void Append(json::Value value, std::string& out) const {
    if (value.type() == json::Type::kObject) {
      const auto fields = MembersOf(value);
      if (fields.size() == 1 && IsFunction(fields[0].name)) {
        AppendCall(fields[0].name, fields[0].value, out);
        return;
      }
      json::ObjectWriter object(out);
      for (const NamedValue& one : fields) {
        Append(one.value, object.Key(one.name));
      }
    } else if (value.type() == json::Type::kArray) {
      json::AppendArray(ElementsOf(value), out, [&](json::Value one) { Append(one, out); });
    } else if (value.type() == json::Type::kString) {
      // Serverless writes its variables into plain texts.
      json::AppendString(Substitute(value.string(), names_), out);
    } else {
      json::AppendCopy(value, out);
    }
  }

 private:
  static bool IsFunction(std::string_view name) {
    return name == "Ref" || name.starts_with("Fn::");
  }

  void AppendCall(std::string_view function, json::Value given, std::string& out) const {
    if (function == "Fn::If" || function == "Fn::Select") {
      const std::vector<json::Value> parts = ElementsOf(given);
      if (function == "Fn::If" && parts.size() == 3) {
        return Append(parts[1], out);
      }
      const std::vector<json::Value> list =
          parts.size() == 2 ? ElementsOf(parts[1]) : std::vector<json::Value>();
      const auto index = parts.empty() ? std::nullopt : ParseInteger<std::size_t>(TextOf(parts[0]));
      if (index && *index < list.size()) {
        return Append(list[*index], out);
      }
    }
    const auto text = TextOfCall(function, given);
    if (text) {
      json::AppendString(*text, out);
    } else {
      out += "null";
    }
  }

  // Nullopt: not known.
  std::optional<std::string> TextOfCall(std::string_view function, json::Value given) const {
    const std::vector<json::Value> parts = ElementsOf(given);
    if (function == "Ref") {
      const auto known = names_.find(TextOf(given));
      return known == names_.end() ? std::nullopt : std::optional(known->second);
    }
    if (function == "Fn::Sub" && !parts.empty()) {
      Names names = names_;
      for (const NamedValue& one :
           MembersOf(parts.size() > 1 ? std::optional(parts[1]) : std::nullopt)) {
        names[one.name] = TextOfAny(one.value).value_or("");
      }
      return Substitute(TextOf(parts[0]), names);
    }
    if (function == "Fn::Join" && parts.size() == 2) {
      std::string out;
      for (const json::Value one : ElementsOf(parts[1])) {
        const std::string text = TextOfAny(one).value_or("");
        if (text.empty()) {
          continue;
        }
        out += (out.empty() ? "" : TextOf(parts[0])) + text;
      }
      return out;
    }
    return std::nullopt;
  }

  std::optional<std::string> TextOfAny(json::Value value) const {
    const auto fields = MembersOf(value);
    if (fields.size() == 1 && IsFunction(fields[0].name)) {
      return TextOfCall(fields[0].name, fields[0].value);
    }
    return Substitute(TextOf(value), names_);
  }

  Names names_;
};

}  // namespace

std::string ResolveFunctions(json::Value root) {
  std::string out;
  Resolver(root).Append(root, out);
  return out;
}

}  // namespace prejoin::draft
