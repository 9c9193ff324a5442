#include "cli/usage_error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "model/syntax/spelling.h"

namespace prejoin::cli {
namespace {

std::string MoreHelp(const std::string& verb) {
  return "\n`prejoin " + verb + (verb.empty() ? "" : " ") + "--help` shows what there is.\n";
}

std::vector<std::string> VerbNames(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

// The options of a verb, and those of the program that it takes too.
std::vector<const CLI::Option*> OptionsOf(const CLI::App& verb) {
  std::vector<const CLI::Option*> options = verb.get_options();
  if (verb.get_parent() != nullptr) {
    for (const CLI::Option* option : verb.get_parent()->get_options()) {
      options.push_back(option);
    }
  }
  return options;
}

std::vector<std::string> OptionNames(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : OptionsOf(verb)) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

// An argument that looks like an option but does not belong to the verb, or one argument too many.
std::string SurplusArgument(const CLI::App& verb, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = OptionNames(verb);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with('-') || name.size() < 2) {
      continue;
    }
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      continue;
    }
    const std::string near = model::NearestName(name, known);
    return "there is no option " + name + (near.empty() ? "" : "; did you mean " + near + "?");
  }
  return "there are more arguments than it takes";
}

// The library lists a choice as {text->0,markdown->1} OR {0,1}: the names are what counts.
std::string Choices(const std::string& message) {
  std::string out;
  std::size_t at = message.find('{');
  for (std::size_t arrow = message.find("->", at); arrow != std::string::npos;
       arrow = message.find("->", at)) {
    const std::size_t begin = message.find_last_of("{,", arrow) + 1;
    out += (out.empty() ? "" : ", ") + message.substr(begin, arrow - begin);
    at = arrow + 2;
  }
  return out;
}

const CLI::Option* FindOption(const CLI::App& verb, const std::string& name) {
  for (const CLI::Option* option : OptionsOf(verb)) {
    if (option->check_name(name)) {
      return option;
    }
  }
  return nullptr;
}

// A value that an option does not take: which, and what it takes.
std::string WrongValue(const CLI::App& verb, const std::string& message) {
  // "--as: …", or "Could not convert: --scale = abc".
  const std::size_t begin = message.find("--");
  if (begin == std::string::npos) {
    return message;
  }
  const std::string name = message.substr(begin, message.find_first_of(": ", begin) - begin);
  const CLI::Option* option = FindOption(verb, name);
  if (option == nullptr || option->results().empty()) {
    return message;
  }
  std::string out = name + " cannot be `" + option->results().back() + "`; ";
  const std::string choices = Choices(message);
  if (!choices.empty()) {
    return out + "it is one of " + choices;
  }
  const std::string type = option->get_type_name();
  if (name == "--port") {
    return out + "a port is a number from 0 to 65535";
  }
  if (type.find("POSITIVE") != std::string::npos) {
    return out + "it is a number above 0";
  }
  if (type.find("NONNEGATIVE") != std::string::npos) {
    return out + "it is a number from 0 on";
  }
  if (const std::size_t range = message.find("in range "); range != std::string::npos) {
    return out + "it is a number from " + message.substr(range + 9);
  }
  if (type.find("INT") != std::string::npos) {
    return out + "it is a whole number";
  }
  if (type.find("FLOAT") != std::string::npos) {
    return out + "it is a number";
  }
  // A check of our own says in a whole sentence what to write.
  const std::size_t said = message.find(": ", begin);
  const std::string own = said == std::string::npos ? "" : message.substr(said + 2);
  for (const std::string_view first : {"write ", "there is no "}) {
    if (own.starts_with(first)) {
      return name + " cannot be `" + option->results().back() + "`: " + own;
    }
  }
  return out + option->get_description();
}

}  // namespace

std::string UsageError(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& arguments) {
  const auto verbs = program.get_subcommands();
  if (verbs.empty()) {
    if (arguments.empty()) {
      return "prejoin: name a verb\n\n" + program.help();
    }
    const std::string& given = arguments[0];
    if (given.starts_with('-')) {
      return "prejoin: " + SurplusArgument(program, arguments) + MoreHelp("");
    }
    const std::vector<std::string> known = VerbNames(program);
    const std::string near = model::NearestName(given, known);
    if (!near.empty()) {
      return "prejoin: there is no verb `" + given + "`; did you mean `" + near + "`?" +
             MoreHelp("");
    }
    return "prejoin: there is no verb `" + given + "`\n\n" + program.help();
  }
  const CLI::App& verb = *verbs[0];
  std::string what = error.what();
  // Selects by number: in some errors the library puts another name than that of the error.
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (kind == CLI::ExitCodes::ExtrasError) {
    what = SurplusArgument(verb, arguments);
  } else if (kind == CLI::ExitCodes::ConversionError || kind == CLI::ExitCodes::ValidationError) {
    what = WrongValue(verb, what);
  } else if (kind == CLI::ExitCodes::RequiredError) {
    return "prejoin " + verb.get_name() + ": " + what + "\n\n" + verb.help();
  }
  return "prejoin " + verb.get_name() + ": " + what + MoreHelp(verb.get_name());
}

ExitCode CouldNotRun(const char* verb, const Error& error) {
  std::fprintf(stderr, "prejoin %s: %s\n", verb, error.message.c_str());
  return kCouldNotRun;
}

}  // namespace prejoin::cli
