#include "model/syntax/formatter.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/syntax/fold.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kLineColumnsMax = 120;
// A cell wider than this does not push its whole column to the right.
constexpr std::size_t kAlignedCellColumnsMax = 48;

bool SpaceBetween(const Token& left, const Token& right) {
  const auto tight = [](const Token& token, std::string_view symbols) {
    return token.kind == TokenKind::kSymbol && symbols.find(token.text) != std::string_view::npos;
  };
  if (tight(right, ",)].:%") || tight(right, "..") || tight(right, "/")) {
    return false;
  }
  if (tight(left, "([~.") || tight(left, "..") || tight(left, "/")) {
    return false;
  }
  // -22, but 5 - 3 does not occur: a minus is a sign, or alone an absent value.
  if (left.IsSymbol("-") && right.kind == TokenKind::kNumber) {
    return false;
  }
  if (left.IsSymbol("{") || right.IsSymbol("}")) {
    return false;
  }
  // `text(20)` and `begins_with(…)` are written together; `sample Student (id, name)` is not.
  if (right.IsSymbol("(")) {
    return !right.glued;
  }
  return true;
}

std::string Join(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) {
    // 08:00
    const bool clock = i > begin + 1 && tokens[i - 2].kind == TokenKind::kNumber &&
                       tokens[i - 1].IsSymbol(":") && tokens[i].kind == TokenKind::kNumber;
    if (i > begin && !clock && SpaceBetween(tokens[i - 1], tokens[i])) {
      out += ' ';
    }
    out += tokens[i].raw;
  }
  return out;
}

enum class Layout { kPlain, kEntity, kItem, kSample };

Layout LayoutOf(const Statement& owner) {
  if (owner.head() == "entity") {
    return Layout::kEntity;
  }
  if (owner.head() == "item") {
    return Layout::kItem;
  }
  if (owner.head() == "sample") {
    return Layout::kSample;
  }
  return Layout::kPlain;
}

// The cells of a statement that are aligned with those of its neighbours.
std::vector<std::string> Cells(const Statement& statement, Layout layout) {
  const auto& tokens = statement.tokens;
  if (statement.has_block || tokens.size() < 2) {
    return {Join(tokens, 0, tokens.size())};
  }
  if (layout == Layout::kItem && tokens[1].IsSymbol("=")) {
    return {Join(tokens, 0, 1), Join(tokens, 1, tokens.size())};
  }
  if (layout == Layout::kEntity && tokens[0].kind == TokenKind::kWord &&
      tokens[0].text != "allow") {
    return {Join(tokens, 0, 1), Join(tokens, 1, tokens.size())};
  }
  if (layout == Layout::kSample) {
    std::vector<std::string> cells;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].IsSymbol("(") || tokens[i].IsSymbol("[") || tokens[i].IsSymbol("{")) {
        ++depth;
      }
      if (tokens[i].IsSymbol(")") || tokens[i].IsSymbol("]") || tokens[i].IsSymbol("}")) {
        --depth;
      }
      if (depth == 0 && tokens[i].IsSymbol(",")) {
        cells.push_back(Join(tokens, begin, i + 1));
        begin = i + 1;
      }
    }
    cells.push_back(Join(tokens, begin, tokens.size()));
    return cells;
  }
  return {Join(tokens, 0, tokens.size())};
}

class Formatter {
 public:
  std::string Run(const SyntaxTree& tree) {
    PrintAll(tree.statements, Layout::kPlain);
    PrintComments(tree.end_comments, tree.blank_line_before_end_comments);
    return std::move(out_);
  }

 private:
  void Indent() { out_.append(static_cast<std::size_t>(depth_) * 2, ' '); }

  void PrintComments(const std::vector<std::string>& comments, bool blank_line_before) {
    if (comments.empty()) {
      return;
    }
    if (blank_line_before) {
      out_ += '\n';
    }
    for (const std::string& comment : comments) {
      Indent();
      out_ += "//" + comment + "\n";
    }
  }

  static std::vector<std::size_t> Widths(const std::vector<std::vector<std::string>>& rows,
                                         std::size_t begin, std::size_t end) {
    std::vector<std::size_t> widths;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j + 1 < rows[i].size(); ++j) {
        if (widths.size() <= j) {
          widths.resize(j + 1);
        }
        const std::size_t columns = Columns(rows[i][j]);
        if (columns <= kAlignedCellColumnsMax) {
          widths[j] = std::max(widths[j], columns);
        }
      }
    }
    return widths;
  }

  void PrintAll(const std::vector<Statement>& statements, Layout layout) {
    std::vector<std::vector<std::string>> rows;
    rows.reserve(statements.size());
    for (const Statement& statement : statements) {
      rows.push_back(Cells(statement, layout));
    }
    std::size_t begin = 0;
    while (begin < statements.size()) {
      // A run that is aligned together ends at a blank line and at a block.
      std::size_t end = begin + 1;
      while (end < statements.size() && !statements[end].blank_line_before &&
             !statements[end].has_block && !statements[end - 1].has_block) {
        ++end;
      }
      const std::vector<std::size_t> widths = Widths(rows, begin, end);
      for (std::size_t i = begin; i < end; ++i) {
        PrintStatement(statements[i], rows[i], widths, i == 0);
      }
      begin = end;
    }
  }

  void PrintStatement(const Statement& statement, const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths, bool first) {
    if (statement.blank_line_before && !first) {
      out_ += '\n';
    }
    PrintComments(statement.comments, false);
    PrintCells(cells, widths);
    if (statement.has_block) {
      out_ += statement.tokens.empty() ? "{" : " {";
    }
    if (!statement.trailing_comment.empty()) {
      out_ += "  //" + statement.trailing_comment;
    }
    out_ += '\n';
    if (!statement.has_block) {
      return;
    }
    ++depth_;
    PrintAll(statement.body, LayoutOf(statement));
    PrintComments(statement.end_comments, statement.blank_line_before_end_comments);
    --depth_;
    Indent();
    out_ += '}';
    if (!statement.closing_comment.empty()) {
      out_ += "  //" + statement.closing_comment;
    }
    out_ += '\n';
  }

  void PrintCells(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
    Indent();
    std::size_t column = static_cast<std::size_t>(depth_) * 2;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t columns = Columns(cells[i]);
      // Only after a comma may a statement go on in the next line.
      if (i > 0 && column + columns > kLineColumnsMax && cells[i - 1].ends_with(',')) {
        while (out_.ends_with(' ')) {
          out_.pop_back();
        }
        out_ += '\n';
        column = static_cast<std::size_t>(depth_) * 2 + 4;
        out_.append(column, ' ');
      }
      out_ += cells[i];
      column += columns;
      if (i + 1 < cells.size()) {
        const std::size_t width = columns <= kAlignedCellColumnsMax ? widths[i] : columns;
        out_.append(width - columns + 1, ' ');
        column += width - columns + 1;
      }
    }
  }

  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string FormatTree(const SyntaxTree& tree) { return Formatter().Run(tree); }

}  // namespace prejoin::model
