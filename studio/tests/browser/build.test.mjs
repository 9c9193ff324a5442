// The expression builder: what is built in the page runs, as code, against the server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const integration = new URL('../../../tests/integration/', import.meta.url).pathname;
const example = new URL('../../../examples/models/d05_education.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });
const folder = mkdtempSync(`${tmpdir()}/build-`);
symlinkSync(`${integration}node_modules`, `${folder}/node_modules`);
after(() => rmSync(folder, { recursive: true }));

// By its accessible name. getByLabel alone would take the options of a select for a part of its label.
const field = (name) => rig.page.getByLabel(name, { exact: true }).or(rig.page.getByRole('combobox', { name, exact: true })).first();
const button = (name) => rig.page.getByRole('button', { name, exact: true });
const choose = (name, value) => field(name).selectOption(value);

async function copied(language) {
  await rig.page.getByRole('tab', { name: language, exact: true }).click();
  await rig.page.getByRole('button', { name: `Copy ${language} code` }).click();
  await rig.page.getByText('Copied', { exact: true }).waitFor();
  return rig.page.evaluate(() => navigator.clipboard.readText());
}

// Only credentials come from outside; all else is the code's own.
const environment = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_PAGER: '' };
const programs = {
  JavaScript: { file: 'code.mjs', command: process.execPath },
  Python: { file: 'code.py', command: '/usr/bin/python3' },
  'AWS CLI': { file: 'code.sh', command: '/bin/sh' },
};

// The exit code and everything printed.
async function runCode(language, code) {
  const { file, command } = programs[language];
  writeFileSync(`${folder}/${file}`, code);
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [`${folder}/${file}`], { env: environment, cwd: folder });
    return { status: 0, text: stdout + stderr };
  } catch (error) {
    return { status: error.code, text: `${error.stdout}${error.stderr}` };
  }
}

const stored = async (sk) => (await rig.call('GetItem', { TableName: 'Education', Key: { PK: { S: 'STUDENT#S2' }, SK: { S: sk } } })).Item;

test('it begins with a query that already has a result', async () => {
  rig.page.setDefaultTimeout(10_000);
  await rig.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: rig.url });
  await rig.open('/studio/build');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  assert.equal(await field('Table').inputValue(), 'Education');
  await rig.picture('build');
});

test('a query of a global index, as code in three languages', async () => {
  await choose('Index', 'GSI1');
  await choose('Make the key of', 'Enrollment');
  await field('CourseId').fill('C1');
  await rig.page.getByText('2 items', { exact: false }).waitFor();
  for (const language of Object.keys(programs)) {
    const { status, text } = await runCode(language, await copied(language));
    assert.equal(status, 0, text);
    for (const part of ['STUDENT#S1', 'STUDENT#S2', 'A-']) assert.ok(text.includes(part), `${language}: ${text}`);
    assert.ok(!text.includes('COURSE#C2'), `${language}: ${text}`);
  }
  await rig.picture('build-query');
});

test('an update, as code in three languages', async () => {
  await choose('Operation', 'UpdateItem');
  await choose('Make the key of', 'Enrollment');
  await field('StudentId').fill('S2');
  await field('CourseId').fill('C1');
  await rig.page.getByRole('button', { name: '+ change' }).click();
  await field('Attribute of change 1').fill('Grade');
  await field('Value of change 1').fill(`it's "A+" \\ 東京`);
  await rig.page.getByRole('button', { name: '+ change' }).click();
  await field('Attribute of change 2').fill('Visits');
  await choose('How change 2 sets', 'plus');
  await field('Value of change 2').fill('1');
  await rig.page.getByText('while missing, start with').click();
  await choose('Give back', 'ALL_NEW');
  let visits = 0;
  for (const language of Object.keys(programs)) {
    const { status, text } = await runCode(language, await copied(language));
    assert.equal(status, 0, text);
    visits += 1;
    const item = await stored('COURSE#C1');
    assert.equal(item.Grade.S, `it's "A+" \\ 東京`, language);
    assert.equal(item.Visits.N, String(visits), language);
  }
  await rig.page.getByRole('button', { name: 'Run UpdateItem' }).click();
  await rig.page.getByRole('gridcell', { name: '4', exact: true }).or(rig.page.locator('td', { hasText: /^4$/ })).first().waitFor();
  await rig.picture('build-update');
});

