// Answers to the questions of the interview, read into parts of a draft. Every function says in its error what
// was wrong with the answer and how to give it.
#ifndef PREJOIN_DRAFT_INTERVIEW_ANSWERS_H_
#define PREJOIN_DRAFT_INTERVIEW_ANSWERS_H_

#include <string>
#include <string_view>
#include <vector>

#include "draft/draft.h"
#include "prejoin/result.h"

namespace prejoin::draft {

// "Pet: id, name, born date, chip unique": the first attribute identifies it. Types that are not said follow from names.
struct ThingAnswer {
  std::string name;
  std::vector<DraftAttribute> attributes;
};
Result<ThingAnswer> ReadThing(std::string_view line);

// "Owner has many Pet", "Student has many Course and back through Enrolment: grade, since date", "Passport belongs to Person",
// "Person has one Passport".
struct RelationshipAnswer {
  std::string from;  // As it was written.
  std::string to;
  std::string kind;     // one-to-many, many-to-many, one-to-one.
  std::string through;  // Empty: not said.
  std::vector<DraftAttribute> link_attributes;
};
Result<RelationshipAnswer> ReadRelationship(std::string_view line);

// "20k", "1,000", "~300".
Result<double> ReadCount(std::string_view text);

// A count, or "unknown" → 0.
Result<double> ReadRows(std::string_view text);

// True for "id", "orderNumber", "sku": the name of an attribute that tells rows apart.
bool NamesAnIdentifier(const std::string& name);

// The least average: fewer are as good as none.
inline constexpr double kAverageLeast = 0.001;

// "3", "0.6", "3, at most 20", "3 unbounded". Without a bound there is none.
struct HowManyAnswer {
  double average = 0;
  double most = 0;  // 0: unbounded.
};
Result<HowManyAnswer> ReadHowMany(std::string_view text);

// The answer for so many on average, as the counts that were given make it; 0: nothing is known.
std::string ProposedHowMany(double average);

// "10/s", "5 per minute", "3 a day" → "10/s", "5/min", "3/day"; "never" → "".
Result<std::string> ReadRate(std::string_view text);

Result<bool> ReadYes(std::string_view text);

// "id 20/s, email 2/s", "city and kind 1/s": attributes that are given together, and how often. "no": none.
struct LookupAnswer {
  std::vector<std::string> attributes;
  std::string rate;
};
Result<std::vector<LookupAnswer>> ReadLookups(std::string_view text, const DraftEntity& entity);

// "1/min; status 5/s": how often a new one comes, then what changes how often.
struct ChangesAnswer {
  std::string puts;
  std::vector<LookupAnswer> updates;
};
Result<ChangesAnswer> ReadChanges(std::string_view text, const DraftEntity& entity);

// "placed desc limit 20" → "order by placed desc limit 20"; "any" → "".
Result<std::string> ReadOrder(std::string_view text, const DraftEntity& entity);

// "name, email": attributes of the entity. "nothing": none.
Result<std::vector<std::string>> ReadAttributes(std::string_view text, const DraftEntity& entity);

// The entity that the text names, also by its plural and in another case; null if there is none.
DraftEntity* FindThing(std::string_view name, Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INTERVIEW_ANSWERS_H_
