// Tables, indexes, items, and sample rows.
#include <array>
#include <optional>
#include <utility>

#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/spelling.h"
#include "model/syntax/words.h"

namespace prejoin::model {
namespace {

void ReadProjection(TokenCursor& cursor, Index& index) {
  index.projection_given = true;
  if (cursor.TakeWord("all")) {
    index.projection = ProjectionKind::kAll;
  } else if (cursor.TakeWord("keys")) {
    index.projection = ProjectionKind::kKeys;
  } else {
    index.projection = ProjectionKind::kInclude;
    index.include = cursor.ExpectNameList("`all`, `keys` or attributes");
  }
}

// `index GSI1 partition GSI1PK sort GSI1SK project all`, `local index L1 sort LSK project keys`
void ReadIndex(TokenCursor& cursor, bool local, Table& table, ReadContext& context) {
  Index index;
  index.local = local;
  auto name = cursor.ExpectName("the index's name");
  if (!name) {
    return;
  }
  index.name = *std::move(name);
  index.at = index.name.at;
  while (!cursor.AtEnd() && !cursor.failed()) {
    if (cursor.TakeWord("partition")) {
      index.partition = cursor.ExpectNameList("a key attribute");
    } else if (cursor.TakeWord("sort")) {
      index.sort = cursor.ExpectNameList("a key attribute");
    } else if (cursor.TakeWord("project")) {
      ReadProjection(cursor, index);
    } else {
      const Token token = cursor.Peek();
      cursor.Fail("did not expect " + DescribeToken(token) + " in an index",
                  RespellingOf(token, WordsAt(WordPlace::kKeys)));
    }
  }
  if (cursor.failed()) {
    return;
  }
  if (local) {
    if (!index.partition.empty()) {
      cursor.FailAt(index.partition[0].at, "a local index shares the table's partition key",
                    "leave `partition` out, or remove `local`");
      return;
    }
    index.partition = {table.partition};
  }
  if (index.partition.empty()) {
    cursor.FailAt(index.name.at, "an index needs a partition key",
                  "write: index " + index.name.text + " partition GSI1PK sort GSI1SK");
    return;
  }
  AddNamed(table.indexes, std::move(index), "index", context);
}

void ReadMembers(TokenCursor& cursor, StoredAttribute& stored) {
  if (!cursor.TakeSymbol("(")) {
    return;
  }
  do {
    auto path = cursor.ExpectPath("an attribute");
    if (!path) {
      return;
    }
    stored.members.push_back(*std::move(path));
  } while (cursor.TakeSymbol(","));
  cursor.ExpectSymbol(")");
}

void ReadUpkeep(TokenCursor& cursor, StoredAttribute& stored) {
  if (!cursor.TakeWord("kept")) {
    return;
  }
  cursor.TakeWord("by");
  if (cursor.TakeWord("transaction")) {
    stored.upkeep = CopyUpkeep::kTransaction;
  } else if (cursor.TakeWord("stream")) {
    stored.upkeep = CopyUpkeep::kStream;
  } else if (cursor.TakeWord("batch")) {
    stored.upkeep = CopyUpkeep::kBatch;
  } else if (cursor.TakeWord("never") || cursor.TakeWord("nobody")) {
    stored.upkeep = CopyUpkeep::kNever;
  } else {
    cursor.Fail("expected how the copy is kept consistent, not " + DescribeToken(cursor.Peek()),
                "write: kept by transaction, kept by stream, kept by batch, or kept by nobody (it "
                "never changes)");
  }
}

// `sum of Line.price kept by transaction`, `count of Line`: over the rows that point at this item's row.
void ReadAggregate(TokenCursor& cursor, StoredAttribute& stored) {
  stored.kind = cursor.Take().text == "sum" ? StoredKind::kSum : StoredKind::kCount;
  cursor.Take();  // of
  if (stored.kind == StoredKind::kSum) {
    auto path = cursor.ExpectPath("Entity.attribute");
    if (!path) {
      return;
    }
    if (path->entity.text.empty()) {
      cursor.FailAt(path->attribute.at, "a sum names an entity and its attribute",
                    "write: sum of Line." + path->attribute.text);
      return;
    }
    stored.copy = *std::move(path);
  } else {
    auto entity = cursor.ExpectReference<Entity>("an entity");
    if (!entity) {
      return;
    }
    stored.copy.entity = *std::move(entity);
  }
  ReadUpkeep(cursor, stored);
}

// After the `=`: a template in quotes, an attribute, `copy of A.b`, `list of E (…)`, `map of E by k (…)`,
// `sum of E.a`, `count of E`.
void ReadStored(TokenCursor& cursor, StoredAttribute& stored) {
  const Token token = cursor.Peek();
  const bool of = cursor.PeekSecond().IsWord("of");
  if (token.kind == TokenKind::kString) {
    cursor.Take();
    stored.key = ParseKeyTemplate(token.text, token.at, cursor.diagnostics());
  } else if (of && cursor.TakeWord("copy")) {
    cursor.Take();
    stored.kind = StoredKind::kCopy;
    auto path = cursor.ExpectPath("Entity.attribute");
    if (!path) {
      return;
    }
    if (path->entity.text.empty()) {
      cursor.FailAt(path->attribute.at, "a copy names an entity and its attribute",
                    "write: copy of Parent." + path->attribute.text);
      return;
    }
    stored.copy = *std::move(path);
    ReadUpkeep(cursor, stored);
  } else if (of && (cursor.Peek().IsWord("sum") || cursor.Peek().IsWord("count"))) {
    ReadAggregate(cursor, stored);
  } else if (of && (cursor.Peek().IsWord("list") || cursor.Peek().IsWord("map"))) {
    stored.kind = cursor.Take().text == "list" ? StoredKind::kEmbedList : StoredKind::kEmbedMap;
    cursor.Take();
    auto entity = cursor.ExpectReference<Entity>("an entity");
    if (!entity) {
      return;
    }
    stored.embedded = *std::move(entity);
    if (stored.kind == StoredKind::kEmbedMap) {
      if (!cursor.ExpectWord("by")) {
        return;
      }
      auto by = cursor.ExpectName("the attribute that becomes the map's key");
      if (!by) {
        return;
      }
      stored.by = *std::move(by);
    }
    ReadMembers(cursor, stored);
    ReadUpkeep(cursor, stored);
  } else if (token.kind == TokenKind::kWord) {
    cursor.Take();
    TemplatePart part;
    part.attribute = token.text;
    stored.key.natural = true;
    stored.key.at = token.at;
    stored.key.parts.push_back(std::move(part));
  } else {
    cursor.Fail("expected a key template, not " + DescribeToken(token),
                "write \"STUDENT#{id}\", an attribute, copy of Entity.attribute, list of Entity, "
                "sum of Entity.attribute "
                "or count of Entity");
  }
  cursor.ExpectEnd();
}

// `item OrderById of Order (status, total)`: what follows the layout's name.
bool ReadSecondLayout(TokenCursor& head, ItemLayout& layout) {
  if (head.TakeWord("of")) {
    auto rows = head.ExpectReference<Entity>("the entity whose rows are stored once more");
    if (!rows) {
      return false;
    }
    layout.of = *std::move(rows);
    if (head.TakeSymbol("(")) {
      layout.only = head.ExpectNameList("an attribute");
      head.ExpectSymbol(")");
    }
  }
  head.ExpectEnd();
  return !head.failed();
}

void ReadItem(const Statement& statement, Table& table, ReadContext& context) {
  TokenCursor head(statement, context.diagnostics);
  head.Take();
  auto entity = head.ExpectReference<Entity>("an entity");
  if (!entity) {
    return;
  }
  ItemLayout layout;
  layout.entity = *std::move(entity);
  if (!ReadSecondLayout(head, layout)) {
    return;
  }
  for (const Statement& line : statement.body) {
    TokenCursor cursor(line, context.diagnostics);
    if (line.tokens.size() > 1 && line.tokens[1].IsSymbol("=")) {
      StoredAttribute stored;
      auto name = cursor.ExpectName("an attribute");
      if (!name) {
        continue;
      }
      stored.name = *std::move(name);
      stored.at = line.at();
      cursor.Take();
      ReadStored(cursor, stored);
      if (!cursor.failed()) {
        AddNamed(layout.attributes, std::move(stored), "attribute", context);
      }
    } else if (cursor.TakeWord("without")) {
      for (Name& name : cursor.ExpectNameList("an attribute")) {
        layout.without.push_back(std::move(name));
      }
      cursor.ExpectEnd();
    } else if (cursor.TakeWord("unique")) {
      for (Name& name : cursor.ExpectNameList("an attribute")) {
        layout.locks.push_back(std::move(name));
      }
      if (cursor.ExpectWord("by") && cursor.ExpectWord("lock")) {
        cursor.ExpectWord("item");
      }
      cursor.ExpectEnd();
    } else if (line.head() == "allow") {
      ReadAllow(line, &statement, context);
    } else if (line.tokens.size() == 2 && line.tokens[1].kind == TokenKind::kString) {
      cursor.Take();
      cursor.Fail("a key attribute and its template are joined by `=`",
                  "write: " + line.tokens[0].raw + " = " + line.tokens[1].raw);
    } else {
      std::vector<std::string> known = WordsAt(WordPlace::kItem);
      known.emplace_back("PK = \"…\"");
      ReportUnknownStatement(line, known, "in an item", context);
    }
  }
  layout.last_line = LastLine(statement);
  table.items.push_back(std::move(layout));
}

void ReadTableLine(const Statement& line, const Statement& owner, Table& table,
                   ReadContext& context) {
  TokenCursor cursor(line, context.diagnostics);
  if (line.head() == "item") {
    ReadItem(line, table, context);
  } else if (cursor.TakeWord("index")) {
    ReadIndex(cursor, /*local=*/false, table, context);
  } else if (cursor.TakeWord("local")) {
    if (cursor.ExpectWord("index")) {
      ReadIndex(cursor, /*local=*/true, table, context);
    }
  } else if (cursor.TakeWord("type")) {
    if (auto name = cursor.ExpectName("the attribute that holds the entity's name")) {
      table.type_attribute = *std::move(name);
    }
    table.type_upper = cursor.TakeWord("upper");
    cursor.ExpectEnd();
  } else if (cursor.TakeWord("sorts")) {
    auto first = cursor.ExpectReference<Entity>("an entity");
    if (!first || !cursor.ExpectWord("before")) {
      return;
    }
    auto second = cursor.ExpectReference<Entity>("an entity");
    cursor.ExpectEnd();
    if (second) {
      table.sort_claims.push_back({*std::move(first), *std::move(second)});
    }
  } else if (line.head() == "allow") {
    ReadAllow(line, &owner, context);
  } else {
    ReportUnknownStatement(line, WordsAt(WordPlace::kTable), "in a table", context);
  }
}

}  // namespace

// `table School partition PK sort SK {`
void ReadTable(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  Table table;
  auto name = cursor.ExpectName("the table's name");
  if (!name) {
    return;
  }
  table.name = *std::move(name);
  if (!cursor.ExpectWord("partition")) {
    return;
  }
  auto partition = cursor.ExpectName("the partition key's attribute");
  if (!partition) {
    return;
  }
  table.partition = *std::move(partition);
  if (cursor.TakeWord("sort")) {
    auto sort = cursor.ExpectName("the sort key's attribute");
    if (!sort) {
      return;
    }
    table.sort = *std::move(sort);
  }
  cursor.ExpectEnd();
  for (const Statement& line : statement.body) {
    ReadTableLine(line, statement, table, context);
  }
  table.last_line = LastLine(statement);
  AddNamed(context.model.tables, std::move(table), "table", context);
}

// `items from "dump.json" in Shop`; `in` may be left out where there is one table.
void ReadStoredItems(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  StoredItems stored;
  stored.at = cursor.Take().at;
  if (!cursor.ExpectWord("from")) {
    return;
  }
  auto file = cursor.ExpectString("a file of items");
  if (!file) {
    return;
  }
  stored.file = *std::move(file);
  if (cursor.TakeWord("in")) {
    auto table = cursor.ExpectName("a table");
    if (!table) {
      return;
    }
    stored.table = *std::move(table);
  }
  cursor.ExpectEnd();
  if (!cursor.failed()) {
    context.model.stored_items.push_back(std::move(stored));
  }
}

// `sample Student (id, name) {` and one line of values for each row; `-` stands for an absent
// value.
void ReadSample(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  Sample sample;
  auto entity = cursor.ExpectReference<Entity>("an entity");
  if (!entity || !cursor.ExpectSymbol("(")) {
    return;
  }
  sample.entity = *std::move(entity);
  sample.columns = cursor.ExpectNameList("an attribute");
  cursor.ExpectSymbol(")");
  cursor.ExpectEnd();
  if (cursor.failed()) {
    return;
  }
  for (const Statement& line : statement.body) {
    TokenCursor values(line, context.diagnostics);
    SampleRow row;
    do {
      row.at.push_back(values.Peek().at);
      if (values.Peek().IsSymbol("-") && values.PeekSecond().kind != TokenKind::kNumber) {
        values.Take();
        row.values.emplace_back(std::nullopt);
        continue;
      }
      auto value = values.ExpectValue();
      if (!value) {
        break;
      }
      row.values.emplace_back(*std::move(value));
    } while (values.TakeSymbol(","));
    values.ExpectEnd();
    if (values.failed()) {
      continue;
    }
    if (row.values.size() != sample.columns.size()) {
      values.FailAt(line.at(),
                    "this row has " + std::to_string(row.values.size()) + " values for " +
                        std::to_string(sample.columns.size()) + " columns",
                    "write - for a value that is absent");
      continue;
    }
    row.end = EndOf(line.tokens.back().at);
    sample.rows.push_back(std::move(row));
  }
  context.model.samples.push_back(std::move(sample));
}

}  // namespace prejoin::model
