// Every view in both themes and both widths: no finding of axe, nothing wider than the page, no error on the console.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d04_students_and_courses.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });

// The address, and what is there when the view has its data.
const places = {
  learn: ['learn', '.pivot-item'],
  lesson: ['learn/students-courses/2', '[aria-label="Live table"]'],
  reference: ['reference', '#strategy-inverted-index .in-use'],
  entities: ['model?tab=er', '.er-entity'],
  keys: ['model?tab=chart', '.data-table tbody tr'],
  patterns: ['model?tab=patterns', '.data-table tbody tr'],
  cost: ['model?tab=cost&scale=100', '[aria-label="Assumptions"]'],
  advice: ['model?tab=advise', '.alternatives li'],
  proof: ['model?tab=proof', '.proof-start'],
  code: ['model?tab=code', '.code-file summary'],
  switcher: ['model?tab=er&relationship=Enrolments', '.dial-flip'],
  batch: ['explore/School?mode=BatchGetItem', '.several-keys input'],
  items: ['items?scale=100', '.item-row'],
  lit: ['items?pattern=A11&p.course=cs101&index=GSI1', '.item-row'],
  build: ['build', '.build-form'],
  explore: ['explore', '.explore tbody tr'],
  table: ['explore/School', '.grid tbody tr'],
};

for (const [name, [path, there]] of Object.entries(places)) {
  test(`${name} breaks no rule, in either theme, at either width`, async () => {
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await rig.page.setViewportSize({ width, height });
      await rig.open(`/studio/${path}`);
      await rig.page.locator(there).first().waitFor({ timeout: 15_000 });
      await rig.settled();
      assert.equal(await overflow(rig.page), 0, `at ${width}`);
      await inBothThemes(rig.page, async (theme) => {
        assert.deepEqual(await axeFindings(rig.page), [], `at ${width}, ${theme}`);
        await rig.picture(`view-${name}-${width}-${theme}`);
      });
    }
    assert.deepEqual(rig.errors, []);
  });
}
