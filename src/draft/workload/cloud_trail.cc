// Events have the key of the item and the expressions, but never values of other attributes. An item's kind follows from its key, by the
// template that it fits best. A Query has only its expression: where several kinds of items share the collection, the log does not say
// which of them was asked for, and the request becomes a note.
#include "draft/workload/cloud_trail.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/parse_number.h"
#include "draft/infer/key_tokens.h"
#include "draft/json_fields.h"
#include "draft/names.h"
#include "draft/sql/statement_log.h"
#include "json/reader.h"
#include "model/syntax/figure_text.h"

namespace prejoin::draft {
namespace {

// A program sends few kinds of requests; a file with more of them is no log of one.
constexpr std::size_t kKindsMax = 2'000;

// "2024-01-31T18:05:05Z" in seconds; 0 if it is no such time.
std::int64_t SecondsOf(const std::string& time) {
  if (time.size() < 19 || TimeForm(time) != "time") {
    return 0;
  }
  const auto part = [&](std::size_t at, std::size_t size) {
    return ParseInteger<int>(std::string_view(time).substr(at, size)).value_or(0);
  };
  std::tm civil = {};
  civil.tm_year = part(0, 4) - 1900;
  civil.tm_mon = part(5, 2) - 1;
  civil.tm_mday = part(8, 2);
  civil.tm_hour = part(11, 2);
  civil.tm_min = part(14, 2);
  civil.tm_sec = part(17, 2);
  return timegm(&civil);
}

// How many letters of a template's literals the value has at their places; -1 if it does not fit.
int FitOf(std::string_view text, std::string_view value) {
  if (!text.starts_with('"')) {
    return 0;  // A bare attribute.
  }
  text = text.substr(1, text.size() - 2);
  int letters = 0;
  bool begins = true;
  while (true) {
    const std::size_t open = std::min(text.find('{'), text.size());
    const std::string_view literal = text.substr(0, open);
    const std::size_t at = open == text.size() && !begins ? value.rfind(literal) : value.find(literal);
    const bool placed = at != std::string_view::npos && (!begins || at == 0) &&
                        (open < text.size() || at + literal.size() == value.size());
    if (!placed) {
      return -1;
    }
    letters += static_cast<int>(literal.size());
    value.remove_prefix(at + literal.size());
    if (open == text.size()) {
      return letters;
    }
    text.remove_prefix(std::min(text.find('}', open), text.size() - 1) + 1);
    begins = false;
  }
}

// The attributes that an update expression names at the head of its actions.
std::vector<std::string> ChangedIn(std::string_view expression, std::optional<json::Value> names) {
  std::vector<std::string> changed;
  int depth = 0;
  bool head = false;
  for (std::size_t at = 0; at < expression.size();) {
    const std::size_t end = std::min(expression.find_first_of(" ,=()[].:\t\n", at), expression.size());
    const std::string word(expression.substr(at, end - at));
    const std::string upper = Uppered(word);
    if (depth == 0 && (upper == "SET" || upper == "REMOVE" || upper == "ADD" || upper == "DELETE")) {
      head = true;
    } else if (!word.empty() && head) {
      const std::string given = word.starts_with('#') ? TextOf(names, word) : word;
      if (!given.empty() && std::ranges::count(changed, given) == 0) {
        changed.push_back(given);
      }
      head = false;
    }
    if (end < expression.size()) {
      depth += expression[end] == '(' ? 1 : expression[end] == ')' ? -1 : 0;
      head = head || (expression[end] == ',' && depth == 0);
    }
    at = end + 1;
  }
  return changed;
}

struct Counted {
  DraftPattern pattern;  // With its first line only.
  double calls = 0;
};

class TrailReader {
 public:
  explicit TrailReader(Draft& draft) : draft_(draft) {}

  void Read(json::Value event) {
    if (TextOf(event, "eventSource") != "dynamodb.amazonaws.com") {
      return;
    }
    const std::string name = TextOf(event, "eventName");
    const auto parameters = Member(event, "requestParameters");
    if (!parameters || (TextOf(event, "eventCategory") == "Management")) {
      return;
    }
    ++events_;
    if (const std::int64_t time = SecondsOf(TextOf(event, "eventTime")); time > 0) {
      first_ = first_ == 0 ? time : std::min(first_, time);
      last_ = std::max(last_, time);
    }
    ReadRequest(name, *parameters);
  }

  double events() const { return events_; }

