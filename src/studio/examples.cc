#include "studio/examples.h"

#include "json/writer.h"
#include "model/bind/read_model.h"
#include "model/syntax/diagnostic.h"
#include "embedded/embedded_file.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

constexpr std::string_view kSuffix = ".prejoin";

std::string_view NameOf(const embedded::EmbeddedFile& file) {
  return file.path.substr(0, file.path.size() - kSuffix.size());
}

// The first line, if it is a comment, without its slashes.
std::string_view FirstComment(std::string_view source) {
  std::string_view line = model::SourceLine(source, 1);
  if (!line.starts_with("//")) {
    return {};
  }
  line.remove_prefix(2);
  while (line.starts_with(' ')) {
    line.remove_prefix(1);
  }
  return line;
}

std::string MakeExamplesJson() {
  std::string answer;
  json::AppendArray(embedded::ExampleFiles(), answer, [&](const embedded::EmbeddedFile& file) {
    const std::string source = Decompress(file);
    json::ObjectWriter object(answer);
    object.String("name", NameOf(file));
    object.String("title", model::ReadModel(source).declared().title);
    object.String("comment", FirstComment(source));
  });
  return answer;
}

}  // namespace

const std::string& ExamplesJson() {
  static const std::string answer = MakeExamplesJson();
  return answer;
}

Result<std::string> ExampleJson(std::string_view name) {
  const embedded::EmbeddedFile* file = FindFile(embedded::ExampleFiles(), std::string(name) + std::string(kSuffix));
  if (file == nullptr) {
    return Refuse(404, "there is no such example");
  }
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("name", name);
    object.String("source", Decompress(*file));
  }
  return answer;
}

}  // namespace prejoin::studio
