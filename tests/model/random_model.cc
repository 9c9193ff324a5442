#include "tests/model/random_model.h"

#include <random>
#include <utility>
#include <vector>

namespace prejoin::model {
namespace {

class ModelWriter {
 public:
  explicit ModelWriter(std::uint64_t seed) : random_(seed), state_random_(seed) {}

  std::string Run() {
    parents_ = 1 + Below(3);
    parent_attributes_.resize(static_cast<std::size_t>(parents_));
    parent_lines_.resize(static_cast<std::size_t>(parents_));
    children_ = 1 + Below(3);
    by_tally_ = Below(3) == 0;
    for (int i = 0; i < children_; ++i) {
      Child(i);
    }
    if (Below(3) == 0) {
      Inside(static_cast<std::size_t>(Below(parents_)));
    }
    for (int i = 0; i < parents_; ++i) {
      Parent(i);
    }
    if (parents_ > 1 && Below(2) == 0) {
      Link();
    }
    if (Below(3) == 0) {
      Feed();
    }
    return entities_ + patterns_ + "table T partition PK sort SK {\n" +
           (Below(2) == 0 ? "  type Kind\n" : "") +
           "  index GSI1 partition GSI1PK sort GSI1SK project " + Projection() + "\n" +
           "  index GSI2 partition GSI2PK sort GSI2SK project " + StateOf({"keys", "all", "at"}) +
           "\n" +
           (by_tally_ ? "  local index ByTally sort tally project " + Projection() + "\n" : "") +
           items_ + "}\n";
  }

 private:
  int Below(int n) {
    return static_cast<int>(std::uniform_int_distribution<int>(0, n - 1)(random_));
  }

  std::string OneOf(std::initializer_list<const char*> choices) {
    return choices.begin()[Below(static_cast<int>(choices.size()))];
  }

  std::string Projection() { return Below(3) == 0 ? "keys" : (Below(2) == 0 ? "all" : "note"); }

  std::string Extras(const std::string& indent) {
    std::string out;
    out += indent + "note text(~" + std::to_string(5 + Below(900)) + ") optional\n";
    if (Below(2) == 0) {
      out += indent + "amount number(" + std::to_string(1 + Below(12)) + ")\n";
    }
    if (Below(2) == 0) {
      out += indent + "flag bool\n";
    }
    out += OneOf({"", "", "  tags list(~20) optional\n",
                  "  tags list of (word text(~6), rank number(2) optional 50%) optional\n",
                  "  tags list of (on date, by map of (who text(~5), ok bool)) optional 70%\n"});
    out += OneOf({"", "", "  extra map(~30)\n",
                  "  extra map of (size number(3), box map of (kind text(~3) values (\"BIG\", "
                  "\"SMALL\"), parts list of (no text(~4))) optional 60%)\n",
                  "  extra map of (seen time, words text-set(~12) optional) optional 50%\n"});
    return out;
  }

  void Parent(int i) {
    const std::string n = std::to_string(i);
    entities_ += "entity P" + n + " {\n  id text(~" + std::to_string(4 + Below(12)) + ") key\n" +
                 Extras("  ") + parent_attributes_[static_cast<std::size_t>(i)] + "  count " +
                 std::to_string(3 + Below(20)) + "\n}\n";
    items_ += "  item P" + n + " {\n    PK = \"P" + n + "#{id}\"\n    SK = \"META\"\n" +
              (Below(2) == 0 ? "    without id\n" : "") +
              parent_lines_[static_cast<std::size_t>(i)] + "  }\n";
    patterns_ += "pattern ReadP" + n + " {\n  find P" + n + " where id = :id\n" +
                 (Below(2) == 0 ? "  fresh strong\n" : "") + "}\n";
  }

