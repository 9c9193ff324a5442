#include "studio/make_items.h"

#include <optional>
#include <utility>

#include "client/request_json.h"
#include "json/item_json.h"
#include "model/data/item_render.h"
#include "model/generate/generate.h"
#include "model/prove/backend.h"
#include "model/syntax/spelling.h"
#include "prejoin/model.h"
#include "studio/plain_value.h"
#include "studio/refusal.h"

namespace prejoin::studio {
namespace {

constexpr double kMadeUpRowsMax = 2000;
constexpr double kMadeUpBytesMax = 16e6;

Result<const model::Entity*> FindEntity(const model::Model& model, const std::string& name) {
  if (const model::Entity* entity = model.FindEntity(name)) {
    return entity;
  }
  std::vector<std::string> names;
  for (const model::Entity& entity : model.entities) {
    names.push_back(entity.name.text);
  }
  return Refuse(404, "there is no entity `" + name + "`; " + model::SpellingHint(name, names));
}

void AppendItems(const std::vector<model::TableItems>& tables, std::string& out) {
  out += '[';
  bool first = true;
  for (const model::TableItems& table : tables) {
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      if (!first) {
        out += ',';
      }
      first = false;
      json::ObjectWriter object(out);
      object.String("table", table.table->name.text);
      object.String("entity", table.entities[i]);
      json::AppendItem(table.items[i], object.Name("item"));
    }
  }
  out += ']';
}

// The sample; with `rows`, entities that have none get made-up ones.
Result<model::Dataset> RowsFor(const ApiRequest& request, const model::Model& model) {
  PJ_ASSIGN_OR_RETURN(const std::optional<double> rows, request.Number("rows"));
  model::Dataset sample = model::SampleData(model);
  if (!rows) {
    return sample;
  }
  if (!(*rows >= 1 && *rows <= kMadeUpRowsMax)) {
    return Refuse(400, "`rows` must be from 1 to 2000");
  }
  if (!(model::ExpectedGeneratedBytes(model, *rows) <= kMadeUpBytesMax)) {
    return Refuse(400, "rows of the declared sizes would take more than 16 MB; request fewer");
  }
  model::GenerateOptions options;
  options.rows = *rows;
  options.start = std::move(sample);
  return model::GenerateData(model, options);
}

}  // namespace

Result<std::string> MakeTables(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const model::Dataset data, RowsFor(request, read.model));
  if (const Status sound = model::CheckKeys(read.model, data); !sound) {
    return Refuse(400, sound.error().message);
  }
  model::DataIndex index(data);
  const std::vector<model::TableItems> tables = model::RenderAll(read.model, index);
  std::string answer;
  {
    json::ObjectWriter object(answer);
    json::AppendArray(read.model.tables, object.Name("tables"), [&](const model::Table& table) {
      answer += client::CreateTableJson(model::MakeCreateTable(read.model, table));
    });
    AppendItems(tables, object.Name("items"));
  }
  return answer;
}

Result<std::string> MakeOneItem(const ApiRequest& request) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const std::string entity_name, request.Text("entity"));
  PJ_ASSIGN_OR_RETURN(const bool once, request.Flag("once"));
  PJ_ASSIGN_OR_RETURN(const model::Entity* entity, FindEntity(read.model, entity_name));
  const auto attributes = request.Find("attributes");
  if (!attributes) {
    return Refuse(400, "the request lacks `attributes`");
  }
  PJ_ASSIGN_OR_RETURN(const Item given, ReadPlainItem(*attributes, read.model, *entity));
  PJ_ASSIGN_OR_RETURN(const std::string source, request.Source());
  PJ_ASSIGN_OR_RETURN(const Design design, Design::Parse(source));
  PJ_ASSIGN_OR_RETURN(const PutItemInput put, design.MakePut(entity_name, given, {.once = once}));
  std::string answer;
  {
    json::ObjectWriter object(answer);
    object.String("table", put.table_name);
    json::AppendItem(put.item, object.Name("item"));
    if (put.condition_expression) {
      object.String("condition", *put.condition_expression);
    } else {
      object.Name("condition").append("null");
    }
    {
      json::ObjectWriter names(object.Name("names"));
      if (put.expression_attribute_names) {
        for (const auto& [placeholder, name] : *put.expression_attribute_names) {
          json::AppendString(name, names.Key(placeholder));
        }
      }
    }
    const std::vector<Item> locks =
        model::RenderLocks(read.model.FindPlacement(entity_name), given);
    json::AppendArray(locks, object.Name("locks"),
                      [&](const Item& lock) { json::AppendItem(lock, answer); });
  }
  return answer;
}

}  // namespace prejoin::studio
