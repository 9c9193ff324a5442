// The text that an editor shows when the pointer rests on a name.
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "lsp/features.h"
#include "model/cost/cost.h"
#include "model/plan/explain.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/words.h"

namespace prejoin::lsp {
namespace {

std::string PatternText(const model::Model& model, const model::Pattern& pattern) {
  const model::Plan plan = model::PlanPattern(model, pattern);
  std::string out = "**pattern " + pattern.name.text + "** " + pattern.title + "\n\n";
  if (plan.served) {
    const model::PlanEstimate& each = plan.estimate;
    out += model::Counted(each.requests, "request") + ", " + model::FigureText(each.items_read) +
           " items, " + model::FigureText(each.read_units) + " read units";
    if (pattern.rate_per_second > 0) {
      const model::CostReport report = model::EstimateCost(model, {plan}, model::Prices{});
      for (const model::PatternCost& cost : report.patterns) {
        if (cost.name == pattern.name.text) {
          out += "; " + model::MoneyText("$", cost.money_per_month) + " a month";
        }
      }
    }
    out += "\n\n";
  }
  return out + "```text\n" + model::ExplainPattern(model, pattern) + "\n```";
}

std::string EntityText(const model::ParsedModel& model, const model::Entity& entity) {
  std::string out = "**entity " + entity.name.text + "**";
  if (entity.count_given) {
    out += ", " + model::FigureText(entity.count) + " rows";
  }
  out += "\n\n";
  const auto layouts = model.LayoutsOf(entity.name.text);
  for (const auto& placement : layouts) {
    const bool second = !placement.layout->of.text.empty();
    out += "In table " + placement.table->name.text +
           (second ? ", as " + placement.layout->entity.text : "") + ":\n```prejoin\n";
    for (const model::StoredAttribute& stored : placement.layout->attributes) {
      if (stored.kind == model::StoredKind::kTemplate) {
        out += stored.name.text + " = " + stored.key.ToString() + "\n";
      }
    }
    out += "```\n";
  }
  if (layouts.empty()) {
    out += "No table holds it.\n";
  }
  for (const model::Pattern& pattern : model.patterns) {
    for (const model::Section& section : pattern.sections) {
      if (section.entity.text != entity.name.text) {
        continue;
      }
      out += "\n- read by " + pattern.name.text + " " + pattern.title;
      break;
    }
  }
  return out;
}

std::string AttributeText(const model::Entity& entity, const model::Attribute& attribute) {
  std::string out = "**" + entity.name.text + "." + attribute.name.text + "** " +
                    std::string(model::AttributeTypeName(attribute.type));
  if (attribute.references) {
    out += ", references " + attribute.references->entity.text + "." +
           attribute.references->attribute.text;
  }
  if (attribute.is_key) {
    out += ", key";
  }
  if (attribute.optional) {
    out += ", optional";
  }
  return out + "; about " + model::FigureText(model::AverageValueBytes(attribute)) + " bytes";
}

std::string RelationshipText(const model::Relationship& one) {
  std::string out = "**relationship " + one.name.text + "** " + one.from.text + " → " + one.to.text;
  for (const model::Cardinality& cardinality : one.cardinalities) {
    out += "\n- each " + cardinality.entity.text;
    for (const model::Name& name : cardinality.by) {
      out += (&name == cardinality.by.data() ? " by " : ", ") + name.text;
    }
    out += " has about " + model::FigureText(cardinality.average);
    out +=
        cardinality.bound > 0 ? ", at most " + model::FigureText(cardinality.bound) : ", unbounded";
  }
  return out;
}

std::string KeyText(const model::Model& model, const Symbol& symbol) {
  const std::string why = model::ExplainKeys(model, symbol.name);
  return "**key " + symbol.owner + "." + symbol.name + "**" +
         (why.empty() ? "" : "\n```text\n" + why + "\n```");
}

bool IsLanguageByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// A word that begins its line means what such words mean; others rarely have a second meaning.
std::string LanguageWordText(const Document& document, Position position, std::size_t offset) {
  const std::string& text = document.text();
  std::size_t begin = offset;
  while (begin > 0 && IsLanguageByte(text[begin - 1])) {
    --begin;
  }
  std::size_t end = offset;
  while (end < text.size() && IsLanguageByte(text[end])) {
    ++end;
  }
  using model::WordPlace;
  constexpr std::array kBeginning = {
      WordPlace::kFile,  WordPlace::kEntity, WordPlace::kRelationship, WordPlace::kPattern,
      WordPlace::kWrite, WordPlace::kTable,  WordPlace::kItem};
  constexpr std::array kInside = {WordPlace::kAttribute, WordPlace::kFind, WordPlace::kStep,
                                  WordPlace::kStored,    WordPlace::kKeys, WordPlace::kClause};
  const std::string_view line = document.Line(position.line);
  const std::size_t line_start = document.OffsetOf({position.line, 0});
  const bool first = line.find_first_not_of(" \t") == begin - line_start;
  const model::Word* word = model::FindWord(
      std::string_view(text).substr(begin, end - begin),
      first ? std::span<const WordPlace>(kBeginning) : std::span<const WordPlace>(kInside));
  if (word == nullptr) {
    return "";
  }
  return "**" + std::string(word->text) + "** " + std::string(word->help) +
         (word->example.empty() ? "" : "\n```prejoin\n" + std::string(word->example) + "\n```");
}

std::string IndexText(const model::Model& model, const Symbol& symbol) {
  std::string out = "**index " + symbol.owner + "." + symbol.name + "**";
  for (const model::Plan& plan : model::PlanAll(model)) {
    for (const model::Request& request : plan.requests) {
      if (request.view.index == nullptr || request.view.index->name.text != symbol.name ||
          request.view.table->name.text != symbol.owner) {
        continue;
      }
      out += "\n- " + plan.pattern->name.text + ": " + model::DescribeRequest(request);
    }
  }
  return out;
}

}  // namespace

std::string HoverText(Document& document, Position position) {
  const model::ReadModelResult& read = document.read();
  const std::size_t offset = document.OffsetOf(position);
  const std::size_t line_start = document.OffsetOf({position.line, 0});
  const auto all = FindOccurrences(read.declared(), document.text());
  const Occurrence* one =
      OccurrenceAt(all, position.line + 1, static_cast<int>(offset - line_start) + 1);
  if (one == nullptr) {
    return LanguageWordText(document, position, offset);
  }
  const model::ParsedModel& model = read.declared();
  switch (one->symbol.kind) {
    case SymbolKind::kEntity: {
      const model::Entity* entity = model.FindEntity(one->symbol.name);
      return entity != nullptr ? EntityText(model, *entity) : "";
    }
    case SymbolKind::kAttribute: {
      const model::Entity* entity = model.FindEntity(one->symbol.owner);
      const model::Attribute* attribute =
          entity != nullptr ? entity->Find(one->symbol.name) : nullptr;
      return attribute != nullptr ? AttributeText(*entity, *attribute) : "";
    }
    case SymbolKind::kRelationship: {
      const model::Relationship* found = model.FindRelationship(one->symbol.name);
      return found != nullptr ? RelationshipText(*found) : "";
    }
    case SymbolKind::kPattern: {
      // Planning looks names up and must not meet one that means nothing.
      const model::Pattern* pattern = model.FindPattern(one->symbol.name);
      return pattern != nullptr && read.ok ? PatternText(read.model, *pattern) : "";
    }
    case SymbolKind::kIndex:
      return read.ok ? IndexText(read.model, one->symbol) : "";
    case SymbolKind::kKey:
      return read.ok ? KeyText(read.model, one->symbol) : "";
    case SymbolKind::kWrite:
    case SymbolKind::kTable:
      return "";
  }
  return "";
}

}  // namespace prejoin::lsp
