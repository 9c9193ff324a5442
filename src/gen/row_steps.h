// The rows of a pattern's section from the items of its read, for the languages in which every step is an expression.
#ifndef PREJOIN_GEN_ROW_STEPS_H_
#define PREJOIN_GEN_ROW_STEPS_H_

#include <string>
#include <vector>

#include "gen/pattern_steps.h"

namespace prejoin::gen {

// Single thread. Borrows everything it is given.
class RowSteps : public PatternSteps {
 protected:
  using PatternSteps::PatternSteps;

  // An expression over the items of the step before it.
  struct Step {
    std::string text;
    bool fetched = false;  // Some of its items may be absent.
  };

  // The statements that make the rows of a section, and those of its joins.
  void SectionRows(std::size_t i);

  // ---- What a language spells
  virtual std::string OfEntity(const std::string& from, const std::string& entity) const = 0;
  virtual std::string Inside(const Embedded& embedded, const std::string& from) const = 0;
  virtual std::string KeysText(const Fetch& fetch, const std::string& from) const = 0;
  // A read of many keys; `read` says how fresh.
  virtual std::string BatchText(const Fetch& fetch, const std::string& keys,
                                std::size_t read) const = 0;
  virtual std::string Filtered(const std::string& from, const std::string& condition) const = 0;
  virtual std::string SortText(const Section& section, const std::string& from) const = 0;
  virtual std::string AtMost(const std::string& from, const std::string& count) const = 0;
  // The first step makes the variable `rows`, the others change it. There is at least one.
  virtual void StepsCode(const std::string& rows, const std::vector<Step>& steps) = 0;
  virtual void JoinCode(const std::string& name, const std::string& fetched) = 0;

 private:
  std::vector<Step> StepsOf(std::size_t i) const;
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_ROW_STEPS_H_
