// Names of a model in the spelling of a language: "studentId" is student_id, StudentId, STUDENT_ID.
#ifndef PREJOIN_GEN_WORDS_H_
#define PREJOIN_GEN_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::gen {

// In lower case: "GSI1-PK" → gsi1, pk; "TicketId" → ticket, id; "größe" → gru00f6u00dfe. Any name has a word,
// of ASCII letters and digits, and the first begins with a letter.
std::vector<std::string> Words(std::string_view name);

std::string CamelCase(std::string_view name);       // ticketId
std::string PascalCase(std::string_view name);      // TicketId
std::string SnakeCase(std::string_view name);       // ticket_id
std::string UpperSnakeCase(std::string_view name);  // TICKET_ID

// As Go writes names: TicketID, ticketID, GSI1PK.
std::string ExportedCase(std::string_view name);
std::string UnexportedCase(std::string_view name);

// "enrollments", "categories", "addresses"
std::string Plural(std::string_view name);

// A text of the model as it may be in a comment or docstring of any language: on one line, without what would end the comment there or be read
// as code.
std::string CommentText(std::string_view text);

// Text between quotes, for languages with C's escapes; bytes above 127 stay as they are.
std::string Quoted(std::string_view text, char quote = '"');
// "STU#", ""
std::string QuotedList(const std::vector<std::string>& texts);
// A name as a member of an object in JavaScript: quoted if it must be.
bool IsIdentifier(std::string_view name);
std::string PropertyName(std::string_view name);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_WORDS_H_
