// The official SDK's client drives `prejoin mcp`: every tool is listed and called, resources are read, and nothing can be written by default.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

// The SDK is installed beside the other real clients.
const require = createRequire(fileURLToPath(new URL("../integration/package.json", import.meta.url)));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");

const command = process.env.PREJOIN_BINARY;
let client;

before(async () => {
  client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: ["mcp", "--endpoint", "http://127.0.0.1:1"] }));
});
after(() => client.close());

const draft = `model "Blog"

entity Author {
  id   text(~6) key
  name text(~18)
}

entity Post {
  authorId references Author.id key
  id       text(~8) key
  title    text(~30)
}

relationship Posts: Author one-to-many Post {
  each Author has ~20, unbounded
}

pattern PostsOf "An author and the posts" {
  find Author where id = :author
  find Post where authorId = :author
  rate 5/s
}
`;
const tables = `
table Blog partition PK sort SK {
  item Author {
    PK = "AUTHOR#{id}"
    SK = "#AUTHOR"
  }
  item Post {
    PK = "AUTHOR#{authorId}"
    SK = "POST#{id}"
  }
}

sample Author (id, name) {
  "a1", "Ada"
}

sample Post (authorId, id, title) {
  "a1", "p1", "First"
  "a1", "p2", "Second"
}
`;

const call = async (name, args) => client.callTool({ name, arguments: args });

