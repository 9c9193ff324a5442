// States that last, such as CREATING: a request begins one, and a job ends it when the tables' clock has
// reached its end. Without Options::states every state ends at once.
#ifndef PREJOIN_ENGINE_TABLE_LASTING_STATES_H_
#define PREJOIN_ENGINE_TABLE_LASTING_STATES_H_

#include <cstdint>
#include <functional>
#include <string>

#include "engine/engine.h"
#include "engine/table/table.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// When a state that begins now ends, by the tables' clock. 0, which is past, without lasting states.
std::int64_t EndOfState(Engine& engine, std::int64_t StateOptions::*seconds);

// True if something made at `created_ms` is still in the state that it began with.
bool Lasts(Engine& engine, std::int64_t created_ms, std::int64_t StateOptions::*seconds);

// Runs `job` once the tables' clock is at `due_ms`: now, or in the background.
void RunAt(Engine& engine, std::int64_t due_ms, std::function<void()> job);

// The table becomes ACTIVE at `due_ms`, and what was changed has its effect.
void ActivateAt(Engine& engine, const Table& table, std::int64_t due_ms);

// The table, which is DELETING, goes at `due_ms`.
void FinishDeletingAt(Engine& engine, const std::string& table_name, std::int64_t due_ms);

// Refuses to change a table that is being created, updated or deleted.
Status CheckNotInUse(const Table& table);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_TABLE_LASTING_STATES_H_
