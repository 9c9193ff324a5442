#include "cli/serve/local_command.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace prejoin::cli {
namespace {

struct LocalFlag {
  std::string_view name;
  bool has_value;
};

constexpr LocalFlag kLocalFlags[] = {
    {"-cors", true},     {"-dbPath", true},    {"-delayTransientStatuses", false},
    {"-help", false},    {"-inMemory", false}, {"-optimizeDbBeforeStartup", false},
    {"-port", true},     {"-sharedDb", false}, {"-disableTelemetry", false},
    {"-version", false},
};

const LocalFlag* FlagOf(std::string_view word) {
  const auto* found = std::ranges::find(kLocalFlags, word, &LocalFlag::name);
  return found == std::end(kLocalFlags) ? nullptr : found;
}

// Flags that change nothing here: tables are usable at once, one database serves everybody, and nothing is reported to anybody.
struct LocalSettings {
  std::string port = "8000";
  std::string path;
  std::string origins;
  bool memory = false;
};

std::string NameOf(const std::string& program) {
  return program.substr(program.rfind('/') + 1);  // npos + 1 is 0.
}

// The flags of DynamoDB Local; of a command line of Java, those after the JAR.
Result<std::vector<std::string>> FlagsOf(const std::vector<std::string>& words) {
  const auto jar = std::ranges::find(words, "-jar");
  if (jar == words.end()) {
    return std::vector<std::string>(words.begin() + 1 + (words[1] == "-compat" ? 1 : 0),
                                    words.end());
  }
  if (std::next(jar) == words.end() || NameOf(*std::next(jar)) != "DynamoDBLocal.jar") {
    return ValidationError("this is not Java: -jar is understood for DynamoDBLocal.jar only");
  }
  return std::vector<std::string>(jar + 2, words.end());
}

Status Take(const std::string& flag, const std::string& value, LocalSettings& settings) {
  if (flag == "-port") {
    settings.port = value;
  } else if (flag == "-dbPath") {
    settings.path = value;
  } else if (flag == "-cors") {
    settings.origins = value;
  } else if (flag == "-inMemory") {
    settings.memory = true;
  }
  if (settings.memory && !settings.path.empty()) {
    return ValidationError("-dbPath and -inMemory exclude each other, as in DynamoDB Local");
  }
  return {};
}

std::vector<std::string> ServeCommand(const LocalSettings& settings) {
  std::vector<std::string> command = {"serve",  "--compat", "--host", "0.0.0.0",
                                      "--auth", "off",      "--port", settings.port};
  if (settings.memory) {
    command.emplace_back("--memory");
  } else {
    // A folder of its own, because the named one may hold files of DynamoDB Local.
    command.insert(command.end(),
                   {"--data", (settings.path.empty() ? "." : settings.path) + "/prejoin"});
  }
  // "https://a.example,https://b.example"
  for (std::size_t begin = 0; begin < settings.origins.size();) {
    const std::size_t end = std::min(settings.origins.find(',', begin), settings.origins.size());
    if (end > begin) {
      command.insert(command.end(),
                     {"--allow-origin", settings.origins.substr(begin, end - begin)});
    }
    begin = end + 1;
  }
  return command;
}

}  // namespace

Result<std::vector<std::string>> FromLocalCommand(const std::vector<std::string>& words) {
  if (words.size() < 2) {
    return std::vector<std::string>();
  }
  const bool is_local = NameOf(words[0]) == "java" || words[1] == "-compat" || words[1] == "-jar" ||
                        FlagOf(words[1]) != nullptr;
  if (!is_local) {
    return std::vector<std::string>(words.begin() + 1, words.end());
  }
  PJ_ASSIGN_OR_RETURN(const std::vector<std::string> flags, FlagsOf(words));
  LocalSettings settings;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const LocalFlag* flag = FlagOf(flags[i]);
    if (flag == nullptr) {
      return ValidationError("DynamoDB Local has no flag " + flags[i]);
    }
    if (flag->name == "-help" || flag->name == "-version") {
      return std::vector<std::string>{"-" + flags[i]};  // Prejoin's own: --help, --version.
    }
    if (flag->has_value && i + 1 == flags.size()) {
      return ValidationError(flags[i] + " needs a value");
    }
    const std::string value = flag->has_value ? flags[++i] : "";
    PJ_RETURN_IF_ERROR(Take(std::string(flag->name), value, settings));
  }
  return ServeCommand(settings);
}

}  // namespace prejoin::cli
