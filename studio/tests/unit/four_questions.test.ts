import { expect, test } from 'vitest';
import { designFrom, nameFrom, noAnswers, several } from '../../src/design/four_questions.ts';

test('an entity is called after one of its kind', () => {
  expect(['bike stations', 'companies', 'addresses', 'boxes', 'Bus', 'Address', 'species', 'pets'].map((text) => nameFrom(text, 'X'))).toEqual([
    'BikeStation', 'Company', 'Address', 'Box', 'Bus', 'Address', 'Species', 'Pet',
  ]);
  expect(['Pet', 'Company', 'Address', 'Box', 'Day'].map(several)).toEqual(['Pets', 'Companies', 'Addresses', 'Boxes', 'Days']);
  expect(nameFrom('12 !', 'Parent')).toBe('Parent');
});

test('rare events keep their span, and an id is one row’s alone', () => {
  const text = designFrom({ ...noAnswers, one: 'owners', ones: 500, other: 'pets', average: 2, most: 9, changes: 0.5, changesPer: 'day', reads: 3, readsPer: 'min' });
  for (const part of ['id text(~8) key distinct 1_000', 'each Owner has ~2, at most 9', 'changes 0.5/day', 'rate 3/min', 'An owner with its pets', 'table Owners ']) expect(text).toContain(part);
});
