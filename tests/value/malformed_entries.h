// Entries of an item body, a name and a value, that lead a reader astray: out of the body, or to a value that is none.
#ifndef PREJOIN_TESTS_VALUE_MALFORMED_ENTRIES_H_
#define PREJOIN_TESTS_VALUE_MALFORMED_ENTRIES_H_

#include <string>
#include <string_view>

namespace prejoin {

inline std::string FromHex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

struct MalformedEntry {
  const char* what;
  const char* hex;  // The name is "q".
};

inline constexpr MalformedEntry kMalformedEntries[] = {
    {"name past the end", "0571"},
    {"no value", "0171"},
    {"unknown tag", "01710a"},
    {"string past the end", "0171000561"},
    {"string past the end of every item", "017100ffffff7f61"},
    {"boolean of 2", "01710302"},
    {"number that is none", "0171010178"},
    {"number not canonical", "017101023031"},
    {"empty number", "01710100"},
    {"list longer than the item", "017105ff00000000"},
    {"list with bytes behind its elements", "017105020000000000"},
    {"list shorter than its elements", "0171050100000001"},
    {"list that counts an element too many", "017105020000000204"},
    {"map with an unknown tag inside", "01710604000000010178aa"},
    {"length field cut off", "0171050100"},
    {"set of numbers with a word", "01710803000000010178"},
    {"set shorter than its members", "01710702000000010561"},
};

}  // namespace prejoin

#endif  // PREJOIN_TESTS_VALUE_MALFORMED_ENTRIES_H_
