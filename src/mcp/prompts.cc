#include "mcp/prompts.h"

#include <array>

#include "json/writer.h"

namespace prejoin::mcp {
namespace {

struct Prompt {
  std::string_view name;
  std::string_view description;
  std::string_view argument;  // Its one argument, which is optional.
  std::string_view argument_description;
  std::string_view text;
};

constexpr std::string_view kInterview =
    R"(Design a DynamoDB table with me. Work in this order, one topic at a time, and do not guess figures that I can tell you.

1. Read prejoin://grammar and one of the examples.
2. Ask what the application does and which things it stores. Write each thing as an entity with its attributes, types, typical sizes and
   how many rows there are today and in two years.
3. Ask how the things belong together: one to one, one to many, many to many; the average and the largest number on each side; whether the
   relationship changes.
4. Ask for every access pattern: who asks, which values are known then, what must come back, in which order, how many at once, how fresh,
   how often on average and at the peak. Ask for one pattern per screen or API call until I say that there are no more.
5. Ask for every write: what it changes, how often, and what must change together or not at all. Ask which values are unique, and whether
   tenants must be kept apart.
6. Ask which values are hot: whether a few customers, products or days get most of the requests.
7. Write the model without tables and show it to me. Call `check`, and fix what it finds in the logical half.
8. Call `design`. Show me the keys, the monthly cost, the lower bound and the reasons; name the figures that were defaults.
9. Call `prove` on the result and `simulate` it. Report what was proved and what was not.
10. Ask whether to change a figure, prefer fewer indexes, or generate code.
)";

constexpr std::string_view kMove =
    R"(Move a relational database to DynamoDB with me.

1. Ask for the schema (SQL or a Prisma file) and for the workload: rows of pg_stat_statements with `query`, `calls` and `seconds`, or the
   statements of the application. Call `import_model` with both; use paths where you have files.
2. Show me what was not read: comments in the result, and statements that are not patterns. Ask what each of them is for, and write
   patterns for those that must stay.
3. Ask for counts of rows, and for the sizes of large columns.
4. Call `check`, then `design`, then `prove`. Show the keys, the cost and the reasons.
5. Say what a relational database did so far and the application must do now: cascades, unique values, reports over all rows.
)";

constexpr std::string_view kReview =
    R"(Review a DynamoDB design with me.

1. Take the model from the file that I name, or call `infer` for a table or an export.
2. Call `check`, `prove` and `cost`. Explain each error in a sentence, with its fix.
3. Call `design` for the same entities and patterns and `diff` with the current design. Say what is worth changing, and what it saves.
4. If something is worth changing, call `migrate_plan` and show its steps.
)";

constexpr std::array kPrompts = std::to_array<Prompt>({
    {"interview", "An interview that ends with a proved design", "application",
     "The purpose of the application", kInterview},
    {"move_from_sql", "From a relational schema and its query statistics to a design", "schema",
     "Path of the schema", kMove},
    {"review", "A review of an existing design or table", "model", "Path of a model, or a table's name",
     kReview},
});

}  // namespace

std::string ListPrompts() {
  std::string out = "{\"prompts\":";
  json::AppendArray(kPrompts, out, [&](const Prompt& prompt) {
    json::ObjectWriter object(out);
    object.String("name", prompt.name);
    object.String("description", prompt.description);
    std::string& arguments = object.Name("arguments");
    arguments += "[";
    {
      json::ObjectWriter argument(arguments);
      argument.String("name", prompt.argument);
      argument.String("description", prompt.argument_description);
      argument.Bool("required", false);
    }
    arguments += "]";
  });
  return out + "}";
}

std::optional<std::string> GetPrompt(std::string_view name, const ToolArguments& arguments) {
  for (const Prompt& prompt : kPrompts) {
    if (prompt.name != name) {
      continue;
    }
    const std::string& about = arguments.Get(std::string(prompt.argument));
    std::string text(prompt.text);
    if (!about.empty()) {
      text += "\nThe " + std::string(prompt.argument) + ": " + about + "\n";
    }
    std::string out = "{\"description\":";
    json::AppendString(prompt.description, out);
    out += ",\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":";
    json::AppendString(text, out);
    return out + "}}]}";
  }
  return std::nullopt;
}

}  // namespace prejoin::mcp
