// The engine inside a Database, for the layers of Prejoin itself. Programs that embed the database have no
// use for it.
#ifndef PREJOIN_ENGINE_ENGINE_OF_H_
#define PREJOIN_ENGINE_ENGINE_OF_H_

#include <memory>

#include "engine/engine.h"
#include "prejoin/database.h"

namespace prejoin::engine {

// Belongs to the database and lives as long.
Engine& EngineOf(Database& database);

std::unique_ptr<Database> DatabaseOn(std::unique_ptr<Engine> engine);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ENGINE_OF_H_
