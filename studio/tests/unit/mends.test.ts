import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/api/model.ts';
import { applyLines, mendsOf } from '../../src/design/mends.ts';
import { changedLines } from '../../src/design/changed_lines.ts';

const source = `table School partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project grade // Roster.

  item Enrollment {
    PK = "STU#{studentId}" // Braces } in a text or comment close nothing.
    SK = "User#{City}{Zip}"
  }
}
`;

const lineChanges = (before: string, after: string) => {
  const of = (wanted: string) => changedLines(before, after).filter(({ sign }) => sign === wanted).map(({ line }) => line);
  return { removed: of('-'), added: of('+') };
};

const finding = (line: number, text: string, suggestion: string): Finding => ({
  rule: 'PJ001', severity: 'error', line, column: source.split('\n')[line - 1]!.indexOf(text) + 1, length: text.length, message: '', suggestion,
});

describe('proposals', () => {
  it('put lines inside a declaration and in place of others', () => {
    const text = applyLines(source, 'write inside `item Enrollment`:\n  name = copy of Student.name kept by stream\nand in place of `index GSI1 partition GSI1PK sort GSI1SK project grade`:\n  index GSI1 partition GSI1PK sort GSI1SK project grade, name');
    expect(lineChanges(source, text!)).toEqual({
      removed: ['  index GSI1 partition GSI1PK sort GSI1SK project grade // Roster.'],
      added: ['  index GSI1 partition GSI1PK sort GSI1SK project grade, name', '    name = copy of Student.name kept by stream'],
    });
    expect(text!.split('\n').indexOf('    name = copy of Student.name kept by stream')).toBe(6);
  });

  it('put an index at the beginning of its table', () => {
    expect(applyLines(source, 'write inside `table School`:\n  index G2 partition A project all')!.split('\n')[1]).toBe('  index G2 partition A project all');
  });

  it('change and remove lines of one declaration', () => {
    const text = applyLines(source, 'write inside `item Enrollment` in place of `SK = "User#{City}{Zip}"`:\n  SK = "User#{City}#{Zip}"\nand remove from `table School`:\n  index GSI1 …');
    expect(lineChanges(source, text!)).toEqual({
      removed: ['  index GSI1 partition GSI1PK sort GSI1SK project grade // Roster.', '    SK = "User#{City}{Zip}"'],
      added: ['    SK = "User#{City}#{Zip}"'],
    });
    expect(applyLines(source, 'remove from `item Enrollment`:\n  GSI1PK …')).toBeNull();
  });

  it('add declarations at the end of the file', () => {
    expect(applyLines('a\n\n', 'write at the end of the file:\n  table T partition PK {\n    item A {\n    }\n  }')).toBe('a\n\ntable T partition PK {\n  item A {\n  }\n}\n');
  });

  it('are left alone where their place is missing, or where they are words', () => {
    expect(applyLines(source, 'write inside `item Nobody`:\n  a = b')).toBeNull();
    expect(applyLines(source, 'write two `find` lines')).toBeNull();
    expect(applyLines(source, '')).toBeNull();
  });
});

describe('mends', () => {
  it('write a word in place of another', () => {
    expect(mendsOf(source, finding(6, 'User#', 'write "USER#"'))[0]!.text).toContain('"USER#{City}{Zip}"');
    expect(mendsOf(source, finding(6, '{City}', 'write {City}#{Zip}'))[0]!.text).toContain('{City}#{Zip}');
    expect(mendsOf(source, finding(6, 'City', 'add #{Number} at the end of SK'))[0]!.text).toContain('{Zip}#{Number}"');
    expect(mendsOf(source, finding(5, 'studentId', 'known: grade, studentID, student'))[0]!.title).toBe('Write studentID');
    expect(mendsOf(source, finding(2, 'GSI1', 'Add `project all`, `project keys` or `project a, b`.'))).toHaveLength(1);
    expect(mendsOf(source, finding(6, 'SK', 'remove this line'))[0]!.text).toBe(source.split('\n').filter((_, i) => i !== 5).join('\n'));
    expect(mendsOf(source, finding(2, 'GSI1', 'Change the prefixes, or the claim.'))).toEqual([]);
  });
});

describe('a sample', () => {
  const design = `entity Owner {
  id    text(~8) key
  email text(~24) unique
  since date
  kind  text(~4) values ("DOG", "CAT")
}

sample Owner (id, name) {
  "o1", "Ada" // The first.
  "o2", "Ben"
}
`;
  const mended = (attribute: string) =>
    mendsOf(design, { rule: 'PJ003', severity: 'error', line: 8, column: 8, length: 5, message: `the sample of \`Owner\` has no column \`${attribute}\``, suggestion: 'add the column, or declare the attribute optional' })[0]!.text;

  it('gets the column that an attribute needs, with a value of its type in each row', () => {
    expect(mended('email')).toContain('sample Owner (id, name, email) {\n  "o1", "Ada", "email 1" // The first.\n  "o2", "Ben", "email 2"\n}');
    expect(mended('since')).toContain('"Ben", "2026-01-02"');
    expect(mended('kind')).toContain('"Ben", "DOG"');
  });
});
