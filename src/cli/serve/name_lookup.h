// Names of other machines in a program that contains its C library.
#ifndef PREJOIN_CLI_SERVE_NAME_LOOKUP_H_
#define PREJOIN_CLI_SERVE_NAME_LOOKUP_H_

namespace prejoin::cli {

// Keeps getaddrinfo to /etc/hosts and DNS in the static program; does nothing in others. glibc would load the modules that the machine's
// nsswitch.conf names, and those belong to the machine's own C library: two of them in one process end it.
void UseBuiltInNameLookup();

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_NAME_LOOKUP_H_
