// Reads streams as a consumer does: every shard from the trim horizon, parents before children.
#ifndef PREJOIN_TESTS_ENGINE_STREAM_READER_H_
#define PREJOIN_TESTS_ENGINE_STREAM_READER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_of.h"
#include "tests/engine/item_text.h"
#include "tests/engine/test_database.h"

namespace prejoin {

inline std::unique_ptr<Database> OpenWith(std::unique_ptr<storage::Store> store,
                                          const Options& options, const Clock& clock) {
  auto engine = engine::Engine::OpenOn(std::move(store), options, clock);
  PJ_CHECK(engine.has_value());
  return engine::DatabaseOn(*std::move(engine));
}

inline CreateTableInput WithStream(CreateTableInput input,
                                   StreamViewType view = StreamViewType::kNewAndOldImages) {
  input.stream = StreamSpecification{.enabled = true, .view_type = view};
  return input;
}

inline std::string StreamArnOf(Database& database, const std::string& table) {
  const auto description = Must(database.DescribeTable(table));
  return description.arn + "/stream/" + description.stream_label;
}

inline std::vector<ShardDescription> ShardsOf(Database& database, const std::string& arn) {
  return Must(database.DescribeStream({.stream_arn = arn})).shards;
}

// A consumer that goes on where it stopped. A child is read when its parent has come to its end.
class StreamReader {
 public:
  StreamReader(Database& database, std::string arn) : database_(&database), arn_(std::move(arn)) {}

  // After the database was opened again. Iterators go on.
  void Use(Database& database) { database_ = &database; }

  // Everything there is now.
  std::vector<StreamRecord> Read(std::optional<std::int32_t> limit = std::nullopt) {
    std::vector<StreamRecord> records;
    while (true) {
      const bool found = AddShards();
      bool moved = false;
      for (auto& [shard, iterator] : iterators_) {
        while (iterator) {
          auto page = Must(database_->GetRecords({.shard_iterator = *iterator, .limit = limit}));
          iterator = page.next_shard_iterator;
          moved = moved || !page.records.empty() || !iterator;
          const bool empty = page.records.empty();
          for (StreamRecord& record : page.records) {
            records.push_back(std::move(record));
          }
          if (empty) {
            break;
          }
        }
      }
      if (!found && !moved) {
        return records;
      }
    }
  }

 private:
  bool AddShards() {
    bool found = false;
    const auto shards = ShardsOf(*database_, arn_);
    std::set<std::string> known;
    for (const ShardDescription& shard : shards) {
      known.insert(shard.shard_id);
    }
    for (const ShardDescription& shard : shards) {
      const bool parent_open = shard.parent_shard_id && known.contains(*shard.parent_shard_id) &&
                               (!iterators_.contains(*shard.parent_shard_id) ||
                                iterators_.at(*shard.parent_shard_id).has_value());
      if (iterators_.contains(shard.shard_id) || parent_open) {
        continue;
      }
      iterators_[shard.shard_id] =
          Must(database_->GetShardIterator({.stream_arn = arn_,
                                            .shard_id = shard.shard_id,
                                            .type = ShardIteratorType::kTrimHorizon,
                                            .sequence_number = std::nullopt}));
      found = true;
    }
    return found;
  }

  Database* database_;
  std::string arn_;
  std::map<std::string, std::optional<std::string>> iterators_;
};

inline std::vector<StreamRecord> ReadStream(Database& database, const std::string& arn) {
  return StreamReader(database, arn).Read();
}

// "INSERT {pk: "a"} old none new {…}", one line for each record.
inline std::string Text(const StreamRecord& record) {
  static const std::map<StreamEvent, std::string> kNames = {{StreamEvent::kInsert, "INSERT"},
                                                            {StreamEvent::kModify, "MODIFY"},
                                                            {StreamEvent::kRemove, "REMOVE"}};
  return kNames.at(record.event) + " " + Text(record.keys) + " old " + Text(record.old_image) +
         " new " + Text(record.new_image) + (record.by_time_to_live ? " by service" : "");
}

// The table that the records, applied in their order, make.
inline std::map<std::string, std::string> Replay(const std::vector<StreamRecord>& records) {
  std::map<std::string, std::string> items;
  for (const StreamRecord& record : records) {
    const std::string key = Text(record.keys);
    const auto current = items.find(key);
    // What the record says was there has to be there.
    EXPECT_EQ(current == items.end() ? "none" : current->second, Text(record.old_image)) << key;
    if (record.new_image) {
      items[key] = Text(*record.new_image);
    } else {
      items.erase(key);
    }
  }
  return items;
}

inline std::map<std::string, std::string> Contents(Database& database, const std::string& table,
                                                   const std::vector<std::string>& key_names) {
  std::map<std::string, std::string> items;
  ScanInput input{.table_name = table};
  while (true) {
    const auto page = Must(database.Scan(input));
    for (const StoredItem& item : page.items) {
      Item key;
      for (const std::string& name : key_names) {
        key.Set(name, *item.Find(name));
      }
      items[Text(key)] = Text(item);
    }
    if (!page.last_evaluated_key) {
      return items;
    }
    input.exclusive_start_key = page.last_evaluated_key;
  }
}

}  // namespace prejoin

#endif  // PREJOIN_TESTS_ENGINE_STREAM_READER_H_
