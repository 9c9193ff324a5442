#include "tests/reference/raw_answers.h"

namespace prejoin::reference {
namespace {

// Behind the JSON value that begins at `at`.
std::size_t EndOfValue(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      at += c == '\\' ? 1 : 0;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth-- == 0) {
        return at;
      }
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return at;
}

}  // namespace

std::vector<std::string> PartsOf(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 1; at + 1 < text.size();) {
    const std::size_t end = EndOfValue(text, at);
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string Member(const std::string& object, const std::string& name) {
  const std::string start = "\"" + name + "\":";
  for (const std::string& part : PartsOf(object)) {
    if (part.starts_with(start)) {
      return part.substr(start.size());
    }
  }
  return "";
}

std::string ErrorOf(const wire::Answer& answer) {
  if (answer.status == 200) {
    return "";
  }
  const std::string type = Member(answer.body, "__type");
  const std::size_t hash = type.find('#');
  return type.substr(hash + 1, type.size() - hash - 2);
}

void AddCapacity(const std::string& capacity, std::map<std::string, double>& totals) {
  if (capacity.starts_with("[")) {
    for (const std::string& one : PartsOf(capacity)) {
      AddCapacity(one, totals);
    }
  } else if (!capacity.empty()) {
    totals[Member(capacity, "TableName")] += std::stod(Member(capacity, "CapacityUnits"));
  }
}

}  // namespace prejoin::reference
