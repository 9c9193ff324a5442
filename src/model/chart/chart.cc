#include "model/chart/chart.h"

#include <algorithm>
#include <map>

#include "model/data/item_render.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/fold.h"

namespace prejoin::model {
namespace {

std::string Shown(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? "true" : "false";
  }
  if (const auto* list = value.list()) {
    std::string out = "[";
    for (const AttributeValue& one : *list) {
      out += (out.size() > 1 ? ", " : "") + Shown(one);
    }
    return out + "]";
  }
  if (const auto* map = value.map()) {
    std::string out = "{";
    for (const auto& [name, one] : *map) {
      out += (out.size() > 1 ? ", " : "") + name + ": " + Shown(one);
    }
    return out + "}";
  }
  return std::string(TypeName(value.type()));
}

std::string KeyText(const Item& item, const std::vector<Name>& keys) {
  std::string out;
  for (const Name& key : keys) {
    const AttributeValue* value = item.Find(key.text);
    out += (out.empty() ? "" : " · ") + (value != nullptr ? Shown(*value) : "");
  }
  return out;
}

std::string TemplateText(const StoredAttribute* stored) {
  if (stored == nullptr) {
    return "";
  }
  const std::string text = stored->key.ToString();
  return stored->key.natural ? text : text.substr(1, text.size() - 2);
}

std::string Padded(const std::string& text, std::size_t width) {
  return text + std::string(width > Columns(text) ? width - Columns(text) : 0, ' ');
}

std::string TextGrid(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : grid.header) {
    widths.push_back(Columns(cell));
  }
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], Columns(row[i]));
    }
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out = "  ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += Padded(cells[i], widths[i]) + (i + 1 < cells.size() ? "  " : "");
    }
    while (out.ends_with(' ')) {
      out.pop_back();
    }
    return out + "\n";
  };
  std::string out = grid.title + "\n" + line(grid.header);
  std::vector<std::string> rule;
  for (const std::size_t width : widths) {
    rule.emplace_back(width, '-');
  }
  out += line(rule);
  for (const auto& row : grid.rows) {
    out += line(row);
  }
  return out + "\n";
}

std::string MarkdownGrid(const Grid& grid) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
      text.replace(at, 1, "\\|");
    }
    return text;
  };
  std::string out = "### " + grid.title + "\n\n|";
  for (const std::string& name : grid.header) {
    out += " " + name + " |";
  }
  out += "\n|";
  for (std::size_t i = 0; i < grid.header.size(); ++i) {
    out += " --- |";
  }
  out += "\n";
  for (const auto& row : grid.rows) {
    out += "|";
    for (const std::string& text : row) {
      out += " " + cell(text) + " |";
    }
    out += "\n";
  }
  return out + "\n";
}

Grid CollectionGrid(const View& view, const std::vector<Collection>& collections) {
  Grid grid;
  grid.title = view.index != nullptr ? "Index " + view.Label() : "Table " + view.Label();
  std::string partition;
  std::string sort;
  for (const Name& name : view.PartitionKeys()) {
    partition += (partition.empty() ? "" : " · ") + name.text;
  }
  for (const Name& name : view.SortKeys()) {
    sort += (sort.empty() ? "" : " · ") + name.text;
  }
  grid.header = {partition, sort.empty() ? "(no sort key)" : sort, "item", "attributes"};
  for (const Collection& collection : collections) {
    bool first = true;
    for (const CollectionItem& item : collection.items) {
      std::string attributes;
      for (const auto& [name, value] : item.attributes) {
        attributes += (attributes.empty() ? "" : ", ") + name + "=" + value;
      }
      // The partition key stands once: that is what makes the collection visible.
      grid.rows.push_back({first ? collection.partition : "", item.sort, item.entity, attributes});
      first = false;
    }
  }
  return grid;
}

const char* KindText(RelationshipKind kind) {
  switch (kind) {
    case RelationshipKind::kOneToOne:
      return "1 — 1";
    case RelationshipKind::kOneToMany:
      return "1 —< N";
    case RelationshipKind::kManyToMany:
      return "N >—< M";
    case RelationshipKind::kHierarchy:
      return "levels";
  }
  return "";
}

}  // namespace

Grid EntityChart(const Model&, const Table& table) {
  Grid grid;
  grid.title = "Entity chart of " + table.name.text;
  std::vector<std::string> keys = {table.partition.text};
  const auto add = [&](const Name& name) {
    if (!name.text.empty() && std::find(keys.begin(), keys.end(), name.text) == keys.end()) {
      keys.push_back(name.text);
    }
  };
  add(table.sort);
  for (const Index& index : table.indexes) {
    for (const Name& name : index.partition) {
      add(name);
    }
    for (const Name& name : index.sort) {
      add(name);
    }
  }
  grid.header = {"Entity"};
  grid.header.insert(grid.header.end(), keys.begin(), keys.end());
  for (const ItemLayout& layout : table.items) {
    std::vector<std::string> row = {layout.entity.text};
    for (const std::string& key : keys) {
      row.push_back(TemplateText(layout.Find(key)));
    }
    grid.rows.push_back(std::move(row));
    for (const Name& lock : layout.locks) {
      row = {layout.entity.text + " (" + lock.text + " lock)"};
      for (const std::string& key : keys) {
        const bool own = key == table.partition.text || key == table.sort.text;
        row.push_back(own ? LockPrefix(layout.entity.text, lock.text) + "{" + lock.text + "}" : "");
      }
      grid.rows.push_back(std::move(row));
    }
  }
  return grid;
}

