// A child of this program that serves tasks.
#ifndef PREJOIN_PROCESS_WORKER_PROCESS_H_
#define PREJOIN_PROCESS_WORKER_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "prejoin/result.h"
#include "process/frame_channel.h"

namespace prejoin::process {

struct WorkerCommand {
  std::string executable;  // Empty: this program.
  // After the program's name. The id of the starting process is added as the last one.
  std::vector<std::string> arguments;
  std::string settings;
};

// Ends the child and takes its exit code when it is destroyed. Single thread: the child also ends with the thread
// that started it.
class WorkerProcess {
 public:
  // The child has the socket and standard error, which ends here, and nothing else of this process.
  static Result<std::unique_ptr<WorkerProcess>> Start(const WorkerCommand& command);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  pid_t pid() const { return pid_; }
  FrameChannel& channel() { return channel_; }
  // Used so far, by all its threads.
  std::chrono::nanoseconds ProcessorTime() const;
  // Kills it; with `by_itself`, for one that has closed its socket, it gets a moment to end on its own, and the answer is how:
  // "signal 11 (Segmentation fault)", with its last words on standard error.
  std::string End(bool by_itself);

 private:
  WorkerProcess(pid_t pid, int socket, int words)
      : pid_(pid), channel_(socket, kAnswerBytesMax), words_(words) {}
  std::string LastWords() const;
  bool EndsByItself() const;

  pid_t pid_;  // 0: ended.
  FrameChannel channel_;
  const int words_;  // The other end of its standard error.
};

}  // namespace prejoin::process

#endif  // PREJOIN_PROCESS_WORKER_PROCESS_H_
