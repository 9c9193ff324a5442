// A live table read with a design: what each item is, where it leads, and where it is not as it should be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d05_education.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });
const grid = () => rig.page.getByRole('grid', { name: 'Items' });
const follow = () => rig.page.getByRole('navigation', { name: 'Follow the item' });
const facts = (text) => rig.page.locator('.facts', { hasText: text }).waitFor();

test('items have the colours of their entities, and keys are split', async () => {
  await rig.open('/studio/explore/Education');
  await facts('7 items');
  await rig.page.getByText('all 7 items on this page fit').waitFor();
  const names = await grid().locator('tbody th').allInnerTexts();
  assert.deepEqual([...new Set(names)].sort(), ['Course', 'Enrollment', 'Student']);
  const enrolment = grid().locator('tbody tr', { hasText: 'Enrollment' }).first();
  assert.ok((await enrolment.locator('.key-value').count()) >= 4);
  const colours = await grid().locator('tbody .type-tag').evaluateAll((tags) => [...new Set(tags.map((tag) => getComputedStyle(tag).backgroundColor))]);
  assert.equal(colours.length, 3);
});

test('links lead from an edge to its other end, and from there to all that refer to it', async () => {
  await grid().locator('tbody tr', { hasText: 'COURSE#C1' }).filter({ hasText: 'STUDENT#S1' }).locator('td').first().click();
  await rig.picture('explore-decoded');
  await follow().getByRole('button', { name: 'Student S1' }).waitFor();
  await follow().getByRole('button', { name: 'Course C1' }).click();
  await facts('1 item ·');
  assert.deepEqual(await grid().locator('tbody th').allInnerTexts(), ['Course']);
  await follow().getByRole('button', { name: 'Enrollment items of Course C1' }).click();
  await facts('2 items');
  assert.match(rig.page.url(), /mode=Query/);
  assert.deepEqual(await grid().locator('tbody th').allInnerTexts(), ['Enrollment', 'Enrollment']);
  await grid().locator('tbody tr').nth(1).locator('td').first().click();
  await follow().getByRole('button', { name: 'STUDENT#S2', exact: true }).click();
  await rig.page.locator('.grid td', { hasText: 'METADATA' }).first().waitFor();
});

test('what is not as the design says is marked, with what it should be', async () => {
  const Item = { PK: { S: 'STUDENT#S1' }, SK: { S: 'COURSE#C9' }, 'GSI1-PK': { S: 'COURSE#C1' }, 'GSI1-SK': { S: 'STUDENT#S1' }, EnrollmentDate: { N: '2024' }, Room: { S: 'A' } };
  await rig.call('PutItem', { TableName: 'Education', Item });
  await rig.open('/studio/explore/Education');
  await facts('8 items');
  const summary = rig.page.getByText(/1 item of 8 on this page does not fit/);
  await summary.click();
  const list = await rig.page.locator('.drifted').innerText();
  assert.match(list, /Room is not in the design/);
  assert.match(list, /EnrollmentDate is stored as N; the design says text/);
  assert.match(list, /GSI1-PK is “COURSE#C1”; the design makes “COURSE#C9”/);
  assert.equal(await grid().locator('.drift-mark').count(), 1);
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('explore-drift');
  await rig.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await overflow(rig.page), 0);
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});

test('an answer without the keys is not called wrong', async () => {
  await rig.open(`/studio/explore/Education?mode=PartiQL&statement=${encodeURIComponent('SELECT "Name" FROM "Education"')}`);
  await rig.page.getByRole('button', { name: 'Run statement' }).click();
  await rig.page.getByText('cannot be told apart').waitFor();
  assert.equal(await rig.page.getByText('fit the design').count(), 0);
});

test('a value that a lock item keeps unique is not changed without its lock', async () => {
  const source = `entity User {
  id    text(~8) key
  email text(~20) unique
  count 10
}
pattern One "A user" {
  find User where id = :id
  rate 1/s
}
table People partition PK sort SK {
  item User {
    PK = "USER#{id}"
    SK = "USER"
    without id
    unique email by lock item
  }
}
sample User (id, email) {
  "u1", "a@x.org"
}
`;
  await rig.open('/studio/learn');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:People', text), source);
  await rig.open('/studio/model?model=own:People');
  await rig.page.getByRole('button', { name: 'Create its tables here' }).click();
  await rig.page.getByText(/^Created/).first().waitFor();
  await rig.open('/studio/explore/People?model=own:People');
  const cell = grid().locator('td', { hasText: /^a@x\.org$/ }).first();
  await cell.dblclick();
  const input = grid().locator('td.editing input');
  await input.fill('b@x.org');
  await input.press('Enter');
  await rig.page.getByText('Change it in Items, which takes the lock along').waitFor();
});

test('a first grade is typed into the roster, where no item has one yet', async () => {
  const source = `model "First grades"

entity Student {
  id    text(~4) key
  count 10
}

entity Course {
  id    text(~4) key
  count 10
}

entity Place {
  studentId references Student.id key
  courseId  references Course.id key
  grade     number(2) optional
}

relationship Takes: Student many-to-many Course through Place {
  each Student has ~3, at most 9
  each Course has ~3, at most 9
}

pattern Roster "Who takes a course" {
  find Place where courseId = :course
  rate 1/s
}

pattern Mine "What a student takes" {
  find Place where studentId = :student
  rate 1/s
}

table Grades partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project grade

  item Place {
    PK     = "STUDENT#{studentId}"
    SK     = "COURSE#{courseId}"
    GSI1PK = "COURSE#{courseId}"
    GSI1SK = "STUDENT#{studentId}"
    without studentId, courseId
  }
}

sample Place (studentId, courseId) {
  "s1", "math"
  "s2", "math"
}
`;
  await rig.open('/studio/model');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Grades', text), source);
  await rig.open('/studio/model?model=own:Grades');
  await rig.page.getByRole('button', { name: 'Create its tables here' }).click();
  await rig.page.getByText(/^Created .* wrote/).waitFor();
  await rig.open('/studio/explore/Grades?model=own:Grades');
  await facts('2 items');
  await rig.page.getByLabel('From').selectOption('GSI1');
  await rig.page.getByRole('button', { name: 'Run Scan' }).click();
  await rig.page.waitForFunction(() => document.querySelector('[aria-label="Items"] thead')?.innerText.startsWith('Entity') && /GSI1PK/.test(document.querySelector('[aria-label="Items"] thead').innerText.split(/\s+/)[1]));
  const head = (await grid().locator('thead th').allInnerTexts()).map((text) => text.trim());
  assert.ok(head.includes('grade'), head.join());
  const cell = grid().locator('tbody tr').first().locator('td').nth(head.indexOf('grade') - 1);
  await cell.dblclick();
  await rig.page.getByLabel('grade of row 1').fill('9');
  await rig.page.getByLabel('grade of row 1').press('Enter');
  await rig.page.waitForFunction(() => !document.querySelector('td.editing'));
  const { Items } = await rig.call('Query', { TableName: 'Grades', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :c', ExpressionAttributeValues: { ':c': { S: 'COURSE#math' } } });
  assert.deepEqual(Items.map(({ grade }) => grade?.N ?? null).sort(), ['9', null], 'a number, as the design says');
});
