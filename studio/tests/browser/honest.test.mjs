// The page never shows what is not so: it follows the table, says when it has no answer, and asks before work is lost.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const text = (locator) => rig.page.locator(locator).first().innerText();
const button = (name) => rig.page.getByRole('button', { name, exact: true });

async function loadSample(model) {
  await rig.open(`/studio/items?model=${model}`);
  const load = rig.page.getByRole('button', { name: 'Load the sample of this design' });
  await Promise.race([load.waitFor(), rig.page.locator('.item-row').first().waitFor()]);
  if (await load.count()) await load.click();
  await rig.page.locator('.item-row').first().waitFor();
}

const table = (name, sort) => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, ...(sort ? [{ AttributeName: 'SK', KeyType: 'RANGE' }] : [])],
  AttributeDefinitions: ['PK', ...(sort ? ['SK'] : [])].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
});

test('every step of the scale slider is another scale, and every collection has a size at it', async () => {
  await rig.open('/studio/model?model=p11_write_sharding&tab=cost');
  const sizes = rig.page.getByRole('group', { name: 'Sizes of collections' });
  await sizes.waitFor();
  assert.match(await sizes.innerText(), /\t6,250 × Vote/);
  const seen = new Set();
  await rig.page.locator('#scale').focus();
  await rig.page.keyboard.press('Home');
  for (let step = 0; step <= Number(await rig.page.locator('#scale').getAttribute('max')); step += 1) {
    const scale = await text('.scale output');
    await sizes.getByRole('columnheader', { name: scale, exact: true }).waitFor();
    seen.add(scale);
    assert.doesNotMatch(await sizes.innerText(), /\b0 bytes/);
    await rig.page.keyboard.press('ArrowRight');
  }
  assert.equal(seen.size, 19);
  assert.match(await sizes.innerText(), /\t625,000,000 × Vote/, 'the lectures are the same, the voters more');
});

test('an attribute may have any name', async () => {
  await rig.call('CreateTable', table('Odd'));
  const names = ['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf'];
  await rig.call('PutItem', { TableName: 'Odd', Item: JSON.parse(`{"PK": {"S": "a"}, ${names.map((name) => `"${name}": {"S": "is ${name}"}`).join()}}`) });
  await rig.call('PutItem', { TableName: 'Odd', Item: { PK: { S: 'b' } } });
  for (const path of ['/studio/explore/Odd', '/studio/items?table=Odd']) {
    await rig.open(path);
    for (const name of names) await rig.page.getByText(`is ${name}`).first().waitFor();
  }
  await rig.open('/studio/explore/Odd');
  await rig.page.getByRole('gridcell', { name: 'is __proto__' }).or(rig.page.locator('td', { hasText: 'is __proto__' })).first().dblclick();
  await rig.page.getByLabel('__proto__ of row 1').fill('changed');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByText(/^Saved __proto__/).waitFor();
  const { Item } = await rig.call('GetItem', { TableName: 'Odd', Key: { PK: { S: 'a' } } });
  assert.equal(Object.getOwnPropertyDescriptor(Item, '__proto__').value.S, 'changed');
  assert.deepEqual(rig.uncaught, []);
});

test('what another program writes appears, and the lit picture agrees with its numbers', async () => {
  await loadSample('l01_students_courses');
  await rig.open('/studio/items?model=l01_students_courses&pattern=Courses&p.student=S1');
  await rig.page.locator('.item-row[data-mark="lit"]').nth(1).waitFor();
  const table = await rig.page.locator('.toolbar select').first().inputValue();
  const { Items } = await rig.call('Scan', { TableName: table });
  const edge = Items.find((item) => item.PK.S === 'STUDENT#S1' && item.SK.S.startsWith('COURSE#'));
  await rig.call('PutItem', { TableName: table, Item: { ...edge, SK: { S: 'COURSE#C9' } } });
  await rig.page.getByText('Another program changed 1 item').waitFor();
  await rig.page.locator('.item-row[data-mark="lit"]').nth(2).waitFor();
  await rig.page.locator('.figures', { hasText: '3' }).first().waitFor();
  await rig.call('DeleteItem', { TableName: table, Key: { PK: edge.PK, SK: { S: 'COURSE#C9' } } });
  await rig.page.waitForFunction(() => document.querySelectorAll('.item-row[data-mark="lit"]').length === 2);
});

