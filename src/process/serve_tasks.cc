#include "process/serve_tasks.h"

#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "process/confine.h"
#include "process/frame_channel.h"

namespace prejoin::process {
namespace {

// The messages that a parent may send: a task, or the answer to a call.
constexpr std::size_t kFromParentBytesMax = 32 << 20;

constexpr std::chrono::seconds kTimeToAnswer{5};

Answer AskParent(FrameChannel& channel, const std::string& operation, const std::string& body) {
  channel.Queue({.kind = FrameKind::kCall, .name = operation, .body = body});
  if (!channel.Flush()) {
    return {503, ""};
  }
  auto answer = channel.WaitForFrame();
  if (!answer || answer->kind != FrameKind::kCallAnswer) {
    return {503, ""};
  }
  return {static_cast<int>(answer->first), std::move(answer->body)};
}

Frame Serve(const Frame& task, const Handle& handle, FrameChannel& channel) {
  try {
    const Call call = [&](const std::string& operation, const std::string& body) {
      return AskParent(channel, operation, body);
    };
    Answer answer = handle(task.name, task.body, call);
    return {.kind = FrameKind::kAnswer,
            .first = static_cast<std::uint32_t>(answer.status),
            .body = std::move(answer.body)};
  } catch (const std::bad_alloc&) {
    return {.kind = FrameKind::kOutOfMemory};
  } catch (const std::exception& error) {
    return {.kind = FrameKind::kFailed, .body = error.what()};
  } catch (...) {
    return {.kind = FrameKind::kFailed, .body = "an unknown exception"};
  }
}

int ServeAll(FrameChannel& channel, const Prepare& prepare) {
  const auto settings = channel.WaitForFrame();
  if (!settings || settings->kind != FrameKind::kSettings) {
    return 0;
  }
  const Handle handle = prepare(settings->body);
  while (const auto task = channel.WaitForFrame()) {
    if (task->kind != FrameKind::kTask) {
      return 1;
    }
    LimitTask(std::size_t{task->first} << 20, std::chrono::seconds(task->second));
    Frame answer = Serve(*task, handle, channel);
    // The answer is copied once more on its way out, also that of a task which used up its memory.
    LimitTask((std::size_t{task->first} << 20) + 2 * kAnswerBytesMax, kTimeToAnswer);
    const bool ends = answer.kind != FrameKind::kAnswer || IsWorn();
    answer.second = ends ? 1 : 0;
    channel.Queue(answer);
    if (!channel.Flush() || ends) {
      return 0;
    }
  }
  return 0;
}

}  // namespace

int ServeTasks(pid_t parent, const Prepare& prepare) {
  if (!Confine(parent)) {
    return 0;
  }
  FrameChannel channel(kParentSocket, kFromParentBytesMax);
  try {
    return ServeAll(channel, prepare);
  } catch (const std::bad_alloc&) {
    // Not even the task or its answer fits.
    channel.Queue({.kind = FrameKind::kOutOfMemory});
    channel.Flush();
    return 0;
  }
}

}  // namespace prejoin::process
