// A small table that tells what single-table design is: students, courses, and enrolments that stand in two places at once.
// All figures follow from the items, as the engine would count them.
import type { Item } from '../../../api/attribute_value.ts';
import { itemSize } from '../../../design/sizes.ts';
import { heightOf, placesIn, stack, type Keyed } from '../../../parts/stack.ts';

export type Side = 'table' | 'index';

export interface StoryItem extends Keyed {
  entity: 'Student' | 'Enrolment';
  keys: Record<Side, { partition: string; sort: string } | null>; // Null: the item is not in the index.
  label: string;
  bytes: number;
}

function enrolment(student: string, course: string, grade: string): StoryItem {
  const item: Item = { PK: { S: `STUDENT#${student}` }, SK: { S: `COURSE#${course}` }, grade: { S: grade }, since: { S: '2026-09-01' } };
  return {
    id: `${student} ${course}`,
    entity: 'Enrolment',
    keys: {
      table: { partition: `STUDENT#${student}`, sort: `COURSE#${course}` },
      index: { partition: `COURSE#${course}`, sort: `STUDENT#${student}` },
    },
    label: `grade ${grade}`,
    bytes: itemSize(item),
  };
}

function student(id: string, name: string): StoryItem {
  const item: Item = { PK: { S: `STUDENT#${id}` }, SK: { S: 'PROFILE' }, name: { S: name }, email: { S: `${id}@example.org` } };
  return { id, entity: 'Student', keys: { table: { partition: `STUDENT#${id}`, sort: 'PROFILE' }, index: null }, label: name, bytes: itemSize(item) };
}

export const story: StoryItem[] = [
  enrolment('ada', 'logic', 'A'), enrolment('ada', 'math', 'A'), student('ada', 'Ada Byron'),
  enrolment('ben', 'art', 'B'), enrolment('ben', 'math', 'C'), student('ben', 'Ben Okri'),
  enrolment('cho', 'logic', 'B'), enrolment('cho', 'math', 'A'), student('cho', 'Cho Lan'),
];

export const groupsOf = (side: Side) => stack(story, side);
export const placesOf = (side: Side) => placesIn(groupsOf(side));
export const storyHeight = Math.max(heightOf(groupsOf('table')), heightOf(groupsOf('index')));

export interface Figures {
  items: number;
  bytes: number;
  units: number; // Eventually consistent: half a unit for each 4 KB begun.
}

// The figures of a Query of one collection.
export function readOf(side: Side, partition: string): Figures {
  const items = groupsOf(side).find((group) => group.partition === partition)?.items ?? [];
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  return { items: items.length, bytes, units: Math.max(1, Math.ceil(bytes / 4096)) / 2 };
}
