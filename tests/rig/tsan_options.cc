// What the thread sanitizer has to know. It finds these functions by name.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_suppressions();

// A transaction of a hundred keys holds a hundred latches, always in ascending order; the
// sanitizer's search for deadlocks gives up, and ends the program, beyond 64 locks. A server whose
// requests still wait for the disk when it must stop leaves their threads behind on purpose.
const char* __tsan_default_options() { return "detect_deadlocks=0:report_thread_leaks=0"; }

// RocksDB comes without instrumentation, so the sanitizer does not see how its threads hand data to
// each other.
const char* __tsan_default_suppressions() {
  return "called_from_lib:librocksdb.so\n"
         "race:librocksdb.so\n"
         "race:liblz4.so\n"
         "race:^rocksdb::\n";
}
