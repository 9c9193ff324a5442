// Items as files: DynamoDB JSON lines (as the service exports them), plain JSON, CSV.
import { emptyRecord, member, show, typeOf, type AttributeValue, type Item, type TypeName } from '../../api/attribute_value.ts';
import { columnsOf } from '../../parts/cell_text.ts';
import { printItem, printPlain, readItem, readPlainValue } from '../../parts/item_text.ts';
import { readJson, TextError } from '../../parts/json_text.ts';

export type FileKind = 'lines' | 'json' | 'csv';

export const fileKinds: { kind: FileKind; title: string; ending: string }[] = [
  { kind: 'lines', title: 'DynamoDB JSON lines', ending: 'jsonl' },
  { kind: 'json', title: 'Plain JSON', ending: 'json' },
  { kind: 'csv', title: 'CSV', ending: 'csv' },
];

export function writeItems(items: Item[], kind: FileKind, keys: string[]): string {
  if (kind === 'lines') return items.map((item) => `${JSON.stringify({ Item: item })}\n`).join('');
  if (kind === 'json') return `[\n${items.map((item) => printItem(item, 'plain')).join(',\n')}\n]\n`;
  const columns = columnsOf(items, keys);
  const rows = items.map((item) => columns.map((name) => csvCell(member(item, name))).join(','));
  return `${[columns.map(csvText).join(','), ...rows].join('\r\n')}\r\n`;
}

// A missing value is an empty cell, an empty text is a quoted one.
function csvCell(value: AttributeValue | undefined): string {
  if (!value) return '';
  if ('S' in value) return value.S === '' || looksTyped(value.S) ? `"${value.S}"` : csvText(value.S);
  if ('N' in value || 'B' in value || 'BOOL' in value || 'NULL' in value) return csvText(show(value));
  return csvText(printPlain(value).replace(/\s*\n\s*/g, ' '));
}

// A number as DynamoDB prints it, true, or false. 007 and +49 are texts that a number would not keep.
const numberText = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const isNumber = (text: string) => numberText.test(text) && text.replace(/\D/g, '').length <= 38;
const isTruth = (text: string) => text === 'true' || text === 'false';
const looksTyped = (text: string) => isNumber(text) || isTruth(text) || text === 'null';

const csvText = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

// Line numbers count from 1.
export class FileError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(`Line ${line}: ${message}`);
  }
}

export function kindOf(fileName: string, text: string): FileKind {
  if (/\.csv$/i.test(fileName)) return 'csv';
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return 'lines';
  return text.trimStart().startsWith('[') ? 'json' : 'lines';
}

// Throws FileError. `types`: what is known of the attributes, because CSV says nothing of types; in columns of `nulls` the word null without
// quotes is the value NULL.
export function readItems(text: string, kind: FileKind, types: Record<string, TypeName>, nulls: string[] = []): Item[] {
  const clean = text.replace(/^\ufeff/, '');
  if (kind === 'lines') return readLines(clean);
  return kind === 'json' ? readPlain(clean) : readCsv(clean, types, nulls);
}

function located<Value>(line: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof TextError) throw new FileError(error.message, line + error.place.line - 1);
    throw error;
  }
}

function readLines(text: string): Item[] {
  const items: Item[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    items.push(
      located(at + 1, () => {
        const node = readJson(line);
        const wrapped = node.kind === 'object' && node.members.length === 1 && node.members[0]!.name === 'Item' ? node.members[0]!.value : null;
        // An attribute called Item looks like the wrapping, until one sees whether it names a type.
        const inner = wrapped?.kind === 'object' && !(wrapped.members.length === 1 && /^(S|N|B|BOOL|NULL|M|L|SS|NS|BS)$/.test(wrapped.members[0]!.name) && wrapped.members[0]!.value.kind !== 'object');
        return readItem(inner ? line.slice(wrapped!.start, wrapped!.end) : line, 'dynamodb');
      }),
    );
  }
  return items;
}

