#include "tests/gen/decide.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "access/decide.h"

namespace prejoin::gen {
namespace {

std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> parts;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, '\t');) {
    parts.push_back(part);
  }
  return parts;
}

// Null if the file is no policy.
const access::Policy* PolicyOf(const std::string& path) {
  static std::map<std::string, access::Policy> known;
  const auto found = known.find(path);
  if (found != known.end()) {
    return &found->second;
  }
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  auto policy = access::Policy::Parse(text.str(), access::PolicyKind::kIdentity, path);
  if (!policy) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), policy.error().message.c_str());
    return nullptr;
  }
  return &known.emplace(path, *std::move(policy)).first->second;
}

}  // namespace

int DecideLines() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<std::string> parts = Split(line);
    const access::Policy* policy = parts.size() < 3 ? nullptr : PolicyOf(parts[0]);
    if (policy == nullptr) {
      return 1;
    }
    access::AccessRequest request{.action = parts[1],
                                  .resource = parts[2],
                                  .caller = {.arn = "arn:aws:iam::000000000000:user/test",
                                             .role_arn = "",
                                             .account = "000000000000"},
                                  .keys = {}};
    std::map<std::string, std::vector<std::string>> keys;
    for (std::size_t i = 3; i < parts.size(); ++i) {
      const std::size_t equals = parts[i].find('=');
      if (equals == std::string::npos) {
        return 1;
      }
      keys[parts[i].substr(0, equals)].push_back(parts[i].substr(equals + 1));
    }
    for (const auto& [name, values] : keys) {
      request.keys.Set(name, values);
    }
    const bool allowed = access::Decide({.identity = {policy, 1}}, request).allowed();
    std::puts(allowed ? "allowed" : "refused");
  }
  return 0;
}

}  // namespace prejoin::gen
