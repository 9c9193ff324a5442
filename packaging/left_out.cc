// In the place of each function in left_out.txt. No call of Prejoin reaches one; should that change, the program ends here instead of somewhere.
#include <cstdio>
#include <cstdlib>

extern "C" [[noreturn]] void prejoin_left_out() {
  std::fputs("prejoin: a function was called that the static program leaves out (packaging/left_out.txt)\n", stderr);
  std::abort();
}