test('Items says why it has nothing, with a text that cannot be read or a design that is not here', async () => {
  await rig.open('/studio/items?model=own:Nobody');
  await rig.page.getByText('This browser keeps no design called “Nobody”').first().waitFor();
  // It may have asked for a moment; it must not go on asking.
  await rig.page.getByText('Asking the server').first().waitFor({ state: 'hidden' });
  await rig.page.evaluate(() => localStorage.setItem('prejoin-own:Torn', 'model "Torn'));
  await rig.open('/studio/items?model=own:Torn');
  await rig.page.locator('.items-view, .items-empty').first().waitFor();
  // It may have asked for a moment; it must not go on asking.
  await rig.page.getByText('Asking the server').first().waitFor({ state: 'hidden' });
});

test('a second tab does not overwrite what the first saved', async () => {
  await rig.page.evaluate(() => localStorage.setItem('prejoin-own:Shared', 'model "One"\n'));
  await rig.open('/studio/model?model=own:Shared');
  await rig.page.locator('.cm-content').first().waitFor();
  const type = async (letters) => {
    await rig.page.locator('.cm-content').click();
    await rig.page.keyboard.press('Control+End');
    await rig.page.keyboard.type(letters);
  };
  await type('// mine');
  await rig.page.getByText('Changed, not saved').waitFor();
  // As another tab does it.
  await rig.page.evaluate(() => localStorage.setItem('prejoin-own:Shared', 'model "Two"\n'));
  await button('Save').click();
  await rig.page.getByText('Not saved: another tab saved this design meanwhile').waitFor();
  assert.equal(await rig.page.evaluate(() => localStorage.getItem('prejoin-own:Shared')), 'model "Two"\n');
  await button('Save mine over it').click();
  await rig.page.getByText('Saved in this browser.').waitFor();
  assert.match(await rig.page.evaluate(() => localStorage.getItem('prejoin-own:Shared')), /mine/);
});

test('a design is opened from a file, renamed and deleted', async () => {
  await rig.open('/studio/model');
  await button('New design…').click();
  await rig.page.getByLabel('A file').setInputFiles({ name: 'harbour.prejoin', mimeType: 'text/plain', buffer: Buffer.from('model "Harbour"\n') });
  await rig.page.waitForFunction(() => document.querySelector('.design-choice select')?.value === 'own:harbour');
  await rig.page.getByRole('heading', { name: 'Harbour' }).waitFor();
  await button('New design…').click();
  await button('Rename harbour').click();
  await rig.page.getByLabel('New name of harbour').fill('Port');
  await rig.page.keyboard.press('Enter');
  await rig.page.waitForFunction(() => document.querySelector('.design-choice select')?.value === 'own:Port');
  assert.deepEqual(await rig.page.evaluate(() => Object.keys(localStorage).filter((key) => /^prejoin-own:(Port|harbour|Customer)/.test(key))), ['prejoin-own:Port'], 'Enter renames and creates nothing');
  await button('Delete Port').click();
  await button('Keep it').click();
  await button('Delete Port').click();
  await button('Yes, delete Port').click();
  await rig.page.waitForFunction(() => localStorage.getItem('prejoin-own:Port') === null && localStorage.getItem('prejoin-own:harbour') === null);
});

test('a filtered read goes on past empty pages, and can be stopped', async () => {
  await rig.call('CreateTable', table('Wide', true));
  for (let batch = 0; batch < 10; batch += 1) {
    const puts = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: { PK: { S: 'p' }, SK: { S: String(batch * 25 + at).padStart(4, '0') } } } }));
    await rig.call('BatchWriteItem', { RequestItems: { Wide: puts } });
  }
  await rig.call('PutItem', { TableName: 'Wide', Item: { PK: { S: 'p' }, SK: { S: '9999' }, rare: { S: 'yes' } } });
  const statement = encodeURIComponent(`SELECT * FROM "Wide" WHERE PK = 'p' AND rare = 'yes'`);
  await rig.open(`/studio/explore/Wide?mode=PartiQL&statement=${statement}`);
  await rig.page.locator('.grid td', { hasText: '9999' }).waitFor();
  // A server whose every page is empty: it says how far it is, and stops when it is told to.
  await rig.page.route((url) => url.pathname === '/', (route) => {
    const statement = route.request().headers()['x-amz-target']?.endsWith('ExecuteStatement');
    return statement ? route.fulfill({ json: { Items: [], NextToken: 'more' } }) : route.continue();
  });
  await button('Run statement').click();
  await rig.page.getByText(/Nothing in the first \d+ pages.*reading on/).waitFor();
  // By pointer: the button stays where it is while the count beside it grows with every page.
  await button('Stop').click();
  await rig.page.getByText(/reading on/).waitFor({ state: 'detached' });
  await rig.page.unrouteAll({ behavior: 'wait' });
});

