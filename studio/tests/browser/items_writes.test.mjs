// Writes of the model in the Items view: several steps in one transaction, allowed values as a choice,
// and messages that go when they no longer hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const said = () => rig.page.locator('.items-view .said');
const button = (name) => rig.page.locator('.pattern-button').filter({ hasText: name });
const count = async () => (await rig.call('Scan', { TableName: 'Support', Select: 'COUNT' })).Count;

async function signUp({ org, user }) {
  await rig.page.locator('#step-1-Org-Org').fill(org);
  await rig.page.locator('#step-1-Org-OrgName').fill('A company');
  await rig.page.locator('#step-1-Org-PlanType').fill('Pro');
  const select = rig.page.locator('fieldset.write-step select');
  for (let i = 0; i < (await select.count()); ++i) await select.nth(i).selectOption({ index: 1 });
  await rig.page.locator('#step-2-User-User').fill(user);
  await rig.page.locator('#step-2-User-UserName').fill('Somebody');
  await rig.page.getByRole('button', { name: 'Run SignUp' }).click();
}

test('an organisation and its first user are signed up in one transaction', async () => {
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.locator('main button.main').click();
  await rig.page.locator('.item-row').first().waitFor();
  const before = await count();
  await button('SignUp').click();
  await rig.picture('items-signup-form');
  assert.equal(await rig.page.locator('fieldset.write-step').count(), 2);
  await signUp({ org: 'ACME', user: 'ADA' });
  await rig.page.locator('.step-results li.done').nth(1).waitFor();
  assert.match(await rig.page.locator('.pattern-details .done').first().textContent(), /TransactWriteItems, \d+ write units/);
  assert.equal(await count(), before + 2);
  await rig.page.locator('.item-row', { hasText: 'USER#ADA' }).first().waitFor();
  // The user's organisation was taken from the first step.
  const { Item } = await rig.call('GetItem', { TableName: 'Support', Key: { PK: { S: 'ORG#ACME' }, SK: { S: 'USER#ADA' } } });
  assert.ok(Item, 'the user stands beside its organisation');
  await rig.picture('items-signup');
});

test('a refused step is named, and nothing of the transaction is written', async () => {
  const before = await count();
  await signUp({ org: 'ACME', user: 'EVE' });
  await rig.page.locator('.step-results li.wrong').waitFor();
  const results = await rig.page.locator('.step-results li').allTextContents();
  assert.match(results[0], /^Org ORG#ACME.*refused, it is there already/);
  assert.match(results[1], /^User .*EVE.*could have been written/);
  assert.match(await said().textContent(), /Nothing was written/);
  assert.equal(await count(), before);
});

test('a refusal goes with the next action', async () => {
  await rig.page.locator('.item-row').first().click();
  await rig.page.waitForFunction(() => document.querySelector('.items-view .said').textContent === '');
});

test('a double click edits the item', async () => {
  await rig.page.locator('.item-row', { hasText: 'METADATA#AMAZON' }).dblclick();
  const name = rig.page.getByLabel('OrgName');
  await name.waitFor();
  assert.equal(await name.inputValue(), 'Amazon');
  await name.fill('Amazon.com');
  await rig.page.getByRole('button', { name: 'Save' }).click();
  await rig.page.locator('.item-row', { hasText: 'Amazon.com' }).waitFor();
  await rig.page.getByRole('button', { name: 'Edit', exact: true }).waitFor(); // The editor has closed.
});

test('the page breaks none of its own rules', () =>
  assert.deepEqual(rig.errors.filter((error) => !error.includes('400 (Bad Request)')), []));
