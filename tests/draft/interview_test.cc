// The logical half from answers: what each answer means, which are refused with which words, and that every interview, however
// early it ends, gives a model that reads.
#include "draft/interview/interview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "draft/interview/answers.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"

namespace prejoin::draft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> AnswersIn(const std::string& name) {
  std::ifstream file(std::string(PREJOIN_SOURCE_DIR) + "/tests/draft/answers/" + name + ".txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) {
      lines.push_back(line);
    }
  }
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

struct Held {
  Result<Draft> draft = ValidationError("not held");
  std::size_t asked = 0;
  std::string last;
};

Held Hold(const std::vector<std::string>& answers) {
  Held held;
  Respondent respondent;
  respondent.ask = [&](const Question& question) -> std::optional<std::string> {
    held.last = question.text;
    if (held.asked >= answers.size()) {
      return std::nullopt;
    }
    return answers[held.asked++];
  };
  respondent.tell = [](const std::string&) {};
  respondent.object = [](const std::string&) { return false; };
  held.draft = HoldInterview(respondent);
  return held;
}

// The text of the model, which must read and whose rows must fit.
std::string SourceOf(const Held& held) {
  if (!held.draft) {
    return "error: " + held.last + ": " + held.draft.error().message;
  }
  const std::string source = PrintDraft(*held.draft);
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& one : model::CheckModel(read)) {
    // There are no tables yet.
    if (one.severity == model::Severity::kError && one.rule != "PJ101" && one.rule != "PJ106") {
      ADD_FAILURE() << model::RenderDiagnostic("new", source, one) << source;
    }
  }
  return source;
}

TEST(Interview, MakesTheLogicalHalfOfAClinic) {
  const Held held = Hold(AnswersIn("clinic"));
  const std::string source = SourceOf(held);
  EXPECT_THAT(source,
              HasSubstr("entity Pet {\n  id      text(~8) key\n  ownerId references Owner.id\n"));
  EXPECT_THAT(source, HasSubstr("email text(~20) unique"));
  EXPECT_THAT(source, HasSubstr("notes  text(~100) optional"));
  EXPECT_THAT(source,
              HasSubstr("relationship OwnerPets: Owner one-to-many Pet by ownerId {\n  each "
                        "Owner has ~2, at most 30\n}"));
  EXPECT_THAT(source,
              HasSubstr("  find Pet where id = :pet\n  find Visit where petId = :pet order by "
                        "at desc limit 20\n  rate 15/s"));
  EXPECT_THAT(source, HasSubstr("get id, ownerId, name, species, born, Owner.name, Owner.phone"));
  EXPECT_THAT(source, HasSubstr("update Owner where id = :owner set name, phone\n  rate 2/hour"));
  EXPECT_THAT(source, HasSubstr("update Visit where id = :visit set notes\n  rate 100/day"));
  EXPECT_THAT(source, HasSubstr("find Owner where email = :email\n  rate 3/s"));
  EXPECT_EQ(held.asked, AnswersIn("clinic").size());
}

TEST(Interview, LinksBothWaysAndThingsWithTheirOwnKind) {
  const Held held = Hold(AnswersIn("podcasts"));
  const std::string source = SourceOf(held);
  EXPECT_THAT(source, HasSubstr("entity Subscription {\n  listenerId references Listener.id key\n  "
                                "showId     references Show.id key\n  since      date\n}"));
  EXPECT_THAT(source,
              HasSubstr("Listener many-to-many Show through Subscription {\n  each Listener has "
                        "~12, at most 500\n  each Show has ~5_000, unbounded\n}"));
  EXPECT_THAT(source, HasSubstr("get listenerId, showId, since, Show.title"));
  EXPECT_THAT(source, HasSubstr("parentId  references Comment.id optional"));
  EXPECT_THAT(source, HasSubstr("publishedAt time"));
  EXPECT_EQ(held.asked, AnswersIn("podcasts").size());
}

// The made-up keys of the sample begin with the first letter of the thing, which is more than its first byte.
TEST(Interview, ThingsMayBeginWithALetterOutsideAscii) {
  EXPECT_THAT(SourceOf(Hold({"Farm", "\u00c9table: id, name", "5"})),
              HasSubstr("sample \u00c9table (id, name) {\n  \"\u00c91\""));
}