Grid PatternChart(const Model& model) {
  Grid grid;
  grid.title = "Access patterns";
  grid.header = {"Pattern", "What", "How", "Consistency", "Read units"};
  for (const Pattern& pattern : model.patterns) {
    const Plan plan = PlanPattern(model, pattern);
    std::string how = plan.served ? "" : "not supported by any key: " + plan.refusal;
    for (const Request& request : plan.requests) {
      how += (how.empty() ? "" : "; ") + DescribeRequest(request);
    }
    for (const SectionPlan& section : plan.sections) {
      for (const FollowUp& follow_up : section.follow_ups) {
        how += "; then BatchGetItem " + follow_up.entity.text;
      }
    }
    grid.rows.push_back({pattern.name.text, pattern.title, how,
                         plan.strong ? "strong possible" : "eventual",
                         plan.served ? FigureText(plan.estimate.read_units) : "-"});
  }
  return grid;
}

Grid RelationshipChart(const Model& model) {
  Grid grid;
  grid.title = "Entities and relationships";
  grid.header = {"From", "", "To", "Relationship", "By"};
  for (const Relationship& relationship : model.relationships) {
    std::string by;
    for (const Name& name : relationship.by) {
      by += (by.empty() ? "" : ", ") + name.text;
    }
    for (const Name& level : relationship.levels) {
      by += (by.empty() ? "" : " > ") + level.text;
    }
    if (!relationship.through.text.empty()) {
      by = "through " + relationship.through.text;
    }
    grid.rows.push_back({relationship.from.text, KindText(relationship.kind), relationship.to.text,
                         relationship.name.text, by});
  }
  for (const Entity& entity : model.entities) {
    std::string columns;
    for (const Attribute& attribute : entity.attributes) {
      columns += (columns.empty() ? "" : ", ") + attribute.name.text +
                 (attribute.is_key ? "*" : "") +
                 (attribute.references ? " -> " + attribute.references->entity.text : "");
    }
    grid.rows.push_back({entity.name.text, "has", columns, "", ""});
  }
  return grid;
}

std::vector<Collection> Collections(const Model& model, const View& view, const Dataset& data) {
  DataIndex index(data);
  struct Entry {
    Item item;
    std::string entity;
  };
  std::map<std::string, std::vector<Entry>> by_partition;
  for (const TableItems& table : RenderAll(model, index)) {
    if (table.table != view.table) {
      continue;
    }
    for (std::size_t i = 0; i < table.items.size(); ++i) {
      const bool in_view = [&] {
        for (const std::vector<Name>& keys : {view.PartitionKeys(), view.SortKeys()}) {
          for (const Name& key : keys) {
            if (table.items[i].Find(key.text) == nullptr) {
              return false;
            }
          }
        }
        return true;
      }();
      // Locks hold nothing but their key.
      if (in_view && !IsLock(table.entities[i])) {
        by_partition[KeyText(table.items[i], view.PartitionKeys())].push_back(
            {table.items[i], table.entities[i]});
      }
    }
  }
  std::vector<Collection> collections;
  for (auto& [partition, entries] : by_partition) {
    std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
      for (const Name& key : view.SortKeys()) {
        const int order = CompareValues(a.item.Find(key.text), b.item.Find(key.text));
        if (order != 0) {
          return order < 0;
        }
      }
      return false;
    });
    Collection collection{partition, {}};
    for (const Entry& entry : entries) {
      CollectionItem item{entry.entity, KeyText(entry.item, view.SortKeys()), {}};
      for (const auto& [name, value] : entry.item) {
        const auto is_key = [&name = name](const Name& key) { return key.text == name; };
        const std::vector<Name> partition_keys = view.PartitionKeys();
        const std::vector<Name> sort_keys = view.SortKeys();
        if (std::any_of(partition_keys.begin(), partition_keys.end(), is_key) ||
            std::any_of(sort_keys.begin(), sort_keys.end(), is_key)) {
          continue;
        }
        const bool projected =
            view.index == nullptr || view.index->projection == ProjectionKind::kAll ||
            is_key(view.table->partition) || is_key(view.table->sort) ||
            std::any_of(view.index->include.begin(), view.index->include.end(), is_key);
        if (projected) {
          item.attributes.emplace_back(name, Shown(value));
        }
      }
      collection.items.push_back(std::move(item));
    }
    collections.push_back(std::move(collection));
  }
  return collections;
}

std::string DrawChart(const Model& model, ChartFormat format) {
  const Dataset data = SampleData(model);
  if (format == ChartFormat::kSvg) {
    return DrawSvg(model, data);
  }
  std::vector<Grid> grids = {RelationshipChart(model)};
  for (const Table& table : model.tables) {
    grids.push_back(EntityChart(model, table));
    std::vector<View> views = {{&table, nullptr}};
    for (const Index& index : table.indexes) {
      views.push_back({&table, &index});
    }
    for (const View& view : views) {
      grids.push_back(CollectionGrid(view, Collections(model, view, data)));
    }
  }
  grids.push_back(PatternChart(model));
  std::string out =
      format == ChartFormat::kMarkdown ? "## " + model.title + "\n\n" : model.title + "\n\n";
  for (const Grid& grid : grids) {
    out += format == ChartFormat::kMarkdown ? MarkdownGrid(grid) : TextGrid(grid);
  }
  return out;
}

}  // namespace prejoin::model