// A long answer was cut in the middle of a character, and was not JSON any more.
test("a long answer is cut between characters", async () => {
  const source = `model "${"é".repeat(60_000)}"\n${draft.slice(draft.indexOf("entity"))}`;
  const answer = await client.callTool({ name: "format", arguments: { source } });
  assert.equal(answer.isError, undefined);
  assert.equal(answer.structuredContent.cut, true);
  assert.match(answer.structuredContent.source, /^model "é+$/);
});

test("every tool is listed with a schema, and every one can be called", async () => {
  const { tools } = await client.listTools();
  const source = draft + tables;
  const calls = {
    check: { source },
    format: { source },
    explain: { source, pattern: "PostsOf" },
    cost: { source, scale: 10 },
    prove: { source },
    design: { source: draft, prefer: "fewest-indexes", keys: "generic", seconds: 10 },
    diff: { before: source, after: source.replaceAll('"POST#{id}"', '"P#{id}"') },
    advise: { source },
    chart: { source, format: "text" },
    import_model: { text: "CREATE TABLE a (id int PRIMARY KEY);" },
    generate: { source, to: "typescript" },
    rule: { rule: "PJ101" },
    audit: { source },
    query: { statement: "SELECT * FROM x" },
    infer: { items: '{"PK": "A#1", "SK": "A", "name": "x"}\n{"PK": "A#2", "SK": "A", "name": "y"}\n' },
    simulate: { source, minutes: 1 },
    migrate_plan: { before: source, after: source.replaceAll('"POST#{id}"', '"P#{id}"') },
  };
  assert.deepEqual(tools.map((tool) => tool.name).sort(), Object.keys(calls).sort());
  for (const [name, args] of Object.entries(calls)) {
    const result = await call(name, args);
    // Nobody listens at the endpoint of these.
    const asks = name === "query" || name === "audit";
    assert.equal(result.isError ?? false, asks, `${name}: ${result.content[0].text}`);
    if (!asks) assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  }
});

test("from an empty file to a proved design", async () => {
  assert.equal((await call("check", { source: "" })).structuredContent.ok, false);
  const first = (await call("check", { source: draft })).structuredContent;
  assert.equal(first.ok, false);
  const finding = first.findings.find((one) => one.rule === "PJ101");
  assert.ok(finding.suggestion, JSON.stringify(first));
  const found = (await call("design", { source: draft })).structuredContent;
  assert.equal(found.proved, true, JSON.stringify(found));
  assert.ok(found.optimal && found.why.length > 0 && found.designs.length > 0, JSON.stringify(found));
  const second = (await call("check", { source: found.source })).structuredContent;
  assert.equal(second.ok, true, JSON.stringify(second));
  const proof = (await call("prove", { source: found.source, rows: 200 })).structuredContent;
  assert.equal(proof.allRight, true, JSON.stringify(proof));
  const cost = (await call("cost", { source: found.source })).structuredContent;
  assert.ok(Math.abs(cost.moneyPerMonth - found.moneyPerMonth) < 0.01, JSON.stringify([cost, found]));
  const difference = (await call("diff", { before: draft + tables, after: found.source })).structuredContent;
  assert.equal(difference.rows[0].name, "PostsOf", JSON.stringify(difference));
});

test("a pattern without a rate is assumed to be asked, and the answer says so", async () => {
  const found = (await call("design", { source: draft.replace("  rate 5/s\n", "") })).structuredContent;
  assert.equal(found.proved, true);
  assert.match(found.assumed.join(), /PostsOf/);
});

test("a long search says how far it is, and ends when it is taken back", async () => {
  const source = readFileSync(fileURLToPath(new URL("../design/auction.prejoin", import.meta.url)), "utf8");
  const seen = [];
  const cancel = new AbortController();
  const asked = client.callTool({ name: "design", arguments: { source } }, undefined, {
    signal: cancel.signal,
    onprogress: (progress) => {
      seen.push(progress);
      cancel.abort("enough");
    },
  });
  await assert.rejects(asked, /enough/);
  assert.match(seen[0].message, /pricing|searching|proving/);
  assert.equal((await call("check", { source: draft + tables })).structuredContent.ok, true);

  // A request that is cancelled before its tool looks up gets no answer; what came behind it does.
  for (const params of [
    { name: "design", arguments: { source } },
    { name: "prove", arguments: { source: draft + tables, rows: 20_000 } },
    { name: "simulate", arguments: { source: draft + tables, minutes: 100, rate: 60 } },
  ]) {
    const server = spawn(command, ["mcp"], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = [
      { id: 7, method: "tools/call", params },
      { method: "notifications/cancelled", params: { requestId: 8 } },
      { id: "a", method: "ping" },
      { method: "notifications/cancelled", params: { requestId: 7 } },
      { id: 8, method: "ping" },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.end(lines.join("\n") + "\n");
    let answers = "";
    for await (const chunk of server.stdout) answers += chunk;
    // Requests run side by side, so their answers come in any order.
    assert.deepEqual(answers.trim().split("\n").map((line) => JSON.parse(line).id).sort(), [8, "a"], params.name);
  }
});

test("generated files are listed, and one is given by its name", async () => {
  const source = draft + tables;
  const { files } = (await call("generate", { source, to: "python" })).structuredContent;
  assert.ok(files.length > 1 && files.every((file) => file.text === undefined), JSON.stringify(files));
  const again = (await call("generate", { source, to: "python", file: files[0].path })).structuredContent;
  assert.equal(Buffer.byteLength(again.files[0].text), files[0].bytes);
  assert.match((await call("generate", { source, to: "cobol" })).content[0].text, /typescript/);
});

test("errors say how to mend them", async () => {
  const broken = await call("prove", { source: "entiti A {" });
  assert.equal(broken.isError, true);
  assert.match(broken.content[0].text, /did you mean `entity`/);
  const unknown = await call("explain", { source: draft + tables, pattern: "PostOf" });
  assert.match(unknown.content[0].text, /did you mean `PostsOf`/);
  await assert.rejects(call("nothing", {}), /there is no tool/);
});

test("missing and misspelt arguments are named", async () => {
  const text = async (name, args) => {
    const answer = await call(name, args);
    assert.equal(answer.isError, true, JSON.stringify(answer));
    return answer.content[0].text;
  };
  assert.match(await text("prove", {}), /`prove` needs `source` or `path`/);
  // An assistant pays for every word of an error that quotes a line of megabytes.
  const long = await text("check", { path: "x".repeat(1_000_000) });
  assert.ok(long.length > 20 && long.length < 20_000, `${long.length} letters`);
  assert.match(await text("generate", {}), /needs `source` or `path`, `to`/);
  assert.match(await text("diff", { before: draft }), /needs `after` or `after_path`/);
  assert.match(await text("cost", { sorce: draft }), /no argument `sorce`; did you mean `source`/);
});

test("files are read by their paths", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "blog.prejoin");
  writeFileSync(path, draft + tables);
  assert.equal((await call("prove", { path })).structuredContent.allRight, true);
  writeFileSync(join(folder, "a.sql"), "create table users (id int primary key, name text);");
  writeFileSync(join(folder, "log.csv"), "query,calls,seconds\nSELECT * FROM users WHERE id = $1,7200,3600\n");
  const imported = await call("import_model", { path: join(folder, "a.sql"), queries_path: join(folder, "log.csv") });
  assert.match(imported.structuredContent.source, /rate 2\/s/);
  for (const [wrong, why] of [[folder, /is no file/], [join(folder, "nothing"), /does not exist/]]) {
    const refused = await call("check", { path: wrong });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, why);
  }
});

test("requests run side by side", async () => {
  const source = readFileSync(fileURLToPath(new URL("../design/auction.prejoin", import.meta.url)), "utf8");
  const order = [];
  const slow = call("design", { source, seconds: 8 }).then(() => order.push("design"));
  await call("check", { source: draft + tables }).then(() => order.push("check"));
  await slow;
  assert.deepEqual(order, ["check", "design"]);
});

test("prompts begin an interview", async () => {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((one) => one.name), ["interview", "move_from_sql", "review"]);
  const { messages } = await client.getPrompt({ name: "interview", arguments: { application: "a cinema" } });
  assert.match(messages[0].content.text, /every access pattern[\s\S]*a cinema/);
  await assert.rejects(client.getPrompt({ name: "nothing" }), /there is no prompt/);
});

