#include "cli/prefer_option.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "design/preference.h"

namespace prejoin::cli {

void AddPreferOption(CLI::App& verb, std::string& prefer) {
  std::vector<std::string> names;
  for (const design::Preference one : design::AllPreferences()) {
    names.emplace_back(design::PreferenceName(one));
  }
  verb.add_option("--prefer", prefer, "Goal to optimise first")->check(CLI::IsMember(names));
}

}  // namespace prejoin::cli
