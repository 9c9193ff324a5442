#include "cli/transfer/rows_out.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "audit/item_check.h"
#include "cli/progress.h"
#include "json/plain_value.h"
#include "json/writer.h"
#include "model/data/item_render.h"

namespace prejoin::cli {
namespace {

// Returns the share of its rows that a list inside items holds.
std::size_t MembersKept(const model::StoredAttribute& stored) {
  return stored.members.empty() ? std::numeric_limits<std::size_t>::max() : stored.members.size();
}

// The source of the rows of each entity that has no items of its own. The same row may be kept in the lists of
// both its ends: the one that holds more of it counts.
std::map<std::string, const model::StoredAttribute*> FindHomes(const model::Model& model) {
  std::map<std::string, const model::StoredAttribute*> homes;
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (stored.embedded.text.empty() || model.FindPlacement(stored.embedded.text)) {
          continue;
        }
        const model::StoredAttribute*& home = homes[stored.embedded.text];
        if (home == nullptr || MembersKept(stored) > MembersKept(*home)) {
          home = &stored;
        }
      }
    }
  }
  return homes;
}

}  // namespace

RowsOut::RowsOut(const model::Model& model, const model::Table& table, std::string directory,
                 RowFormat format, SqlDialect dialect)
    : model_(model),
      table_(table),
      directory_(std::move(directory)),
      format_(format),
      dialect_(dialect),
      homes_(FindHomes(model)) {}

// Lists the references between the entities of this file. A reference that leads back to where it came from is left out, so that the rest
// has an order; DuckDB checks every line at once, so it gets no reference of a table to itself, and neither do the others.
void RowsOut::FindReferences(const std::vector<const model::Entity*>& entities) {
  for (const model::Entity* entity : entities) {
    std::map<std::string, RowReference> by_target;
    for (const model::Attribute& attribute : entity->attributes) {
      if (attribute.references) {
        RowReference& one = by_target[attribute.references->entity.text];
        one.to = &model_.At(attribute.references->entity);
        one.columns.push_back(attribute.name.text);
        one.targets.push_back(attribute.references->attribute.text);
      }
    }
    for (auto& [name, one] : by_target) {
      if (one.to == entity || std::ranges::count(entities, one.to) == 0) {
        continue;
      }
      std::vector<std::string> keys = one.to->KeyNames();
      std::vector<std::string> targets = one.targets;
      std::ranges::sort(keys);
      std::ranges::sort(targets);
      if (keys == targets && !LeadsTo(*one.to, *entity)) {
        references_[entity->name.text].push_back(std::move(one));
      }
    }
  }
}

bool RowsOut::LeadsTo(const model::Entity& from, const model::Entity& to) const {
  if (&from == &to) {
    return true;
  }
  const auto found = references_.find(from.name.text);
  return found != references_.end() &&
         std::ranges::any_of(found->second,
                             [&](const RowReference& one) { return LeadsTo(*one.to, to); });
}

// Parents before their children.
void RowsOut::AddInOrder(const model::Entity& entity) {
  if (std::ranges::count(order_, &entity) > 0) {
    return;
  }
  for (const RowReference& one : references_[entity.name.text]) {
    AddInOrder(*one.to);
  }
  order_.push_back(&entity);
}

// Null if the rows in this list are taken from elsewhere.
const model::Entity* RowsOut::EntityAtHome(const model::StoredAttribute& stored) const {
  const auto home = homes_.find(stored.embedded.text);
  return home != homes_.end() && home->second == &stored ? &model_.At(stored.embedded) : nullptr;
}

