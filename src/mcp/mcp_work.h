// Messages of assistants as tasks that run in another process (docs/adr/0026).
#ifndef PREJOIN_MCP_MCP_WORK_H_
#define PREJOIN_MCP_MCP_WORK_H_

#include <optional>
#include <string>
#include <string_view>

#include "process/task_runner.h"

namespace prejoin::mcp {

// The database of the tools. The starter of the tasks passes on only what this allows, whatever the task asks for.
enum class DatabaseAccess { kNone, kReads, kWrites };

// The name of a task with that database.
std::string_view McpTask(DatabaseAccess access);
bool IsMcpTask(std::string_view task);

// The operation of a call that is a message to the assistant, not one to the database.
inline constexpr std::string_view kSendMessage = "send message";
// The operation of a call whose body is the path of a file, for its text. Only a session on a desk answers it.
inline constexpr std::string_view kReadFile = "read file";

// In the other process. Status 200 and the answer, or 202 for a message that has none.
process::Answer DoMcpWork(std::string_view task, const std::string& message,
                          const std::string& version, const process::Call& call);

// The id of a request as JSON text; empty: the message is not a request.
std::string RequestId(std::string_view message);

// The answer in the place of one that did not come; nullopt: nobody waits for any.
std::optional<std::string> FailureAnswer(std::string_view request_id, process::Ending ending,
                                         const process::TaskLimits& limits);

}  // namespace prejoin::mcp

#endif  // PREJOIN_MCP_MCP_WORK_H_
