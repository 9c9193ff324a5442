#include "draft/interview/answers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "base/parse_number.h"
#include "draft/names.h"
#include "model/schema/figure_limits.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kAttributesMax = 60;
constexpr double kRateLeast = 0.001;

std::string_view Stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Not inside brackets: `decimal(10, 2)` is one word.
std::vector<std::string> SplitAt(std::string_view text, char divider) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : divider;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (at < text.size() && (c != divider || depth > 0)) {
      continue;
    }
    if (const std::string_view part = Stripped(text.substr(begin, at - begin)); !part.empty()) {
      parts.emplace_back(part);
    }
    begin = at + 1;
  }
  return parts;
}

std::string Quote(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string AttributeNames(const DraftEntity& entity) {
  std::string out;
  for (const DraftAttribute& one : entity.attributes) {
    out += (out.empty() ? "" : ", ") + one.name;
  }
  return out;
}

bool IsNone(std::string_view text) {
  const std::string lower = Lowered(Stripped(text));
  return lower == "no" || lower == "none" || lower == "nothing" || lower == "never" ||
         lower == "any" || lower == "-";
}

// True if the last word of a name is one of these: the price of unitPrice and unit_price, but not the age of language.
bool EndsLike(const std::string& name, std::initializer_list<std::string_view> words) {
  const std::string lower = Lowered(name);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (!lower.ends_with(word)) {
      return false;
    }
    const std::size_t at = lower.size() - word.size();
    return at == 0 || name[at] != lower[at] || name[at - 1] == '_' || name[at - 1] == '-';
  });
}

// The usual meaning of a name; everything can be said instead.
void GuessType(DraftAttribute& attribute) {
  const std::string& name = attribute.name;
  attribute.type = "text";
  if (EndsLike(name, {"at", "time", "timestamp"})) {
    attribute.type = "time";
  } else if (EndsLike(name, {"on", "date", "born", "birthday", "since", "until", "day"})) {
    attribute.type = "date";
  } else if (EndsLike(name, {"price", "amount", "total", "quantity", "score", "points", "year",
                             "age", "pieces", "seats", "weight", "balance", "cost", "stars"})) {
    attribute.type = "number";
  } else if (name.starts_with("is") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z') {
    attribute.type = "bool";
  }
  if (attribute.type == "number") {
    attribute.size = 5;
  }
  if (attribute.type != "text") {
    return;
  }
  attribute.size = EndsLike(name, {"id", "code", "sku"})                                    ? 8
                   : EndsLike(name, {"description", "text", "body", "content", "bio"})      ? 400
                   : EndsLike(name, {"note", "notes", "comment", "message", "summary"})     ? 100
                   : EndsLike(name, {"status", "state", "kind", "type", "role", "country"}) ? 8
                                                                                            : 20;
}

// The type that a word means, in the model's words or in SQL's and those of programs: `varchar(20)` is text. Empty: it is no type.
std::string_view TypeOf(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"text", "text"},       {"string", "text"},     {"varchar", "text"},     {"nvarchar", "text"},
      {"char", "text"},       {"uuid", "text"},       {"ulid", "text"},        {"number", "number"},
      {"integer", "number"},  {"int", "number"},      {"bigint", "number"},    {"smallint", "number"},
      {"float", "number"},    {"double", "number"},   {"decimal", "number"},   {"numeric", "number"},
      {"real", "number"},     {"bool", "bool"},       {"boolean", "bool"},     {"date", "date"},
      {"time", "time"},       {"timestamp", "time"},  {"timestamptz", "time"}, {"datetime", "time"},
      {"list", "list"},       {"array", "list"},      {"map", "map"},          {"json", "map"},
      {"jsonb", "map"},       {"object", "map"}};
  const std::string_view bare = word.substr(0, word.find('('));
  const auto* found = std::ranges::find(kTypes, bare, &std::pair<std::string_view, std::string_view>::first);
  return found != std::end(kTypes) ? found->second : std::string_view();
}

Result<DraftAttribute> ReadAttribute(const std::string& text) {
  std::string name;
  DraftAttribute attribute;
  std::string type;
  for (const std::string& word : SplitAt(text, ' ')) {
    const std::string lower = Lowered(word);
    if (!name.empty() && lower == "unique") {
      attribute.unique = true;
    } else if (!name.empty() && lower == "optional") {
      attribute.optional = true;
    } else if (!name.empty() && type.empty() && !TypeOf(lower).empty()) {
      type = TypeOf(lower);
    } else if (type.empty()) {
      name += (name.empty() ? "" : " ") + word;
    } else {
      return ValidationError(Quote(word) + " follows the type of " + Quote(name) +
                             ", but only `unique` and `optional` can");
    }
  }
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') {
    return ValidationError(Quote(name) + " begins with a digit, and a name cannot; write " +
                           Quote(ToAttributeName(name)) + " or another name");
  }
  // As it was written if it can stand so: customer_id stays what it is.
  attribute.name = IsName(name) ? name : ToAttributeName(name);
  if (Lowered(attribute.name) == "count") {
    return ValidationError(
        "`count` is a word of the model language; choose another name for the attribute, such as "
        "`pieces`");
  }
  GuessType(attribute);
  if (!type.empty() && type != attribute.type) {
    attribute.type = type;
    attribute.size = type == "text" ? 20 : type == "number" ? 5 : 0;
  }
  return attribute;
}

