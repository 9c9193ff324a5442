#include <string>

#include "expr/functions.h"
#include "expr/parse.h"

namespace prejoin::expr {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
// Clang 14 needs it written out.
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::string_view Symbol(Comparator comparator) {
  switch (comparator) {
    case Comparator::kEq:
      return "=";
    case Comparator::kNe:
      return "<>";
    case Comparator::kLt:
      return "<";
    case Comparator::kLe:
      return "<=";
    case Comparator::kGt:
      return ">";
    case Comparator::kGe:
      return ">=";
  }
  return "?";
}

// (head part part …)
class Form {
 public:
  explicit Form(std::string_view head) { text_.append("(").append(head); }
  Form& Add(std::string_view part) {
    text_.append(" ").append(part);
    return *this;
  }
  std::string Close() { return text_ + ')'; }

 private:
  std::string text_;
};

std::string Print(const Operand& operand) {
  return std::visit(
      Overloaded{
          [](const Path& path) { return expr::Print(path); },
          [](const Literal& literal) { return literal.placeholder; },
          [](const SizeOf& size) { return Form("size").Add(expr::Print(size.path)).Close(); },
      },
      operand);
}

std::string PrintAll(std::string_view head, const std::vector<Operand>& operands) {
  Form form(head);
  for (const Operand& operand : operands) {
    form.Add(Print(operand));
  }
  return form.Close();
}

std::string Print(const UpdateValue& value) {
  return std::visit(
      Overloaded{
          [](const Path& path) { return expr::Print(path); },
          [](const Literal& literal) { return literal.placeholder; },
          [](const IfNotExists& call) {
            return Form("if_not_exists")
                .Add(expr::Print(call.path))
                .Add(Print(*call.fallback))
                .Close();
          },
          [](const ListAppend& call) {
            return Form("list_append").Add(Print(*call.first)).Add(Print(*call.second)).Close();
          },
          [](const Arithmetic& sum) {
            return Form(sum.subtract ? "-" : "+")
                .Add(Print(*sum.left))
                .Add(Print(*sum.right))
                .Close();
          },
      },
      value.node);
}

}  // namespace

std::string Print(const Path& path) {
  std::string text;
  for (const PathStep& step : path) {
    if (const auto* name = std::get_if<std::string>(&step.step)) {
      text.append(text.empty() ? "" : ".").append(*name);
    } else {
      text += '[' + std::to_string(std::get<std::uint32_t>(step.step)) + ']';
    }
  }
  return text;
}

std::string Print(const Condition& condition) {
  return std::visit(
      Overloaded{
          [](const Comparison& node) {
            return Form(Symbol(node.comparator))
                .Add(Print(node.left))
                .Add(Print(node.right))
                .Close();
          },
          [](const Between& node) {
            return Form("between")
                .Add(Print(node.value))
                .Add(Print(node.low))
                .Add(Print(node.high))
                .Close();
          },
          [](const In& node) { return PrintAll("in " + Print(node.value), node.candidates); },
          [](const Call& node) { return PrintAll(node.function->name, node.arguments); },
          [](const And& node) {
            return Form("and").Add(Print(*node.left)).Add(Print(*node.right)).Close();
          },
          [](const Or& node) {
            return Form("or").Add(Print(*node.left)).Add(Print(*node.right)).Close();
          },
          [](const Not& node) { return Form("not").Add(Print(*node.inner)).Close(); },
      },
      condition.node);
}

std::string Print(const Update& update) {
  std::string text;
  const auto add = [&text](std::string_view action, const Path& path, std::string_view value) {
    Form form(action);
    form.Add(Print(path));
    if (!value.empty()) {
      form.Add(value);
    }
    text += (text.empty() ? "" : " ") + form.Close();
  };
  for (const SetAction& action : update.sets) {
    add("set", action.path, Print(action.value));
  }
  for (const RemoveAction& action : update.removes) {
    add("remove", action.path, "");
  }
  for (const AddAction& action : update.adds) {
    add("add", action.path, action.value.placeholder);
  }
  for (const DeleteAction& action : update.deletes) {
    add("delete", action.path, action.value.placeholder);
  }
  return text;
}

std::string Print(const Projection& projection) {
  std::string text;
  for (const Path& path : projection.paths) {
    text += (text.empty() ? "" : " ") + Print(path);
  }
  return text;
}

}  // namespace prejoin::expr
