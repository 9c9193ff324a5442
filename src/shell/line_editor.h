// Lines from a person, with editing, completion and history; or from a pipe, without. The only place
// that knows libedit.
#ifndef PREJOIN_SHELL_LINE_EDITOR_H_
#define PREJOIN_SHELL_LINE_EDITOR_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace prejoin::shell {

// One of them in a program: libedit and the handler of Ctrl-C are global. Single thread.
class LineEditor {
 public:
  // Completions of the word at the end of `before`.
  using Completer =
      std::function<std::vector<std::string>(const std::string& before, const std::string& word)>;

  // `history` is a file; empty: none is kept.
  LineEditor(std::string history, Completer completer);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  enum class Outcome { kLine, kInterrupted, kEnd };
  Outcome Read(const std::string& prompt, std::string& line);

  // Kept at once, so that a crash loses nothing.
  void Remember(const std::string& statement);

  bool on_terminal() const { return on_terminal_; }
  // Lines of the terminal; 24 if it does not say.
  static std::size_t TerminalLines();
  // Columns of it; 0 if it does not say.
  static std::size_t TerminalColumns();

  // Returns true if Ctrl-C was pressed since TakeInterrupt was last asked.
  static bool IsInterrupted();
  static bool TakeInterrupt();

 private:
  const std::string history_;
  const bool on_terminal_;
};

}  // namespace prejoin::shell

#endif  // PREJOIN_SHELL_LINE_EDITOR_H_