Result<std::vector<DraftAttribute>> ReadAttributeList(std::string_view text) {
  std::vector<DraftAttribute> all;
  std::set<std::string> names;
  for (const std::string& part : SplitAt(text, ',')) {
    PJ_ASSIGN_OR_RETURN(DraftAttribute attribute, ReadAttribute(part));
    if (!names.insert(attribute.name).second) {
      return ValidationError(Quote(attribute.name) + " is listed twice");
    }
    all.push_back(std::move(attribute));
    if (all.size() > kAttributesMax) {
      return ValidationError("too many attributes");
    }
  }
  return all;
}

// "pets" → "pet", "boxes" → "box", "cities" → "city"; all that it could be the plural of, itself first.
std::vector<std::string> Singulars(const std::string& name) {
  std::vector<std::string> all = {name};
  if (name.ends_with("ies")) {
    all.push_back(name.substr(0, name.size() - 3) + "y");
  }
  if (name.ends_with("es")) {
    all.push_back(name.substr(0, name.size() - 2));
  }
  if (name.ends_with("s")) {
    all.push_back(name.substr(0, name.size() - 1));
  }
  all.push_back(Singular(name));
  return all;
}

Result<std::string> FindAttribute(std::string_view name, const DraftEntity& entity) {
  for (const DraftAttribute& one : entity.attributes) {
    if (Lowered(one.name) == Lowered(name) || one.name == ToAttributeName(name)) {
      return one.name;
    }
  }
  return ValidationError(Quote(name) + " is not an attribute of " + entity.name + "; it has " +
                         AttributeNames(entity));
}

// "status and city 5/s".
Result<LookupAnswer> ReadLookup(const std::string& text, const DraftEntity& entity) {
  LookupAnswer lookup;
  lookup.rate = "1/s";
  std::string names = text;
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const std::size_t begin = text.find_last_of(' ', slash);
    if (begin == std::string::npos) {
      return ValidationError(Quote(text) +
                             ": write an attribute before the rate, such as `email 2/s`");
    }
    PJ_ASSIGN_OR_RETURN(lookup.rate, ReadRate(text.substr(begin + 1)));
    names = text.substr(0, begin);
  }
  std::size_t at = 0;
  while (at <= names.size()) {
    const std::size_t end = std::min(names.find(" and ", at), names.size());
    PJ_ASSIGN_OR_RETURN(std::string name,
                        FindAttribute(Stripped(names.substr(at, end - at)), entity));
    lookup.attributes.push_back(std::move(name));
    at = end + 5;
  }
  return lookup;
}

struct Phrase {
  std::string_view words;
  std::string_view kind;
  bool turned = false;
};
constexpr std::array<Phrase, 7> kPhrases = {{{" has many ", "one-to-many"},
                                             {" have many ", "one-to-many"},
                                             {" has one ", "one-to-one"},
                                             {" belongs to ", "one-to-many", true},
                                             {" one-to-many ", "one-to-many"},
                                             {" many-to-many ", "many-to-many"},
                                             {" one-to-one ", "one-to-one"}}};

}  // namespace

Result<ThingAnswer> ReadThing(std::string_view line) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = Stripped(line.substr(0, colon));
  if (name.empty() || name.find(',') != std::string_view::npos) {
    return ValidationError("write a name and its attributes, such as `Pet: id, name, born date`");
  }
  ThingAnswer thing;
  // "bike stations" is about a BikeStation; a capital says that the name is meant as it stands.
  const bool plain = name[0] >= 'a' && name[0] <= 'z';
  thing.name = ToEntityName(plain ? Singular(std::string(name)) : std::string(name));
  if (!IsName(thing.name)) {
    return ValidationError(Quote(name) + " is not a valid name");
  }
  PJ_ASSIGN_OR_RETURN(thing.attributes,
                      ReadAttributeList(line.substr(std::min(colon + 1, line.size()))));
  if (thing.attributes.empty()) {
    PJ_ASSIGN_OR_RETURN(thing.attributes, ReadAttributeList("id, name"));
  }
  DraftAttribute& key = thing.attributes[0];
  if (key.type == "list" || key.type == "map" || key.type == "bool") {
    return ValidationError("the first attribute is the key of a " + thing.name + ", and " +
                           Quote(key.name) + " cannot: it is a " + key.type);
  }
  key.key = true;
  key.unique = false;
  key.optional = false;
  return thing;
}

