// Mutex and its lock, annotated so that clang's -Wthread-safety checks who holds what.
#ifndef PREJOIN_BASE_MUTEX_H_
#define PREJOIN_BASE_MUTEX_H_

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#ifdef __clang__
#define PJ_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define PJ_THREAD_ANNOTATION(x)
#endif

#define PJ_CAPABILITY(x) PJ_THREAD_ANNOTATION(capability(x))
#define PJ_SCOPED_CAPABILITY PJ_THREAD_ANNOTATION(scoped_lockable)
#define PJ_GUARDED_BY(x) PJ_THREAD_ANNOTATION(guarded_by(x))
#define PJ_REQUIRES(...) PJ_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define PJ_REQUIRES_SHARED(...) PJ_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define PJ_ACQUIRE(...) PJ_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define PJ_ACQUIRE_SHARED(...) PJ_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define PJ_RELEASE(...) PJ_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define PJ_RELEASE_GENERIC(...) PJ_THREAD_ANNOTATION(release_generic_capability(__VA_ARGS__))
#define PJ_EXCLUDES(...) PJ_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define PJ_NO_THREAD_SAFETY_ANALYSIS PJ_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace prejoin {

class PJ_CAPABILITY("mutex") Mutex {
 public:
  void lock() PJ_ACQUIRE() { mutex_.lock(); }
  void unlock() PJ_RELEASE() { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

class PJ_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) PJ_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() PJ_RELEASE() {}

  // Gives the mutex up while it waits. Callers loop: wake-ups may be spurious.
  void Wait(std::condition_variable& condition) { condition.wait(lock_); }
  template <class Duration>
  void WaitFor(std::condition_variable& condition, Duration duration) {
    condition.wait_for(lock_, duration);
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

class PJ_CAPABILITY("shared mutex") SharedMutex {
 public:
  void lock() PJ_ACQUIRE() { mutex_.lock(); }
  void unlock() PJ_RELEASE() { mutex_.unlock(); }
  void lock_shared() PJ_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() PJ_RELEASE_GENERIC() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

class PJ_SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) PJ_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~WriterLock() PJ_RELEASE() { mutex_.unlock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  SharedMutex& mutex_;
};

class PJ_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) PJ_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~ReaderLock() PJ_RELEASE_GENERIC() { mutex_.unlock_shared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_MUTEX_H_
