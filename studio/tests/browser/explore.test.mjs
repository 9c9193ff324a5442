// The explorer: reading, paging, editing without losing anybody's work, files, tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d05_education.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });

const field = (name) => rig.page.getByLabel(name, { exact: true }).or(rig.page.getByRole('combobox', { name, exact: true })).first();
const button = (name) => rig.page.getByRole('button', { name, exact: true });
const grid = () => rig.page.getByRole('grid', { name: 'Items' });
const column = async (name) => {
  const headings = await grid().locator('thead button').allTextContents();
  const at = headings.findIndex((text) => text.replace(/[▲▼]/g, '').trim() === name);
  return grid().locator(`tbody tr td:nth-of-type(${at + 1})`).allTextContents();
};
const cell = async (row, name) => {
  const headings = await grid().locator('thead button').allTextContents();
  return grid().locator(`tbody tr:nth-child(${row}) td:nth-of-type(${headings.findIndex((text) => text.replace(/[▲▼]/g, '').trim() === name) + 1})`);
};
const key = (pk, sk) => ({ PK: { S: pk }, SK: { S: sk } });
const stored = async (pk, sk) => (await rig.call('GetItem', { TableName: 'Education', Key: key(pk, sk) })).Item;
const facts = (text) => rig.page.locator('.facts', { hasText: text }).waitFor();

test('all tables, with what one wants to know of them', async () => {
  rig.page.setDefaultTimeout(10_000);
  await rig.open('/studio/explore');
  const row = rig.page.getByRole('row', { name: /Education/ });
  await row.waitFor();
  const text = await row.innerText();
  for (const part of ['active', '7', 'PK, SK', 'GSI1 (GSI1-PK, GSI1-SK)']) assert.ok(text.includes(part), text);
  await rig.picture('explore-tables');
});

test('a Scan says that it is one, shows its request and cost, and sorts', async () => {
  await rig.page.getByRole('link', { name: 'Education' }).click();
  await facts('7 items');
  assert.equal(await rig.page.getByText('This is a Scan.').count(), 0, 'nobody is told off for opening a table');
  assert.ok((await grid().boundingBox()).y <= 152, 'the data begins high up');
  await button('Run Scan').click();
  await rig.page.getByText('This is a Scan.').waitFor();
  await grid().locator('thead button', { hasText: 'Grade' }).click();
  assert.deepEqual((await column('Grade')).slice(0, 3), ['A', 'A-', 'B+']);
  await grid().locator('thead button', { hasText: 'Grade' }).click();
  assert.deepEqual((await column('Grade')).slice(0, 3), ['B+', 'A-', 'A']);
  await rig.page.getByText('The request that was sent').click();
  await rig.page.getByRole('region', { name: 'Scan request' }).waitFor();
  assert.match(await rig.page.getByRole('region', { name: 'Scan request' }).innerText(), /"TableName": "Education"/);
  await rig.picture('explore-scan');
});

test('what is asked here goes on in Build, sent or not', async () => {
  await rig.page.getByRole('link', { name: 'Filter, projection, code: open in Build' }).click();
  await rig.page.waitForFunction(() => location.pathname.endsWith('/build') && new URLSearchParams(location.search).has('q'));
  await rig.page.waitForFunction(() => [...document.querySelectorAll('main pre')].some(({ textContent }) => /Scan/.test(textContent) && /Education/.test(textContent)));
  await rig.page.goBack();
  await button('Run Scan').waitFor();
});

test('a Query of an index', async () => {
  await rig.page.getByLabel('Query', { exact: true }).check();
  await field('From').selectOption('GSI1');
  await field('Value of GSI1-PK').fill('COURSE#C1');
  await button('Run Query').click();
  await facts('2 items');
  assert.deepEqual(await column('GSI1-SK'), ['STUDENT#S1', 'STUDENT#S2']);
  assert.equal(await rig.page.getByText('This is a Scan.').count(), 0);
  await field('last first').check();
  await button('Run Query').click();
  await rig.page.waitForFunction(() => document.querySelector('.grid tbody td:nth-of-type(2)')?.textContent === 'STUDENT#S2');
  await rig.addressFollows();
  const address = rig.page.url();
  await rig.page.goto('about:blank');
  await rig.page.goto(address);
  await facts('2 items');
  assert.deepEqual(await column('GSI1-SK'), ['STUDENT#S2', 'STUDENT#S1']);
});