TEST(Interview, AsksAgainForTextThatIsNotUtf8) {
  EXPECT_THAT(SourceOf(Hold({"Farm", "Caf\xe9: id"})), HasSubstr("not UTF-8"));
}

TEST(Interview, AThingThatHasOneIsNoList) {
  const std::string source = SourceOf(
      Hold({"", "Person", "", "Passport: number text, until", "", "", "Person has one passport"}));
  EXPECT_THAT(
      source,
      HasSubstr("pattern PassportOfPerson \"The passport of a person\" {\n  find Person where id = "
                ":person\n  find Passport where personId = :person\n  rate 10/s"));
  EXPECT_THAT(
      source,
      HasSubstr("sample Passport (number, personId, until) {\n  \"p1\", \"p1\", \"2026-01-01\"\n  "
                "\"p2\", \"p2\", \"2026-01-02\"\n}"));
}

// Whoever stops answering gets what was proposed for the rest.
TEST(Interview, AnyBeginningOfTheAnswersGivesAModelThatReads) {
  std::size_t models = 0;
  for (const char* name : {"clinic", "podcasts"}) {
    const std::vector<std::string> all = AnswersIn(name);
    for (std::size_t count = 0; count < all.size(); ++count) {
      const Held held = Hold({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)});
      if (count < 2) {
        EXPECT_FALSE(held.draft) << count;
        continue;
      }
      EXPECT_THAT(SourceOf(held), HasSubstr("model \"")) << name << " " << count;
      ++models;
    }
  }
  EXPECT_GT(models, 50u);
}

TEST(Interview, AnswersInAnyOrderNeverBreakIt) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<std::string> pool = {"",    "",  "",      "yes", "no", "both",  "2",
                                   "any", "x", "count", "a,b", ":",  "a:b:c", "9/s; name 1/s"};
  for (const char* name : {"clinic", "podcasts"}) {
    for (const std::string& one : AnswersIn(name)) {
      pool.push_back(one);
    }
  }
  std::size_t models = 0;
  for (int round = 0; round < 300; ++round) {
    // Objections do not end it here: the next answer is taken instead.
    std::size_t left = 80;
    Respondent respondent;
    respondent.ask = [&](const Question&) -> std::optional<std::string> {
      if (left == 0) {
        return std::nullopt;
      }
      --left;
      return pool[random() % pool.size()];
    };
    respondent.tell = [](const std::string&) {};
    respondent.object = [](const std::string&) { return true; };
    Held held;
    held.draft = HoldInterview(respondent);
    if (!held.draft) {
      continue;
    }
    SourceOf(held);
    ++models;
  }
  EXPECT_GT(models, 100u);
}

std::string Said(const Result<std::string>& answer) {
  return answer ? *answer : "error: " + answer.error().message;
}

// Counts that nobody gives follow from the averages, whatever belongs to what and in which order it is said.
TEST(Interview, CountsLeftOutAgreeWithTheAverages) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::string> names = {"Ship", "Crew", "Port", "Route", "Cargo", "Permit"};
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < names.size(); ++i) {
      const std::string& other = names[random() % i];
      const std::string many = random() % 5 == 0 ? " has one " : " has many ";
      lines.push_back(random() % 2 == 0 ? other + many + names[i] : names[i] + many + other);
      if (random() % 4 == 0 && many == " has many ") {
        lines.back() += " and back";
      }
    }
    std::ranges::shuffle(lines, random);
    std::size_t things = 0;
    std::size_t said = 0;
    Respondent respondent;
    respondent.ask = [&](const Question& question) -> std::optional<std::string> {
      if (question.text == "entity") {
        return things < names.size() ? names[things++] + ": id, name" : "";
      }
      if (question.text == "relationship") {
        return said < lines.size() ? lines[said++] : "";
      }
      if (question.text.starts_with("1. How many")) {
        return std::to_string(1 + random() % 40) + ", at most 5000";
      }
      return "";
    };
    respondent.tell = [](const std::string&) {};
    respondent.object = [](const std::string& words) {
      ADD_FAILURE() << words;
      return false;
    };
    const Result<Draft> draft = HoldInterview(respondent);
    ASSERT_TRUE(draft);
    const std::string source = PrintDraft(*draft);
    for (const model::Diagnostic& one : model::CheckModel(model::ReadModel(source))) {
      ASSERT_NE(one.rule, "PJ223") << model::RenderDiagnostic("new", source, one) << source;
    }
  }
}

