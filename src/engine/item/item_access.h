// The questions to the request's AccessControl. Each is asked in one place: where items are read, where they are written, and where pages are.
#ifndef PREJOIN_ENGINE_ITEM_ITEM_ACCESS_H_
#define PREJOIN_ENGINE_ITEM_ITEM_ACCESS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/item/planned_write.h"
#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// Everything there is to know about the read of an item.
struct ReadTerms {
  std::string leading_key;
  std::vector<std::string> attributes;
  bool whole_item = true;
};
ReadTerms TermsOfRead(const Table& table, const Item& key,
                      const std::optional<expr::Projection>& projection);

// The same for a page. Borrows.
struct PageTerms {
  const Table& table;
  const Index* index = nullptr;
  const std::optional<expr::Condition>& filter;
  const std::optional<expr::Projection>& projection;
  std::string_view select;
  bool is_query = false;
  const std::vector<std::string>& leading_keys;
  const std::vector<std::string>& further_keys;
};

// The same for a search of a vector index. Borrows.
struct SearchTerms {
  const Table& table;
  std::string_view index_name;
  std::string_view vector_attribute;
  const std::optional<expr::Condition>& condition;
  const std::optional<expr::Projection>& projection;
  // The value of the index's HASH attribute, which then is the leading key; null if it has none, and a search may find every item.
  const AttributeValue* hash_value = nullptr;
};

// Each needs an AccessControl in the context. A read without terms is refused: somebody forgot to plan it.
Status CheckAccess(RequestContext& context, const Table& table,
                   const std::optional<ReadTerms>& terms);
Status CheckAccess(RequestContext& context, const PageTerms& page);
Status CheckAccess(RequestContext& context, const SearchTerms& search);
Status CheckAccess(RequestContext& context, const ItemWrite& write);

// As policies have it: the text itself, a number's shortest form, base64.
std::string LeadingKeyText(const AttributeValue& value);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_ITEM_ACCESS_H_
