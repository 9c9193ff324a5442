// A1 to A29: each is clicked in the Items view; the rows that light up, what is grey, and the units are
// those of the engine, asked past the page with the very requests that the page shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();

const answers = Object.fromEntries(
  JSON.parse(readFileSync(new URL('../../../tests/integration/patterns.json', import.meta.url))).map(({ id, steps }) => [id, steps]),
);

function answer(name, step = 0) {
  const expected = answers[name][step];
  return expected.items ?? expected.batch ?? [expected.item];
}

// The model adds a number to the key, so that a zip code can have two shops.
const numbered = (items) => items.map((item) => `${item}#1`);

// Model → patterns, each with parameters where they are not the model's first example, the items that
// light up in order of reading, and those that are discarded.
const runs = {
  d01_user_orders: [{ name: 'A1', lit: answer('A1') }],
  d02_enrolment: [
    { name: 'A2', lit: answer('A2', 0) },
    { name: 'A2b', lit: answer('A2', 1), index: 'GSI1' },
  ],
  d03_quick_reference: [
    { name: 'A3', lit: answer('A3') },
    { name: 'A4', lit: answer('A4'), index: 'GSI1' },
    { name: 'A5a', lit: answer('A5', 0) },
    { name: 'A5b', lit: answer('A5', 2) },
    { name: 'A5c', lit: answer('A5', 3) },
    // No legal Query leaves the tasks out.
    {
      name: 'A6',
      lit: ['ORG#o1 | ORG#o1', 'ORG#o1 | PROJECT#p1', 'ORG#o1 | PROJECT#p10'],
      thrown: ['ORG#o1 | PROJECT#p1#TASK#t1', 'ORG#o1 | PROJECT#p1#TASK#t2', 'ORG#o1 | PROJECT#p10#TASK#t1'],
    },
    // The model's sample has one more repository and one user less than the dataset.
    { name: 'A7a', lit: ['USER#alexdebrie | REPO#acme#site', ...answer('A7', 0), 'USER#alexdebrie | USER#alexdebrie'] },
    { name: 'A7b', lit: answer('A7', 1).slice(0, 2), index: 'GSI1' },
    {
      name: 'A8',
      lit: [
        'USER#alexdebrie | REPO#acme#site',
        'USER#alexdebrie | REPO#aws#dynamodb',
        'REPO#acme#site | REPO#acme#site',
        'REPO#aws#dynamodb | REPO#aws#dynamodb',
      ],
      steps: 2,
    },
  ],
  d04_students_and_courses: [
    { name: 'A9', lit: answer('A9') },
    { name: 'A10', lit: answer('A10') },
    { name: 'A11', lit: answer('A11'), index: 'GSI1' },
    { name: 'A14', lit: answer('A14') },
  ],
  d05_education: [
    { name: 'A15', lit: answer('A15') },
    { name: 'A16', lit: answer('A16') },
    { name: 'A17', lit: answer('A17'), index: 'GSI1' },
  ],
  d06_customer_addresses: [{ name: 'A28', lit: answer('A28') }],
  d07_books_authors: [{ name: 'A29', lit: answer('A29') }],
  d08_saas_orgs: [
    { name: 'A18', lit: answer('A18') },
    { name: 'A19', lit: answer('A19') },
    { name: 'A20', lit: answer('A20') },
    { name: 'A21', parameters: { org: 'MICROSOFT', user: 'BILLGATES' }, lit: answer('A21') },
    { name: 'A22', parameters: { ticket: '1569468714-JM14' }, lit: answer('A22', 0) },
    { name: 'A23', lit: answer('A23'), index: 'GSI1' },
  ],
  d09_starbucks: [
    { name: 'A24', lit: numbered(answer('A24')) },
    { name: 'A24', parameters: { country: 'FRANCE' }, lit: numbered(answer('A24', 1)) },
    { name: 'A25', lit: numbered(answer('A25')) },
    { name: 'A26', lit: numbered(answer('A26')) },
    { name: 'A27', lit: numbered(answer('A27')) },
  ],
};

