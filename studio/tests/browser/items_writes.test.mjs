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
  assert.match(results[0], /^Org ORG#ACME.*refused, it exists already/);
  assert.match(results[1], /^User .*EVE.*could have been written/);
  assert.match(await said().textContent(), /No step was written/);
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

const shop = `model "Owners"
entity Owner {
  id    text(~6) key
  email text(~20) unique
  phone text(~12) optional
  count 100
}
pattern One "An owner" {
  find Owner where id = :owner
  rate 1/s
  example owner = "o1" gives 1
}
write Hide "The phone goes" {
  update Owner remove phone
  rate 1/day
}
table Owners partition PK sort SK {
  item Owner {
    PK = "OWNER#{id}"
    SK = "OWNER"
    unique email by lock item
  }
}
sample Owner (id, email, phone) {
  "o1", "ana@x.org", "555"
}
`;
const locks = async () => (await rig.call('Scan', { TableName: 'Owners' })).Items.map(({ PK }) => PK.S).filter((key) => key.startsWith('UNIQUE#'));

test('what is unique stays so: lock items come, move and go with their item', async () => {
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Owners', text), shop);
  await rig.open('/studio/items?model=own:Owners');
  await rig.page.getByRole('button', { name: 'Load the sample of this design' }).click();
  await rig.page.locator('.item-row', { hasText: 'Owner lock' }).waitFor();
  assert.equal(await rig.page.getByText('not in the model').count(), 0, 'the design’s own lock is known');
  const add = async (id, email) => {
    await rig.page.getByRole('group', { name: 'Content of the panel' }).getByRole('button', { name: 'Add' }).click();
    await rig.page.locator('.side-panel input[name="id"]').fill(id);
    await rig.page.locator('.side-panel input[name="email"]').fill(email);
    await rig.page.getByRole('button', { name: 'Add Owner' }).click();
  };
  await add('o2', 'ana@x.org');
  await said().filter({ hasText: 'an Owner with the email ana@x.org exists already' }).waitFor();
  assert.deepEqual(await locks(), ['UNIQUE#Owner#email#ana@x.org']);
  await add('o2', 'bo@x.org');
  await said().filter({ hasText: /^Added\./ }).waitFor();
  assert.equal((await locks()).length, 2);
  await rig.page.locator('.item-row', { hasText: 'bo@x.org' }).first().dblclick();
  await rig.page.getByLabel('email').fill('cy@x.org');
  await rig.page.getByRole('button', { name: 'Save' }).click();
  await said().filter({ hasText: /^Changed\./ }).waitFor();
  assert.deepEqual((await locks()).sort(), ['UNIQUE#Owner#email#ana@x.org', 'UNIQUE#Owner#email#cy@x.org']);
  await rig.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Yes, delete it' }).click();
  await said().filter({ hasText: /^Deleted\./ }).waitFor();
  assert.deepEqual(await locks(), ['UNIQUE#Owner#email#ana@x.org']);
});

test('a write that removes an attribute can be run', async () => {
  await rig.page.getByRole('group', { name: 'Content of the panel' }).getByRole('button', { name: 'Patterns' }).click();
  await button('Hide').click();
  await rig.page.getByText('Removes phone of one Owner.').waitFor();
  await rig.page.locator('.pattern-details input[name="id"]').fill('o1');
  await rig.page.getByRole('button', { name: 'Run Hide' }).click();
  await said().filter({ hasText: /^Hide is done\./ }).waitFor();
  const { Item } = await rig.call('GetItem', { TableName: 'Owners', Key: { PK: { S: 'OWNER#o1' }, SK: { S: 'OWNER' } } });
  assert.equal(Item.phone, undefined);
  assert.equal(Item.email.S, 'ana@x.org');
});

test('the page breaks none of its own rules', () =>
  assert.deepEqual(rig.errors.filter((error) => !error.includes('400 (Bad Request)')), []));
