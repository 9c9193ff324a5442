// A hundred thousand items, five thousand of them in one collection: scrolling and pivoting keep above
// fifty frames a second, and the page stays under 300 MB.
import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { test } from 'node:test';
import { framesDuring, memory, wheel } from './frames.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();

const itemCount = 100_000;
const bigCollection = 5_000;
const framesMin = 50;
const memoryMax = 300e6;
const writers = 8;

function makeItem(i) {
  const big = i < bigCollection;
  const student = big ? 'STU#big' : `STU#${String(Math.floor(i / 5)).padStart(6, '0')}`;
  const course = `CRS#${String(i % 2_000).padStart(4, '0')}`;
  const sort = `ENROLL#${course}#${i}`;
  const item = {
    PK: { S: student },
    SK: { S: sort },
    GSI1PK: { S: i % 10 === 3 ? 'CRS#everybody' : course },
    GSI1SK: { S: `${student}#${i}` },
    enrolledOn: { S: '2024-09-02T10:00:00' },
    grade: { S: 'ABCD'[i % 4] },
    credits: { N: String(i % 7) },
  };
  if (i % 3 === 0) item.note = { M: { text: { S: 'came late, left early' }, seen: { BOOL: true } } };
  return item;
}

async function fillTable() {
  await rig.call('CreateTable', {
    TableName: 'Big',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'GSI1',
        KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }, { AttributeName: 'GSI1SK', KeyType: 'RANGE' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
  let next = 0;
  const write = async () => {
    while (next < itemCount) {
      const from = next;
      next += 25;
      const puts = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: makeItem(from + i) } }));
      const told = await rig.call('BatchWriteItem', { RequestItems: { Big: puts } });
      assert.deepEqual(told.UnprocessedItems, {});
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

// Other programs can only make it slower, so the best of three counts. On a machine that others keep
// busy, what counts instead is that a frame's own work fits into the time of a frame.
async function bestOf(t, name, work) {
  let best = { rate: 0 };
  for (let round = 0; round < 3 && best.rate < framesMin; ++round) {
    const one = await framesDuring(rig.page, work);
    if (one.rate > best.rate) best = one;
  }
  const busy = loadavg()[0] > 1.5 * availableParallelism();
  const text =
    `${name}: ${best.rate.toFixed(1)} frames a second, 95 % within ${best.p95.toFixed(1)} ms, slowest ${best.worst.toFixed(1)} ms, ` +
    `${best.cost.toFixed(1)} ms of processor time for each${busy ? '; others keep this machine busy' : ''}`;
  t.diagnostic(text);
  assert.ok(best.rate > framesMin || (busy && best.cost < 1000 / framesMin), text);
}

test('a hundred thousand items load, and the page stays small', { timeout: 240_000 }, async (t) => {
  await fillTable();
  const start = Date.now();
  await rig.open('/studio/items?table=Big');
  await rig.page.locator('.pane-head', { hasText: '100,000 items' }).waitFor({ timeout: 60_000 });
  await rig.page.locator('.pane progress').waitFor({ state: 'detached', timeout: 60_000 });
  t.diagnostic(`loaded in ${Date.now() - start} ms`);
  const used = await memory(rig.page);
  t.diagnostic(`${(used / 1e6).toFixed(0)} MB of memory`);
  assert.ok(used < memoryMax);
  await rig.picture('items-scale');
  assert.deepEqual(rig.errors, []);
});

test('scrolling through the table is smooth', { timeout: 60_000 }, async (t) => {
  await bestOf(t, 'small collections', () => wheel(rig.page, 3000, 240));
  const top = await rig.page.locator('.scroller').evaluate((grid) => grid.scrollTop);
  assert.ok(top > 5_000, `scrolled ${top} pixels`);
  assert.ok((await rig.page.locator('.item-row').count()) < 80);
  assert.deepEqual(rig.errors, []);
});

test('scrolling through a collection of five thousand is smooth, its key stays in sight', { timeout: 60_000 }, async (t) => {
  await rig.page.getByPlaceholder('Find by PK').fill('STU#big');
  await rig.page.keyboard.press('Enter');
  const head = rig.page.locator('.partition-cell', { hasText: 'STU#big' });
  await head.waitFor();
  assert.match(await head.innerText(), /5,000 items/);
  await bestOf(t, 'one collection of 5,000', () => wheel(rig.page, 3000, 240));
  assert.ok(await head.isVisible());
  const [box, frame] = [await head.boundingBox(), await rig.page.locator('.scroller').boundingBox()];
  assert.ok(Math.abs(box.y - frame.y) < 20, 'the key sticks to the top');
  assert.deepEqual(rig.errors, []);
});

test('pivoting is smooth, and the selected edge is found on the other side', { timeout: 90_000 }, async (t) => {
  const to = (name) => rig.page.getByRole('button', { name, exact: true }).click();
  // The first time the index has to be read: it comes in pages while the table stays in sight.
  const first = await framesDuring(rig.page, async () => {
    await to('GSI1');
    await rig.page.locator('.pane[data-side="GSI1"] .item-row[aria-selected="true"]').waitFor({ timeout: 60_000 });
  });
  t.diagnostic(`reading the index: ${first.rate.toFixed(1)} frames a second, slowest ${first.worst.toFixed(0)} ms`);
  await bestOf(t, 'pivot there and back', async () => {
    for (const [name, side] of [['Table', 'table'], ['GSI1', 'GSI1'], ['Table', 'table'], ['GSI1', 'GSI1']]) {
      await to(name);
      await rig.page.locator(`.pane[data-side="${side}"] .item-row[aria-selected="true"]`).waitFor();
      await rig.settled();
    }
  });
  await bestOf(t, 'scrolling the index', () => wheel(rig.page, 2000, 240));
  const used = await memory(rig.page);
  t.diagnostic(`${(used / 1e6).toFixed(0)} MB of memory with both sides`);
  assert.ok(used < memoryMax);
  await rig.picture('items-scale-index');
  assert.deepEqual(rig.errors, []);
});
