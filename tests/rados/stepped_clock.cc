// Steps the wall clock of one process, as an administrator or a bad time server does. Preloaded, with
// PREJOIN_TEST_CLOCK naming a file that holds the offset in nanoseconds, eight bytes, and may be
// changed at any time.
//
// Clocks that only measure how long something lasts are left alone, as the kernel leaves them alone.
// Waits until a time of the wall clock are led back to the time that the kernel knows.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr int64_t kSecond = 1'000'000'000;
// A time on a clock that counts since the start of the machine is far below this.
constexpr time_t kSurelySince1970 = 1'000'000'000;

int64_t OffsetNs() {
  static const volatile int64_t* offset = [] {
    static const int64_t none = 0;
    const char* path = getenv("PREJOIN_TEST_CLOCK");
    const int file = path != nullptr ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) {
      return const_cast<const volatile int64_t*>(&none);
    }
    void* memory = mmap(nullptr, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? &none : static_cast<const volatile int64_t*>(memory);
  }();
  return *offset;
}

timespec Shifted(const timespec& time, int64_t by_ns) {
  const int64_t ns = time.tv_sec * kSecond + time.tv_nsec + by_ns;
  return {ns / kSecond, ns % kSecond};
}

timespec ToKernel(const timespec& time) {
  return time.tv_sec > kSurelySince1970 ? Shifted(time, -OffsetNs()) : time;
}

template <class Function>
Function* Next(const char* name, const char* version = nullptr) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name);
  return reinterpret_cast<Function*>(found);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) {
  static auto* next = Next<int(clockid_t, timespec*)>("clock_gettime");
  const int result = next(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    *time = Shifted(*time, OffsetNs());
  }
  return result;
}

int gettimeofday(timeval* time, void*) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* result) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) {
    *result = now.tv_sec;
  }
  return now.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* until) {
  static auto* next = Next<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
      "pthread_cond_timedwait", "GLIBC_2.3.2");
  const timespec kernel_time = ToKernel(*until);
  return next(condition, mutex, &kernel_time);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  static auto* next = Next<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
      "pthread_cond_clockwait");
  const timespec kernel_time = ToKernel(*until);
  return next(condition, mutex, clock, &kernel_time);
}

int sem_timedwait(sem_t* semaphore, const timespec* until) {
  static auto* next = Next<int(sem_t*, const timespec*)>("sem_timedwait");
  const timespec kernel_time = ToKernel(*until);
  return next(semaphore, &kernel_time);
}

}  // extern "C"