  void Finish(double seconds) {
    if (seconds <= 0) {
      seconds = last_ > first_ ? static_cast<double>(last_ - first_) : 0;
    }
    const auto rate = [&](double calls) {
      return seconds > 0 ? RateText(calls / seconds) : model::Counted(calls, "request");
    };
    for (DraftPattern& pattern : draft_.patterns) {
      const auto found = reads_.find(pattern.lines[0]);
      if (found == reads_.end()) {
        continue;
      }
      if (seconds > 0) {
        pattern.lines.push_back("rate " + rate(found->second));
      } else {
        pattern.notes.push_back("In the log: " + rate(found->second) + ".");
      }
      reads_.erase(found);
    }
    std::set<std::string> names;
    for (const DraftPattern& pattern : draft_.patterns) {
      names.insert(pattern.name);
    }
    for (auto& [line, counted] : writes_) {
      counted.pattern.name = UniqueName(counted.pattern.name, names);
      if (seconds > 0) {
        counted.pattern.lines.push_back("rate " + rate(counted.calls));
      } else {
        counted.pattern.notes.push_back("In the log: " + rate(counted.calls) + ".");
      }
      draft_.patterns.push_back(std::move(counted.pattern));
    }
    for (const auto& [what, calls] : notes_) {
      draft_.end_notes.push_back("In the log, " + rate(calls) + ": " + what + ".");
    }
    if (seconds > 0) {
      draft_.notes.push_back("Rates from " + model::Counted(events_, "event") + " of CloudTrail over " +
                             model::FigureText(seconds) + " s. Patterns without a rate were not asked for.");
    }
  }

 private:
  void ReadRequest(const std::string& name, json::Value parameters) {
    if (name == "Query") {
      return ReadQuery(parameters);
    }
    if (name == "Scan") {
      return Note("Scan of " + TableName(parameters));
    }
    if (name == "ExecuteStatement") {
      return Note(TextOf(parameters, "statement"));
    }
    if (name == "BatchGetItem" || name == "BatchWriteItem") {
      return ReadBatch(name, parameters);
    }
    if (name == "TransactWriteItems" || name == "TransactGetItems") {
      for (const json::Value item : ElementsOf(Member(parameters, "transactItems"))) {
        for (const NamedValue& action : MembersOf(item)) {
          ReadOne(Lowered(action.name) + "item", action.value);
        }
      }
      return;
    }
    ReadOne(Lowered(name), parameters);
  }

  void ReadBatch(const std::string& name, json::Value parameters) {
    for (const NamedValue& table : MembersOf(Member(parameters, "requestItems"))) {
      for (const json::Value key : ElementsOf(Member(table.value, "keys"))) {
        ReadKey("getitem", table.name, key, parameters);
      }
      for (const json::Value write : ElementsOf(table.value)) {
        for (const NamedValue& action : MembersOf(write)) {
          const bool put = action.name == "putRequest";
          ReadKey(put ? "putitem" : "deleteitem", table.name, Member(action.value, "key"), parameters);
        }
      }
    }
    if (!Member(parameters, "requestItems")) {
      Note(name + " that does not say of which items");
    }
  }

  void ReadOne(const std::string& name, json::Value parameters) {
    ReadKey(name, TableName(parameters), Member(parameters, "key"), parameters);
  }

  // By its ARN or its name.
  static std::string TableName(json::Value parameters) {
    const std::string name = TextOf(parameters, "tableName");
    const std::size_t arn = name.rfind("table/");
    return arn == std::string::npos ? name : name.substr(arn + 6);
  }

  void Note(const std::string& what) {
    if (notes_.size() < kKindsMax || notes_.contains(what)) {
      ++notes_[what];
    }
  }

  const DraftTable* TableNamed(const std::string& name) {
    const auto found = std::ranges::find(draft_.tables, ToName(name), &DraftTable::name);
    if (found != draft_.tables.end()) {
      return &*found;
    }
    Note("requests on the table " + name + ", which is not in the file");
    return nullptr;
  }

  // The kind of item with this key; null if the key does not say.
  const DraftItem* ItemWithKey(const DraftTable& table, std::optional<json::Value> key) const {
    const Item given = key && key->type() == json::Type::kObject ? ReadLooseItem(*key) : Item();
    const DraftItem* best = nullptr;
    int best_fit = -1;
    for (const DraftItem& item : table.items) {
      int fit = 0;
      for (const std::string& name : {table.partition, table.sort}) {
        const AttributeValue* value = given.Find(name);
        const auto text = value != nullptr ? KeyText(*value) : std::nullopt;
        const auto layout = std::ranges::find(item.keys, name, &std::pair<std::string, std::string>::first);
        const int part = !text || layout == item.keys.end() ? 0 : FitOf(layout->second, *text);
        fit = part < 0 || fit < 0 ? -1 : fit + part;
      }
      if (fit > best_fit) {
        best = &item;
        best_fit = fit;
      }
    }
    return table.items.size() == 1 || best_fit > 0 ? best : nullptr;
  }

  void ReadKey(const std::string& name, const std::string& table_name,
               std::optional<json::Value> key, json::Value parameters) {
    const DraftTable* table = TableNamed(table_name);
    if (table == nullptr) {
      return;
    }
    const DraftItem* item = ItemWithKey(*table, key);
    if (item == nullptr) {
      return Note(name + " on " + table->name + " with a key that fits no item");
    }
    if (name == "getitem") {
      return CountRead(item->entity, "By its key");
    }
    if (name == "putitem") {
      return CountWrite("Put" + item->entity, "put " + item->entity);
    }
    if (name == "deleteitem") {
      return CountWrite("Delete" + item->entity, "delete " + item->entity);
    }
    if (name == "updateitem") {
      return ReadUpdate(*item, parameters);
    }
    Note(name + " on " + table->name);
  }

