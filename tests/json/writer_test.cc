#include "json/writer.h"

#include "json/reader.h"

namespace prejoin::wire {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  json::AppendString(text, out);
  return out;
}

TEST(JsonWriter, EscapesWhatJsonDemandsAndNothingElse) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("plain / text \x7f é 漢 😀"), "\"plain / text \x7f é 漢 😀\"");
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
}

// The search for special characters goes eight bytes at a time, so each place in a word counts.
TEST(JsonWriter, FindsSpecialCharactersAtEveryPlace) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (const char special : {'"', '\\', '\n', '\x1f', '\0'}) {
        std::string text(size, '\x80');
        text.assign(size, 'a');
        text[at] = special;
        const std::string quoted = Quoted(text);
        const std::string before(at, 'a');
        const std::string after(size - at - 1, 'a');
        const std::string escape = special == '"'    ? "\\\""
                                   : special == '\\' ? "\\\\"
                                   : special == '\n' ? "\\n"
                                   : special == '\0' ? "\\u0000"
                                                     : "\\u001f";
        ASSERT_EQ(quoted, "\"" + before + escape + after + "\"");
        ASSERT_TRUE(json::NeedsEscape(text));
        text[at] = '\x80';
        ASSERT_FALSE(json::NeedsEscape(text));
      }
    }
  }
}

TEST(JsonWriter, ReturnsEveryByteValueUnchanged) {
  // Every code point up to U+07FF and some beyond, read back by the parser.
  std::string text;
  for (int c = 0; c < 0x80; ++c) {
    text.push_back(static_cast<char>(c));
  }
  for (int c = 0x80; c < 0x800; ++c) {
    text.push_back(static_cast<char>(0xC0 | c >> 6));
    text.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
  text.append("\u2028\u2029\uFEFF\uFFFF\U0010FFFF");
  const auto document = json::Document::Parse(Quoted(text));
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->root().string(), text);
}

TEST(JsonWriter, PrintsUnitsWithADecimalPoint) {
  const std::pair<double, std::string_view> kCases[] = {
      {0, "0.0"}, {1, "1.0"}, {0.5, "0.5"}, {128.5, "128.5"}, {1234567, "1234567.0"}};
  for (const auto& [number, text] : kCases) {
    std::string out;
    json::AppendDouble(number, out);
    EXPECT_EQ(out, text);
  }
}

TEST(JsonWriter, WritesObjects) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("a", "x\"");
    object.Integer("b", -7);
    object.Bool("c", true);
    object.Time("d", 1363729002058);
    { json::ObjectWriter inner(object.Key("k\n")); }
    json::AppendArray(std::vector<int>{1, 2}, object.Name("e"),
                      [&](int number) { json::AppendInteger(number, out); });
  }
  EXPECT_EQ(out, R"({"a":"x\"","b":-7,"c":true,"d":1363729002.058,"k\n":{},"e":[1,2]})");
}

}  // namespace
}  // namespace prejoin::wire
