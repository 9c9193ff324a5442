// Places in a model file.
#ifndef PREJOIN_MODEL_SYNTAX_SOURCE_SPAN_H_
#define PREJOIN_MODEL_SYNTAX_SOURCE_SPAN_H_

namespace prejoin::model {

// A stretch of one line. Lines and columns count from 1; columns count bytes. Line 0 is "the whole
// file".
struct SourceSpan {
  int line = 0;
  int column = 1;
  int length = 1;
};

// A place between two bytes: before the byte at this line and column.
struct SourcePlace {
  int line = 1;
  int column = 1;

  friend auto operator<=>(const SourcePlace&, const SourcePlace&) = default;
};

inline SourcePlace BeginOf(const SourceSpan& span) { return {span.line, span.column}; }
inline SourcePlace EndOf(const SourceSpan& span) { return {span.line, span.column + span.length}; }

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_SOURCE_SPAN_H_
