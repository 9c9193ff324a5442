// Several items at once in Explore, edits that wait for one transaction, and a design for a table that has none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d05_education.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });
const rows = () => rig.page.getByRole('grid', { name: 'Items' }).locator('tbody tr');
const facts = () => rig.page.locator('.facts').first();
const sound = async (name) =>
  inBothThemes(rig.page, async (theme) => {
    assert.deepEqual(await axeFindings(rig.page), [], `${name}, ${theme}`);
    await rig.picture(`${name}-${theme}`);
  });

test('a batch reads several items in one trip, a transaction at twice the price', async () => {
  await rig.open('/studio/explore/Education');
  await rows().first().waitFor();
  await rig.page.getByLabel('BatchGetItem').check();
  await facts().filter({ hasText: /2 items · 1 unit · .*BatchGetItem/ }).waitFor();
  await rig.page.getByRole('button', { name: 'Add a key' }).click();
  const third = rig.page.getByRole('group', { name: 'Item 3' });
  await third.getByLabel('Value of PK').fill('COURSE#C1');
  await third.getByLabel('Value of SK').fill('METADATA');
  await rig.page.getByRole('button', { name: 'Run BatchGetItem' }).click();
  await facts().filter({ hasText: /3 items · 1\.5 units/ }).waitFor();
  await sound('explore-batch');
  await rig.page.getByRole('group', { name: 'Item 3' }).getByRole('button', { name: 'Leave item 3 out' }).click();
  await rig.page.getByLabel('TransactGetItems').check();
  await facts().filter({ hasText: /2 items · 4 units · .*TransactGetItems/ }).waitFor();
});

async function editGrade(row, grade) {
  const column = await rig.page.getByRole('grid', { name: 'Items' }).locator('thead th').evaluateAll((heads) => heads.findIndex((head) => /Grade/.test(head.textContent)));
  const cell = row.locator('th, td').nth(column);
  await cell.dblclick();
  await cell.locator('input').fill(grade);
  await rig.page.keyboard.press('Enter');
}

const grade = async (student, course) => (await rig.call('GetItem', { TableName: 'Education', Key: { PK: { S: `STUDENT#${student}` }, SK: { S: `COURSE#${course}` } } })).Item.Grade.S;

test('edits wait for a transaction: all are written, or none', async () => {
  await rig.open('/studio/explore/Education');
  await rows().first().waitFor();
  const edge = (student) => rows().filter({ hasText: 'COURSE#C1' }).filter({ hasText: `STUDENT#${student}` });
  const before = await grade('S1', 'C1');
  await rig.page.getByLabel('collect edits for a transaction').check();
  await editGrade(edge('S1'), 'D');
  await editGrade(edge('S2'), 'E');
  const panel = rig.page.getByRole('region', { name: 'Transaction' });
  await panel.getByText('2 changes not written yet').waitFor();
  assert.equal(await grade('S1', 'C1'), before, 'nothing is written yet');
  await sound('explore-transaction');

  // Somebody else changes one of them: neither is written.
  await rig.call('UpdateItem', { TableName: 'Education', Key: { PK: { S: 'STUDENT#S2' }, SK: { S: 'COURSE#C1' } }, UpdateExpression: 'SET Grade = :g', ExpressionAttributeValues: { ':g': { S: 'Z' } } });
  await panel.getByRole('button', { name: 'Write all 2 as one transaction' }).click();
  await panel.getByText('Nothing was written.').waitFor();
  await panel.getByText(/Update Education STUDENT#S2 \/ COURSE#C1: somebody changed it meanwhile/).waitFor();
  assert.equal(await grade('S1', 'C1'), before);
  await panel.getByRole('button', { name: 'Throw them away' }).click();
  await panel.waitFor({ state: 'detached' });

  await rows().filter({ hasText: 'Z' }).first().waitFor();
  await editGrade(edge('S1'), 'D');
  await editGrade(edge('S2'), 'E');
  await panel.getByRole('button', { name: 'Write all 2 as one transaction' }).click();
  await rig.page.getByText(/Wrote 2 changes as one transaction for \d+ write units/).waitFor();
  assert.deepEqual([await grade('S1', 'C1'), await grade('S2', 'C1')], ['D', 'E']);
});

test('a table that no design describes gets one, made of its items', async () => {
  await rig.call('CreateTable', {
    TableName: 'Clinic', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  });
  for (let owner = 1; owner <= 4; ++owner) {
    await rig.call('PutItem', { TableName: 'Clinic', Item: { PK: { S: `OWNER#o${owner}` }, SK: { S: 'PROFILE' }, name: { S: `Owner ${owner}` } } });
    for (let pet = 1; pet <= 3; ++pet) {
      await rig.call('PutItem', { TableName: 'Clinic', Item: { PK: { S: `OWNER#o${owner}` }, SK: { S: `PET#p${pet}` }, kind: { S: pet % 2 ? 'cat' : 'dog' } } });
    }
  }
  await rig.open('/studio/explore/Clinic');
  await rig.page.getByText('The open design does not describe Clinic.').waitFor();
  await sound('explore-infer');
  await rig.page.getByRole('button', { name: 'Make a design of its items' }).click();
  await rig.page.waitForFunction(() => location.pathname.endsWith('/model') && new URLSearchParams(location.search).get('model')?.startsWith('own:'));
  await rig.page.locator('.er-entity').nth(1).waitFor();
  await rig.page.getByText(/The checker finds/).waitFor();
  await rig.page.getByRole('link', { name: 'Explore' }).click();
  await rig.page.getByRole('link', { name: 'Clinic' }).click();
  await rig.page.getByText(/Decoded by “Clinic”: all 16 items on this page fit/).waitFor();
});

test('what is asked is copied as code, in every language, with a loop over its pages', async () => {
  await rig.open('/studio/explore/Education?mode=Query');
  await facts().filter({ hasText: 'Query' }).waitFor();
  await rig.page.getByText('Copy as code').click();
  const code = rig.page.locator('#code-panel code');
  const loops = { JavaScript: /for await \(const page of paginateQuery/, Python: /get_paginator\("query"\)/, Java: /queryPaginator\(/, Go: /NewQueryPaginator\(/ };
  for (const [language, loop] of Object.entries(loops)) {
    await rig.page.getByRole('tab', { name: language, exact: true }).click();
    assert.match(await code.innerText(), loop, language);
  }
  assert.equal(await rig.page.getByRole('tab').count(), 7);
  await sound('explore-code');
});

test('on a narrow screen it fits', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/explore/Education?mode=BatchGetItem');
  await facts().filter({ hasText: 'BatchGetItem' }).waitFor();
  assert.equal(await overflow(rig.page), 0);
  assert.deepEqual(rig.errors.filter((text) => !text.includes('status of 400')), []);
});
