// A small table that tells what single-table design is: students, courses, and enrolments that stand in two places at once. It can be
// changed; all figures follow from the items, as the engine would count them.
import type { Item } from '../../../api/attribute_value.ts';
import { itemSize } from '../../../design/sizes.ts';
import { heightOf, placesIn, stack, type Group, type Keyed } from '../../../parts/stack.ts';

export type Side = 'table' | 'index';

export interface StoryItem extends Keyed {
  entity: 'Student' | 'Enrolment';
  keys: Record<Side, { partition: string; sort: string } | null>; // Null: the item is not in the index.
  label: string;
  link: Link | null; // Of an enrolment.
  bytes: number;
}

export interface Link {
  student: string;
  course: string;
  grade: string; // Empty: none yet.
}

export interface Story {
  students: { id: string; name: string }[];
  links: Link[];
}

export const beginning: Story = {
  students: [{ id: 'ada', name: 'Ada Byron' }, { id: 'ben', name: 'Ben Okri' }, { id: 'cho', name: 'Cho Lan' }],
  links: [
    { student: 'ada', course: 'logic', grade: 'A' }, { student: 'ada', course: 'math', grade: 'A' }, { student: 'ben', course: 'art', grade: 'B' },
    { student: 'ben', course: 'math', grade: '' }, { student: 'cho', course: 'logic', grade: 'B' }, { student: 'cho', course: 'math', grade: 'A' },
  ],
};

function enrolment(link: Link): StoryItem {
  const table = { partition: `STUDENT#${link.student}`, sort: `COURSE#${link.course}` };
  const index = { partition: table.sort, sort: table.partition };
  const item: Item = {
    PK: { S: table.partition }, SK: { S: table.sort }, GSI1PK: { S: index.partition }, GSI1SK: { S: index.sort }, since: { S: '2026-09-01' },
    ...(link.grade === '' ? {} : { grade: { S: link.grade } }),
  };
  return { id: `${link.student} ${link.course}`, entity: 'Enrolment', keys: { table, index }, label: 'grade', link, bytes: itemSize(item) };
}

function student(id: string, name: string): StoryItem {
  const item: Item = { PK: { S: `STUDENT#${id}` }, SK: { S: 'PROFILE' }, name: { S: name }, email: { S: `${id}@example.org` } };
  return { id, entity: 'Student', keys: { table: { partition: `STUDENT#${id}`, sort: 'PROFILE' }, index: null }, label: name, link: null, bytes: itemSize(item) };
}

export const itemsOf = ({ students, links }: Story): StoryItem[] => [...links.map(enrolment), ...students.map(({ id, name }) => student(id, name))];

export const groupsOf = (items: StoryItem[], side: Side): Group<StoryItem>[] => stack(items, side);
export const placesOf = (items: StoryItem[], side: Side) => placesIn(groupsOf(items, side));
export const heightOfBoth = (items: StoryItem[]) => Math.max(heightOf(groupsOf(items, 'table')), heightOf(groupsOf(items, 'index')));

export interface Figures {
  items: number;
  bytes: number;
  units: number; // Eventually consistent: half a unit for each 4 KB begun.
}

// The figures of a Query of one collection.
export function readOf(items: StoryItem[], side: Side, partition: string): Figures {
  const found = groupsOf(items, side).find((group) => group.partition === partition)?.items ?? [];
  const bytes = found.reduce((sum, item) => sum + item.bytes, 0);
  return { items: found.length, bytes, units: Math.max(1, Math.ceil(bytes / 4096)) / 2 };
}

// A change of the story, with what it wrote, or why it was refused.
export interface Changed {
  story: Story;
  said: string;
}

const linksMost = 18;
const lettersMost = 10;

// Null for a value that may stand in a key; else why it may not.
export function refusedValue(text: string): string | null {
  if (text === '') return 'Both need a name.';
  if (text.includes('#')) return 'A # inside of a value would end it too early: the keys could not be told apart any more.';
  return text.length > lettersMost ? `At most ${lettersMost} letters fit into this picture.` : null;
}

const isLink = (one: Link, { student, course }: Link) => one.student === student && one.course === course;

export function enrol(story: Story, typed: Link): Changed {
  const link = { student: typed.student.trim().toLowerCase(), course: typed.course.trim().toLowerCase(), grade: typed.grade.trim() };
  const refused = refusedValue(link.student) ?? refusedValue(link.course);
  if (refused) return { story, said: refused };
  if (story.links.some((one) => isLink(one, link))) return { story, said: `Refused by attribute_not_exists(PK): ${link.student} takes ${link.course} already, and a put would replace the grade.` };
  if (story.links.length >= linksMost) return { story, said: 'The picture is full: remove one first.' };
  const known = story.students.some(({ id }) => id === link.student);
  const students = known ? story.students : [...story.students, { id: link.student, name: link.student[0]!.toUpperCase() + link.student.slice(1) }];
  return {
    story: { students, links: [...story.links, link] },
    said: `Put once, found from both sides: 1 write unit for the table, 1 for the index${known ? '' : ', and 1 for the profile of the new student'}.`,
  };
}

export function leave(story: Story, link: Link): Changed {
  return { story: { ...story, links: story.links.filter((one) => !isLink(one, link)) }, said: 'Deleted by its key; DynamoDB takes it out of the index: 1 write unit each.' };
}

export function gradeOf(story: Story, link: Link, grade: string): Changed {
  return {
    story: { ...story, links: story.links.map((one) => (isLink(one, link) ? { ...one, grade } : one)) },
    said: 'One update, though it is seen from both sides: 1 write unit for the table, 1 for the index, which holds the grade too.',
  };
}
