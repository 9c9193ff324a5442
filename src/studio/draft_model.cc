#include "studio/draft_model.h"

#include <utility>

#include "draft/draft.h"
#include "draft/foreign/read_foreign.h"
#include "draft/formats/formats.h"
#include "draft/infer/infer.h"
#include "json/attribute_value.h"
#include "json/writer.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

// A text that may be missing.
Result<std::string> TextOrNone(const ApiRequest& request, std::string_view name) {
  return request.Find(name) ? request.Text(name) : Result<std::string>(std::string());
}

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
  draft::Draft draft;
  draft.title = name;
  draft.notes.push_back("Inferred from " + std::to_string(inference.count()) + " items of table " +
                        name + ". Names of attributes that are only in keys are made up.");
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

}  // namespace prejoin::studio
