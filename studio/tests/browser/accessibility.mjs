// axe's findings for what the page shows now, and whether it fits its width.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// One line for each finding; empty if there is none. The script comes by the debugger, past the page's content policy.
export async function axeFindings(page) {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(`${axe}; undefined`);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`));
}

// Runs `check` in both themes and leaves the page as it was.
export async function inBothThemes(page, check) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    // Colours change over a moment, and on the way there they are neither.
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      // One that is paused or belongs to what is hidden never ends: two seconds are more than any takes.
      const ends = document.getAnimations().map((one) => one.finished.catch(() => null));
      await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 2000))]);
    });
    await check(colorScheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

// Pixels by which the page is wider than its window.
export async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