  void ReadUpdate(const DraftItem& item, json::Value parameters) {
    DraftEntity* entity = draft_.FindEntity(item.entity);
    std::string set;
    for (const std::string& given : ChangedIn(TextOf(parameters, "updateExpression"),
                                              Member(parameters, "expressionAttributeNames"))) {
      const std::string name = ToName(given);
      const bool is_key = std::ranges::any_of(item.keys, [&](const auto& one) { return one.first == name; });
      DraftAttribute* attribute = entity->Find(name);
      if (is_key || (attribute != nullptr && attribute->key)) {
        continue;
      }
      if (attribute == nullptr) {
        DraftAttribute added;
        added.name = name;
        added.optional = true;
        added.note = "in the log; its type is not known";
        entity->attributes.push_back(std::move(added));
      }
      set += (set.empty() ? "" : ", ") + name;
    }
    set.empty() ? Note("UpdateItem of " + item.entity + " that does not say what it changes")
                : CountWrite("Update" + item.entity, "update " + item.entity + " set " + set);
  }

  void ReadQuery(json::Value parameters) {
    const DraftTable* table = TableNamed(TableName(parameters));
    if (table == nullptr) {
      return;
    }
    const std::string index = TextOf(parameters, "indexName");
    std::string partition = table->partition;
    for (const DraftIndex& one : table->indexes) {
      if (one.name == ToName(index) && !index.empty()) {
        partition = one.partition[0];
      }
    }
    std::set<std::string> entities;
    for (const DraftPattern& pattern : draft_.patterns) {
      if (pattern.title == "By " + partition) {
        entities.insert(EntityOf(pattern));
      }
    }
    std::erase_if(entities, [&](const std::string& entity) {
      return std::ranges::none_of(table->items, [&](const DraftItem& one) { return one.entity == entity; });
    });
    if (entities.size() == 1) {
      return CountRead(*entities.begin(), "By " + partition);
    }
    // A table without a sort key has no pattern by its partition key but the one by its key.
    if (index.empty() && table->items.size() == 1) {
      return CountRead(table->items[0].entity, "By its key");
    }
    Note("Query of " + table->name + (index.empty() ? "" : "." + index) + " by " +
         TextOf(parameters, "keyConditionExpression") + "; the log does not say of which entity");
  }

  // "find Order where …" → "Order".
  static std::string EntityOf(const DraftPattern& pattern) {
    const std::string& line = pattern.lines[0];
    return line.starts_with("find ") ? line.substr(5, line.find(' ', 5) - 5) : "";
  }

  void CountRead(const std::string& entity, const std::string& title) {
    for (const DraftPattern& pattern : draft_.patterns) {
      if (!pattern.is_write && pattern.title == title && EntityOf(pattern) == entity) {
        ++reads_[pattern.lines[0]];
        return;
      }
    }
    Note("reads of " + entity + " " + Lowered(title));
  }

  void CountWrite(const std::string& name, const std::string& line) {
    if (writes_.size() >= kKindsMax && !writes_.contains(line)) {
      return Note("more kinds of writes");
    }
    Counted& counted = writes_[line];
    counted.pattern.name = name;
    counted.pattern.lines = {line};
    counted.pattern.is_write = true;
    ++counted.calls;
  }

  Draft& draft_;
  double events_ = 0;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::map<std::string, double> reads_;    // By the line of the pattern.
  std::map<std::string, Counted> writes_;  // By the line of the write.
  std::map<std::string, double> notes_;
};

}  // namespace

bool LooksLikeCloudTrail(std::string_view log) {
  return log.find("\"eventSource\"") != std::string_view::npos &&
         log.find("\"eventName\"") != std::string_view::npos;
}

Status AddCloudTrail(std::string_view log, double seconds, Draft& draft) {
  if (draft.tables.empty()) {
    return ValidationError(
        "CloudTrail's events name tables of DynamoDB: give their definitions, such as a template or "
        "aws dynamodb describe-table, not a schema of another database");
  }
  TrailReader reader(draft);
  bool whole_file = false;
  if (const auto whole = json::Document::Parse(log)) {
    whole_file = true;
    const auto records = Member(whole->root(), "Records");
    const bool single = !records && whole->root().type() == json::Type::kObject;
    if (single) {
      reader.Read(whole->root());
    }
    for (const json::Value event : ElementsOf(records ? records : std::optional(whole->root()))) {
      reader.Read(event);
    }
  }
  for (std::size_t at = 0; !whole_file && at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    if (const auto line = json::Document::Parse(log.substr(at, end - at))) {
      reader.Read(line->root());
    }
    at = end + 1;
  }
  if (reader.events() == 0) {
    return ValidationError("the log has no data events of DynamoDB; a trail records them when data events are enabled for the table");
  }
  reader.Finish(seconds);
  return {};
}

}  // namespace prejoin::draft