// Averages that nobody gives follow from the counts, so that no one is told to change a number of their own.
TEST(Interview, AveragesLeftOutAgreeWithTheCounts) {
  const std::string source = SourceOf(Hold(
      {"Library", "Member: id, name", "20k", "Book: isbn, title", "50k", "Reservation: placed date",
       "30k", "", "Member has many Book and back through Reservation"}));
  EXPECT_THAT(source,
              HasSubstr("each Member has ~1.5, at most 1_000\n  each Book has ~0.6, at most"));
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto count = [&] {
    return std::to_string(
        static_cast<int>(std::pow(10, 3 + static_cast<double>(random() % 2500) / 1000)));
  };
  for (int round = 0; round < 100; ++round) {
    const std::string text =
        SourceOf(Hold({"",         "Ship: id", count(),
                       "Port: id", count(),    "Call: id, at",
                       count(),    "",         "Ship has many Port and back through Call",
                       "",         "",         "",
                       "",         "",         "",
                       "",         "",         "",
                       "",         "",         "",
                       "",         "",         ""}));
    for (const model::Diagnostic& one : model::CheckModel(model::ReadModel(text))) {
      ASSERT_NE(one.rule, "PJ223") << model::RenderDiagnostic("new", text, one) << text;
    }
  }
}

// The first attribute is the key, also of an entity that links two others: a member reserves a book more than once.
TEST(Interview, ALinkKeepsTheIdThatItWasGiven) {
  const std::vector<std::string> before = {"Library", "Member: id, name", "20k",
                                           "Book: isbn, title", "50k"};
  const auto with = [&](const std::string& link) {
    std::vector<std::string> all = before;
    all.insert(all.end(), {link, "30k", "", "Member has many Book and back through Reservation"});
    return SourceOf(Hold(all));
  };
  const std::string own = with("Reservation: id, placed date");
  EXPECT_THAT(
      own,
      HasSubstr("entity Reservation {\n  id       text(~8) key\n  bookIsbn references Book.isbn\n"
                "  memberId references Member.id\n"));
  EXPECT_THAT(own, HasSubstr("find Reservation where id = :reservation"));
  EXPECT_THAT(with("Reservation: placed date, state"),
              HasSubstr("bookIsbn references Book.isbn key\n"));
}

TEST(InterviewAnswers, RatesAreWrittenAsPeopleSayThem) {
  for (const auto& [given, meant] : std::vector<std::pair<std::string, std::string>>{
           {"10/s", "10/s"},
           {"5 per minute", "5/min"},
           {"3 a day", "3/day"},
           {"1.5/s", "1.5/s"},
           {"0.5/hour", "0.5/hour"},
           {"0/s", "error: `0/s` is not a rate; write 10/s, 5/min, 3/day or never"},
           {"2k/s", "2000/s"},
           {"1,000/hour", "1000/hour"},
           {"never", ""},
           {"no", ""},
           {"7 seconds",
            "error: `7 seconds` is not a rate; write "
            "10/s, 5/min, 3/day or never"},
           {"-3/s", "error: `-3/s` is not a rate; write 10/s, 5/min, 3/day or never"}}) {
    EXPECT_EQ(Said(ReadRate(given)), meant) << given;
  }
}