Result<RelationshipAnswer> ReadRelationship(std::string_view line) {
  RelationshipAnswer answer;
  std::string text(line);
  const std::size_t through = Lowered(text).find(" through ");
  if (through != std::string::npos) {
    const std::string link = text.substr(through + 9);
    const std::size_t colon = std::min(link.find(':'), link.size());
    answer.through = ToEntityName(Stripped(link.substr(0, colon)));
    PJ_ASSIGN_OR_RETURN(answer.link_attributes,
                        ReadAttributeList(link.substr(std::min(colon + 1, link.size()))));
    text = text.substr(0, through);
  }
  const std::string lower = Lowered(text);
  for (const Phrase& phrase : kPhrases) {
    const std::size_t at = lower.find(phrase.words);
    if (at == std::string::npos) {
      continue;
    }
    answer.kind = phrase.kind;
    answer.from = Stripped(text.substr(0, at));
    answer.to = Stripped(text.substr(at + phrase.words.size()));
    const std::string to = Lowered(answer.to);
    for (const std::string_view back : {" and back", " and vice versa", " both ways"}) {
      if (!to.ends_with(back)) {
        continue;
      }
      answer.kind = "many-to-many";
      answer.to.resize(answer.to.size() - back.size());
    }
    if (!answer.through.empty()) {
      answer.kind = "many-to-many";
    }
    if (phrase.turned) {
      std::swap(answer.from, answer.to);
    }
    if (!answer.from.empty() && !answer.to.empty()) {
      return answer;
    }
  }
  return ValidationError(
      "write a relationship as `Owner has many Pet`, `Person has one Passport` or `Student has "
      "many Course and back`");
}

namespace {

Result<double> ReadFigure(std::string_view text, double least) {
  std::string digits;
  for (const char c : Stripped(text)) {
    if (c != ',' && c != '_' && c != ' ' && c != '~') {
      digits += c;
    }
  }
  digits = Lowered(digits);
  double factor = 1;
  if (digits.ends_with('k')) {
    factor = 1e3;
  }
  if (digits.ends_with('m')) {
    factor = 1e6;
  }
  if (factor > 1) {
    digits.pop_back();
  }
  const auto value = ParseDecimal(digits);
  if (!value || !(*value * factor >= least && *value * factor <= model::kFigureMax)) {
    return ValidationError(Quote(text) + " is not a number; write 500, 20k or 2M");
  }
  return *value * factor;
}

}  // namespace

bool NamesAnIdentifier(const std::string& name) {
  return EndsLike(name, {"id", "uuid", "ulid", "code", "sku", "isbn", "key", "no", "number"});
}

Result<double> ReadCount(std::string_view text) { return ReadFigure(text, 1); }

Result<double> ReadRows(std::string_view text) {
  const std::string lower = Lowered(Stripped(text));
  if (lower == "unknown" || lower == "?") {
    return 0.0;
  }
  return ReadCount(text);
}

Result<HowManyAnswer> ReadHowMany(std::string_view text) {
  std::string lower = Lowered(text);
  HowManyAnswer answer;
  for (const std::string_view words : {"at most", "max", "up to"}) {
    const std::size_t at = lower.find(words);
    if (at == std::string::npos) {
      continue;
    }
    PJ_ASSIGN_OR_RETURN(answer.most, ReadCount(lower.substr(at + words.size())));
    lower = lower.substr(0, at);
    break;
  }
  const std::size_t unbounded = lower.find("unbounded");
  if (unbounded != std::string::npos) {
    lower = lower.substr(0, unbounded);
  }
  if (Stripped(lower).empty() && answer.most > 0) {
    answer.average = std::max(1.0, answer.most / 2);
    return answer;
  }
  std::string_view number = Stripped(lower);
  if (number.ends_with(',')) {
    number.remove_suffix(1);
  }
  PJ_ASSIGN_OR_RETURN(answer.average, ReadFigure(number, kAverageLeast));
  if (answer.most > 0 && answer.most < answer.average) {
    return ValidationError("about " + std::string(number) + " exceeds the maximum after `at most`");
  }
  return answer;
}

std::string ProposedHowMany(double average) {
  constexpr double kUsual = 10;
  constexpr double kMost = 1000;
  if (average <= 0) {
    average = kUsual;
  }
  // Two digits: the rows that they make still agree with the counts.
  const double unit = average < kUsual ? std::pow(10, std::floor(std::log10(average)) - 1) : 1;
  const double shown = std::max(std::round(average / unit) * unit, kAverageLeast);
  char text[80];
  std::snprintf(text, sizeof(text), "%.10g, at most %.0f", shown,
                std::max(kMost, std::ceil(10 * shown)));
  return text;
}