const tableKeys = new Map();

async function keysOf(table) {
  if (!tableKeys.has(table)) {
    const { Table } = await rig.call('DescribeTable', { TableName: table });
    tableKeys.set(table, Table.KeySchema.map((key) => key.AttributeName));
  }
  return tableKeys.get(table);
}

const nameOf = (item, keys) => keys.map((key) => Object.values(item[key])[0]).join(' | ');

async function openModel(name) {
  await rig.open(`/studio/items?model=${name}`);
  const load = rig.page.getByRole('button', { name: 'Load the sample of this design' });
  const row = rig.page.locator('.item-row').first();
  await Promise.race([load.waitFor(), row.waitFor()]);
  if (await load.isVisible()) await load.click();
  await row.waitFor();
}

const patternButton = (name) => rig.page.locator('.pattern-button').filter({ has: rig.page.locator('b', { hasText: new RegExp(`^${name}$`) }) });

async function choose({ name, parameters }) {
  const button = patternButton(name);
  if ((await button.getAttribute('aria-expanded')) === 'true') await button.click();
  await button.click();
  await rig.page.locator(`.figures[aria-label="What ${name} costs"]`).waitFor();
  for (const [parameter, value] of Object.entries(parameters ?? {})) await rig.page.locator(`#parameter-${parameter}`).fill(value);
  if (parameters) await rig.page.getByRole('button', { name: 'Run', exact: true }).click();
  for (const value of Object.values(parameters ?? {})) await rig.page.waitForURL((url) => [...url.searchParams.values()].includes(value));
  await rig.page.locator('.pattern-details[aria-busy="false"]').waitFor();
}

// The rows with a mark, in the order of reading, named by the table's keys.
async function marked(kind, keys) {
  const rows = await rig.page.locator(`.item-row[data-mark="${kind}"]`).evaluateAll((elements) =>
    elements.map((row) => ({ id: row.dataset.id, order: parseInt(row.querySelector('.mark-badge b')?.textContent, 10) })),
  );
  return rows
    .sort((a, b) => a.order - b.order)
    .map(({ id }) => {
      const [, length, rest] = /^(\d+):(.*)$/s.exec(id);
      return keys.length === 1 ? rest : `${rest.slice(0, length)} | ${rest.slice(length)}`;
    });
}

async function shownRequest() {
  const [operation, text] = await Promise.all([
    rig.page.locator('.steps p b').first().innerText(),
    rig.page.locator('.steps pre').textContent(),
  ]);
  return { operation, request: JSON.parse(text) };
}

// The items and units that the engine gives for the request.
async function ask({ operation, request }) {
  const told = await rig.call(operation, { ...request, ReturnConsumedCapacity: 'TOTAL' });
  assert.equal(told.__type, undefined, JSON.stringify(told));
  const items = told.Items ?? (told.Item ? [told.Item] : Object.values(told.Responses ?? {}).flat());
  const units = [told.ConsumedCapacity].flat().reduce((sum, one) => sum + one.CapacityUnits, 0);
  return { items, units };
}