test('one item by its key', async () => {
  await rig.page.getByLabel('GetItem', { exact: true }).check();
  await field('Value of PK').fill('COURSE#C1');
  await field('Value of SK').fill('METADATA');
  await button('Run GetItem').click();
  await rig.page.locator('.grid td', { hasText: 'Advanced Mathematics' }).waitFor();
});

test('PartiQL, with the same warning for a statement that scans', async () => {
  await rig.page.getByLabel('Query', { exact: true }).check();
  await rig.page.getByLabel('Value of PK').fill('STUDENT#S1');
  await rig.page.getByLabel('PartiQL', { exact: true }).check();
  await rig.page.waitForFunction(() => /WHERE "PK" = 'STUDENT#S1'/.test(document.querySelector('[aria-label="PartiQL statement"]')?.value ?? ''));
  assert.equal(await grid().count(), 0, 'nothing is read before somebody asks for it');
  await field('PartiQL statement').fill('SELECT * FROM "Education"');
  await button('Run statement').click();
  await facts('7 items');
  await rig.page.getByText('because WHERE does not fix PK').waitFor();
  await field('PartiQL statement').fill(`SELECT * FROM "Education" WHERE "PK" = 'STUDENT#S1' AND begins_with("SK", 'COURSE#')`);
  await rig.page.keyboard.press('Control+Enter');
  await facts('2 items');
  assert.equal(await rig.page.getByText('This is a Scan.').count(), 0);
  await field('PartiQL statement').fill(`SELECT * FROM "Education" WHERE "GSI1-PK" = 'COURSE#C1'`);
  await button('Run statement').click();
  await rig.page.locator('.warning', { hasText: 'write FROM "Education"."GSI1"' }).waitFor();
  await field('PartiQL statement').fill('SELECT nonsense');
  await button('Run statement').click();
  await rig.page.getByText('ValidationException').waitFor();
  assert.equal(await grid().count(), 0, 'no rows of the statement before');
  assert.equal(await rig.page.getByText('This is a Scan.').count(), 0);
  await rig.picture('explore-partiql');
});

test('pages follow each other in one grid', async () => {
  await rig.page.getByLabel('Scan', { exact: true }).check();
  for (let number = 0; number < 25; number += 1) {
    await rig.call('PutItem', { TableName: 'Education', Item: { ...key('PAGE#1', String(number).padStart(3, '0')), Position: { N: String(number) } } });
  }
  await rig.page.getByLabel('Query', { exact: true }).check();
  await field('Page of').selectOption('10');
  await field('Value of PK').fill('PAGE#1');
  await button('Run Query').click();
  await facts('10 items');
  assert.equal((await column('SK')).at(-1), '009');
  await button('Load more').click();
  await facts('20 items');
  await button('Load more').click();
  await facts('25 items');
  assert.deepEqual(await column('SK'), Array.from({ length: 25 }, (_, at) => String(at).padStart(3, '0')));
  await rig.page.getByText('All of it is here.').waitFor();
});