test('a put with a condition, as code in three languages', async () => {
  await choose('Operation', 'PutItem');
  await choose('Make a', 'Enrollment');
  await field('StudentId').fill('S2');
  await field('EnrollmentDate').fill('2024-04-01T08:00:00');
  await rig.page.getByRole('button', { name: '+ test' }).click();
  await field('Attribute of Condition, test 1').fill('PK');
  await choose('Test of Condition, test 1', 'attribute_not_exists');
  for (const [number, language] of Object.keys(programs).entries()) {
    await field('CourseId').fill(`C${number + 5}`);
    await rig.page.waitForFunction((text) => document.querySelector('#code-panel')?.textContent.includes(text), `COURSE#C${number + 5}`);
    const code = await copied(language);
    const first = await runCode(language, code);
    assert.equal(first.status, 0, first.text);
    assert.equal((await stored(`COURSE#C${number + 5}`))['GSI1-PK'].S, `COURSE#C${number + 5}`);
    const second = await runCode(language, code);
    assert.notEqual(second.status, 0);
    assert.match(second.text, /ConditionalCheckFailed/, language);
  }
  await rig.page.getByRole('button', { name: 'Run PutItem' }).click();
  await rig.page.getByText('The condition was not met, so nothing was written.').waitFor();
  assert.match(await rig.page.getByRole('grid', { name: 'Stored now' }).innerText(), /COURSE#C7/);
  await rig.picture('build-put');
});

test('PartiQL says the same, or says no', async () => {
  const inserted = await copied('PartiQL');
  assert.match(inserted, /^INSERT INTO "Education"/);
  assert.equal((await rig.call('ExecuteStatement', { Statement: inserted })).__type?.replace(/.*#/, ''), 'DuplicateItemException');
  await rig.page.getByRole('button', { name: 'Remove Condition, test 1' }).click();
  await rig.page.getByText('PartiQL cannot say this.').waitFor();

  await choose('Operation', 'Query');
  await choose('Index', 'GSI1');
  await choose('Make the key of', 'Enrollment');
  await field('CourseId').fill('C1');
  await field('last first').check();
  await rig.page.getByRole('button', { name: '+ test' }).click();
  await field('Attribute of Filter, test 1').fill('Grade');
  await choose('Test of Filter, test 1', 'in');
  await field('Value of Filter, test 1').fill('A');
  await rig.page.getByRole('button', { name: '+ value' }).click();
  await field('Value 2 of Filter, test 1').fill('B');
  await rig.page.getByRole('button', { name: '+ group' }).click();
  await field('Attribute of Filter, group 2, test 1').fill('EnrollmentDate');
  await choose('Test of Filter, group 2, test 1', 'attribute_exists');
  await rig.page.getByText('2 read, 1 discarded by the filter').waitFor();
  const { Items } = await rig.call('ExecuteStatement', { Statement: await copied('PartiQL') });
  assert.deepEqual(Items.map((item) => item['GSI1-SK'].S), ['STUDENT#S1']);
});

test('only what is legal is offered', async () => {
  const options = (name) => field(name).locator('option').evaluateAll((all) => all.map((option) => option.value));
  assert.deepEqual(await options('Test of GSI1-SK'), ['', '=', '<', '<=', '>', '>=', 'between', 'begins_with']);
  assert.equal(await rig.page.getByRole('group', { name: 'GSI1-PK' }).locator('select').count(), 0);
  assert.ok(await rig.page.getByLabel('strongly consistent (not on a global index)').isDisabled());
  await choose('Index', '');
  await field('Attribute of Filter, test 1').fill('Credits');
  assert.ok(!(await options('Test of Filter, test 1')).includes('begins_with'), 'Credits is a number');
  await field('Attribute of Filter, test 1').fill('SK');
  await rig.page.getByText('A filter cannot name SK').waitFor();
  await field('Attribute of Filter, test 1').fill('');
});

test('a new row is not yet a mistake, and unfinished code is not for copying', async () => {
  const missing = rig.page.getByText('An attribute is missing.');
  await rig.open('/studio/build');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  await rig.page.getByRole('button', { name: '+ test' }).click();
  await rig.page.getByText('The request is not complete yet.').waitFor();
  assert.equal(await missing.count(), 0);
  const style = (name) => field(name).evaluate((input) => getComputedStyle(input).borderTopStyle);
  assert.equal(await style('Attribute of Filter, test 1'), 'dashed', 'the field that is missing is marked');
  assert.equal(await style('Value of PK'), 'solid');
  assert.ok(await rig.page.getByRole('button', { name: /^Copy / }).isDisabled());
  await field('Attribute of Filter, test 1').focus();
  await rig.page.keyboard.press('Tab');
  await missing.waitFor();
  await field('Attribute of Filter, test 1').fill('Name');
  await rig.page.waitForFunction(() => !document.querySelector('.code-block button').disabled);
  assert.equal(await missing.count(), 0);
  const [bar, code] = await Promise.all(['.code-block-bar', '.code-block code'].map((place) => rig.page.locator(place).boundingBox()));
  assert.ok(bar.y + bar.height <= code.y, 'the button covers no code');
  await field('Attribute of Filter, test 1').fill('');
});

test('the address holds the whole request', async () => {
  await field('Attribute of Filter, test 1').fill('Name');
  await choose('Test of Filter, test 1', 'contains');
  await field('Value of Filter, test 1').fill('Jöhn "D"');
  await rig.page.getByRole('tab', { name: 'JSON' }).click();
  const before = await rig.page.locator('#code-panel code').textContent();
  await rig.addressFollows();
  const address = rig.page.url();
  await rig.page.goto('about:blank');
  await rig.page.goto(address);
  await rig.page.waitForFunction((text) => document.querySelector('#code-panel code')?.textContent === text, before);
  await rig.page.goto(`${rig.url}/studio/build?q=torn`);
  await rig.page.getByText('The link to this request is incomplete').waitFor();
});

test('another design brings its own table, and offers to load it', async () => {
  await rig.open('/studio/build');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  await field('Design').selectOption('d09_starbucks');
  await button('Load the design with its sample').click();
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  assert.equal(await field('Table').inputValue(), 'Stores');
  await choose('Make the key of', 'Store');
  await field('Country').fill('USA');
  await field('State').fill('NY');
  assert.equal(await field('Value of Place').inputValue(), 'NY#', 'a prefix ends behind a delimiter');
  await rig.page.locator('.facts', { hasText: '2 items' }).waitFor();
});

test('a prefix that ends inside a value is warned about while it is typed', async () => {
  await field('Value of Place').fill('NY#NEW');
  await rig.page.getByText(/Place: this prefix ends inside City of Store/).waitFor();
  await field('Value of Place').fill('NY#NEWYORK#');
  await rig.page.getByText(/this prefix ends inside/).waitFor({ state: 'detached' });
});

test('it begins with the table of the design that is chosen, whatever else is stored', async () => {
  const keys = { KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }] };
  await rig.call('CreateTable', { TableName: 'AAA', BillingMode: 'PAY_PER_REQUEST', ...keys });
  await rig.open('/studio/build?model=d09_starbucks');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  assert.equal(await field('Table').inputValue(), 'Stores');
  assert.ok(!rig.page.url().includes('q='), 'the address names no request that nobody chose');
  await choose('Operation', 'Scan');
  await field('Design').selectOption('d05_education'); // While the address is about to be written.
  await rig.page.waitForFunction(() => /\bEducation\b/.test(document.querySelector('#code-panel')?.textContent));
  await rig.addressFollows();
  assert.equal(await field('Table').inputValue(), 'Education');
  await rig.call('DeleteTable', { TableName: 'AAA' });
});

// Holds back the answers about tables until it is called.
async function holdDescriptions() {
  const waiting = [];
  let open = false;
  await rig.page.route((url) => url.pathname === '/', (route) => {
    if (!open && /Describe|ListTables/.test(route.request().headers()['x-amz-target'] ?? '')) waiting.push(route);
    else void route.continue();
  });
  return async () => {
    open = true;
    await Promise.all(waiting.map((route) => route.continue()));
  };
}

test('an operation that is chosen before anything is known of the tables gets all its fields', async () => {
  const release = await holdDescriptions();
  await rig.page.goto('about:blank');
  await rig.open('/studio/build?model=d05_education');
  await choose('Operation', 'GetItem');
  await rig.addressFollows();
  await release();
  await field('Value of SK').waitFor();
  assert.equal(await field('Operation').inputValue(), 'GetItem');
  assert.equal(await field('Table').inputValue(), 'Education');
  assert.notEqual(await field('Value of PK').inputValue(), '');
  assert.notEqual(await field('Value of SK').inputValue(), '');
  await rig.page.unroute((url) => url.pathname === '/');
});

test('an operation that is chosen before the next table is known keeps none of the keys of the table before', async () => {
  await rig.call('CreateTable', {
    TableName: 'Plain', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  });
  await rig.call('PutItem', { TableName: 'Plain', Item: { PK: { S: 'only' } } });
  await rig.page.goto('about:blank');
  await rig.open('/studio/build?model=d05_education');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  await choose('Table', 'Plain');
  await rig.page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'only'));
  const release = await holdDescriptions();
  await choose('Table', 'Education');
  await choose('Operation', 'GetItem');
  await release();
  await field('Value of SK').waitFor();
  assert.match(await field('Value of PK').inputValue(), /#/);
  await rig.page.unrouteAll();
  await rig.call('DeleteTable', { TableName: 'Plain' });
});

test('it can be used by everybody', async () => {
  await rig.open('/studio/build');
  await rig.page.getByRole('grid', { name: 'Result' }).waitFor();
  await rig.page.getByRole('button', { name: '+ test' }).click();
  await inBothThemes(rig.page, async () => assert.deepEqual(await axeFindings(rig.page), []));
  await choose('Operation', 'UpdateItem');
  await rig.page.getByRole('button', { name: '+ change' }).click();
  await inBothThemes(rig.page, async () => assert.deepEqual(await axeFindings(rig.page), []));
  await rig.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await overflow(rig.page), 0);
  await rig.picture('build-narrow');
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors.filter((text) => !text.includes('status of 400')), []));
