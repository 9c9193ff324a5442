// Projection by copying encoded values. The paths are sorted (ast.h), so those with a common
// beginning stand together and names come in the order in which a map is written: each container is
// built in one walk over its range of paths.
#include <cstring>
#include <span>

#include "expr/evaluate.h"
#include "value/varint.h"

namespace prejoin::expr {
namespace {

using Paths = std::span<const Path>;

// The paths at the front that agree in their step at `depth`.
Paths FrontGroup(Paths paths, std::size_t depth) {
  std::size_t size = 1;
  while (size < paths.size() && paths[size][depth] == paths[0][depth]) {
    ++size;
  }
  return paths.first(size);
}

bool AppendProjected(ValueView value, Paths paths, std::size_t depth, std::string& out);

// The entries of `map` that the paths ask for. Returns their number. Names ascend in both, so one
// walk over the two finds all of them.
std::uint32_t AppendEntries(ItemView map, Paths paths, std::size_t depth, std::string& out) {
  std::uint32_t count = 0;
  auto entry = map.begin();
  while (!paths.empty() && entry != map.end()) {
    const auto* name = std::get_if<std::string>(&paths[0][depth].step);
    if (name == nullptr) {
      break;  // Positions come behind all names, and a map has none.
    }
    const int order = CompareNames(entry->name, *name);
    if (order < 0) {
      ++entry;
      continue;
    }
    const Paths group = FrontGroup(paths, depth);
    paths = paths.subspan(group.size());
    if (order > 0) {
      continue;
    }
    const std::size_t begin = out.size();
    AppendVarint(static_cast<std::uint32_t>(name->size()), out);
    out.append(*name);
    if (AppendProjected(entry->value, group, depth + 1, out)) {
      ++count;
    } else {
      out.resize(begin);
    }
  }
  return count;
}

// The elements of `list` that the paths ask for. Positions ascend, after the names.
std::uint32_t AppendElements(ListView list, Paths paths, std::size_t depth, std::string& out) {
  std::uint32_t count = 0;
  std::size_t position = 0;
  auto element = list.begin();
  while (!paths.empty()) {
    const Paths group = FrontGroup(paths, depth);
    paths = paths.subspan(group.size());
    const auto* index = std::get_if<std::uint32_t>(&group[0][depth].step);
    if (index == nullptr) {
      continue;
    }
    for (; position < *index && element != list.end(); ++position) {
      ++element;
    }
    if (element == list.end()) {
      break;
    }
    if (AppendProjected(*element, group, depth + 1, out)) {
      ++count;
    }
  }
  return count;
}

// The part of `value` that the paths, which agree up to `depth`, ask for. False, with nothing
// written, if there is none.
bool AppendProjected(ValueView value, Paths paths, std::size_t depth, std::string& out) {
  if (paths[0].size() == depth) {
    out.append(value.bytes());
    return true;
  }
  const bool is_map = value.type() == ValueType::kMap;
  if (!is_map && value.type() != ValueType::kList) {
    return false;
  }
  std::string contents;
  const std::uint32_t count = is_map ? AppendEntries(value.map(), paths, depth, contents)
                                     : AppendElements(value.list(), paths, depth, contents);
  if (count == 0) {
    return false;
  }
  std::string head;
  AppendVarint(count, head);
  const auto size = static_cast<std::uint32_t>(head.size() + contents.size());
  out.push_back(static_cast<char>(value.type()));
  out.append(reinterpret_cast<const char*>(&size), sizeof(size));
  out.append(head).append(contents);
  return true;
}

}  // namespace

std::string Project(const Projection& projection, ItemView item) {
  std::string entries;
  const std::uint32_t count = AppendEntries(item, projection.paths, 0, entries);
  std::string body;
  body.reserve(entries.size() + 2);
  AppendVarint(count, body);
  return body.append(entries);
}

}  // namespace prejoin::expr
