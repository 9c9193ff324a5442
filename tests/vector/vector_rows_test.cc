#include "vector/vector_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace prejoin::vector {
namespace {

using Vectors = std::map<std::string, std::vector<float>>;

constexpr DistanceFunction kFunctions[] = {DistanceFunction::kCosine, DistanceFunction::kEuclidean,
                                           DistanceFunction::kDotProduct};

// Looks at every vector in full.
std::vector<float> PlainScores(DistanceFunction function, const Vectors& vectors,
                               const std::vector<float>& query, std::size_t count) {
  std::vector<float> scores;
  for (const auto& [key, vector] : vectors) {
    scores.push_back(Score(function, query, vector));
  }
  std::ranges::sort(scores, [&](float a, float b) { return IsNearer(function, a, b); });
  scores.resize(std::min(scores.size(), count));
  return scores;
}

std::vector<float> ScoresOf(const std::vector<Match>& matches) {
  std::vector<float> scores;
  for (const Match& match : matches) {
    scores.push_back(match.score);
  }
  return scores;
}

class RowsAndVectors {
 public:
  RowsAndVectors(std::size_t dimensions, DistanceFunction function)
      : rows_(dimensions, function), function_(function) {}

  void Put(const std::string& key, std::vector<float> vector, const std::string& filter = "") {
    const VectorRows::Change change(rows_);
    rows_.Put({"p", key, vector, filter}, ++version_);
    vectors_[key] = std::move(vector);
  }
  void Remove(const std::string& key) {
    const VectorRows::Change change(rows_);
    rows_.Remove(key, ++version_);
    vectors_.erase(key);
  }
  std::vector<Match> Search(const std::vector<float>& query, std::size_t count) {
    return rows_.Search(
        "p", query, count, [](std::string_view) { return true; },
        [&](std::string_view key, std::vector<float>& vector) {
          vector = vectors_.at(std::string(key));
          return true;
        });
  }
  void ExpectExact(const std::vector<float>& query, std::size_t count) {
    EXPECT_EQ(ScoresOf(Search(query, count)), PlainScores(function_, vectors_, query, count));
  }

  VectorRows& rows() { return rows_; }
  const Vectors& vectors() const { return vectors_; }

 private:
  VectorRows rows_;
  DistanceFunction function_;
  Vectors vectors_;
  std::uint64_t version_ = 0;
};

std::vector<float> RandomVector(std::mt19937& random, std::size_t dimensions, float spread) {
  std::normal_distribution<float> normal(0, spread);
  std::vector<float> vector(dimensions);
  for (float& value : vector) {
    value = normal(random);
  }
  return vector;
}

TEST(VectorRows, EqualsAPlainSearchOnRandomHistories) {
  for (const DistanceFunction function : kFunctions) {
    for (const std::size_t dimensions : {1, 3, 16, 37, 256}) {
      std::mt19937 random(static_cast<unsigned>(dimensions));
      RowsAndVectors both(dimensions, function);
      for (int step = 0; step < 3000; ++step) {
        const std::string key = std::to_string(random() % 700);
        if (random() % 4 == 0) {
          both.Remove(key);
        } else {
          // Lengths over several orders of magnitude, and every eighth a copy of another: ties.
          auto vector = RandomVector(random, dimensions, step % 3 == 0 ? 1000.0f : 0.01f);
          if (random() % 8 == 0 && !both.vectors().empty()) {
            vector = both.vectors().begin()->second;
          }
          both.Put(key, std::move(vector));
        }
        if (step % 100 == 99) {
          both.ExpectExact(RandomVector(random, dimensions, 1), 1 + random() % 100);
        }
      }
      EXPECT_EQ(both.rows().size(), both.vectors().size());
    }
  }
}

TEST(VectorRows, IsExactWhereAllRowsAreNearlyEqual) {
  std::mt19937 random(7);
  for (const DistanceFunction function : kFunctions) {
    RowsAndVectors both(64, function);
    const auto centre = RandomVector(random, 64, 1);
    for (int i = 0; i < 2000; ++i) {
      auto vector = centre;
      vector[random() % 64] += 1e-4f * static_cast<float>(random() % 100);
      both.Put(std::to_string(i), std::move(vector));
    }
    both.ExpectExact(centre, 10);
  }
}

TEST(VectorRows, ZeroVectorsHaveAPlace) {
  RowsAndVectors both(3, DistanceFunction::kCosine);
  both.Put("zero", {0, 0, 0});
  both.Put("near", {1, 1, 0});
  both.Put("far", {-1, -1, 0});
  const auto matches = both.Search({1, 1, 0}, 3);
  ASSERT_EQ(matches.size(), 3);
  EXPECT_EQ(matches[0].key, "near");
  EXPECT_EQ(matches[1].key, "zero");
  EXPECT_EQ(matches[2].key, "far");
}

TEST(VectorRows, SearchesOnePartitionAndAsksTheFilter) {
  VectorRows rows(1, DistanceFunction::kEuclidean);
  const std::map<std::string, float> values = {{"a1", 1}, {"a2", 2}, {"a3", 3}, {"b1", 1}};
  for (const auto& [key, value] : values) {
    rows.Put({key.substr(0, 1), key, {&value, 1}, key.substr(1)}, 1);
  }
  const float query = 0;
  const auto matches = rows.Search(
      "a", {&query, 1}, 10, [](std::string_view filter) { return filter != "2"; },
      [&](std::string_view key, std::vector<float>& vector) {
        vector = {values.at(std::string(key))};
        return true;
      });
  ASSERT_EQ(matches.size(), 2);
  EXPECT_EQ(matches[0].key, "a1");
  EXPECT_EQ(matches[1].key, "a3");
}

TEST(VectorRows, TheGreatestVersionStandsInWhicheverOrder) {
  const std::vector<float> one = {1};
  VectorRows rows(1, DistanceFunction::kEuclidean);
  const VectorRows::Change older(rows);
  rows.Remove("k", 2);
  rows.Put({"", "k", one, ""}, 1);
  EXPECT_EQ(rows.size(), 0) << "the row was removed after it was put";
  rows.Load({"", "k", one, ""});
  EXPECT_EQ(rows.size(), 0) << "a loader read it before it was removed";
  rows.Put({"", "k", one, ""}, 3);
  rows.Remove("k", 2);
  EXPECT_EQ(rows.size(), 1);
}

// Without a memory of removals for as long as it is needed this fails within a few rounds; with one
// that is kept for ever, memory grows.
TEST(VectorRows, ConcurrentChangesEndInTheStateOfTheLastVersion) {
  VectorRows rows(1, DistanceFunction::kEuclidean);
  std::atomic<std::uint64_t> versions = 0;
  std::array<std::atomic<std::uint64_t>, 8> last = {};
  std::array<std::mutex, 8> latches;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t k = random() % last.size();
      const VectorRows::Change change(rows);
      std::uint64_t version = 0;
      {
        // The commit: versions of a key come one by one.
        const std::lock_guard lock(latches[k]);
        version = ++versions;
        last[k] = version;
      }
      const std::string key = std::to_string(k);
      const float value = 1;
      if (version % 2 == 0) {
        rows.Put({"", key, {&value, 1}, ""}, version);
      } else {
        rows.Remove(key, version);
      }
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  std::size_t expected = 0;
  for (const auto& version : last) {
    expected += version % 2 == 0 ? 1 : 0;
  }
  EXPECT_EQ(rows.size(), expected);
}

}  // namespace
}  // namespace prejoin::vector
