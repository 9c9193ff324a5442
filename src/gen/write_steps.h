// The function of a write, step by step, for the writers of all languages.
#ifndef PREJOIN_GEN_WRITE_STEPS_H_
#define PREJOIN_GEN_WRITE_STEPS_H_

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"

namespace prejoin::gen {

// A function that brings copies up to date.
struct RefreshFunction {
  const CopyRefresh* refresh = nullptr;
  PatternFunction find;  // Finds the items with a copy.
  const EntityCode* holder = nullptr;
  std::string original;          // The entity that they are copies of.
  std::vector<Field> arguments;  // Of the finder; then what changed.
  std::string text;              // Its purpose, in words.
  std::string note;              // When it is called.

  // Copies that change in the transaction of the write need the finder only.
  bool found_only() const { return refresh->upkeep == model::CopyUpkeep::kTransaction; }
  const Field& changed() const { return arguments.back(); }
};

// The parts of a file of writes, in this order.
struct WriteMakers {
  std::function<void(const RefreshFunction& refresh)> refresh;  // Each once.
  std::function<void(const WriteFunction& write)> write;
  std::function<void(const std::string& why)> refused;  // A write that has no function.
};
void ForEachWrite(const Program& program, const WriteMakers& makers);
// `refused` of a language whose comments begin like this.
std::function<void(const std::string& why)> RefusedInComment(Code& code, const char* prefix);
// The name of the function that finds the items with a copy.
std::string FinderName(const CopyRefresh& refresh);

// Single thread. Borrows everything it is given.
class WriteSteps {
 public:
  WriteSteps(const Language& language, const Program& program, const WriteFunction& function,
             Code& code)
      : language_(language), program_(program), function_(function), code_(code) {}

 protected:
  using Kind = WriteStepCode::Kind;

  virtual ~WriteSteps() = default;

  // The inputs of the function, in order: the row of each step, or its key and what changes; behind a put the copies that the
  // caller has to give, which may be absent.
  struct InputMakers {
    std::function<void(const WriteStepCode& step)> row;
    std::function<void(const WriteStepCode& step)> parts;
    std::function<void(const std::string& name, const Field& field)> copy;
  };
  void ForEachInput(const InputMakers& makers) const;

  // All of the function between its brackets.
  void Body();

  // ---- What a language spells
  virtual void BeginRetrying() = 0;
  virtual void EndRetrying() = 0;
  virtual std::string Row(const WriteStepCode& step) const = 0;
  virtual std::string Member(const WriteStepCode& step, const std::string& field) const = 0;
  virtual std::string Table(const std::string& table) const = 0;
  virtual std::string OwnKeyCall(const WriteStepCode& step) const;  // studentKey(…)
  virtual void ReadBefore(const WriteStepCode& step) = 0;
  virtual void ReadOriginal(const std::string& name, const std::string& table,
                            const std::string& key) = 0;
  virtual std::string OriginalText(const StoredCopy& copy) const = 0;
  virtual std::string ItemCall(const WriteStepCode& step) const = 0;  // studentItem(…)
  virtual std::string Guard(const std::string& attribute) const { return Quote(attribute); }
  // `text` if all of these are there, else nothing.
  virtual std::string IfPresent(const std::vector<std::string>& values,
                                const std::string& text) const = 0;
  virtual std::string Before(const std::string& attribute) const = 0;
  // Among actions, a list of them.
  virtual std::string Spread(const std::string& list) const { return "..." + list; }
  // Attributes by placeholder.
  virtual std::string NamesText(
      const std::vector<std::pair<std::string, std::string>>& names) const {
    return Changes(PairTexts(names));
  }
  // Names as the last arguments of a function.
  virtual std::string LastNames(const std::string& names) const { return names; }
  virtual std::string Nothing() const = 0;
  // The place of a value inside an item, where an object is made.
  virtual std::string PathPair(const std::vector<std::string>& path,
                               const std::string& value) const = 0;
  // An attribute and what an update sets it to; several of them.
  virtual std::string Change(const std::string& name, const std::string& value) const {
    return language_.Pair(name, value);
  }
  virtual std::string Changes(const std::vector<std::string>& changes) const {
    return language_.Object(changes);
  }
  // A member of a row inside an item, which may be absent.
  virtual std::string RowPair(const std::string& name, const std::string& value) const {
    return language_.Pair(name, value);
  }

  // Rows of a list as they are afterwards; members are `name: value`.
  virtual std::string ListChange(const WriteStepCode& step, const std::vector<std::string>& row,
                                 const std::vector<std::string>& key,
                                 const std::string& key_names) const = 0;
  virtual void RewriteList(const std::string& what, const std::string& change) = 0;
  // The updates of all copies, among other actions.
  virtual std::string RefreshTogether(const WriteStepCode& step, const CopyRefresh& refresh) = 0;
  virtual void RefreshCall(const WriteStepCode& step, const CopyRefresh& refresh) = 0;
  virtual void Send(const std::vector<std::string>& actions) = 0;

  // ---- What they share
  static bool TakesRow(const WriteStepCode& step) {
    return step.kind == Kind::kPut || step.kind == Kind::kPutIn;
  }
  std::vector<std::string> PairTexts(
      const std::vector<std::pair<std::string, std::string>>& names) const;
  std::string Title() const;
  // The key of the step's item: by its function, or put together.
  std::string OwnKey(const WriteStepCode& step) const;
  std::string KeyOf(const WriteStepCode& step, const std::vector<KeyValue>& key) const;
  std::string ValueOf(const WriteStepCode& step, const Value& value) const;
  std::string Function(const char* words) const { return language_.function(words); }
  // Actions in which dots stand before a list of them: "a, b", or the single ones in `together` with the lists.
  static std::string ActionsText(const std::vector<std::string>& actions, const Around& single,
                                 const Around& together);

  const Language& language_;
  const Program& program_;
  const WriteFunction& function_;
  Code& code_;
  std::string before_ = "before";  // The variable with the item before the step at hand.

 private:
  static std::string Quote(const std::string& text);
  void Prepare(const WriteStepCode& step, std::vector<std::string>& actions);
  void Original(const WriteStepCode& step, const StoredCopy& copy,
                std::vector<std::string>& actions);
  void Actions(const WriteStepCode& step, std::vector<std::string>& actions);
  void Inside(const WriteStepCode& step, const std::string& head,
              std::vector<std::string>& actions);
  std::string MapChanges(const WriteStepCode& step, const std::string& row) const;
  void RefreshLater(const WriteStepCode& step);
  std::string CallText(const WriteStepCode& step, const KeyCall& call) const;
  // The test whether a value is there.
  std::string Presence(const WriteStepCode& step, const Value& value) const;
  std::string TextIfPresent(const WriteStepCode& step, KeyCall call) const;
  std::string RenderedText(const WriteStepCode& step, const StoredKey& key) const;
  std::string LockAction(const WriteStepCode& step, const LockCode& lock) const;
  std::string ExpectedText(const WriteStepCode& step) const;
  // The action with its counters and its condition.
  std::string Conditional(const WriteStepCode& step, std::string action) const;
  std::string ChangesText(const WriteStepCode& step) const;
  std::vector<std::string> MemberTexts(const WriteStepCode& step,
                                       const std::vector<Field>& fields) const;

  std::set<std::string> originals_;
  int read_before_ = 0;  // Steps so far.
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_WRITE_STEPS_H_
