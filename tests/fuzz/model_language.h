// Model files as the input of a fuzz target: the examples, random models with hostile names, and the words of the language.
#ifndef PREJOIN_TESTS_FUZZ_MODEL_LANGUAGE_H_
#define PREJOIN_TESTS_FUZZ_MODEL_LANGUAGE_H_

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/structured_mutator.h"
#include "tests/model/hostile_model.h"

namespace prejoin::fuzz {

// One of a size that the target takes whole.
inline std::string MakeModel(std::uint64_t seed) {
  constexpr std::size_t kBytesMax = 3'000;
  std::string text = model::HostileModel(seed);
  for (std::uint64_t next = seed + 1; text.size() > kBytesMax; ++next) {
    text = model::HostileModel(next * 0x9e3779b97f4a7c15u);
  }
  return text;
}

// One of the names by a seed. Searches and proofs take a hundred times as long as the rest, so one time in four only.
template <class Named>
std::string_view PickWork(const Named& all, std::uint64_t seed) {
  const std::string_view name = all[seed % std::size(all)].name;
  const bool long_work = name == "design" || name == "prove" || name == "advise";
  return long_work && seed / std::size(all) % 4 != 0 ? std::string_view("check") : name;
}

inline InputLanguage ModelLanguage() {
  InputLanguage language;
  language.samples = SampleFiles("examples/models", ".prejoin", 2500);
  for (const char* folder : {"examples/models/broken", "tests/model/workloads"}) {
    for (std::string& text : SampleFiles(folder, ".prejoin", 2500)) {
      language.samples.push_back(std::move(text));
    }
  }
  language.pieces = model::HostileNames();
  for (const char* piece : {"text",
                            "number",
                            "bool",
                            "binary",
                            "date",
                            "time",
                            "text-set",
                            "number-set",
                            "list of (a text, b number)",
                            "map of (a text(~3) optional)",
                            "key",
                            "optional",
                            "optional 2%",
                            "unique",
                            "immutable",
                            "changes 1/year",
                            "values (\"A\", \"B\")",
                            "one of \"A\" 3%, \"B\" 97%",
                            "one of 1 50%, 2",
                            "day distinct 90",
                            "rate 5/s, 500/s from 08:00 to 10:00",
                            "from 22:30 to 06:00",
                            "first 5 distinct 7",
                            "a <> \"B\"",
                            "not exists(a)",
                            "at day = :d",
                            "at hour >= :d",
                            "id first 2 = :x",
                            "set a = \"A\"",
                            "set a = :a",
                            "with a, b = 1",
                            "{at day}",
                            "{at hour}",
                            "{at month}",
                            "{id first 2}",
                            "{id first 99}",
                            "{n descending}",
                            "{n descending 6}",
                            "distinct 3",
                            "zipf 1.1",
                            "hottest 5%",
                            "grows",
                            "spread",
                            "count 5",
                            "count 12 fixed",
                            "kept 9 days",
                            "ttl",
                            "one-to-one",
                            "one-to-many",
                            "many-to-many",
                            "through",
                            "unbounded",
                            "at most 7",
                            "sparse",
                            "dense",
                            "rate 4/s",
                            "peak 90/s",
                            "fresh strong",
                            "fresh eventual",
                            "fresh after",
                            "order by",
                            "desc",
                            "limit 2",
                            "returns ~3",
                            "get",
                            "via",
                            "begins_with",
                            "contains",
                            "exists",
                            "between",
                            ":p",
                            "once",
                            "times 3",
                            "for each",
                            "with",
                            "+= 1",
                            "remove",
                            "if",
                            "project all",
                            "project keys",
                            "partition",
                            "sort",
                            "local index",
                            "type",
                            "upper",
                            "lower",
                            "pad 6",
                            "{shard 8 of id}",
                            "{id}",
                            "without",
                            "unique id by lock item",
                            "copy of",
                            "kept by stream",
                            "kept by transaction",
                            "kept by batch",
                            "list of",
                            "map of",
                            "sum of",
                            "count of",
                            "sorts",
                            "strategy",
                            "tenant",
                            "scan allowed because \"x\"",
                            "~",
                            "1k",
                            "2M",
                            "0",
                            "-",
                            "{",
                            "}",
                            "(",
                            ")",
                            ",",
                            "\""}) {
    language.pieces.push_back(piece);
  }
  language.make = MakeModel;
  return language;
}

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_MODEL_LANGUAGE_H_
