// The pictures of the README, made anew: `scripts/pictures`. PREJOIN_BINARY names the program.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

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
  const page = await browser.newPage({ viewport: { width: 1280, height: 620 }, colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${url}/studio/items?model=file&pattern=A10&p.student=a91`);
  await page.locator('[data-mark="lit"]').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  const shot = (await page.screenshot()).toString('base64');
  // WebP takes a third of the bytes, and the browser can write it. On an empty page: the studio's policy allows no such picture.
  await page.goto('about:blank');
  const small = await page.evaluate(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85).split(',')[1];
  }, shot);
  writeFileSync(`${folder}studio.webp`, Buffer.from(small, 'base64'));
} finally {
  await browser.close();
  server.kill();
}
execFileSync(binary, ['chart', model, '--as', 'svg', '-o', `${folder}chart.svg`]);