test('a statement that deletes says what it did', async () => {
  const statement = encodeURIComponent(`DELETE FROM "Wide" WHERE PK = 'p' AND SK = '0001'`);
  await rig.open(`/studio/explore/Wide?mode=PartiQL&statement=${statement}`);
  await button('Run statement').click();
  await rig.page.getByText(/^Deleted 1 item for/).waitFor();
  await button('Run statement').click();
  await rig.page.getByText('No item was deleted: no item has this key.').waitFor();
  await rig.page.getByLabel('PartiQL statement').fill(`DELETE FROM "Wide" WHERE PK = 'p'`);
  await button('Run statement').click();
  await rig.page.getByText('ValidationException').waitFor();
  const { Count } = await rig.call('Scan', { TableName: 'Wide', Select: 'COUNT' });
  assert.equal(Count, 250, 'the server deletes one item by its whole key, or none');
});

test('the deepest item that DynamoDB takes can be exported and imported', async () => {
  let value = { S: 'bottom' };
  for (let level = 0; level < 31; level += 1) value = { M: { m: value } };
  await rig.call('CreateTable', table('Deep'));
  await rig.call('PutItem', { TableName: 'Deep', Item: { PK: { S: 'a' }, tree: value } });
  await rig.open('/studio/explore/Deep');
  await rig.page.locator('.grid td').first().waitFor();
  const [download] = await Promise.all([rig.page.waitForEvent('download'), button('Export 1 item').click()]);
  const lines = await readFile(await download.path(), 'utf8');
  await rig.call('DeleteItem', { TableName: 'Deep', Key: { PK: { S: 'a' } } });
  await rig.page.locator('input[type=file]').setInputFiles({ name: 'deep.jsonl', mimeType: 'text/plain', buffer: Buffer.from(lines) });
  await rig.page.getByText('Import items').click();
  await button('Write 1 item').click();
  await rig.page.getByText('1 item written.').waitFor();
  const { Item } = await rig.call('GetItem', { TableName: 'Deep', Key: { PK: { S: 'a' } } });
  assert.deepEqual(Item.tree, value);
});

test('a key is blamed only for the patterns that it serves', async () => {
  // The roster is read from the index: the table's own partition key has no part in it.
  await rig.open('/studio/model?model=d04_students_and_courses&tab=chart&key=School.PK');
  const reason = rig.page.locator('.reason');
  await reason.getByText(/Without it A9/).waitFor();
  assert.doesNotMatch(await reason.innerText(), /A11/);
  await rig.open('/studio/model?model=d04_students_and_courses&tab=chart&key=School.GSI1PK');
  await reason.getByText(/Without it A11/).waitFor();
});

test('a value shows its type: nothing, spaces, null, a number, a text of digits', async () => {
  await rig.call('CreateTable', table('Kinds'));
  await rig.call('PutItem', { TableName: 'Kinds', Item: { PK: { S: 'a' }, none: { S: '' }, spaced: { S: ' x ' }, gone: { NULL: true }, digits: { S: '7' }, number: { N: '7' }, raw: { B: 'AAEC' }, many: { SS: ['p', 'q'] } } });
  await rig.call('PutItem', { TableName: 'Kinds', Item: { PK: { S: 'b' } } });
  await rig.open('/studio/explore/Kinds');
  await rig.page.locator('.grid tbody tr').nth(1).waitFor();
  const at = await rig.page.locator('.grid tbody tr').evaluateAll((rows) => rows.findIndex((row) => row.textContent.includes('empty')));
  const cell = async (name) => {
    const column = await rig.page.locator('.grid th button').evaluateAll((heads, wanted) => heads.findIndex((head) => head.textContent.trim() === wanted), name);
    return rig.page.locator(`[data-cell="${at}:${column}"]`);
  };
  assert.equal(await (await cell('none')).locator('.value-empty').innerText(), 'empty');
  assert.equal(await (await cell('spaced')).innerText(), '␣x␣');
  assert.equal(await (await cell('gone')).locator('.value-null').innerText(), 'null');
  assert.match(await (await cell('raw')).innerText(), /^3 B/);
  assert.equal(await (await cell('many')).locator('.value-tag').count(), 2);
  const side = async (name) => (await cell(name)).evaluate((one) => getComputedStyle(one).textAlign);
  assert.notEqual(await side('digits'), await side('number'), 'a number stands at the right');
});

test('entities and advice agree about the strategy', async () => {
  await rig.page.evaluate(() => localStorage.clear());
  const source = (await (await fetch(`${rig.url}/model/examples/d08_saas_orgs`)).json()).source.replace(/^strategy .*$/gm, '');
  await rig.page.evaluate((model) => localStorage.setItem('prejoin-own:Unstated', model), source);
  await rig.open('/studio/model?model=own:Unstated&tab=er');
  await rig.page.locator('.er-strategy', { hasText: '(by its keys)' }).first().waitFor();
});