test('cells are copied, pasted, filled and cleared like those of a spreadsheet, and taken back together', async () => {
  await rig.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: rig.url });
  await field('Value of PK').fill('PAGE#1');
  await button('Run Query').click();
  await facts('10 items');
  const press = (keys) => rig.page.keyboard.press(keys);
  const clipboard = (text) => rig.page.evaluate((written) => (written === undefined ? navigator.clipboard.readText() : navigator.clipboard.writeText(written)), text);
  const positions = async () => (await column('Position')).slice(0, 4);
  await (await cell(1, 'SK')).click();
  await (await cell(2, 'Position')).click({ modifiers: ['Shift'] });
  assert.equal(await grid().locator('[aria-selected="true"]').count(), 4);
  await press('Control+c');
  await rig.page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('\t'));
  assert.equal(await clipboard(), '000\t0\n001\t1');

  await clipboard('70\r\n71\r\n72\r\n');
  await (await cell(1, 'Position')).click();
  await press('Control+v');
  await rig.page.getByText('Saved 3 items.').waitFor();
  assert.deepEqual(await positions(), ['70', '71', '72', '3']);
  assert.equal((await stored('PAGE#1', '002')).Position.N, '72', 'a number stays a number');
  await (await cell(2, 'Position')).focus();
  await press('Control+z');
  await rig.page.getByText('Undone: 3 writes.').waitFor();
  assert.deepEqual(await positions(), ['0', '1', '2', '3']);
  await (await cell(2, 'Position')).focus();
  await press('Control+Shift+z');
  await rig.page.getByText('Redone: 3 writes.').waitFor();
  assert.deepEqual(await positions(), ['70', '71', '72', '3']);
  assert.equal(await button('Redo 3 edits').count(), 0);
  await button('Undo 3 edits').click();
  await rig.page.getByText('Undone: 3 writes.').waitFor();
  await button('Redo 3 edits').waitFor();

  // One value into all that is selected, by the keyboard alone.
  await (await cell(1, 'Position')).focus();
  await press('Shift+ArrowDown');
  await press('Shift+ArrowDown');
  await press('F2');
  await rig.page.getByLabel('Position of row 3').fill('9');
  await press('Control+Enter');
  await rig.page.getByText('Saved 3 items.').waitFor();
  assert.deepEqual(await positions(), ['9', '9', '9', '3']);
  await press('Control+z'); // The focus stays in the grid.
  await rig.page.getByText('Undone: 3 writes.').waitFor();

  // What cannot be is refused as a whole.
  await clipboard('word');
  await (await cell(1, 'Position')).click();
  await (await cell(2, 'Position')).click({ modifiers: ['Shift'] });
  await press('Control+v');
  await rig.page.getByText(/^Nothing was written: This attribute is a number/).waitFor();
  await clipboard('PAGE#2\t001');
  await (await cell(1, 'PK')).focus();
  await press('Control+v');
  await rig.page.getByText('Nothing was written: PK is part of the key and cannot change.').waitFor();
  assert.deepEqual(await positions(), ['0', '1', '2', '3']);

  // Rows behind the last one are new items; several are deleted together.
  await clipboard('PAGE#1\t009\t9\nPAGE#1\t0091\t91\nPAGE#1\t0092\t92');
  await (await cell(10, 'PK')).click();
  await press('Control+v');
  await rig.page.getByText('Added 2 items.').waitFor();
  assert.equal((await stored('PAGE#1', '0092')).Position.N, '92');
  await (await cell(11, 'SK')).click();
  await press('Shift+ArrowDown');
  await button('Delete 2 items').dblclick();
  await rig.page.getByText('Deleted 2 items.').waitFor();
  assert.equal(await stored('PAGE#1', '0092'), undefined);
  assert.equal(await button('Delete 2 items').count(), 0, 'other rows are not selected in their place');
  assert.equal(await grid().locator('[aria-selected="true"]').count(), 0);
  await button('Undo 2 deletions').click();
  await rig.page.getByText('Undone: 2 writes.').waitFor();
  await (await cell(11, 'SK')).click();
  await press('Shift+ArrowDown');
  await button('Delete 2 items').click();
  await rig.page.getByText('Deleted 2 items.').waitFor();
  await press('Control+z'); // The focus goes back to the grid with the button.
  await rig.page.getByText('Undone: 2 writes.').waitFor();
  assert.equal((await stored('PAGE#1', '0092')).Position.N, '92');
  for (const sk of ['0091', '0092']) await rig.call('DeleteItem', { TableName: 'Education', Key: key('PAGE#1', sk) });
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
});

test('a cell is edited in place, with the keyboard alone', async () => {
  await field('Value of PK').fill('STUDENT#S1');
  await button('Run Query').click();
  await facts('3 items');
  await (await cell(1, 'PK')).focus();
  const headings = (await grid().locator('thead button').allTextContents()).map((text) => text.trim());
  for (let step = 0; step < headings.indexOf('Grade'); step += 1) await rig.page.keyboard.press('ArrowRight');
  await rig.page.keyboard.press('Enter');
  await field('Grade of row 1').fill('A+');
  await rig.page.keyboard.press('Enter');
  await rig.page.waitForFunction(() => [...document.querySelectorAll('.grid td')].some((td) => td.textContent === 'A+'));
  assert.equal((await stored('STUDENT#S1', 'COURSE#C1')).Grade.S, 'A+');
  await rig.page.getByText('Saved Grade for 2 write units.').waitFor(); // The table and the index.
  await rig.page.keyboard.press('Enter');
  await field('Grade of row 1').fill('zzz');
  await rig.page.keyboard.press('Escape');
  assert.equal((await stored('STUDENT#S1', 'COURSE#C1')).Grade.S, 'A+');
});

