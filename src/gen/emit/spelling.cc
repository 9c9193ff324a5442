#include "gen/emit/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.h"
#include "gen/code.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen::emit {
namespace {

constexpr std::string_view kOpen = "«";
constexpr std::string_view kClose = "»";

bool IsPartChar(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// A text inside a template string: what would end it or begin a place is escaped.
std::string InTemplate(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '`' || c == '\\' || c == '$' ? "\\" : "";
    out += c;
  }
  return out;
}

// The same for Python, whose braces are doubled.
std::string InFormat(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '{' || c == '}' ? std::string(1, c) : c == '"' || c == '\\' ? "\\" : "";
    out += c;
  }
  return out;
}

// A text inside a comment that is read as HTML.
std::string InHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '@':
        out += "&#64;";
        break;
      default:
        out += c == '/' && out.ends_with('*') ? "&#47;" : std::string(1, c);
    }
  }
  return out;
}

std::string Unquoted(std::string_view text) { return std::string(text); }
std::string InQuotes(std::string_view text) { return Quoted(text); }
std::string AsAccess(std::string_view text) {
  return IsIdentifier(text) ? "." + std::string(text) : "[" + Quoted(text) + "]";
}
std::string WithoutUnderscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

struct Style {
  std::string_view name;
  std::string (*text)(std::string_view);
};
constexpr std::array kStyles = {Style{"pascal", PascalCase},
                                Style{"camel", CamelCase},
                                Style{"snake", SnakeCase},
                                Style{"upper", UpperSnakeCase},
                                Style{"plain", Unquoted},
                                Style{"quoted", InQuotes},
                                Style{"property", PropertyName},
                                Style{"access", AsAccess},
                                Style{"template", InTemplate},
                                Style{"format", InFormat},
                                Style{"html", InHtml},
                                Style{"comment", CommentText},
                                Style{"run", WithoutUnderscores},
                                Style{"exported", ExportedCase},
                                Style{"unexported", UnexportedCase}};

const Style* StyleOf(std::string_view name) {
  const auto found = std::ranges::find(kStyles, name, &Style::name);
  return found == kStyles.end() ? nullptr : &*found;
}

// One entry being filled. Single thread.
class Filling {
 public:
  Filling(const Spelling& spelling, const Parts& parts, std::string_view text)
      : spelling_(spelling), parts_(parts), text_(text) {}

  std::string Fill() {
    std::string out;
    Run(out, true);
    EndLine(out, true, true);
    return out;
  }

 private:
  bool Takes(std::string_view what) {
    const bool takes = text_.substr(at_).starts_with(what);
    at_ += takes ? what.size() : 0;
    return takes;
  }

