// A draft for programs.
#include "draft/draft.h"
#include "json/indented_writer.h"

namespace prejoin::draft {
namespace {

void WriteTexts(std::string_view name, const std::vector<std::string>& texts,
                json::IndentedWriter& json) {
  if (texts.empty()) {
    return;
  }
  json.Name(name).BeginArray();
  for (const std::string& text : texts) {
    json.String(text);
  }
  json.EndArray();
}

void WriteText(std::string_view name, const std::string& text, json::IndentedWriter& json) {
  if (!text.empty()) {
    json.Field(name, text);
  }
}

void WriteFigure(std::string_view name, double figure, json::IndentedWriter& json) {
  if (figure > 0) {
    json.Field(name, figure);
  }
}

void WriteEntity(const DraftEntity& entity, json::IndentedWriter& json) {
  json.BeginObject().Field("name", entity.name);
  WriteFigure("count", entity.count, json);
  WriteTexts("key", entity.KeyNames(), json);
  json.Name("attributes").BeginArray();
  for (const DraftAttribute& one : entity.attributes) {
    json.BeginObject().Field("name", one.name).Field("type", one.type);
    WriteFigure("bytes", one.size, json);
    if (one.optional) {
      json.Field("optional", true);
    }
    if (one.unique) {
      json.Field("unique", true);
    }
    WriteText("references", one.references, json);
    WriteTexts("values", one.values, json);
    WriteText("note", one.note, json);
    json.EndObject();
  }
  json.EndArray();
  WriteTexts("notes", entity.notes, json);
  json.EndObject();
}

void WriteRelationship(const DraftRelationship& one, json::IndentedWriter& json) {
  json.BeginObject().Field("name", one.name).Field("from", one.from);
  json.Field("kind", one.kind).Field("to", one.to);
  WriteText("through", one.through, json);
  WriteTexts("by", one.by, json);
  WriteFigure("average", one.average, json);
  WriteFigure("backAverage", one.back_average, json);
  WriteTexts("notes", one.notes, json);
  json.EndObject();
}

void WriteTable(const DraftTable& table, json::IndentedWriter& json) {
  json.BeginObject().Field("name", table.name).Field("partition", table.partition);
  WriteText("sort", table.sort, json);
  WriteText("typeAttribute", table.type_attribute, json);
  json.Name("indexes").BeginArray();
  for (const DraftIndex& index : table.indexes) {
    json.BeginObject().Field("name", index.name).Field("local", index.local);
    WriteTexts("partition", index.partition, json);
    WriteTexts("sort", index.sort, json);
    json.Field("projection", index.projection);
    WriteTexts("include", index.include, json);
    json.EndObject();
  }
  json.EndArray().Name("items").BeginArray();
  for (const DraftItem& item : table.items) {
    json.BeginObject().Field("entity", item.entity).Name("keys").BeginObject();
    for (const auto& [key, text] : item.keys) {
      json.Field(key, text);
    }
    json.EndObject();
    WriteTexts("without", item.without, json);
    WriteTexts("locks", item.locks, json);
    WriteTexts("notes", item.notes, json);
    json.EndObject();
  }
  json.EndArray();
  WriteTexts("notes", table.notes, json);
  json.EndObject();
}

}  // namespace

std::string DraftJson(const Draft& draft) {
  json::IndentedWriter json;
  json.BeginObject().Field("title", draft.title);
  WriteTexts("notes", draft.notes, json);
  json.Name("entities").BeginArray();
  for (const DraftEntity& entity : draft.entities) {
    WriteEntity(entity, json);
  }
  json.EndArray().Name("relationships").BeginArray();
  for (const DraftRelationship& one : draft.relationships) {
    WriteRelationship(one, json);
  }
  json.EndArray().Name("patterns").BeginArray();
  for (const DraftPattern& one : draft.patterns) {
    json.BeginObject().Field("name", one.name).Field("write", one.is_write);
    WriteText("title", one.title, json);
    WriteTexts("lines", one.lines, json);
    WriteTexts("notes", one.notes, json);
    json.EndObject();
  }
  json.EndArray().Name("tables").BeginArray();
  for (const DraftTable& table : draft.tables) {
    WriteTable(table, json);
  }
  json.EndArray();
  WriteTexts("endNotes", draft.end_notes, json);
  return json.Field("source", PrintDraft(draft)).EndObject().Finish();
}

}  // namespace prejoin::draft