  // A child in its parent's collection, by date or number, and in the index by itself or by status.
  void Child(int i) {
    const std::string n = std::to_string(i);
    const int parent_number = Below(parents_);
    const std::string parent = "P" + std::to_string(parent_number);
    Totals(n, static_cast<std::size_t>(parent_number));
    const bool by_number = Below(2) == 0;
    const std::string status = "s" + n;
    entities_ +=
        "entity C" + n + " {\n  parent references " + parent + ".id key\n  at " +
        (by_number ? "number(4) key\n  no text(~6) key\n  "
                   : "time key" + OneOf({"", " grows", " spread"}) + "\n  no text(~6) key\n  ") +
        status +
        StateOf({" text(~4) values (\"OPEN\", \"DONE\", \"LOST\")",
                 " one of \"OPEN\" 20%, \"DONE\" 70%, \"LOST\"",
                 " text(~4) one of \"OPEN\", \"DONE\" 50%, \"LOST\" 10%"}) +
        "\n  tally number(3)\n  mark text(~4) "
        "optional 30%\n  ticket text(~8) unique\n  lhs text(~5) optional 40%\n  rhs text(~5) "
        "optional 40%\n  together lhs, rhs\n" +
        OneOf({"", "  kind text(~4) distinct 3\n",
               "  plan map of (kind text(~1) values (\"A\", \"B\"), until date optional 50%)\n"}) +
        Extras("  ") +
        OneOf({"", "  kept 90 days\n", "  expires number(10)\n  ttl expires kept 30 days\n",
               "  expires number(10) optional 20%\n  ttl expires\n", "  day date grows\n"}) +
        "}\n";
    entities_ += "relationship R" + n + ": " + parent + " one-to-many C" + n + " {\n  each " +
                 parent + " has ~" + std::to_string(1 + Below(40)) + ", unbounded" +
                 OneOf({"", ", skew 1", ", zipf 1.1", ", hottest 20%"}) + "\n}\n";
    const std::string at = by_number ? "{at pad 8}" : "{at}";
    const bool sharded = Below(4) == 0;
    const std::string state_keys = State(n, by_number, status);
    const std::string without = SecondLayouts(n, at);
    items_ += "  item C" + n + " {\n    PK = \"" + parent + "#{parent}\"\n    SK = \"C" + n + "#" +
              at + "#{no}\"\n    GSI1PK = \"" + "C" + n + "#{" + status + "}" +
              (sharded ? "#{shard 3 of no}" : "") + "\"\n    GSI1SK = \"" + at + "#{no}\"\n" +
              "    unique ticket by lock item\n" + state_keys +
              (Below(3) == 0 ? "    pnote = copy of " + parent + ".note kept by " +
                                   OneOf({"stream", "transaction"}) + "\n"
                             : "") +
              (Below(2) == 0 ? "    without parent, at, no\n" : "") + without + "  }\n" +
              std::exchange(second_items_, {});
    const std::string order = Below(2) == 0 ? " order by at" : " order by at desc";
    patterns_ += "pattern All" + n + " {\n  find " + parent + " where id = :p\n  find C" + n +
                 " where parent = :p" + order + "\n}\n";
    patterns_ += "pattern New" + n + " {\n  find C" + n +
                 " where parent = :p order by at desc limit " + std::to_string(1 + Below(9)) +
                 "\n}\n";
    patterns_ += "pattern Range" + n + " {\n  find C" + n + " where parent = :p and at " +
                 (Below(2) == 0 ? ">= :from" : "between :from and :to") + order + "\n}\n";
    patterns_ +=
        "pattern Status" + n + " {\n  find C" + n + " where " + status + " = :s order by at\n}\n";
    patterns_ +=
        "pattern In" + n + " {\n  find C" + n + " where " + status + " in (\"OPEN\", :s)\n}\n";
    patterns_ += "pattern Named" + n + " {\n  find C" + n + " where parent = :p get no, " + parent +
                 ".note\n}\n";
    patterns_ += "pattern Filtered" + n + " {\n  find C" + n + " where parent = :p and " + status +
                 " = :s\n}\n";
    patterns_ +=
        "pattern Tagged" + n + " {\n  find C" + n + " where parent = :p and exists(mark)\n}\n";
    patterns_ += "write Count" + n + " {\n  update C" + n +
                 " set tally += 2 if tally < 5_000\n}\nwrite Untag" + n + " {\n  update C" + n +
                 " remove mark\n}\nwrite Two" + n + " {\n  put C" + n + " times 2\n}\n";
    MoreQuestions(n, status);
    patterns_ += "write Put" + n + " {\n  put C" + n + " once\n}\nwrite Set" + n +
                 " {\n  update C" + n + " set " + status + ", note\n}\nwrite Del" + n +
                 " {\n  delete C" + n + "\n}\n";
  }