test('an edit that leaves an index key behind warns, and writes the right one', async () => {
  await loadSample('p06_global_index').catch(() => {});
  const found = await rig.page.evaluate(async () => {
    const examples = await (await fetch('/model/examples')).json();
    for (const { name } of examples) {
      const { source } = await (await fetch(`/model/examples/${name}`)).json();
      const { model } = await (await fetch('/model/check', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ source }) })).json();
      for (const one of model?.tables ?? []) for (const layout of one.items) for (const made of layout.attributes) {
        const hole = made.kind === 'template' ? /\{(\w+)\}/.exec(made.template)?.[1] : undefined;
        const keys = [one.partition, one.sort];
        const inKey = layout.attributes.some((other) => keys.includes(other.name) && (other.template ?? '').includes(`{${hole}`));
        const kept = !layout.without.includes(hole) && model.entities.find((entity) => entity.name === layout.entity).attributes.some(({ name: own, type }) => own === hole && type === 'text');
        if (hole && kept && !keys.includes(made.name) && !inKey && !keys.includes(hole) && model.samples.some((sample) => sample.entity === layout.entity)) return { example: name, table: one.name, attribute: hole, key: made.name };
      }
    }
    return null;
  });
  assert.ok(found, 'an example has an index key made of an attribute that is kept');
  await loadSample(found.example);
  await rig.open(`/studio/explore/${found.table}?model=${found.example}`);
  const column = rig.page.locator('.grid th button', { hasText: new RegExp(`^${found.attribute} `) });
  await column.waitFor();
  const at = await rig.page.locator('.grid th button').evaluateAll((cells, name) => cells.findIndex((cell) => cell.textContent.trim() === name), found.attribute);
  const row = await rig.page.locator('.grid tbody tr').evaluateAll((rows, column) => rows.findIndex((one) => one.querySelectorAll('td')[column].textContent !== ''), at);
  await rig.page.locator(`[data-cell="${row}:${at}"]`).dblclick();
  await rig.page.locator('.grid td.editing input').fill('zzz');
  await rig.page.keyboard.press('Enter');
  const panel = rig.page.getByRole('alert', { name: 'Keys left behind' });
  await panel.waitFor();
  assert.match(await panel.innerText(), new RegExp(found.key));
  await button('Write it with the right keys').click();
  await rig.page.getByText(/^Saved /).waitFor();
  const { Items } = await rig.call('Scan', { TableName: found.table });
  const item = Items.find((one) => one[found.attribute]?.S === 'zzz');
  assert.match(item[found.key].S, /zzz/i);
});

test('a pattern without an example asks for its parameters, without an error', async () => {
  const source = (await (await fetch(`${rig.url}/model/examples/l01_students_courses`)).json()).source.replace(/^ *example .*$/gm, '');
  await rig.page.evaluate((model) => localStorage.setItem('prejoin-own:Bare', model), source);
  await rig.open('/studio/items?model=own:Bare');
  const name = await rig.page.locator('.pattern-button b').first().innerText();
  await rig.open(`/studio/items?model=own:Bare&pattern=${name}`);
  await rig.page.getByText(/^Fill in .* and it runs\.$/).waitFor();
  assert.equal(await rig.page.locator('.pattern-details [role=alert]').count(), 0);
});

test('the table of another design is named as such, and cannot be reset by this one', async () => {
  await rig.open('/studio/items?model=l01_students_courses&table=Odd');
  await rig.page.getByText(/^Odd is not a table of/).waitFor();
  assert.equal(await button('Reset').count(), 0);
});

test('with the server gone every view says so, and goes on when it is back', async () => {
  await rig.open('/studio/model?model=l01_students_courses');
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  await rig.stopServer();
  await rig.page.locator('.cm-content').click();
  await rig.page.keyboard.press('Control+End');
  await rig.page.keyboard.type('wrong');
  await rig.page.getByText(/The server has not answered since \d\d:\d\d:\d\d/).waitFor();
  assert.match(await text('.findings-head'), /Not checked/);
  await rig.restartServer();
  await rig.page.getByText(/The server has not answered/).waitFor({ state: 'detached' });
  await rig.page.locator('.finding.error').first().waitFor();
  await rig.page.evaluate(() => localStorage.clear());
  await rig.open('/studio/explore');
  await rig.page.getByText('There are no tables yet').waitFor();
  await rig.stopServer();
  await button('Reload').click();
  await rig.page.getByText(/The server has not answered/).waitFor();
  await rig.restartServer();
  await rig.page.getByText(/The server has not answered/).waitFor({ state: 'detached' });
  await rig.page.getByText('There are no tables yet').waitFor();
});
