// Decisions of the policy evaluator (src/access) for requests that a test in another language has seen.
#ifndef PREJOIN_TESTS_GEN_DECIDE_H_
#define PREJOIN_TESTS_GEN_DECIDE_H_

namespace prejoin::gen {

// Reads lines from standard input: policy file, action, resource, then condition keys as name=value, all separated by tabs; a name that
// comes again has several values. Prints "allowed" or "refused" for each. Returns the exit code.
int DecideLines();

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_DECIDE_H_
