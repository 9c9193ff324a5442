#include "model/bind/read_model.h"
#include "model/data/item_render.h"
#include "model/prove/backend.h"
#include "model/syntax/spelling.h"
#include "prejoin/model.h"

namespace prejoin {

using model::Attribute;
using model::Entity;
using model::Model;
using model::StoredAttribute;

struct Design::State {
  Model model;

  Result<Model::Placement> Find(std::string_view entity) const {
    if (const Model::Placement placement = model.FindPlacement(entity)) {
      return placement;
    }
    std::vector<std::string> names;
    for (const model::Table& table : model.tables) {
      for (const model::ItemLayout& layout : table.items) {
        names.push_back(layout.entity.text);
      }
    }
    return ValidationError("no items are declared for entity `" + std::string(entity) + "`; " +
                           model::SpellingHint(entity, names));
  }
};

Design::Design(std::unique_ptr<State> state) : state_(std::move(state)) {}
Design::~Design() = default;
Design::Design(Design&&) noexcept = default;
Design& Design::operator=(Design&&) noexcept = default;

Result<Design> Design::Parse(std::string_view text) {
  model::ReadModelResult read = model::ReadModel(text);
  if (!read.ok) {
    std::string message;
    for (const model::Diagnostic& diagnostic : read.diagnostics) {
      message += model::RenderDiagnostic("model", text, diagnostic);
    }
    return ValidationError(std::move(message));
  }
  auto state = std::make_unique<State>();
  state->model = std::move(read.model);
  return Design(std::move(state));
}

Result<Item> Design::MakeKey(std::string_view entity, const Item& attributes) const {
  PJ_ASSIGN_OR_RETURN(const Model::Placement placement, state_->Find(entity));
  if (const std::string why = model::WhyNoKey(*placement.layout, attributes); !why.empty()) {
    return ValidationError("a `" + std::string(entity) + "` cannot be stored: " + why);
  }
  auto key = model::RenderPrimaryKey(placement, attributes);
  if (!key) {
    return ValidationError("the key of `" + std::string(entity) +
                           "` needs an attribute that is missing or empty");
  }
  return *std::move(key);
}

Result<Item> Design::MakeItem(std::string_view entity_name, const Item& attributes) const {
  PJ_ASSIGN_OR_RETURN(const Model::Placement placement, state_->Find(entity_name));
  PJ_RETURN_IF_ERROR(MakeKey(entity_name, attributes));
  const Entity& entity = state_->model.At(placement.layout->entity);
  model::Row row;
  Item stored_as_given;
  for (const auto& [name, value] : attributes) {
    const StoredAttribute* stored = placement.layout->Find(name);
    if (entity.Find(name) != nullptr) {
      row.Set(name, value);
    } else if (stored != nullptr && stored->kind != model::StoredKind::kTemplate) {
      stored_as_given.Set(name, value);
    } else {
      std::vector<std::string> names;
      for (const Attribute& attribute : entity.attributes) {
        names.push_back(attribute.name.text);
      }
      return ValidationError("`" + std::string(entity_name) + "` has no attribute `" + name +
                             "`; " + model::SpellingHint(name, names));
    }
  }
  model::Dataset only_this;
  only_this.rows[std::string(entity_name)].push_back(row);
  model::DataIndex index(only_this);
  Item item = model::RenderItem(state_->model, entity, row, index);
  for (const auto& [name, value] : stored_as_given) {
    item.Set(name, value);
  }
  return item;
}

Result<PutItemInput> Design::MakePut(std::string_view entity, const Item& attributes,
                                     PutChoice choice) const {
  PJ_ASSIGN_OR_RETURN(const Model::Placement placement, state_->Find(entity));
  PutItemInput input;
  input.table_name = placement.table->name.text;
  PJ_ASSIGN_OR_RETURN(input.item, MakeItem(entity, attributes));
  if (choice.once) {
    input.condition_expression = "attribute_not_exists(#pk)";
    input.expression_attribute_names = AttributeNames{{"#pk", placement.table->partition.text}};
  }
  return input;
}

Result<UpdateItemInput> Design::MakeUpdate(std::string_view entity, const Item& before,
                                           const Item& after) const {
  PJ_ASSIGN_OR_RETURN(const Model::Placement placement, state_->Find(entity));
  PJ_ASSIGN_OR_RETURN(const Item key, MakeKey(entity, before));
  PJ_ASSIGN_OR_RETURN(const Item new_key, MakeKey(entity, after));
  if (!(key == new_key)) {
    return ValidationError("the key of this `" + std::string(entity) +
                           "` changes: delete the old item and put the new one in a transaction");
  }
  PJ_ASSIGN_OR_RETURN(const Item old_item, MakeItem(entity, before));
  PJ_ASSIGN_OR_RETURN(const Item new_item, MakeItem(entity, after));
  model::UpdateExpression update = model::MakeUpdate(key, old_item, new_item);
  UpdateItemInput input;
  input.table_name = placement.table->name.text;
  input.key = key;
  if (update.text.empty()) {
    return input;
  }
  input.update_expression = std::move(update.text);
  input.expression_attribute_names = std::move(update.names);
  if (!update.values.empty()) {
    input.expression_attribute_values = std::move(update.values);
  }
  return input;
}

std::vector<TypedRow> Design::ReadCollection(std::string_view table_name,
                                             const std::vector<Item>& items) const {
  std::vector<TypedRow> rows;
  for (const Item& item : items) {
    TypedRow row{"", item};
    for (const model::Table& table : state_->model.tables) {
      if (table.name.text != table_name) {
        continue;
      }
      row.entity = model::EntityOfItem(state_->model, table, item);
      if (!row.entity.empty()) {
        row.attributes =
            model::RowOfItem(state_->model, state_->model.FindPlacement(row.entity), item);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<CreateTableInput> Design::Tables() const {
  std::vector<CreateTableInput> tables;
  for (const model::Table& table : state_->model.tables) {
    tables.push_back(model::MakeCreateTable(state_->model, table));
  }
  return tables;
}

}  // namespace prejoin
