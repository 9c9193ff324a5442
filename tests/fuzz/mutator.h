// Random damage to texts and files: the mutation tests run it in every build, without a fuzzer.
#ifndef PREJOIN_TESTS_FUZZ_MUTATOR_H_
#define PREJOIN_TESTS_FUZZ_MUTATOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace prejoin::fuzz {

// Changes a text in a few places: another byte, bytes left out or written twice, a piece of the
// language put in or put over others, the end cut off, a piece many times in a row. `pieces` are
// what the language under test is made of. Single thread.
class Mutator {
 public:
  Mutator(std::uint32_t seed, std::vector<std::string> pieces)
      : random_(seed), pieces_(std::move(pieces)) {}

  std::size_t Below(std::size_t bound) { return random_() % bound; }

  template <class Texts>
  const auto& Pick(const Texts& texts) {
    return texts[Below(std::size(texts))];
  }

  std::string Mutate(std::string text) {
    for (std::size_t edits = 1 + Below(5); edits > 0; --edits) {
      Edit(text);
    }
    return text;
  }

 private:
  std::string Piece() { return pieces_.empty() ? std::string() : Pick(pieces_); }

  void Edit(std::string& text) {
    if (text.empty()) {
      text = Piece();
      return;
    }
    const std::size_t at = Below(text.size());
    const std::size_t count = 1 + Below(std::min<std::size_t>(text.size() - at, 24));
    switch (Below(8)) {
      case 0:
        text[at] = static_cast<char>(Below(256));
        return;
      case 1:
        text.erase(at, count);
        return;
      case 2:
      case 3:
        text.insert(at, Piece());
        return;
      case 4:
        text.replace(at, count, Piece());
        return;
      case 5:
        text.insert(at, text.substr(at / 2, count));
        return;
      case 6:
        text.resize(at);
        return;
      default:
        return Repeat(text, at);
    }
  }

  // Depth is what parsers by recursion die of.
  void Repeat(std::string& text, std::size_t at) {
    const std::string piece = Piece();
    std::string many;
    for (std::size_t times = piece.size() > 8 ? 2 : Below(400); times > 0; --times) {
      many += piece;
    }
    text.insert(at, many);
  }

  std::mt19937 random_;
  std::vector<std::string> pieces_;
};

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_MUTATOR_H_