async function checkRun(run) {
  await choose(run);
  const lit = [];
  const thrown = [];
  let units = 0;
  const steps = run.steps ?? 1;
  for (let step = 1; step <= steps; ++step) {
    if (steps > 1) await rig.page.getByText(`Step ${step} of ${steps}`, { exact: true }).waitFor();
    const shown = await shownRequest();
    const table = shown.request.TableName ?? Object.keys(shown.request.RequestItems)[0];
    const keys = await keysOf(table);
    const side = shown.request.IndexName ?? 'table';
    await rig.page.locator(`.pane[data-side="${side}"] .item-row[data-mark="lit"]`).first().waitFor();
    const [litNow, thrownNow] = [await marked('lit', keys), await marked('thrown', keys)];
    const told = await ask(shown);
    assert.deepEqual([...litNow, ...thrownNow].sort(), told.items.map((item) => nameOf(item, keys)).sort(), `${run.name}: what the engine reads`);
    lit.push(...litNow);
    thrown.push(...thrownNow);
    units += told.units;
    if (step < steps) await rig.page.getByRole('button', { name: 'Next' }).click();
  }
  assert.deepEqual(lit, run.lit, `${run.name}: what lights up`);
  assert.deepEqual(thrown, run.thrown ?? [], `${run.name}: what is grey`);
  const figure = (name) => rig.page.locator(`.figures [data-figure="${name}"] dd`).innerText();
  assert.equal(Number(await figure('Read units')), units, `${run.name}: units`);
  assert.equal(Number(await figure('Requests')), steps);
  assert.equal(Number(await figure('Items read')), lit.length + thrown.length);
  assert.equal(Number(await figure('Discarded')), thrown.length);
  assert.match(rig.page.url(), new RegExp(`pattern=${run.name}`));
  assert.match(rig.page.url(), run.index ? new RegExp(`index=${run.index}`) : /^(?!.*index=)/);
}

for (const [name, list] of Object.entries(runs)) {
  test(`${name}: ${list.map((run) => run.name).join(', ')} light up what the engine reads`, async () => {
    await openModel(name);
    for (const run of list) await checkRun(run);
    await rig.picture(`patterns-${name}`);
    assert.deepEqual(rig.errors, []);
  });
}

test('steps go forward and back by arrow keys, and a link leads to one', async () => {
  await rig.open('/studio/items?model=d03_quick_reference&pattern=A8&p.user=alexdebrie&step=2');
  await rig.page.getByText('Step 2 of 2', { exact: true }).waitFor();
  await rig.page.locator('.item-row[data-mark="lit"]').first().waitFor();
  await rig.page.getByRole('button', { name: 'Previous' }).focus();
  await rig.page.keyboard.press('ArrowLeft');
  await rig.page.getByText('Step 1 of 2', { exact: true }).waitFor();
  await rig.page.keyboard.press('ArrowRight');
  await rig.page.getByText('Step 2 of 2', { exact: true }).waitFor();
  assert.match(rig.page.url(), /step=2/);
  assert.deepEqual(rig.errors, []);
});

test('an index key of several attributes groups and sorts by all of them', async () => {
  await openModel('f02_tournament');
  await checkRun({ name: 'OfRound', lit: ['m3', 'm2'], index: 'ByRound' });
  const heads = rig.page.locator('.pane[data-side="ByRound"] .partition-cell');
  const names = await heads.evaluateAll((cells) => cells.map((cell) => [...cell.querySelectorAll('.key-text')].map((key) => key.textContent)));
  assert.deepEqual(names, [['open24', 'EU'], ['open24', 'US']]);
  const rows = await rig.page.locator('.pane[data-side="ByRound"] .item-row').evaluateAll((all) => all.map((row) => row.querySelector('.sort-keys').textContent));
  assert.deepEqual(rows, ['1 · 2', '2 · 9', '2 · 10', '10 · 1', '2 · 1']);
  assert.deepEqual(rig.errors, []);
});

