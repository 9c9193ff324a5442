// A language as a table of spellings: an entry for each thing that generated code says, with places for its parts.
//
//   entry: text                 one line
//   entry:                      several lines, two blanks deeper; an empty line or ~ is a gap, a line with one dot is an empty line
//
// In a text:
//   $part, $part<sep>           a part; several texts are joined by a comma and a blank, or by what is in the angles
//   $(part)                     a part with a letter after it
//   $camel(part)                a part as a name; the styles are at StyleOf, and `style`, `style_taken`, `style_suffix` entries make more
//   $?part«…», $!part«…»        if the part is there, if it is not
//   $*part«…», $*part<sep>«…»   for each of several texts, which is $it there; joined by line ends, or by what is in the angles
//   $>entry                     another entry with the same parts
//   $fit80«…»«…»                the first if it is at most so long, else the second
//   %name                       a name that the file must import
//   ¶                           the rest of the line is prose, folded with what is before it on each line
//   $$ %%                       the characters themselves
// A line that has nothing but parts that do not exist is left out.
#ifndef PREJOIN_GEN_EMIT_SPELLING_H_
#define PREJOIN_GEN_EMIT_SPELLING_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace prejoin::gen::emit {

// The value of a placeholder: a text, several texts, or the fact that something holds.
struct Part {
  Part(std::string one) : text(std::move(one)) {}
  Part(const char* one) : text(one) {}
  Part(std::vector<std::string> several) : list(std::move(several)), is_list(true) {}
  Part(bool holds) : text(holds ? "yes" : "") {}
  bool there() const { return is_list ? !list.empty() : !text.empty(); }

  std::string text;
  std::vector<std::string> list;
  bool is_list = false;
};
using Parts = std::map<std::string, Part, std::less<>>;
// The fields of both; `more` wins.
Parts Also(Parts parts, const Parts& more);

// The words of a list with blanks or line ends between them.
std::set<std::string> WordsIn(std::string_view text);

// Thread-compatible.
class Spelling {
 public:
  // The entries of a style replace those of the table.
  explicit Spelling(std::string_view table, std::string_view style = {});

  bool Has(std::string_view entry) const { return entries_.contains(entry); }
  // The entry with its places filled. It must be there.
  std::string operator()(std::string_view entry, const Parts& parts = {}) const;
  // The entry, or nothing if there is none.
  std::string Maybe(std::string_view entry, const Parts& parts = {}) const;
  // A name in a style: camel, name, quoted …
  std::string Styled(std::string_view style, const std::string& text) const;
  bool IsStyle(std::string_view style) const;
  // Sets the name of something in a style.
  void Rename(std::string_view style, const std::string& text, std::string spelled) {
    renamed_[std::string(style)][text] = std::move(spelled);
  }

 private:
  std::map<std::string, std::string, std::less<>> entries_;
  std::map<std::string, std::set<std::string>, std::less<>> taken_;                 // By style.
  std::map<std::string, std::map<std::string, std::string>, std::less<>> renamed_;  // By style.
};

// The table of a language, or of one of its styles: "typescript", "boto3". It must be there.
const Spelling& SpellingOf(std::string_view language);

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_SPELLING_H_
