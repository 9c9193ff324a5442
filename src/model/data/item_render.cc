#include "model/data/item_render.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include "model/schema/join.h"

namespace prejoin::model {
namespace {

std::vector<std::string> From(const std::vector<JoinColumn>& columns) {
  std::vector<std::string> names;
  for (const JoinColumn& column : columns) {
    names.push_back(column.from);
  }
  return names;
}
std::vector<std::string> To(const std::vector<JoinColumn>& columns) {
  std::vector<std::string> names;
  for (const JoinColumn& column : columns) {
    names.push_back(column.to);
  }
  return names;
}

// The value of `path` as seen from a row of `entity`.
const AttributeValue* Lookup(const Model& model, const Entity& entity, const Row& row,
                             const Path& path, DataIndex& data) {
  if (path.entity.text.empty() || path.entity.text == entity.name.text) {
    return row.Find(path.attribute.text);
  }
  const Entity* other = model.AtOrNull(path.entity);
  if (other == nullptr) {
    return nullptr;
  }
  const std::vector<JoinColumn> columns = JoinColumns(entity, *other);
  const std::string tuple = TupleText(row, From(columns));
  if (tuple.empty()) {
    return nullptr;
  }
  const auto& found = data.Find(other->name.text, To(columns), tuple);
  return found.empty() ? nullptr : found.front()->Find(path.attribute.text);
}

AttributeValue EmbedOne(const Model& model, const Entity& embedded, const StoredAttribute& stored,
                        const std::vector<Path>& members, const Row& row, DataIndex& data) {
  // A list of one named member is a list of plain values: RepoIds = ["repo1", "repo2"].
  if (stored.kind == StoredKind::kEmbedList && stored.members.size() == 1) {
    const AttributeValue* value = Lookup(model, embedded, row, members[0], data);
    return value != nullptr ? *value : AttributeValue();
  }
  Item map;
  for (const Path& path : members) {
    if (stored.kind == StoredKind::kEmbedMap && path.attribute.text == stored.by.text) {
      continue;
    }
    const AttributeValue* value = Lookup(model, embedded, row, path, data);
    if (value != nullptr) {
      map.Set(path.attribute.text, *value);
    }
  }
  return AttributeValue(std::move(map));
}

AttributeValue Embed(const Model& model, const Entity& entity, const StoredAttribute& stored,
                     const Row& row, DataIndex& data) {
  const Entity& embedded = model.At(stored.embedded);
  const std::vector<JoinColumn> columns = JoinColumns(embedded, entity);
  std::vector<const Row*> rows =
      data.Find(embedded.name.text, From(columns), TupleText(row, To(columns)));
  const std::vector<std::string> keys = embedded.KeyNames();
  std::sort(rows.begin(), rows.end(),
            [&](const Row* a, const Row* b) { return TupleText(*a, keys) < TupleText(*b, keys); });
  const std::vector<Path> members = EmbeddedMembers(model, entity, stored);
  if (stored.kind == StoredKind::kEmbedList) {
    AttributeValue::List list;
    for (const Row* one : rows) {
      list.push_back(EmbedOne(model, embedded, stored, members, *one, data));
    }
    return AttributeValue(std::move(list));
  }
  Item map;
  for (const Row* one : rows) {
    const AttributeValue* by = one->Find(stored.by.text);
    if (by != nullptr && by->string() != nullptr) {
      map.Set(*by->string(), EmbedOne(model, embedded, stored, members, *one, data));
    }
  }
  return AttributeValue(std::move(map));
}

constexpr std::string_view kLockSuffix = " (lock)";

AttributeValue TypedText(const Attribute& attribute, const std::string& text) {
  if (IsNumber(attribute.type)) {
    if (auto number = Number::Parse(text)) {
      return AttributeValue(*number);
    }
  }
  if (IsBool(attribute.type)) {
    return AttributeValue(text == "true");
  }
  return AttributeValue(text);
}

// True if an item's key attributes fit the templates of a layout.
bool FitsLayout(const Table& table, const ItemLayout& layout, const Item& item) {
  for (const Name* name : {&table.partition, &table.sort}) {
    if (name->text.empty()) {
      continue;
    }
    const AttributeValue* value = item.Find(name->text);
    const StoredAttribute* stored = layout.Find(name->text);
    if (value == nullptr || stored == nullptr) {
      return false;
    }
    if (stored->key.natural) {
      continue;
    }
    if (value->string() == nullptr || !ReadKey(stored->key, *value->string())) {
      return false;
    }
  }
  return true;
}

// A byte, one for each pair of digits from the first to the last that is not zero, pairs being
// counted from the point, and one for a minus sign while there are less than the full 20 pairs.
std::size_t PredictNumberBytes(const Number& number) {
  constexpr std::size_t kPairsMax = 20;
  const std::string text = number.ToString();
  const auto point = static_cast<long>(std::min(text.find('.'), text.size()));
  std::optional<long> first;
  long last = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '1' || text[i] > '9') {
      continue;
    }
    // Ones are place 0, tenths place -1; two places, from an even one up, are a pair.
    const auto at = static_cast<long>(i);
    const long place = at < point ? point - at - 1 : point - at;
    const long pair = place >= 0 ? place / 2 : (place - 1) / 2;
    if (!first) {
      first = pair;
    }
    last = pair;
  }
  const std::size_t pairs = first ? static_cast<std::size_t>(*first - last + 1) : 0;
  return 1 + pairs + (text[0] == '-' && pairs < kPairsMax ? 1 : 0);
}