test('a query of more than a megabyte has pages, and each is a step', async () => {
  await openModel('d05_education');
  const edges = Array.from({ length: 300 }, (_, i) => {
    const student = `STUDENT#X${String(i).padStart(3, '0')}`;
    return {
      PK: { S: student },
      SK: { S: 'COURSE#C9' },
      'GSI1-PK': { S: 'COURSE#C9' },
      'GSI1-SK': { S: student },
      EntityType: { S: 'ENROLLMENT' },
      EnrollmentDate: { S: '2024-04-01T08:00:00' },
      Grade: { S: 'A'.repeat(4000) },
    };
  });
  for (let i = 0; i < edges.length; i += 25) {
    await rig.call('BatchWriteItem', { RequestItems: { Education: edges.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } })) } });
  }
  await rig.open('/studio/items?model=d05_education&pattern=A17&p.course=C9');
  let units = 0;
  let read = 0;
  for (const step of [1, 2]) {
    await rig.page.getByText(`Step ${step} of 2`, { exact: true }).waitFor();
    await rig.page.locator('.steps p', { hasText: `page ${step} of 2` }).waitFor();
    await rig.page.locator('.pane[data-side="GSI1"] .item-row[data-mark="lit"] b', { hasText: /^1st$/ }).waitFor();
    const shown = await shownRequest();
    assert.equal('ExclusiveStartKey' in shown.request, step === 2);
    const told = await ask(shown);
    units += told.units;
    read += told.items.length;
    if (step === 1) {
      // The first row that the page lights is the first that the engine gives.
      const first = await rig.page.locator('.item-row[data-mark="lit"]').first().locator('.sort-cell .key-text').innerText();
      assert.equal(first, told.items[0]['GSI1-SK'].S);
      await rig.page.getByRole('button', { name: 'Next' }).click();
    }
  }
  assert.ok((await rig.page.locator('.item-row[data-mark="earlier"]').count()) > 0, 'the page before stays faintly lit');
  assert.equal(read, 300);
  assert.equal(Number(await rig.page.locator('.figures [data-figure="Read units"] dd').innerText()), units);
  assert.equal(await rig.page.locator('.figures [data-figure="Requests"] dd').innerText(), '2');
  await rig.picture('patterns-pages');
  assert.deepEqual(rig.errors, []);
});

test('A13 enrols once and is refused the second time; A12 sets the grade and drops the edge', async () => {
  await openModel('d04_students_and_courses');
  const said = rig.page.locator('.said');
  const fill = async (values) => {
    for (const [name, value] of Object.entries(values)) await rig.page.locator(`.side-panel input[name="${name}"]`).fill(value);
  };
  const key = { PK: { S: 'STU#b30' }, SK: { S: 'ENROLL#CRS#cs101' } };
  const stored = async () => (await rig.call('GetItem', { TableName: 'School', Key: key })).Item;
  await patternButton('A13').click();
  await fill({ studentId: 'b30', courseId: 'cs101', enrolledOn: '2024-09-10' });
  await rig.page.getByRole('button', { name: 'Run A13' }).click();
  await said.filter({ hasText: 'A13 is done.' }).waitFor();
  assert.match(await said.innerText(), /GSI1: it appears in CRS#cs101 as STU#b30\./);
  assert.equal((await stored()).GSI1PK.S, 'CRS#cs101');
  await rig.page.getByRole('button', { name: 'Run A13' }).click();
  await said.filter({ hasText: 'Refused: Enrollment STU#b30 / ENROLL#CRS#cs101 exists already.' }).waitFor();
  assert.deepEqual(rig.errors.splice(0).filter((text) => !text.includes('400')), []);

  await patternButton('A12').click();
  assert.equal(await rig.page.locator('.side-panel input[name="courseId"]').inputValue(), 'cs101');
  await fill({ grade: 'A' });
  await rig.page.getByRole('button', { name: 'Run A12' }).click();
  await said.filter({ hasText: 'A12 is done.' }).waitFor();
  assert.match(await said.innerText(), /GSI1: it changes in CRS#cs101 as STU#b30\./);
  assert.equal((await stored()).grade.S, 'A');
  await patternButton('Drop').click();
  await rig.page.getByRole('button', { name: 'Run Drop' }).click();
  await said.filter({ hasText: 'Drop is done.' }).waitFor();
  assert.match(await said.innerText(), /GSI1: it vanishes from CRS#cs101 \/ STU#b30\./);
  assert.equal(await stored(), undefined);
  await rig.picture('patterns-a12');
  assert.deepEqual(rig.errors, []);
});
