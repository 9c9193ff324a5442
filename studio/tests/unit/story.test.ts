// The picture that the page begins with: what a change does to it.
import { describe, expect, it } from 'vitest';
import { beginning, enrol, gradeOf, groupsOf, itemsOf, leave, readOf } from '../../src/views/learn/pivot/story.ts';

describe('the first picture', () => {
  it('has every enrolment on both sides and every student on one', () => {
    const items = itemsOf(beginning);
    const on = (side: 'table' | 'index') => groupsOf(items, side).flatMap((group) => group.items.map(({ id }) => id)).sort();
    expect(on('table')).toEqual(items.map(({ id }) => id).sort());
    expect(on('index')).toEqual(items.filter(({ link }) => link).map(({ id }) => id).sort());
  });

  it('takes a new enrolment, with the profile of a student who was not there', () => {
    const { story } = enrol(beginning, { student: ' Dan ', course: 'Art', grade: 'B' });
    expect(readOf(itemsOf(story), 'table', 'STUDENT#dan').items).toBe(2);
    expect(readOf(itemsOf(story), 'index', 'COURSE#art').items).toBe(2);
  });

  it('refuses what the engine would, and says why', () => {
    for (const [student, course, why] of [['ada', 'math', /attribute_not_exists/], ['a#b', 'math', /#/], ['', 'math', /name/], ['abcdefghijk', 'math', /10 letters/]] as const) {
      const changed = enrol(beginning, { student, course, grade: '' });
      expect(changed.story).toBe(beginning);
      expect(changed.said).toMatch(why);
    }
  });

  it('reads a longer grade as more bytes, and forgets what left', () => {
    const link = beginning.links[3]!;
    const before = readOf(itemsOf(beginning), 'table', `STUDENT#${link.student}`).bytes;
    const graded = gradeOf(beginning, link, 'B+').story;
    expect(readOf(itemsOf(graded), 'table', `STUDENT#${link.student}`).bytes).toBe(before + 'grade'.length + 2);
    const left = leave(graded, link).story;
    expect(left.links).toHaveLength(beginning.links.length - 1);
    expect(readOf(itemsOf(left), 'table', `STUDENT#${link.student}`).items).toBe(2);
  });

  it('fills up', () => {
    let story = beginning;
    for (let at = 0; at < 40; at += 1) story = enrol(story, { student: 'ada', course: `c${at}`, grade: '' }).story;
    expect(story.links).toHaveLength(18);
    expect(enrol(story, { student: 'ada', course: 'one', grade: '' }).said).toMatch(/full/);
  });
});
