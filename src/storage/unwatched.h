// Unwatched(work): does work of RocksDB's, at which the thread sanitizer does not look, and which throws nothing.
//
// RocksDB is not made for exceptions: its destructors assert that the work around them was finished. So if memory
// is refused inside it, the process ends before anything is thrown: the program's handler for refused
// memory asks IsInsideRocksDb (src/cli/serve/process_limits.cc).
//
// RocksDB comes without instrumentation. The sanitizer sees what it copies but not how its threads hand it to each other (one writes the batches
// of all that wait, others compact blocks that somebody read), and would call it a race.
#ifndef PREJOIN_STORAGE_UNWATCHED_H_
#define PREJOIN_STORAGE_UNWATCHED_H_

#ifdef __SANITIZE_THREAD__
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace prejoin::storage {

#ifdef __SANITIZE_THREAD__
class SanitizerLooksAway {
 public:
  SanitizerLooksAway() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~SanitizerLooksAway() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  SanitizerLooksAway(const SanitizerLooksAway&) = delete;
  SanitizerLooksAway& operator=(const SanitizerLooksAway&) = delete;
};
#endif

inline thread_local int rocks_depth = 0;

inline bool IsInsideRocksDb() { return rocks_depth > 0; }

class RocksScope {
 public:
  RocksScope() { ++rocks_depth; }
  ~RocksScope() { --rocks_depth; }
  RocksScope(const RocksScope&) = delete;
  RocksScope& operator=(const RocksScope&) = delete;
};

template <class Work>
decltype(auto) Unwatched(const Work& work) noexcept {
  const RocksScope inside;
#ifdef __SANITIZE_THREAD__
  const SanitizerLooksAway looks_away;
#endif
  return work();
}

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_UNWATCHED_H_
