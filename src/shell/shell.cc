#include "shell/shell.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

#include "client/answer_json.h"
#include "json/attribute_value.h"
#include "json/plain_value.h"
#include "json/writer.h"
#include "model/plan/explain.h"
#include "model/plan/parameters.h"
#include "model/plan/planner.h"
#include "model/prove/run_plan.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/spelling.h"
#include "shell/words.h"

namespace prejoin::shell {
namespace {

constexpr std::size_t kColumnsMax = 30;
constexpr std::size_t kAttributesMax = 500;
constexpr std::size_t kStepMax = 1000;

constexpr std::string_view kHelp =
    R"(PartiQL ends with a semicolon:  SELECT * FROM "Music" WHERE "Artist" = 'Ada';
\d [TABLE]            tables, or the keys and indexes of one
\call OPERATION JSON  an operation of the API, such as \call GetItem {"TableName": …}
\explain WHAT         how a statement, or a pattern of the model, is served
\run PATTERN a=b …    a pattern of the model, with its parameters
\patterns, \entities  what the model has
\x, \format NAME      one attribute on each line; table, expanded, json, csv or markdown
\timing               how long each statement takes
\watch [SECONDS [N]]  the last statement again, every 2 seconds unless you say otherwise
\help, \q             this text; ends the shell (help, exit and quit alone on a line do so too)
)";

// The first word, which is removed from the text.
std::string TakeWord(std::string& text) {
  const std::string trimmed(Trim(text));
  const std::size_t end = std::min(trimmed.find_first_of(" \t\n"), trimmed.size());
  text = std::string(Trim(std::string_view(trimmed).substr(end)));
  return trimmed.substr(0, end);
}

// The same for `name=value`, where blanks inside quotes belong to the value.
std::string TakeArgument(std::string& text) {
  char quote = '\0';
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      break;
    }
  }
  const std::string argument = text.substr(0, end);
  text = std::string(Trim(std::string_view(text).substr(end)));
  return argument;
}

std::string Member(std::string_view name, const std::string& value) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String(name, value);
  }
  return out;
}

// The table behind FROM, INTO or UPDATE, without its quotes.
std::string TableIn(const std::string& statement) {
  const std::string lower = LowerCase(statement);
  for (const char* word : {"from ", "into ", "update "}) {
    const std::size_t at = lower.find(word);
    if (at == std::string::npos) {
      continue;
    }
    std::string rest = statement.substr(at + std::string_view(word).size());
    rest = std::string(Trim(rest));
    if (rest.starts_with('"')) {
      return rest.substr(1, rest.find('"', 1) - 1);
    }
    return rest.substr(0, rest.find_first_of(" \t\n.;"));
  }
  return "";
}

// Words that people type before they know about the backslash. No statement is one word.
std::optional<std::string> CommandByWord(std::string_view text) {
  while (!text.empty() && (text.back() == ';' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
  }
  const std::string word = LowerCase(std::string(text));
  if (word == "help" || word == "?") {
    return "\\help";
  }
  if (word == "exit" || word == "quit") {
    return "\\q";
  }
  if (word == "tables") {
    return "\\d";
  }
  return std::nullopt;
}

// The beginning of a statement, for a message about it.
std::string Beginning(const std::string& statement) {
  constexpr std::size_t kShown = 60;
  if (statement.size() <= kShown) {
    return statement;
  }
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(statement[end]) & 0xC0) == 0x80) {
    --end;
  }
  return statement.substr(0, end) + "…";
}

// A value as people write it, of the type that the parameter is compared with.
AttributeValue ArgumentValue(const std::string& text, model::AttributeType type) {
  if (model::IsNumber(type)) {
    const auto number = Number::Parse(text);
    if (number) {
      return AttributeValue(*number);
    }
  }
  if (model::IsBool(type)) {
    return AttributeValue(text == "true");
  }
  if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0]) {
    return AttributeValue(text.substr(1, text.size() - 2));
  }
  return AttributeValue(text);
}

}  // namespace

bool IsCommand(std::string_view line) { return Trim(line).starts_with("\\"); }

std::optional<std::string> TakeStatement(std::string& text) {
  text = std::string(Trim(text));
  if (const auto command = CommandByWord(text)) {
    text.clear();
    return command;
  }
  if (text.starts_with("\\")) {
    std::string command = std::exchange(text, "");
    while (!command.empty() && command.back() == ';') {
      command.pop_back();
    }
    return command;
  }
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ';') {
      std::string statement(Trim(std::string_view(text).substr(0, i)));
      text = std::string(Trim(std::string_view(text).substr(i + 1)));
      return statement;
    }
  }
  return std::nullopt;
}

