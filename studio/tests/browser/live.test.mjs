// The live view on a server that throttles: a scenario fills the strip and the charts, the sentence says why, and shards end it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFrame, useStudio } from './rig.mjs';

const rig = useStudio({ serve: ['--physics', 'aws', '--clock', 'virtual'] });

test('says how to start a server that throttles', async () => {
  const { page, url } = rig;
  await page.route('**/partitions', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${url}/studio/live`);
  await page.getByText('prejoin serve --memory --physics aws --clock virtual').waitFor();
  await page.unroute('**/partitions');
});

test('a scenario throttles, and says why', async () => {
  const { page, url } = rig;
  await page.goto(`${url}/studio/live`);
  await page.getByRole('button', { name: /A status index with two values/ }).click();
  await page.locator('.live-strip').first().waitFor();
  assert.ok(await inFrame(page.locator('.live-strip').first()), 'what happens is in sight');
  await page.getByLabel('Speed').selectOption('0');
  await page.locator('.live-verdict.throttles').waitFor({ timeout: 60_000 });
  await page.getByText(/takes more than a partition can write, so DynamoDB throttles writes to the table\. Give the index key more values \(shards\)/).waitFor({ timeout: 30_000 });
  await page.locator('.live-partition.throttles').first().waitFor();
  assert.match(page.url(), /scenario=status-index/);
  // The words of the scenario and the figures of the chart agree.
  await page.getByText(/about 1,350 units a second succeed/).waitFor();
  await page.getByText(/^[\d,]+ throttled in 2 min: limit of a partition$/).waitFor();
  assert.equal(await page.getByLabel('Values of the index key (shards)').inputValue(), '2');
});

test('more values of the index key end the throttling', async () => {
  const { page } = rig;
  await page.locator('#live-statuses').fill('32');
  await page.getByText('Nothing is throttled.').waitFor({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Start' }).waitFor();
});

test('a link has the load', async () => {
  const { page } = rig;
  await page.getByRole('button', { name: 'Copy link to this run' }).click();
  assert.match(page.url(), /statuses=32/);
});

test('a server that is gone is said, and what it held does not stay', async () => {
  const { page, url } = rig;
  await page.getByRole('region', { name: /^Partitions of PrejoinLive/ }).first().waitFor();
  await rig.stopServer();
  await page.getByText(/^The server has not answered since /).waitFor();
  await rig.restartServer();
  await page.getByText('No requests yet.').waitFor();
  assert.equal(await page.getByRole('region', { name: /^Partitions of PrejoinLive/ }).count(), 0);
  // One that does not throttle is asked, too.
  await page.route('**/partitions', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${url}/studio/live`);
  await page.getByText('This server does not throttle.').waitFor();
  await page.unroute('**/partitions');
  await rig.stopServer();
  await page.getByText(/^The server has not answered since /).waitFor();
});
