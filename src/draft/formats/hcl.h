// Terraform's language, HCL: blocks as a tree, and the values of expressions as far as the file itself states them.
#ifndef PREJOIN_DRAFT_FORMATS_HCL_H_
#define PREJOIN_DRAFT_FORMATS_HCL_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::draft {

struct HclBlock {
  std::string kind;
  std::vector<std::string> labels;
  std::map<std::string, std::string_view> attributes;  // Name → its expression in the file's text.
  std::vector<HclBlock> blocks;
};

// Borrows the text. Text that is not HCL gives what was read up to there.
std::vector<HclBlock> ReadHcl(std::string_view text);

struct HclValue {
  enum class Kind { kUnknown, kNull, kText, kList, kObject };

  Kind kind = Kind::kUnknown;
  std::string text;            // Numbers and booleans are texts.
  std::vector<HclValue> list;  // The elements, or the values of the members.
  std::vector<std::string> names;

  bool known() const { return kind != Kind::kUnknown; }
  const HclValue* Find(std::string_view name) const;
};

using HclBindings = std::map<std::string, HclValue, std::less<>>;

// Knows the defaults of variables, and locals. What a provider or another file computes is unknown. Borrows the blocks. Single thread.
class HclScope {
 public:
  explicit HclScope(const std::vector<HclBlock>& file);

  // `bindings`: further names, such as `each`.
  HclValue Evaluate(std::string_view expression, const HclBindings& bindings);

  // The expression of `var.name` or `local.name`; null if the file does not state it.
  const std::string_view* Find(std::string_view root, std::string_view name) const;
  // False once all evaluations together took more work than any file needs: values that refer to each other can grow with each step.
  bool Spend(std::size_t work);

 private:
  std::map<std::string, std::string_view, std::less<>> variables_;  // Name → its default.
  std::map<std::string, std::string_view, std::less<>> locals_;
  std::size_t spent_ = 0;
};

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_HCL_H_
