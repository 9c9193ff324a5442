// The page on large things: a table of a million items with 100,000 in one collection, 200 tables, a model of sixty entities.
// Prints frames a second, the slowest frame and memory; ends with 1 if one is past its bound. Too long for `make test`:
//   PREJOIN_BINARY=../build/release/prejoin node tests/large.mjs [ITEMS]
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { chromium } from 'playwright-core';
import { framesDuring, memory, wheel } from './browser/frames.mjs';

const binary = process.env.PREJOIN_BINARY ?? '../build/release/prejoin';
const items = Number(process.argv[2] ?? 1_000_000);
const inOne = items / 10;
const folder = mkdtempSync(`${tmpdir()}/large-`);
const bounds = { rate: 50, bytes: 300e6 };
let bad = 0;

function start() {
  const server = spawn(binary, ['serve', '--data', `${folder}/data`, '--sync', 'none', '--port', '0', '--log-level', 'off'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => server.stdout.on('data', (text) => resolve({ server, url: String(text).match(/http:\/\/[\d.:]+/)[0] })));
}

const stop = (server) => new Promise((resolve) => server.once('exit', resolve) && server.kill('SIGTERM'));

async function call(url, operation, request) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': `DynamoDB_20120810.${operation}`, 'X-Amz-Date': '20260101T000000Z',
      Authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
    },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const key = (names) => names.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' }));
const tableOf = (TableName, indexed) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['PK', 'SK', ...(indexed ? ['GSI1PK', 'GSI1SK'] : [])].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: key(['PK', 'SK']),
  ...(indexed ? { GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: key(['GSI1PK', 'GSI1SK']), Projection: { ProjectionType: 'ALL' } }] } : {}),
});

async function writeItems(path) {
  const file = createWriteStream(path);
  for (let i = 0; i < items; ++i) {
    const student = i < inOne ? 'STU#big' : `STU#${String(Math.floor(i / 5)).padStart(6, '0')}`;
    const course = `CRS#${String(i % 20_000).padStart(5, '0')}`;
    const item = { PK: { S: student }, SK: { S: `ENROLL#${course}#${String(i).padStart(7, '0')}` }, GSI1PK: { S: course }, GSI1SK: { S: `${student}#${i}` }, enrolledOn: { S: '2024-09-02T10:00:00' }, grade: { S: 'ABCD'[i % 4] }, credits: { N: String(i % 7) } };
    if (!file.write(`${JSON.stringify({ Item: item })}\n`)) await new Promise((resolve) => file.once('drain', resolve));
  }
  await new Promise((resolve) => file.end(resolve));
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

// The best of three counts: other programs can only make it slower.
async function smooth(page, name, work) {
  let best = null;
  for (let round = 0; round < 3 && !(best?.rate > bounds.rate); ++round) {
    const one = await framesDuring(page, work);
    if (!best || one.rate > best.rate) best = one;
  }
  const fits = best.rate > bounds.rate;
  bad += fits ? 0 : 1;
  console.log(`${fits ? 'ok ' : 'BAD'} ${name}: ${best.rate.toFixed(1)} frames a second, slowest ${best.worst.toFixed(0)} ms, ${best.cost.toFixed(1)} ms of processor time a frame`);
}

async function small(page, name) {
  const bytes = await memory(page);
  const fits = bytes < bounds.bytes;
  bad += fits ? 0 : 1;
  console.log(`${fits ? 'ok ' : 'BAD'} ${name}: ${megabytes(bytes)}`);
}

async function million(page, url) {
  let began = Date.now();
  await page.goto(`${url}/studio/items?table=Big`);
  await page.locator('.item-row').first().waitFor({ timeout: 60_000 });
  console.log(`    first rows after ${Date.now() - began} ms`);
  await page.locator('.pane progress').waitFor({ state: 'detached', timeout: 300_000 });
  console.log(`    loaded after ${Date.now() - began} ms: ${(await page.locator('.pane-head').first().innerText()).replace(/\s+/g, ' ')}`);
  await small(page, `a table of ${items} items`);
  await smooth(page, 'scrolling through it', () => wheel(page, 3000, 400));
  began = Date.now();
  await page.getByPlaceholder('Find by PK').fill('STU#big');
  await page.keyboard.press('Enter');
  await page.locator('.partition-cell', { hasText: 'STU#big' }).waitFor({ timeout: 120_000 });
  console.log(`    its collection of ${inOne} after ${Date.now() - began} ms: ${(await page.locator('.partition-cell', { hasText: 'STU#big' }).innerText()).replace(/\s+/g, ' ')}`);
  await smooth(page, `scrolling a collection of ${inOne}`, () => wheel(page, 3000, 400));
  await page.getByRole('button', { name: 'GSI1', exact: true }).click();
  await page.locator('.pane[data-side="GSI1"] .item-row').first().waitFor({ timeout: 120_000 });
  await page.locator('.pane progress').waitFor({ state: 'detached', timeout: 300_000 });
  await smooth(page, 'pivot there and back', async () => {
    for (const [name, side] of [['Table', 'table'], ['GSI1', 'GSI1'], ['Table', 'table'], ['GSI1', 'GSI1']]) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator(`.pane[data-side="${side}"] .item-row`).first().waitFor();
      await page.waitForTimeout(700);
    }
  });
  await small(page, 'with the index');
}

