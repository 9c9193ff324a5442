// axe's findings for what the page shows now, and whether it fits its width.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Colours change over a moment, and on the way there they are neither.
const colours = (page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // One that is paused or belongs to what is hidden never ends: two seconds are more than any takes.
    const ends = document.getAnimations().map((one) => one.finished.catch(() => null));
    await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 2000))]);
  });

async function look(page) {
  await colours(page);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`));
}

// One line for each finding; empty if there is none. The script comes by the debugger, past the page's content policy.
export async function axeFindings(page) {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(`${axe}; undefined`);
  // An answer that comes while axe looks makes a button brighten. What is wrong is wrong a second later, too.
  let findings = await look(page);
  for (let again = 0; again < 2 && findings.length > 0; again += 1) {
    await page.waitForTimeout(500);
    findings = await look(page);
  }
  return findings;
}

// Runs `check` in both themes and leaves the page as it was.
export async function inBothThemes(page, check) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await colours(page);
    await check(colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

// Pixels by which the page is wider than its window.
export async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
