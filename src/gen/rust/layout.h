// Generated Rust as rustfmt writes it.
//
// The texts of rust.spelling say nothing about lines: a statement may stand on one line of any length. This reads the subset of Rust that
// they are written in into a tree and prints it by rustfmt's rules with its default settings: 100 columns, 60 for the arguments of a call,
// an array and a chain of calls, 18 for the fields of a struct literal. Comments and blank lines stay.
#ifndef PREJOIN_GEN_RUST_LAYOUT_H_
#define PREJOIN_GEN_RUST_LAYOUT_H_

#include <string>
#include <string_view>

namespace prejoin::gen {

std::string LaidOutAsRust(std::string_view text);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_RUST_LAYOUT_H_
