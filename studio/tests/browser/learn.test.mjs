// The lessons: every example runs on the engine and gives what its text says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const button = (name) => rig.page.getByRole('button', { name, exact: true });

// Every step with its examples, in order, and what each must say.
const lessons = {
  'user-orders': [
    [['The page of Alice', '4 rows', '1 request', '0.5 units'], ['Alice alone', '1 row']],
    [['The newest two', '2 rows', '2 items read'], ['Since 2 January', '2 rows', '2 items read'], ['All orders, then the first two', '3 items']],
    [['Two orders, keyed by the date', '1 item', '3 requests'], ['Two orders, keyed by date and id', '2 items', '3 requests']],
  ],
  'query-and-scan': [
    [['Add 500 other products', 'Written', '20 requests'], ['Query the teas', '3 rows', '3 items read', '0.5 units'], ['Scan for the teas', '3 items', '506 read, 503 discarded', 'per million runs']],
    [['Teas above 10, by a filter', '1 item', '3 read, 2 discarded', '0.5 units'], ['Names only', '3 items', '0.5 units'], ['Scan with a filter and Limit 2', '0 items', '2 read, 2 discarded']],
    [['One of two segments', 'items', '1 request'], ['Count the products', '506 items counted']],
  ],
  'single-table-design': [
    [['The order page', '3 rows', '1 request'], ['As if there were two tables', '2 items', '2 requests']],
    [['The customer page', '3 rows', '1 request'], ['Add a review, which nobody planned', 'Written', '2 units'], ['The reviews of the customer', '1 item']],
    [['Place an order with a line', 'Written'], ['Place an order with a line', 'The transaction was cancelled'], ['The new order', '2 rows']],
  ],
  'what-is-near': [
    [['The cell u33db', '3 rows', '1 request'], ['The corner u33dbcr', '1 row', '1 item read']],
    [['Only the cell of the museum', '3 items'], ['The neighbour to the east', '1 item', 'Alex Coffee']],
    [['The cell that holds the zoo', '1 item'], ['All of Europe, by a Scan', '6 items']],
  ],
  'students-courses': [
    [['Read John', '1 row', '1 request', '0.5 units']],
    [['John with his courses', '3 rows', '1 request'], ['Only his courses', '2 rows', '2 items read'], ['The careless way', '3 items']],
    [['Let 300 others enroll elsewhere', 'Written', '12 requests'], ['Who takes C1?', '2 rows', 'eventual', '0.5 units'], ['The same without the index', '2 items', '307 read, 305 discarded', ' 3 units']],
    [['The roster', '2 rows'], ['Fetch the names as well', '2 items', '1 unit']],
    [['Enroll Jane in Physics', 'Written'], ['Enroll Jane in Physics', 'The condition was not met'], ['Who takes C2 now?', '2 rows']],
  ],
  'orgs-users-tickets': [
    [['Microsoft with its users', '3 rows'], ['Only the users', '2 rows', '2 items read']],
    [['Ask for the users', '2 items'], ['Put three tickets among the users', 'Written', '3 requests'], ['Ask for the users', '5 items']],
    [['A ticket by its id', '1 row'], ['Bill and his newest tickets', '3 rows', '1 request']],
    [['Open a ticket', 'Written'], ['Open a ticket', 'The condition was not met'], ['Bill’s tickets now', '4 rows']],
  ],
  places: [
    [['The USA', '4 rows'], ['The state NY', '3 rows'], ['New York City', '2 rows', '2 items read'], ['Zip code 10001', '1 row']],
    [['begins_with NY#NEWYORK', '3 items'], ['begins_with NY#NEWYORKCITY#', '2 items']],
    [['Two shops without a number', '1 item', '3 requests'], ['Two shops with a number', '2 items', '3 requests']],
    [['Zip code 10019, nothing else known', '1 item', 'discarded']],
  ],
  books: [
    [['The shelf of Stephen King', '2 rows', '1 request']],
    [['Correct the date on every book', '2 items', '3 requests'], ['Correct it on one book only', '2 items', '2 requests']],
    [['The shelf of John Grisham', '0 items']],
    [['Add “It” once more', 'The condition was not met']],
  ],
  addresses: [
    [['The checkout page', '2 rows', '1 request']],
    [['Move Alex across the street', 'Written']],
    [['Who lives at 69361?', '1 item', '2 read, 1 discarded']],
    [['Add an address, at most 3', 'Written'], ['Add one more', 'The condition was not met']],
  ],
  'shallow-duplication': [
    [['The books of Gaiman', '1 request', '0.5 units'], ['The authors of Good Omens', '1 request', '0.5 units']],
    [['Correct the year on the book only', 'Written', '1 unit'], ['The books of Gaiman now', '1990'], ['Put it back', 'Written']],
  ],
  normalised: [
    [['A user’s repositories', '2 rows', '2 requests', 'strong']],
    [['Rename the website', 'Written', '1 unit'], ['What Bob sees', 'The new website'], ['Name it as it was', 'Written']],
  ],
  'time-series': [
    [['The newest two', '2 rows', '2 items read'], ['A morning', '3 rows']],
    [['Up to the bare time', '1 item'], ['Up to the end of that second', '3 items']],
  ],
  'local-or-global': [
    [['Ada’s largest orders', '2 rows', '1 request'], ['The same, strongly consistent', '3 items', '1 unit']],
    [['Open orders of all users', '2 rows'], ['The same, strongly consistent', 'Refused: Consistent reads are not supported']],
  ],
  'changing-keys': [
    [['Change the state alone', 'Written', '2 units'], ['The column “todo”', '2 items'], ['Change both', 'Written', '3 units'], ['The column “doing”', '2 rows']],
    [['Try to update the key', 'Refused: One or more parameter values were invalid: Cannot update attribute SK'], ['Move it in a transaction', 'Written']],
  ],
  'write-sharding': [
    [['The votes of one voter', '2 rows', '1 request']],
    [['All votes of the lecture', '3 rows', '8 requests'], ['One suffix alone', '0.5 units']],
    [['What one vote costs', 'Written', '2 units']],
  ],
};

