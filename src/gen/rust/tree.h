// The subset of Rust that generated code is written in, as a tree.
#ifndef PREJOIN_GEN_RUST_TREE_H_
#define PREJOIN_GEN_RUST_TREE_H_

#include <string>
#include <string_view>
#include <vector>

namespace prejoin::gen::rust {

struct Statement;

struct Node {
  enum class Kind {
    kAtom,     // A name, a literal: `text`.
    kPrefix,   // `text` in front of the only part: &x, name: x, "name" => x.
    kCall,     // `text(parts)`; without text a tuple.
    kMacro,    // `text(parts)`, whose last argument has no comma behind it.
    kArray,    // `text[parts]`
    kStruct,   // `text { parts }`
    kVerbatim, // The same of a macro, which rustfmt leaves as it is.
    kClosure,  // `text` is |x|, the part its body.
    kBlock,    // `text { body }`
    kChain,    // The first part, and `.name` or `.name(…)` of the others.
    kBinary,   // Parts with `text` between them.
  };
  Kind kind = Kind::kAtom;
  std::string text;
  std::vector<Node> parts;
  std::string suffix = {};  // "?"
  std::vector<Statement> body = {};
};

// A statement, an item, a member, or a comment.
struct Statement {
  bool gap = false;    // An empty line stands before it.
  std::string head;    // "let x = ", "pub fn f(a: &str) -> Result<X>", "// …"
  std::vector<Node> value = {};  // At most one.
  bool has_body = false;
  std::vector<Statement> body = {};
  std::string end = {};  // ";", ","
};

// Of a whole file.
std::vector<Statement> ReadRust(std::string_view text);

}  // namespace prejoin::gen::rust

#endif  // PREJOIN_GEN_RUST_TREE_H_