std::size_t PredictValueBytes(const AttributeValue& value) {
  std::size_t bytes = 0;
  switch (value.type()) {
    case ValueType::kString:
      return value.string()->size();
    case ValueType::kNumber:
      return PredictNumberBytes(*value.number());
    case ValueType::kBinary:
      return value.binary()->size();
    case ValueType::kBool:
    case ValueType::kNull:
      return 1;
    case ValueType::kList:
      for (const AttributeValue& member : *value.list()) {
        bytes += PredictValueBytes(member) + 1;
      }
      return bytes + 3;
    case ValueType::kMap:
      for (const auto& [name, member] : *value.map()) {
        bytes += name.size() + PredictValueBytes(member) + 1;
      }
      return bytes + 3;
    case ValueType::kStringSet:
      for (const std::string& member : *value.string_set()) {
        bytes += member.size();
      }
      return bytes;
    case ValueType::kNumberSet:
      for (const Number& member : *value.number_set()) {
        bytes += PredictNumberBytes(member);
      }
      return bytes;
    case ValueType::kBinarySet:
      for (const std::string& member : *value.binary_set()) {
        bytes += member.size();
      }
      return bytes;
  }
  return bytes;
}

// Rows that a key refuses are left out.
Status EachSound(const Model& model, DataIndex& data, std::size_t portion,
                 const std::function<Status(const TableItems& some)>& visit) {
  for (const Table& table : model.tables) {
    TableItems out;
    out.table = &table;
    for (const ItemLayout& layout : table.items) {
      for (const Row& row : data.data().Of(model.RowsOf(layout.entity).name.text)) {
        // A row without what the key of a second layout is made of is not stored there.
        if (!layout.of.text.empty() && !RenderPrimaryKey({&table, &layout}, row)) {
          continue;
        }
        if (!WhyNoKey(layout, row).empty()) {
          continue;
        }
        out.items.push_back(RenderItem(model, model.At(layout.entity), row, data));
        out.entities.push_back(layout.entity.text);
        for (Item& lock : RenderLocks({&table, &layout}, row)) {
          out.items.push_back(std::move(lock));
          out.entities.push_back(layout.entity.text + std::string(kLockSuffix));
        }
        if (out.items.size() < portion) {
          continue;
        }
        PJ_RETURN_IF_ERROR(visit(out));
        out.items.clear();
        out.entities.clear();
      }
    }
    PJ_RETURN_IF_ERROR(visit(out));
  }
  return {};
}

}  // namespace

std::size_t PredictItemBytes(const Item& item) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : item) {
    bytes += name.size() + PredictValueBytes(value);
  }
  return bytes;
}

