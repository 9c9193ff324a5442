// Generated Rust as rustfmt writes it. The texts of rust.spelling say nothing about lines; this reads the subset of Rust that they are written
// in into a tree and prints it by the rules of rustfmt. Comments and blank lines stay.
#ifndef PREJOIN_GEN_EMIT_RUST_LAYOUT_H_
#define PREJOIN_GEN_EMIT_RUST_LAYOUT_H_
#include <string>
#include <string_view>

namespace prejoin::gen {
std::string LaidOutAsRust(std::string_view text);
}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_EMIT_RUST_LAYOUT_H_
