import { describe, expect, it } from 'vitest';
import { changedLines } from '../../src/design/changed_lines.ts';

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

  it('take texts of any shape', () => {
    expect(signs('', '')).toEqual([]);
    expect(signs('}\n}', '{\n{')).toHaveLength(4);
  });
});
