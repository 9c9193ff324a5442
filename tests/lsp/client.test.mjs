// The protocol's own client library drives `prejoin lsp`: every answer has the form that editors expect.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(fileURLToPath(new URL("../integration/package.json", import.meta.url)));
const lsp = require("vscode-languageserver-protocol/node");

const command = process.env.PREJOIN_BINARY;
const school = readFileSync(fileURLToPath(new URL("../../examples/models/d04_students_and_courses.prejoin", import.meta.url)), "utf8");
const uri = "file:///school.prejoin";
let server, connection, folder, capabilities, legend;
const findings = new Map();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "lsp-"));
  writeFileSync(join(folder, "other file.prejoin"), "entity Warehouse {\n  id text key\n}\n");
  server = spawn(command, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  connection = lsp.createProtocolConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
  connection.onNotification(lsp.PublishDiagnosticsNotification.type, (one) => findings.set(one.uri, one.diagnostics));
  connection.listen();
  const answer = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  capabilities = answer.capabilities;
  legend = capabilities.semanticTokensProvider.legend;
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "prejoin", version: 1, text: school },
  });
});
after(async () => {
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  connection.dispose();
  rmSync(folder, { recursive: true });
});

const lines = school.split("\n");
const document = { uri };
const place = (text) => {
  const line = lines.findIndex((one) => one.includes(text));
  assert.ok(line >= 0, text);
  return { line, character: lines[line].indexOf(text) };
};
const ask = (type, more = {}) => connection.sendRequest(type, { textDocument: document, ...more });

test("tokens carry the meaning of names", async () => {
  const { data } = await ask(lsp.SemanticTokensRequest.type);
  assert.equal(data.length % 5, 0);
  const tokens = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < data.length; i += 5) {
    character = data[i] === 0 ? character + data[i + 1] : data[i + 1];
    line += data[i];
    const text = lines[line].slice(character, character + data[i + 2]);
    tokens.push([text, legend.tokenTypes[data[i + 3]], data[i + 4]]);
  }
  const has = (text, type, declared = 0) => assert.ok(tokens.some((one) => one[0] === text && one[1] === type && one[2] === declared), `${text} ${type}`);
  has("entity", "keyword");
  has("Student", "class", 1);
  has("Student", "class");
  has("find", "keyword");
  has("School", "struct", 1);
  assert.ok(tokens.some((one) => one[1] === "string") && tokens.some((one) => one[1] === "parameter"));
});

test("blocks fold, and the outline has whole ranges", async () => {
  const folds = await ask(lsp.FoldingRangeRequest.type);
  const entity = place("entity Student");
  assert.ok(folds.some((one) => one.startLine === entity.line && one.endLine > entity.line));
  const symbols = await ask(lsp.DocumentSymbolRequest.type);
  const student = symbols.find((one) => one.name === "Student");
  assert.equal(lines[student.range.end.line].trim(), "}");
  assert.ok(student.children.some((one) => one.kind === lsp.SymbolKind.Property));
  for (const one of symbols) {
    assert.ok(one.selectionRange.start.line === one.range.start.line && one.selectionRange.end.character <= 200);
  }
});

test("a rename begins at names only", async () => {
  const range = await ask(lsp.PrepareRenameRequest.type, { position: { ...place("entity Student"), character: 8 } });
  assert.deepEqual([range.start.character, range.end.character], [7, 14]);
  assert.equal(await ask(lsp.PrepareRenameRequest.type, { position: place("entity Student") }), null);
});

test("patterns carry their figures, and lenses run commands", async () => {
  const hints = await ask(lsp.InlayHintRequest.type, { range: { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } } });
  assert.ok(hints.length > 3);
  assert.ok(hints.some((one) => /request.* RCU.*\$.*month/.test(one.label)), JSON.stringify(hints[0]));
  assert.equal((await ask(lsp.InlayHintRequest.type, { range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } } })).length, 0);
  const lenses = await ask(lsp.CodeLensRequest.type);
  assert.ok(lenses.some((one) => one.command.command === "prejoin.prove" && one.command.arguments[0] === uri));
  assert.ok(lenses.some((one) => one.command.command === "prejoin.explain" && one.command.arguments.length === 2));
});

test("symbols are found in open documents and in files", async () => {
  const find = (query) => connection.sendRequest(lsp.WorkspaceSymbolRequest.type, { query });
  assert.ok((await find("stu")).some((one) => one.name === "Student" && one.location.uri === uri));
  const [house] = await find("wrhs");
  assert.equal(house.name, "Warehouse");
  assert.match(house.location.uri, /other%20file\.prejoin$/);
  assert.deepEqual(await find("zzz"), []);
});

test("hover explains a word of the language and a pattern", async () => {
  const word = await ask(lsp.HoverRequest.type, { position: place("entity Student") });
  assert.match(word.contents.value, /entity/);
  assert.equal(capabilities.hoverProvider, true);
});

test("a broken document is answered too", async () => {
  const broken = "file:///broken.prejoin";
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: broken, languageId: "prejoin", version: 1, text: 'entity A {\n  id text key\npattern P {\n find B where "é\n' },
  });
  const about = { textDocument: { uri: broken } };
  await connection.sendRequest(lsp.SemanticTokensRequest.type, about);
  await connection.sendRequest(lsp.FoldingRangeRequest.type, about);
  await connection.sendRequest(lsp.CodeLensRequest.type, about);
  await connection.sendRequest(lsp.DocumentSymbolRequest.type, about);
  assert.deepEqual(await connection.sendRequest(lsp.InlayHintRequest.type, { ...about, range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } }), []);
  assert.ok(findings.get(broken).length > 0);
});
