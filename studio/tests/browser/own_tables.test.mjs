// A design of one's own from the first table to living items: its name, a name that is taken, no sample.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const panel = () => rig.page.getByRole('region', { name: 'Proposed change' });

const logical = `model "Practice"

entity Owner {
  id    text(~6) key
  name  text(~20)
  count 40
}

pattern OneOwner "An owner by id" {
  find Owner where id = :owner
  rate 1/s
}
`;

const table = `
table Main partition PK sort SK {
  item Owner {
    PK = "OWNER#{id}"
    SK = "OWNER"
    without id
  }
}
`;

test('a table that the search proposes is called after the design', async () => {
  const designs = [{ bestFor: ['cheapest'], money: 1, trips: 1, indexes: 0, copies: 0, proved: true, problems: [], source: logical + table }];
  await rig.page.route('**/model/design', (call) => call.fulfill({ json: { moneyBefore: 0, designs } }));
  await rig.open('/studio/learn');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Practice', text), logical);
  await rig.open('/studio/model?model=own:Practice&tab=design');
  const found = rig.page.getByRole('region', { name: 'Designs found' });
  await found.getByRole('button', { name: 'Compare…' }).click();
  await panel().getByText(/^\+ table Practice /).waitFor();
  await panel().getByRole('button', { name: 'Apply' }).click();
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
});

test('a table of that name that is something else stays, and another name is offered', async () => {
  await rig.call('CreateTable', {
    TableName: 'Practice', BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
  });
  await rig.page.getByRole('button', { name: 'Create its tables here' }).click();
  await rig.page.getByText(/Practice belongs to something else/).waitFor();
  await rig.page.getByRole('button', { name: 'Use another name for it' }).click();
  await rig.page.getByText('Created Practice2 and wrote 0 items.').waitFor();
  const { Table } = await rig.call('DescribeTable', { TableName: 'Practice' });
  assert.equal(Table.KeySchema[0].AttributeName, 'other');
});

test('rows are made up for a design without a sample, and a pattern takes its parameters from them', async () => {
  await rig.page.getByRole('link', { name: 'See the items' }).click();
  await rig.page.getByRole('button', { name: 'Make up rows' }).click();
  await rig.page.locator('.item-row').first().waitFor();
  await rig.page.locator('.pattern-button').filter({ hasText: 'OneOwner' }).click();
  await rig.page.waitForURL(/p\.owner=./);
  await rig.page.locator('.item-row[data-mark="lit"]').first().waitFor();
});
