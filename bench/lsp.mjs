// How long an editor waits for findings: the language server is driven as VS Code drives it, and every key typed into a model of 1,000 lines is timed
// until its diagnostics are there.
//   PREJOIN_BINARY=build/release/prejoin node bench/lsp.mjs [lines] [keys]
import { createRequire } from "node:module";

const { LanguageClient } = createRequire(import.meta.url)("../editors/vscode/client.js");
const lines = Number(process.argv[2] ?? 1000);
const keys = Number(process.argv[3] ?? 200);

// One tenant after the other: an entity, its parent, patterns, a write and items; about 40 lines each.
function model(wanted) {
  const parts = ['model "Large"\n'];
  const items = [];
  let count = 0;
  for (let n = 0; count + items.join("\n").split("\n").length < wanted - 10; ++n) {
    const part = `
entity Owner${n} {
  id    text(~8) key
  name  text(~20)
  since date
  count 1_000
}

entity Thing${n} {
  ownerId references Owner${n}.id key
  id      text(~8) key
  title   text(~30)
  state   text(~6) values ("open", "done")
  size    number(4)
}

relationship Things${n}: Owner${n} one-to-many Thing${n} {
  each Owner${n} has ~20, at most 500
}

pattern Owner${n}Page "An owner and the things" {
  find Owner${n} where id = :owner
  find Thing${n} where ownerId = :owner
  rate 5/s
}

write Add${n} "A new thing" {
  put Thing${n}
  rate 1/s
}
`;
    parts.push(part);
    items.push(`  item Owner${n} {
    PK = "O${n}#{id}"
    SK = "#"
  }
  item Thing${n} {
    PK = "O${n}#{ownerId}"
    SK = "T#{id}"
  }`);
    count += part.split("\n").length;
  }
  return `${parts.join("")}\ntable Large partition PK sort SK {\n${items.join("\n")}\n}\n`;
}

let arrived;
const client = new LanguageClient(process.env.PREJOIN_BINARY, ["lsp"], { onNotification: (_, params) => arrived?.(params) });
const findings = () => new Promise((resolve) => (arrived = resolve));
await client.request("initialize", { processId: null, rootUri: null, capabilities: {} });
client.notify("initialized", {});
const text = model(lines);
const uri = "file:///large.prejoin";
let waiting = findings();
client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "prejoin", version: 1, text } });
const first = await waiting;
const errors = first.diagnostics.filter((one) => one.severity === 1);
if (errors.length > 0) throw new Error(`the model is to have no errors: ${JSON.stringify(errors[0])}`);

// Typing a word into a comment, into a name, and into a template, and taking it out again.
const all = text.split("\n");
const places = [0, all.findIndex((line) => line.includes("title")), all.findLastIndex((line) => line.includes("SK = \"T#"))].map((line) => ({
  line,
  character: all[line].length,
}));
const times = [];
for (let n = 0; n < keys; ++n) {
  const { line, character } = places[Math.floor(n / 2) % places.length];
  const at = { line, character };
  const range = n % 2 === 0 ? { start: at, end: at } : { start: at, end: { line, character: character + 1 } };
  const begin = process.hrtime.bigint();
  waiting = findings();
  client.notify("textDocument/didChange", { textDocument: { uri, version: n + 2 }, contentChanges: [{ range, text: n % 2 === 0 ? "x" : "" }] });
  await waiting;
  times.push(Number(process.hrtime.bigint() - begin) / 1e6);
}
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
console.log(`${all.length} lines, ${keys} keys: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms`);
await client.stop();