std::string TypeValue(const Table& table, const std::string& entity) {
  if (!table.type_upper) {
    return entity;
  }
  std::string out = entity;
  for (char& c : out) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

std::vector<Path> EmbeddedMembers(const Model& model, const Entity& owner,
                                  const StoredAttribute& stored) {
  if (!stored.members.empty()) {
    return stored.members;
  }
  std::vector<Path> members;
  const Entity& embedded = model.At(stored.embedded);
  const std::vector<std::string> pointing = From(JoinColumns(embedded, owner));
  for (const Attribute& attribute : embedded.attributes) {
    if (std::find(pointing.begin(), pointing.end(), attribute.name.text) == pointing.end()) {
      members.push_back({{}, attribute.name});
    }
  }
  return members;
}

Item RenderItem(const Model& model, const Entity& entity, const Row& row, DataIndex& data) {
  const Model::Placement placement = model.FindPlacement(entity);
  Item item;
  for (const Attribute& attribute : entity.attributes) {
    if (placement.layout->Omits(attribute.name.text)) {
      continue;
    }
    if (const AttributeValue* value = row.Find(attribute.name.text)) {
      item.Set(attribute.name.text, *value);
    }
  }
  if (!placement.table->type_attribute.text.empty()) {
    item.Set(placement.table->type_attribute.text,
             AttributeValue(TypeValue(*placement.table, entity.name.text)));
  }
  Row copies;
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind != StoredKind::kCopy) {
      continue;
    }
    if (const AttributeValue* value = Lookup(model, entity, row, stored.copy, data)) {
      copies.Set(stored.name.text, *value);
      item.Set(stored.name.text, *value);
    }
  }
  const AttributeLookup lookup = [&](std::string_view name) {
    const AttributeValue* value = row.Find(name);
    return value != nullptr ? value : copies.Find(name);
  };
  for (const StoredAttribute& stored : placement.layout->attributes) {
    if (stored.kind == StoredKind::kTemplate) {
      if (auto value = RenderKey(stored.key, lookup)) {
        item.Set(stored.name.text, *std::move(value));
      }
    } else if (stored.kind == StoredKind::kEmbedList || stored.kind == StoredKind::kEmbedMap) {
      item.Set(stored.name.text, Embed(model, entity, stored, row, data));
    }
  }
  return item;
}

std::optional<Item> RenderPrimaryKey(const Model::Placement& placement, const Row& row) {
  Item key;
  for (const Name* name : {&placement.table->partition, &placement.table->sort}) {
    if (name->text.empty()) {
      continue;
    }
    const StoredAttribute* stored = placement.layout->Find(name->text);
    if (stored == nullptr) {
      return std::nullopt;
    }
    auto value =
        RenderKey(stored->key, [&](std::string_view attribute) { return row.Find(attribute); });
    if (!value) {
      return std::nullopt;
    }
    key.Set(name->text, *std::move(value));
  }
  return key;
}

std::string LockPrefix(const std::string& entity, const std::string& attribute) {
  return "UNIQUE#" + entity + "#" + attribute + "#";
}

std::vector<Item> RenderLocks(const Model::Placement& placement, const Row& row) {
  std::vector<Item> locks;
  for (const Name& name : placement.layout->locks) {
    const AttributeValue* value = row.Find(name.text);
    if (value == nullptr) {
      continue;
    }
    TemplatePart part;
    part.attribute = name.text;
    const auto text = RenderPart(part, *value);
    if (!text) {
      continue;
    }
    const AttributeValue key(LockPrefix(placement.layout->entity.text, name.text) + *text);
    Item lock{{placement.table->partition.text, key}};
    if (!placement.table->sort.text.empty()) {
      lock.Set(placement.table->sort.text, key);
    }
    locks.push_back(std::move(lock));
  }
  return locks;
}

bool IsLock(std::string_view entity) { return entity.ends_with(kLockSuffix); }

std::string WhyNoKey(const ItemLayout& layout, const Row& row) {
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind != StoredKind::kTemplate || stored.key.natural) {
      continue;
    }
    const std::string why =
        WhyNoKey(stored.key, [&](std::string_view attribute) { return row.Find(attribute); });
    if (!why.empty()) {
      return why + " in " + stored.name.text + " = " + stored.key.ToString();
    }
  }
  return {};
}

Status CheckKeys(const Model& model, const Dataset& data) {
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const Row& row : data.Of(model.RowsOf(layout.entity).name.text)) {
        const std::string why = WhyNoKey(layout, row);
        if (!why.empty()) {
          return ValidationError("a row of " + layout.entity.text + " cannot be stored: " + why);
        }
      }
    }
  }
  return {};
}

Status EachRendered(const Model& model, DataIndex& data, std::size_t portion,
                    const std::function<Status(const TableItems& some)>& visit) {
  PJ_RETURN_IF_ERROR(CheckKeys(model, data.data()));
  return EachSound(model, data, portion, visit);
}

std::vector<TableItems> RenderAll(const Model& model, DataIndex& data) {
  std::vector<TableItems> all;
  (void)EachSound(model, data, std::numeric_limits<std::size_t>::max(),
                  [&](const TableItems& table) -> Status {
                    all.push_back(table);
                    return {};
                  });
  return all;
}

