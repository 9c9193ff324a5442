// CloudWatch's three protocols read and write the same tree.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "wire/cloudwatch/node.h"

namespace prejoin::wire {
namespace {

TEST(CloudWatchNode, AFormHasListsAndMaps) {
  const auto request = ReadForm(
      "Action=GetMetricData&Queries.member.2.Id=b&Queries.member.1.Id=a%26c&"
      "Queries.member.1.Dimensions.member.1.Name=Table+Name&StartTime=2026-12-01T00%3A00%3A00Z");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->TextOf("Action"), "GetMetricData");
  ASSERT_EQ(request->ListOf("Queries").size(), 2u);
  EXPECT_EQ(request->ListOf("Queries")[0].TextOf("Id"), "a&c");
  EXPECT_EQ(request->ListOf("Queries")[0].ListOf("Dimensions")[0].TextOf("Name"), "Table Name");
  EXPECT_EQ(request->ListOf("Queries")[1].TextOf("Id"), "b");
  EXPECT_EQ(request->TimeOf("StartTime"), 1'796'083'200);
}

TEST(CloudWatchNode, AFormThatIsNoTreeIsRefused) {
  for (const char* body : {"a.member=1", "a.member.0=1", "a.member.x=1", "a.member.60000=1",
                           "a=1&a.b=2&a.b.c=3", "=1", ".=1", "a..b=1"}) {
    EXPECT_FALSE(ReadForm(body)) << body;
  }
  EXPECT_FALSE(ReadForm("a" + std::string(40, '.') + "b=1"));
}

// A few bytes may stand for many values: elements before a large number, nulls, maps without members.
TEST(CloudWatchNode, ARequestHasABoundedNumberOfValues) {
  std::string form;
  for (int i = 0; i < 20; ++i) {
    form += "a.member.9000.b" + std::to_string(i) + ".member.9000=1&";
  }
  EXPECT_TRUE(ReadForm("a.member.9000.b.member.9000=1"));
  EXPECT_FALSE(ReadForm(form));
  const auto nulls = [](std::size_t count, const std::string& null, const std::string& between) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) {
      list += (i == 0 ? "" : between) + null;
    }
    return list;
  };
  EXPECT_TRUE(ReadJson("{\"a\":[" + nulls(kNodesMax - 2, "{}", ",") + "]}"));
  EXPECT_FALSE(ReadJson("{\"a\":[" + nulls(kNodesMax - 1, "{}", ",") + "]}"));
  EXPECT_TRUE(ReadCbor("\xa1\x61n\x9f" + nulls(kNodesMax, "\xf6", "") + "\xff"));
  EXPECT_FALSE(ReadCbor("\xa1\x61n\x9f" + nulls(2 * kNodesMax, "\xf6", "") + "\xff"));
}

TEST(CloudWatchNode, AMapHasABoundedNumberOfMembers) {
  const auto read = [](std::size_t members) {
    std::string form;
    std::string json;
    std::string cbor = "\xbf";
    for (std::size_t i = 0; i < members; ++i) {
      const std::string name = std::to_string(10 + i);
      form += "a" + name + "=1&";
      json += (i == 0 ? "\"" : ",\"") + name + "\":1";
      cbor += static_cast<char>(0x60 + name.size()) + name + "\x01";
    }
    return std::vector<bool>{ReadForm(form).has_value(), ReadJson("{" + json + "}").has_value(),
                             ReadCbor(cbor + "\xff").has_value()};
  };
  EXPECT_EQ(read(kMapMembersMax), std::vector<bool>(3, true));
  EXPECT_EQ(read(kMapMembersMax + 1), std::vector<bool>(3, false));
}

TEST(CloudWatchNode, TimesHaveFractionsAndOffsets) {
  const auto at = [](const std::string& text) {
    return Node::Map().Set("t", Node::Text(text)).TimeOf("t");
  };
  EXPECT_EQ(at("2026-12-01T01:00:00+01:00"), 1'796'083'200);
  EXPECT_EQ(at("2026-11-30T23:30:00-00:30"), 1'796'083'200);
  EXPECT_DOUBLE_EQ(*at("2026-12-01T00:00:00.250Z"), 1'796'083'200.25);
  EXPECT_EQ(at("1796083200"), 1'796'083'200);
  for (const char* wrong : {"", "soon", "2026-12-01", "2026-12-01T00:00:00+1", "nan", "inf"}) {
    EXPECT_FALSE(at(wrong)) << wrong;
  }
}

// As RFC 8949, appendix A, has them.
TEST(CloudWatchNode, ReadsPublishedCbor) {
  const auto number = [](std::string bytes) {
    const auto node = ReadCbor("\xa1\x61n" + bytes);
    return node ? node->NumberOf("n") : std::nullopt;
  };
  using namespace std::string_literals;
  EXPECT_EQ(number("\x18\x64"s), 100);
  EXPECT_EQ(number("\x19\x03\xe8"s), 1'000);
  EXPECT_EQ(number("\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00"s), 1e12);
  EXPECT_EQ(number("\x38\x63"s), -100);
  EXPECT_EQ(number("\xf9\x3c\x00"s), 1.0);
  EXPECT_EQ(number("\xf9\x7b\xff"s), 65'504.0);
  EXPECT_EQ(number("\xf9\x00\x01"s), 5.960464477539063e-8);
  EXPECT_EQ(number("\xfa\x47\xc3\x50\x00"s), 100'000.0);
  EXPECT_EQ(number("\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a"s), 1.1);
  const auto open = ReadCbor("\xbf\x61t\xc1\x1a\x51\x4b\x67\xb0\x61l\x9f\x01\x02\xff\x61s\x7f\x65strea\x64ming\xff\xff"s);
  ASSERT_TRUE(open);
  EXPECT_EQ(open->TimeOf("t"), 1'363'896'240);
  EXPECT_EQ(open->ListOf("l").size(), 2u);
  EXPECT_EQ(open->TextOf("s"), "streaming");
}

Node RandomNode(std::mt19937& random, int depth) {
  switch (random() % (depth > 0 ? 5 : 3)) {
    case 0:
      return Node::Number(static_cast<double>(random()) / 7);
    case 1:
      return Node::Text(std::string(static_cast<std::size_t>(random() % 300), static_cast<char>('a' + random() % 26)));
    case 2:
      return Node::Time(static_cast<double>(random()));
    case 3: {
      Node list = Node::List();
      for (std::size_t i = random() % 30; i > 0; --i) {
        list.list.push_back(RandomNode(random, depth - 1));
      }
      return list;
    }
    default: {
      Node map = Node::Map();
      for (std::size_t i = random() % 5; i > 0; --i) {
        map.Set("name" + std::to_string(i), RandomNode(random, depth - 1));
      }
      return map;
    }
  }
}

TEST(CloudWatchNode, CborReadsWhatItWrote) {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (int i = 0; i < 200; ++i) {
    const Node node = Node::Map().Set("n", RandomNode(random, 4));
    std::string bytes;
    PrintCbor(node, bytes);
    const auto read = ReadCbor(bytes);
    ASSERT_TRUE(read) << "seed " << kSeed << ", node " << i;
    std::string again;
    PrintCbor(*read, again);
    EXPECT_EQ(again, bytes);
    for (std::size_t cut = 1; cut < std::min<std::size_t>(bytes.size(), 50); ++cut) {
      EXPECT_FALSE(ReadCbor(bytes.substr(0, cut)));
    }
  }
}

}  // namespace
}  // namespace prejoin::wire
