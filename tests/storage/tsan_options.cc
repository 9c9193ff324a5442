// What the thread sanitizer has to know about the stores. It finds these functions by name.
#ifdef __SANITIZE_THREAD__

extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_suppressions();

// A transaction of a hundred keys holds a hundred latches, always in ascending order; the
// sanitizer's search for deadlocks gives up, and ends the program, beyond 64 locks.
const char* __tsan_default_options() { return "detect_deadlocks=0"; }

// RocksDB comes without instrumentation, so the sanitizer does not see how its threads hand data to
// each other, and takes a writer's batch that the leader of its group copies for a race.
const char* __tsan_default_suppressions() {
  return "called_from_lib:librocksdb.so\n"
         "race:librocksdb.so\n"
         "race:rocks_store.cc\n"
         "race:^rocksdb::\n";
}

#endif  // __SANITIZE_THREAD__
