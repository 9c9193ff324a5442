// A server that does not outlive the process that started it.
#ifndef PREJOIN_CLI_SERVE_PARENT_H_
#define PREJOIN_CLI_SERVE_PARENT_H_

namespace prejoin::cli {

// Stops this process, as SIGTERM does, when standard input ends. The process at the other end need not do anything for that, not even
// end in an orderly way. A signal at the parent's death (PR_SET_PDEATHSIG) would also come when only the thread that started this one ends.
void StopWithParent();

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_PARENT_H_