async function manyTables(page, url) {
  for (let i = 0; i < 200; ++i) await call(url, 'CreateTable', tableOf(`Table${String(i).padStart(3, '0')}`, false));
  const began = Date.now();
  await page.goto(`${url}/studio/explore`);
  await page.locator('.explore tbody tr').nth(199).waitFor({ timeout: 60_000 });
  console.log(`    200 tables listed after ${Date.now() - began} ms`);
  await smooth(page, 'scrolling 200 tables', () => wheel(page, 2000, 200));
  await small(page, '200 tables');
}

async function manyEntities(page, url) {
  const all = Array.from({ length: 60 }, (_, at) => at);
  const parent = (at) => Math.floor((at - 1) / 3);
  const source = [
    'model "Sixty"',
    ...all.map((at) => `entity E${at} {\n${at > 0 ? `  parentId references E${parent(at)}.id\n` : ''}  id text(~8) key\n  name text(~20)\n}`),
    ...all.slice(1).map((at) => `relationship R${at}: E${parent(at)} one-to-many E${at} {\n  each E${parent(at)} has ~3, at most 10\n}`),
  ].join('\n\n');
  await page.goto(`${url}/studio/learn`);
  await page.evaluate((text) => localStorage.setItem('prejoin-own:sixty', text), source);
  const began = Date.now();
  await page.goto(`${url}/studio/model?model=own:sixty`);
  await page.locator('.er-entity').nth(59).waitFor({ timeout: 60_000 });
  console.log(`    sixty entities drawn after ${Date.now() - began} ms`);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await smooth(page, 'scrolling sixty entities', () => wheel(page, 2000, 120));
  await smooth(page, 'choosing one after the other', async () => {
    for (let at = 0; at < 8; ++at) {
      await page.locator('.er-entity').nth(at * 7).dispatchEvent('click');
      await page.waitForTimeout(150);
    }
  });
  await small(page, 'sixty entities');
}

const first = await start();
await call(first.url, 'CreateTable', tableOf('Big', true));
await stop(first.server);
await writeItems(`${folder}/items.jsonl`);
console.log(execFileSync(binary, ['import', `${folder}/items.jsonl`, '--table', 'Big', '--data', `${folder}/data`], { encoding: 'utf8' }).trim());
const { server, url } = await start();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  for (const part of [million, manyTables, manyEntities]) await part(page, url);
} finally {
  await browser.close();
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
process.exit(bad > 0 ? 1 : 0);
