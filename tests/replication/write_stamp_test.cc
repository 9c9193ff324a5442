// Stamps and notes as they are stored. The bytes are those of docs/formats/catalog.md.
#include "engine/item/write_stamp.h"

#include "tests/engine/test_database.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

using namespace std::string_literals;

TEST(WriteStamp, HasTheseBytes) {
  EXPECT_EQ(EncodeStamp({.number = 0x0102030405060708, .region = "eu"}),
            "\x01\x01\x02\x03\x04\x05\x06\x07\x08\x02"
            "eu"s);
}

TEST(WriteStamp, IsReadAsItWasWritten) {
  const std::string key = EncodeItem(Item{{"pk", "a"}});
  for (const std::string& deleted_key : {std::string(), key}) {
    const auto stamp =
        DecodeStamp(EncodeStamp({.number = 7, .region = "us-east-1", .deleted_key = deleted_key}));
    ASSERT_TRUE(stamp);
    EXPECT_EQ(stamp->number, 7u);
    EXPECT_EQ(stamp->region, "us-east-1");
    EXPECT_EQ(stamp->deleted(), !deleted_key.empty());
    EXPECT_EQ(stamp->deleted_key, deleted_key);
  }
}

TEST(WriteStamp, DamagedBytesAreRefused) {
  const std::string whole =
      EncodeStamp({.number = 7, .region = "eu", .deleted_key = EncodeItem(Item{{"pk", "a"}})});
  const std::size_t without_key = EncodeStamp({.number = 7, .region = "eu"}).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(DecodeStamp(whole.substr(0, size)).has_value(), size == without_key) << size;
  }
  EXPECT_FALSE(DecodeStamp("\x02" + whole.substr(1)));
  EXPECT_FALSE(DecodeStamp(whole + "x"));
}

TEST(WriteStamp, LaterNumbersWinThenGreaterRegions) {
  const WriteStamp first{.number = 1, .region = "us"};
  EXPECT_TRUE((WriteStamp{.number = 2, .region = "eu"}).IsAfter(first));
  EXPECT_FALSE((WriteStamp{.number = 1, .region = "eu"}).IsAfter(first));
  EXPECT_FALSE(first.IsAfter(first));
  EXPECT_TRUE(first.IsAfter({.number = 1, .region = "eu"}));
}

TEST(ReplicaNote, IsReadAsItWasWritten) {
  const Replication replication{.log_space = 17};
  const std::string tail = "hashkey";
  const std::string key = NoteKey(replication, 3, 9, tail);
  EXPECT_EQ(key, "\0\0\0\x11\0\0\0\x03\0\0\0\0\0\0\0\x09hashkey"s);
  const storage::Range range = NotesFor(replication, 3);
  EXPECT_LE(range.begin, key);
  EXPECT_LT(key, range.end);
  EXPECT_GE(NoteKey(replication, 4, 0, tail), range.end);
  const auto note = DecodeNoteKey(key);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->target, 3u);
  EXPECT_EQ(note->number, 9u);
  EXPECT_EQ(note->item_tail, tail);
  EXPECT_FALSE(DecodeNoteKey(key.substr(0, 19)));
  EXPECT_TRUE(DecodeNoteKey(key.substr(0, 20)));
}

TEST(StampClock, NeverGoesBack) {
  FakeClock clock;
  StampClock stamps(clock);
  const std::uint64_t first = stamps.Next(0);
  EXPECT_EQ(first >> kStampCounterBits, static_cast<std::uint64_t>(clock.NowMs()));
  EXPECT_GT(stamps.Next(0), first);
  clock.Advance(-10'000);
  EXPECT_GT(stamps.Next(0), first);
  EXPECT_GT(stamps.Next(first + 1000), first + 1000);
  EXPECT_GT(stamps.Next(0), first + 1001);
}

}  // namespace
}  // namespace prejoin::engine