test('a lost update is caught, shown, and settled', async () => {
  const elsewhere = (grade) => rig.call('UpdateItem', {
    TableName: 'Education', Key: key('STUDENT#S1', 'COURSE#C1'), UpdateExpression: 'SET Grade = :g', ExpressionAttributeValues: { ':g': { S: grade } },
  });
  const edit = async (to) => {
    await (await cell(1, 'Grade')).dblclick();
    await field('Grade of row 1').fill(to);
    await rig.page.keyboard.press('Enter');
  };
  await elsewhere('C');
  await edit('B');
  const panel = rig.page.getByRole('alert', { name: 'Conflict' });
  await panel.waitFor();
  assert.match((await panel.getByRole('row', { name: /Grade/ }).innerText()).replace(/\s+/g, ' '), /Grade A\+ C B/);
  assert.equal((await stored('STUDENT#S1', 'COURSE#C1')).Grade.S, 'C');
  await rig.picture('explore-conflict');
  await button('Load the stored item').click();
  await rig.page.waitForFunction(() => [...document.querySelectorAll('.grid td')].some((td) => td.textContent === 'C'));
  await elsewhere('D');
  await edit('B');
  await button('Write mine over it').click();
  await rig.page.waitForFunction(() => ![...document.querySelectorAll('[aria-label="Conflict"]')].length);
  await rig.page.getByText(/^Saved Grade/).waitFor();
  assert.equal((await stored('STUDENT#S1', 'COURSE#C1')).Grade.S, 'B');
});

test('the item editor marks a mistake at its place and saves both forms', async () => {
  await rig.open('/studio/explore/Education?mode=GetItem');
  await field('Value of PK').fill('STUDENT#S2');
  await field('Value of SK').fill('METADATA');
  await button('Run GetItem').click();
  await rig.page.locator('.grid td', { hasText: 'Jane Smith' }).waitFor();
  await (await cell(1, 'PK')).focus();
  await rig.page.keyboard.press('Enter');
  const text = field('Edit item: text');
  await text.waitFor();
  await rig.page.waitForFunction(() => {
    const box = document.querySelector('section[aria-label="Edit item"]').getBoundingClientRect();
    return box.top >= 0 && box.top < innerHeight - 100;
  });
  const plain = await text.inputValue();
  await text.fill(plain.replace('"YearLevel": 2', '"YearLevel": two'));
  await rig.page.getByRole('button', { name: /^Line \d+, column 16: Expected a value/ }).waitFor();
  assert.ok(await button('Save item').isDisabled());
  const colours = rig.page.locator('.item-editor-text pre');
  assert.equal(await colours.innerText(), `${await text.inputValue()}\n`, 'the letters that are drawn are those that are typed');
  assert.ok((await colours.locator('.code-word').count()) > 3 && (await colours.locator('.code-text').count()) > 3, 'names and values in colours');
  assert.equal(await colours.locator('mark').innerText(), 't');
  await rig.picture('explore-editor');
  const said = rig.page.getByRole('list', { name: 'What the design says' });
  await text.fill(plain.replace('"YearLevel": 2', '"YearLevel": "two"'));
  await said.getByText('YearLevel is stored as S; the design says number.').waitFor();
  await text.fill(plain);
  await said.waitFor({ state: 'detached' });
  await text.fill(plain.replace('"YearLevel": 2', '"YearLevel": 12345678901234567890123456789012345678'));
  await rig.page.getByLabel('DynamoDB JSON', { exact: true }).check();
  await text.fill((await text.inputValue()).replace('"Jane Smith"', '"Jane \\"J\\" Smith"'));
  await button('Save item').click();
  await rig.page.locator('.grid td', { hasText: 'Jane "J" Smith' }).waitFor();
  const item = await stored('STUDENT#S2', 'METADATA');
  assert.equal(item.YearLevel.N, '12345678901234567890123456789012345678');
});