Result<std::unique_ptr<RowsOut>> RowsOut::Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format,
                                               SqlDialect dialect) {
  const model::Table* found = nullptr;
  for (const model::Table& one : model.tables) {
    if (one.name.text == table) {
      found = &one;
    }
  }
  if (found == nullptr) {
    return ValidationError("the model has no table " + table);
  }
  std::error_code code;
  std::filesystem::create_directories(directory, code);
  if (code) {
    return Error{ErrorCode::kIo, directory + ": " + code.message()};
  }
  std::filesystem::remove(directory + "/rejects.jsonl", code);  // Left by an earlier run.
  auto rows = std::unique_ptr<RowsOut>(new RowsOut(model, *found, directory, format, dialect));
  // An entity without rows has its file too, so that it can be asked.
  std::vector<const model::Entity*> entities;
  const auto add = [&](const model::Entity* entity) {
    if (entity != nullptr && std::ranges::count(entities, entity) == 0) {
      entities.push_back(entity);
    }
  };
  for (const model::ItemLayout& layout : found->items) {
    add(&model.At(layout.entity));
    for (const model::StoredAttribute& stored : layout.attributes) {
      add(rows->EntityAtHome(stored));
      add(rows->EntityOfCopies(stored));
    }
  }
  rows->FindReferences(entities);
  for (const model::Entity* entity : entities) {
    rows->AddInOrder(*entity);
  }
  for (const model::Entity* entity : rows->order_) {
    PJ_RETURN_IF_ERROR(rows->OutputOf(*entity));
  }
  return rows;
}

Result<std::unique_ptr<std::FILE, RowsOut::CloseFile>> RowsOut::OpenFile(
    const std::string& path) const {
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "we"));
  if (file == nullptr) {
    return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
  }
  return file;
}

// Files of SQL are loaded in the order of their names.
std::string RowsOut::PathOf(const model::Entity& entity) const {
  if (format_ != RowFormat::kSql) {
    return directory_ + "/" + entity.name.text + (format_ == RowFormat::kCsv ? ".csv" : ".jsonl");
  }
  const auto place = static_cast<std::size_t>(std::ranges::find(order_, &entity) - order_.begin());
  const std::string number = std::to_string(place + 1);
  return directory_ + "/" + (number.size() < 2 ? "0" : "") + number + "-" + entity.name.text + ".sql";
}

Result<RowsOut::Output*> RowsOut::OutputOf(const model::Entity& entity) {
  Output& output = outputs_[entity.name.text];
  if (output.file != nullptr) {
    return &output;
  }
  PJ_ASSIGN_OR_RETURN(output.file, OpenFile(PathOf(entity)));
  std::string head;
  if (format_ == RowFormat::kCsv) {
    head = CsvHead(entity);
  }
  if (format_ == RowFormat::kSql) {
    head = SqlHead(entity, references_[entity.name.text], dialect_);
    if (!references_[entity.name.text].empty()) {
      output.waiting.reset(std::tmpfile());
      if (output.waiting == nullptr) {
        return Error{ErrorCode::kIo, std::string("a temporary file: ") + std::strerror(errno)};
      }
    }
  }
  std::fwrite(head.data(), 1, head.size(), output.file.get());
  return &output;
}

Status RowsOut::Reject(const std::string& entity, const std::string& why, std::string_view member,
                       std::string_view json) {
  ++rejected_;
  if (rejects_ == nullptr) {
    PJ_ASSIGN_OR_RETURN(rejects_, OpenFile(directory_ + "/rejects.jsonl"));
  }
  std::string line;
  {
    json::ObjectWriter object(line);
    if (!entity.empty()) {
      object.String("entity", entity);
    }
    object.String("why", why);
    object.Name(member) += json;
  }
  line += '\n';
  if (std::fwrite(line.data(), 1, line.size(), rejects_.get()) != line.size()) {
    return Error{ErrorCode::kIo, std::string("rejects.jsonl: ") + std::strerror(errno)};
  }
  return {};
}

namespace {

// The values of these columns as one text; nullopt if one is missing.
std::optional<std::string> KeyText(const model::Row& row, const std::vector<std::string>& columns) {
  std::string key;
  for (const std::string& column : columns) {
    const AttributeValue* value = row.Find(column);
    if (value == nullptr || value->is_null()) {
      return std::nullopt;
    }
    const std::string text = PlainText(*value);
    key += std::to_string(text.size()) + ":" + text;
  }
  return key;
}

// The columns of the reference in the order of the other entity's key.
std::vector<std::string> InOrderOfKey(const RowReference& reference) {
  std::vector<std::string> columns;
  for (const std::string& key : reference.to->KeyNames()) {
    for (std::size_t i = 0; i < reference.targets.size(); ++i) {
      if (reference.targets[i] == key) {
        columns.push_back(reference.columns[i]);
      }
    }
  }
  return columns;
}

std::string WithoutNewline(std::string text) {
  text.pop_back();
  return text;
}

}  // namespace

