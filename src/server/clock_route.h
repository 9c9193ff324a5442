// GET and POST /clock: shows and moves the clock of the tables.
#ifndef PREJOIN_SERVER_CLOCK_ROUTE_H_
#define PREJOIN_SERVER_CLOCK_ROUTE_H_

#include <functional>

#include "prejoin/clock.h"
#include "server/dispatch.h"

namespace prejoin::server {

// `catch_up` does what is due after the clock was moved. Everything outlives `dispatch`.
void AddClockRoutes(Dispatch& dispatch, VirtualClock& clock, std::function<void()> catch_up);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_CLOCK_ROUTE_H_