bool Shell::Run(const std::string& text) {
  running_ = text;
  if (text == "\\q" || text == "\\quit") {
    return false;
  }
  const auto begin = std::chrono::steady_clock::now();
  if (text.starts_with("\\")) {
    RunCommand(text.substr(1));
  } else if (!text.empty()) {
    last_ = text;
    RunStatement(text);
  }
  if (timing_ && (!text.starts_with("\\") || text.starts_with("\\run"))) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    settings_.print("Time: " + model::FigureText(took.count()) + " ms\n");
  }
  return true;
}

void Shell::Refuse(const std::string& message) {
  failed_ = true;
  settings_.print_error("error: " + message + "\n");
}

void Shell::Fail(const Error& error) {
  if (settings_.interrupted()) {
    return settings_.print("interrupted\n");
  }
  // In a script nobody sees which statement the message is about.
  const std::string about =
      settings_.piped && !running_.empty() ? " (in: " + Beginning(running_) + ")" : "";
  Refuse(error.message + about);
  if (const std::string place = MarkedPlace(running_, error.message); !place.empty()) {
    settings_.print_error(place);
  }
}

void Shell::Draw(const std::vector<Item>& items, const std::vector<std::string>& keys) {
  settings_.print(PrintRows(items, format_, {kColumnsMax, settings_.width, keys}));
}

void Shell::LearnAttributes(const std::vector<Item>& items) {
  for (const Item& item : items) {
    for (const auto& [name, value] : item) {
      if (attributes_.size() < kAttributesMax &&
          std::find(attributes_.begin(), attributes_.end(), name) == attributes_.end()) {
        attributes_.push_back(name);
      }
    }
  }
}

void Shell::PrintTally(std::size_t rows, const std::string& cost, std::string_view ending) {
  if (!IsForPeople(format_)) {
    return;
  }
  settings_.print(model::Counted(static_cast<double>(rows), "row") + ", " + cost +
                  std::string(ending) + "\n");
}

Result<Shell::Page> Shell::NextPage(const std::string& statement, const std::string& token,
                                    std::size_t limit) {
  std::string body;
  {
    json::ObjectWriter object(body);
    object.String("Statement", statement);
    object.String("ReturnConsumedCapacity", "TOTAL");
    if (LowerCase(statement).starts_with("select")) {
      object.Integer("Limit", static_cast<std::int64_t>(limit));
    }
    if (!token.empty()) {
      object.String("NextToken", token);
    }
  }
  PJ_ASSIGN_OR_RETURN(const std::string answer, settings_.call("ExecuteStatement", body));
  const auto document = json::Document::Parse(answer);
  if (!document) {
    return ValidationError("the answer is not JSON");
  }
  Page page;
  page.units = client::ConsumedUnits(document->root());
  if (const auto next = document->root().Find("NextToken"); next && !next->is_null()) {
    page.next_token = std::string(next->string());
  }
  const auto items = document->root().Find("Items");
  if (items && items->type() == json::Type::kArray) {
    for (const json::Value value : items->elements()) {
      PJ_ASSIGN_OR_RETURN(Item item, json::ReadItem(value));
      page.items.push_back(std::move(item));
    }
  }
  return page;
}

// A screen is shown when it is full or when the answer ends: a filter may bring few rows in many pages, and
// nobody wants to be asked for each of those.
void Shell::RunStatement(const std::string& statement) {
  std::vector<Item> screen;
  std::string token;
  std::size_t rows = 0;
  std::size_t limit = settings_.page_rows;
  double units = 0;
  std::string_view ending;
  const bool whole = NeedsAllRows(format_);
  const std::vector<std::string> keys =
      format_ == OutputFormat::kJson ? std::vector<std::string>() : KeysIn(statement);
  do {
    auto page = NextPage(statement, token, limit);
    if (settings_.interrupted()) {
      ending = "; interrupted";
      break;
    }
    if (!page) {
      return Fail(page.error());
    }
    LearnAttributes(page->items);
    units += page->units;
    token = page->next_token;
    // Falls back to larger steps where nothing fits.
    limit = page->items.empty() ? std::min(limit * 2, kStepMax) : settings_.page_rows;
    for (std::size_t i = 0; i < page->items.size() && ending.empty(); ++i) {
      screen.push_back(std::move(page->items[i]));
      ++rows;
      const bool is_last = i + 1 == page->items.size() && token.empty();
      if (screen.size() < settings_.page_rows || is_last || whole) {
        continue;
      }
      Draw(screen, keys);
      screen.clear();
      if (!settings_.more()) {
        ending = "; there is more";
      }
    }
  } while (!token.empty() && ending.empty());
  Draw(screen, keys);
  PrintTally(rows, model::Counted(units, "unit"), ending);
}

