// The functions of a generated file, each with the comment and the annotations above it: what one copies into a program of one's own.
export interface CodeFunction {
  name: string;
  text: string;
  at: number; // Characters before it in the file.
}

// TypeScript, Python, Go, Rust, Java and their like.
const declarations = [
  /^export (?:async )?function\*? (\w+)/,
  /^\s*(?:async )?def (\w+)/,
  /^func (?:\([^)]*\) )?(\w+)/,
  /^\s*pub (?:async )?fn (\w+)/,
  /^\s+public (?:static )?[\w<>[\], .?]+ (\w+)\(/,
];
const above = /^\s*(\/\/|\/?\*|#|@)/;
const indentOf = (line: string) => /^\s*/.exec(line)![0].length;

// The first line behind that is at its indent or left of it and closes it; without braces, the last one that is deeper.
function endOf(lines: string[], at: number): number {
  const indent = indentOf(lines[at]!);
  for (let next = at + 1; next < lines.length; ++next) {
    const line = lines[next]!;
    if (line.trim() === '' || indentOf(line) > indent) continue;
    if (/^\s*\}/.test(line)) return next + 1;
    if (/^\s*[)\]]/.test(line)) continue; // Parameters over several lines.
    return next;
  }
  return lines.length;
}

export function functionsOf(text: string): CodeFunction[] {
  const lines = text.split('\n');
  let characters = 0;
  const begins = lines.map((line) => (characters += line.length + 1) - line.length - 1);
  return lines.flatMap((line, at) => {
    const name = declarations.map((one) => one.exec(line)?.[1]).find((found) => found !== undefined);
    if (name === undefined || name.startsWith('_')) return [];
    let from = at;
    while (from > 0 && above.test(lines[from - 1]!)) --from;
    const own = lines.slice(from, endOf(lines, at));
    const indent = indentOf(line);
    return [{ name, at: begins[from]!, text: `${own.map((one) => one.slice(Math.min(indent, indentOf(one)))).join('\n').trimEnd()}\n` }];
  });
}

// Types: interfaces, classes, structs and their like, with another name for one of TypeScript and Python.
const types = [
  /^export (?:declare )?(?:interface|type|class|enum) (\w+)/,
  /^class (\w+)/,
  /^(\w+) = (?:TypedDict|NamedTuple|NewType)\(/,
  /^type (\w+) /,
  /^\s*pub (?:struct|enum|type) (\w+)/,
  /^\s*public (?:static )?(?:final )?(?:record|class|interface|enum) (\w+)/,
];

const typesOf = (text: string): string[] => text.split('\n').flatMap((line) => types.map((one) => one.exec(line)?.[1]).find((name) => name !== undefined) ?? []);

// Entities whose type has another name in the code, because their own is a word there.
export function renamedTypes(entities: string[], files: { text: string }[]): { entity: string; type: string }[] {
  const there = new Set(files.flatMap(({ text }) => typesOf(text)));
  return entities.flatMap((entity) => {
    const type = `${entity}Row`;
    return there.has(type) && !there.has(entity) && !entities.includes(type) ? [{ entity, type }] : [];
  });
}

// What a function that is copied alone still needs of the generated files, with their files: functions that it calls, and types that it names.
export function neededBy(one: CodeFunction, files: { path: string; text: string }[]): { name: string; path: string }[] {
  const words = new Set(one.text.match(/\w+/g));
  const found = new Map<string, string>();
  for (const { path, text } of files) {
    for (const name of [...functionsOf(text).map((each) => each.name), ...typesOf(text)]) if (words.has(name) && !found.has(name)) found.set(name, path);
  }
  found.delete(one.name);
  return [...found].map(([name, path]) => ({ name, path }));
}