function readPlain(text: string): Item[] {
  return located(1, () => {
    const node = readJson(text);
    const parts = node.kind === 'array' ? node.parts : [node];
    return parts.map((part) => {
      const line = text.slice(0, part.start).split('\n').length;
      return located(line, () => readItem(text.slice(part.start, part.end), 'plain'));
    });
  });
}

interface CsvCell {
  text: string;
  quoted: boolean;
}

function csvRows(text: string): { line: number; cells: CsvCell[] }[] {
  const rows: { line: number; cells: CsvCell[] }[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row = { line, cells: [] as CsvCell[] };
    for (;;) {
      let cell = '';
      const quoted = text[at] === '"';
      if (quoted) {
        at += 1;
        while (text[at] !== '"' || text[at + 1] === '"') {
          if (at >= text.length) throw new FileError('A quote is not closed.', row.line);
          if (text[at] === '"') at += 1;
          if (text[at] === '\n') line += 1;
          cell += text[at];
          at += 1;
        }
        at += 1;
        if (at < text.length && !/[,\r\n]/.test(text[at]!)) throw new FileError('Something follows a closing quote.', line);
      } else {
        while (at < text.length && !/[,\r\n]/.test(text[at]!)) cell += text[at++];
      }
      row.cells.push({ text: cell, quoted });
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    if (row.cells.length > 1 || row.cells[0]!.text !== '') rows.push(row);
  }
  return rows;
}

// The attributes that a CSV file has.
export const csvColumns = (text: string): string[] => csvRows(text.replace(/^\ufeff/, ''))[0]?.cells.map((cell) => cell.text) ?? [];

// The types that the values of a file allow: number or true and false where every value is one, else string. A value in quotes is a
// string, unless the file quotes its headings too, as programs do that quote everything.
export function csvTypes(text: string, nulls: string[] = []): Record<string, TypeName> {
  const [head, ...rows] = csvRows(text.replace(/^\ufeff/, ''));
  const types: Record<string, TypeName> = emptyRecord();
  for (const [at, { text: name, quoted: quotesAll }] of (head?.cells ?? []).entries()) {
    const cells = rows.flatMap(({ cells }) => (cells[at] && (cells[at].text !== '' || cells[at].quoted) && !isNull(cells[at], name, nulls) ? [cells[at]] : []));
    const every = (fits: (text: string) => boolean) => cells.length > 0 && cells.every(({ text, quoted }) => fits(text) && (!quoted || quotesAll));
    types[name] = every(isNumber) ? 'N' : every(isTruth) ? 'BOOL' : 'S';
  }
  return types;
}

const isNull = ({ text, quoted }: CsvCell, name: string, nulls: string[]) => text === 'null' && !quoted && nulls.includes(name);

function readCsv(text: string, types: Record<string, TypeName>, nulls: string[]): Item[] {
  const [head, ...rows] = csvRows(text);
  if (!head) return [];
  const names = head.cells.map((cell) => cell.text);
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length) throw new FileError(`There are ${cells.length} cells, but ${names.length} columns.`, line);
    const item: Item = emptyRecord();
    for (const [at, cell] of cells.entries()) {
      if (cell.text === '' && !cell.quoted) continue;
      const name = names[at]!;
      item[name] = isNull(cell, name, nulls) ? { NULL: true } : csvValue(cell.text, member(types, name), name, line);
    }
    return item;
  });
}

function csvValue(text: string, type: TypeName | undefined, name: string, line: number): AttributeValue {
  if (type === 'N') {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new FileError(`${name} must be a number, but “${text}” is not one.`, line);
    return { N: text };
  }
  if (type === undefined || type === 'S') return { S: text };
  if (type === 'B') return { B: text };
  const hints: Partial<Record<TypeName, AttributeValue>> = { SS: { SS: ['x'] }, NS: { NS: ['1'] }, BS: { BS: ['AA=='] } };
  const words: Partial<Record<TypeName, string>> = { BOOL: 'true or false', L: 'a list', M: 'a map' };
  try {
    const value = readPlainValue(text, hints[type]);
    if (typeOf(value) === type) return value;
  } catch {
    // Said below.
  }
  throw new FileError(`${name}: “${text}” is not ${words[type] ?? 'valid JSON'}.`, line);
}