const std::vector<std::string>& Shell::Tables() {
  if (tables_) {
    return *tables_;
  }
  tables_.emplace();
  const auto answer = settings_.call("ListTables", "{}");
  const auto document = answer ? json::Document::Parse(*answer) : Result<json::Document>(Error{});
  const auto names = document ? document->root().Find("TableNames") : std::nullopt;
  if (names && names->type() == json::Type::kArray) {
    for (const json::Value name : names->elements()) {
      tables_->emplace_back(name.string());
    }
  }
  return *tables_;
}

std::vector<std::string> Shell::KeysOf(const std::string& table) {
  std::vector<std::string> keys;
  const auto answer = settings_.call("DescribeTable", Member("TableName", table));
  const auto document = answer ? json::Document::Parse(*answer) : Result<json::Document>(Error{});
  const auto described = document ? document->root().Find("Table") : std::nullopt;
  const auto schema = described ? described->Find("KeySchema") : std::nullopt;
  if (!schema || schema->type() != json::Type::kArray) {
    return keys;
  }
  for (const json::Value key : schema->elements()) {
    const auto name = key.Find("AttributeName");
    if (name && name->type() == json::Type::kString) {
      keys.emplace_back(name->string());
    }
  }
  return keys;
}

// Keys are in front. They are asked once for each table.
const std::vector<std::string>& Shell::KeysIn(const std::string& statement) {
  const std::string table = TableIn(statement);
  const auto known = keys_.find(table);
  if (known != keys_.end()) {
    return known->second;
  }
  return keys_[table] = table.empty() ? std::vector<std::string>() : KeysOf(table);
}

void Shell::Describe(const std::string& table) {
  if (table.empty()) {
    tables_.reset();
    for (const std::string& name : Tables()) {
      settings_.print(name + "\n");
    }
    return;
  }
  const auto answer = settings_.call("DescribeTable", Member("TableName", table));
  if (!answer) {
    return Fail(answer.error());
  }
  const auto document = json::Document::Parse(*answer);
  const auto described = document ? document->root().Find("Table") : std::nullopt;
  if (!described) {
    return Fail(ValidationError("the answer has no table"));
  }
  const auto keys = [](json::Value owner) {
    std::string out;
    const auto schema = owner.Find("KeySchema");
    if (!schema || schema->type() != json::Type::kArray) {
      return out;
    }
    for (const json::Value key : schema->elements()) {
      const auto name = key.Find("AttributeName");
      const auto kind = key.Find("KeyType");
      if (name && kind) {
        out += (kind->string() == "HASH" ? " partition " : " sort ") + std::string(name->string());
      }
    }
    return out;
  };
  settings_.print(table + keys(*described) + "\n");
  for (const char* kind : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
    const auto indexes = described->Find(kind);
    if (!indexes || indexes->type() != json::Type::kArray) {
      continue;
    }
    for (const json::Value index : indexes->elements()) {
      const auto name = index.Find("IndexName");
      if (name) {
        settings_.print("  index " + std::string(name->string()) + keys(index) + "\n");
      }
    }
  }
}

void Shell::Explain(const std::string& what) {
  const model::Pattern* pattern =
      settings_.model != nullptr ? settings_.model->FindPattern(what) : nullptr;
  if (pattern != nullptr) {
    settings_.print(model::ExplainPattern(*settings_.model, *pattern) + "\n");
    return;
  }
  const std::string table = TableIn(what);
  const std::vector<std::string> keys = table.empty() ? std::vector<std::string>() : KeysOf(table);
  if (keys.empty()) {
    return Refuse("there is no pattern or table in this; \\patterns and \\d list them");
  }
  // DynamoDB's rule: an equality on the partition key makes a Query, anything else reads it all.
  const std::string where = what.substr(std::min(LowerCase(what).find("where"), what.size()));
  const auto given = [&](const std::string& key) {
    const std::size_t at = where.find(key);
    if (at == std::string::npos) {
      return false;
    }
    const std::size_t sign = where.find_first_not_of(" \"", at + key.size());
    return sign != std::string::npos &&
           (where[sign] == '=' || LowerCase(where.substr(sign, 3)) == "in ");
  };
  if (!given(keys[0])) {
    settings_.print("Scan of " + table + ": it reads every item, because the partition key " +
                    keys[0] + " is not given by = or IN\n");
  } else if (keys.size() > 1 && given(keys[1])) {
    settings_.print("GetItem on " + table + ": the whole key is given\n");
  } else {
    settings_.print("Query on " + table + ": " + keys[0] + " is given" +
                    (keys.size() > 1 ? "; a condition on " + keys[1] + " narrows it\n" : "\n"));
  }
}

