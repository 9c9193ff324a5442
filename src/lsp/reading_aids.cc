#include "lsp/reading_aids.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "json/writer.h"
#include "lsp/symbols.h"
#include "model/cost/cost.h"
#include "model/plan/planner.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/lexer.h"
#include "model/syntax/words.h"

namespace prejoin::lsp {
namespace {

constexpr std::array<std::string_view, 14> kTokenTypes = {
    "class", "property", "interface", "function", "method",    "struct",  "enumMember",
    "variable", "keyword", "string", "number",    "parameter", "comment", "operator"};
constexpr int kKeyword = 8;
constexpr int kNone = -1;

int TypeOf(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kEntity:
      return 0;
    case SymbolKind::kAttribute:
      return 1;
    case SymbolKind::kRelationship:
      return 2;
    case SymbolKind::kPattern:
      return 3;
    case SymbolKind::kWrite:
      return 4;
    case SymbolKind::kTable:
      return 5;
    case SymbolKind::kIndex:
      return 6;
    case SymbolKind::kKey:
      return 7;
  }
  return kNone;
}

int TypeOf(const model::Token& token) {
  switch (token.kind) {
    case model::TokenKind::kWord:
      return model::FindWord(token.text) != nullptr ? kKeyword : kNone;
    case model::TokenKind::kString:
      return 9;
    case model::TokenKind::kNumber:
      return 10;
    case model::TokenKind::kParameter:
      return 11;
    case model::TokenKind::kComment:
      return 12;
    case model::TokenKind::kSymbol:
    case model::TokenKind::kNewline:
    case model::TokenKind::kEnd:
      break;
  }
  return kNone;
}

std::string Texts(std::span<const std::string_view> texts) {
  std::string out;
  json::AppendArray(texts, out, [&](std::string_view text) { json::AppendString(text, out); });
  return out;
}

void AppendFold(int from, int to, std::string_view kind, std::string& out) {
  if (to <= from) {
    return;
  }
  out += out.size() > 1 ? "," : "";
  json::ObjectWriter object(out);
  object.Integer("startLine", from);
  object.Integer("endLine", to);
  if (!kind.empty()) {
    object.String("kind", kind);
  }
}

// The last line stays visible: it has the brace.
void AppendFolds(const std::vector<model::Statement>& statements, std::string& out) {
  for (const model::Statement& one : statements) {
    if (one.has_block && one.close.line > 0) {
      AppendFold(one.start.line - 1, one.close.line - 2, "", out);
    }
    AppendFolds(one.body, out);
  }
}

// The summary of a pattern or write in one line.
struct Figures {
  model::SourceSpan at;
  std::string name;
  bool is_pattern = false;
  std::string text;
};

struct Bill {
  std::vector<Figures> all;
  double money_per_month = 0;
};

// Planning looks names up and must not meet one that means nothing, so a model with errors has no bill.
Bill BillOf(const model::ReadModelResult& read) {
  Bill bill;
  if (!read.ok || read.model.tables.empty()) {
    return bill;
  }
  const model::Model& model = read.model;
  model::Expectations figures(model);
  const std::vector<model::Plan> plans = model::PlanAll(figures);
  const model::Prices prices;
  const auto money = [](double rate, double each_month) {
    return rate > 0 ? " · " + model::MoneyText("$", each_month) + "/month" : std::string();
  };
  for (const model::Plan& plan : plans) {
    if (plan.pattern == nullptr || plan.pattern->name.at.line <= 0) {
      continue;
    }
    Figures one{plan.pattern->name.at, plan.pattern->name.text, true, "no key supports it"};
    if (plan.served) {
      const model::PatternCost cost = model::PricePattern(figures, plan, prices);
      bill.money_per_month += cost.money_per_month;
      one.text = model::Counted(plan.estimate.requests, "request") + " · " +
                 model::FigureText(plan.estimate.read_units) + " RCU" +
                 money(plan.pattern->rate_per_second, cost.money_per_month);
    }
    bill.all.push_back(std::move(one));
  }
  for (const model::Write& write : model.writes) {
    const model::WriteCost cost = model::PriceWrite(figures, write, prices);
    bill.money_per_month += cost.money_per_month;
    bill.all.push_back({write.name.at, write.name.text, false,
                        model::FigureText(cost.total_units) + " WCU" +
                            money(write.rate_per_second, cost.money_per_month)});
  }
  return bill;
}

std::string LensJson(const Range& range, std::string_view title, std::string_view command,
                     std::initializer_list<std::string_view> arguments) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.Name("range") += RangeJson(range);
    json::ObjectWriter inner(object.Name("command"));
    inner.String("title", title);
    inner.String("command", command);
    inner.Name("arguments") += Texts({arguments.begin(), arguments.size()});
  }
  return out;
}

}  // namespace

