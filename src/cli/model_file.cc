#include "cli/model_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace prejoin::cli {

std::optional<std::string> ReadWholeFile(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "prejoin: cannot read %s\n", path.c_str());
    return std::nullopt;
  }
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof(buffer), file)) > 0 &&
         text.size() <= model::kModelFileBytesMax)
    text.append(buffer, count);
  // A directory opens like a file and fails only here.
  const bool failed = std::ferror(file) != 0;
  const int reason = errno;
  if (file != stdin) std::fclose(file);
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

std::optional<LoadedModel> LoadModel(const std::string& path, ExitCode& exit_code) {
  auto source = ReadWholeFile(path);
  if (!source) {
    exit_code = kCouldNotRun;
    return std::nullopt;
  }
  LoadedModel loaded{path, *std::move(source), {}};
  loaded.read = model::ReadModel(loaded.source);
  if (loaded.read.ok) return loaded;
  for (const model::Diagnostic& diagnostic : loaded.read.diagnostics) {
    std::fputs(model::RenderDiagnostic(path, loaded.source, diagnostic).c_str(), stderr);
  }
  exit_code = kCouldNotRun;
  return std::nullopt;
}

void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

bool ErrorsGoToTerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace prejoin::cli