test("nothing that could change data is passed on by default", async () => {
  for (const args of [
    { statement: "DELETE FROM x WHERE id = '1'" },
    { statement: "  insert into x value {}" },
    { operation: "PutItem", request: { TableName: "x" } },
    { operation: "DeleteTable", request: { TableName: "x" } },
    { operation: "BatchExecuteStatement", request: {} },
  ]) {
    const result = await call("query", args);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /could change data/, JSON.stringify(args));
  }
});

// The first line of the server says where it listens.
const serve = async (context, ...args) => {
  const server = spawn(command, ["serve", "--memory", "--port", "0", "--log-level", "off", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => server.kill());
  let text = "";
  for await (const chunk of server.stdout) {
    text += chunk;
    const url = /http:\/\/[^\s/]+/.exec(text);
    if (url) return url[0];
  }
  throw new Error(`the server ended: ${text}`);
};

test("the server's own port has the tools when it is told so, and only for reading", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "blog.prejoin");
  writeFileSync(file, draft + tables);
  const url = await serve(context, "--mcp", "--model", file);
  const overHttp = new Client({ name: "test", version: "1" });
  await overHttp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  context.after(() => overHttp.close());
  const { tools } = await overHttp.listTools();
  assert.ok(tools.some((tool) => tool.name === "query"));
  const proof = await overHttp.callTool({ name: "prove", arguments: { source: draft + tables } });
  assert.equal(proof.structuredContent.allRight, true);
  const designed = await overHttp.callTool({ name: "design", arguments: { source: draft } });
  assert.equal(designed.structuredContent.proved, true);
  const listed = await overHttp.callTool({ name: "query", arguments: { operation: "ListTables" } });
  assert.deepEqual(listed.structuredContent, { TableNames: ["Blog"] });
  const inferred = await overHttp.callTool({ name: "infer", arguments: { table: "Blog" } });
  assert.match(inferred.structuredContent.source, /entity Post/);
  const noFile = await overHttp.callTool({ name: "check", arguments: { path: "/etc/hostname" } });
  assert.match(noFile.content[0].text, /reads no files/);
  const audited = await overHttp.callTool({ name: "audit", arguments: { source: draft + tables } });
  assert.equal(audited.structuredContent.items, 3, JSON.stringify(audited));
  assert.equal(audited.structuredContent.clean, true, JSON.stringify(audited));
  const other = (draft + tables).replace('"POST#{id}"', '"POST#{title}#{id}"');
  const stale = await overHttp.callTool({ name: "audit", arguments: { source: other } });
  assert.equal(stale.structuredContent.clean, false);
  assert.deepEqual(stale.structuredContent.counts, { "unknown-item": 2 });
  const written = await overHttp.callTool({ name: "query", arguments: { operation: "CreateTable", request: {} } });
  assert.match(written.content[0].text, /could change data/);
  const page = await fetch(`${url}/mcp`, { method: "POST", body: "{}", headers: { "content-type": "application/json", origin: "https://other.example" } });
  assert.equal(page.status, 403);

  const plain = await serve(context);
  const refused = await fetch(`${plain}/mcp`, { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers: { "content-type": "application/json" } });
  assert.notEqual(refused.status, 200);
});

test("resources: the grammar, the rules, the examples", async () => {
  const { resources } = await client.listResources();
  assert.ok(resources.length > 20);
  for (const { uri } of resources.slice(0, 6)) {
    const { contents } = await client.readResource({ uri });
    assert.ok(contents[0].text.length > 100, uri);
  }
  const grammar = await client.readResource({ uri: "prejoin://grammar" });
  assert.match(grammar.contents[0].text, /# The model file/);
  await assert.rejects(client.readResource({ uri: "prejoin://nothing" }), /there is no resource/);
});

test("hostile input is answered, and the session goes on", async () => {
  const texts = [
    `create table t (id int(11) primary key COMMENT '${"x".repeat(19_000)}') ENGINE=InnoDB`,
    `select ${"(".repeat(20_000)}1${")".repeat(20_000)}`,
    "[".repeat(100_000),
    `{"TableName":"T","ItemCount":"abc","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`,
  ];
  for (const text of texts) {
    const answer = await client.callTool({ name: "import_model", arguments: { text } });
    assert.ok(answer.content[0].text.length > 0);
  }
  const scanned = `${draft}${tables}\npattern All {\n  find Author\n  scan allowed because "few"\n}\n`;
  for (const to of ["python", "typescript", "go", "java", "cpp", "iam"]) {
    const answer = await client.callTool({ name: "generate", arguments: { source: scanned, to } });
    assert.ok(!answer.isError, answer.content[0].text);
  }
  const huge = await client.callTool({ name: "check", arguments: { source: "entity A {\n  id text(~999999999999) key\n}\n" } });
  assert.match(huge.content[0].text, /too large/);
});