std::string TokenLegendJson() {
  constexpr std::array<std::string_view, 1> kModifiers = {"declaration"};
  return "{\"tokenTypes\":" + Texts(kTokenTypes) + ",\"tokenModifiers\":" + Texts(kModifiers) + "}";
}

std::string SemanticTokensJson(Document& document) {
  std::map<std::pair<int, int>, const Occurrence*> names;
  const auto all = FindOccurrences(document.read().declared(), document.text());
  for (const Occurrence& one : all) {
    names[{one.at.line, one.at.column}] = &one;
  }
  std::vector<model::Diagnostic> ignored;
  std::string data;
  Position last;
  for (const model::Token& token : model::Tokenize(document.text(), ignored)) {
    const auto found = names.find({token.at.line, token.at.column});
    const int type = found != names.end() ? TypeOf(found->second->symbol.kind) : TypeOf(token);
    const Range range = document.RangeOf(token.at);
    const int length = range.end.character - range.start.character;
    if (type == kNone || length <= 0 || range.end.line != range.start.line) {
      continue;
    }
    const int lines = range.start.line - last.line;
    const int columns = range.start.character - (lines == 0 ? last.character : 0);
    const bool declared = found != names.end() && found->second->declaration;
    for (const int number : {lines, columns, length, type, declared ? 1 : 0}) {
      data += (data.empty() ? "" : ",") + std::to_string(number);
    }
    last = range.start;
  }
  return "{\"data\":[" + data + "]}";
}

std::string FoldingRangesJson(Document& document) {
  std::string out = "[";
  AppendFolds(document.read().tree.statements, out);
  int begin = -1;
  for (int line = 0; line <= document.line_count(); ++line) {
    const std::string_view text =
        line < document.line_count() ? document.Line(line) : std::string_view();
    const std::size_t first = text.find_first_not_of(" \t");
    const bool comment = first != std::string_view::npos && text.substr(first, 2) == "//";
    if (comment && begin < 0) {
      begin = line;
    } else if (!comment && begin >= 0) {
      AppendFold(begin, line - 1, "comment", out);
      begin = -1;
    }
  }
  return out + "]";
}

std::string InlayHintsJson(Document& document, const Range& range) {
  std::string out = "[";
  for (const Figures& one : BillOf(document.read()).all) {
    const int line = one.at.line - 1;
    if (line < range.start.line || line > range.end.line || line >= document.line_count()) {
      continue;
    }
    const std::string_view text = document.Line(line);
    const std::size_t end = text.find_last_not_of(" \t\r");
    const std::size_t offset =
        document.OffsetOf({line, 0}) + (end == std::string_view::npos ? 0 : end + 1);
    out += out.size() > 1 ? "," : "";
    json::ObjectWriter object(out);
    object.Name("position") += PositionJson(document.PositionOf(offset));
    object.String("label", one.text);
    object.Bool("paddingLeft", true);
  }
  return out + "]";
}

std::string CodeLensesJson(Document& document, std::string_view uri) {
  const model::ReadModelResult& read = document.read();
  const Range top{};
  std::string out = "[" + LensJson(top, "Prove", "prejoin.prove", {uri});
  out += "," + LensJson(top, "Design", "prejoin.design", {uri});
  const Bill bill = BillOf(read);
  if (!bill.all.empty()) {
    out += "," + LensJson(top, model::MoneyText("$", bill.money_per_month) + "/month for requests",
                          "prejoin.cost", {uri});
  }
  for (const Figures& one : bill.all) {
    if (one.is_pattern) {
      out += "," + LensJson(document.RangeOf(one.at), "Explain", "prejoin.explain", {uri, one.name});
    }
  }
  return out + "]";
}

}  // namespace prejoin::lsp
