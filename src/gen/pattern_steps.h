// The function of a pattern, step by step, for the writers of all languages.
#ifndef PREJOIN_GEN_PATTERN_STEPS_H_
#define PREJOIN_GEN_PATTERN_STEPS_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"

namespace prejoin::gen {

// Single thread. Borrows everything it is given.
class PatternSteps {
 public:
  // Types, the function, and for some the function for one page.
  void Write(bool exported);

 protected:
  // `rows_words`: what the items of a section are called, behind its entity; `only_rows`: and where there is one section.
  struct Wording {
    const char* only_rows;
    const char* rows_words;
  };
  PatternSteps(const Language& language, const PatternFunction& pattern, Wording wording,
               Code& code);
  virtual ~PatternSteps() = default;

  virtual void RowType(const std::string& name, const std::vector<Field>& fields) = 0;
  virtual void ResultTypes() = 0;  // For a pattern of several sections.
  virtual void Function(bool exported) = 0;
  virtual void PageFunction() = 0;
  virtual std::string SectionType(std::size_t i) const = 0;
  // Between two conditions that must both hold.
  virtual std::string Both() const = 0;  // " && "

  // One condition of a filter.
  virtual std::string Test(const std::string& field, const std::string& comparison,
                           const std::vector<std::string>& operands) const;

  // A member of a request, on a line; and one that is an object itself. Languages whose requests are structs have none.
  virtual void RequestMember(const std::string&, const std::string&) {}
  virtual void RequestObject(const std::string&, const std::vector<std::string>&) {}
  virtual std::string NamePair(const std::string& name, const std::string& attribute) const;
  // How many of the items found are of the entity; empty: all of them.
  virtual std::string CountText(const std::string& entity) const { return entity; }

  // Table to Select, one member after the other.
  void ScanMembers(const Read& read, const std::string& table);
  void QueryMembers(const Read& read, const std::string& table);
  // Whether that many items are there.
  std::vector<std::string> EnoughTests(const std::vector<Enough>& enough) const;
  std::string ResultType() const;
  std::string Title() const;
  std::string ItemsName(std::size_t read) const;
  std::string Variable(std::size_t i) const;
  std::string JoinName(std::size_t i, std::size_t j) const;
  // Where the section's rows come from.
  std::string RowsFrom(std::size_t i) const;
  std::vector<std::string> EachValues(const Read& read) const;
  // The rows of a section are not simply the items of its read.
  static bool HasSteps(const Section& section);
  std::string FilterText(const Section& section) const;
  // An attribute for comparing: it may be absent, and hold any text.
  virtual FieldSource Loose(FieldSource field) const;

  const Language& language_;
  const PatternFunction& pattern_;
  const Wording wording_;
  Code& code_;
  const std::vector<std::string> names_;  // Of the sections.
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_PATTERN_STEPS_H_
