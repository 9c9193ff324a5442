// One random history: every request goes to the database and to the reference, and their answers
// must agree.
#ifndef PREJOIN_TESTS_REFERENCE_HISTORY_H_
#define PREJOIN_TESTS_REFERENCE_HISTORY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "prejoin/database.h"
#include "prejoin/statements.h"
#include "tests/engine/test_database.h"
#include "tests/reference/random_requests.h"
#include "tests/reference/reference_engine.h"

namespace prejoin::reference {

// Single thread.
class History {
 public:
  // `clock` is the database's, outlives this, and shows seconds near 0, like the numbers in items.
  History(std::unique_ptr<Database> database, FakeClock& clock, std::uint64_t seed);

  void Step();
  // Closes the database; `open` opens it again, and the history goes on there.
  void Reopen(const std::function<std::unique_ptr<Database>()>& open);
  // All tables, indexes and streams, item by item, and their figures.
  void CompareEverything();

  // Point-in-time recovery: switches it on; notes what the tables hold at this time; restores all
  // tables to random seconds since the first note and compares them with the notes.
  void ProtectTables();
  void Remember();
  void CompareRestored(int count);

  // The newest requests, for the message of a failed test.
  std::string Log() const;

 private:
  void WriteOne();
  void CheckWritten(const Write& write, const WriteOutcome& expected, ReturnValues wanted,
                    bool all_old_on_failure, const Result<WriteItemOutput>& answer);
  void GetOne();
  void QueryPages();
  void ScanPages();
  void BatchWrite();
  void BatchGet();
  void TransactWriteMany();
  void TransactGetMany();
  void ChangeIndexes();
  void ExecuteOne();
  void ExecuteMany();
  void SelectItems();
  void SweepExpired();
  void ChangeTimeToLive();
  void CompareStreams();
  void CompareTable(const Table& table);

  std::optional<PartiqlStatement> NextStatement(Write& write, const std::string& returning);
  Table& AnyTable() { return tables_[random_.Below(tables_.size())]; }
  // Up to `count` writes of different items.
  std::vector<Write> DifferentWrites(std::size_t count);
  // Up to `count` different keys of one table.
  std::vector<Item> DifferentKeys(const Table& table, std::size_t count);
  Table& TableOf(const std::string& name);
  void Commit(const Write& write, const WriteOutcome& outcome);
  void Note(std::string line);

  std::unique_ptr<Database> database_;
  FakeClock& clock_;
  RandomRequests random_;
  std::vector<Table> tables_;
  std::map<std::string, std::string> expiring_;  // Tables with time to live: its attribute.
  struct Moment {
    std::int64_t time_ms = 0;
    std::vector<Table> tables;
  };
  std::vector<Moment> moments_;
  std::vector<std::string> log_;
};

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_HISTORY_H_