  std::string_view Word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsPartChar(text_[at_])) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  // Until the close of the group at hand, or the end.
  void Run(std::string& out, bool live) {
    while (at_ < text_.size()) {
      if (Takes(kClose)) {
        has_content_ = true;
        return;
      }
      const char c = text_[at_];
      if (c == '\n') {
        EndLine(out, live, false);
        ++at_;
        continue;
      }
      has_content_ = true;
      if (Takes("$$") || Takes("%%")) {
        out += live ? std::string(1, c) : "";
      } else if (Takes("%")) {
        out += live ? std::string(1, kImportMark) : "";
      } else if (Takes("¶")) {
        out += live ? std::string(1, kProseMark) : "";
      } else if (Takes("$")) {
        Place(out, live);
      } else {
        out += live ? std::string(1, c) : "";
        ++at_;
      }
    }
  }

  // The end of a line of the entry. `last`: of the entry itself.
  void EndLine(std::string& out, bool live, bool last) {
    if (!live) {
      return;
    }
    const std::string_view line = std::string_view(out).substr(line_start_);
    if (has_content_ && line.find_first_not_of(" \t") == std::string_view::npos) {
      out.resize(line_start_);
      if (last && out.ends_with('\n')) {
        out.pop_back();
      }
    } else {
      out += has_content_ ? "" : std::string(1, kGapMark);
      out += last ? "" : "\n";
    }
    line_start_ = out.size();
    has_content_ = false;
  }

  // Lines of a part stand as deep as the line that it is in.
  void Append(std::string& out, std::string_view text, bool live) const {
    if (!live) {
      return;
    }
    const std::size_t end = out.find_first_not_of(" \t", line_start_);
    const std::string indent = out.substr(line_start_, std::min(end, out.size()) - line_start_);
    for (const char c : text) {
      out += c;
      if (c == '\n') {
        out += indent;
      }
    }
  }

  const Part& Find(std::string_view name) const {
    const auto found = parts_.find(name);
    PJ_CHECK(found != parts_.end());
    return found->second;
  }

  bool IsThere(std::string_view name) const {
    if (!each_.empty() && name == "it") {
      return !each_.back().empty();
    }
    const auto found = parts_.find(name);
    return found != parts_.end() && found->second.there();
  }

  std::vector<std::string> TextsOf(std::string_view name) const {
    if (name == "it" && !each_.empty()) {
      return {each_.back()};
    }
    const Part& part = Find(name);
    return part.is_list ? part.list : std::vector<std::string>{part.text};
  }

  std::string Separator(std::string_view otherwise) {
    if (at_ >= text_.size() || text_[at_] != '<') {
      return std::string(otherwise);
    }
    const std::size_t end = text_.find('>', at_);
    const std::string separator(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return separator.starts_with("\\n") ? "\n" + separator.substr(2) : separator;
  }

  void Place(std::string& out, bool live) {
    if (Takes("?") || Takes("!")) {
      const bool wanted = text_[at_ - 1] == '?';
      const std::string_view name = Word();
      PJ_CHECK(Takes(kOpen));
      Run(out, live && IsThere(name) == wanted);
    } else if (Takes("*")) {
      Each(out, live);
    } else if (Takes(">")) {
      const std::string_view name = Word();
      if (live) {
        Append(out, spelling_(name, parts_), live);
      }
    } else if (Takes("fit")) {
      Fit(out, live);
    } else if (Takes("(")) {
      const std::string_view name = Word();
      PJ_CHECK(Takes(")"));
      if (live) {
        Append(out, Join(TextsOf(name), ", "), live);
      }
    } else {
      const std::string_view name = Word();
      PJ_CHECK(!name.empty());
      Named(out, name, live);
    }
  }

  void Named(std::string& out, std::string_view name, bool live) {
    if (!spelling_.IsStyle(name) || !Takes("(")) {
      const std::string separator = Separator(", ");
      if (live) {
        Append(out, Join(TextsOf(name), separator), live);
      }
      return;
    }
    const std::string_view part = Word();
    PJ_CHECK(Takes(")"));
    const std::string separator = Separator(", ");
    if (!live) {
      return;
    }
    std::vector<std::string> texts = TextsOf(part);
    for (std::string& text : texts) {
      text = spelling_.Styled(name, text);
    }
    Append(out, Join(texts, separator), live);
  }

  void Each(std::string& out, bool live) {
    const std::string_view name = Word();
    const std::string separator = Separator("\n");
    PJ_CHECK(Takes(kOpen));
    const std::size_t start = at_;
    const std::vector<std::string> texts =
        live && IsThere(name) ? TextsOf(name) : std::vector<std::string>{};
    if (texts.empty()) {
      Run(out, false);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) {
        Append(out, separator, live);
      }
      at_ = start;
      each_.push_back(texts[i]);
      Run(out, live);
      each_.pop_back();
    }
  }

  void Fit(std::string& out, bool live) {
    std::size_t width = 0;
    for (; std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_) {
      width = width * 10 + static_cast<std::size_t>(text_[at_] - '0');
    }
    PJ_CHECK(Takes(kOpen));
    std::string one = out;
    const std::size_t line_start = line_start_;
    Run(one, live);
    const std::string_view added = std::string_view(one).substr(out.size());
    const auto marks = static_cast<std::size_t>(std::ranges::count(added, kImportMark));
    const bool fits = added.size() - marks <= width && added.find('\n') == std::string_view::npos;
    line_start_ = line_start;
    PJ_CHECK(Takes(kOpen));
    if (fits) {
      out = std::move(one);
    }
    Run(out, live && !fits);
  }

  const Spelling& spelling_;
  const Parts& parts_;
  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;  // In the text that is made.
  bool has_content_ = false;    // The line of the entry has something in it.
  std::vector<std::string> each_;
};

using Entries = std::map<std::string, std::string, std::less<>>;

