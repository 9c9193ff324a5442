// Only in the shared library of `make dist`, which contains Debian's static archives.
//
// Debian compiles archives for programs (-fPIE). Their code takes libc's variables from a fixed distance, where a program has its own copies of
// them; a shared library has none, and the linker refuses. So the library brings copies: the linker turns the archives' references to
// stdin, stdout and stderr into these (--wrap), and finds __libc_single_threaded here.
#include <cstdio>

extern "C" {

// False is always right: it only makes reference counts atomic.
char __libc_single_threaded = 0;  // NOLINT(bugprone-reserved-identifier)

extern FILE* __real_stdin;   // NOLINT(bugprone-reserved-identifier)
extern FILE* __real_stdout;  // NOLINT(bugprone-reserved-identifier)
extern FILE* __real_stderr;  // NOLINT(bugprone-reserved-identifier)
FILE* __wrap_stdin = nullptr;   // NOLINT(bugprone-reserved-identifier)
FILE* __wrap_stdout = nullptr;  // NOLINT(bugprone-reserved-identifier)
FILE* __wrap_stderr = nullptr;  // NOLINT(bugprone-reserved-identifier)

// Before any other initialisation of the library.
__attribute__((constructor(101))) static void CopyStreams() {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}

}  // extern "C"