std::string EntityOfItem(const Model&, const Table& table, const Item& item) {
  if (!table.type_attribute.text.empty()) {
    const AttributeValue* type = item.Find(table.type_attribute.text);
    if (type != nullptr && type->string() != nullptr) {
      for (const ItemLayout& layout : table.items) {
        if (TypeValue(table, layout.entity.text) == *type->string()) {
          return layout.entity.text;
        }
      }
    }
  }
  // The longest literal text wins: PROJECT#{p}#TASK#{t} before PROJECT#{p}.
  const ItemLayout* best = nullptr;
  std::size_t best_length = 0;
  for (const ItemLayout& layout : table.items) {
    if (!FitsLayout(table, layout, item)) {
      continue;
    }
    std::size_t length = 1;
    for (const Name* name : {&table.partition, &table.sort}) {
      const StoredAttribute* stored = name->text.empty() ? nullptr : layout.Find(name->text);
      if (stored == nullptr) {
        continue;
      }
      for (const TemplatePart& part : stored->key.parts) {
        length += part.literal.size();
      }
    }
    if (length > best_length) {
      best = &layout;
      best_length = length;
    }
  }
  return best != nullptr ? best->entity.text : "";
}

Row RowOfItem(const Model& model, const Model::Placement& placement, const Item& item) {
  const Entity& entity = model.At(placement.layout->entity);
  Row row;
  for (const StoredAttribute& stored : placement.layout->attributes) {
    const AttributeValue* value = item.Find(stored.name.text);
    if (value == nullptr) {
      continue;
    }
    if (stored.kind == StoredKind::kCopy) {
      row.Set(stored.copy.entity.text + "." + stored.copy.attribute.text, *value);
    } else if (stored.kind == StoredKind::kTemplate && stored.key.natural) {
      row.Set(stored.key.parts[0].attribute, *value);
    } else if (stored.kind == StoredKind::kTemplate && value->string() != nullptr) {
      const auto read = ReadKey(stored.key, *value->string());
      if (!read) {
        continue;
      }
      for (const auto& [name, text] : *read) {
        const Attribute* attribute = entity.Find(name);
        const bool folded = std::any_of(
            stored.key.parts.begin(), stored.key.parts.end(), [&name = name](const auto& part) {
              return part.attribute == name && (part.transform == TemplateTransform::kLower ||
                                                part.transform == TemplateTransform::kUpper);
            });
        if (attribute != nullptr && !folded && row.Find(name) == nullptr) {
          row.Set(name, TypedText(*attribute, text));
        }
      }
    }
  }
  // A value under its own name is better than one read back from a key.
  for (const Attribute& attribute : entity.attributes) {
    if (const AttributeValue* value = item.Find(attribute.name.text)) {
      row.Set(attribute.name.text, *value);
    }
  }
  return row;
}

std::vector<Row> EmbeddedRows(const Model& model, const Model::Placement& placement,
                              const StoredAttribute& stored, const Item& item) {
  std::vector<Row> rows;
  const Entity& owner = model.At(placement.layout->entity);
  const Entity& embedded = model.At(stored.embedded);
  const Row parent = RowOfItem(model, placement, item);
  const std::vector<Path> members = EmbeddedMembers(model, owner, stored);
  const auto add = [&](const AttributeValue& value) -> Row& {
    Row row;
    for (const JoinColumn& column : JoinColumns(embedded, owner)) {
      if (const AttributeValue* key = parent.Find(column.to)) {
        row.Set(column.from, *key);
      }
    }
    for (const Path& path : members) {
      const bool own = path.entity.text.empty() || path.entity.text == embedded.name.text;
      const AttributeValue* found =
          value.map() != nullptr ? value.map()->Find(path.attribute.text) : &value;
      if (found != nullptr) {
        row.Set(own ? path.attribute.text : path.entity.text + "." + path.attribute.text, *found);
      }
    }
    rows.push_back(std::move(row));
    return rows.back();
  };
  const AttributeValue* value = item.Find(stored.name.text);
  if (value == nullptr) {
    return rows;
  }
  if (value->list() != nullptr) {
    for (const AttributeValue& one : *value->list()) {
      add(one);
    }
  } else if (value->map() != nullptr) {
    for (const auto& [name, one] : *value->map()) {
      add(one).Set(stored.by.text, AttributeValue(name));
    }
  }
  return rows;
}

}  // namespace prejoin::model
