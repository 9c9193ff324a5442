// The logical half of a model from questions: which things there are, what belongs to what, and for each relationship the four
// that decide about keys: how many, which directions, how often it changes, what is read together.
#ifndef PREJOIN_DRAFT_INTERVIEW_INTERVIEW_H_
#define PREJOIN_DRAFT_INTERVIEW_INTERVIEW_H_

#include <functional>
#include <optional>
#include <string>

#include "draft/draft.h"
#include "prejoin/result.h"

namespace prejoin::draft {

struct Question {
  std::string text;
  std::string otherwise;  // The meaning of an empty answer; empty: it ends a list.
};

// The source of answers: a person at a terminal, or a file. The functions are called one after the other.
struct Respondent {
  // Nullopt: there are no more answers; every further question gets what it has `otherwise`.
  std::function<std::optional<std::string>(const Question& question)> ask;
  // The heading of the next questions.
  std::function<void(const std::string& text)> tell;
  // The last answer cannot be read. True: ask again; false: give up.
  std::function<bool(const std::string& why)> object;
};

// Entities, relationships, patterns and writes with rates, and a few rows of sample data. An error when an answer cannot be
// read and is not requested again, or when nothing was named.
Result<Draft> HoldInterview(const Respondent& respondent);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INTERVIEW_INTERVIEW_H_