  // Drawn apart, so that the rest of a seed's model stays what it is.
  std::string StateOf(std::initializer_list<const char*> choices) {
    const auto last = static_cast<int>(choices.size()) - 1;
    return choices.begin()[std::uniform_int_distribution<int>(0, last)(state_random_)];
  }

  // Keys made of beginnings and of numbers that count down, what asks for them, and writes that say which values they write.
  std::string State(const std::string& n, bool by_number, const std::string& status) {
    const std::string mine = " {\n  find C" + n + " where ";
    const std::string part =
        by_number ? "no first 2"
                  : StateOf({"at day", "at hour", "at month", "at year", "no first 3"});
    const std::string sort =
        by_number ? StateOf({"{at descending 6}", "{at descending 7}", "{at pad 8}"})
                  : StateOf({"{at}", "{at day}#{at}", "{at hour}", "{tally descending 6}#{at}"});
    patterns_ += "pattern Part" + n + mine + part + " = :part" +
                 StateOf({"", " order by at", " order by at desc", " order by at desc limit 3",
                          " order by tally desc"}) +
                 "\n}\n";
    patterns_ +=
        "pattern PartSince" + n + mine + part + " = :part and at " +
        StateOf({">= :from", "> :from", "< :to", "<= :to", "between :from and :to", "= :at"}) +
        "\n}\n";
    patterns_ += "pattern PartIn" + n + mine + part + " in (:a, :b) and " + status +
                 StateOf({" <> \"OPEN\"", " <> :s", " = \"DONE\""}) + "\n}\n";
    patterns_ +=
        "pattern Missing" + n + mine + "parent = :p and not exists(mark) and lhs <> :l\n}\n";
    patterns_ += "write Finish" + n + " {\n  update C" + n + " set " + status + " = \"DONE\" if " +
                 status + " <> \"DONE\"\n}\nwrite Flag" + n + " {\n  update C" + n +
                 " set mark = " + StateOf({"\"new\"", ":mark"}) +
                 " if not exists(mark)\n}\nwrite Make" + n + " {\n  put C" + n +
                 " once with mark, " + status + " = \"LOST\"" + StateOf({"", " without note"}) +
                 "\n}\n";
    return "    GSI2PK = \"C" + n + "#{" + part + "}\"\n    GSI2SK = \"" + sort +
           "#{no}#{parent}\"\n";
  }

  // The same rows under another key: all of each, some of it, only those with a mark; or what the first item leaves out.
  std::string SecondLayouts(const std::string& n, const std::string& at) {
    const std::string of = " of C" + n;
    const auto add = [&](const std::string& name, const std::string& keys) {
      second_items_ += "  item " + name + keys + "  }\n";
    };
    if (Below(3) == 0) {
      add("B" + n + of + OneOf({"", " (tally)", " (no, at, parent, note, tally, mark)"}),
          " {\n    PK = \"B" + n + "#{no}\"\n    SK = \"" + at + "#{parent}\"\n");
      patterns_ += "pattern Again" + n + " {\n  find C" + n + " where no = :n order by at" +
                   OneOf({"", " limit 2"}) + "\n}\npattern Tallies" + n + " {\n  find C" + n +
                   " where no = :n and at >= :from get parent, tally\n}\n";
    }
    if (Below(4) == 0) {
      add("M" + n + of + OneOf({"", " (ticket)"}),
          " {\n    PK = \"M" + n + "#{mark}\"\n    SK = \"" + at + "#{no}#{parent}\"\n" +
              OneOf({"", "    GSI1PK = \"K" + n + "#{tally}\"\n    GSI1SK = \"{no}\"\n"}));
      patterns_ += "pattern Marked" + n + " {\n  find C" + n + " where mark = :m\n}\nwrite Mark" +
                   n + " {\n  update C" + n + " set mark\n}\n";
    }
    note_elsewhere_ = Below(4) == 0;
    if (!note_elsewhere_) {
      return "";
    }
    add("R" + n + of + " (note, lhs)",
        " {\n    PK = \"R" + n + "#{parent}\"\n    SK = \"" + at + "#{no}\"\n");
    patterns_ +=
        "pattern Heads" + n + " {\n  find C" + n + " where parent = :p get at, no, tally\n}\n";
    return "    without note, lhs\n";
  }

