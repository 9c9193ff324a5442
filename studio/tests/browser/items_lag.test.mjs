// An engine whose indexes lag (`serve --index-lag`): what is shown of an index is what it lists, and the page says what waits.
// The lag is played here, so that it lasts as long as the test needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const key = { PK: { S: 'STUDENT#S2' }, SK: { S: 'COURSE#C2' } };
const rows = (side) => rig.page.locator(`.pane[data-side="${side}"] .item-row`);

test('an edge is in the table at once, and in the index when the engine lists it', async () => {
  await rig.open('/studio/items?model=d05_education&split=1');
  await rig.page.getByRole('button', { name: 'Load the sample of this design' }).click();
  await rows('GSI1').nth(2).waitFor();
  const before = await rows('GSI1').count();
  let late = true;
  await rig.page.route((url) => url.pathname === '/', (route) => {
    const asksIndex = route.request().headers()['x-amz-target']?.endsWith('.Query') && route.request().postDataJSON()?.IndexName === 'GSI1';
    return late && asksIndex ? route.fulfill({ json: { Items: [], Count: 0, ScannedCount: 0 } }) : route.continue();
  });
  await rig.page.locator('.pane[data-side=table] .collection', { hasText: 'STUDENT#S2' }).first().getByRole('button', { name: /Add an item/ }).click();
  await rig.page.locator('.side-panel input[name="CourseId"]').fill('C2');
  await rig.page.locator('.side-panel input[name="EnrollmentDate"]').fill('2024-04-01T08:00:00');
  await rig.page.getByRole('button', { name: 'Add Enrollment' }).click();
  await rig.page.locator('.waiting', { hasText: 'just written, not yet listed' }).waitFor();
  assert.ok((await rig.call('GetItem', { TableName: 'Education', Key: key })).Item, 'the table has it');
  assert.equal(await rows('GSI1').count(), before);
  late = false;
  await rig.page.locator('.said', { hasText: 'After the lag: GSI1: it appears in COURSE#C2' }).waitFor();
  await rig.page.locator('.waiting').waitFor({ state: 'detached' });
  assert.equal(await rows('GSI1').count(), before + 1);
  await rig.page.getByText(/the engine’s own index took [\d.]+ s/).waitFor();
  assert.deepEqual(rig.errors, []);
});
