#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "model/syntax/fold.h"
#include "model/syntax/text_style.h"

namespace prejoin::cli {
namespace {

constexpr std::size_t kColumnsDefault = 80;
constexpr std::size_t kColumnsMin = 40;

enum class Color { kAuto, kAlways, kNever };

// Set once, while the command line is read.
Color color_choice = Color::kAuto;

// https://no-color.org: any value that is not empty.
bool IsColored(int file) {
  if (color_choice != Color::kAuto) {
    return color_choice == Color::kAlways;
  }
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string(terminal) == "dumb";
  return isatty(file) == 1 && !is_dumb && (no_color == nullptr || *no_color == '\0');
}

// Symbols such as ✓ belong to a terminal, with or without colours.
bool IsPlain(int file) { return !IsColored(file) && isatty(file) != 1; }

std::string Folded(const std::string& text, int file) {
  if (IsPlain(file)) {
    return model::Fold(model::PlainText(text), TerminalColumns());
  }
  return model::TerminalText(model::Fold(text, TerminalColumns()), IsColored(file));
}

}  // namespace

void AddColorOption(CLI::App& program) {
  program
      .add_option("--color", color_choice,
                  "Colour the output: auto does so on a terminal unless NO_COLOR is set")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Color>{
          {"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}}))
      ->default_str("auto")
      ->option_text("auto|always|never [auto]");
}

std::size_t TerminalColumns() {
  winsize size{};
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
    if (isatty(file) == 1 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      return std::max<std::size_t>(kColumnsMin, size.ws_col);
    }
  }
  return kColumnsDefault;
}

void PrintTo(std::FILE* file, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

void PrintFoldedTo(std::FILE* file, const std::string& text) {
  PrintTo(file, Folded(text, fileno(file)));
}

bool ErrorsGoToTerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace prejoin::cli
