// Streams and time to live in a history.
#include <gtest/gtest.h>

#include "base/worker.h"
#include "engine/engine.h"
#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/stream_reader.h"
#include "tests/reference/answers.h"
#include "tests/reference/history.h"

namespace prejoin::reference {
namespace {

constexpr std::int64_t kHourMs = 60 * 60 * 1000;

// Written anew from AWS's rules: a number, not negative, its whole part in the past, by no more
// than five years, which no history lasts. A second is in the past as soon as it has begun.
bool HasExpired(const Item& item, const std::string& attribute, std::int64_t now_ms) {
  const AttributeValue* value = item.Find(attribute);
  if (value == nullptr || value->number() == nullptr) {
    return false;
  }
  const std::string text = value->number()->ToString();
  const std::string whole = text.substr(0, text.find('.'));
  return text[0] != '-' && whole.size() < 15 && std::stoll(whole) * 1000 < now_ms;
}

}  // namespace

void History::SweepExpired() {
  Note("sweep at " + std::to_string(clock_.NowMs() / 1000));
  engine::EngineOf(*database_).background().SweepNow();
  for (const auto& [table_name, attribute] : expiring_) {
    Table& table = TableOf(table_name);
    std::vector<Item> gone;
    for (const Entry& entry : table.Entries(std::nullopt)) {
      if (HasExpired(entry.entry, attribute, clock_.NowMs())) {
        gone.push_back(table.KeyOf(entry.entry));
      }
    }
    for (const Item& key : gone) {
      table.Remove(key);
    }
  }
}

void History::ChangeTimeToLive() {
  const std::string table_name = AnyTable().name();
  const auto current = expiring_.find(table_name);
  const bool enable = current == expiring_.end();
  const std::string attribute =
      enable ? random_.Pick(std::vector<std::string>{"u", "d"}) : current->second;
  Note("time to live of " + table_name + ": " + attribute + (enable ? " on" : " off"));
  clock_.Advance(kHourMs);
  Must(database_->UpdateTimeToLive(
      {.table_name = table_name,
       .specification = {.enabled = enable, .attribute_name = attribute}}));
  engine::EngineOf(*database_).background().DrainForTesting();
  if (enable) {
    expiring_[table_name] = attribute;
  } else {
    expiring_.erase(current);
  }
}

// A stream, replayed into nothing, makes the table.
void History::CompareStreams() {
  for (const Table& table : tables_) {
    std::map<std::string, std::string> expected;
    for (const Entry& entry : table.Entries(std::nullopt)) {
      expected[Text(table.KeyOf(entry.entry))] = Text(entry.entry);
    }
    EXPECT_EQ(Replay(ReadStream(*database_, StreamArnOf(*database_, table.name()))), expected)
        << table.name();
  }
}

}  // namespace prejoin::reference
