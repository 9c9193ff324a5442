#include "model/syntax/fix_json.h"

#include "json/indented_writer.h"

namespace prejoin::model {
namespace {

void WritePlace(json::IndentedWriter& json, const char* line, const char* column,
                SourcePlace place) {
  json.Field(line, static_cast<double>(place.line))
      .Field(column, static_cast<double>(place.column));
}

void WriteFix(json::IndentedWriter& json, const Fix& fix) {
  json.BeginObject().Field("title", fix.title);
  json.Field("applicability", ApplicabilityName(fix.applicability)).Name("edits").BeginArray();
  for (const Edit& edit : fix.edits) {
    json.BeginObject();
    WritePlace(json, "line", "column", edit.begin);
    WritePlace(json, "endLine", "endColumn", edit.end);
    json.Field("removed", edit.removed).Field("text", edit.text).EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace

void WriteFixes(json::IndentedWriter& json, const Suggestion& suggestion) {
  json.Name("fixes").BeginArray();
  for (const Fix& fix : suggestion.fixes) {
    if (!fix.edits.empty()) {
      WriteFix(json, fix);
    }
  }
  json.EndArray();
}

void WriteSarifFixes(json::IndentedWriter& json, const std::string& path,
                     const Suggestion& suggestion) {
  json.Name("fixes").BeginArray();
  for (const Fix& fix : suggestion.fixes) {
    if (fix.edits.empty()) {
      continue;
    }
    json.BeginObject().Name("description").BeginObject().Field("text", fix.title).EndObject();
    json.Name("artifactChanges").BeginArray().BeginObject();
    json.Name("artifactLocation").BeginObject().Field("uri", path).EndObject();
    json.Name("replacements").BeginArray();
    for (const Edit& edit : fix.edits) {
      json.BeginObject().Name("deletedRegion").BeginObject();
      WritePlace(json, "startLine", "startColumn", edit.begin);
      WritePlace(json, "endLine", "endColumn", edit.end);
      json.EndObject().Name("insertedContent").BeginObject().Field("text", edit.text);
      json.EndObject().EndObject();
    }
    json.EndArray().EndObject().EndArray().EndObject();
  }
  json.EndArray();
}

}  // namespace prejoin::model
