import { describe, expect, it } from 'vitest';
import { changedLines, markedLines } from '../../src/design/changed_lines.ts';

const signs = (before: string, after: string) => changedLines(before, after).map(({ sign, line }) => `${sign}${line}`);

const table = (item: string) => `table School partition PK sort SK {
  item Enrollment {
    PK = "STU#{studentId}"
    ${item}
  }
}
`;

describe('changed lines', () => {
  it('stand below the heads of their blocks', () => {
    expect(signs(table('SK = "A"'), table('SK = "B{x}"'))).toEqual([' table School partition PK sort SK {', '   item Enrollment {', '-    SK = "A"', '+    SK = "B{x}"']);
  });

  it('leave out blocks that only moved, and spaces', () => {
    const write = 'write Add {\n  put Student\n}\n';
    expect(signs(`${table('SK   =  "A"')}${write}`, `${write}${table('SK = "A"')}`)).toEqual([]);
  });

  it('show a block that is new or gone as a whole', () => {
    expect(signs('entity A {\n  id text key\n}\n', 'entity B {\n  id text key\n}\n')).toEqual(['+entity B {', '+  id text key', '-entity A {', '-  id text key']);
  });

  it('count lines that stand twice', () => {
    expect(signs('a\na\nb', 'a\nb\nb')).toEqual(['-a', '+b']);
  });

  it('show a head that changed', () => {
    expect(signs('index {\n  a\n}', 'index {\n  a\n  b\n}')).toEqual([' index {', '+  b']);
    expect(signs('table T partition A {\n  a\n}', 'table T partition B {\n  a\n}')).toEqual(['-table T partition A {', '+table T partition B {']);
  });

  it('mark the words that only one of both lines has', () => {
    const index = (names: string) => `table T partition A {\n  index GSI1 partition B project ${names}\n}`;
    const marked = (before: string, after: string) => markedLines(changedLines(before, after)).map(({ sign, parts }) => sign + parts.filter(({ changed }) => changed).map(({ text }) => text).join('|'));
    expect(marked(index('brand, quantity, title'), index('brand, mechanicId, quantity, status'))).toEqual([' ', '-title', '+mechanicId|status']);
    expect(marked('a b\n', 'c d\n')).toEqual(['-', '+']);
    const [line] = markedLines(changedLines('', '  put Student(once)'));
    expect(line!.parts.map(({ text }) => text).join('')).toBe('  put Student(once)');
  });

  it('take texts of any shape', () => {
    expect(signs('', '')).toEqual([]);
    expect(signs('}\n}', '{\n{')).toHaveLength(4);
  });
});