test('add, duplicate and delete an item', async () => {
  await button('Add item').first().click();
  const fresh = field('New item: text');
  await fresh.fill('{"PK": "STUDENT#S2", "SK": "METADATA"}');
  await rig.page.getByRole('region', { name: 'New item' }).getByRole('button', { name: 'Add item' }).first().click();
  await rig.page.getByText('There is an item with this key already. Nothing was written.').first().waitFor();
  await fresh.fill('{"PK": "STUDENT#S9", "SK": "METADATA", "Name": "Nine"}');
  await rig.page.getByRole('region', { name: 'New item' }).getByRole('button', { name: 'Add item' }).first().click();
  await rig.page.locator('.grid td', { hasText: 'Nine' }).waitFor();
  await (await cell(2, 'PK')).focus();
  await button('Duplicate item').click();
  await field('Copy of the item: text').fill('{"PK": "STUDENT#S10", "SK": "METADATA", "Name": "Ten"}');
  await rig.page.getByRole('region', { name: 'Copy of the item' }).getByRole('button', { name: 'Add item' }).first().click();
  await rig.page.locator('.grid td', { hasText: 'Ten' }).waitFor();
  assert.equal((await stored('STUDENT#S10', 'METADATA')).Name.S, 'Ten');
  await (await cell(2, 'PK')).focus();
  await button('Open item').click();
  await button('Delete item').click();
  await rig.page.waitForFunction(() => ![...document.querySelectorAll('.grid td')].some((td) => td.textContent === 'Nine'));
  assert.equal(await stored('STUDENT#S9', 'METADATA'), undefined);
  await facts('2 items');
  await button('Undo the deletion').click();
  await rig.page.locator('.grid td', { hasText: 'Nine' }).waitFor();
  await button('Redo the deletion').click();
  await facts('2 items');
  assert.equal(await stored('STUDENT#S9', 'METADATA'), undefined);
  await button('Undo the deletion').click();
  await rig.page.locator('.grid td', { hasText: 'Nine' }).waitFor();
  assert.equal((await stored('STUDENT#S9', 'METADATA')).Name.S, 'Nine');
  await facts('3 items');
});

test('what is exported can be imported', async () => {
  await rig.open('/studio/explore/Education?mode=Query');
  await field('Value of PK').fill('PAGE#1');
  await button('Run Query').click();
  await rig.page.locator('.grid td', { hasText: /^024$/ }).waitFor();
  const before = (await rig.call('Query', { TableName: 'Education', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'PAGE#1' } } })).Items;
  for (const kind of ['lines', 'json', 'csv']) {
    await field('Export as').selectOption(kind);
    await rig.page.getByLabel('all pages').check();
    const [download] = await Promise.all([rig.page.waitForEvent('download'), button('Export all pages').click()]);
    await rig.page.getByText(/^25 items written to Education\./).waitFor();
    const text = readFileSync(await download.path(), 'utf8');
    for (const item of before) await rig.call('DeleteItem', { TableName: 'Education', Key: key(item.PK.S, item.SK.S) });
    if (kind === 'lines') await rig.page.getByText('Import items').click();
    await field('File (DynamoDB JSON lines, plain JSON or CSV)').setInputFiles({ name: download.suggestedFilename(), mimeType: 'text/plain', buffer: Buffer.from(text) });
    await button('Write 25 items').click();
    await rig.page.getByText('25 items written.').waitFor();
    const after = (await rig.call('Query', { TableName: 'Education', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'PAGE#1' } } })).Items;
    assert.deepEqual(after, before, kind);
    await rig.page.locator('.grid td', { hasText: /^024$/ }).waitFor();
  }
  await field('File (DynamoDB JSON lines, plain JSON or CSV)').setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('PK,SK,Position\nPAGE#1,x,ten\n') });
  await rig.page.getByText('Line 2: Position must be a number, but “ten” is not one.').waitFor();
});

