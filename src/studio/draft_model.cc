#include "studio/draft_model.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draft/draft.h"
#include "draft/foreign/read_foreign.h"
#include "draft/formats/formats.h"
#include "draft/infer/infer.h"
#include "draft/interview/interview.h"
#include "json/attribute_value.h"
#include "json/writer.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

// A text that may be missing.
Result<std::string> TextOrNone(const ApiRequest& request, std::string_view name) {
  return request.Find(name) ? request.Text(name) : Result<std::string>(std::string());
}

// The interview as a form: every question with the answer that the request has for it. An answer that cannot be read
// counts as none, and its question says why.
class InterviewForm {
 public:
  explicit InterviewForm(const json::Value& answers) : answers_(answers) {}

  draft::Respondent Respondent() {
    return {[this](const draft::Question& question) { return Ask(question); },
            [this](const std::string& heading) { heading_ = heading; },
            [this](const std::string& why) {
              questions_.back().trouble = why;
              again_ = true;
              return true;
            }};
  }

  void Print(std::string& out) const {
    json::AppendArray(questions_, out, [&](const Asked& one) {
      json::ObjectWriter object(out);
      object.String("key", one.key);
      object.String("heading", one.heading);
      object.String("text", one.text);
      object.String("otherwise", one.otherwise);
      object.String("answer", one.answer);
      if (!one.trouble.empty()) {
        object.String("trouble", one.trouble);
      }
    });
  }

 private:
  struct Asked {
    std::string key;
    std::string heading;
    std::string text;
    std::string otherwise;
    std::string answer;
    std::string trouble;
  };

  std::optional<std::string> Ask(const draft::Question& question) {
    if (std::exchange(again_, false)) {
      return "";
    }
    const std::string key = KeyOf(question.text);
    const auto given = answers_.Find(key);
    std::string answer = given ? std::string(given->string()) : "";
    questions_.push_back({key, heading_, question.text, question.otherwise, answer, {}});
    return answer;
  }

  // An indented question goes on with the one before. Questions that come again are numbered.
  std::string KeyOf(const std::string& text) {
    std::string key = text;
    if (text.starts_with(' ')) {
      key = begun_ + text;
    } else {
      begun_ = text;
    }
    const int times = ++times_[key];
    return times == 1 ? key : key + " #" + std::to_string(times);
  }

  const json::Value& answers_;
  std::vector<Asked> questions_;
  std::map<std::string, int> times_;
  std::string heading_;
  std::string begun_;
  bool again_ = false;
};

}  // namespace

Result<std::string> InferModel(const ApiRequest& request) {
  const auto description = request.Find("table");
  const auto items = request.Find("items");
  if (!description || description->type() != json::Type::kObject) {
    return Refuse(400, "`table` must be the description of a table");
  }
  if (!items || items->type() != json::Type::kArray) {
    return Refuse(400, "`items` must be an array of items");
  }
  draft::DraftTable table = draft::ReadTableKeys(*description).table;
  if (table.partition.empty()) {
    return Refuse(400, "the description of the table has no key");
  }
  const std::string name = table.name;
  draft::Inference inference(std::move(table), draft::InferSettings{});
  for (const json::Value one : items->elements()) {
    const auto item = json::ReadItem(one);
    if (!item) {
      return Refuse(400, "one of `items` is not an item: " + item.error().message);
    }
    inference.Add(*item);
  }
  if (inference.count() == 0) {
    return Refuse(400, "without items there is nothing to infer from");
  }
  const auto total = description->Find("ItemCount");
  const std::int64_t items_there =
      total && total->type() == json::Type::kInteger ? total->integer() : 0;
  const bool part = items_there > inference.count();
  if (part) {
    inference.SetTotal(items_there);
  }
  draft::Draft draft;
  draft.title = name;
  draft.notes.push_back(
      "Inferred from " + std::to_string(inference.count()) + " items of table " + name +
      (part ? ", which has " + std::to_string(items_there) + "; every count is scaled to those"
            : "") +
      ". Names of attributes that are only in keys are made up.");
  inference.Finish(draft);
  draft::CompleteInferred(draft);
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("source", draft::PrintDraft(draft));
    object.Integer("items", inference.count());
    object.Integer("entities", static_cast<std::int64_t>(draft.entities.size()));
    object.Integer("relationships", static_cast<std::int64_t>(draft.relationships.size()));
  }
  return answer;
}

Result<std::string> ImportModel(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const std::string text, request.Text("text"));
  PJ_ASSIGN_OR_RETURN(const std::string from, TextOrNone(request, "from"));
  PJ_ASSIGN_OR_RETURN(const std::string name, TextOrNone(request, "name"));
  PJ_ASSIGN_OR_RETURN(const std::string queries, TextOrNone(request, "queries"));
  PJ_ASSIGN_OR_RETURN(const auto seconds, request.Number("seconds"));
  if (seconds && !(*seconds > 0)) {
    return Refuse(400, "`seconds` must be a number above 0");
  }
  const auto format = draft::FormatOfName(from);
  if (!from.empty() && format == draft::ForeignFormat::kUnknown) {
    return Refuse(400, "`from` names no format that can be read");
  }
  const auto draft = draft::ReadForeign({.text = text,
                                         .name = name.empty() ? "Imported" : name,
                                         .format = format,
                                         .query_log = queries,
                                         .log_seconds = seconds.value_or(0)});
  if (!draft) {
    return Refuse(400, draft.error().message);
  }
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("source", draft::PrintDraft(*draft));
    object.Integer("entities", static_cast<std::int64_t>(draft->entities.size()));
    object.Integer("patterns", static_cast<std::int64_t>(draft->patterns.size()));
    object.Integer("tables", static_cast<std::int64_t>(draft->tables.size()));
    object.Integer("unreadTables", draft->unread_tables);
  }
  return answer;
}

Result<std::string> InterviewModel(const ApiRequest& request) {
  const auto answers = request.Find("answers");
  if (!answers || answers->type() != json::Type::kObject) {
    return Refuse(400, "`answers` must be an object of texts");
  }
  for (const json::Field one : answers->fields()) {
    if (one.value.type() != json::Type::kString) {
      return Refuse(400, "`answers` must be an object of texts");
    }
  }
  InterviewForm form(*answers);
  const auto draft = draft::HoldInterview(form.Respondent());
  std::string answer;
  {
    json::ObjectWriter object(answer);
    form.Print(object.Name("questions"));
    if (draft) {
      object.String("source", draft::PrintDraft(*draft));
    } else {
      object.String("trouble", draft.error().message);
    }
  }
  return answer;
}

}  // namespace prejoin::studio
