#include "transfer/csv_reader.h"

#include <optional>
#include <utility>

namespace prejoin::transfer {

Result<CsvReader::Record> CsvReader::Next(std::vector<std::string>& fields) {
  fields.assign(1, "");
  State state = State::kFieldStart;
  std::size_t bytes = 0;
  bool broken = false;
  bool any = false;
  while (true) {
    PJ_ASSIGN_OR_RETURN(const std::optional<char> read, lines_.NextCharacter());
    if (!read) {
      if (!any) {
        return Record::kEnd;
      }
      broken = broken || state == State::kQuoted;
      break;
    }
    const char c = *read;
    if (state != State::kQuoted && c == '\n') {
      if (!any) {
        continue;
      }
      break;
    }
    if (state != State::kQuoted && c == '\r') {
      continue;
    }
    any = true;
    const bool keep = ++bytes <= record_bytes_max_;
    if (state == State::kQuoted) {
      if (c == '"') {
        state = State::kQuoteSeen;
      } else if (keep) {
        fields.back().push_back(c);
      }
    } else if (c == delimiter_) {
      if (keep) {
        fields.emplace_back();
      }
      state = State::kFieldStart;
    } else if (c == '"' && state != State::kPlain) {
      if (state == State::kQuoteSeen && keep) {
        fields.back().push_back('"');
      }
      state = State::kQuoted;
    } else {
      broken = broken || state == State::kQuoteSeen;
      state = State::kPlain;
      if (keep) {
        fields.back().push_back(c);
      }
    }
  }
  if (bytes > record_bytes_max_) {
    return Record::kTooLong;
  }
  return broken ? Record::kBroken : Record::kRead;
}

}  // namespace prejoin::transfer