Result<std::string> ReadRate(std::string_view given) {
  if (IsNone(given)) {
    return std::string();
  }
  std::string text = Lowered(Stripped(given));
  for (const std::string_view word : {" per ", " a ", " an ", " each ", " every "}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos) {
      text = text.substr(0, at) + "/" + text.substr(at + word.size());
    }
  }
  const std::size_t slash = text.find('/');
  const auto count = slash == std::string::npos ? Result<double>(ValidationError(""))
                                                : ReadFigure(text.substr(0, slash), kRateLeast);
  const std::string unit = slash == std::string::npos ? "" : text.substr(slash + 1);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kUnits = {
      {{"s", "s"},
       {"sec", "s"},
       {"second", "s"},
       {"min", "min"},
       {"minute", "min"},
       {"m", "min"},
       {"hour", "hour"},
       {"h", "hour"},
       {"day", "day"},
       {"week", "week"},
       {"month", "month"},
       {"year", "year"}}};
  for (const auto& [name, canonical] : kUnits) {
    if (!count || (unit != name && unit != std::string(name) + "s")) {
      continue;
    }
    std::string number = std::to_string(*count);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) {
      number.pop_back();
    }
    return number + "/" + std::string(canonical);
  }
  return ValidationError(Quote(given) + " is not a rate; write 10/s, 5/min, 3/day or never");
}

Result<bool> ReadYes(std::string_view text) {
  const std::string lower = Lowered(Stripped(text));
  if (lower == "y" || lower == "yes") {
    return true;
  }
  if (lower == "n" || lower == "no") {
    return false;
  }
  return ValidationError("answer yes or no");
}

Result<std::vector<LookupAnswer>> ReadLookups(std::string_view text, const DraftEntity& entity) {
  std::vector<LookupAnswer> all;
  if (IsNone(text)) {
    return all;
  }
  for (const std::string& part : SplitAt(text, ',')) {
    PJ_ASSIGN_OR_RETURN(LookupAnswer lookup, ReadLookup(part, entity));
    all.push_back(std::move(lookup));
  }
  return all;
}

Result<ChangesAnswer> ReadChanges(std::string_view text, const DraftEntity& entity) {
  ChangesAnswer answer;
  const std::vector<std::string> parts = SplitAt(text, ';');
  if (parts.empty()) {
    return answer;
  }
  PJ_ASSIGN_OR_RETURN(answer.puts, ReadRate(parts[0]));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    PJ_ASSIGN_OR_RETURN(LookupAnswer update, ReadLookup(parts[i], entity));
    for (const std::string& name : update.attributes) {
      if (entity.Find(name)->key) {
        return ValidationError(Quote(name) + " identifies a " + entity.name + " and cannot change");
      }
    }
    answer.updates.push_back(std::move(update));
  }
  return answer;
}

Result<std::string> ReadOrder(std::string_view text, const DraftEntity& entity) {
  if (IsNone(text)) {
    return std::string();
  }
  std::vector<std::string> words = SplitAt(text, ' ');
  if (words.size() > 1 && Lowered(words[0]) == "by") {
    words.erase(words.begin());
  }
  std::string limit;
  if (words.size() > 1 && Lowered(words[words.size() - 2]) == "limit") {
    PJ_ASSIGN_OR_RETURN(const double count, ReadCount(words.back()));
    limit = " limit " + std::to_string(static_cast<long long>(count));
    words.resize(words.size() - 2);
  }
  bool descending = false;
  if (!words.empty() && (Lowered(words.back()) == "desc" || Lowered(words.back()) == "asc")) {
    descending = Lowered(words.back()) == "desc";
    words.pop_back();
  }
  if (words.empty()) {
    return ValidationError("name the attribute to sort by, such as `placed desc limit 20`");
  }
  std::string name;
  for (const std::string& word : words) {
    name += (name.empty() ? "" : " ") + word;
  }
  PJ_ASSIGN_OR_RETURN(name, FindAttribute(name, entity));
  return "order by " + name + (descending ? " desc" : "") + limit;
}

Result<std::vector<std::string>> ReadAttributes(std::string_view text, const DraftEntity& entity) {
  std::vector<std::string> names;
  if (IsNone(text)) {
    return names;
  }
  for (const std::string& part : SplitAt(text, ',')) {
    PJ_ASSIGN_OR_RETURN(std::string name, FindAttribute(part, entity));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

DraftEntity* FindThing(std::string_view name, Draft& draft) {
  const std::string wanted = Lowered(ToEntityName(name));
  for (const std::string& one : Singulars(wanted)) {
    for (DraftEntity& entity : draft.entities) {
      const std::string known = Lowered(entity.name);
      if (known == one || Singulars(known).back() == one) {
        return &entity;
      }
    }
  }
  return nullptr;
}

}  // namespace prejoin::draft
