#include "cli/model_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "json/indented_writer.h"
#include "model/syntax/figure_text.h"

namespace prejoin::cli {
std::optional<std::string> ReadWholeFile(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "prejoin: cannot read %s: %s\n", path.c_str(), std::strerror(errno));
    return std::nullopt;
  }
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0 &&
         text.size() <= model::kModelFileBytesMax) {
    text.append(buffer, count);
  }
  // A directory opens like a file and fails only here.
  const bool failed = std::ferror(file) != 0;
  const int reason = errno;
  if (file != stdin) {
    std::fclose(file);
  }
  if (failed) {
    std::fprintf(stderr, "prejoin: cannot read %s: %s\n", path.c_str(), std::strerror(reason));
    return std::nullopt;
  }
  return text;
}

bool WriteWholeFile(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    std::fprintf(stderr, "prejoin: cannot write %s\n", path.c_str());
    return false;
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

bool ReplaceFile(const std::string& path, const std::string& text) {
  const auto fail = [&] {
    std::fprintf(stderr, "prejoin: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
    return false;
  };
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  struct stat before {};
  if (real == nullptr || stat(real.get(), &before) != 0) {
    return fail();
  }
  std::string beside = std::string(real.get()) + ".XXXXXX";
  const int file = mkstemp(beside.data());
  if (file < 0) {
    return fail();
  }
  bool written = fchmod(file, before.st_mode & 07777) == 0;
  for (std::size_t done = 0; written && done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    written = count > 0;
    done += written ? static_cast<std::size_t>(count) : 0;
  }
  written = written && fsync(file) == 0;
  written = close(file) == 0 && written;
  if (!written || std::rename(beside.c_str(), real.get()) != 0) {
    const bool told = fail();
    unlink(beside.c_str());
    return told;
  }
  return true;
}

std::optional<LoadedModel> LoadModel(const std::string& path, ExitCode& exit_code) {
  auto source = ReadWholeFile(path);
  if (!source) {
    exit_code = kCouldNotRun;
    return std::nullopt;
  }
  LoadedModel loaded{path, *std::move(source), {}};
  loaded.read = model::ReadModel(loaded.source);
  if (loaded.read.ok) {
    return loaded;
  }
  for (const model::Diagnostic& diagnostic : loaded.read.diagnostics) {
    const std::string text = model::RenderDiagnostic(path, loaded.source, diagnostic);
    PrintFoldedTo(stderr, text);
  }
  exit_code = kCouldNotRun;
  return std::nullopt;
}

void JsonOfFiles::Add(const std::string& path, const std::string& document) {
  ++count_;
  if (!several_) {
    out_ += document;
    return;
  }
  json::IndentedWriter name;
  name.String(path);
  std::string quoted = name.Finish();
  quoted.pop_back();
  const bool has_members = document.find('"') != std::string::npos;
  std::string named = "{\n  \"file\": " + quoted + (has_members ? "," : "\n") +
                      document.substr(document.find('{') + 1);
  while (named.ends_with('\n')) {
    named.pop_back();
  }
  std::string indented = out_.empty() ? "\n  " : ",\n  ";
  for (const char c : named) {
    indented += c;
    if (c == '\n') {
      indented += "  ";
    }
  }
  out_ += indented;
}

void JsonOfFiles::AddFailure(const std::string& path) {
  if (several_) {
    Add(path, "{\n  \"error\": \"the command could not run; standard error says why\"\n}\n");
  }
}

void JsonOfFiles::PrintAll() const { Print(several_ ? "[" + out_ + "\n]\n" : out_); }

void AddPriceOptions(CLI::App& verb, PriceArguments& arguments) {
  verb.add_option("--prices", arguments.file, "Price file; docs/model/prices.md describes it");
  verb.add_option("--price-region", arguments.region, "Section of the price file to use");
}

std::optional<model::Prices> LoadPrices(const PriceArguments& arguments) {
  if (arguments.file.empty()) {
    return model::Prices();
  }
  const auto text = ReadWholeFile(arguments.file);
  if (!text) {
    return std::nullopt;
  }
  auto parsed = model::ParsePrices(*text, arguments.region);
  if (parsed) {
    return *std::move(parsed);
  }
  std::fprintf(stderr, "prejoin: %s\n", parsed.error().message.c_str());
  return std::nullopt;
}

void AddTwoModels(CLI::App& verb, TwoModelsArguments& arguments) {
  verb.add_option("OLD", arguments.before, "Model file of the current design")->required();
  verb.add_option("NEW", arguments.after, "Model file of the new design")->required();
  AddPriceOptions(verb, arguments.prices);
}

std::optional<TwoModels> LoadTwoModels(const TwoModelsArguments& arguments, ExitCode& exit_code) {
  auto before = LoadModel(arguments.before, exit_code);
  if (!before) {
    return std::nullopt;
  }
  auto after = LoadModel(arguments.after, exit_code);
  if (!after) {
    return std::nullopt;
  }
  auto prices = LoadPrices(arguments.prices);
  if (!prices) {
    exit_code = kCouldNotRun;
    return std::nullopt;
  }
  return TwoModels{*std::move(before), *std::move(after), *std::move(prices)};
}

void AddAssumptionOptions(CLI::App& verb, AssumptionArguments& arguments, const char* strict_help) {
  verb.add_flag("--strict", arguments.strict, strict_help);
  verb.add_flag("--assumptions", arguments.all,
                "List every default that was used, including those that barely change the total");
}

bool ReportAssumptions(const model::Model& model, const model::Prices& prices,
                       const AssumptionArguments& arguments) {
  const auto effects = model::AssumptionEffects(model, prices);
  if (effects.empty()) {
    return true;
  }
  PrintFolded("\n" + model::RenderAssumptions(effects, prices, arguments.List()));
  if (!arguments.strict) {
    return true;
  }
  PrintFolded("--strict: " + model::Counted(static_cast<double>(effects.size()), "default") +
              " used\n");
  return false;
}

}  // namespace prejoin::cli