void Shell::RunPattern(const std::string& arguments) {
  std::string rest = arguments;
  const std::string name = TakeWord(rest);
  if (settings_.model == nullptr) {
    return Refuse("patterns come from a model: prejoin shell --model FILE");
  }
  const model::Pattern* pattern = settings_.model->FindPattern(name);
  if (pattern == nullptr) {
    std::vector<std::string> names;
    for (const model::Pattern& one : settings_.model->patterns) {
      names.push_back(one.name.text);
    }
    return Refuse("there is no pattern `" + name + "`; " + model::SpellingHint(name, names));
  }
  std::map<std::string, std::string> given;
  while (!rest.empty()) {
    const std::string word = TakeArgument(rest);
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      return Refuse("parameters are written name=value");
    }
    given[word.substr(0, equals)] = word.substr(equals + 1);
  }
  model::Arguments values;
  for (const model::Parameter& parameter : model::ParametersOf(*settings_.model, *pattern)) {
    if (!given.contains(parameter.name)) {
      return Refuse("`" + name + "` needs " + parameter.name + "=…");
    }
    values[parameter.name] = ArgumentValue(given[parameter.name], parameter.type);
  }
  const model::Plan plan = model::PlanPattern(*settings_.model, *pattern);
  if (!plan.served) {
    return Refuse("not supported by any key: " + plan.refusal);
  }
  const auto run = model::RunPlan(*settings_.model, plan, values, *settings_.backend);
  if (!run) {
    return Fail(run.error());
  }
  std::size_t rows = 0;
  for (std::size_t i = 0; i < run->sections.size(); ++i) {
    const std::vector<model::Row>& section = run->sections[i];
    std::vector<std::string> keys;
    const model::Entity* entity =
        i < pattern->sections.size() ? &settings_.model->At(pattern->sections[i].entity) : nullptr;
    for (const model::Attribute& one : entity != nullptr ? entity->attributes
                                                         : std::vector<model::Attribute>()) {
      if (one.is_key) {
        keys.push_back(one.name.text);
      }
    }
    Draw(section, keys);
    rows += section.size();
  }
  PrintTally(
      rows,
      model::Counted(run->requests, "request") + ", " + model::Counted(run->read_units, "unit"),
      "");
}

void Shell::CallOperation(const std::string& arguments) {
  std::string body = arguments;
  const std::string operation = TakeWord(body);
  if (operation.empty()) {
    return Refuse("\\call OPERATION JSON");
  }
  const auto answer = settings_.call(operation, body.empty() ? "{}" : body);
  if (!answer) {
    return Fail(answer.error());
  }
  settings_.print(*answer + "\n");
}

void Shell::RunCommand(const std::string& text) {
  std::string rest = text;
  const std::string command = TakeWord(rest);
  if (command == "d" || command == "dt") {
    Describe(rest);
  } else if (command == "explain") {
    Explain(rest);
  } else if (command == "run") {
    last_ = "\\" + text;
    RunPattern(rest);
  } else if (command == "call") {
    CallOperation(rest);
  } else if (command == "patterns" || command == "entities") {
    if (settings_.model == nullptr) {
      return Refuse("they come from a model: prejoin shell --model FILE");
    }
    for (const model::Pattern& one : settings_.model->patterns) {
      if (command == "patterns") {
        settings_.print(one.name.text + "  " + one.title + "\n");
      }
    }
    for (const model::Entity& one : settings_.model->entities) {
      if (command == "entities") {
        settings_.print(one.name.text + "\n");
      }
    }
  } else if (!SetDisplay(command, rest)) {
    settings_.print(std::string(kHelp));
  }
}

}  // namespace prejoin::shell