test('the first page lists all lessons and the other views', async () => {
  rig.page.setDefaultTimeout(15_000);
  await rig.open('/studio/');
  await rig.page.getByRole('heading', { name: 'Join before you read.' }).waitFor();
  assert.equal(await rig.page.locator('.lessons li').count(), 15);
  assert.equal(await rig.page.locator('.chapter').count(), 4);
  await rig.picture('learn');
});

for (const [id, steps] of Object.entries(lessons)) {
  test(`every example of ${id} gives what it says`, async () => {
    for (const [at, tries] of steps.entries()) {
      await rig.open(`/studio/learn/${id}/${at + 1}`);
      await rig.page.getByRole('grid', { name: 'Live table' }).waitFor();
      for (const [number, [label, ...facts]] of tries.entries()) {
        // An answer from before must not be taken for the new one.
        const before = number === 0 ? '' : await rig.page.locator('.outcome').innerText();
        await button(label).click();
        await rig.page.waitForFunction(
          ([old, wanted]) => {
            const text = document.querySelector('.outcome')?.innerText;
            return text !== undefined && text !== old && wanted.every((part) => text.includes(part));
          },
          [before, facts],
          { timeout: 10_000 },
        ).catch(async (error) => {
          throw new Error(`${id} step ${at + 1}, ${label}: ${await rig.page.locator('[aria-label="Try it"]').innerText()} (${error.message})`);
        });
      }
      assert.equal(await rig.page.locator('[aria-label="Try it"] [role=alert]').count(), 0);
    }
    await rig.picture(`learn-${id}`);
  });
}

test('the shop that was overwritten is gone, the names are not on the edge', async () => {
  const { Items } = await rig.call('Query', {
    TableName: 'LessonStores', KeyConditionExpression: 'Country = :c AND Place = :p',
    ExpressionAttributeValues: { ':c': { S: 'USA' }, ':p': { S: 'NY#NEWYORKCITY#10003' } },
  });
  assert.deepEqual(Items.map((item) => item.StreetAddress.S), ['21 Astor Place']);
  await rig.open('/studio/learn/students-courses/4');
  await button('The roster').click();
  const answer = rig.page.getByRole('grid', { name: 'Answer: The roster' });
  await answer.waitFor();
  assert.ok(!(await answer.innerText()).includes('John'));
});

test('an answer has the order of the sort key, and marks what ran', async () => {
  await rig.open('/studio/learn/students-courses/2');
  await button('John with his courses').click();
  const answer = rig.page.getByRole('grid', { name: 'Answer: John with his courses' });
  await answer.waitFor();
  assert.deepEqual(await answer.locator('tbody td:nth-child(2)').allTextContents(), ['COURSE#C1', 'COURSE#C2', 'METADATA']);
  assert.match(await answer.innerText(), /B\+[^]*John Doe/, 'whole items');
  assert.equal(await button('John with his courses').getAttribute('aria-current'), 'true');
  assert.equal(await button('Only his courses').getAttribute('class'), 'main', 'the next to try');
  assert.equal(await rig.page.locator('[aria-label="Try it"] button.main').count(), 1);
  await rig.page.evaluate(() => localStorage.removeItem('prejoin-lessons'));
  await rig.open('/studio/learn/students-courses/5');
  await rig.page.getByRole('heading', { name: '5. Enroll once' }).or(rig.page.getByRole('heading', { name: 'Enroll once' })).first().waitFor();
  assert.equal(await rig.page.getByText('This was the last step').count(), 0, 'not before it was tried');
  await button('Enroll Jane in Physics').click();
  await rig.page.getByText('This was the last step').waitFor();
  await rig.page.getByRole('link', { name: '‹ All lessons' }).click();
  assert.equal(await rig.page.locator('.lessons li', { hasText: 'Students and courses' }).getByText('✓ done').count(), 1);
});