test('CSV takes texts for a column that only holds NULL, and keeps its nulls', async () => {
  await rig.call('CreateTable', { TableName: 'Nulls', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], BillingMode: 'PAY_PER_REQUEST' });
  await rig.call('PutItem', { TableName: 'Nulls', Item: { PK: { S: 'a' }, note: { NULL: true } } });
  await rig.open('/studio/explore/Nulls');
  await grid().waitFor();
  await rig.page.getByText('Import items').click();
  await field('File (DynamoDB JSON lines, plain JSON or CSV)').setInputFiles({ name: 'nulls.csv', mimeType: 'text/csv', buffer: Buffer.from('PK,note\nb,x\nc,null\nd,"null"\n') });
  await rig.page.getByText('No item has a value of note: the values in the file suggest the type. Check it below.').waitFor();
  assert.equal(await rig.page.getByLabel('Type of note').inputValue(), 'S');
  await button('Write 3 items').click();
  await rig.page.getByText('3 items written.').waitFor();
  const { Items } = await rig.call('Scan', { TableName: 'Nulls' });
  assert.deepEqual(Object.fromEntries(Items.map(({ PK, note }) => [PK.S, note])), { a: { NULL: true }, b: { S: 'x' }, c: { NULL: true }, d: { S: 'null' } });
  await rig.call('DeleteTable', { TableName: 'Nulls' });
});

test('a cell at the edge is edited in sight, and what is wrong with it moves no row', async () => {
  await rig.call('CreateTable', { TableName: 'Edge', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], BillingMode: 'PAY_PER_REQUEST' });
  await rig.call('PutItem', { TableName: 'Edge', Item: { PK: { S: 'a' }, price: { N: '5' }, wide: { S: 'w'.repeat(300) }, ztags: { SS: ['red', 'blue'] } } });
  await rig.open('/studio/explore/Edge');
  const cell = (text) => rig.page.locator('.grid td', { hasText: text }).first();
  const row = rig.page.locator('.grid tbody tr').first();
  const height = (await row.boundingBox()).height;
  await cell(/^5$/).dblclick();
  await rig.page.getByLabel('price of row 1').fill('6');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByText(/^Saved price/).waitFor();
  await cell(/^6$/).dblclick();
  await rig.page.getByLabel('price of row 1').fill('six');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByText('This attribute is a number.').waitFor();
  assert.ok((await row.boundingBox()).height <= height + 4, 'the row keeps its height');
  assert.equal(await rig.page.getByText(/^Saved price/).count(), 0, 'the save before is no longer said');
  await rig.page.keyboard.press('Escape');
  await cell(/red/).dblclick();
  const editor = rig.page.getByLabel('ztags of row 1');
  const [inside, around] = [await editor.boundingBox(), await rig.page.locator('.grid-scroll').boundingBox()];
  assert.ok(inside.x + inside.width <= around.x + around.width + 1, 'the editor ends where the grid ends');
  await editor.fill('["red",');
  await rig.page.keyboard.press('Enter');
  const problem = await rig.page.locator('.cell-problem').boundingBox();
  assert.ok(problem.y >= inside.y + inside.height - 1, 'what is wrong stands below what was typed');
  await rig.page.keyboard.press('Escape');
  await rig.call('DeleteTable', { TableName: 'Edge' });
});

test('an item that is added changes what is there, not what was read', async () => {
  await rig.call('CreateTable', { TableName: 'Added', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'N' }], BillingMode: 'PAY_PER_REQUEST' });
  await rig.open('/studio/explore/Added');
  await rig.page.getByText('No items.').waitFor();
  await button('Add item').click();
  await rig.page.getByRole('region', { name: 'New item' }).getByRole('button', { name: 'Add item' }).click();
  await rig.page.getByText(/^Added the item/).waitFor();
  assert.match(await rig.page.locator('.status-bar .facts').innerText(), /^1 item · 0\.5 units? · /);
  await button('Undo the insert').click();
  await rig.page.getByText('Undone.', { exact: true }).waitFor();
  await rig.call('DeleteTable', { TableName: 'Added' });
});

