// Projection expressions: paths, separated by commas.
#include <algorithm>

#include "expr/grammar.h"

namespace prejoin::expr {
namespace {

constexpr std::string_view kProjectionKind = "ProjectionExpression";

class ProjectionParser : private Grammar {
 public:
  static Result<Projection> Parse(std::string_view text, Placeholders& placeholders) {
    PJ_RETURN_IF_ERROR(CheckText(kProjectionKind, text));
    ProjectionParser parser(text, placeholders);
    if (parser.ReadPaths()) {
      parser.CheckPaths();
    }
    if (parser.Refused()) {
      return parser.Refusal();
    }
    std::ranges::sort(parser.projection_.paths, PathLess);
    return std::move(parser.projection_);
  }

 private:
  ProjectionParser(std::string_view text, Placeholders& placeholders)
      : Grammar(kProjectionKind, text, placeholders) {}

  bool ReadPaths() {
    while (true) {
      if (!ReadPath(projection_.paths.emplace_back())) {
        return false;
      }
      if (lexer_.Is(TokenKind::kEnd)) {
        return true;
      }
      if (!Expect(TokenKind::kComma)) {
        return false;
      }
    }
  }

  void CheckPaths() {
    if (projection_.paths.size() < 2) {
      return;
    }
    std::vector<const Path*> paths;
    for (const Path& path : projection_.paths) {
      paths.push_back(&path);
    }
    CheckPathsApart(paths, faults_);
  }

  Projection projection_;
};

}  // namespace

Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders) {
  return ProjectionParser::Parse(text, placeholders);
}

}  // namespace prejoin::expr
