// PJ_CHECK: what must hold unless this program has a bug. Stays on in release builds.
#ifndef PREJOIN_BASE_CHECK_H_
#define PREJOIN_BASE_CHECK_H_

namespace prejoin {

[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);

}  // namespace prejoin

#define PJ_CHECK(condition)                                   \
  do {                                                        \
    if (!(condition)) [[unlikely]] {                          \
      ::prejoin::CheckFailed(__FILE__, __LINE__, #condition); \
    }                                                         \
  } while (false)

#ifdef NDEBUG
#define PJ_DCHECK(condition) \
  do {                       \
  } while (false)
#else
#define PJ_DCHECK(condition) PJ_CHECK(condition)
#endif

#endif  // PREJOIN_BASE_CHECK_H_