Status RowsOut::Append(const std::string& entity, Output& output, std::string_view line) {
  ++output.rows;
  if (std::fwrite(line.data(), 1, line.size(), output.file.get()) != line.size()) {
    return Error{ErrorCode::kIo, entity + ": " + std::strerror(errno)};
  }
  return {};
}

Status RowsOut::Write(const model::Entity& entity, const model::Row& row) {
  PJ_ASSIGN_OR_RETURN(Output* const output, OutputOf(entity));
  const std::string& name = entity.name.text;
  if (const std::string why = WhyRefused(entity, row); !why.empty()) {
    return Reject(name, why, "row", WithoutNewline(JsonLine(entity, row)));
  }
  const auto key = KeyText(row, entity.KeyNames());
  const std::size_t hash = key ? std::hash<std::string>()(*key) : 0;
  if (key && !entity.KeyNames().empty() && !output->seen.insert(hash).second) {
    return Reject(name, "another row has the same key", "row", WithoutNewline(JsonLine(entity, row)));
  }
  if (output->waiting == nullptr) {
    return Append(name, *output,
                  format_ == RowFormat::kCsv     ? CsvLine(entity, row)
                  : format_ == RowFormat::kJsonl ? JsonLine(entity, row)
                                                 : SqlLine(entity, row, dialect_));
  }
  // Its parents may still come.
  std::vector<std::uint64_t> head = {hash};
  for (const RowReference& one : references_[name]) {
    const auto parent = KeyText(row, InOrderOfKey(one));
    head.push_back(parent ? 1 : 0);
    head.push_back(parent ? std::hash<std::string>()(*parent) : 0);
  }
  const std::string line = SqlLine(entity, row, dialect_);
  const std::string json = WithoutNewline(JsonLine(entity, row));
  head.push_back(line.size());
  head.push_back(json.size());
  std::FILE* const file = output->waiting.get();
  const bool written = std::fwrite(head.data(), sizeof(head[0]), head.size(), file) == head.size() &&
                       std::fwrite(line.data(), 1, line.size(), file) == line.size() &&
                       std::fwrite(json.data(), 1, json.size(), file) == json.size();
  ++output->waiting_rows;
  return written ? Status()
                 : Status(Error{ErrorCode::kIo, std::string("a temporary file: ") +
                                                    std::strerror(errno)});
}

// All parents are known now: rows that reference none of them would fail the load.
Status RowsOut::Settle(const model::Entity& entity) {
  Output& output = outputs_[entity.name.text];
  std::FILE* const file = output.waiting.get();
  if (file == nullptr) {
    return {};
  }
  const std::vector<RowReference>& references = references_[entity.name.text];
  std::rewind(file);
  std::vector<std::uint64_t> head(3 + 2 * references.size());
  for (std::int64_t i = 0; i < output.waiting_rows; ++i) {
    bool read = std::fread(head.data(), sizeof(head[0]), head.size(), file) == head.size();
    std::string line(read ? head[head.size() - 2] : 0, '\0');
    std::string json(read ? head[head.size() - 1] : 0, '\0');
    read = read && std::fread(line.data(), 1, line.size(), file) == line.size() &&
           std::fread(json.data(), 1, json.size(), file) == json.size();
    if (!read) {
      return Error{ErrorCode::kIo, "a temporary file cannot be read back"};
    }
    const RowReference* missing = nullptr;
    for (std::size_t at = 0; at < references.size(); ++at) {
      const bool present = head[1 + 2 * at] == 1;
      if (present && !outputs_[references[at].to->name.text].seen.contains(head[2 + 2 * at])) {
        missing = &references[at];
      }
    }
    if (missing != nullptr) {
      output.seen.erase(head[0]);
      PJ_RETURN_IF_ERROR(Reject(entity.name.text,
                                "it references a row of " + missing->to->name.text + " that does not exist",
                                "row", json));
    } else {
      PJ_RETURN_IF_ERROR(Append(entity.name.text, output, line));
    }
  }
  return {};
}