Entries EntriesOf(std::string_view table) {
  Entries entries;
  std::string* entry = nullptr;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = std::min(table.find('\n', at), table.size());
    const std::string_view line = table.substr(at, end - at);
    at = end + 1;
    if (line.starts_with('#')) {
      entry = nullptr;
    } else if (line.empty() || line.starts_with("  ")) {
      if (entry != nullptr) {
        const std::string_view bare =
            line.substr(std::min(line.find_first_not_of(' '), line.size()));
        const char mark = bare == "." ? kBlankMark : bare == "~" ? kGapMark : '\0';
        *entry += mark != 0 ? std::string(1, mark) : std::string(line.substr(line.empty() ? 0 : 2));
        *entry += '\n';
      }
    } else {
      const std::size_t colon = line.find(':');
      PJ_CHECK(colon != std::string_view::npos);
      const auto [place, added] = entries.try_emplace(std::string(line.substr(0, colon)));
      PJ_CHECK(added);
      entry = &place->second;
      if (colon + 2 < line.size()) {
        *entry = line.substr(colon + 2);
        entry = nullptr;
      }
    }
  }
  return entries;
}

// A language in another style: the entries that replace those of its table.
struct LanguageStyle {
  const char* name;
  const char* language;
  const char* table;
};
constexpr std::array kLanguageStyles = {
    LanguageStyle{"boto3", "python", "python/boto3.spelling"},
    LanguageStyle{"go-structs", "go", "go/structs.spelling"},
    LanguageStyle{"java-beans", "java", "java/beans.spelling"}};

}  // namespace

std::set<std::string> WordsIn(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

Parts Also(Parts parts, const Parts& more) {
  for (const auto& [name, part] : more) {
    parts.insert_or_assign(name, part);
  }
  return parts;
}

Spelling::Spelling(std::string_view table, std::string_view style) : entries_(EntriesOf(table)) {
  for (auto& [name, text] : EntriesOf(style)) {
    entries_.insert_or_assign(name, std::move(text));
  }
  for (auto& [name, text] : entries_) {
    while (text.ends_with('\n')) {
      text.pop_back();
    }
    if (name.ends_with("_taken")) {
      taken_[name.substr(0, name.size() - 6)] = WordsIn(text);
    }
  }
}

std::string Spelling::operator()(std::string_view entry, const Parts& parts) const {
  const auto found = entries_.find(entry);
  PJ_CHECK(found != entries_.end());
  return Filling(*this, parts, found->second).Fill();
}

std::string Spelling::Maybe(std::string_view entry, const Parts& parts) const {
  return Has(entry) ? (*this)(entry, parts) : "";
}

bool Spelling::IsStyle(std::string_view style) const {
  return StyleOf(style) != nullptr || Has(std::string(style) + "_style");
}

std::string Spelling::Styled(std::string_view style, const std::string& text) const {
  if (const Style* known = StyleOf(style)) {
    return known->text(text);
  }
  if (const auto renamed = renamed_.find(style); renamed != renamed_.end()) {
    if (const auto found = renamed->second.find(text); found != renamed->second.end()) {
      return found->second;
    }
  }
  std::string out = (*this)(
      std::string(style) + "_style",
      {{"it", text},
       {"capital", !text.empty() && std::isupper(static_cast<unsigned char>(text[0])) != 0}});
  const auto taken = taken_.find(style);
  if (taken != taken_.end() && taken->second.contains(out)) {
    out += (*this)(std::string(style) + "_suffix");
  }
  return out;
}

const Spelling& SpellingOf(std::string_view language) {
  static const std::map<std::string, Spelling, std::less<>> kSpellings = [] {
    std::map<std::string, Spelling, std::less<>> all;
    for (const std::string name : {"typescript", "python", "go", "java", "cpp", "rust"}) {
      const std::string_view table(SupportFile(name + "/" + name + ".spelling"));
      if (!table.empty()) {
        all.emplace(name, Spelling(table));
      }
    }
    for (const LanguageStyle& style : kLanguageStyles) {
      const std::string name = style.language;
      all.emplace(style.name, Spelling(SupportFile(name + "/" + name + ".spelling"),
                                       SupportFile(style.table)));
    }
    return all;
  }();
  const auto found = kSpellings.find(language);
  PJ_CHECK(found != kSpellings.end());
  return found->second;
}

}  // namespace prejoin::gen::emit
