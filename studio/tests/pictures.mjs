// The pictures of the README and of docs/tour.md, made anew: `scripts/pictures`. PREJOIN_BINARY names the program.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { useBuiltPage } from './browser/built_page.mjs';

const folder = new URL('../../docs/pictures/', import.meta.url).pathname;
const model = new URL('../../examples/models/d04_students_and_courses.prejoin', import.meta.url).pathname;
const binary = process.env.PREJOIN_BINARY ?? new URL('../../build/release/prejoin', import.meta.url).pathname;

const server = spawn(binary, ['serve', '--memory', '--port', '0', '--model', model], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((resolve, reject) => {
  let text = '';
  server.stdout.on('data', (bytes) => {
    text += bytes;
    const found = text.match(/http:\/\/[\d.:[\]a-z]+/)?.[0];
    if (found) resolve(found);
  });
  server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce' });
  await useBuiltPage(context);
  const page = await context.newPage();
  const blank = await context.newPage(); // The studio's policy allows no picture from elsewhere.
  const see = (selector) => page.locator(selector).first().waitFor();
  const press = (name) => page.getByRole('button', { name, exact: true }).first().click();
  const places = [
    ['studio', 620, 'items?model=file&pattern=A10&p.student=a91', () => see('[data-mark="lit"]')],
    ['tour-first-page', 620, 'learn', () => see('.pivot-item')],
    ['tour-lesson', 760, 'learn/single-table-design/2', async () => {
      await see('[aria-label="Live table"] tbody tr');
      await press('The customer page');
      await see('tr[data-lit]');
    }],
    ['tour-questions', 720, 'model?begin=1', () => see('.questions-preview [data-mark="lit"]:not([data-absent])')],
    ['tour-sql', 760, 'model?begin=1', async () => {
      await page.getByLabel('Begin with').selectOption('import');
      await press('Show me an example');
      await page.getByText('2 entities, 1 relationship').waitFor();
    }],
    ['tour-keys', 720, 'model?model=file&tab=chart', () => see('.relational td')],
    ['tour-design', 720, 'model?model=file&tab=design', () => page.locator('.design-page .entity-chip').first().waitFor({ timeout: 60_000 })],
    ['tour-advice', 720, 'model?model=d07_books_authors&tab=advise', () => see('.decision')],
    ['tour-proof', 720, 'model?model=file&tab=proof', async () => {
      await press('Prove');
      await see('.proof-summary');
    }],
    ['tour-roster', 620, 'items?model=file&pattern=A11&p.course=math204&index=GSI1', () => see('[data-mark="lit"]')],
    ['tour-explore', 620, 'explore/School?model=file', () => see('.grid tbody tr')],
  ];
  for (const [name, height, path, ready] of places) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(`${url}/studio/${path}`);
    await ready();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    await page.bringToFront();
    const shot = (await page.screenshot()).toString('base64');
    // WebP takes a third of the bytes, and the browser can write it.
    const small = await blank.evaluate(async (png) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85).split(',')[1];
    }, shot);
    writeFileSync(`${folder}${name}.webp`, Buffer.from(small, 'base64'));
  }
} finally {
  await browser.close();
  server.kill();
}
execFileSync(binary, ['chart', model, '--as', 'svg', '-o', `${folder}chart.svg`]);