test('the code of several requests is there for each of them', async () => {
  await rig.open('/studio/learn/query-and-scan/1');
  const code = rig.page.getByRole('region', { name: 'In code' });
  await code.getByText('Try it sends all 20, one after the other.').waitFor();
  const products = async () => new Set((await code.locator('.code-panel').innerText()).match(/PRODUCT#x\d{3}/g));
  const seen = new Set(await products());
  assert.equal(seen.size, 25);
  for (let request = 0; request < 19; ++request) {
    await code.getByRole('combobox', { name: 'Request', exact: true }).selectOption(String(request));
    for (const one of await products()) seen.add(one);
  }
  assert.equal(seen.size, 500, 'a copy of all gives the numbers of the lesson');
});

test('reset brings the table back', async () => {
  await rig.open('/studio/learn/orgs-users-tickets/2');
  await rig.page.getByRole('grid', { name: 'Live table' }).waitFor();
  assert.equal((await rig.call('Scan', { TableName: 'LessonSupport' })).Count, 11);
  await rig.page.getByText('The table has changed since the lesson began').waitFor();
  await button('Reset').click();
  await rig.page.waitForFunction(() => document.querySelectorAll('[aria-label="Live table"] tbody tr').length === 7);
  assert.equal((await rig.call('Scan', { TableName: 'LessonSupport' })).Count, 7);
  await rig.page.waitForFunction(() => !document.body.innerText.includes('has changed since the lesson began'));
});

test('arrow keys turn the page, and the address follows', async () => {
  await rig.open('/studio/learn/books/1?model=d08_saas_orgs');
  await rig.page.getByRole('heading', { name: 'A copy on every book' }).waitFor();
  await rig.page.keyboard.press('ArrowRight');
  await rig.page.getByRole('heading', { name: 'Two questions before you copy' }).waitFor();
  assert.match(rig.page.url(), /\/learn\/books\/2\?model=d08_saas_orgs$/, 'the chosen design stays');
  assert.equal(await rig.page.locator('.design-choice').count(), 0, 'and is not offered, because a lesson has its own');
  await rig.page.keyboard.press('ArrowLeft');
  await rig.page.getByRole('heading', { name: 'A copy on every book' }).waitFor();
  await rig.page.keyboard.press('ArrowLeft');
  assert.match(rig.page.url(), /\/learn\/books\/1\?/);
});

test('its links open the right place elsewhere', async () => {
  await rig.open('/studio/learn/students-courses/3');
  await rig.page.getByRole('link', { name: 'Build this request yourself' }).click();
  await rig.page.getByRole('heading', { name: 'Build a request' }).waitFor();
  await rig.page.waitForFunction(() => document.querySelector('#code-panel')?.textContent.includes('COURSE#C1'));
  await rig.page.locator('.facts', { hasText: '2 items' }).waitFor();
  await rig.open('/studio/learn/students-courses/3');
  await rig.page.getByRole('link', { name: 'See it light up in Items' }).click();
  await rig.page.waitForURL(/\/studio\/items\?.*pattern=Roster/);
  await rig.page.getByText('LessonSchool').first().waitFor();
  await rig.open('/studio/learn/students-courses/3');
  await rig.page.getByRole('link', { name: 'Read the model' }).click();
  await rig.page.waitForURL(/\/studio\/model\?model=l01_students_courses/);
});

test('it can be used by everybody', async () => {
  for (const path of ['/studio/learn', '/studio/learn/places/2']) {
    await rig.open(path);
    await rig.page.getByRole('heading', { level: 1 }).waitFor();
    if (path !== '/studio/learn') {
      await button('begins_with NY#NEWYORK').click();
      await rig.page.getByRole('grid', { name: 'Answer: begins_with NY#NEWYORK' }).waitFor();
    }
    await inBothThemes(rig.page, async (theme) => {
      assert.deepEqual(await axeFindings(rig.page), [], path);
      await rig.picture(`learn-${theme}${path.replace(/\W/g, '-')}`);
    });
    await rig.page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await overflow(rig.page), 0, path);
    await rig.picture(`learn-narrow${path.replace(/\W/g, '-')}`);
    await rig.page.setViewportSize({ width: 1280, height: 800 });
  }
});

test('each example shows its code, in the language that was chosen last', async () => {
  await rig.open('/studio/learn/time-series/1');
  const code = rig.page.getByRole('region', { name: 'In code' });
  await code.getByText('LessonSensors').first().waitFor(); // Before anything has run.
  await code.getByRole('tab', { name: 'Python' }).click();
  await code.getByText('import boto3').waitFor();
  await button('A morning').click();
  await code.getByRole('heading', { name: /A morning/ }).waitFor();
  assert.match(await code.locator('pre').innerText(), /READING#2024-01-01T00:00:00Z/);
  assert.ok((await code.locator('pre .code-text').count()) > 3, 'coloured');
  await rig.open('/studio/learn/places/1');
  await rig.page.getByRole('region', { name: 'In code' }).getByText('import boto3').waitFor();
  await rig.page.getByRole('link', { name: 'Build this request yourself' }).waitFor();
  await rig.page.evaluate(() => localStorage.removeItem('prejoin-language'));
});

test('every lesson lights up what it read, and leads from a row to its item', async () => {
  for (const [id, [[[label]]]] of Object.entries(lessons)) {
    await rig.open(`/studio/learn/${id}/1`);
    await rig.page.getByRole('grid', { name: 'Live table' }).locator('tbody tr').first().waitFor();
    await button(label).click();
    await rig.page.locator('.outcome h4', { hasText: label }).waitFor();
    if (label.startsWith('Add 500')) continue;
    await rig.page.locator('[aria-label="Live table"] tr[data-lit="1"]').waitFor({ timeout: 5000 }).catch(() => assert.fail(`${id}: ${label} lights nothing`));
  }
  await rig.open('/studio/learn/students-courses/3');
  await rig.page.getByRole('grid', { name: 'Live table' }).waitFor();
  const row = rig.page.getByRole('group', { name: 'Relational table Enrollment' }).locator('tbody tr').nth(1);
  await row.getByRole('button').click();
  const lit = rig.page.locator('[aria-label="Live table"] tr[data-lit]');
  await lit.waitFor();
  const [student, course] = await row.locator('td').allInnerTexts();
  // One colour for a course: here, and in the key of the item.
  const colourOf = (where) => where.evaluate((cell) => getComputedStyle(cell).color);
  assert.equal(await colourOf(row.locator('td').nth(1)), await colourOf(lit.locator('.key-value', { hasText: (await row.locator('td').nth(1).innerText()) }).first()));
  const shown = await lit.innerText();
  assert.ok(shown.includes(`STUDENT#${student}`) && shown.includes(`COURSE#${course}`), shown);
});

test('the first picture can be changed, and says what that writes', async () => {
  await rig.open('/studio/');
  const form = rig.page.getByRole('form', { name: 'Enrol a student' });
  const said = rig.page.locator('.pivot-said');
  const enrol = async (student, course, grade = '') => {
    await form.getByLabel('Student').fill(student);
    await form.getByLabel('Course').fill(course);
    await form.getByLabel('Grade').fill(grade);
    await form.getByRole('button', { name: 'Enrol' }).click();
  };
  await enrol('dan', 'art');
  await said.getByText(/1 write unit for the table, 1 for the index, and 1 for the profile/).waitFor();
  assert.match(await rig.page.locator('.pivot-figures').innerText(), /STUDENT#dan · 2 items/);
  await enrol('ada', 'math');
  await said.getByText(/Refused by attribute_not_exists/).waitFor();
  await enrol('a#b', 'math');
  await said.getByText(/A # inside of a value/).waitFor();
  await rig.page.getByRole('button', { name: 'By course' }).click();
  await rig.page.getByLabel('Grade of dan in art').fill('A');
  await rig.page.getByLabel('Grade of dan in art').press('Enter');
  await said.getByText(/One update/).waitFor();
  assert.match(await rig.page.locator('.pivot-figures').innerText(), /COURSE#art · 2 items/);
  await rig.page.getByRole('button', { name: 'Remove dan from art' }).click();
  await said.getByText(/Deleted by its key/).waitFor();
  await rig.page.locator('.pivot-picture').getByRole('button', { name: 'Reset' }).click();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
});

test('two answers of a step stand side by side', async () => {
  await rig.open('/studio/learn/students-courses/2');
  await rig.page.getByRole('grid', { name: 'Live table' }).waitFor();
  await button('John with his courses').click();
  await rig.page.locator('.outcome', { hasText: '3 rows' }).waitFor();
  await button('Only his courses').click();
  const before = rig.page.getByRole('group', { name: 'For comparison' });
  await before.waitFor();
  assert.match(await before.innerText(), /John with his courses[^]*3 rows/);
  assert.match(await rig.page.locator('.outcome').innerText(), /Only his courses[^]*2 rows/);
  const [left, right] = [await rig.page.locator('.outcome').boundingBox(), await before.boundingBox()];
  assert.ok(right.x > left.x + left.width / 2, JSON.stringify([left, right]));
  await rig.picture('learn-compare');
});

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors.filter((text) => !text.includes('status of 400')), []));
