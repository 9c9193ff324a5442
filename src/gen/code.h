// Lines of generated text with indentation.
#ifndef PREJOIN_GEN_CODE_H_
#define PREJOIN_GEN_CODE_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::gen {

// Marks in a text that say how it is laid out.
inline constexpr char kImportMark =
    '\x0e';  // Before a name that the file must import; takes no room.
inline constexpr char kBlankMark = '\x1c';  // Alone on a line: an empty line.
inline constexpr char kGapMark = '\x1d';    // Alone on a line: an empty line, unless there is one.
inline constexpr char kProseMark = '\x1e';  // The text after it is folded as prose.

std::string Join(const std::vector<std::string>& parts, std::string_view between);

// Folding of a line that is too long: at its last brackets, and again inside them.
enum class Folding {
  kNone,      // As gofmt: never.
  kEachLine,  // As prettier: each thing between the brackets on a line of its own.
  kOneLine,   // As black: all of them on one line if they fit there, else each on its own.
  kHanging,  // As google-java-format: the same, but the closing bracket stays with the last of them.

};

// Single thread.
class Code {
 public:
  explicit Code(std::string indent = "  ", std::size_t width = 80,
                Folding folding = Folding::kEachLine)
      : indent_(std::move(indent)), width_(width), folding_(folding) {}

  // Empty text: an empty line without blanks. Lines inside `text` are indented alike. A line that
  // is too long is folded.
  void Line(std::string_view text = "");
  // An empty line, unless there is one already or nothing is before it.
  void Gap();
  void In() { ++depth_; }
  void Out() { --depth_; }
  // `head` on a line, what `body` writes indented, `tail` on a line.
  template <class Body>
  void Block(std::string_view head, std::string_view tail, const Body& body) {
    Line(head);
    In();
    body();
    Out();
    Line(tail);
  }
  // head + parts + tail in one line if they fit, else each part on a line of its own, with
  // `last` after the last one (a comma, where the language's formatter puts one).
  void List(const std::string& head, const std::vector<std::string>& parts, const std::string& tail,
            std::string_view last = ",", std::string_view pad = "");
  // A text for people, folded to the width, `prefix` in front of each line. Behind "/**" it is a comment of its own.
  void Prose(std::string_view prefix, std::string_view text);

  const std::string& text() const { return text_; }

  // A pair of brackets in a line.
  struct Brackets {
    std::size_t open = std::string_view::npos;
    std::size_t close = 0;
    std::vector<std::size_t> commas;  // Between them, not inside others.
  };

 private:
  bool Marked(std::string_view line);
  bool Hug(std::string_view line, Brackets& brackets) const;
  bool FoldArrow(std::string_view line, const Brackets& brackets);
  void FoldWhole(std::string_view body);
  void FoldTests(std::string_view part);
  bool FoldChoice(std::string_view line);
  void FoldHanging(std::string_view line, const Brackets& brackets);
  bool Fits(std::string_view line) const;
  void OneLine(std::string_view line);
  // False when there are no brackets to fold at.
  bool Fold(std::string_view line);

  std::string indent_;
  std::size_t width_;
  Folding folding_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_CODE_H_
