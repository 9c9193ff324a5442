// `--prefer` of the verbs that search for a design.
#ifndef PREJOIN_CLI_PREFER_OPTION_H_
#define PREJOIN_CLI_PREFER_OPTION_H_

#include <string>

namespace CLI {
class App;
}

namespace prejoin::cli {

// `prefer` is then the name of a design::Preference.
void AddPreferOption(CLI::App& verb, std::string& prefer);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_PREFER_OPTION_H_