Status RowsOut::Add(const Item& item) {
  const std::string name = model::EntityOfItem(model_, table_, item);
  const auto placement = model_.FindPlacement(name);
  if (!placement) {
    // A second layout repeats a row that another item has.
    if (audit::LockOf(table_, item) || !name.empty()) {
      ++locks_;
      return {};
    }
    ++unknown_;
    std::string json;
    json::AppendPlain(item, json);
    return Reject("", "it fits no entity of the model", "item", json);
  }
  const model::Entity& entity = model_.At(placement.layout->entity);
  const model::Row row = model::RowOfItem(model_, placement, item);
  PJ_RETURN_IF_ERROR(Write(entity, row));
  PJ_RETURN_IF_ERROR(AddCopied(entity, *placement.layout, row, item));
  for (const model::StoredAttribute& stored : placement.layout->attributes) {
    const model::Entity* inner = EntityAtHome(stored);
    if (inner == nullptr) {
      continue;
    }
    for (const model::Row& kept : model::EmbeddedRows(model_, placement, stored, item)) {
      PJ_RETURN_IF_ERROR(Write(*inner, kept));
    }
  }
  return {};
}

// Null if the copy is of an entity whose rows are kept elsewhere.
const model::Entity* RowsOut::EntityOfCopies(const model::StoredAttribute& stored) const {
  const std::string& name = stored.copy.entity.text;
  if (stored.kind != model::StoredKind::kCopy || model_.FindPlacement(name) ||
      homes_.contains(name)) {
    return nullptr;
  }
  return &model_.At(stored.copy.entity);
}

Status RowsOut::AddCopied(const model::Entity& owner, const model::ItemLayout& layout,
                          const model::Row& row, const Item& item) {
  std::map<const model::Entity*, model::Row> found;
  for (const model::StoredAttribute& stored : layout.attributes) {
    const model::Entity* entity = EntityOfCopies(stored);
    const AttributeValue* value = item.Find(stored.name.text);
    if (entity != nullptr && value != nullptr) {
      found[entity].Set(stored.copy.attribute.text, *value);
    }
  }
  for (auto& [entity, copied] : found) {
    for (const model::Attribute& attribute : owner.attributes) {
      const AttributeValue* value = row.Find(attribute.name.text);
      if (attribute.references && attribute.references->entity == entity->name &&
          value != nullptr) {
        copied.Set(attribute.references->attribute.text, *value);
      }
    }
    std::string key = entity->name.text;
    bool whole = true;
    for (const std::string& name : entity->KeyNames()) {
      const AttributeValue* value = copied.Find(name);
      whole = whole && value != nullptr;
      if (value != nullptr) {
        key += "\n" + PlainText(*value);
      }
    }
    if (whole && copied_.insert(key).second) {
      PJ_RETURN_IF_ERROR(Write(*entity, copied));
    }
  }
  return {};
}

Result<RowCounts> RowsOut::Finish() {
  for (const model::Entity* entity : order_) {
    PJ_RETURN_IF_ERROR(Settle(*entity));
  }
  RowCounts counts{{}, unknown_, locks_, rejected_};
  if (rejects_ != nullptr && std::fflush(rejects_.get()) != 0) {
    return Error{ErrorCode::kIo, std::string("rejects.jsonl: ") + std::strerror(errno)};
  }
  for (auto& [entity, output] : outputs_) {
    if (format_ == RowFormat::kSql) {
      std::fputs(SqlEnd(dialect_).c_str(), output.file.get());
    }
    if (std::fflush(output.file.get()) != 0) {
      return Error{ErrorCode::kIo, entity + ": " + std::strerror(errno)};
    }
    counts.rows[entity] = output.rows;
  }
  return counts;
}

}  // namespace prejoin::cli