TEST(InterviewAnswers, CountsAndBounds) {
  EXPECT_EQ(*ReadCount("20k"), 20'000);
  EXPECT_EQ(*ReadCount("~1,500"), 1'500);
  EXPECT_FALSE(ReadCount("many"));
  EXPECT_FALSE(ReadCount("0"));
  EXPECT_EQ(ReadHowMany("3")->most, 0);
  EXPECT_EQ(ReadHowMany("0.6, at most 20")->average, 0.6);
  EXPECT_FALSE(ReadHowMany("0"));
  EXPECT_EQ(ReadHowMany("3, at most 20")->most, 20);
  EXPECT_EQ(ReadHowMany("3 max 1,000")->average, 3);
  EXPECT_EQ(ReadHowMany("5k, unbounded")->average, 5'000);
  EXPECT_EQ(ReadHowMany("at most 8")->average, 4);
  EXPECT_FALSE(ReadHowMany("30, at most 20"));
}

TEST(InterviewAnswers, ThingsAndTheirTypes) {
  const auto thing = ReadThing(
      "vet visit: visit no, publishedAt, unit_price, language, at, is open bool, first name unique "
      "optional, size "
      "list");
  ASSERT_TRUE(thing) << thing.error().message;
  EXPECT_EQ(thing->name, "VetVisit");
  std::vector<std::string> said;
  for (const DraftAttribute& one : thing->attributes) {
    said.push_back(one.name + " " + one.type + (one.key ? " key" : "") +
                   (one.unique ? " unique" : "") + (one.optional ? " optional" : ""));
  }
  EXPECT_THAT(said, ElementsAre("visitNo text key", "publishedAt time", "unit_price number",
                                "language text", "at time", "isOpen bool",
                                "firstName text unique optional", "size list"));
  const auto sql = ReadThing(
      "Order: id uuid, a integer, b BIGINT, c boolean, e timestamp, h varchar(20), i decimal(10, 2) optional, "
      "r jsonb, item count int");
  ASSERT_TRUE(sql) << sql.error().message;
  said.clear();
  for (const DraftAttribute& one : sql->attributes) {
    said.push_back(one.name + " " + one.type);
  }
  EXPECT_THAT(said, ElementsAre("id text", "a number", "b number", "c bool", "e time", "h text",
                                "i number", "r map", "itemCount number"));
  EXPECT_THAT(ReadThing("Pet: id, a int bigint").error().message, HasSubstr("follows the type"));
  EXPECT_EQ(ReadThing("Pet")->attributes.size(), 2u);
  EXPECT_THAT(ReadThing("Pet: tags list").error().message, HasSubstr("cannot: it is a list"));
  EXPECT_THAT(ReadThing("Pet: id, count").error().message, HasSubstr("word of the model language"));
  EXPECT_THAT(ReadThing("Pet: id, id").error().message, HasSubstr("twice"));
  EXPECT_THAT(ReadThing("Race: id, 1st").error().message, HasSubstr("`1st` begins with a digit"));
  EXPECT_FALSE(ReadThing("a, b, c"));
}

TEST(InterviewAnswers, PluralsAreNamedAfterOneOfThem) {
  const auto name_of = [](std::string_view line) { return ReadThing(line)->name; };
  EXPECT_EQ(name_of("bike stations: id"), "BikeStation");
  EXPECT_EQ(name_of("companies"), "Company");
  EXPECT_EQ(name_of("classes"), "Class");
  EXPECT_EQ(name_of("sales people"), "SalesPerson");
  EXPECT_EQ(name_of("species"), "Species");
  EXPECT_EQ(name_of("address"), "Address");
  EXPECT_EQ(name_of("human"), "Human");
  // A capital says that the name is meant as it stands.
  EXPECT_EQ(name_of("Canvas"), "Canvas");
}

TEST(InterviewAnswers, OrdersLookupsAndChangesNameWhatIsThere) {
  DraftEntity entity;
  entity.name = "Visit";
  entity.attributes = ReadThing("Visit: id, at time, visit kind")->attributes;
  EXPECT_EQ(Said(ReadOrder("at desc limit 20", entity)), "order by at desc limit 20");
  EXPECT_EQ(Said(ReadOrder("by visit kind", entity)), "order by visitKind");
  EXPECT_EQ(Said(ReadOrder("any", entity)), "");
  EXPECT_EQ(Said(ReadOrder("age", entity)),
            "error: `age` is not an attribute of Visit; it has id, at, visitKind");
  EXPECT_EQ(ReadLookups("id 5/s, visit kind and at", entity)->at(1).attributes.size(), 2u);
  EXPECT_TRUE(ReadLookups("no", entity)->empty());
  EXPECT_EQ(ReadChanges("1/min; visitKind 2/s", entity)->updates.at(0).rate, "2/s");
  EXPECT_THAT(ReadChanges("1/min; id 2/s", entity).error().message, HasSubstr("cannot change"));
}

}  // namespace
}  // namespace prejoin::draft
