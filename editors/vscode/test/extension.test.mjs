// The extension without an editor: its grammar colours what it should, it packs, and its client drives the real server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { files, pack } from "../pack.mjs";

const { LanguageClient } = createRequire(import.meta.url)("../client.js");
const root = fileURLToPath(new URL("../../..", import.meta.url));
const grammar = JSON.parse(readFileSync(new URL("../syntaxes/prejoin.tmLanguage.json", import.meta.url)));

// The scopes of a line, as an editor would give them: the first pattern that matches furthest left wins. Enough for a grammar whose rules do
// not span lines.
function scopes(line, patterns = grammar.patterns) {
  const found = [];
  let at = 0;
  while (at < line.length) {
    let best;
    for (const entry of patterns) {
      const rule = entry.include ? grammar.repository[entry.include.slice(1)] : entry;
      const regex = new RegExp(rule.match ?? rule.begin, "dgm");
      regex.lastIndex = at;
      const match = regex.exec(line);
      if (match && match[0].length > 0 && (!best || match.index < best.match.index)) best = { rule, match };
    }
    if (!best) return found;
    const { rule, match } = best;
    let end = match.index + match[0].length;
    if (rule.begin) {
      const close = new RegExp(rule.end, "g");
      const inside = line.indexOf('"', end) < 0 ? line.length : line.indexOf('"', end);
      found.push(...scopes(line.slice(end, inside), rule.patterns).map(([text, name]) => [text, name]));
      close.lastIndex = inside;
      end = inside + 1;
      found.push([line.slice(match.index, end), rule.name]);
    } else if (rule.captures) {
      for (const [number, { name }] of Object.entries(rule.captures)) if (match[number]) found.push([match[number], name]);
    } else {
      found.push([match[0], rule.name]);
    }
    at = end;
  }
  return found;
}

test("the grammar colours declarations, types, templates, rates and comments", () => {
  const has = (line, text, scope) =>
    assert.ok(scopes(line).some(([what, name]) => what === text && name.startsWith(scope)), `${line}: ${JSON.stringify(scopes(line))}`);
  has("entity Student {", "entity", "keyword.declaration");
  has("entity Student {", "Student", "entity.name.type");
  has("  id text(~6) key", "text", "storage.type");
  has("  id text(~6) key", "key", "storage.modifier");
  has('  PK = "STU#{studentId pad 6}"', "studentId", "variable.other.attribute");
  has('  PK = "CRS#{shard 8 of id}"', "shard", "keyword.other");
  has("  find Student where id = :student", ":student", "variable.parameter");
  has("  rate 40/s // often", "40/s", "constant.numeric.rate");
  has("  rate 40/s // often", "// often", "comment");
});

test("every line of the examples has a scope, unless it is data or a bracket", () => {
  const folder = join(root, "examples/models");
  let lines = 0;
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".prejoin"))) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
      if (/^[\s}\])]*$/.test(line)) continue;
      lines += 1;
      assert.ok(scopes(line).length > 0, `${name}: ${line}`);
    }
  }
  assert.ok(lines > 500);
});

test("it packs into an archive that unzips to what went in", () => {
  const folder = mkdtempSync(join(tmpdir(), "vsix-"));
  const path = join(folder, "prejoin.vsix");
  writeFileSync(path, pack());
  const check = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print("\\n".join(archive.namelist()))`;
  const names = execFileSync("python3", ["-c", check, path], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names, ["extension.vsixmanifest", "[Content_Types].xml", ...files.map((file) => `extension/${file}`)]);
});

test("its client drives the server through a session", { skip: !process.env.PREJOIN_BINARY }, async (context) => {
  const received = [];
  let arrived;
  const client = new LanguageClient(process.env.PREJOIN_BINARY, ["lsp"], {
    onNotification: (method, params) => {
      received.push(params);
      arrived?.();
    },
  });
  context.after(() => client.process.kill());
  const findings = async () => {
    while (received.length === 0) await new Promise((resolve) => (arrived = resolve));
    return received.pop();
  };
  const { capabilities } = await client.request("initialize", { processId: null, rootUri: null, capabilities: {} });
  assert.ok(capabilities.hoverProvider && capabilities.renameProvider && capabilities.codeActionProvider);
  client.notify("initialized", {});
  const uri = "file:///school.prejoin";
  const text = readFileSync(join(root, "examples/models/d04_students_and_courses.prejoin"), "utf8");
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "prejoin", version: 1, text } });
  assert.deepEqual((await findings()).diagnostics.filter((one) => one.severity === 1), []);

  const lines = text.split("\n");
  const at = (word, from = 0) => {
    const line = lines.findIndex((one, number) => number >= from && one.includes(word));
    return { line, character: lines[line].indexOf(word) };
  };
  const document = { textDocument: { uri } };
  const hover = await client.request("textDocument/hover", { ...document, position: at("A11") });
  assert.match(hover.contents.value, /read units/);
  assert.match(hover.contents.value, /Query School.GSI1/);
  const definition = await client.request("textDocument/definition", { ...document, position: at("studentId}") });
  assert.equal(definition.range.start.line, at("studentId  references").line);

  // Every use of a name changes, and nothing else: what comes of it has no findings either.
  const renamed = await client.request("textDocument/rename", { ...document, position: at("studentId  references"), newName: "pupil" });
  const uses = Object.values(renamed.changes)[0];
  assert.ok(uses.length > 4, JSON.stringify(uses));
  const changed = [...lines];
  for (const { range, newText } of uses.sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character)) {
    const line = changed[range.start.line];
    assert.equal(line.slice(range.start.character, range.end.character), "studentId");
    changed[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  }
  assert.ok(!changed.join("\n").includes("studentId"));
  client.notify("textDocument/didOpen", { textDocument: { uri: "file:///other.prejoin", languageId: "prejoin", version: 1, text: changed.join("\n") } });
  assert.deepEqual((await findings()).diagnostics.filter((one) => one.severity === 1), []);
  const words = await client.request("textDocument/completion", { ...document, position: { line: at("find Student").line, character: at("find Student").character + 5 } });
  assert.ok((words.items ?? words).some((one) => one.label === "Enrollment"));
  const formatted = await client.request("textDocument/formatting", { ...document, options: { tabSize: 2, insertSpaces: true } });
  assert.ok(formatted === null || formatted.length === 0 || formatted[0].newText === text, "the example is formatted already");

  // The index goes: its pattern is reported, and the help brings it back.
  const index = at("  index GSI1");
  const range = { start: { line: index.line, character: 0 }, end: { line: index.line + 1, character: 0 } };
  client.notify("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ range, text: "" }] });
  const broken = (await findings()).diagnostics.find((one) => one.code === "PJ101");
  assert.ok(broken);
  const actions = await client.request("textDocument/codeAction", { ...document, range: broken.range, context: { diagnostics: [] } });
  const mended = Object.values(actions[0].edit.changes)[0];
  client.notify("textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: mended.map(({ range, newText }) => ({ range, text: newText })) });
  assert.deepEqual((await findings()).diagnostics.filter((one) => one.severity === 1), []);

  const ended = new Promise((resolve) => client.process.on("exit", resolve));
  await client.stop();
  assert.equal(await ended, 0);
});
