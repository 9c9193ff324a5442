// A vector index of a table that is in use: how long it takes to build while items are written, what
// a search takes, whether it finds the true nearest, how much memory it needs, and how long a start
// takes.
//   bench_vectors DIRECTORY ROWS [DIMENSIONS] [clustered]
// Without "clustered" the vectors are independent normal numbers, the worst case for any index; with
// it they lie around a hundred centres, more like what models give. A directory that was filled by
// an earlier run is searched as it is.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bench/measure.h"
#include "prejoin/database.h"

namespace prejoin::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr char kTable[] = "BenchVectors";
constexpr int kBatch = 25;
constexpr int kTopK = 10;
constexpr int kCentres = 100;

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

// Of this thread: on a busy machine it says more than the time that passed.
double ProcessorMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// Of all threads.
double ProcessSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double ResidentMb() {
  std::ifstream file("/proc/self/statm");
  long all = 0;
  long resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Numbers with four digits behind the point, so that the table's decimals and the index's floats mean the same.
class Vectors {
 public:
  Vectors(int dimensions, bool clustered) : dimensions_(dimensions), clustered_(clustered) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    centres_.resize(static_cast<std::size_t>(kCentres * dimensions));
    std::generate(centres_.begin(), centres_.end(), [&] { return normal(random); });
  }

  // The same for the same number.
  std::vector<int> Make(unsigned number) const {
    std::mt19937 random(number);
    std::normal_distribution<float> normal;
    const auto centre =
        static_cast<std::size_t>(random() % kCentres) * static_cast<std::size_t>(dimensions_);
    std::vector<int> parts(static_cast<std::size_t>(dimensions_));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const float value =
          clustered_ ? centres_[centre + i] + 0.3f * normal(random) : normal(random);
      parts[i] = static_cast<int>(std::lround(value * 10'000));
    }
    return parts;
  }

 private:
  const int dimensions_;
  const bool clustered_;
  std::vector<float> centres_;
};

AttributeValue::List ListOf(const std::vector<int>& parts) {
  AttributeValue::List list;
  list.reserve(parts.size());
  char text[32];
  for (const int part : parts) {
    std::snprintf(text, sizeof(text), "%de-4", part);
    list.emplace_back(*Number::Parse(text));
  }
  return list;
}

std::string KeyOf(int number) { return "ROW#" + std::to_string(number); }

template <class T>
T Checked(Result<T> result) {
  if (!result) {
    Fail(result.error().message);
  }
  return *std::move(result);
}

class VectorBench {
 public:
  VectorBench(std::string directory, int rows, int dimensions, bool clustered)
      : directory_(std::move(directory)),
        rows_(rows),
        dimensions_(dimensions),
        vectors_(dimensions, clustered) {}

  void Run() {
    Open();
    if (!database_->DescribeTable(kTable)) {
      Fill();
      Build();
    } else {
      Start();
    }
    Search("search");
    SearchWhileWriting();
    Compare();
  }

 private:
  // A small cache, so that what is resident is the index.
  void Open() {
    opened_ = SteadyClock::now();
    database_ = Checked(
        Database::Open({.path = directory_, .sync = Sync::kNone, .block_cache_bytes = 64 << 20}));
  }

  void Fill() {
    Checked(database_->CreateTable({.table_name = kTable,
                                    .key_schema = {{"pk", KeyType::kHash}},
                                    .attribute_definitions = {{"pk", ScalarType::kString}},
                                    .billing_mode = BillingMode::kPayPerRequest}));
    const auto start = SteadyClock::now();
    std::atomic<int> next = 0;
    const auto work = [&] {
      for (int first = next.fetch_add(kBatch); first < rows_; first = next.fetch_add(kBatch)) {
        BatchWriteItemInput input;
        auto& requests = input.request_items[kTable];
        for (int number = first; number < std::min(first + kBatch, rows_); ++number) {
          requests.push_back({.put = Row(number), .remove = {}});
        }
        Checked(database_->BatchWriteItem(input));
      }
    };
    std::thread other(work);
    work();
    other.join();
    std::printf("fill: %d items of %d dimensions in %.0f s, resident %.0f MB\n", rows_, dimensions_,
                SecondsSince(start), ResidentMb());
  }

  Item Row(int number) const {
    return {{"pk", KeyOf(number)}, {"e", ListOf(vectors_.Make(static_cast<unsigned>(number)))}};
  }

  bool PutRow(int number) {
    return database_->PutItem({.table_name = kTable, .item = Row(number)}).has_value();
  }

  // Writes on one thread until the index is active, after some time without it.
  void Build() {
    const Load before{.threads = 1, .seconds = 2, .keys = rows_};
    const Measured alone = Measure(before, [&](int number) { return PutRow(number); });
    std::atomic<bool> done = false;
    std::atomic<long> writes = 0;
    const double resident = ResidentMb();
    const auto start = SteadyClock::now();
    Checked(database_->UpdateTable(
        {.table_name = kTable,
         .vector_index_updates = std::vector<VectorIndexUpdate>{
             {.create = VectorIndexSpecification{.index_name = "vectors",
                                                 .vector_attribute = "e",
                                                 .dimensions = dimensions_,
                                                 .distance = VectorDistance::kEuclidean,
                                                 .projection =
                                                     Projection{.type = ProjectionType::kKeysOnly},
                                                 .search_schema = {}},
              .remove = {}}}}));
    std::thread writer([&] {
      std::minstd_rand random(3);
      while (!done) {
        if (!PutRow(static_cast<int>(random() % static_cast<unsigned>(rows_)))) {
          Fail("a write failed");
        }
        ++writes;
      }
    });
    while (Checked(database_->DescribeTable(kTable)).vector_indexes.at(0).status !=
           IndexStatus::kActive) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const double seconds = SecondsSince(start);
    done = true;
    writer.join();
    std::printf(
        "build under writes: %.1f s, %.0f writes/s meanwhile (%.0f/s before), resident %+.0f MB\n",
        seconds, static_cast<double>(writes) / seconds, alone.per_second, ResidentMb() - resident);
  }

  SearchVectorsOutput Nearest(const std::vector<int>& query) {
    return Checked(database_->SearchVectors({.table_name = kTable,
                                             .index_name = "vectors",
                                             .search_vector = ListOf(query),
                                             .top_k = kTopK}));
  }

  std::vector<int> Query(int number) const {
    return vectors_.Make(2'000'000'000u + static_cast<unsigned>(number));
  }

  void Search(const char* name) {
    constexpr int kSearches = 200;
    std::vector<double> passed;
    std::vector<double> used;
    for (int i = 0; i < kSearches; ++i) {
      const std::vector<int> query = Query(i);
      const auto start = SteadyClock::now();
      const double processor = ProcessorMs();
      Nearest(query);
      used.push_back(ProcessorMs() - processor);
      passed.push_back(SecondsSince(start) * 1e3);
    }
    std::ranges::sort(passed);
    std::ranges::sort(used);
    std::printf("%s: p50 %.1f ms, p99 %.1f ms; processor time p50 %.1f ms, p99 %.1f ms\n", name,
                passed[kSearches / 2], passed[kSearches * 99 / 100], used[kSearches / 2],
                used[kSearches * 99 / 100]);
  }

  void SearchWhileWriting() {
    std::atomic<bool> done = false;
    std::thread writer([&] {
      std::minstd_rand random(5);
      while (!done) {
        if (!PutRow(static_cast<int>(random() % static_cast<unsigned>(rows_)))) {
          Fail("a write failed");
        }
      }
    });
    Search("search under writes");
    done = true;
    writer.join();
  }

  // Ten nearest by looking at every vector, in double.
  std::vector<int> TrueNearest(const std::vector<std::vector<int>>& queries, std::size_t which,
                               const std::vector<std::int64_t>& distances) const {
    std::vector<int> numbers(static_cast<std::size_t>(rows_));
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto distance = [&](int number) {
      return distances[static_cast<std::size_t>(number) * queries.size() + which];
    };
    std::ranges::partial_sort(numbers, numbers.begin() + kTopK, {}, distance);
    numbers.resize(kTopK);
    return numbers;
  }

  void Compare() {
    constexpr int kQueries = 20;
    std::vector<std::vector<int>> queries;
    for (int i = 0; i < kQueries; ++i) {
      queries.push_back(Query(i));
    }
    // Squared, in units of 1e-8: whole numbers, so exact.
    std::vector<std::int64_t> distances(static_cast<std::size_t>(rows_) * kQueries);
    for (int number = 0; number < rows_; ++number) {
      const std::vector<int> row = vectors_.Make(static_cast<unsigned>(number));
      for (std::size_t query = 0; query < kQueries; ++query) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
          const std::int64_t difference = row[i] - queries[query][i];
          sum += difference * difference;
        }
        distances[static_cast<std::size_t>(number) * kQueries + query] = sum;
      }
    }
    int found = 0;
    for (std::size_t query = 0; query < kQueries; ++query) {
      std::set<std::string> nearest;
      for (const SearchResult& result : Nearest(queries[query]).results) {
        nearest.insert(*result.item.Decode().Find("pk")->string());
      }
      for (const int number : TrueNearest(queries, query, distances)) {
        found += nearest.contains(KeyOf(number)) ? 1 : 0;
      }
    }
    std::printf("found of the true ten: %.3f (%d queries)\n", found / double{kTopK * kQueries},
                kQueries);
  }

  // The first search waits until the index has been read.
  void Start() {
    const double opened = SecondsSince(opened_);
    const double resident = ResidentMb();
    Nearest(Query(0));
    std::printf(
        "start: %.1f s, first search after %.1f s (%.1f s of processor time), resident %+.0f MB\n",
        opened, SecondsSince(opened_), ProcessSeconds(), ResidentMb() - resident);
  }

  const std::string directory_;
  const int rows_;
  const int dimensions_;
  const Vectors vectors_;
  SteadyClock::time_point opened_;
  std::unique_ptr<Database> database_;
};

}  // namespace
}  // namespace prejoin::bench

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "bench_vectors DIRECTORY ROWS [DIMENSIONS] [clustered]\n";
    return 2;
  }
  const int dimensions = count > 3 ? std::atoi(arguments[3]) : 256;
  prejoin::bench::VectorBench(arguments[1], std::atoi(arguments[2]), dimensions, count > 4).Run();
  return 0;
}