  std::string OneOf(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(Below(static_cast<int>(choices.size())))];
  }

  // Ranges without their ends, several values before a range, the whole table, another order.
  void MoreQuestions(const std::string& n, const std::string& status) {
    const std::string mine = "  find C" + n + " where parent = :p";
    patterns_ += "pattern After" + n + " {\n" + mine + " and at > :from" +
                 OneOf({"", " returns ~3"}) + "\n  rate 5/s peak 40/s\n}\n";
    patterns_ += "pattern Before" + n + " {\n" + mine + " and at < :to order by at desc\n}\n";
    patterns_ += "pattern InSince" + n + " {\n  find C" + n + " where " + status +
                 " in (\"OPEN\", :s) and at >= :from\n}\n";
    if (by_tally_) {
      patterns_ += "pattern Tally" + n + " {\n" + mine + " order by tally\n}\n";
    }
    if (Below(4) == 0) {
      patterns_ += "pattern Each" + n + " {\n  find C" + n +
                   "\n  scan allowed because \"a report, rarely\"\n}\n";
    }
    patterns_ +=
        "write Name" + n + " {\n  update C" + n +
        " where parent = :p and at = :a and no = :n set note" +
        // Where the note is in another item, no condition on this one can be checked with it.
        (note_elsewhere_ ? "" : " if tally >= 0") + "\n}\n";
  }

  // Rows that are kept inside their parent's item.
  void Inside(std::size_t parent) {
    const std::string name = "P" + std::to_string(parent);
    entities_ += "entity N {\n  parent references " + name +
                 ".id key\n  no text(~3) key\n  word text(~8)\n}\nrelationship NR: " + name +
                 " one-to-many N {\n  each " + name + " has ~3, at most 12\n}\n";
    parent_lines_[parent] += Below(2) == 0 ? "    inside = list of N (no, word)\n"
                                           : "    inside = map of N by no (word)\n";
    patterns_ += "pattern Inner {\n  find N where parent = :p\n}\npattern WithInner {\n  find " +
                 name + " where id = :p\n  find N where parent = :p\n}\n";
    patterns_ +=
        "write Put {\n  put N\n}\nwrite Reword {\n  update N set word\n}\nwrite Cut {\n  delete "
        "N\n}\n";
  }

  // A row for each follower.
  void Feed() {
    entities_ +=
        "entity F {\n  a references P0.id key\n  b references P0.id key\n}\nentity Feed {\n  owner "
        "references P0.id key\n  post text(~4) key\n}\nrelationship Followers: P0 one-to-many F by "
        "a {\n  each P0 has ~4, at most 20\n}\nrelationship Feeds: P0 one-to-many Feed {\n  each "
        "P0 "
        "has ~5, unbounded\n}\n";
    items_ +=
        "  item F {\n    PK = \"P0#{a}\"\n    SK = \"F#{b}\"\n  }\n  item Feed {\n    PK = "
        "\"P0#{owner}\"\n    SK = \"Y#{post}\"\n  }\n";
    patterns_ +=
        "pattern Fed {\n  find Feed where owner = :o order by post desc limit 5\n}\npattern "
        "Following {\n  find F where a = :a\n}\nwrite Post {\n  put Feed for each F\n}\n";
  }

