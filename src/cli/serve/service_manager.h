// systemd's protocol for services of Type=notify.
#ifndef PREJOIN_CLI_SERVE_SERVICE_MANAGER_H_
#define PREJOIN_CLI_SERVE_SERVICE_MANAGER_H_

#include <string_view>

namespace prejoin::cli {

// Sends `state`, such as "READY=1", to the socket that NOTIFY_SOCKET names. Does nothing if no service manager started this process, or if it
// does not listen: a server that runs is better than one that ends because nobody hears of it.
void TellServiceManager(std::string_view state);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_SERVICE_MANAGER_H_
