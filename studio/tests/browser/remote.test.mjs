// `prejoin studio --endpoint URL`: another server's tables, read through our process; scans ask, writes are refused.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { axeFindings, inBothThemes } from './accessibility.mjs';
import { startProgram, useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d05_education.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });
const bar = () => rig.page.locator('.remote-bar');
const dialog = () => rig.page.getByRole('dialog');
const started = [];

async function studio(...more) {
  const { server, url } = await startProgram(['studio', '--endpoint', rig.url, '--port', '0', ...more]);
  started.push(server);
  return url;
}

let reading = '';
after(() => started.forEach((server) => server.kill('SIGKILL')));

test('its tables are there, and a Scan asks first, with what it costs', async () => {
  reading = await studio();
  await rig.page.goto(`${reading}/studio/explore?model=d05_education`);
  await bar().getByText('reads only').waitFor();
  await rig.page.getByRole('link', { name: 'Education' }).click();
  await dialog().getByText(/about 7 items/).waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('remote-asks');
  await dialog().getByRole('button', { name: 'Read it' }).click();
  await rig.page.locator('.facts', { hasText: '7 items' }).waitFor();
  assert.match(await bar().innerText(), /spent here: [\d.]+ read units?, under a cent/);
});

test('a no is a no', async () => {
  await rig.page.goto(`${reading}/studio/items?model=d05_education&table=Education`);
  await dialog().getByRole('button', { name: 'No' }).click();
  await rig.page.getByText(/Education was not read/).waitFor();
  assert.equal(await rig.page.locator('.item-row').count(), 0);
});

const put = (url, headers = {}) =>
  fetch(`${url}/remote`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Amz-Target': 'DynamoDB_20120810.PutItem', ...headers },
    body: JSON.stringify({ TableName: 'Education', Item: { PK: { S: 'X' }, SK: { S: 'X' } } }),
  });

test('it changes nothing unless it was told that it may', async () => {
  const refused = await put(reading);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /AccessDeniedException.*only reads/);
  assert.equal((await rig.call('Scan', { TableName: 'Education', Select: 'COUNT' })).Count, 7);
  const writing = await studio('--write');
  assert.equal((await put(writing)).status, 200);
  assert.equal((await rig.call('Scan', { TableName: 'Education', Select: 'COUNT' })).Count, 8);
  assert.equal((await put(writing, { Origin: 'http://elsewhere.example' })).status, 403);
  assert.equal((await put(writing, { 'Content-Type': 'text/plain' })).status, 415);
});
