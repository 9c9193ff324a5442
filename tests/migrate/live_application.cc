#include "tests/migrate/live_application.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "client/endpoint.h"
#include "engine/engine_of.h"
#include "model/data/item_render.h"
#include "model/prove/prove.h"
#include "model/schema/join.h"

namespace prejoin::migrate {

using model::Attribute;
using model::Entity;
using model::Row;

LiveApplication::LiveApplication(const model::Model& model, model::Dataset data, std::uint32_t seed)
    : model_(model), data_(std::move(data)), rng_(seed) {
  backend_ = *model::EmbeddedBackend::OpenInMemory();
  service_ = std::make_unique<wire::Service>(engine::EngineOf(backend_->database()));
  model::DataIndex index(data_);
  for (const model::TableItems& table : model::RenderAll(model_, index)) {
    EXPECT_TRUE(backend_->CreateTable(model_, *table.table));
    EXPECT_TRUE(backend_->Load(table.table->name.text, table.items));
  }
}

SendRequest LiveApplication::Requests(int calls) {
  killed_ = false;
  return [this, left = calls](const std::string& operation,
                              const std::string& body) mutable -> Result<std::string> {
    const Error dead{ErrorCode::kUnavailable, "killed"};
    if (killed_) {
      return dead;
    }
    Act();
    killed_ = --left == 0;
    if (killed_ && Random(2) == 0) {
      return dead;
    }
    wire::Answer answer = service_->Handle("DynamoDB_20120810." + operation, body);
    if (killed_) {
      return dead;
    }
    if (answer.status != 200) {
      return client::ErrorOf(operation, {answer.status, std::move(answer.body)});
    }
    return std::move(answer.body);
  };
}

void LiveApplication::FinishWrite() {
  Apply(pending_);
  pending_.clear();
}

void LiveApplication::Act() {
  // The two halves of a write are never one moment.
  if (!pending_.empty()) {
    FinishWrite();
  } else if (write_once_in_ > 0 && Random(static_cast<std::size_t>(write_once_in_)) == 0) {
    WriteSomething();
  }
}

void LiveApplication::Apply(const std::vector<model::ItemWrite>& writes) {
  for (const model::ItemWrite& write : writes) {
    const auto answer = backend_->Write(write);
    ASSERT_TRUE(answer) << answer.error().message;
  }
}

bool LiveApplication::References(const Entity& entity, const Row& row) const {
  return std::ranges::all_of(model_.entities, [&](const Entity& to) {
    std::vector<std::string> from;
    std::vector<std::string> keys;
    for (const model::JoinColumn& column : model::JoinColumns(entity, to)) {
      from.push_back(column.from);
      keys.push_back(column.to);
    }
    if (from.empty()) {
      return true;
    }
    const std::string tuple = model::TupleText(row, from);
    return tuple.empty() || std::ranges::any_of(data_.Of(to.name.text), [&](const Row& other) {
             return model::TupleText(other, keys) == tuple;
           });
  });
}

bool LiveApplication::IsReferenced(const Entity& entity, const Row& row) const {
  return std::ranges::any_of(model_.entities, [&](const Entity& child) {
    std::vector<std::string> from;
    std::vector<std::string> keys;
    for (const model::JoinColumn& column : model::JoinColumns(child, entity)) {
      from.push_back(column.from);
      keys.push_back(column.to);
    }
    if (from.empty()) {
      return false;
    }
    const std::string tuple = model::TupleText(row, keys);
    return std::ranges::any_of(data_.Of(child.name.text), [&](const Row& other) {
      return model::TupleText(other, from) == tuple;
    });
  });
}

void LiveApplication::WriteSomething() {
  const Entity& entity = model_.entities[Random(model_.entities.size())];
  const std::vector<Row>& rows = data_.Of(entity.name.text);
  if (rows.size() < 2) {
    return;
  }
  model::WriteStep step;
  step.entity = entity;
  model::RowChange change{entity.name.text, Random(rows.size()), std::nullopt};
  const std::size_t what = Random(4);
  if (what == 0) {
    step.kind = model::WriteKind::kPut;
    change.number.reset();
    change.row = model::FreshRow(model_, entity, data_, {});
    if (!References(entity, *change.row)) {
      return;
    }
  } else if (what == 1) {
    step.kind = model::WriteKind::kDelete;
    if (IsReferenced(entity, rows[*change.number])) {
      return;
    }
  } else {
    step.kind = model::WriteKind::kUpdate;
    const Attribute& attribute = entity.attributes[Random(entity.attributes.size())];
    const bool fixed = attribute.is_key || attribute.references || attribute.unique;
    if (fixed) {
      return;
    }
    change.row = rows[*change.number];
    step.set.push_back(attribute.name);
    change.row->Set(attribute.name.text,
                    model::DifferentValue(attribute, change.row->Find(attribute.name.text)));
  }
  const model::WriteEffect effect =
      model::EffectOfRows(model_, step, {change}, data_, model::WriteScope::kAll);
  if (!effect.impossible.empty() || !effect.replaced.empty() || effect.writes.empty()) {
    return;
  }
  if (other_ != nullptr) {
    pending_ = model::EffectOfRows(*other_, step, {change}, data_, model::WriteScope::kAll).writes;
  }
  Apply(effect.writes);
  model::ApplyChanges(effect.rows, data_);
  ++writes_;
}

std::vector<std::string> LiveApplication::Problems(const model::Model& model,
                                                   const model::Dataset& data) {
  model::Model asked = model;
  for (model::Pattern& pattern : asked.patterns) {
    pattern.examples.clear();
  }
  model::ProveOptions options;
  options.argument_sets = 3;
  options.writes = false;
  options.create_and_load = false;
  options.compare_units = false;  // In place, items are larger than either design says.
  const auto proof = model::Prove(asked, data, *backend_, options);
  if (!proof) {
    return {proof.error().message};
  }
  std::vector<std::string> problems;
  for (const model::PatternProof& pattern : proof->patterns) {
    for (const std::string& problem : pattern.problems) {
      // A few arguments on few rows may find nothing; that is no loss.
      if (problem.find("every run was empty") == std::string::npos) {
        problems.push_back(pattern.name + ": " + problem);
      }
    }
    rows_compared_ += pattern.rows_found;
  }
  return problems;
}

std::vector<Item> LiveApplication::Stored(const std::string& table) {
  std::vector<Item> items;
  ScanInput input;
  input.table_name = table;
  do {
    auto page = backend_->database().Scan(input);
    if (!page) {
      return items;
    }
    for (const StoredItem& item : page->items) {
      items.push_back(item.Decode());
    }
    input.exclusive_start_key = std::move(page->last_evaluated_key);
  } while (input.exclusive_start_key);
  return items;
}

bool LiveApplication::Exists(const std::string& table) {
  return backend_->database().DescribeTable(table).has_value();
}

}  // namespace prejoin::migrate