  // Sums and counts that a parent keeps of its children, and deletes that take the children along.
  void Totals(const std::string& n, std::size_t parent) {
    const std::string name = "P" + std::to_string(parent);
    if (Below(3) == 0) {
      parent_attributes_[parent] += "  sum" + n + " number(4)\n";
      parent_lines_[parent] += "    sum" + n + " = sum of C" + n + ".tally kept by transaction\n";
    }
    if (Below(3) == 0) {
      parent_attributes_[parent] += "  many" + n + " number(3)\n";
      parent_lines_[parent] += "    many" + n + " = count of C" + n + " kept by transaction\n";
    }
    if (Below(4) == 0) {
      patterns_ += "write Drop" + n + " {\n  delete " + name + " with C" + n + "\n}\n";
    }
  }

  void Link() {
    entities_ +=
        "entity L {\n  a references P0.id key\n  b references P1.id key\n  since "
        "date\n}\nrelationship LR: P0 many-to-many P1 through L {\n  each P0 has ~2, at most "
        "30\n}\n";
    items_ +=
        "  item L {\n    PK = \"P0#{a}\"\n    SK = \"L#{b}\"\n    GSI1PK = \"L#{b}\"\n    GSI1SK = "
        "\"P0#{a}\"\n    without a, b\n  }\n";
    patterns_ +=
        "pattern Forth {\n  find L where a = :a order by b\n}\npattern Back {\n  find L where b = "
        ":b order by a\n}\npattern Via {\n  find P1 via L where a = :a\n}\n";
    patterns_ += "write Join {\n  put L once\n  update P0 set note\n  together\n}\n";
  }

  std::mt19937_64 random_;
  std::mt19937_64 state_random_;
  int parents_ = 0;
  int children_ = 0;
  bool by_tally_ = false;  // A local index orders the children by their tally.
  std::vector<std::string> parent_attributes_;
  std::vector<std::string> parent_lines_;
  std::string entities_;
  std::string patterns_;
  std::string items_;
  std::string second_items_;     // Of the child at hand.
  bool note_elsewhere_ = false;  // The child's note is in a second layout only.
};

}  // namespace

std::string RandomModel(std::uint64_t seed) { return ModelWriter(seed).Run(); }

std::string LargeModel(int entities, int patterns) {
  std::string text;
  std::string items;
  for (int i = 0; i < entities; ++i) {
    const std::string n = std::to_string(i);
    const bool parent = i % 2 == 0;
    const std::string owner = std::to_string(i - 1);
    text += "entity E" + n + " {\n  id text(~8) key\n" +
            (parent ? "" : "  owner references E" + owner + ".id\n") +
            "  name text(~20)\n  at time\n  count " + (parent ? "100" : "900") + "\n}\n";
    if (!parent) {
      text += "relationship R" + n + ": E" + owner + " one-to-many E" + n + " {\n  each E" + owner +
              " has ~9, at most 400\n}\n";
    }
    items += "  item E" + n + " {\n    PK = \"E" + (parent ? n + "#{id}" : owner + "#{owner}") +
             "\"\n    SK = \"" + (parent ? "META" : "E" + n + "#{id}") + "\"\n";
    if (!parent) {
      items += "    GSI1PK = \"E" + n + "#{id}\"\n    GSI1SK = \"E" + n + "\"\n";
    }
    items += "  }\n";
  }
  for (int i = 0; i < patterns; ++i) {
    const int child = 1 + 2 * (i % (entities / 2));
    const std::string n = std::to_string(child);
    const std::string owner = std::to_string(child - 1);
    text += "pattern Q" + std::to_string(i) + " {\n";
    if (i % 3 == 0) {
      text += "  find E" + owner + " where id = :p\n  find E" + n + " where owner = :p\n";
    }
    if (i % 3 == 1) {
      text += "  find E" + n + " where id = :c\n";
    }
    if (i % 3 == 2) {
      text += "  find E" + n + " where owner = :p order by id limit 5\n";
    }
    text += "  rate 5/s\n}\n";
  }
  return text +
         "table T partition PK sort SK {\n  index GSI1 partition GSI1PK sort GSI1SK project all\n" +
         items + "}\n";
}

}  // namespace prejoin::model
