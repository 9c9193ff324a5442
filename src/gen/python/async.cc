// The same Python for aioboto3: what talks to the database is a coroutine, and whoever calls it waits for it. The code is that of the
// `python` target, changed by these rules:
//   - functions of patterns, of writes, and those of the support files that send requests become `async def`;
//   - a call of one of them, and of the client itself, gets an `await`, except where a lambda gives it on: gather waits there;
//   - threads become asyncio.gather.
#include "gen/python/async.h"

#include <algorithm>
#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"

namespace prejoin::gen {
namespace python {
namespace {

bool IsNameChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool Replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    return false;
  }
  text.replace(at, from.size(), to);
  return true;
}

// Functions that wait, beside those that the files of a model define.
std::set<std::string> Waiting() {
  return {"get_item", "found_item", "get_items",  "query_all", "count_all", "query_page", "scan_all",
          "in_parallel",      "batch_get",  "write",     "retrying",   "rewrite_list",
          "ignoring_missing", "_write_one", "pause",     "work",       "work2",
          "work3",            "work4",      "work5",     "write_changes",
          "write_in_groups"};
}

void AddDefinitions(std::string_view text, std::set<std::string>& names) {
  for (std::size_t at = text.find("\ndef "); at != std::string_view::npos;
       at = text.find("\ndef ", at + 1)) {
    const std::size_t start = at + 5;
    names.insert(std::string(text.substr(start, text.find('(', start) - start)));
  }
}

// Returns the text that must be before the called name at `at`.
std::string_view Before(std::string_view line, std::size_t at, const std::string& name,
                        const std::set<std::string>& waiting) {
  const std::string_view head = line.substr(0, at);
  if (head.ends_with("def ")) {
    return waiting.contains(name) ? "async " : "";
  }
  const bool given_on = head.ends_with("lambda shard: ") || head.ends_with("lambda each: ");
  const bool client = head.ends_with("db.") && name != "exceptions";
  return !given_on && (waiting.contains(name) || client) ? "await " : "";
}

std::string AsyncLine(std::string_view line, const std::set<std::string>& waiting) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (!IsNameChar(line[i]) || (i > 0 && IsNameChar(line[i - 1]))) {
      out += line[i++];
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && IsNameChar(line[end])) {
      ++end;
    }
    const std::string name(line.substr(i, end - i));
    const bool member = i > 0 && line[i - 1] == '.';
    const bool client = member && line.substr(0, i).ends_with("db.");
    if (end < line.size() && line[end] == '(' && (!member || client)) {
      const std::string_view before = Before(line, i, name, waiting);
      // `async` is before `def`, `await` before the client.
      const std::size_t back = before == "async " ? 4 : (client && !before.empty() ? 3 : 0);
      out.insert(out.size() - back, before);
    }
    out += name;
    i = end;
  }
  return out;
}

std::string Folded(std::string_view line) {
  Code code("    ", 88, Folding::kOneLine);
  code.Line(line);
  return code.text();
}

// The line for a coroutine, folded again where a word more made it too long.
std::string AsyncLines(std::string_view line, const std::set<std::string>& waiting) {
  const std::string changed = AsyncLine(line, waiting);
  return changed == line ? changed + "\n" : Folded(changed);
}

// The example of the README.
void FoldExample(std::string& text) {
  const std::size_t start = text.find("    print(await ");
  if (start == std::string::npos) {
    return;
  }
  const std::size_t end = std::min(text.find('\n', start), text.size() - 1);
  text.replace(start, end + 1 - start, Folded(text.substr(start, end - start)));
}

std::string AsyncText(std::string_view text, const std::set<std::string>& waiting) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const bool comment =
        line.substr(start).starts_with("\"\"\"") || line.substr(start).starts_with('#');
    out += comment ? std::string(line) + "\n" : AsyncLines(line, waiting);
    at = end + 1;
  }
  return out;
}

// Changes that are no matter of words.
std::string AsyncReading(std::string text) {
  Replace(text, "from concurrent.futures import ThreadPoolExecutor\n", "");
  Replace(text, "import random\nimport time\n", "import asyncio\nimport random\n");
  Replace(text, "time.sleep(", "await asyncio.sleep(");
  Replace(text, "from collections.abc import Callable,",
          "from collections.abc import Awaitable, Callable,");
  Replace(text, "read: Callable[[Value], list[Item]]",
          "read: Callable[[Value], Awaitable[list[Item]]]");
  Replace(text, "THREADS_MAX = 16\n\n\n", "");
  Replace(text,
          "    different = list(dict.fromkeys(values))\n"
          "    with ThreadPoolExecutor(max_workers=min(THREADS_MAX, len(different))) as threads:\n"
          "        return [item for items in threads.map(read, different) for item in items]\n",
          "    answers = await asyncio.gather(*map(read, dict.fromkeys(values)))\n"
          "    return [item for items in answers for item in items]\n");
  Replace(text, "What `boto3.resource(\"dynamodb\").meta.client` is",
          "The type of `meta.client` of aioboto3's resource");
  return text;
}

std::string AsyncWriting(std::string text) {
  Replace(text, "import Callable, Sequence", "import Awaitable, Callable, Sequence");
  Replace(text, "work: Callable[[], None]", "work: Callable[[], Awaitable[None]]");
  Replace(text, "    calls[action.kind](", "    await calls[action.kind](");
  return text;
}

}  // namespace
}  // namespace python

std::vector<GeneratedFile> GeneratePythonAsync(const Program& program) {
  std::vector<GeneratedFile> files = emit::GeneratePackage("python", program);
  std::set<std::string> waiting = python::Waiting();
  for (const GeneratedFile& file : files) {
    if (file.path == "patterns.py" || file.path == "writes.py") {
      python::AddDefinitions(file.text, waiting);
    }
  }
  for (GeneratedFile& file : files) {
    if (file.path == "README.md") {
      python::Replace(file.text, "--to python ", "--to python-async ");
      python::Replace(file.text, "pip install boto3", "pip install aioboto3");
      python::Replace(file.text, "import boto3", "import aioboto3");
      python::Replace(file.text, "db = boto3.resource(\"dynamodb\").meta.client\nprint(",
                      "async with aioboto3.Session().resource(\"dynamodb\") as resource:\n"
                      "    db = resource.meta.client\n    print(await ");
      python::FoldExample(file.text);
      continue;
    }
    if (file.path == "entities.py" || file.path == "__init__.py") {
      continue;
    }
    // The support files call no pattern, and a pattern may have the name of a function of Python's: `list`.
    const bool support = file.path != "patterns.py" && file.path != "writes.py";
    file.text = python::AsyncText(file.text, support ? python::Waiting() : waiting);
    if (file.path == "reading.py") {
      file.text = python::AsyncReading(file.text);
    }
    if (file.path == "writing.py") {
      file.text = python::AsyncWriting(file.text);
    }
  }
  return files;
}

}  // namespace prejoin::gen
