#include "draft/interview/interview.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "draft/interview/answers.h"
#include "draft/interview/invented_sample.h"
#include "draft/interview/unknown_counts.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kThingsMax = 60;
constexpr std::size_t kRelationshipsMax = 120;

std::string Small(const std::string& name) { return Lowered(name.substr(0, 1)) + name.substr(1); }

std::string Article(const std::string& name) {
  const bool vowel = std::string_view("aeioAEIO").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + Small(name);
}

// Parameters have letters, digits and underscores.
std::string ParameterOf(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return ":" + name;
}

// "id = :pet", or "courseId = :courseId and studentId = :studentId".
std::string WhereKey(const DraftEntity& entity) {
  const std::vector<std::string> keys = entity.KeyNames();
  std::string out;
  for (const std::string& key : keys) {
    out += (out.empty() ? "" : " and ") + key + " = " +
           ParameterOf(keys.size() == 1 ? Small(entity.name) : key);
  }
  return out;
}

std::string CommaList(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

// The attributes of `child` that point at `parent`, and how a pattern binds them.
struct Pointer {
  std::vector<std::string> attributes;
  std::string where;         // The condition on the child: "ownerId = :owner".
  std::string parent_where;  // The condition on the parent: "id = :owner".
};

// An attribute by which people order: a date or time that every row has, else the last.
std::string OrderExample(const DraftEntity& entity) {
  for (const DraftAttribute& one : entity.attributes) {
    if ((one.type == "date" || one.type == "time") && !one.optional && one.references.empty()) {
      return one.name;
    }
  }
  return entity.attributes.back().name;
}

// A child of a thing, and how it is read.
struct ListOf {
  const DraftEntity& parent;
  const DraftEntity& child;  // The entity whose rows are read.
  const DraftEntity* other;  // The entity that a link leads to.
  bool single;               // There is at most one.
};

class Interview {
 public:
  explicit Interview(const Respondent& respondent) : respondent_(respondent) {}

  Result<Draft> Hold() {
    PJ_ASSIGN_OR_RETURN(draft_.title,
                        Ask<std::string>({"What is the model called?", "My model"}, [](auto text) {
                          return Result<std::string>(std::string(text));
                        }));
    PJ_RETURN_IF_ERROR(AskThings());
    PJ_RETURN_IF_ERROR(AskRelationships());
    FillUnknownCounts(unknown_, draft_);
    PJ_RETURN_IF_ERROR(AskTheRest());
    if (draft_.patterns.empty()) {
      return ValidationError(
          "the answers name no read and no write, so there is nothing to design");
    }
    AddInventedSample(draft_);
    return std::move(draft_);
  }

 private:
  // Asks until the answer can be read.
  template <class T, class Read>
  Result<T> Ask(const Question& question, const Read& read) {
    while (true) {
      const std::optional<std::string> given = ended_ ? std::nullopt : respondent_.ask(question);
      ended_ = ended_ || !given;
      const std::string text = given.value_or("");
      const bool blank = text.find_first_not_of(" \t\r") == std::string::npos;
      Result<T> answer =
          IsUtf8(text) ? read(blank ? std::string_view(question.otherwise) : std::string_view(text))
                       : Result<T>(ValidationError("the answer is not UTF-8 text"));
      if (answer) {
        return answer;
      }
      if (ended_ || !respondent_.object(answer.error().message)) {
        return answer.error();
      }
    }
  }

  Status AskThings() {
    respondent_.tell(
        "Which entities do you store?\nWrite one per line with its attributes; the first attribute "
        "is its key. An empty line ends the list.\nExample: Customer: id, name, email unique, born "
        "date, paid bool. Types are text, number, bool, date, time, list and map; those of SQL are read as these.");
    while (draft_.entities.size() < kThingsMax) {
      using Thing = std::optional<ThingAnswer>;
      PJ_ASSIGN_OR_RETURN(const Thing thing, Ask<Thing>({"entity", ""}, [&](auto text) {
                            return ReadNewThing(text);
                          }));
      if (!thing) {
        break;
      }
      DraftEntity entity;
      entity.name = thing->name;
      entity.attributes = thing->attributes;
      PJ_ASSIGN_OR_RETURN(
          entity.count,
          Ask<double>(
              {"How many " + Plural(Small(entity.name)) + " are there, approximately?", "unknown"},
              ReadRows));
      if (entity.count <= 0) {
        unknown_.insert(entity.name);
      }
      draft_.entities.push_back(std::move(entity));
    }
    if (draft_.entities.empty()) {
      return ValidationError("no entity was named, so there is no model");
    }
    return {};
  }

  Result<std::optional<ThingAnswer>> ReadNewThing(std::string_view text) {
    if (text.empty()) {
      return std::optional<ThingAnswer>();
    }
    PJ_ASSIGN_OR_RETURN(ThingAnswer thing, ReadThing(text));
    if (draft_.FindEntity(thing.name) != nullptr) {
      return ValidationError(thing.name + " is already in the list");
    }
    return std::optional(std::move(thing));
  }

  Status AskRelationships() {
    respondent_.tell(
        "How are they related?\nWrite one relationship per line. An empty line ends the list.\n"
        "An entity after `through` keeps its key if that is an identifier, such as `id`; otherwise "
        "the "
        "keys of both sides together become its key, and a pair has one row.\n"
        "Examples: Customer has many Order; Person has one Passport; Student has many Course and "
        "back through Enrolment: grade, since date");
    while (draft_.relationships.size() < kRelationshipsMax) {
      using Belongs = std::optional<RelationshipAnswer>;
      PJ_ASSIGN_OR_RETURN(const Belongs belongs, Ask<Belongs>({"relationship", ""}, [&](auto text) {
                            return ReadNewRelationship(text);
                          }));
      if (!belongs) {
        break;
      }
      if (belongs->kind == "many-to-many") {
        PJ_RETURN_IF_ERROR(AskManyToMany(*belongs));
      } else {
        PJ_RETURN_IF_ERROR(AskOneToMany(*belongs));
      }
    }
    return {};
  }

  Result<std::optional<RelationshipAnswer>> ReadNewRelationship(std::string_view text) {
    if (text.empty()) {
      return std::optional<RelationshipAnswer>();
    }
    PJ_ASSIGN_OR_RETURN(RelationshipAnswer answer, ReadRelationship(text));
    for (std::string* name : {&answer.from, &answer.to}) {
      const DraftEntity* entity = FindThing(*name, draft_);
      if (entity == nullptr) {
        std::vector<std::string> names;
        for (const DraftEntity& one : draft_.entities) {
          names.push_back(one.name);
        }
        return ValidationError("there is no entity `" + *name + "`; the entities are " +
                               CommaList(names));
      }
      *name = entity->name;
    }
    if (answer.kind == "many-to-many" && answer.from == answer.to) {
      return ValidationError(
          "to link an entity with itself, add an entity for the link and two relationships to it: "
          "`User has many Follow`, twice");
    }
    return std::optional(std::move(answer));
  }

  // Makes `child` point at `parent`; its attributes are part of the child's key in a link.
  Pointer AddPointer(DraftEntity& child, const DraftEntity& parent, bool in_key) {
    Pointer pointer;
    const std::vector<std::string> keys = parent.KeyNames();
    std::set<std::string> names;
    for (const DraftAttribute& one : child.attributes) {
      names.insert(one.name);
    }
    const bool self = &child == &parent;
    std::vector<DraftAttribute> added;
    for (const std::string& key : keys) {
      const bool says_whose =
          !parent.Find(key)->references.empty() || Lowered(key).starts_with(Lowered(parent.name));
      DraftAttribute attribute;
      attribute.name = self         ? "parent" + Capitalised(key)
                       : says_whose ? key
                                    : Small(parent.name) + Capitalised(key);
      attribute.references = parent.name + "." + key;
      attribute.key = in_key;
      attribute.optional = self;
      // A person may have listed it among what is known already.
      DraftAttribute* known = child.Find(attribute.name);
      if (known != nullptr && known->references.empty() && !known->key) {
        *known = attribute;
      } else {
        attribute.name = UniqueName(attribute.name, names);
        added.push_back(attribute);
      }
      pointer.attributes.push_back(attribute.name);
      const std::string parameter = ParameterOf(keys.size() == 1 ? Small(parent.name) : key);
      const std::string joined = pointer.where.empty() ? "" : " and ";
      pointer.where += joined + attribute.name + " = " + parameter;
      pointer.parent_where += joined + key + " = " + parameter;
    }
    const auto behind_keys = std::find_if(child.attributes.begin(), child.attributes.end(),
                                          [](const DraftAttribute& one) { return !one.key; });
    child.attributes.insert(behind_keys, added.begin(), added.end());
    return pointer;
  }

  // The children of each parent, by the counts that were given; 0 if one was not.
  double Average(const DraftEntity& child, const DraftEntity& parent) const {
    const bool known = !unknown_.contains(child.name) && !unknown_.contains(parent.name);
    return known ? child.count / std::max(1.0, parent.count) : 0;
  }

  Status AskOneToMany(const RelationshipAnswer& belongs) {
    DraftEntity& parent = *draft_.FindEntity(belongs.from);
    DraftEntity& child = *draft_.FindEntity(belongs.to);
    const bool one = belongs.kind == "one-to-one";
    const std::string children = Plural(Small(child.name));
    const std::string a_parent = Article(parent.name);
    DraftRelationship relationship;
    relationship.name = UniqueName(parent.name + Plural(child.name), relationship_names_);
    relationship.from = parent.name;
    relationship.to = child.name;
    relationship.kind = belongs.kind;
    if (!one) {
      PJ_ASSIGN_OR_RETURN(const HowManyAnswer many,
                          Ask<HowManyAnswer>({"1. How many " + children + " does " + a_parent +
                                                  " have on average, and at most?",
                                              ProposedHowMany(Average(child, parent))},
                                             ReadHowMany));
      relationship.average = many.average;
      relationship.most = many.most;
    }
    const Pointer pointer = AddPointer(child, parent, false);
    relationship.by = pointer.attributes;
    draft_.relationships.push_back(relationship);
    const std::string list = one ? "the " + Small(child.name) : "the " + children;
    PJ_ASSIGN_OR_RETURN(const int directions,
                        AskDirections(list + " of " + a_parent,
                                      Article(child.name) + " with its " + Small(parent.name), 1));
    PJ_RETURN_IF_ERROR(AskChanges(child, "3. How often is " + Article(child.name) +
                                             " created, and which attributes change later?"));
    if ((directions & 1) != 0) {
      PJ_RETURN_IF_ERROR(AskList({parent, child, nullptr, one}, pointer));
    }
    if ((directions & 2) != 0) {
      PJ_ASSIGN_OR_RETURN(const auto shown, AskShown(parent, child, ""));
      std::string get = " get " + CommaList(OwnNames(child));
      for (const std::string& name : shown) {
        get += ", " + parent.name + "." + name;
      }
      PJ_RETURN_IF_ERROR(
          AddPattern(child.name + "With" + parent.name,
                     Capitalised(Article(child.name)) + " with its " + Small(parent.name),
                     {"find " + child.name + " where " + WhereKey(child) + get}));
      looked_up_.insert(child.name);
    }
    return {};
  }

  Status AskManyToMany(const RelationshipAnswer& belongs) {
    std::string link_name = belongs.through.empty() ? belongs.from + belongs.to : belongs.through;
    bool own_key = false;
    if (DraftEntity* known = FindThing(link_name, draft_)) {
      link_name = known->name;
      own_key = !links_.contains(link_name) && NamesAnIdentifier(known->attributes[0].name);
      for (DraftAttribute& one : known->attributes) {
        one.key = one.key && own_key;
      }
    } else {
      DraftEntity made;
      made.name = link_name;
      draft_.entities.push_back(std::move(made));
    }
    DraftEntity& from = *draft_.FindEntity(belongs.from);
    DraftEntity& to = *draft_.FindEntity(belongs.to);
    DraftEntity& link = *draft_.FindEntity(link_name);
    const Pointer to_from = AddPointer(link, from, !own_key);
    const Pointer to_to = AddPointer(link, to, !own_key);
    for (const DraftAttribute& one : belongs.link_attributes) {
      if (link.Find(one.name) == nullptr) {
        link.attributes.push_back(one);
      }
    }
    DraftRelationship relationship;
    relationship.name = UniqueName(from.name + Plural(to.name), relationship_names_);
    relationship.from = from.name;
    relationship.to = to.name;
    relationship.kind = "many-to-many";
    relationship.through = link.name;
    const auto ask_many = [&](const DraftEntity& one, const DraftEntity& other, double average) {
      return Ask<HowManyAnswer>({"1. How many " + Plural(Small(other.name)) + " does " +
                                     Article(one.name) + " have on average, and at most?",
                                 ProposedHowMany(average)},
                                ReadHowMany);
    };
    PJ_ASSIGN_OR_RETURN(const HowManyAnswer forth, ask_many(from, to, Average(link, from)));
    // Without a count of the links, as many as the one side has, the other side has too.
    const double of_links = Average(link, to);
    PJ_ASSIGN_OR_RETURN(
        const HowManyAnswer back,
        ask_many(to, from, of_links > 0 ? of_links : forth.average * Average(from, to)));
    relationship.average = forth.average;
    relationship.most = forth.most;
    relationship.back_average = back.average;
    relationship.back_most = back.most;
    draft_.relationships.push_back(relationship);
    if (!own_key) {
      links_.insert(link.name);
    }
    PJ_ASSIGN_OR_RETURN(
        const int directions,
        AskDirections("the " + Plural(Small(to.name)) + " of " + Article(from.name),
                      "the " + Plural(Small(from.name)) + " of " + Article(to.name), 3));
    PJ_RETURN_IF_ERROR(AskChanges(link, "3. How often is " + Article(from.name) + " linked with " +
                                            Article(to.name) +
                                            ", and which attributes change later?"));
    if ((directions & 1) != 0) {
      PJ_RETURN_IF_ERROR(AskList({from, link, &to, false}, to_from));
    }
    if ((directions & 2) != 0) {
      PJ_RETURN_IF_ERROR(AskList({to, link, &from, false}, to_to));
    }
    return {};
  }

  // 1, 2, or both as 3.
  Result<int> AskDirections(const std::string& first, const std::string& second, int otherwise) {
    const std::string text =
        "2. Which do you read?  1: " + first + "  2: " + second + "  3: both  0: neither";
    return Ask<int>({text, std::to_string(otherwise)}, [](std::string_view answer) -> Result<int> {
      const std::string lower = Lowered(answer);
      if (lower == "both") {
        return 3;
      }
      if (lower.size() == 1 && lower[0] >= '0' && lower[0] <= '3') {
        return lower[0] - '0';
      }
      return ValidationError("answer 1, 2, 3 or 0");
    });
  }

  Status AskChanges(const DraftEntity& entity, const std::string& text) {
    if (!written_.insert(entity.name).second) {
      return {};
    }
    std::string example;
    for (const DraftAttribute& one : entity.attributes) {
      if (!one.key && one.references.empty()) {
        example = one.name;
      }
    }
    const std::string hint = example.empty() ? "" : "  Such as 1/min; " + example + " 5/s";
    PJ_ASSIGN_OR_RETURN(const ChangesAnswer changes,
                        Ask<ChangesAnswer>({text + hint, "1/min"}, [&](auto answer) {
                          return ReadChanges(answer, entity);
                        }));
    if (!changes.puts.empty()) {
      AddWrite("Add" + entity.name, "A new " + Small(entity.name),
               {"put " + entity.name + " once", "rate " + changes.puts});
    }
    for (const LookupAnswer& update : changes.updates) {
      AddUpdate(entity, update);
    }
    return {};
  }

  void AddUpdate(const DraftEntity& entity, const LookupAnswer& update) {
    if (update.rate.empty()) {
      return;
    }
    std::string name = "Change" + entity.name;
    for (const std::string& one : update.attributes) {
      name += Capitalised(one);
      changing_.insert(entity.name + "." + one);
    }
    AddWrite(name, "New " + CommaList(update.attributes) + " of " + Article(entity.name),
             {"update " + entity.name + " where " + WhereKey(entity) + " set " +
                  CommaList(update.attributes),
              "rate " + update.rate});
  }

  // The rows of `child` that belong to one `parent`; for a link, including the shown attributes of the `other` side.
  Status AskList(const ListOf& list, const Pointer& pointer) {
    const auto& [parent, child, other, single] = list;
    const DraftEntity& listed = other != nullptr ? *other : child;
    const std::string listed_name = single ? listed.name : Plural(listed.name);
    const std::string what = "the " + Small(listed_name) + " of " + Article(parent.name);
    std::string get;
    if (other != nullptr) {
      PJ_ASSIGN_OR_RETURN(const auto shown, AskShown(*other, child, what));
      get = " get " + CommaList(OwnNames(child));
      for (const std::string& name : shown) {
        get += ", " + other->name + "." + name;
      }
    }
    PJ_ASSIGN_OR_RETURN(
        const bool with_parent,
        Ask<bool>(
            {"4. With " + what + ", is the " + Small(parent.name) + " itself read too?", "yes"},
            ReadYes));
    std::string order;
    if (!single) {
      PJ_ASSIGN_OR_RETURN(
          order, Ask<std::string>({"   In which order, and how many at once?  For example " +
                                       OrderExample(child) + " desc limit 20",
                                   "any"},
                                  [&](auto text) { return ReadOrder(text, list.child); }));
    }
    std::vector<std::string> lines;
    if (with_parent) {
      lines.push_back("find " + parent.name + " where " + pointer.parent_where);
    }
    lines.push_back("find " + child.name + " where " + pointer.where +
                    (order.empty() ? "" : " " + order) + get);
    return AddPattern(listed_name + "Of" + parent.name, Capitalised(what), std::move(lines));
  }

  // Attributes of another thing read beside each row. They may be copied there, so it matters how often they change.
  Result<std::vector<std::string>> AskShown(const DraftEntity& whose, const DraftEntity& child,
                                            const std::string& where) {
    std::string example;
    for (const DraftAttribute& one : whose.attributes) {
      if (!one.key && example.empty() && one.references.empty()) {
        example = one.name;
      }
    }
    const std::string beside =
        where.empty() ? Article(child.name) + " is read" : where + " are read";
    PJ_ASSIGN_OR_RETURN(
        std::vector<std::string> shown,
        Ask<std::vector<std::string>>({"4. When " + beside + ", which attributes of the " +
                                           Small(whose.name) + " are read with it?",
                                       example.empty() ? "nothing" : example},
                                      [&](auto text) { return ReadAttributes(text, whose); }));
    LookupAnswer change;
    for (const std::string& name : shown) {
      const bool can = !whose.Find(name)->key && whose.Find(name)->references.empty();
      if (can && changing_.insert(whose.name + "." + name).second) {
        change.attributes.push_back(name);
      }
    }
    if (change.attributes.empty()) {
      return shown;
    }
    PJ_ASSIGN_OR_RETURN(change.rate,
                        Ask<std::string>({"   How often does the " + CommaList(change.attributes) +
                                              " of any " + Small(whose.name) + " change?",
                                          "1/day"},
                                         ReadRate));
    AddUpdate(whose, change);
    return shown;
  }

  // Asks for the other lookups, and for the insert rates of entities without a parent.
  Status AskTheRest() {
    respondent_.tell("How do you look up a single entity?\nExamples: id 20/s, email 2/s; or no");
    // Not by reference: the list may grow.
    for (std::size_t i = 0; i < draft_.entities.size(); ++i) {
      const DraftEntity& entity = draft_.entities[i];
      if (links_.contains(entity.name)) {
        continue;
      }
      const bool known = looked_up_.contains(entity.name);
      using Lookups = std::vector<LookupAnswer>;
      PJ_ASSIGN_OR_RETURN(const Lookups lookups,
                          Ask<Lookups>({"   " + Article(entity.name) + " by",
                                        known ? "no" : CommaList(entity.KeyNames()) + " 1/s"},
                                       [&](auto text) { return ReadLookups(text, entity); }));
      for (const LookupAnswer& one : lookups) {
        if (!one.rate.empty()) {
          AddLookup(entity, one);
        }
      }
      PJ_RETURN_IF_ERROR(AskChanges(entity, "   How often is " + Article(entity.name) +
                                                " created, and which attributes change later?"));
    }
    return {};
  }

  void AddLookup(const DraftEntity& entity, const LookupAnswer& lookup) {
    const bool by_key = lookup.attributes == entity.KeyNames();
    std::string name = by_key ? "Get" + entity.name : Plural(entity.name) + "By";
    std::string where;
    for (const std::string& one : lookup.attributes) {
      if (!by_key) {
        name += Capitalised(one);
      }
      where += (where.empty() ? "" : " and ") + one + " = " +
               ParameterOf(by_key ? Small(entity.name) : one);
    }
    draft_.patterns.push_back({UniqueName(name, pattern_names_),
                               by_key ? Capitalised(Article(entity.name))
                                      : Plural(entity.name) + " by " + lookup.attributes[0],
                               {"find " + entity.name + " where " + where, "rate " + lookup.rate},
                               {},
                               false});
  }

  Status AddPattern(const std::string& name, const std::string& title,
                    std::vector<std::string> lines) {
    PJ_ASSIGN_OR_RETURN(const std::string rate,
                        Ask<std::string>({"   How often is this read?", "10/s"}, ReadRate));
    if (rate.empty()) {
      return {};
    }
    lines.push_back("rate " + rate);
    draft_.patterns.push_back(
        {UniqueName(name, pattern_names_), title, std::move(lines), {}, false});
    return {};
  }

  void AddWrite(const std::string& name, const std::string& title, std::vector<std::string> lines) {
    draft_.patterns.push_back(
        {UniqueName(name, pattern_names_), title, std::move(lines), {}, true});
  }

  static std::vector<std::string> OwnNames(const DraftEntity& entity) {
    std::vector<std::string> names;
    for (const DraftAttribute& one : entity.attributes) {
      names.push_back(one.name);
    }
    return names;
  }

  const Respondent& respondent_;
  Draft draft_;
  bool ended_ = false;
  std::set<std::string> unknown_;  // Entities whose number nobody gave.
  std::set<std::string> relationship_names_;
  std::set<std::string> pattern_names_;
  std::set<std::string> links_;      // Entities that only link others.
  std::set<std::string> written_;    // Entities whose writes are known.
  std::set<std::string> looked_up_;  // Entities that a pattern finds by their key.
  std::set<std::string> changing_;   // "Owner.phone": how often it changes was asked.
};

}  // namespace

Result<Draft> HoldInterview(const Respondent& respondent) { return Interview(respondent).Hold(); }

}  // namespace prejoin::draft
