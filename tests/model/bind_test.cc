// References of a bound model: each gives its declaration, in copies as well, and a file with an unknown name gives no model.
#include "model/bind/bind.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/bind/read_model.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

const char* const kShop = R"(model "Shop"
entity Customer {
  id text key
}
entity Order {
  id text key
  customerId references Customer.id
  total number
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~10
}
write PlaceOrder {
  put Order
}
pattern OrdersOf {
  find Order where customerId = :customer
  fresh after PlaceOrder
}
table Shop partition PK sort SK {
  item Customer {
    PK = "CUSTOMER#{id}"
    SK = "#"
  }
  item Order {
    PK = "CUSTOMER#{customerId}"
    SK = "ORDER#{id}"
  }
  item OrderById of Order {
    PK = "ORDER#{id}"
    SK = "#"
  }
}
strategy Orders = item-collection
)";

std::vector<const Reference<Entity>*> EntityReferences(const Model& model) {
  std::vector<const Reference<Entity>*> all;
  for (const Entity& entity : model.entities) {
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.references) {
        all.push_back(&attribute.references->entity);
      }
    }
  }
  for (const Relationship& relationship : model.relationships) {
    all.insert(all.end(), {&relationship.from, &relationship.to, &relationship.through});
    for (const Cardinality& cardinality : relationship.cardinalities) {
      all.push_back(&cardinality.entity);
    }
  }
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      all.insert(all.end(), {&section.entity, &section.via});
      for (const Path& path : section.get) {
        all.push_back(&path.entity);
      }
    }
  }
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      all.insert(all.end(), {&step.entity, &step.for_each});
      for (const Reference<Entity>& child : step.cascade) {
        all.push_back(&child);
      }
    }
  }
  for (const Sample& sample : model.samples) {
    all.push_back(&sample.entity);
  }
  for (const Table& table : model.tables) {
    for (const SortClaim& claim : table.sort_claims) {
      all.insert(all.end(), {&claim.first, &claim.second});
    }
    for (const ItemLayout& layout : table.items) {
      all.insert(all.end(), {&layout.entity, &layout.of});
      for (const StoredAttribute& stored : layout.attributes) {
        all.insert(all.end(), {&stored.copy.entity, &stored.embedded});
        for (const Path& path : stored.members) {
          all.push_back(&path.entity);
        }
      }
    }
  }
  return all;
}

TEST(Binding, GivesEachReferenceOfEachExampleItsDeclaration) {
  std::size_t checked = 0;
  for (const auto& file : SoundExampleFiles()) {
    const ReadModelResult read = ReadModel(ReadFileForTesting(file));
    const Model& model = read.model;
    for (const Reference<Entity>* reference : EntityReferences(model)) {
      if (reference->given()) {
        EXPECT_EQ(model.At(*reference).name.text, reference->text) << file;
        EXPECT_EQ(model.At(*reference).place, reference->place()) << file;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 500U);
}

TEST(Binding, HoldsInACopyAndAfterAnEdit) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  Model copy = read.model;
  copy.entities[1].count = 7;
  copy.tables[0].items.erase(copy.tables[0].items.begin());
  const Reference<Entity>& order = copy.tables[0].items[0].entity;
  EXPECT_EQ(&copy.At(order), &copy.entities[1]);
  EXPECT_EQ(copy.At(order).count, 7);
  EXPECT_EQ(&read.model.At(order), &read.model.entities[1]);
}

TEST(Binding, KnowsTheRowsOfASecondLayout) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  const Entity& layout = read.model.At(read.model.tables[0].items[2].entity);
  EXPECT_EQ(layout.name.text, "OrderById");
  EXPECT_EQ(read.model.RowsOf(layout).name.text, "Order");
}

TEST(Binding, FindsRelationshipsAndWrites) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(&read.model.At(read.model.strategies[0].relationship), &read.model.relationships[0]);
  EXPECT_EQ(&read.model.At(read.model.patterns[0].after_write), &read.model.writes[0]);
}

TEST(Binding, FollowsADeclarationThatAnEditMoved) {
  const ReadModelResult read = ReadModel(kShop);
  ASSERT_TRUE(read.ok);
  Model copy = read.model;
  std::swap(copy.entities[0], copy.entities[1]);
  EXPECT_EQ(&copy.At(copy.relationships[0].from), &copy.entities[1]);
}

TEST(Binding, GivesNoModelOfAFileWithAnUnknownName) {
  for (const auto& [good, bad] : std::vector<std::pair<std::string, std::string>>{
           {"Customer one-to-many", "Custom one-to-many"},
           {"references Customer.id", "references Customr.id"},
           {"find Order", "find Ordr"},
           {"put Order", "put Ordre"},
           {"after PlaceOrder", "after Placing"},
           {"item Customer {", "item Client {"},
           {"of Order {", "of Ordre {"},
           {"strategy Orders", "strategy Order"},
           {"each Customer has", "each Customers has"}}) {
    std::string text = kShop;
    const std::size_t at = text.find(good);
    ASSERT_NE(at, std::string::npos) << good;
    text.replace(at, good.size(), bad);
    const ReadModelResult read = ReadModel(text);
    EXPECT_FALSE(read.ok) << bad;
    EXPECT_FALSE(read.diagnostics.empty()) << bad;
    EXPECT_TRUE(read.model.entities.empty()) << bad;
    EXPECT_EQ(read.declared().entities.size(), 2U) << "an editor sees what there is";
  }
}

}  // namespace
}  // namespace prejoin::model
