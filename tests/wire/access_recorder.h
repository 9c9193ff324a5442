// Notes what the engine and the wire ask before they do anything.
#ifndef PREJOIN_TESTS_WIRE_ACCESS_RECORDER_H_
#define PREJOIN_TESTS_WIRE_ACCESS_RECORDER_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/access.h"
#include "engine/table/table.h"

namespace prejoin::wire {

inline std::string Joined(std::span<const std::string> texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? "" : ",") + text;
  }
  return out;
}

// Notes every question, and gives one answer to all.
class Recorder : public engine::AccessControl {
 public:
  void Begin(engine::RequestTerms terms) override {
    operation = terms.operation;
    tags = terms.tags;
    tag_keys = terms.tag_keys;
    asked.clear();
    refusals.clear();
  }
  Status CheckItems(const engine::ItemAccess& access) override {
    static constexpr const char* kNames[] = {"get",    "query",  "scan",  "put",
                                             "update", "delete", "check", "search"};
    std::string text = kNames[static_cast<int>(access.action)];
    text += " " + access.table.name();
    if (!access.index_name.empty()) {
      text += "." + std::string(access.index_name);
    }
    text += " keys=" + Joined(access.leading_keys) + " attributes=" + Joined(access.attributes);
    if (!access.select.empty()) {
      text += " " + std::string(access.select);
    }
    if (!access.return_values.empty() && access.return_values != "NONE") {
      text += " " + std::string(access.return_values);
    }
    asked.push_back(std::move(text));
    return Answer();
  }
  Status CheckResource(std::string_view action, const std::string& arn) override {
    asked.push_back(std::string(action) + " " + arn);
    return Answer();
  }
  Status CheckPolicyDocument(std::string_view document) override {
    asked.push_back("policy " + std::string(document));
    return Answer();
  }
  Error Refusal(engine::ItemAction, const std::string& table, Error error) override {
    refusals.push_back(table);
    return allows ? error : Answer().error();
  }
  Status Answer() const {
    return allows ? Status() : Status(Error{ErrorCode::kAccessDenied, "no"});
  }

  bool allows = true;
  std::string operation;
  std::map<std::string, std::string> tags;
  std::vector<std::string> tag_keys;
  std::vector<std::string> asked;
  std::vector<std::string> refusals;
};

}  // namespace prejoin::wire

#endif  // PREJOIN_TESTS_WIRE_ACCESS_RECORDER_H_
