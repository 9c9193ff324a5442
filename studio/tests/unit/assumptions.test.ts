import { expect, test } from 'vitest';
import { stated } from '../../src/design/assumptions.ts';

const source = `entity Item {
  id    text(~6) key // the number
  grade text(~2) optional
  count 10
}

pattern A "One" {
  find Item where id = :id  // by key
  rate 20/s // measured
}

pattern B "Two" {
  find Item where id > :id
}
`;
const changed = (at: number, line: string) => {
  const text = stated(source, { at, line });
  const before = source.split('\n');
  return text?.split('\n').filter((one) => !before.includes(one)) ?? null;
};

test('a clause goes behind what is there, before the comment', () => {
  expect(changed(2, 'id text hottest 0.2%')).toEqual(['  id    text(~6) key hottest 0.2% // the number']);
  expect(changed(8, 'returns ~20')).toEqual(['  find Item where id = :id returns ~20  // by key']);
});

test('a share goes behind its word', () => {
  expect(changed(3, 'grade text optional 100%')).toEqual(['  grade text(~2) optional 100%']);
  expect(stated(source.replace('optional', 'optional 5%'), { at: 3, line: 'grade text optional 100%' })).toBeNull();
});

test('a line replaces the one that begins alike, or is added', () => {
  expect(changed(7, 'rate 20/s peak 20/s')).toEqual(['  rate 20/s peak 20/s // measured']);
  expect(changed(12, 'rate 1/s peak 1/s')).toEqual(['  rate 1/s peak 1/s']);
  expect(stated(source, { at: 99, line: 'rate 1/s' })).toBeNull();
});
