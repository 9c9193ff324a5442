#include "process/task_failure.h"

#include <charconv>
#include <string_view>

namespace prejoin::process {
namespace {

// "5", "15.5"
std::string SecondsOf(std::chrono::milliseconds time) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, std::chrono::duration<double>(time).count()).ptr;
  return std::string(text, end);
}

}  // namespace

TaskFailure FailureOf(Ending ending, const TaskLimits& limits) {
  const std::string megabytes = std::to_string(limits.memory_bytes >> 20);
  switch (ending) {
    case Ending::kOutOfTime:
      return {504, "stopped: this request needs more than " + SecondsOf(limits.time) +
                       " seconds of a processor; use a smaller model, or the command line, which has no limit"};
    case Ending::kOutOfMemory:
      return {503, "stopped: this request needs more than " + megabytes +
                       " MB of memory; use a smaller model, or the command line, which has no "
                       "limit"};
    case Ending::kTooLarge:
      return {503, "stopped: the answer is larger than the server passes on"};
    case Ending::kCrashed:
      return {500,
              "internal error: the process that worked on this request ended; the database is not "
              "affected, and the server's log has the reason"};
    case Ending::kOvertaken:
      return {503, "the server is busy: this request ran long while others waited; try again"};
    case Ending::kWaitedTooLong:
      return {503, "the server is busy: this request waited too long for its turn; try again"};
    case Ending::kStopping:
      return {503, "the server is stopping"};
    case Ending::kNotStarted:
      return {503, "no process could be started for this request; the server's log has the reason"};
    case Ending::kClientGone:
    case Ending::kAnswered:
      break;
  }
  return {503, "nobody waits for the answer"};
}

std::string_view NameOf(Ending ending) {
  switch (ending) {
    case Ending::kAnswered:
      return "answered";
    case Ending::kOutOfTime:
      return "out of time";
    case Ending::kOutOfMemory:
      return "out of memory";
    case Ending::kCrashed:
      return "crashed";
    case Ending::kTooLarge:
      return "answer too large";
    case Ending::kOvertaken:
      return "overtaken";
    case Ending::kWaitedTooLong:
      return "waited too long";
    case Ending::kClientGone:
      return "client gone";
    case Ending::kStopping:
      return "stopping";
    case Ending::kNotStarted:
      return "not started";
  }
  return "";
}

}  // namespace prejoin::process
