// Ctrl-C while a line is edited must end the line and not the program. libedit goes on reading after
// a signal, so the handler jumps out of it, to the point where Read called it; between the two there
// are only frames of C. At any other time the handler only sets a flag that loops look at.
#include "shell/line_editor.h"

#include <editline/readline.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace prejoin::shell {
namespace {

constexpr int kHistoryLines = 2000;

volatile sig_atomic_t interrupted = 0;
volatile sig_atomic_t editing = 0;
sigjmp_buf out_of_editing;
LineEditor::Completer* current_completer = nullptr;
std::vector<std::string>* current_words = nullptr;

void OnInterrupt(int) {
  interrupted = 1;
  if (editing != 0) {
    editing = 0;
    siglongjmp(out_of_editing, 1);
  }
}

// Gives one word after the other, in memory that libedit frees.
char* NextWord(const char*, int state) {
  static std::size_t next = 0;
  if (state == 0) {
    next = 0;
  }
  if (current_words == nullptr || next >= current_words->size()) {
    return nullptr;
  }
  return strdup((*current_words)[next++].c_str());
}

char** Complete(const char* word, int start, int) {
  rl_attempted_completion_over = 1;  // Never names of files.
  if (current_completer == nullptr) {
    return nullptr;
  }
  static std::vector<std::string> words;
  const std::string before(rl_line_buffer, static_cast<std::size_t>(start));
  words = (*current_completer)(before, word);
  // Behind `name=` comes its value at once.
  const bool value_follows = words.size() == 1 && words[0].ends_with('=');
  rl_completion_append_character = value_follows ? '\0' : ' ';
  current_words = &words;
  return words.empty() ? nullptr : rl_completion_matches(word, NextWord);
}

// Separate, so that no object with a destructor lives in a frame that is jumped over.
char* ReadLineOrJump(const char* prompt, bool& jumped) {
  if (sigsetjmp(out_of_editing, 1) != 0) {
    jumped = true;
    return nullptr;
  }
  editing = 1;
  char* line = readline(prompt);
  editing = 0;
  return line;
}

}  // namespace

LineEditor::LineEditor(std::string history, Completer completer)
    : history_(std::move(history)), on_terminal_(isatty(STDIN_FILENO) == 1) {
  static Completer kept;
  kept = std::move(completer);
  current_completer = &kept;
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  if (!on_terminal_) {
    return;
  }
  static char name[] = "prejoin";
  rl_readline_name = name;
  rl_initialize();
  static char breaks[] = " \t\n\"'`,=<>()[]{}";
  rl_basic_word_break_characters = breaks;
  rl_attempted_completion_function = Complete;
  using_history();
  stifle_history(kHistoryLines);
  if (!history_.empty()) {
    read_history(history_.c_str());
  }
}

LineEditor::~LineEditor() {
  current_completer = nullptr;
  signal(SIGINT, SIG_DFL);
}

LineEditor::Outcome LineEditor::Read(const std::string& prompt, std::string& line) {
  line.clear();
  interrupted = 0;
  if (!on_terminal_) {
    int c = 0;
    while ((c = std::getchar()) != EOF && c != '\n') {
      line += static_cast<char>(c);
    }
    return c == EOF && line.empty() ? Outcome::kEnd : Outcome::kLine;
  }
  bool jumped = false;
  char* read = ReadLineOrJump(prompt.c_str(), jumped);
  if (jumped) {
    std::fputs("^C\n", stdout);
    return Outcome::kInterrupted;
  }
  if (read == nullptr) {
    return Outcome::kEnd;
  }
  line = read;
  std::free(read);
  return Outcome::kLine;
}

void LineEditor::Remember(const std::string& statement) {
  if (!on_terminal_ || statement.empty()) {
    return;
  }
  add_history(statement.c_str());
  if (!history_.empty()) {
    write_history(history_.c_str());
  }
}

std::size_t LineEditor::TerminalLines() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 4) {
    return size.ws_row;
  }
  return 24;
}

std::size_t LineEditor::TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool LineEditor::IsInterrupted() { return interrupted != 0; }

bool LineEditor::TakeInterrupt() {
  const bool was = interrupted != 0;
  interrupted = 0;
  return was;
}

}  // namespace prejoin::shell
