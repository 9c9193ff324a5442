#include "model/syntax/fix.h"

#include <algorithm>
#include <utility>

namespace prejoin::model {

std::string_view ApplicabilityName(Applicability applicability) {
  switch (applicability) {
    case Applicability::kSafe:
      return "safe";
    case Applicability::kUnsafe:
      return "unsafe";
    case Applicability::kDisplayOnly:
      return "display";
  }
  return "display";
}

Suggestion::Suggestion(std::string advice) {
  if (!advice.empty()) {
    std::string title = advice.substr(0, advice.find('\n'));
    fixes.push_back({std::move(title), std::move(advice), {}, Applicability::kDisplayOnly});
  }
}

Suggestion::Suggestion(const char* advice) : Suggestion(std::string(advice)) {}

Suggestion::Suggestion(Fix fix) { fixes.push_back(std::move(fix)); }

const std::string& Suggestion::text() const {
  static const std::string kNone;
  return fixes.empty() ? kNone : fixes.front().text;
}

const Fix* Suggestion::FirstFix() const {
  const auto found = std::ranges::find_if(fixes, [](const Fix& fix) { return !fix.edits.empty(); });
  return found == fixes.end() ? nullptr : &*found;
}

Fix ReplaceAt(const SourceSpan& at, std::string_view old, std::string_view now,
              Applicability applicability) {
  const std::string title = "write `" + std::string(now) + "`";
  const SourcePlace begin = BeginOf(at);
  const SourcePlace end{at.line, at.column + static_cast<int>(old.size())};
  return {title, title, {{begin, end, std::string(old), std::string(now)}}, applicability};
}

std::optional<std::string> ApplyEdits(std::string_view source, const std::vector<Edit>& edits) {
  const LineStarts lines(source);
  std::string out;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    const auto begin = lines.OffsetOf(edit.begin);
    const auto end = lines.OffsetOf(edit.end);
    if (!begin || !end || *begin < done || *end < *begin ||
        source.substr(*begin, *end - *begin) != edit.removed) {
      return std::nullopt;
    }
    out += source.substr(done, *begin - done);
    out += edit.text;
    done = *end;
  }
  out += source.substr(done);
  return out;
}

LineStarts::LineStarts(std::string_view source) : source_(source), starts_{0} {
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\n') {
      starts_.push_back(i + 1);
    }
  }
}

std::optional<std::size_t> LineStarts::OffsetOf(SourcePlace place) const {
  if (place.line < 1 || place.line > line_count() || place.column < 1) {
    return std::nullopt;
  }
  const auto line = static_cast<std::size_t>(place.line) - 1;
  const std::size_t offset = starts_[line] + static_cast<std::size_t>(place.column) - 1;
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : source_.size();
  return offset <= end ? std::optional(offset) : std::nullopt;
}

SourcePlace LineStarts::PlaceOf(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(starts_, offset);
  const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return {static_cast<int>(line) + 1, static_cast<int>(offset - starts_[line]) + 1};
}

std::string_view LineStarts::Line(int line) const {
  if (line < 1 || line > line_count()) {
    return {};
  }
  const std::size_t begin = starts_[static_cast<std::size_t>(line) - 1];
  return source_.substr(begin, source_.find('\n', begin) - begin);
}

}  // namespace prejoin::model
