// Changes texts by their structure, for libFuzzer targets that read a language: lines, groups in brackets, words, numbers and quoted
// texts are left out, doubled, swapped, nested, taken over from other inputs, or become hostile ones; a name is changed wherever
// it stands. One mutator for JSON, YAML, SQL and model files, because all of them are made of these parts.
#ifndef PREJOIN_TESTS_FUZZ_STRUCTURED_MUTATOR_H_
#define PREJOIN_TESTS_FUZZ_STRUCTURED_MUTATOR_H_

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace prejoin::fuzz {

struct InputLanguage {
  std::vector<std::string> samples;
  std::vector<std::string> pieces;                    // The words of the language.
  std::string (*make)(std::uint64_t seed) = nullptr;  // A whole input by its grammar.
};

inline const std::vector<std::string>& HostileNumbers() {
  static const std::vector<std::string> numbers = {"0",
                                                   "-1",
                                                   "1e400",
                                                   "-1e400",
                                                   "1e-400",
                                                   "0.1",
                                                   "9007199254740993",
                                                   "9223372036854775807",
                                                   "18446744073709551616",
                                                   "1e15",
                                                   "2.5",
                                                   "4096",
                                                   "2000000",
                                                   "1e9",
                                                   "1e300",
                                                   "-0.0",
                                                   "0x10",
                                                   "1e",
                                                   "99999999999999999999999999999999999999999"};
  return numbers;
}

inline const std::vector<std::string>& HostileTexts() {
  static const std::vector<std::string> texts = {
      "",         " ",    "#",     "##",         "{",     "}",   "{}",      "${",        "${}",
      "{a",       "a}",   "<>",    "<a",         "\\\\",  "\\n", "\\u0000", "'",         "''",
      "\\\"",     "--",   "/*",    "*/",         "//",    ";",   "$1",      ":",         "..",
      "../x",     "é",    "名前",  "\\ud800",    "a b",   "a#b", "a-b",     "-",         "_",
      "0",        "9a",   "null",  "true",       "S",     "N",   "PK",      "__proto__", "${a.b}",
      "${a:6:0}", "HASH", "RANGE", "2024-01-01", "1e999", "\\t"};
  return texts;
}

// Single thread; good for one input.
class StructuredMutator {
 public:
  StructuredMutator(unsigned seed, const InputLanguage& language)
      : random_(seed), language_(language) {}

  std::string Mutate(std::string text) {
    for (std::size_t edits = Below(4) == 0 ? 2 + Below(3) : 1; edits > 0; --edits) {
      Edit(text);
    }
    return text;
  }

  std::size_t Below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }
  const std::string& Sample() { return language_.samples[Below(language_.samples.size())]; }

 private:
  struct Span {
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  static bool IsWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0;
  }

  template <class Same>
  static std::vector<Span> Runs(const std::string& text, const Same& same) {
    std::vector<Span> runs;
    for (std::size_t i = 0; i < text.size();) {
      if (!same(text[i])) {
        ++i;
        continue;
      }
      const std::size_t begin = i;
      while (i < text.size() && same(text[i])) {
        ++i;
      }
      runs.push_back({begin, i - begin});
    }
    return runs;
  }

  static std::vector<Span> Words(const std::string& text) { return Runs(text, IsWord); }

  static std::vector<Span> Lines(const std::string& text) {
    std::vector<Span> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
      lines.push_back({begin, end + 1 - begin});
      begin = end + 1;
    }
    return lines;
  }

  // Balanced brackets, with them.
  static std::vector<Span> Groups(const std::string& text) {
    std::vector<Span> groups;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{' || text[i] == '[' || text[i] == '(') {
        open.push_back(i);
      }
      if ((text[i] == '}' || text[i] == ']' || text[i] == ')') && !open.empty()) {
        groups.push_back({open.back(), i + 1 - open.back()});
        open.pop_back();
      }
    }
    return groups;
  }

  // What is between two quotes.
  static std::vector<Span> Quoted(const std::string& text) {
    std::vector<Span> quoted;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '"' && text[i] != '\'') {
        continue;
      }
      const std::size_t end = text.find(text[i], i + 1);
      if (end == std::string::npos) {
        break;
      }
      quoted.push_back({i + 1, end - i - 1});
      i = end;
    }
    return quoted;
  }

  Span Pick(const std::vector<Span>& spans) { return spans[Below(spans.size())]; }
  static std::string Of(const std::string& text, Span span) {
    return text.substr(span.begin, span.size);
  }

  // A part of the same kind, of this text or of a sample.
  template <class Find>
  std::string Another(const std::string& text, const Find& find) {
    const std::string& from = Below(2) == 0 ? text : Sample();
    const std::vector<Span> spans = find(from);
    return spans.empty() ? std::string() : Of(from, Pick(spans));
  }

  template <class Find>
  void Move(std::string& text, const Find& find) {
    const std::vector<Span> spans = find(text);
    if (spans.empty()) {
      return;
    }
    const Span at = Pick(spans);
    switch (Below(5)) {
      case 0:
        text.erase(at.begin, at.size);
        return;
      case 1:
        text.insert(at.begin, Of(text, at));
        return;
      case 2:
        text.insert(at.begin, Another(text, find));
        return;
      case 3:
        text.replace(at.begin, at.size, Another(text, find));
        return;
      default: {
        const Span other = Pick(spans);
        const std::string mine = Of(text, at);
        const std::string theirs = Of(text, other);
        if (at.begin + at.size <= other.begin) {
          text.replace(other.begin, other.size, mine);
          text.replace(at.begin, at.size, theirs);
        }
      }
    }
  }

  void Nest(std::string& text) {
    const std::vector<Span> groups = Groups(text);
    if (groups.empty()) {
      return;
    }
    const Span at = Pick(groups);
    const std::size_t depth = 1 + Below(Below(8) == 0 ? 200 : 4);
    text.insert(at.begin + at.size, std::string(depth, text[at.begin + at.size - 1]));
    text.insert(at.begin, std::string(depth, text[at.begin]));
  }

  void Rename(std::string& text) {
    const std::vector<Span> words = Words(text);
    if (words.empty()) {
      return;
    }
    const std::string from = Of(text, Pick(words));
    const std::string to = NewWord(text);
    for (std::size_t i = words.size(); i > 0; --i) {
      if (Of(text, words[i - 1]) == from) {
        text.replace(words[i - 1].begin, words[i - 1].size, to);
      }
    }
  }

  std::string NewWord(const std::string& text) {
    if (!language_.pieces.empty() && Below(2) == 0) {
      return language_.pieces[Below(language_.pieces.size())];
    }
    return Another(text, Words);
  }

  void Replace(std::string& text, const std::vector<Span>& spans, const std::string& with) {
    if (spans.empty()) {
      return;
    }
    const Span at = Pick(spans);
    text.replace(at.begin, at.size, with);
  }

  void Edit(std::string& text) {
    switch (Below(12)) {
      case 0:
      case 1:
        return Move(text, Lines);
      case 2:
      case 3:
        return Move(text, Groups);
      case 4:
        return Move(text, Words);
      case 5:
        return Move(text, Quoted);
      case 6:
        return Nest(text);
      case 7:
      case 8:
        return Rename(text);
      case 9:
        return Replace(text, Words(text), NewWord(text));
      case 10:
        return Replace(text, Runs(text, [](char c) { return c >= '0' && c <= '9'; }),
                       HostileNumbers()[Below(HostileNumbers().size())]);
      default:
        return Replace(text, Quoted(text), HostileTexts()[Below(HostileTexts().size())]);
    }
  }

  std::mt19937 random_;
  const InputLanguage& language_;
};

// For LLVMFuzzerCustomMutator, whose parameters and result these are.
inline std::size_t MutateInLanguage(const InputLanguage& language, std::uint8_t* data,
                                    std::size_t size, std::size_t size_max, unsigned seed) {
  StructuredMutator mutator(seed, language);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (size <= 1 || mutator.Below(language.make != nullptr ? 3 : 16) == 0) {
    text =
        language.make != nullptr && mutator.Below(4) != 0 ? language.make(seed) : mutator.Sample();
  } else if (mutator.Below(8) == 0) {
    return LLVMFuzzerMutate(data, size, size_max);
  } else if (mutator.Below(8) == 0) {
    text = Mutator(seed, language.pieces).Mutate(std::move(text));
  }
  if (mutator.Below(4) != 0) {
    text = mutator.Mutate(std::move(text));
  }
  const std::size_t bytes = std::min(text.size(), size_max);
  std::memcpy(data, text.data(), bytes);
  return bytes;
}

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_STRUCTURED_MUTATOR_H_