test('CSV keeps types that are not on the page shown', async () => {
  const create = { TableName: 'Typed', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], BillingMode: 'PAY_PER_REQUEST' };
  await rig.call('CreateTable', create);
  for (let at = 0; at < 120; at += 1) await rig.call('PutItem', { TableName: 'Typed', Item: { PK: { S: `item${at}` } } });
  // Behind the first page, whatever the order of the partitions is.
  const first = (await rig.call('Scan', { TableName: 'Typed', Limit: 60 })).Items.map(({ PK }) => PK.S);
  const late = (await rig.call('Scan', { TableName: 'Typed' })).Items.map(({ PK }) => PK.S).find((name) => !first.includes(name));
  await rig.call('PutItem', { TableName: 'Typed', Item: { PK: { S: late }, total: { N: '5' }, paid: { BOOL: true }, mix: { N: '1' } } });
  await rig.call('PutItem', { TableName: 'Typed', Item: { PK: { S: 'other' }, mix: { S: 'one' } } });
  await rig.open('/studio/explore/Typed');
  await grid().waitFor();
  await rig.page.getByText('Import items').click();
  await field('File (DynamoDB JSON lines, plain JSON or CSV)').setInputFiles({ name: 'typed.csv', mimeType: 'text/csv', buffer: Buffer.from('PK,total,paid,note,score,mix\nnew,7,false,12,3.5,2\n') });
  await rig.page.getByText('No item has a value of note, score: the values in the file suggest the types. Check them below.').waitFor();
  assert.deepEqual([await rig.page.getByLabel('Type of note').inputValue(), await rig.page.getByLabel('Type of score').inputValue()], ['N', 'N']);
  await rig.page.getByLabel('Type of note').selectOption('S');
  await rig.page.getByText('No item has a value of score: the values in the file suggest the type. Check it below.').waitFor();
  await rig.page.getByText('mix has several types in this table (N, S): choose one.').waitFor();
  assert.equal(await button('Write 1 item').count(), 0, 'nothing is written until every type is known');
  assert.ok(await rig.page.getByLabel('Type of PK').isDisabled());
  await rig.page.getByLabel('Type of mix').selectOption('N');
  await rig.page.getByLabel('Type of score').selectOption('BOOL');
  await rig.page.getByText('Line 2: score: “3.5” is not true or false.').waitFor();
  await rig.page.getByLabel('Type of score').selectOption('N');
  await button('Write 1 item').click();
  await rig.page.getByText('1 item written.').waitFor();
  assert.deepEqual((await rig.call('GetItem', { TableName: 'Typed', Key: { PK: { S: 'new' } } })).Item, { PK: { S: 'new' }, total: { N: '7' }, paid: { BOOL: false }, note: { S: '12' }, score: { N: '3.5' }, mix: { N: '2' } });
  await rig.call('DeleteTable', { TableName: 'Typed' });
});

test('a table is created, and deleted only by its name', async () => {
  await rig.open('/studio/explore');
  await rig.page.getByText('Create a table').click();
  await field('Name').fill('Scratch');
  await field('Sort key (may be empty)').fill('');
  await button('+ global index').click();
  await button('Create').click();
  await rig.page.getByRole('heading', { name: 'Scratch' }).waitFor();
  const { Table } = await rig.call('DescribeTable', { TableName: 'Scratch' });
  assert.deepEqual(Table.KeySchema, [{ AttributeName: 'PK', KeyType: 'HASH' }]);
  assert.equal(Table.GlobalSecondaryIndexes[0].IndexName, 'GSI1');
  await rig.page.getByText('Delete this table').click();
  assert.ok(await button('Delete Scratch').isDisabled());
  await field('Name of the table to delete').fill('Scratc');
  assert.ok(await button('Delete Scratch').isDisabled());
  await field('Name of the table to delete').fill('Scratch');
  await button('Delete Scratch').click();
  await rig.page.getByRole('heading', { name: 'Tables' }).waitFor();
  assert.ok(!(await rig.call('ListTables', {})).TableNames.includes('Scratch'));
});

test('it can be used by everybody', async () => {
  for (const path of ['/studio/explore', '/studio/explore/Education', '/studio/explore/Education?mode=Query', '/studio/explore/Education?mode=PartiQL']) {
    await rig.open(path);
    await (path === '/studio/explore' ? rig.page.getByRole('table').first() : grid()).waitFor();
    await inBothThemes(rig.page, async () => assert.deepEqual(await axeFindings(rig.page), [], path));
    await rig.page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await overflow(rig.page), 0, path);
    await rig.picture(`explore-narrow${path.replace(/\W/g, '-')}`);
    await rig.page.setViewportSize({ width: 1280, height: 800 });
  }
});

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors.filter((text) => !text.includes('status of 400')), []));
